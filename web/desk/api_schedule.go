package desk

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	deskoffice "chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) scheduleOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /tournaments/{id}/check-in", player.ScopeChallenge, s.checkIn, "Check in for the next round, or out",
			"Oneself; staff may name another player."),
		page.Act("POST /tournaments/{id}/entries/{entry}/check-in", player.ScopeOrganize, s.checkInEntry,
			"Check an entry in for the next round, or out",
			"For staff; also of somebody without an account."),
		page.Act("DELETE /tournaments/{id}/check-in", player.ScopeOrganize, s.ByDesk((*deskoffice.Office).UncheckAll), "Check everybody out",
			"So that all who are there say so anew."),
		page.Op("POST /tournaments/{id}/extension", player.ScopeOrganize, s.extend, "Wait longer for players who have not come",
			"At one board, or at all where somebody is waited for."),
		page.Act("POST /tournaments/{id}/pause", player.ScopeOrganize, s.pause, "Pause a tournament", "No round opens until it goes on."),
		page.Act("POST /tournaments/{id}/continue", player.ScopeOrganize, s.ByDesk((*deskoffice.Office).ContinueRounds), "End the pause",
			"Rounds that are due open."),
		page.Act("POST /tournaments/{id}/postpone", player.ScopeOrganize, s.postpone, "Give a round another time",
			"One that has not been opened."),
		page.Act("PUT /tournaments/{id}/rounds-count", player.ScopeOrganize, s.setRounds, "Change how many rounds there are",
			"Of a Swiss that runs."),
	}
}

type (
	checkInIn struct {
		event.TournamentPath
		Handle string `json:"handle,omitempty" doc:"whom staff check in; absent: the caller" example:"borys"`
		Out    bool   `json:"out,omitempty" doc:"to check out instead"`
	}
	entryCheckIn struct {
		event.EntryPath
		Out bool `json:"out,omitempty" doc:"to check out instead"`
	}
	extendIn struct {
		event.TournamentPath
		Match  match.ID    `json:"match,omitempty" doc:"where; absent: at all boards that have not begun"`
		More   form.Millis `json:"more" doc:"how much longer" min:"1000" max:"86400000"`
		Reason string      `json:"reason" doc:"for everybody to read" example:"The bus is late" min:"1" max:"200"`
	}
	apiExtended struct {
		Boards int `json:"boards" doc:"how many wait longer now" example:"1"`
	}
	pauseIn struct {
		event.TournamentPath
		Reason  string `json:"reason,omitempty" doc:"for everybody to read" example:"Fire alarm"`
		Matches bool   `json:"matches,omitempty" doc:"clocks of matches stand still, too"`
	}
	postponeIn struct {
		event.TournamentPath
		Round  int       `json:"round" doc:"which" example:"3" min:"1"`
		To     time.Time `json:"to" doc:"its new time"`
		Shift  bool      `json:"shift,omitempty" doc:"later rounds move as well"`
		Reason string    `json:"reason,omitempty" doc:"for everybody to read" example:"The hall opens later"`
	}
	roundsIn struct {
		event.TournamentPath
		Rounds int    `json:"rounds" doc:"how many" example:"7" min:"1"`
		Sure   bool   `json:"sure,omitempty" doc:"even if some would meet twice"`
		Reason string `json:"reason,omitempty" doc:"for the log" example:"More came than expected"`
	}
)

// checkIn checks the caller in for the next round; staff may name another player by handle.
func (s api) checkIn(c echo.Context, in checkInIn) (none page.None, err error) {
	ctx, by := c.Request().Context(), page.Viewer(c)
	if in.Handle == "" {
		return none, s.Arbiter.Desk.CheckInOwn(ctx, by, in.ID, !in.Out)
	}
	if t, is := page.Token(c); is && !t.Has(player.ScopeOrganize) {
		return none, page.ErrScope
	}
	t, err := s.TournamentFor(c, tournament.ActCheckIn) // others must not learn who has entered
	if err != nil {
		return none, err
	}
	p, err := store.Get(ctx, s.Store, func(tx *store.Tx) (player.Player, error) { return kernel.PlayerByHandle(tx, in.Handle) })
	if err != nil {
		return none, err
	}
	e, entered := t.EntryOf(p.ID)
	if !entered {
		return none, tournament.ErrNoEntry
	}
	return none, s.Arbiter.Desk.CheckIn(ctx, by, in.ID, e.ID, !in.Out)
}

func (s api) checkInEntry(ctx context.Context, by player.Viewer, in entryCheckIn) error {
	return s.Arbiter.Desk.CheckIn(ctx, by, in.ID, in.Entry, !in.Out)
}

// extend gives players who have not come more time.
func (s api) extend(c echo.Context, in extendIn) (out apiExtended, err error) {
	out.Boards, err = s.Arbiter.Desk.ExtendWait(c.Request().Context(), kernel.For(page.Viewer(c), in.Reason), in.ID, in.Match,
		in.More.Duration())
	return out, err
}

func (s api) pause(ctx context.Context, by player.Viewer, in pauseIn) error {
	return s.Arbiter.Desk.PauseRounds(ctx, by, in.ID, in.Reason, in.Matches)
}

func (s api) postpone(ctx context.Context, by player.Viewer, in postponeIn) error {
	return s.Arbiter.Desk.Postpone(ctx, kernel.For(by, words.Shorten(in.Reason, tournament.MaxReason)), in.ID,
		deskoffice.NewTime{Round: in.Round, To: in.To, Shift: in.Shift})
}

// setRounds changes how many rounds a running Swiss has.
func (s api) setRounds(ctx context.Context, by player.Viewer, in roundsIn) error {
	return s.Arbiter.Desk.SetRounds(ctx, kernel.For(by, words.Shorten(in.Reason, tournament.MaxReason)), in.ID,
		in.Rounds, in.Sure)
}
