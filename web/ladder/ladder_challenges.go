package ladder

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	ladderview "chpok.org/chpok/templates/ladder"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func ladderChallengeURL(r store.LadderRef) string {
	return words.LadderURL(r.Ladder) + "/challenges/" + words.Itoa(int(r.Number))
}

func (s pages) sendLadderChallenge(c echo.Context) error {
	id := ladder.ID(c.Param("id"))
	to, err := s.Named(c, "player")
	if err != nil {
		return err
	}
	n, err := s.Arbiter.Ladders.Challenge(c.Request().Context(), page.Viewer(c), id, to.ID)
	if errors.Is(err, ladder.ErrChallenge) {
		// Something has changed since the page was shown, and its row now tells what.
		return s.Redirect(c, words.LadderURL(id), "flash.ladder-refused")
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, ladderChallengeURL(store.LadderRef{Ladder: id, Number: n}), "flash.ladder-sent")
}

// ladderRef returns the challenge in the address.
func ladderRef(c echo.Context) (store.LadderRef, error) {
	n, err := strconv.Atoi(c.Param("number"))
	if err != nil || n < 1 {
		return store.LadderRef{}, store.ErrNotFound
	}
	return store.LadderRef{Ladder: ladder.ID(c.Param("id")), Number: ladder.ChallengeID(n)}, nil
}

// ladderDuel is a challenge with its players and history.
type ladderDuel struct {
	ref       store.LadderRef
	ladder    *ladder.Ladder
	challenge ladder.Challenge
	me        ladder.Actor
	who       map[player.ID]player.Player
	log       []ladder.Event
	heads     map[match.ID]store.Head // with its match, if there is one
	days      map[player.ID]fixture.DaysOff
}

func (s pages) readLadderChallenge(ctx context.Context, v player.Viewer, ref store.LadderRef) (ladderDuel, error) {
	f := ladderDuel{ref: ref}
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if f.ladder, err = tx.Ladder(ref.Ladder); err != nil {
			return err
		}
		if f.challenge, err = tx.LadderChallenge(ref); err != nil {
			return err
		}
		if f.me, err = assurance.LadderActor(tx, v, f.ladder); err != nil {
			return err
		}
		if f.log, err = tx.LadderHistory(ref.Ladder, "", ref.Number, historySize, 0); err != nil {
			return err
		}
		if f.who, err = playersOfLog(tx, f.log); err != nil {
			return err
		}
		if f.heads, err = headsOfDuels(tx, []ladder.Challenge{f.challenge}); err != nil {
			return err
		}
		if f.days, err = s.Arbiter.DaysOff(tx, f.challenge.Challenger, f.challenge.Defender); err != nil {
			return err
		}
		two, err := tx.Players(f.challenge.Challenger, f.challenge.Defender)
		maps.Copy(f.who, two)
		return err
	})
	return f, err
}

func (s pages) ladderChallenge(c echo.Context) error {
	ref, err := ladderRef(c)
	if err != nil {
		return err
	}
	f, err := s.readLadderChallenge(c.Request().Context(), page.Viewer(c), ref)
	if err != nil {
		return err
	}
	page.SetShown(c, f.ladder.Seq)
	view := viewLadderChallenge(s.Printer(c), f, s.Now())
	sh := s.Shell(c, view.Title+" · "+view.LadderName)
	sh.Section, sh.Styles = "ladders", []string{"ladder.css"}
	if f.challenge.Status != ladder.Ended {
		sh.Feed = ladderFeedURL(view.URL, f.ladder)
	}
	return s.Render(c, http.StatusOK, ladderview.LadderChallengePage(sh, view))
}

func (s pages) ladderChallengeFeed(c echo.Context) error {
	ref, err := ladderRef(c)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	return s.followLadder(c, ref.Ladder, func(ctx context.Context) (int64, templ.Component, error) {
		f, err := s.readLadderChallenge(ctx, v, ref)
		if err != nil {
			return 0, nil, err
		}
		return f.ladder.Seq, ladderview.LadderChallengeFragment(viewLadderChallenge(p, f, s.Now())), nil
	})
}

// onLadderChallenge calls f for the challenge in the address and redirects to it.
func (s pages) onLadderChallenge(c echo.Context, flash string,
	f func(ctx context.Context, by player.Viewer, ref store.LadderRef) error) error {
	ref, err := ladderRef(c)
	if err == nil {
		err = f(c.Request().Context(), page.Viewer(c), ref)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, ladderChallengeURL(ref), flash)
}

func (s pages) acceptLadderChallenge(c echo.Context) error {
	return s.onLadderChallenge(c, "flash.ladder-accepted", s.Arbiter.Ladders.Accept)
}

func (s pages) dropLadderChallenge(c echo.Context) error {
	return s.onLadderChallenge(c, "flash.saved", func(ctx context.Context, by player.Viewer, ref store.LadderRef) error {
		return s.Arbiter.Ladders.Drop(ctx, by, ref, ladder.Cost(c.FormValue("cost")))
	})
}

func (s pages) proposeLadderTime(c echo.Context) error {
	return s.onLadderChallenge(c, "flash.saved", func(ctx context.Context, by player.Viewer, ref store.LadderRef) error {
		held, err := store.Get(ctx, s.Store, func(tx *store.Tx) (ladder.Challenge, error) { return tx.LadderChallenge(ref) })
		if err != nil {
			return err
		}
		stood := []time.Time{held.At}
		for _, x := range held.Times {
			stood = append(stood, x.At)
		}
		at, err := civil.Read(c.FormValue("time"), s.Printer(c).Zone, stood, s.Now())
		if err != nil {
			return page.ErrBadRequest
		}
		return s.Arbiter.Ladders.ProposeTime(ctx, by, ref, at)
	})
}

func (s pages) agreeLadderTime(c echo.Context) error {
	at, err := time.Parse(time.RFC3339, c.FormValue("time"))
	if err != nil {
		return page.ErrBadRequest
	}
	return s.onLadderChallenge(c, "flash.ladder-agreed", func(ctx context.Context, by player.Viewer, ref store.LadderRef) error {
		return s.Arbiter.Ladders.AgreeTime(ctx, by, ref, at)
	})
}

func (s pages) disputeLadderForfeit(c echo.Context) error {
	return s.onLadderChallenge(c, "flash.saved", func(ctx context.Context, by player.Viewer, ref store.LadderRef) error {
		return s.Arbiter.Ladders.DisputeForfeit(ctx, by, ref, c.FormValue("text"))
	})
}

func (s pages) judgeLadderChallenge(c echo.Context) error {
	return s.onLadderChallenge(c, "flash.saved", func(ctx context.Context, by player.Viewer, ref store.LadderRef) error {
		var winner player.Player // nobody moves
		var err error
		if c.FormValue("winner") != "" {
			winner, err = s.Named(c, "winner")
		}
		if err != nil {
			return err
		}
		return s.Arbiter.Ladders.Judge(ctx, by, ref, winner.ID, c.FormValue("text"))
	})
}
