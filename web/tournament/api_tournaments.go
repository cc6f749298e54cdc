package tournament

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) apiTournamentRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments", s.apiTournaments, page.Anyone),
		page.Post("/tournaments", s.apiCreateTournament, page.SignedIn),
		page.Get("/tournaments/:id", s.apiTournament, page.Anyone),
		page.Put("/tournaments/:id", s.apiChangeTournament, page.SignedIn),
		page.Get("/tournaments/:id/settings", s.apiSettings, page.Anyone),
		page.Put("/tournaments/:id/policy", s.apiSetPolicy, page.SignedIn),
		page.Post("/tournaments/:id/entries", s.apiEnter, page.SignedIn),
		page.Delete("/tournaments/:id/entries/:handle", s.apiWithdraw, page.SignedIn),
		page.Post("/tournaments/:id/start", s.apiStart, page.SignedIn),
		page.Post("/tournaments/:id/finish", s.apiFinish, page.SignedIn),
		page.Post("/tournaments/:id/rounds", s.apiOpenRound, page.SignedIn),
	}
}

type (
	apiTournamentView struct {
		ID        tournament.ID    `json:"id"`
		Name      string           `json:"name"`
		Format    string           `json:"format"`
		Status    string           `json:"status"`
		Level     string           `json:"level"`           // demanded from the next round on
		Stuck     string           `json:"stuck,omitempty"` // why the next round cannot be paired; for staff
		Entries   []apiEntry       `json:"entries"`
		Rounds    []page.APIRound  `json:"rounds"`
		Standings []apiStanding    `json:"standings"`
		OwnActs   []apiOwnAct      `json:"ownActs,omitempty"` // of staff who play, that touched their own place
		Bracket   []apiContest     `json:"bracket,omitempty"`
		Qualified []apiQualifier   `json:"qualified,omitempty"` // of a later stage, by seed
		Prizes    *words.APIPrizes `json:"prizes,omitempty"`
	}
	apiOwnAct struct {
		Seq    int64          `json:"seq"` // line of the log
		Player string         `json:"player"`
		Act    tournament.Act `json:"act"`
		At     time.Time      `json:"at"`
		Was    int            `json:"was,omitempty"` // their place before; absent: none
		Is     int            `json:"is,omitempty"`  // and after
	}
	apiEntry struct {
		Entry  tournament.EntryID `json:"entry"`
		Player string             `json:"player"`
		Status string             `json:"status"`
		Bot    bool               `json:"bot"`
		// FixedBoard is for staff: the board of a player who always sits there.
		FixedBoard   int  `json:"fixedBoard,omitempty"`
		OverTheBoard bool `json:"overTheBoard,omitempty"`
	}
	// apiQualifier says from which place of which tournament a player comes.
	apiQualifier struct {
		Player string        `json:"player"`
		From   tournament.ID `json:"from"`
		Place  int           `json:"place"`
		ByLot  bool          `json:"byLot,omitempty"`
		Score  float64       `json:"score,omitempty"` // carried over
	}
	// apiContest is a contest of a bracket; a player who is not known yet is empty.
	apiContest struct {
		Round   int       `json:"round"`
		Part    string    `json:"part"`             // main, places, consolation, lower, grand-final, reset
		Places  []int     `json:"places,omitempty"` // first and last place that its part decides
		Players [2]string `json:"players"`
		Winner  string    `json:"winner"`
		By      string    `json:"by"` // contest.By; empty: not decided
	}
	apiStanding struct {
		Rank      int                 `json:"rank"`
		Player    string              `json:"player"`
		Bot       bool                `json:"bot"`
		Score     float64             `json:"score"`
		Tiebreaks map[string]*float64 `json:"tiebreaks"`
		Arena     *apiSheet           `json:"arena,omitempty"`
	}
	// apiSheet is what an arena score is made of.
	apiSheet struct {
		Wins        int   `json:"wins"`
		Matches     int   `json:"matches"`
		Performance *int  `json:"performance"`
		Points      []int `json:"points"` // of the finished matches, in order
	}
)

