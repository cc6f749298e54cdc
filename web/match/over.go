package match

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/challenges"
	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/lesson"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// backToArena adds the button that takes a player back into an arena that still pairs; false if the match is not of
// an arena.
func backToArena(tx *store.Tx, p lang.Printer, head store.Head, now time.Time, f *scene.MatchFrame) (bool, error) {
	ref, err := tx.PairingOf(head.ID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil || ref.Format.InRounds() {
		return false, err
	}
	t, err := tx.Tournament(ref.Tournament)
	if err != nil {
		return true, err
	}
	if until, open := t.PairsUntil(); open && now.Before(until) {
		again := matchview.LinkView{Text: p.T("arena.next"), URL: words.TournamentURL(t.ID) + "/arena", Main: true, Posts: true}
		f.Next = append([]matchview.LinkView{again}, f.Next...)
	}
	return true, nil
}

// frameNext adds what the player can do next: their next match, the arena or a rematch, and signing up for a guest.
func (s pages) frameNext(ctx context.Context, p lang.Printer, view live.View, you match.Seat, f *scene.MatchFrame) error {
	head := view.Head
	if err := s.frameStudy(ctx, p, view, you, f); err != nil {
		return err
	}
	return s.Store.Read(ctx, func(tx *store.Tx) error {
		me, err := tx.Player(head.Players[you.Index()])
		if err != nil {
			return err
		}
		isArena, err := backToArena(tx, p, head, s.Now(), f)
		if err == nil && !isArena {
			err = frameRematch(tx, p, head, me.ID, s.Now(), f)
		}
		if err != nil {
			return err
		}
		if me.Guest {
			keep := matchview.LinkView{Text: p.T("match.next.keep"), URL: "/sign-up?return=" + words.MatchURL(head.ID)}
			f.Next = append(f.Next, keep)
		}
		heads, err := tx.MatchesOf(me.ID, 1)
		if err != nil || len(heads) == 0 || heads[0].Status == match.Over {
			return err
		}
		next := matchview.LinkView{Text: p.T("match.next.match"), URL: words.MatchURL(heads[0].ID), Main: true}
		if next.URL == f.Rematch {
			return nil
		}
		f.Next = append([]matchview.LinkView{next}, f.Next...)
		return nil
	})
}

// frameRematch adds the ways on from a challenge's match: to ask for a rematch or to answer, and to another opponent.
func frameRematch(tx *store.Tx, p lang.Printer, head store.Head, me player.ID, now time.Time, f *scene.MatchFrame) error {
	of, err := tx.ChallengeOf(head.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	offered, err := tx.RematchOf(head.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	them := f.Players[head.SeatOf(me).Other().Index()].Name
	post := func(key, url string) matchview.LinkView {
		return matchview.LinkView{Text: p.T(key), URL: url, Posts: true, Here: true}
	}
	switch offered.StatusAt(now) {
	case challenge.Accepted:
		f.Rematch = words.MatchURL(offered.Match)
		f.Next = append(f.Next, matchview.LinkView{Text: p.T("challenge.rematch.go"), URL: f.Rematch, Main: true})
		return nil
	case challenge.Open:
		at := words.ChallengeURL(offered.ID)
		if offered.Challenger == me {
			f.Says = p.T("challenge.rematch.offered", "Name", them)
			f.Next = append(f.Next, post("challenge.withdraw", at+"/withdraw"))
			break
		}
		f.Says = p.T("challenge.rematch.wanted", "Name", them)
		accept := matchview.LinkView{Text: p.T("challenge.rematch.accept"), URL: at, Main: true}
		if offered.Settings.Policy.OrOpen().Level == fairplay.Open { // else its page tells first what it demands
			accept.URL, accept.Posts = at+"/accept", true
		}
		f.Next = append(f.Next, accept, post("challenge.decline", at+"/decline"))
	case challenge.Declined:
		if offered.Challenger == me {
			f.Says = p.T("challenge.rematch.declined", "Name", them)
			break
		}
		fallthrough
	default:
		if offered.StatusAt(now) == challenge.Expired {
			f.Says = p.T("challenge.rematch.expired")
		}
		again := post("challenge.rematch", words.MatchURL(head.ID)+"/rematch")
		again.Main = true
		f.Next = append(f.Next, again)
	}
	next, err := challenges.AnotherFor(tx, of, head, me)
	if err != nil {
		return err
	}
	if next == (challenges.Another{}) { // they were invited: others are found where one begins
		f.Next = append(f.Next, matchview.LinkView{Text: p.T("challenge.other"), URL: "/play"})
		return nil
	}
	other := matchview.LinkView{Text: p.T("challenge.other"), URL: words.MatchURL(head.ID) + "/opponent", Posts: true}
	if bot, ok := house.Named(next.Bot); ok {
		other.Text = p.T("challenge.other.bot", "Name", p.T(bot.NameKey()))
	}
	f.Next = append(f.Next, other)
	return nil
}

// frameStudy tells the loser what they learn most from: by the moments that decided the match once it has been analyzed,
// until then by how it ended.
func (s pages) frameStudy(ctx context.Context, p lang.Printer, view live.View, you match.Seat, f *scene.MatchFrame) error {
	head := view.Head
	winner, isWon := head.Result.Outcome.Winner()
	if !isWon || winner == you || head.Result.Reason == match.Forfeit {
		return nil
	}
	var r analysis.Report
	by := seats.Asker{Viewer: player.Viewer{Player: player.Player{ID: head.Players[you.Index()]}}}
	err := s.Arbiter.Seats.MayReadAnalysis(ctx, by, head, view.State.Game())
	if err == nil {
		var kept store.Analysis
		kept, err = store.Get(ctx, s.Store, func(tx *store.Tx) (store.Analysis, error) { return tx.Analysis(head.ID) })
		if err == nil && kept.State != store.AnalysisUnderWay && kept.Seq == head.Seq && kept.Body != "" {
			err = json.Unmarshal([]byte(kept.Body), &r)
		}
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, seats.ErrBeingPlayed) {
		return err
	}
	study := analysis.StudyOf(view.State, analysis.Moments(view.State, r))
	if study == analysis.StudyPieces {
		f.Study = matchview.LinkView{Text: p.T("puzzle.title"), URL: "/practice"}
		return nil
	}
	n := slices.IndexFunc(lesson.Lessons(), func(l lesson.Lesson) bool { return l.Key == string(study) }) + 1
	if n > 0 {
		f.Study = matchview.LinkView{Text: p.T("learn." + string(study) + ".title"), URL: words.LessonURL(n)}
	}
	return nil
}
