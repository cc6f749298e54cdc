package tournament

import (
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// arenaBoards is how many running matches an arena's first page shows.
const arenaBoards = 12

// arenaRoutes are for players of an arena.
func (s pages) arenaRoutes() []page.Route {
	return []page.Route{
		page.Post("/tournaments/:id/arena", s.awaitInArena, page.SignedIn),
		page.Post("/tournaments/:id/arena/rest", s.restFromArena, page.SignedIn),
	}
}

func (s pages) awaitInArena(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Rounds.Await(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id), "")
}

func (s pages) restFromArena(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Rounds.Rest(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id), "")
}

// arenaBody renders an arena and the viewer's part in it; nil for other formats, before it is announced and
// once it is over.
func (s pages) arenaBody(c echo.Context, t *tournament.Tournament) (*tournamentview.ArenaBody, error) {
	if t.Format.InRounds() || t.Status.IsOver() || t.Status == tournament.Draft {
		return nil, nil
	}
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	b := &tournamentview.ArenaBody{URL: words.TournamentURL(t.ID)}
	closes, _, latest, known := t.ArenaTimes()
	_, open := t.ArenaRound()
	if !open {
		b.State = p.T("arena.soon")
		if at := t.StartsAt(); known && at.After(now) {
			b.Until, b.UntilStamp = p.T("arena.begins-in"), p.Stamp(at)
		}
		b.Facts = append(b.Facts, words.Fact(p.T("arena.window"), p.Length(t.Window)))
		return b, nil
	}
	until, pairing := t.PairsUntil()
	if pairing = pairing && now.Before(until); pairing {
		b.State, b.Until, b.UntilStamp = p.T("arena.open"), p.T("arena.closes-in"), p.Stamp(closes)
	} else {
		b.State, b.Note = p.T("arena.closed"), p.T("arena.closed.note")
	}
	waiting, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]tournament.Awaiting, error) {
		return s.Arbiter.Rounds.Waiting(tx, t)
	})
	if err != nil {
		return nil, err
	}
	b.Facts = []templates.TournamentFact{
		words.Fact(p.T("arena.waiting"), p.Int(len(waiting))), words.Fact(p.T("arena.playing"), p.Int(2*event.OpenBoards(t.Rounds[0]))),
		words.Fact(p.T("arena.over-by"), p.When(latest)),
	}
	e, entered := t.EntryOf(v.ID)
	if !entered {
		return b, nil
	}
	b.IsIn = e.Status == tournament.Active
	_, board, seat := ownBoard(t, v)
	switch waits := slices.IndexFunc(waiting, func(w tournament.Awaiting) bool { return w.Entry == e.ID }); {
	case board.Match != "":
		against, _ := t.Entry(board.EntryAt(seat.Other()))
		b.State, b.MatchURL, b.Note = p.T("arena.you-play", "Name", words.EntryName(p, against)), words.MatchURL(board.Match), ""
	case !pairing:
	case t.Timetable.IsPaused():
		b.State, b.MayRest = p.T("schedule.next.paused"), waits >= 0
	case waits >= 0:
		b.State, b.MayRest = p.T("arena.searching"), true
		b.Note = p.T("arena.searching.note")
	case arena.MayAwait(t, e.ID, now) == nil:
		b.State, b.MayAwait = p.T("arena.resting"), true
	}
	return b, nil
}

// runningBoards renders running matches of an arena.
func (s pages) runningBoards(c echo.Context, t *tournament.Tournament) ([]boardview.LiveView, error) {
	now := *t
	now.Rounds = slices.Clone(t.Rounds)
	now.Rounds[0].Pairings = slices.DeleteFunc(slices.Clone(t.Rounds[0].Pairings), func(p tournament.Pairing) bool {
		return !p.Result.IsPending()
	})
	if len(now.Rounds[0].Pairings) == 0 {
		return nil, nil
	}
	now.Rounds[0].Pairings = now.Rounds[0].Pairings[:min(len(now.Rounds[0].Pairings), arenaBoards)]
	round, err := s.RoundView(c, &now, 1, 0)
	return round.Body.Watch, err
}
