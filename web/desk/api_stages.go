package desk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

func (s api) stageOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /tournaments/{id}/next", player.ScopeOrganize, s.nextStage, "Make a later stage", "Of one or several tournaments that are over.").Creates(),
		page.Act("POST /tournaments/{id}/groups", player.ScopeOrganize, s.divide, "Divide the players into groups", "Before the start; the groups decide who plays there."),
		page.Act("POST /tournaments/{id}/groups/step", player.ScopeOrganize, s.stepGroups, "Take a step in every group",
			"Where it is due. All groups start, or none. Of drafts, those that cannot be published stay as long as the others can."),
		page.Op("GET /tournaments/{id}/origin", player.ScopeRead, s.origin, "What can be done about who has qualified",
			"Since a correction elsewhere, or since somebody has left. For staff."),
		page.Act("POST /tournaments/{id}/origin", player.ScopeOrganize, s.retake, "Take all places of a stage anew", "Before its start, as they stand now."),
		page.Act("POST /tournaments/{id}/origin/exchange", player.ScopeOrganize, s.exchange, "Give a seed to another player", "Whose holder has not begun to play."),
		page.Act("POST /tournaments/{id}/origin/reopen", player.ScopeOrganize, s.reopen, "Take a stage back before its start", "With the places as they stand now."),
	}
}

type (
	stageIn struct {
		event.TournamentPath
		Name    string          `json:"name,omitempty" doc:"of the stage" example:"Final"`
		Each    int             `json:"each,omitempty" doc:"how many go on from each" example:"4" min:"0"`
		Format  string          `json:"format" doc:"how it is played" enum:"round-robin,swiss,knock-out,arena,keizer" example:"knock-out"`
		With    []tournament.ID `json:"with,omitempty" doc:"other tournaments that qualify for it"`
		Carry   string          `json:"carry,omitempty" doc:"points that are carried over" example:"none"`
		PlayOff bool            `json:"playOff,omitempty" doc:"instead, a play-off of those who share the last place that goes on"`
	}
	apiStage struct {
		ID tournament.ID `json:"id" doc:"address of the stage"`
	}
	groupsIn struct {
		event.TournamentPath
		Groups int  `json:"groups" doc:"how many" example:"2" min:"1"`
		Each   int  `json:"each" doc:"how many go on from each" example:"2" min:"1"`
		Pots   bool `json:"pots,omitempty" doc:"drawn from pots by rating"`
	}
	stepGroupsIn struct {
		event.TournamentPath
		Act  string                  `json:"act" doc:"start, draft or publish" example:"start"`
		Seen map[tournament.ID]int64 `json:"seen,omitempty" doc:"the version of each group that the caller has seen" example:"{}"`
	}
	// apiRemedies is what staff can do about the seeds of a stage.
	apiRemedies struct {
		Moved     []apiMovedSeed  `json:"moved" doc:"seeds that others hold now"`
		TooFew    bool            `json:"tooFew" doc:"fewer go on than there are places"`
		PlayOff   bool            `json:"playOff" doc:"a play-off decides first"`
		Retake    bool            `json:"retake" doc:"all can be taken anew"`
		Exchanges []apiExchanged  `json:"exchanges" doc:"seeds that can be given to others"`
		Reopen    bool            `json:"reopen" doc:"the stage can be taken back before its start"`
		Lost      []apiLostBoards `json:"lost" doc:"boards that would be lost by that"`
	}
	apiMovedSeed struct {
		Seed int    `json:"seed" doc:"from 1" example:"1"`
		Was  string `json:"was" doc:"who held it" example:"Anna Koval"`
		Now  string `json:"now" doc:"who holds it now" example:"Borys Lys"`
	}
	apiExchanged struct {
		Seed    int    `json:"seed" doc:"from 1" example:"1"`
		Out     string `json:"out" doc:"who holds it" example:"Anna Koval"`
		In      string `json:"in" doc:"who may take it" example:"Borys Lys"`
		Left    bool   `json:"left" doc:"who holds it has left"`
		Refused string `json:"refused,omitempty" doc:"why it cannot be" example:"They have begun to play."`
	}
	apiLostBoards struct {
		Round  int   `json:"round" doc:"the round" example:"1"`
		Boards []int `json:"boards" doc:"its boards" example:"[2]"`
	}
	whyIn struct {
		event.TournamentPath
		Reason string `json:"reason,omitempty" doc:"for the log" example:"A result was corrected"`
	}
	exchangeIn struct {
		event.TournamentPath
		Seed   int    `json:"seed" doc:"from 1" example:"1" min:"1"`
		In     string `json:"in" doc:"who takes it, as the remedies name them" example:"Borys Lys"`
		Reason string `json:"reason,omitempty" doc:"for the log" example:"Anna has left"`
	}
	reopenIn struct {
		event.TournamentPath
		Lose   bool   `json:"lose,omitempty" doc:"even if results are lost"`
		Reason string `json:"reason,omitempty" doc:"for the log" example:"A result was corrected"`
	}
)

