package ladder

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ladders"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	ladderview "chpok.org/chpok/templates/ladder"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) ladderRoutes() []page.Route {
	return []page.Route{
		page.Get("/ladders", s.ladders, page.Anyone),
		page.Get("/ladders/new", s.newLadderForm, page.SignedIn),
		page.Post("/ladders", s.createLadder, page.SignedIn),
		page.Get("/ladders/:id", s.ladder, page.Anyone),
		page.Get("/ladders/:id/feed", s.ladderFeed, page.Anyone),
		page.Get("/ladders/:id/history", s.ladderHistory, page.Anyone),
		page.Get("/ladders/:id/edit", s.editLadderForm, page.SignedIn),
		page.Post("/ladders/:id", s.editLadder, page.SignedIn),
		page.Post("/ladders/:id/join", s.joinLadder, page.SignedIn),
		page.Post("/ladders/:id/leave", s.leaveLadder, page.SignedIn),
		page.Post("/ladders/:id/vacation", s.ladderVacation, page.SignedIn),
		page.Post("/ladders/:id/players", s.addToLadder, page.SignedIn),
		page.Post("/ladders/:id/seed", s.seedLadder, page.SignedIn),
		page.Post("/ladders/:id/move", s.moveOnLadder, page.SignedIn),
		page.Post("/ladders/:id/remove", s.removeFromLadder, page.SignedIn),

		// ladder_challenges.go
		page.Post("/ladders/:id/challenges", s.sendLadderChallenge, page.SignedIn),
		page.Get("/ladders/:id/challenges/:number", s.ladderChallenge, page.Anyone),
		page.Get("/ladders/:id/challenges/:number/feed", s.ladderChallengeFeed, page.Anyone),
		page.Post("/ladders/:id/challenges/:number/accept", s.acceptLadderChallenge, page.SignedIn),
		page.Post("/ladders/:id/challenges/:number/drop", s.dropLadderChallenge, page.SignedIn),
		page.Post("/ladders/:id/challenges/:number/times", s.proposeLadderTime, page.SignedIn),
		page.Post("/ladders/:id/challenges/:number/agree", s.agreeLadderTime, page.SignedIn),
		page.Post("/ladders/:id/challenges/:number/dispute", s.disputeLadderForfeit, page.SignedIn),
		page.Post("/ladders/:id/challenges/:number/judge", s.judgeLadderChallenge, page.SignedIn),
	}
}

func (s pages) ladders(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	var shows []string
	if v.IsSignedIn() {
		shows = []string{"mine", "clubs"}
	}
	view := ladderview.LaddersView{Filter: page.Filter(c, p, p.T("ladder.search"), shows...)}
	q := store.LadderQuery{For: v.ID, Search: view.Filter.Search, Mine: view.Filter.Show == "mine", OfClubs: view.Filter.Show == "clubs",
		Limit: page.Size, Offset: (page.Number(c) - 1) * page.Size}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		lines, total, err := tx.Ladders(q)
		if err != nil {
			return err
		}
		view.Paging = page.Paging(c, total)
		if view.Mine, err = Duties(tx, p, v, s.Now()); err != nil {
			return err
		}
		clubs, err := words.HeldClubs(tx, v)
		if v.MayCreateTournament() || len(clubs) > 0 {
			view.Create = "/ladders/new"
		}
		for _, l := range lines {
			card := words.LadderCard(p, l)
			if l.Club != "" {
				of, err := tx.Club(l.Club)
				if err != nil {
					return err
				}
				card.Club = of.Name
			}
			view.Lines = append(view.Lines, card)
		}
		return err
	})
	if err != nil {
		return err
	}
	sh := s.Shell(c, p.T("core.nav.ladders"))
	sh.Section, sh.Styles = "ladders", []string{"ladder.css"}
	return s.Render(c, http.StatusOK, ladderview.LaddersPage(sh, view))
}

// mostDuties limits the viewer's own challenges on a page.
const mostDuties = 20

