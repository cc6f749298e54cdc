package event

import (
	"context"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/page"
)

// TournamentPath names a tournament in the address of an operation.
type TournamentPath struct {
	ID tournament.ID `path:"id" doc:"the tournament"`
}

// EntryPath names an entry.
type EntryPath struct {
	TournamentPath
	Entry tournament.EntryID `path:"entry" doc:"the entry, as lists of the tournament number it" min:"1"`
}

// deed is the handler of an act on a tournament that takes nothing but its address.
type deed = func(context.Context, player.Viewer, TournamentPath) error

// ByDesk, ByEntries, ByEvents and ByRounds return the handlers of deeds of the arbiter's offices.
func (s Frame) ByDesk(do func(*desk.Office, context.Context, player.Viewer, tournament.ID) error) deed {
	return func(ctx context.Context, by player.Viewer, in TournamentPath) error {
		return do(s.Arbiter.Desk, ctx, by, in.ID)
	}
}

// ByEntries is like ByDesk.
func (s Frame) ByEntries(do func(*entries.Office, context.Context, player.Viewer, tournament.ID) error) deed {
	return func(ctx context.Context, by player.Viewer, in TournamentPath) error {
		return do(s.Arbiter.Entries, ctx, by, in.ID)
	}
}

// ByEvents is like ByDesk.
func (s Frame) ByEvents(do func(*events.Office, context.Context, player.Viewer, tournament.ID) error) deed {
	return func(ctx context.Context, by player.Viewer, in TournamentPath) error {
		return do(s.Arbiter.Events, ctx, by, in.ID)
	}
}

// ByRounds is like ByDesk.
func (s Frame) ByRounds(do func(*rounds.Office, context.Context, player.Viewer, tournament.ID) error) deed {
	return func(ctx context.Context, by player.Viewer, in TournamentPath) error {
		return do(s.Arbiter.Rounds, ctx, by, in.ID)
	}
}

// APIArrival is a tournament that was brought from elsewhere.
type APIArrival struct {
	ID      *tournament.ID `json:"id" doc:"address of the tournament; null: it was only previewed"`
	Name    string         `json:"name" doc:"its name" example:"Friday cup"`
	Status  string         `json:"status" doc:"where it stands" example:"running"`
	Entries int            `json:"entries" doc:"how many players" example:"12"`
	Rounds  int            `json:"rounds" doc:"how many were opened" example:"2"`
	Open    int            `json:"open" doc:"boards without a result" example:"0"`
}

// APIArrivalOf returns a tournament as it was brought, or would be.
func APIArrivalOf(t *tournament.Tournament, isPreview bool) APIArrival {
	v := APIArrival{Name: t.Name, Status: t.Status.String(), Entries: len(t.Players()), Rounds: len(t.Rounds)}
	if !isPreview {
		v.ID = &t.ID
	}
	for range t.Rounds.Pending() {
		v.Open++
	}
	return v
}

// HeadsOf returns the matches of a tournament.
func (s Frame) HeadsOf(ctx context.Context, t *tournament.Tournament) (map[match.ID]store.Head, error) {
	return store.Get(ctx, s.Store, func(tx *store.Tx) (map[match.ID]store.Head, error) { return tx.Matches(t.Matches()) })
}

// APIFacts returns what rounds of a tournament are shown with.
func (s Frame) APIFacts(c echo.Context, t *tournament.Tournament) (f page.Facts, err error) {
	if f.Heads, err = s.HeadsOf(c.Request().Context(), t); err != nil {
		return f, err
	}
	if f.Rulers, err = s.Rulers(c, t); err != nil {
		return f, err
	}
	f.Who, err = s.Who(c, t)
	return f, err
}

// Who returns the accounts that play in a tournament or act for its teams.
func (s Frame) Who(c echo.Context, t *tournament.Tournament) (map[player.ID]player.Player, error) {
	var ids []player.ID
	for _, e := range t.Entries {
		if e.Player != "" {
			ids = append(ids, e.Player)
		}
		ids = append(ids, e.Captains...)
	}
	return store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) { return tx.Players(ids...) })
}

// APIRound returns a round; 0: the last.
func (s Frame) APIRound(c echo.Context, id tournament.ID, n int) (out page.APIRound, err error) {
	t, err := s.Arbiter.Tournament(c.Request().Context(), id)
	if err != nil {
		return out, err
	}
	with, err := s.APIFacts(c, t)
	if err != nil {
		return out, err
	}
	if n == 0 {
		n = len(t.Rounds)
	}
	return page.APIRoundOf(t, t.Rounds[n-1], with), nil
}

type (
	// APIStanding is a line of the table.
	APIStanding struct {
		Rank      int           `json:"rank" doc:"from 1" example:"1"`
		Player    page.APISide  `json:"player" doc:"who"`
		Score     float64       `json:"score" doc:"in points; of teams in match points, or in game points where these come first" example:"2.5"`
		Other     *float64      `json:"other,omitempty" doc:"of teams: game points, or match points where game points come first" csv:"-" example:"9.5"`
		Tiebreaks []apiTiebreak `json:"tiebreaks" doc:"in the order in which they count" csv:"-"`
		Arena     *apiSheet     `json:"arena,omitempty" doc:"of an arena: what the score is made of" csv:"-"`

		columns, figures []string // of the format: format.Table.Columns
	}
	apiTiebreak struct {
		Code  string   `json:"code" doc:"as the settings of the tournament name it" example:"BH"`
		Value *float64 `json:"value" doc:"null: it is not defined for the player" example:"7.5"`
	}
	// apiSheet is what an arena score is made of.
	apiSheet struct {
		Wins        int   `json:"wins" doc:"matches won" example:"4"`
		Matches     int   `json:"matches" doc:"matches played" example:"6"`
		Performance *int  `json:"performance" doc:"rating that the results are worth; null: unknown" example:"1710"`
		Points      []int `json:"points" doc:"of the matches that are over, in order" example:"[2,4,0]"`
	}
)

// Spread is what the format tells of a line beside its score: tie-breaks, or what an arena's score is made of.
func (s APIStanding) Spread() (names, texts []string) { return s.columns, s.figures }

// APIStandingsOf returns the table of a tournament.
func APIStandingsOf(t *tournament.Tournament, who map[player.ID]player.Player) ([]APIStanding, error) {
	table, err := format.Standings(t, -1)
	if err != nil {
		return nil, err
	}
	list := []APIStanding{}
	for _, l := range table.Lines {
		line := APIStanding{Rank: l.Rank, Player: page.SideOf(l.Entry, who), Score: float64(l.Score) / 10, Tiebreaks: []apiTiebreak{},
			columns: table.Columns, figures: l.Figures}
		if !t.Format.InRounds() {
			line.Arena = &apiSheet{l.Sheet.Wins, l.Sheet.Games, page.Optional(l.Sheet.Performance), append([]int{}, l.Sheet.Finished()...)}
		}
		if t.HasTeams() {
			other := float64(l.Other) / 10
			line.Other = &other
		}
		for i, value := range l.Values {
			x := apiTiebreak{Code: t.Tiebreaks[i]}
			if value.Defined {
				f := value.Float()
				x.Value = &f
			}
			line.Tiebreaks = append(line.Tiebreaks, x)
		}
		list = append(list, line)
	}
	return list, nil
}
