package tournament

import (
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) fixtureOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /tournaments/{id}/fixtures", page.Everyone, s.fixtures, "What players still have to arrange",
			"At the pace arranged: the boards without a result, by their last possible start."),
		page.Op("POST /tournaments/{id}/fixtures/{round}/{board}", player.ScopeChallenge, s.arrange, "Arrange a match",
			"By its players: propose a time, agree on one, object to a forfeit, give one up. Staff give more time."),
	}
}

type (
	fixturePath struct {
		event.TournamentPath
		Round int `path:"round" doc:"the round" example:"1" min:"1"`
		Board int `path:"board" doc:"the board" example:"1" min:"1"`
	}
	arrangeIn struct {
		fixturePath
		Do   string     `json:"do" doc:"what to do" enum:"propose,agree,dispute,give-up,extend" example:"propose"`
		At   *time.Time `json:"at,omitempty" doc:"propose, agree, extend: the time"`
		Text string     `json:"text,omitempty" doc:"dispute: why" example:"I was there"`
	}
	apiProposedTime struct {
		By string    `json:"by" doc:"name of who proposes" example:"Anna Koval"`
		At time.Time `json:"at" doc:"the time"`
	}
	apiFixture struct {
		Round  int               `json:"round" doc:"the round" example:"1"`
		Board  int               `json:"board" doc:"the board" example:"1"`
		First  string            `json:"first" doc:"who opens the bidding" example:"Anna Koval"`
		Second string            `json:"second" doc:"the other" example:"Borys Hai"`
		Status string            `json:"status" doc:"the stage; accepted: they have to agree on a time" enum:"accepted,scheduled,playing,claimed,disputed" example:"accepted"`
		Due    *time.Time        `json:"due,omitempty" doc:"when something happens by itself"`
		PlayBy time.Time         `json:"playBy" doc:"the last possible start"`
		Times  []apiProposedTime `json:"times" doc:"proposed times"`
		At     *time.Time        `json:"at,omitempty" doc:"the appointment"`
		Match  match.ID          `json:"match,omitempty" doc:"once it is open" example:"m1"`
		Winner string            `json:"winner,omitempty" doc:"claimed, disputed: who wins unless it is decided otherwise" example:"Anna Koval"`
		Text   string            `json:"text,omitempty" doc:"the objection" example:"I was there"`
	}
	apiFixtures struct {
		Fixtures []apiFixture `json:"fixtures" doc:"the earliest last start first"`
	}
)

func (s api) fixtures(c echo.Context, _ event.TournamentPath) (out apiFixtures, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	out.Fixtures = []apiFixture{}
	for _, x := range t.FixturesOf(0) {
		out.Fixtures = append(out.Fixtures, s.fixtureOf(c, t, x))
	}
	return out, nil
}

func (s api) fixtureOf(c echo.Context, t *tournament.Tournament, x tournament.FixtureRef) apiFixture {
	p, f := s.Printer(c), x.Fixture
	name := func(id tournament.EntryID) string { return words.NameOf(p, t, id) }
	out := apiFixture{Round: x.Round, Board: x.Board, First: name(x.First), Second: name(x.Second), Status: string(f.Status),
		Due: page.Optional(f.Due), PlayBy: f.PlayBy, Times: []apiProposedTime{}, At: page.Optional(f.At), Match: x.Match, Text: f.Text}
	for _, at := range f.Times {
		out.Times = append(out.Times, apiProposedTime{name(at.By), at.At})
	}
	if f.Winner != 0 {
		out.Winner = name(f.Winner)
	}
	return out
}

// arrange carries out one of the acts that the page of the board offers.
func (s api) arrange(c echo.Context, in arrangeIn) (out apiFixture, err error) {
	ctx, by, x := c.Request().Context(), page.Viewer(c), rounds.At{Tournament: in.ID, Round: in.Round, Board: in.Board}
	if _, err := s.SeenTournament(c); err != nil {
		return out, err
	}
	var at time.Time
	if in.At != nil {
		at = *in.At
	}
	switch in.Do {
	case "propose":
		err = s.Arbiter.Rounds.ProposeTime(ctx, by, x, at)
	case "agree":
		err = s.Arbiter.Rounds.AgreeTime(ctx, by, x, at)
	case "dispute":
		err = s.Arbiter.Rounds.Object(ctx, by, x, in.Text)
	case "give-up":
		err = s.Arbiter.Rounds.GiveUpForfeit(ctx, by, x)
	case "extend":
		err = s.Arbiter.Rounds.Extend(ctx, kernel.For(by, ""), x, at)
	}
	if err != nil {
		return out, err
	}
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	p, err := t.BoardAt(in.Round, in.Board)
	if err != nil || p.Fixture == nil {
		return out, store.ErrNotFound
	}
	return s.fixtureOf(c, t, tournament.FixtureRef{Round: in.Round, Pairing: p}), nil
}
