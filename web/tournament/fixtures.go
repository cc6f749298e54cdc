package tournament

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) fixtureRoutes() []page.Route {
	const at = "/tournaments/:id/fixtures/:round/:board"
	return []page.Route{
		page.Get(at, s.fixture, page.Anyone),
		page.Post(at+"/times", s.proposeTime, page.SignedIn),
		page.Post(at+"/agree", s.agreeTime, page.SignedIn),
		page.Post(at+"/dispute", s.disputeForfeit, page.SignedIn),
		page.Post(at+"/give-up", s.giveUpForfeit, page.SignedIn),
		page.Post(at+"/extend", s.extendFixture, page.SignedIn),
	}
}

// seenFixture returns the tournament and the arranged board of the address.
func (s pages) seenFixture(c echo.Context) (t *tournament.Tournament, x rounds.At, p tournament.Pairing, err error) {
	if t, err = s.SeenTournament(c); err != nil {
		return t, x, p, err
	}
	x.Tournament = t.ID
	round, err1 := strconv.Atoi(c.Param("round"))
	board, err2 := strconv.Atoi(c.Param("board"))
	x.Round, x.Board = round, board
	p, err = t.BoardAt(round, board)
	if err1 != nil || err2 != nil || err != nil || p.Fixture == nil {
		return t, x, p, store.ErrNotFound
	}
	return t, x, p, nil
}

// ownClocks is the printer in which players read and propose times: by their own clocks, if those are known, else by the
// event's. The other player's times stand beside.
func (s pages) ownClocks(c echo.Context) lang.Printer {
	p := s.Printer(c)
	if p.Reader == nil {
		return p
	}
	return lang.Printer{Lang: p.Lang, Zone: p.Reader, Now: p.Now, Reader: p.Reader}
}

func (s pages) fixture(c echo.Context) error {
	t, x, b, err := s.seenFixture(c)
	if err != nil {
		return err
	}
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	page.SetShown(c, t.Version)
	view := tournamentview.FixtureView{Head: s.TournamentHead(c, t, ""),
		Title: words.RoundTitle(p, t, x.Round) + " · " + p.T("tournament.board") + " " + words.BoardLabel(t, x.Round, x.Board)}
	me, plays := t.EntryOf(v.ID)
	duel := words.Duel[tournament.EntryID]{Fixture: *b.Fixture, IsStill: t.Status != tournament.Running || !b.Result.IsPending(),
		Name: func(id tournament.EntryID) string { return words.NameOf(p, t, id) }, Act: words.FixtureURL(t.ID, x.Round, x.Board)}
	other := b.Second
	if plays && b.SeatOf(me.ID).Valid() && !duel.IsStill {
		duel.Me, other = me.ID, b.EntryAt(b.SeatOf(me.ID).Other())
	}
	duel.Other, duel.Days[1].Zone = words.NameOf(p, t, other), p.Zone
	if e, err := t.Entry(other); err == nil && e.Player != "" {
		err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
			days, err := s.Arbiter.DaysOff(tx, e.Player, v.ID)
			duel.Days = [2]fixture.DaysOff{days[v.ID], days[e.Player]}
			return err
		})
		if err != nil {
			return err
		}
	}
	view.Fixture = words.FixtureOf(s.ownClocks(c), duel, now)
	for i, id := range [...]tournament.EntryID{b.First, b.Second} {
		e, err := t.Entry(id)
		if err != nil {
			return err
		}
		view.Players[i] = templates.Link{Text: words.EntryName(p, e), URL: words.EntryURL(t.ID, id)}
	}
	view.MayGiveUp = duel.Me != 0 && b.Fixture.Winner == duel.Me && b.Claimed() != tournament.Pending && !b.Fixture.Waived
	view.State = p.T("fixture.status." + string(b.Fixture.Status))
	if !b.Result.IsPending() {
		view.State, _ = words.ResultText(p, b.Result.Kind)
		view.Deadline = ""
	} else if f := b.Fixture; !f.Due.IsZero() && f.Status != fixture.Scheduled {
		view.Deadline = p.T("fixture.deadline."+string(f.Status), "Until", p.On(f.Due))
		view.DeadlineStamp, view.Left = p.Stamp(f.Due), p.T("ladder.left", "Left", p.Duration(f.Due.Sub(now)))
	}
	if b.Claimed() != tournament.Pending && b.Result.IsPending() {
		view.Forfeits = p.T("fixture.claims-both")
		if w := b.Fixture.Winner; w != 0 {
			view.Forfeits = p.T("fixture.claims", "Player", words.NameOf(p, t, w))
		}
	}
	if b.Match != "" {
		view.Match = words.MatchURL(b.Match)
	}
	if t.May(v, tournament.ActExtend) && b.Result.IsPending() && b.Fixture.Status != fixture.Playing {
		if t.Status == tournament.Running {
			view.Extend = templates.Field{Name: "until", Type: "datetime-local", Label: p.T("fixture.extend-until"),
				Value: civil.Pick(b.Fixture.PlayBy, p.Zone), Hint: p.T("core.in-zone", "Zone", p.Zone.String()), Required: true}
		}
		if b.Fixture.Status == fixture.Disputed {
			view.Forfeit = b.Claimed().String()
			view.Board = [3]string{words.Itoa(x.Round), words.Itoa(x.Board), words.Itoa(int(b.First))}
		}
		view.Results = templates.Link{Text: p.T("fixture.decide"), URL: words.DeskURL(t.ID)}
	}
	sh := s.TournamentShell(c, t, view.Players[0].Text+" – "+view.Players[1].Text, "")
	sh.Styles = append(sh.Styles, "ladder.css")
	return s.Render(c, http.StatusOK, tournamentview.FixturePage(sh, view))
}

