package tournament

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

type (
	// apiSettings is a tournament.Settings as programs write and read it: what is
	// named here they have in words, the rest is as it is kept.
	apiSettings struct {
		tournament.Settings
		Format       string           `json:"format"`
		Pace         string           `json:"pace"`
		Window       form.APIDuration `json:"window,omitempty"`
		Break        form.APIDuration `json:"break"`
		Times        []time.Time      `json:"times"`
		Lateness     form.APIDuration `json:"lateness"`
		CheckIn      apiCheckIn       `json:"checkIn"`
		Claims       string           `json:"claims"`
		Points       apiPoints        `json:"points"`
		Tiebreaks    []string         `json:"tiebreaks"`
		Numbering    string           `json:"numbering"`
		Acceleration string           `json:"acceleration"`
		Leave        string           `json:"leave"`
		Expulsion    string           `json:"expulsion"`
		Entry        apiEntryRules    `json:"entry"`
		Policy       form.APIPolicy   `json:"policy"`
	}
	apiCheckIn struct {
		Scope  string           `json:"scope"`
		Opens  form.APIDuration `json:"opens"`
		Closes form.APIDuration `json:"closes"`
		Misses int              `json:"misses"`
	}
	// apiPoints is what results are worth, in points: 1, 0.5.
	apiPoints struct {
		Win         float64 `json:"win"`
		Draw        float64 `json:"draw"`
		Loss        float64 `json:"loss"`
		ForfeitWin  float64 `json:"forfeitWin"`
		ForfeitLoss float64 `json:"forfeitLoss"`
		FullBye     float64 `json:"fullBye"`
		HalfBye     float64 `json:"halfBye"`
		ZeroBye     float64 `json:"zeroBye"`
		PairingBye  float64 `json:"pairingBye"`
	}
	apiEntryRules struct {
		Opens       time.Time       `json:"opens,omitzero"`
		Closes      time.Time       `json:"closes,omitzero"`
		Code        string          `json:"code"`
		Approval    bool            `json:"approval"`
		MinRating   int             `json:"minRating"`
		MaxRating   int             `json:"maxRating"`
		MinGames    int             `json:"minGames"`
		MinAgeDays  int             `json:"minAgeDays"`
		List        []player.Handle `json:"list"`
		LateUntil   int             `json:"lateUntil"`
		LateHalfBye bool            `json:"lateHalfBye"`
		ByeLimit    int             `json:"byeLimit"`
		HalfByes    int             `json:"halfByes"`
		HalfUntil   int             `json:"halfUntil"`
	}
)

func apiSettingsOf(s tournament.Settings) apiSettings {
	points := func(n tournament.Score) float64 { return float64(n) / 10 }
	p, e := s.Points, s.Entry
	return apiSettings{
		Settings: s, Format: s.Format.String(), Pace: s.Pace.String(), Claims: s.Claims.String(), Numbering: s.Numbering.String(),
		Acceleration: s.Acceleration.String(), Leave: s.Leave.String(), Expulsion: s.Expulsion.String(),
		Window: form.APIDuration(s.Window), Break: form.APIDuration(s.Break), Lateness: form.APIDuration(s.Lateness),
		Times: append([]time.Time{}, s.Times...), Tiebreaks: append([]string{}, s.Tiebreaks...),
		Policy:  form.APIPolicy{Policy: s.Policy.OrOpen()},
		CheckIn: apiCheckIn{s.CheckIn.Scope.String(), form.APIDuration(s.CheckIn.Opens), form.APIDuration(s.CheckIn.Closes), s.CheckIn.Misses},
		Points: apiPoints{points(p.Win), points(p.Draw), points(p.Loss), points(p.ForfeitWin), points(p.ForfeitLoss), points(p.FullBye),
			points(p.HalfBye), points(p.ZeroBye), points(p.PairBye)},
		Entry: apiEntryRules{
			Opens: e.Opens, Closes: e.Closes, Code: e.Code, Approval: e.Approval,
			MinRating: e.Conditions.MinRating, MaxRating: e.Conditions.MaxRating, MinGames: e.Conditions.MinGames,
			MinAgeDays: e.Conditions.MinAgeDays,
			List:       append([]player.Handle{}, e.Conditions.List...), LateUntil: e.LateUntil, LateHalfBye: e.LateBye == tournament.HalfBye,
			ByeLimit: e.ByeLimit, HalfByes: e.HalfByes, HalfUntil: e.HalfUntil,
		},
	}
}

