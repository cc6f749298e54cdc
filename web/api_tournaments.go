package web

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

func (s *Server) apiTournamentRoutes() []route {
	return []route{
		{get, "/tournaments", s.apiTournaments, anyone},
		{post, "/tournaments", s.apiCreateTournament, signedIn},
		{get, "/tournaments/:id", s.apiTournament, anyone},
		{http.MethodPut, "/tournaments/:id", s.apiChangeTournament, signedIn},
		{get, "/tournaments/:id/settings", s.apiSettings, anyone},
		{http.MethodPut, "/tournaments/:id/policy", s.apiSetPolicy, signedIn},
		{post, "/tournaments/:id/entries", s.apiEnter, signedIn},
		{http.MethodDelete, "/tournaments/:id/entries/:handle", s.apiWithdraw, signedIn},
		{post, "/tournaments/:id/start", s.apiStart, signedIn},
		{post, "/tournaments/:id/rounds", s.apiOpenRound, signedIn},
	}
}

type (
	apiTournamentView struct {
		ID        tournament.ID `json:"id"`
		Name      string        `json:"name"`
		Format    string        `json:"format"`
		Status    string        `json:"status"`
		Level     string        `json:"level"`           // that the next round demands
		Stuck     string        `json:"stuck,omitempty"` // why the next round cannot be paired; for staff
		Entries   []apiEntry    `json:"entries"`
		Rounds    []apiRound    `json:"rounds"`
		Standings []apiStanding `json:"standings"`
		Prizes    *apiPrizes    `json:"prizes,omitempty"`
	}
	apiEntry struct {
		Player string `json:"player"`
		Status string `json:"status"`
		Bot    bool   `json:"bot"`
		// FixedBoard is for staff: where somebody sits who cannot move about.
		FixedBoard int `json:"fixedBoard,omitempty"`
	}
	apiRound struct {
		Round    int          `json:"round"`
		Pairings []apiPairing `json:"pairings"`
		Byes     []string     `json:"byes"`
	}
	apiRuled struct {
		By     *string   `json:"by"`
		At     time.Time `json:"at"`
		Why    *string   `json:"why"`
		Party  bool      `json:"party"`
		Before *string   `json:"before"`
		Rated  *string   `json:"rated"`
	}
	apiPairing struct {
		Board     int       `json:"board"`
		First     string    `json:"first"`
		Second    string    `json:"second"`
		Bots      [2]bool   `json:"bots"`
		Match     *match.ID `json:"match"`
		Result    *string   `json:"result"`
		Forfeit   bool      `json:"forfeit"`
		Ruled     *apiRuled `json:"ruled,omitempty"` // the result is not the match's own
		Assurance *apiWorth `json:"assurance"`
	}
	// apiWorth is what a match demands, and once it is over what it achieved.
	apiWorth struct {
		Demanded fairplay.Assurance  `json:"demanded"`
		Achieved *fairplay.Assurance `json:"achieved"`
	}
	apiStanding struct {
		Rank      int                 `json:"rank"`
		Player    string              `json:"player"`
		Bot       bool                `json:"bot"`
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
	v, err := s.apiTournamentOf(c, t)
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

// headsOf are the matches of a tournament.
func (s *Server) headsOf(ctx context.Context, t *tournament.Tournament) (heads map[match.ID]store.Head, err error) {
	err = s.store.Read(ctx, func(tx *store.Tx) error {
		heads, err = tx.Matches(t.Matches())
		return err
	})
	return heads, err
}

func (s *Server) apiTournamentOf(c echo.Context, t *tournament.Tournament) (apiTournamentView, error) {
	v := apiTournamentView{
		ID: t.ID, Name: t.Name, Format: t.Format.String(), Status: t.Status.String(), Level: t.Policy.OrOpen().Level.String(),
		Entries: []apiEntry{}, Rounds: []apiRound{}, Standings: []apiStanding{},
	}
	heads, err := s.headsOf(c.Request().Context(), t)
	if err != nil {
		return v, err
	}
	names, err := s.rulers(c, t)
	if err != nil {
		return v, err
	}
	isStaff := t.May(viewer(c), tournament.ActDesk)
	if isStaff {
		v.Stuck = t.Stuck
	}
	for _, e := range t.Entries {
		if e.IsPrivate() {
			continue
		}
		entry := apiEntryOf(e)
		if isStaff {
			entry.FixedBoard = e.FixedBoard
		}
		v.Entries = append(v.Entries, entry)
	}
	for _, r := range t.Rounds {
		v.Rounds = append(v.Rounds, apiRoundOf(t, r, heads, names))
	}
	table, err := arbiter.Standings(t, -1)
	if err != nil {
		return v, err
	}
	for _, l := range table.Lines {
		line := apiStanding{Rank: l.Rank, Player: l.Entry.Name, Bot: l.Entry.Bot, Score: float64(l.Score) / 10, Tiebreaks: map[string]*float64{}}
		for i, value := range l.Values {
			line.Tiebreaks[t.Tiebreaks[i]] = nil
			if value.Defined {
				f := value.Float()
				line.Tiebreaks[t.Tiebreaks[i]] = &f
			}
		}
		v.Standings = append(v.Standings, line)
	}
	if !t.Prizes.IsZero() {
		v.Prizes, err = apiPrizesOf(t)
	}
	return v, err
}

func apiEntryOf(e tournament.Entry) apiEntry {
	return apiEntry{Player: e.Name, Status: e.Status.String(), Bot: e.Bot}
}

// apiLastRound answers with the round that was opened last.
func (s *Server) apiLastRound(c echo.Context, id tournament.ID) error {
	t, err := s.readTournament(c.Request().Context(), id)
	if err != nil {
		return err
	}
	heads, err := s.headsOf(c.Request().Context(), t)
	if err != nil {
		return err
	}
	names, err := s.rulers(c, t)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, apiRoundOf(t, t.Rounds[len(t.Rounds)-1], heads, names))
}

func apiWorthOf(h store.Head) *apiWorth {
	if h.Level == 0 {
		return nil
	}
	return &apiWorth{h.Level, optional(h.Achieved)}
}

func apiRoundOf(t *tournament.Tournament, r tournament.Round, heads map[match.ID]store.Head, names map[player.ID]string) apiRound {
	entry := func(id tournament.EntryID) tournament.Entry {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		return e
	}
	out := apiRound{Round: r.Number, Pairings: []apiPairing{}, Byes: []string{}}
	for _, p := range r.Pairings {
		first, second := entry(p.First), entry(p.Second)
		row := apiPairing{
			Board: p.Board, First: first.Name, Second: second.Name, Bots: [2]bool{first.Bot, second.Bot}, Result: apiResultOf(p.Result.Kind),
			Assurance: apiWorthOf(heads[p.Match]),
		}
		if t.IsRuled(p) {
			row.Ruled = &apiRuled{
				By: optional(names[p.Result.By]), At: p.Result.At, Why: optional(p.Result.Why), Party: t.IsOwn(p),
				Before: apiResultOf(max(p.Result.Stood, p.Result.Was)), Rated: apiResultOf(p.Result.Rated),
			}
		}
		row.Forfeit = !p.Result.IsPending() && !p.Result.IsPlayed()
		if p.Match != "" {
			row.Match = &p.Match
		}
		out.Pairings = append(out.Pairings, row)
	}
	for _, b := range r.Byes {
		out.Byes = append(out.Byes, entry(b.Entry).Name)
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
	return s.apiLastRound(c, id)
}