func (s api) apiTournaments(c echo.Context) error {
	type line struct {
		ID     tournament.ID `json:"id"`
		Name   string        `json:"name"`
		Format string        `json:"format"`
		Status string        `json:"status"`
	}
	rows := []line{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, _, err := tx.Tournaments(store.TournamentQuery{Limit: 200, Drafts: page.Viewer(c).ID, AllDrafts: page.Viewer(c).MayOperate()})
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

func (s api) apiTournament(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	v, err := s.apiTournamentOf(c, t)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, v)
}

func (s api) apiTournamentOf(c echo.Context, t *tournament.Tournament) (apiTournamentView, error) {
	v := apiTournamentView{
		ID: t.ID, Name: t.Name, Format: t.Format.String(), Status: t.Status.String(), Level: t.Policy.OrOpen().Level.String(),
		Entries: []apiEntry{}, Rounds: []page.APIRound{}, Standings: []apiStanding{},
	}
	for _, n := range t.Interests {
		e, _ := t.Entry(n.Entry)
		v.OwnActs = append(v.OwnActs, apiOwnAct{Seq: n.Seq, Player: e.Name, Act: n.Act, At: n.At, Was: n.Was, Is: n.Is})
	}
	heads, err := s.HeadsOf(c.Request().Context(), t)
	if err != nil {
		return v, err
	}
	names, err := s.Rulers(c, t)
	if err != nil {
		return v, err
	}
	isStaff := t.May(page.Viewer(c), tournament.ActDesk)
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
		v.Rounds = append(v.Rounds, page.APIRoundOf(t, r, heads, names))
	}
	table, err := format.Standings(t, -1)
	if err != nil {
		return v, err
	}
	for _, l := range table.Lines {
		line := apiStanding{Rank: l.Rank, Player: l.Entry.Name, Bot: l.Entry.Bot, Score: float64(l.Score) / 10, Tiebreaks: map[string]*float64{}}
		if !t.Format.InRounds() {
			line.Arena = apiSheetOf(l.Sheet)
		}
		for i, value := range l.Values {
			line.Tiebreaks[t.Tiebreaks[i]] = nil
			if value.Defined {
				f := value.Float()
				line.Tiebreaks[t.Tiebreaks[i]] = &f
			}
		}
		v.Standings = append(v.Standings, line)
	}
	v.Bracket, v.Qualified = apiBracket(t), apiQualified(t)
	if !t.Prizes.IsZero() {
		v.Prizes, err = words.APIPrizesOf(t)
	}
	return v, err
}

func apiSheetOf(l arena.Line) *apiSheet {
	return &apiSheet{Wins: l.Wins, Matches: l.Games, Performance: page.Optional(l.Performance), Points: l.Finished()}
}

// apiBracket returns the bracket of a started knock-out.
func apiBracket(t *tournament.Tournament) (list []apiContest) {
	if !t.Format.HasBracket() || t.Status < tournament.Running {
		return nil
	}
	names := map[int]string{}
	for _, e := range t.Entries {
		if e.Number != 0 { // the others are not in the bracket
			names[e.Number] = e.Name
		}
	}
	for _, s := range t.Bracket(len(t.Rounds)).States {
		x := apiContest{Round: s.Level, Part: s.Part.String(), Players: [2]string{names[s.Sides[0]], names[s.Sides[1]]},
			Winner: names[s.Winner], By: s.By.String()}
		if s.Places[0] > 0 {
			x.Places = s.Places[:]
		}
		list = append(list, x)
	}
	return list
}

// apiQualified lists the players of a later stage by seed.
func apiQualified(t *tournament.Tournament) (list []apiQualifier) {
	if t.Origin == nil {
		return nil
	}
	for _, q := range t.Origin.Seeds {
		e, _ := t.Entry(q.Own) // all who have qualified have an entry
		list = append(list, apiQualifier{Player: e.Name, From: t.Origin.Of[q.Of].ID, Place: q.Place, ByLot: q.ByLot,
			Score: float64(q.Score) / 10})
	}
	return list
}

func apiEntryOf(e tournament.Entry) apiEntry {
	return apiEntry{Entry: e.ID, Player: e.Name, Status: e.Status.String(), Bot: e.Bot, OverTheBoard: e.OverTheBoard}
}

func (s api) apiWithdraw(c echo.Context) error {
	return page.NoContent(c, s.Arbiter.Entries.WithdrawPlayer(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		c.Param("handle")))
}

func (s api) apiStart(c echo.Context) error {
	if err := s.Arbiter.Rounds.Start(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))); err != nil {
		return err
	}
	return s.apiTournament(c)
}

// apiFinish ends an event before its last round.
func (s api) apiFinish(c echo.Context) error {
	if err := s.Arbiter.Rounds.Finish(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))); err != nil {
		return err
	}
	return s.apiTournament(c)
}

func (s api) apiOpenRound(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Rounds.Open(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.APILastRound(c, id)
}
