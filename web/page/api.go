package page

import (
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
)

// Letter returns a seat as the API names it: A is the first-named player; nil for no seat.
func Letter(seat match.Seat) *string {
	if !seat.Valid() {
		return nil
	}
	l := match.FirstIsA.Of(seat)
	return &l
}

// Optional returns a pointer to v; nil for the zero value.
func Optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// RecordOf returns the record of a match as the viewer may see it.
func (s *Site) RecordOf(c echo.Context, id match.ID) (notation.Record, error) {
	view, err := s.Look(c, id)
	if err != nil {
		return notation.Record{}, err
	}
	return s.Arbiter.Assurance.Record(c.Request().Context(), view.State, view.Head, s.Address(c, ""))
}

// APIPlayer is an account in a match.
type APIPlayer struct {
	Handle player.Handle `json:"handle" doc:"their handle"`
	Bot    bool          `json:"bot" doc:"a program plays"`
}

// APIBotRules are what a bot may play.
type APIBotRules struct {
	From    string      `json:"from" doc:"who may challenge it" enum:"everyone,members,clubs,nobody" example:"everyone"`
	Low     int         `json:"low" doc:"lowest rating of its opponents; 0: any" example:"0" min:"0" max:"9999"`
	High    int         `json:"high" doc:"highest rating of its opponents; 0: any" example:"1800" min:"0" max:"9999"`
	Longest form.Millis `json:"longest" doc:"a match may last so long; 0: any" example:"3600000" min:"0"`
	AtOnce  int         `json:"atOnce" doc:"matches at once" example:"4" min:"1" max:"16"`
}

// APIBotRulesOf returns rules as programs read them.
func APIBotRulesOf(r player.BotRules) APIBotRules {
	return APIBotRules{string(r.From), r.Ratings[0], r.Ratings[1], form.MillisOf(r.Longest), r.AtOnce}
}

// Rules returns what a program wrote.
func (r APIBotRules) Rules() player.BotRules {
	return player.BotRules{From: player.Audience(r.From), Ratings: [2]int{r.Low, r.High}, Longest: r.Longest.Duration(), AtOnce: r.AtOnce}
}

type (
	// APIRound is a round as the API shows it.
	APIRound struct {
		Round    int          `json:"round" doc:"its number, from 1" example:"2"`
		Pairings []apiPairing `json:"pairings" doc:"by board"`
		Byes     []APISide    `json:"byes" doc:"who has a bye"`
		// Matches are those of teams.
		Matches []apiTeamMatch `json:"matches,omitempty" doc:"of teams: who meets whom"`
	}
	apiTeamMatch struct {
		Number   int         `json:"number" doc:"from 1: teamMatch of its boards" example:"1"`
		First    APISide     `json:"first" doc:"the team that bids first on board 1, and then on every second one"`
		Second   APISide     `json:"second" doc:"the other team"`
		Opened   *time.Time  `json:"opened" doc:"when its boards opened; null: line-ups are sealed"`
		Games    [2]float64  `json:"games" doc:"game points of both so far" example:"[2.5,1.5]"`
		Points   *[2]float64 `json:"points" doc:"match points of both; null: it is not over" example:"[2,0]"`
		Forfeits [2]bool     `json:"forfeits" doc:"who forfeits it" example:"[false,false]"`
	}
	// APISide is a player of a tournament. With an account they have a handle; the name is what the event calls them.
	APISide struct {
		Entry  tournament.EntryID `json:"entry" doc:"their entry in the tournament"`
		Name   string             `json:"name" doc:"as the event calls them" example:"Anna Koval"`
		Handle *player.Handle     `json:"handle" doc:"of their account; null: none"`
		Bot    bool               `json:"bot" doc:"a program plays"`
	}
	apiRuled struct {
		By     *string    `json:"by" doc:"who decided" example:"olena"`
		At     time.Time  `json:"at" doc:"when"`
		Why    *string    `json:"why" doc:"their reason" example:"The phone rang"`
		Party  bool       `json:"party" doc:"who decided plays in the event"`
		Before *APIResult `json:"before" doc:"what stood before; null: nothing" example:"0-1"`
		Rated  *APIResult `json:"rated" doc:"what ratings count instead; null: the same" example:"0-1"`
	}
	apiPairing struct {
		Board     int        `json:"board" doc:"from 1" example:"1"`
		TeamMatch int        `json:"teamMatch,omitempty" doc:"of teams: number of the match that the board belongs to" example:"1"`
		First     APISide    `json:"first" doc:"who bids first: seat A; a team if nobody of it sits there"`
		Second    APISide    `json:"second" doc:"seat B; a team if nobody of it sits there"`
		Match     *match.ID  `json:"match" doc:"their match; null: it is not played on this site"`
		Result    *APIResult `json:"result" doc:"null: none yet" example:"1-0"`
		Ruled     *apiRuled  `json:"ruled,omitempty" doc:"set if an arbiter decided the result"`
		Assurance *APIWorth  `json:"assurance" doc:"what of fair play is demanded; null: nothing"`
	}
	// APIWorth is the assurance that a match demands and, once it is over, has achieved.
	APIWorth struct {
		Demanded fairplay.Assurance  `json:"demanded" doc:"the level"`
		Achieved *fairplay.Assurance `json:"achieved" doc:"the level that was reached; null before the end"`
	}
)