// onFixture calls f for the board of the address and goes back to it.
func (s pages) onFixture(c echo.Context, flash string,
	f func(ctx context.Context, by player.Viewer, x rounds.At, p tournament.Pairing) error) error {
	_, x, p, err := s.seenFixture(c)
	if err == nil {
		err = f(c.Request().Context(), page.Viewer(c), x, p)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.FixtureURL(x.Tournament, x.Round, x.Board), flash)
}

func (s pages) proposeTime(c echo.Context) error {
	return s.onFixture(c, "flash.saved", func(ctx context.Context, by player.Viewer, x rounds.At, p tournament.Pairing) error {
		stood := []time.Time{p.Fixture.At}
		for _, t := range p.Fixture.Times {
			stood = append(stood, t.At)
		}
		at, err := civil.Read(c.FormValue("time"), s.ownClocks(c).Zone, stood, s.Now())
		if err != nil {
			return page.ErrBadRequest
		}
		return s.Arbiter.Rounds.ProposeTime(ctx, by, x, at)
	})
}

func (s pages) agreeTime(c echo.Context) error {
	at, err := time.Parse(time.RFC3339, c.FormValue("time"))
	if err != nil {
		return page.ErrBadRequest
	}
	return s.onFixture(c, "flash.ladder-agreed", func(ctx context.Context, by player.Viewer, x rounds.At, _ tournament.Pairing) error {
		return s.Arbiter.Rounds.AgreeTime(ctx, by, x, at)
	})
}

func (s pages) disputeForfeit(c echo.Context) error {
	return s.onFixture(c, "flash.saved", func(ctx context.Context, by player.Viewer, x rounds.At, _ tournament.Pairing) error {
		return s.Arbiter.Rounds.Object(ctx, by, x, c.FormValue("text"))
	})
}

func (s pages) giveUpForfeit(c echo.Context) error {
	return s.onFixture(c, "flash.saved", func(ctx context.Context, by player.Viewer, x rounds.At, _ tournament.Pairing) error {
		return s.Arbiter.Rounds.GiveUpForfeit(ctx, by, x)
	})
}

func (s pages) extendFixture(c echo.Context) error {
	if t, err := s.SeenTournament(c); err != nil {
		return err
	} else if !t.May(page.Viewer(c), tournament.ActExtend) {
		return tournament.ErrNotAllowed
	}
	return s.onFixture(c, "flash.saved", func(ctx context.Context, by player.Viewer, x rounds.At, p tournament.Pairing) error {
		until, err := civil.Read(c.FormValue("until"), s.Printer(c).Zone, []time.Time{p.Fixture.PlayBy}, s.Now())
		if err != nil {
			return page.ErrBadRequest
		}
		return s.Arbiter.Rounds.Extend(ctx, kernel.For(by, ""), x, until)
	})
}