// Duties returns the viewer's running challenges on all ladders.
func Duties(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time) ([]ladderview.LadderChallengeCard, error) {
	if !v.IsSignedIn() {
		return nil, nil
	}
	duties, err := tx.LadderDuties(v.ID, mostDuties)
	if err != nil || len(duties) == 0 {
		return nil, err
	}
	var ids []player.ID
	for _, d := range duties {
		ids = append(ids, d.Challenge.Challenger, d.Challenge.Defender)
	}
	who, err := tx.Players(ids...)
	if err != nil {
		return nil, err
	}
	var cards []ladderview.LadderChallengeCard
	for _, d := range duties {
		card := ladderChallengeCard(p, v, d.Ref.Ladder, d.Challenge, store.Head{}, who, now)
		if d.Challenge.Status == ladder.Proposed && !d.Challenge.IsPaused() && d.Challenge.Defender == v.ID {
			card.Call = p.T("ladder.called", "Player", words.PlayerName(p, who[d.Challenge.Challenger]))
		}
		cards = append(cards, card)
	}
	return cards, nil
}

// ladderFacts holds what a ladder's page shows.
type ladderFacts struct {
	ladder  *ladder.Ladder
	club    club.Club
	me      ladder.Actor
	could   ladder.Candidate     // the viewer, if they are not on the ladder
	unmet   *fairplay.UnmetError // demands that the candidate does not meet
	who     map[player.ID]player.Player
	ratings map[player.ID]store.Rating
	recent  []ladder.Challenge
	mine    []ladder.Challenge      // ended ones of the viewer, in order
	heads   map[match.ID]store.Head // matches of its challenges
	past    []store.TournamentLine  // from which its organizer can seed the ladder
}

// Limits of the lists on a ladder's page.
const (
	recentChallenges = 8
	climbChallenges  = 30
	pastTournaments  = 40
)

func (s pages) readLadder(ctx context.Context, v player.Viewer, id ladder.ID) (f ladderFacts, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		if f.ladder, err = tx.Ladder(id); err != nil {
			return err
		}
		l := f.ladder
		if l.Settings.Club != "" {
			if f.club, err = tx.Club(l.Settings.Club); err != nil {
				return err
			}
		}
		if f.me, err = assurance.LadderActor(tx, v, l); err != nil {
			return err
		}
		if v.IsSignedIn() && l.Place(v.ID) == 0 {
			if f.could, err = ladders.Candidate(tx, v.Player, l, s.Now()); err != nil {
				return err
			}
			errors.As(l.Settings.Policy.OrOpen().Admit(f.could.Standing, true), &f.unmet)
		}
		if f.recent, err = tx.EndedLadderChallenges(id, recentChallenges); err != nil {
			return err
		}
		if l.Place(v.ID) > 0 {
			if f.mine, err = tx.EndedChallengesOf(id, v.ID, climbChallenges); err != nil {
				return err
			}
		}
		if f.heads, err = headsOfDuels(tx, append(f.recent, l.Challenges...)); err != nil {
			return err
		}
		if f.me.Directs {
			q := store.TournamentQuery{Statuses: []tournament.Status{tournament.Finished, tournament.Finalized}, Limit: pastTournaments}
			if f.past, _, err = tx.Tournaments(q); err != nil {
				return err
			}
		}
		var ids []player.ID
		for _, r := range l.Rungs {
			ids = append(ids, r.Player)
		}
		if f.ratings, err = tx.Ratings(ids...); err != nil {
			return err
		}
		for _, ch := range f.recent {
			ids = append(ids, ch.Challenger, ch.Defender)
		}
		f.who, err = tx.Players(ids...)
		return err
	})
	return f, err
}

func headsOfDuels(tx *store.Tx, list []ladder.Challenge) (map[match.ID]store.Head, error) {
	var ids []match.ID
	for _, c := range list {
		if c.Match != "" {
			ids = append(ids, c.Match)
		}
	}
	return tx.Matches(ids)
}

