package tournament

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

type (
	// apiSettings is a tournament.Settings in words, as programs write and read it.
	apiSettings struct {
		Name          string           `json:"name"`
		Format        string           `json:"format"`
		Club          string           `json:"club"`
		About         string           `json:"about"`
		ClubID        club.ID          `json:"clubId"`
		MembersOnly   bool             `json:"membersOnly"`
		OpponentID    club.ID          `json:"opponentId"`
		Boards        int              `json:"boards"`
		LineUpsBy     time.Time        `json:"lineUpsBy,omitzero"`
		Double        bool             `json:"double"`
		Rounds        int              `json:"rounds"`
		Tie           []contest.Step   `json:"tie,omitempty"` // knock-out: points, pair, seed
		Third         bool             `json:"third,omitempty"`
		Pace          string           `json:"pace"`
		Break         form.APIDuration `json:"break"`
		Times         []time.Time      `json:"times"`
		Lateness      form.APIDuration `json:"lateness"`
		OnClaim       bool             `json:"onClaim"`
		Until         time.Time        `json:"until,omitzero"`
		Firm          bool             `json:"firm"`
		CheckIn       apiCheckIn       `json:"checkIn"`
		HonourNoShows bool             `json:"honourNoShows"`
		Claims        string           `json:"claims"`
		CallStops     bool             `json:"callStops"`
		Envelope      bidding.Envelope `json:"envelope"`
		Points        apiPoints        `json:"points"`
		Tiebreaks     []string         `json:"tiebreaks"`
		Numbering     string           `json:"numbering"`
		Acceleration  string           `json:"acceleration"`
		Capacity      int              `json:"capacity"`
		Rated         bool             `json:"rated"`
		Handicap      bool             `json:"handicap"`
		Review        bool             `json:"review"`
		Leave         string           `json:"leave"`
		Expulsion     string           `json:"expulsion"`
		Entry         apiEntryRules    `json:"entry"`
		Policy        form.APIPolicy   `json:"policy"`
		Prizes        prize.Fund       `json:"prizes"`
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
		Name: s.Name, Format: s.Format.String(), Club: s.Club, About: s.About, ClubID: s.ClubID, MembersOnly: s.MembersOnly,
		OpponentID: s.OpponentID, Boards: s.Boards, LineUpsBy: s.LineUpsBy, Double: s.Double, Rounds: s.Rounds,
		Tie: s.Tie, Third: s.Third,
		Pace: s.Pace.String(), Break: form.APIDuration(s.Break), Times: append([]time.Time{}, s.Times...),
		Lateness: form.APIDuration(s.Lateness), OnClaim: s.OnClaim,
		Until: s.Until, Firm: s.Firm, HonourNoShows: s.HonourNoShows, Claims: s.Claims.String(), CallStops: s.CallStops, Envelope: s.Envelope,
		CheckIn: apiCheckIn{s.CheckIn.Scope.String(), form.APIDuration(s.CheckIn.Opens), form.APIDuration(s.CheckIn.Closes), s.CheckIn.Misses},
		Points: apiPoints{points(p.Win), points(p.Draw), points(p.Loss), points(p.ForfeitWin), points(p.ForfeitLoss), points(p.FullBye),
			points(p.HalfBye), points(p.ZeroBye), points(p.PairBye)},
		Tiebreaks: append([]string{}, s.Tiebreaks...), Numbering: s.Numbering.String(), Acceleration: s.Acceleration.String(),
		Capacity: s.Capacity,
		Rated:    s.Rated, Handicap: s.Handicap, Review: s.Review, Leave: s.Leave.String(), Expulsion: s.Expulsion.String(),
		Policy: form.APIPolicy{Policy: s.Policy.OrOpen()}, Prizes: s.Prizes,
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
	t := tournament.Settings{
		Name: a.Name, Club: a.Club, About: a.About, ClubID: a.ClubID, MembersOnly: a.MembersOnly, OpponentID: a.OpponentID, Boards: a.Boards,
		LineUpsBy: a.LineUpsBy.UTC(), Double: a.Double, Rounds: a.Rounds, Tie: a.Tie, Third: a.Third,
		Break: time.Duration(a.Break), Lateness: time.Duration(a.Lateness),
		OnClaim: a.OnClaim,
		Until:   a.Until.UTC(), Firm: a.Firm, HonourNoShows: a.HonourNoShows, CallStops: a.CallStops, Envelope: a.Envelope, Capacity: a.Capacity,
		Rated: a.Rated, Handicap: a.Handicap, Review: a.Review, Policy: a.Policy.OrOpen(), Entry: a.Entry.rules(), Prizes: a.Prizes,
		CheckIn: tournament.CheckIn{Opens: time.Duration(a.CheckIn.Opens), Closes: time.Duration(a.CheckIn.Closes), Misses: a.CheckIn.Misses},
	}
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
		t.Rounds = 0 // they follow from the number of players
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