// nextStage makes a later stage and answers with its id.
func (s api) nextStage(c echo.Context, in stageIn) (out apiStage, err error) {
	format, err := tournament.ParseFormat(in.Format)
	if err != nil {
		return out, page.Lacking("format")
	}
	out.ID, err = s.Arbiter.Events.Follow(c.Request().Context(), page.Viewer(c), in.ID,
		events.Stage{Name: in.Name, Each: in.Each, Format: format, With: in.With, Carry: in.Carry, PlayOff: in.PlayOff})
	return out, err
}

// divide divides the players of a tournament into groups that qualify for it.
func (s api) divide(ctx context.Context, by player.Viewer, in groupsIn) error {
	return s.Arbiter.Events.Divide(ctx, by, in.ID,
		events.Division{Groups: in.Groups, Each: in.Each, Pots: in.Pots})
}

// stepGroups takes a step in every group of a tournament that it is due in.
func (s api) stepGroups(ctx context.Context, by player.Viewer, in stepGroupsIn) error {
	return s.Arbiter.Rounds.StepGroups(ctx, by, in.ID, tournament.Act(in.Act), in.Seen)
}

// origin answers with what staff can do about the seeds of a stage.
func (s api) origin(c echo.Context, _ event.TournamentPath) (v apiRemedies, err error) {
	t, err := s.TournamentFor(c, tournament.ActStage)
	if err != nil {
		return v, err
	}
	r, err := s.Arbiter.Desk.Remedies(c.Request().Context(), page.Viewer(c), t)
	if err != nil {
		return v, err
	}
	v = apiRemedies{Moved: []apiMovedSeed{}, TooFew: r.TooFew, PlayOff: r.PlayOff, Retake: r.Retake, Exchanges: []apiExchanged{},
		Reopen: r.Reopen, Lost: []apiLostBoards{}}
	for _, m := range r.Moved {
		v.Moved = append(v.Moved, apiMovedSeed{m.Seed, m.Was.Name, m.Now.Name})
	}
	for _, x := range r.Exchanges {
		out, err := t.Entry(t.Origin.Seeds[x.Seed].Own)
		if err != nil {
			return v, err
		}
		why := ""
		if x.Refused != nil {
			why = page.ProblemOf(x.Refused).Detail
		}
		v.Exchanges = append(v.Exchanges, apiExchanged{x.Seed + 1, out.Name, x.Name, x.Left, why})
	}
	for _, n := range slices.Sorted(maps.Keys(r.Lost)) {
		boards := make([]int, len(r.Lost[n]))
		for i, p := range r.Lost[n] {
			boards[i] = p.Board
		}
		v.Lost = append(v.Lost, apiLostBoards{n, boards})
	}
	return v, nil
}

// retake takes all seeds of a stage again, before its start.
func (s api) retake(ctx context.Context, by player.Viewer, in whyIn) error {
	return s.Arbiter.Events.Retake(ctx, by, in.ID, strings.TrimSpace(in.Reason))
}

// exchange gives a seed, counted from 1, to another player.
func (s api) exchange(ctx context.Context, by player.Viewer, in exchangeIn) error {
	return s.Arbiter.Desk.Exchange(ctx, kernel.For(by, strings.TrimSpace(in.Reason)), in.ID, in.Seed-1, in.In)
}

// reopen takes a stage back to before its start.
func (s api) reopen(ctx context.Context, by player.Viewer, in reopenIn) error {
	return s.Arbiter.Desk.Reopen(ctx, by, in.ID, in.Lose, strings.TrimSpace(in.Reason))
}