func (s pages) ladder(c echo.Context) error { return s.showLadder(c, http.StatusOK, templates.Field{}) }

// showLadder renders a ladder; add is whom its organizer could not add.
func (s pages) showLadder(c echo.Context, status int, add templates.Field) error {
	f, err := s.readLadder(c.Request().Context(), page.Viewer(c), ladder.ID(c.Param("id")))
	if err != nil {
		return err
	}
	page.SetShown(c, f.ladder.Seq)
	p, at := s.Printer(c), words.LadderURL(f.ladder.ID)
	sh := s.Shell(c, f.ladder.Settings.Name)
	sh.Section, sh.Styles = "ladders", []string{"ladder.css"}
	sh.Card = s.LinkCard(c, p, templates.Card{Title: f.ladder.Settings.Name, URL: at, Picture: at + "/picture.png",
		Text: p.T("ladder.card", "Players", p.N("ladder.players-count", len(f.ladder.Rungs)))})
	sh.Feed = ladderFeedURL(at, f.ladder)
	view := viewLadder(p, page.Viewer(c), f, s.Now())
	if view.Desk != nil {
		view.Desk.Add.Value, view.Desk.Add.Error = add.Value, add.Error
	}
	return s.Render(c, status, ladderview.LadderPage(sh, view))
}

func ladderFeedURL(page string, l *ladder.Ladder) string {
	return page + "/feed?last=" + strconv.FormatInt(l.Seq, 10)
}

func (s pages) ladderFeed(c echo.Context) error {
	id := ladder.ID(c.Param("id"))
	p, v := s.Printer(c), page.Viewer(c)
	return s.followLadder(c, id, func(ctx context.Context) (int64, templ.Component, error) {
		f, err := s.readLadder(ctx, v, id)
		if err != nil {
			return 0, nil, err
		}
		return f.ladder.Seq, ladderview.LadderFragment(viewLadder(p, v, f, s.Now())), nil
	})
}

// followLadder keeps a fragment of a ladder up to date. show returns the fragment for this viewer and the sequence
// number of the log. Visitors share the stream.
func (s pages) followLadder(c echo.Context, id ladder.ID, show func(context.Context) (int64, templ.Component, error)) error {
	sheet := page.LivePage{Topics: []string{ladders.Topic(id)}, Look: func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
		seq, what, err := show(ctx)
		at, shown := strconv.FormatInt(seq, 10), seq
		if !page.Viewer(c).IsSignedIn() {
			shown = 0 // visitors, who share it, send nothing
		}
		return page.Snapshot{ETag: at, FormVersion: shown, Fragments: []page.Fragment{{ID: "ladder", What: what, ETag: at}}}, err
	}}
	if page.Viewer(c).IsSignedIn() {
		return s.Follow(c, sheet)
	}
	return s.Share(c, "ladder "+c.Request().URL.Path, s.Printer(c), sheet)
}

// historySize is the number of events on a page of a ladder's history.
const historySize = 60

func (s pages) ladderHistory(c echo.Context) error {
	p := s.Printer(c)
	id, page := ladder.ID(c.Param("id")), page.Number(c)
	view := ladderview.LadderHistoryView{URL: words.LadderURL(id)}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		l, err := tx.Ladder(id)
		if err != nil {
			return err
		}
		view.Name = l.Settings.Name
		var of player.Player
		if handle := c.QueryParam("player"); handle != "" {
			if of, err = tx.PlayerByHandle(player.Handle(words.Shorten(handle, 20))); err != nil {
				return err
			}
			view.Of = string(of.Handle)
		}
		log, err := tx.LadderHistory(id, of.ID, 0, historySize+1, (page-1)*historySize)
		if err != nil {
			return err
		}
		more := len(log) > historySize
		who, err := playersOfLog(tx, log)
		view.Lines = ladderEventLines(p, id, log[:min(len(log), historySize)], who, true)
		at := func(n int) string {
			q := c.Request().URL.Query()
			q.Set("page", strconv.Itoa(n))
			return c.Request().URL.Path + "?" + q.Encode()
		}
		if more {
			view.Older = at(page + 1)
		}
		if page > 1 {
			view.Newer = at(page - 1)
		}
		return err
	})
	if err != nil {
		return err
	}
	sh := s.Shell(c, p.T("ladder.history")+" · "+view.Name)
	sh.Section, sh.Styles = "ladders", []string{"ladder.css"}
	return s.Render(c, http.StatusOK, ladderview.LadderHistoryPage(sh, view))
}