// settings are what the words mean; those that mean nothing are named, all at once.
func (a apiSettings) settings() (tournament.Settings, error) {
	t := a.Settings
	t.LineUpsBy, t.Until, t.Times, t.Tiebreaks = a.LineUpsBy.UTC(), a.Until.UTC(), nil, nil
	t.Window = time.Duration(a.Window)
	t.Break, t.Lateness, t.Policy, t.Entry = time.Duration(a.Break), time.Duration(a.Lateness), a.Policy.OrOpen(), a.Entry.rules()
	t.CheckIn = tournament.CheckIn{Opens: time.Duration(a.CheckIn.Opens), Closes: time.Duration(a.CheckIn.Closes), Misses: a.CheckIn.Misses}
	for _, at := range a.Times {
		t.Times = append(t.Times, at.UTC())
	}
	if len(a.Tiebreaks) > 0 {
		t.Tiebreaks = a.Tiebreaks
	}
	err := errors.Join(
		form.Word(a.Format, &t.Format, tournament.ParseFormat), form.Word(a.Pace, &t.Pace, tournament.ParsePace),
		form.Word(a.Claims, &t.Claims, match.ParseClaims),
		form.Word(a.Numbering, &t.Numbering, tournament.ParseNumbering), form.Word(a.Acceleration, &t.Acceleration, tournament.ParseAcceleration),
		form.Word(a.Leave, &t.Leave, tournament.ParseLeaving), form.Word(a.Expulsion, &t.Expulsion, tournament.ParseLeaving),
		form.Word(a.CheckIn.Scope, &t.CheckIn.Scope, tournament.ParseCheckInScope), a.Points.into(&t.Points))
	if t.Format != tournament.Swiss {
		t.Rounds = tournament.DefaultSettings(t.Format).Rounds // they follow from the number of players, or there is one
	}
	return t, page.SettingsFault(err)
}

func (a apiEntryRules) rules() tournament.EntryRules {
	e := tournament.EntryRules{
		Opens: a.Opens.UTC(), Closes: a.Closes.UTC(), Code: a.Code, Approval: a.Approval, LateUntil: a.LateUntil,
		ByeLimit: a.ByeLimit, HalfByes: a.HalfByes, HalfUntil: a.HalfUntil,
		Conditions: tournament.Conditions{MinRating: a.MinRating, MaxRating: a.MaxRating, MinGames: a.MinGames, MinAgeDays: a.MinAgeDays},
	}
	if len(a.List) > 0 {
		e.Conditions.List = a.List
	}
	if a.LateHalfBye {
		e.LateBye = tournament.HalfBye
	}
	return e
}

// into reads the points as tenths; what is finer is refused.
func (a apiPoints) into(p *tournament.PointSystem) error {
	for _, x := range []struct {
		points float64
		tenths *tournament.Score
	}{
		{a.Win, &p.Win}, {a.Draw, &p.Draw}, {a.Loss, &p.Loss}, {a.ForfeitWin, &p.ForfeitWin}, {a.ForfeitLoss, &p.ForfeitLoss},
		{a.FullBye, &p.FullBye}, {a.HalfBye, &p.HalfBye}, {a.ZeroBye, &p.ZeroBye}, {a.PairingBye, &p.PairBye},
	} {
		tenths := math.Round(x.points * 10)
		if math.Abs(x.points*10-tenths) > 1e-6 || math.Abs(tenths) > 1000 {
			return errors.New("points are whole tenths, such as 0.5")
		}
		*x.tenths = tournament.Score(tenths)
	}
	return nil
}

// readSettings are the settings of a body; what is missing has the default of
// its format, as in the form.
func readSettings(c echo.Context) (tournament.Settings, error) {
	var raw json.RawMessage
	if err := page.ReadJSON(c, &raw, false); err != nil {
		return tournament.Settings{}, err
	}
	var named struct{ Format string }
	if err := json.Unmarshal(raw, &named); err != nil {
		return tournament.Settings{}, page.BodyFault(err)
	}
	format, err := tournament.ParseFormat(named.Format)
	if err != nil {
		format = tournament.RoundRobin // and the rest is looked at as well
	}
	usual := tournament.DefaultSettings(format)
	usual.Envelope = form.EnvelopeNamed("evening") // as the form has it: a round of an evening, not of days
	in := apiSettingsOf(usual)
	if err := page.ParseJSON(raw, &in); err != nil {
		return tournament.Settings{}, err
	}
	return in.settings()
}

func (s api) apiCreateTournament(c echo.Context) error {
	settings, err := readSettings(c)
	if err != nil {
		return err
	}
	id, err := s.Arbiter.Events.Create(c.Request().Context(), page.Viewer(c), settings, true)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]tournament.ID{"id": id})
}

// apiSettings is what was decided about a tournament; the code of entry is for
// those who direct it.
func (s api) apiSettings(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	out := apiSettingsOf(t.Settings)
	if !t.May(page.Viewer(c), tournament.ActSettings) {
		out.Entry.Code, out.Entry.List = "", []player.Handle{}
	}
	return c.JSON(http.StatusOK, out)
}

// apiChangeTournament replaces all settings, before the start.
func (s api) apiChangeTournament(c echo.Context) error {
	settings, err := readSettings(c)
	if err != nil {
		return err
	}
	if err := s.Arbiter.Events.Change(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), settings); err != nil {
		return err
	}
	return s.apiSettings(c)
}

// apiSetPolicy changes what matches demand from the next round on.
func (s api) apiSetPolicy(c echo.Context) error {
	var in form.APIPolicy
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.Arbiter.Events.SetPolicy(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), in.Policy); err != nil {
		return err
	}
	return s.apiSettings(c)
}
