package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

func (s *Server) apiTournamentRoutes() []route {
	return []route{
		{get, "/tournaments", s.apiTournaments, anyone},
		{post, "/tournaments", s.apiCreateTournament, signedIn},
		{get, "/tournaments/:id", s.apiTournament, anyone},
		{post, "/tournaments/:id/entries", s.apiEnter, signedIn},
		{http.MethodDelete, "/tournaments/:id/entries/:handle", s.apiWithdraw, signedIn},
		{post, "/tournaments/:id/start", s.apiStart, signedIn},
		{post, "/tournaments/:id/rounds", s.apiOpenRound, signedIn},
	}
}

// apiSettings is a tournament as a program describes it; what is missing has
// the default of its format.
type apiSettings struct {
	Name         string            `json:"name"`
	Format       string            `json:"format"`
	Club         string            `json:"club"`
	About        string            `json:"about"`
	Double       bool              `json:"double"`
	Rounds       *int              `json:"rounds"`
	Pace         *string           `json:"pace"`
	Break        *string           `json:"break"`
	Times        []time.Time       `json:"times"`
	Lateness     *string           `json:"lateness"`
	Claims       *string           `json:"claims"`
	Tiebreaks    []string          `json:"tiebreaks"`
	Numbering    *string           `json:"numbering"`
	Acceleration *string           `json:"acceleration"`
	Capacity     int               `json:"capacity"`
	Rated        *bool             `json:"rated"`
	Handicap     bool              `json:"handicap"`
	Review       bool              `json:"review"`
	Leave        *string           `json:"leave"`
	Expulsion    *string           `json:"expulsion"`
	CallStops    bool              `json:"callStops"`
	Envelope     *bidding.Envelope `json:"envelope"`
}

// settings are nil-safe: words that mean nothing are named, all at once.
func (a apiSettings) settings() (tournament.Settings, error) {
	var faults []error
	format, err := tournament.ParseFormat(a.Format)
	if err != nil {
		faults = append(faults, err)
		format = tournament.RoundRobin
	}
	t := tournament.DefaultSettings(format)
	t.Name, t.Club, t.About, t.Double, t.Capacity, t.Times, t.CallStops = a.Name, a.Club, a.About, a.Double, a.Capacity, a.Times, a.CallStops
	if a.Rounds != nil && format == tournament.Swiss {
		t.Rounds = *a.Rounds
	}
	if a.Tiebreaks != nil {
		t.Tiebreaks = a.Tiebreaks
	}
	t.Review, t.Handicap = a.Review, a.Handicap
	if a.Rated != nil {
		t.Rated = *a.Rated
	}
	if a.Envelope != nil {
		t.Envelope = *a.Envelope
	}
	faults = append(faults,
		word(a.Pace, &t.Pace, tournament.ParsePace), word(a.Claims, &t.Claims, match.ParseClaims),
		word(a.Numbering, &t.Numbering, tournament.ParseNumbering), word(a.Acceleration, &t.Acceleration, tournament.ParseAcceleration),
		word(a.Leave, &t.Leave, tournament.ParseLeaving), word(a.Expulsion, &t.Expulsion, tournament.ParseLeaving),
		word(a.Lateness, &t.Lateness, time.ParseDuration), word(a.Break, &t.Break, time.ParseDuration))
	if err := errors.Join(faults...); err != nil {
		return t, &apiError{http.StatusUnprocessableEntity, "settings", err.Error()}
	}
	return t, nil
}

// word reads an optional text into a setting.
func word[T any](text *string, into *T, parse func(string) (T, error)) error {
	if text == nil {
		return nil
	}
	v, err := parse(*text)
	if err == nil {
		*into = v
	}
	return err
}

func (s *Server) apiCreateTournament(c echo.Context) error {
	var in apiSettings
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	settings, err := in.settings()
	if err != nil {
		return err
	}
	id, err := s.arbiter.Create(c.Request().Context(), viewer(c), settings, true)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]tournament.ID{"id": id})
}

type (
	apiTournamentView struct {
		ID        tournament.ID `json:"id"`
		Name      string        `json:"name"`
		Format    string        `json:"format"`
		Status    string        `json:"status"`
		Stuck     string        `json:"stuck,omitempty"` // why the next round cannot be paired; for staff
		Entries   []apiEntry    `json:"entries"`
		Rounds    []apiRound    `json:"rounds"`
		Standings []apiStanding `json:"standings"`
	}
	apiEntry struct {
		Player string `json:"player"`
		Status string `json:"status"`
	}
	apiRound struct {
		Round    int          `json:"round"`
		Pairings []apiPairing `json:"pairings"`
		Byes     []string     `json:"byes"`
	}
	apiPairing struct {
		Board   int       `json:"board"`
		First   string    `json:"first"`
		Second  string    `json:"second"`
		Match   *match.ID `json:"match"`
		Result  *string   `json:"result"`
		Forfeit bool      `json:"forfeit"`
	}
	apiStanding struct {
		Rank      int                 `json:"rank"`
		Player    string              `json:"player"`
		Score     float64             `json:"score"`
		Tiebreaks map[string]*float64 `json:"tiebreaks"`
	}
)