// playersOfLog returns the players in a part of a log.
func playersOfLog(tx *store.Tx, log []ladder.Event) (map[player.ID]player.Player, error) {
	var ids []player.ID
	for _, e := range log {
		ids = append(ids, e.By, e.Player, e.Other)
	}
	return tx.Players(ids...)
}

// onLadder calls f for the ladder in the address and redirects to it.
func (s pages) onLadder(c echo.Context, flash string, f func(ctx context.Context, by player.Viewer, id ladder.ID) error) error {
	id := ladder.ID(c.Param("id"))
	if err := f(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.LadderURL(id), flash)
}

func (s pages) joinLadder(c echo.Context) error {
	return s.onLadder(c, "flash.ladder-joined", func(ctx context.Context, by player.Viewer, id ladder.ID) error {
		if err := s.AcceptFairPlayText(c); err != nil {
			return err
		}
		return s.Arbiter.Ladders.Join(ctx, by, id, "")
	})
}

func (s pages) leaveLadder(c echo.Context) error {
	return s.onLadder(c, "flash.ladder-left", func(ctx context.Context, by player.Viewer, id ladder.ID) error {
		return s.Arbiter.Ladders.Leave(ctx, by, id, by.ID)
	})
}

func (s pages) ladderVacation(c echo.Context) error {
	return s.onLadder(c, "flash.saved", func(ctx context.Context, by player.Viewer, id ladder.ID) error {
		return s.Arbiter.Ladders.Vacation(ctx, by, id, c.FormValue("begin") != "")
	})
}

func (s pages) addToLadder(c echo.Context) error {
	handle := words.Shorten(c.FormValue("handle"), 40)
	if handle == "" {
		return page.ErrBadRequest
	}
	err := s.onLadder(c, "flash.saved", func(ctx context.Context, by player.Viewer, id ladder.ID) error {
		return s.Arbiter.Ladders.Join(ctx, by, id, handle)
	})
	if status, isTold := page.InPlace(err, http.StatusForbidden, http.StatusNotFound); isTold {
		return s.showLadder(c, status, templates.Field{Value: handle, Error: page.TextOf(s.Printer(c), err)})
	}
	return err
}

func (s pages) seedLadder(c echo.Context) error {
	return s.onLadder(c, "flash.saved", func(ctx context.Context, by player.Viewer, id ladder.ID) error {
		_, err := s.Arbiter.Ladders.Seed(ctx, by, id, tournament.ID(c.FormValue("tournament")))
		return err
	})
}

func (s pages) moveOnLadder(c echo.Context) error {
	return s.onLadder(c, "flash.saved", func(ctx context.Context, by player.Viewer, id ladder.ID) error {
		of, err := s.Named(c, "player")
		if err != nil {
			return err
		}
		return s.Arbiter.Ladders.Move(ctx, kernel.For(by, c.FormValue("why")), id, of.ID, words.AtoiOr(c.FormValue("to"), 0))
	})
}

func (s pages) removeFromLadder(c echo.Context) error {
	return s.onLadder(c, "flash.saved", func(ctx context.Context, by player.Viewer, id ladder.ID) error {
		of, err := s.Named(c, "player")
		if err != nil {
			return err
		}
		return s.Arbiter.Ladders.Leave(ctx, by, id, of.ID)
	})
}