// SeenTournament returns the tournament of the address, and lets the page show its zone; store.ErrNotFound if the viewer may not see it.
func (s *Site) SeenTournament(c echo.Context) (*tournament.Tournament, error) {
	t, err := s.Arbiter.Tournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return nil, err
	}
	if !t.MaySee(Viewer(c)) {
		return nil, store.ErrNotFound
	}
	s.InZone(c, t.Zone)
	c.Set(shownKey, t.Version)
	return t, nil
}

// APIWorthOf returns the assurance of a match; nil if it demands none.
func APIWorthOf(h store.Head) *APIWorth {
	if h.Level == 0 {
		return nil
	}
	return &APIWorth{h.Level, Optional(h.Achieved)}
}

// APIResult is a result as programs read and write it: 1-0, 0-1, 1/2-1/2, by forfeit +/-, -/+, -/-.
type APIResult string

// ResultFor returns a result for programs; nil if there is none.
func ResultFor(k tournament.ResultKind) *APIResult { return Optional(APIResult(k.String())) }

// SideOf returns an entry with the handle of its account.
func SideOf(e tournament.Entry, who map[player.ID]player.Player) APISide {
	side := APISide{Entry: e.ID, Name: e.Name, Bot: e.Bot}
	if e.Player != "" {
		side.Handle = Optional(who[e.Player].Handle)
	}
	return side
}

// Facts are what a round of a tournament is shown with.
type Facts struct {
	Heads  map[match.ID]store.Head
	Rulers map[player.ID]string
	Who    map[player.ID]player.Player
}

// APIRoundOf returns a round with its pairings and byes.
func APIRoundOf(t *tournament.Tournament, r tournament.Round, with Facts) APIRound {
	side := func(id tournament.EntryID) APISide {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		return SideOf(e, with.Who)
	}
	out := APIRound{Round: r.Number, Pairings: []apiPairing{}, Byes: []APISide{}}
	for _, p := range r.Pairings {
		row := apiPairing{Board: p.Board, TeamMatch: p.TeamMatch, First: side(p.First), Second: side(p.Second), Match: Optional(p.Match),
			Result:    ResultFor(p.Result.Kind),
			Assurance: APIWorthOf(with.Heads[p.Match])}
		if t.IsRuled(p) {
			row.Ruled = &apiRuled{
				By: Optional(with.Rulers[p.Result.By]), At: p.Result.At, Why: Optional(p.Result.Why), Party: t.IsOwn(p),
				Before: ResultFor(max(p.Result.Stood, p.Result.Was)), Rated: ResultFor(p.Result.Rated),
			}
		}
		out.Pairings = append(out.Pairings, row)
	}
	for _, b := range r.Byes {
		out.Byes = append(out.Byes, side(b.Entry))
	}
	for i, m := range r.Teams {
		x := apiTeamMatch{Number: i + 1, First: side(m.First), Second: side(m.Second), Opened: Optional(m.OpenedAt), Forfeits: m.Lost}
		scores, points := t.ScoreOf(r, i+1), t.Teams.MatchPoints()
		for s, score := range scores {
			x.Games[s] = float64(score.Games) / 10
		}
		if scores[0].Outcome != tournament.Unfinished {
			x.Points = &[2]float64{float64(points.Of(scores[0].Outcome)) / 10, float64(points.Of(scores[1].Outcome)) / 10}
		}
		out.Matches = append(out.Matches, x)
	}
	return out
}