func (s *Server) apiTournaments(c echo.Context) error {
	type line struct {
		ID     tournament.ID `json:"id"`
		Name   string        `json:"name"`
		Format string        `json:"format"`
		Status string        `json:"status"`
	}
	rows := []line{}
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, _, err := tx.Tournaments(store.TournamentQuery{Limit: 200, Drafts: viewer(c).ID, AllDrafts: viewer(c).MayOperate()})
		for _, t := range list {
			rows = append(rows, line{t.ID, t.Name, t.Format.String(), t.Status.String()})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]line{"tournaments": rows})
}

func (s *Server) apiTournament(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	v, err := apiTournamentOf(t, viewer(c))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, v)
}

// seenTournament is the tournament of the address, if the viewer may see it.
func (s *Server) seenTournament(c echo.Context) (*tournament.Tournament, error) {
	t, err := s.readTournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return nil, err
	}
	if !t.MaySee(viewer(c)) {
		return nil, store.ErrNotFound
	}
	return t, nil
}

func (s *Server) readTournament(ctx context.Context, id tournament.ID) (t *tournament.Tournament, err error) {
	err = s.store.Read(ctx, func(tx *store.Tx) error {
		t, err = tx.Tournament(id)
		return err
	})
	return t, err
}

func apiTournamentOf(t *tournament.Tournament, by player.Viewer) (apiTournamentView, error) {
	v := apiTournamentView{
		ID: t.ID, Name: t.Name, Format: t.Format.String(), Status: t.Status.String(),
		Entries: []apiEntry{}, Rounds: []apiRound{}, Standings: []apiStanding{},
	}
	if t.May(by, tournament.ActDesk) {
		v.Stuck = t.Stuck
	}
	for _, e := range t.Entries {
		if !e.IsPrivate() {
			v.Entries = append(v.Entries, apiEntry{e.Name, e.Status.String()})
		}
	}
	for _, r := range t.Rounds {
		v.Rounds = append(v.Rounds, apiRoundOf(t, r))
	}
	table, err := arbiter.Standings(t, -1)
	if err != nil {
		return v, err
	}
	for _, l := range table.Lines {
		line := apiStanding{Rank: l.Rank, Player: l.Entry.Name, Score: float64(l.Score) / 10, Tiebreaks: map[string]*float64{}}
		for i, value := range l.Values {
			line.Tiebreaks[t.Tiebreaks[i]] = nil
			if value.Defined {
				f := value.Float()
				line.Tiebreaks[t.Tiebreaks[i]] = &f
			}
		}
		v.Standings = append(v.Standings, line)
	}
	return v, nil
}

func apiRoundOf(t *tournament.Tournament, r tournament.Round) apiRound {
	name := func(id tournament.EntryID) string {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		return e.Name
	}
	out := apiRound{Round: r.Number, Pairings: []apiPairing{}, Byes: []string{}}
	for _, p := range r.Pairings {
		row := apiPairing{Board: p.Board, First: name(p.First), Second: name(p.Second), Result: apiResultOf(p.Result.Kind)}
		row.Forfeit = !p.Result.IsPending() && !p.Result.IsPlayed()
		if p.Match != "" {
			row.Match = &p.Match
		}
		out.Pairings = append(out.Pairings, row)
	}
	for _, b := range r.Byes {
		out.Byes = append(out.Byes, name(b.Entry))
	}
	return out
}

// apiResultOf is a result as the API writes it: forfeits too by who got the point.
func apiResultOf(k tournament.ResultKind) *string {
	text := k.String()
	switch k {
	case tournament.Pending:
		return nil
	case tournament.FirstByForfeit:
		text = tournament.FirstWins.String()
	case tournament.SecondByForfeit:
		text = tournament.SecondWins.String()
	case tournament.DoubleForfeit:
		text = "0-0"
	}
	return &text
}

func (s *Server) apiWithdraw(c echo.Context) error {
	if err := s.arbiter.WithdrawPlayer(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), c.Param("handle")); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) apiStart(c echo.Context) error {
	if err := s.arbiter.Start(c.Request().Context(), viewer(c), tournament.ID(c.Param("id"))); err != nil {
		return err
	}
	return s.apiTournament(c)
}

func (s *Server) apiOpenRound(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.arbiter.OpenRound(c.Request().Context(), viewer(c), id); err != nil {
		return err
	}
	t, err := s.readTournament(c.Request().Context(), id)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, apiRoundOf(t, t.Rounds[len(t.Rounds)-1]))
}
