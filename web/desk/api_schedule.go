package desk

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	deskoffice "chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) scheduleOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /tournaments/{id}/check-in", player.ScopeChallenge, s.checkIn, "Check in for the next round, or out", "Oneself; staff may name another player."),
		page.Act("POST /tournaments/{id}/pause", player.ScopeOrganize, s.pause, "Pause a tournament", "No round opens until it goes on."),
		page.Act("POST /tournaments/{id}/continue", player.ScopeOrganize, s.ByDesk((*deskoffice.Office).ContinueRounds), "End the pause", "Rounds that are due open."),
		page.Act("POST /tournaments/{id}/postpone", player.ScopeOrganize, s.postpone, "Give a round another time", "One that has not been opened."),
		page.Act("PUT /tournaments/{id}/rounds-count", player.ScopeOrganize, s.setRounds, "Change how many rounds there are", "Of a Swiss that runs."),
	}
}

type (
	checkInIn struct {
		event.TournamentPath
		Handle string `json:"handle,omitempty" doc:"whom staff check in; absent: the caller" example:"borys"`
		Out    bool   `json:"out,omitempty" doc:"to check out instead"`
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
	h, err := player.ParseHandle(in.Handle)
	if err != nil {
		return none, err
	}
	t, err := s.TournamentFor(c, tournament.ActCheckIn) // others must not learn who has entered
	if err != nil {
		return none, err
	}
	p, err := store.Get(ctx, s.Store, func(tx *store.Tx) (player.Player, error) { return tx.PlayerByHandle(h) })
	if err != nil {
		return none, err
	}
	e, entered := t.EntryOf(p.ID)
	if !entered {
		return none, tournament.ErrNoEntry
	}
	return none, s.Arbiter.Desk.CheckIn(ctx, by, in.ID, e.ID, !in.Out)
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
