package web

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/live/practice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	boardview "chpok.org/chpok/templates/board"
	homeview "chpok.org/chpok/templates/home"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/learn"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

const (
	pastMatches = 4
	ratingWeek  = 7 * 24 * time.Hour
)

// pastOf returns the latest finished matches of a player that were played, as they see them. It leaves out a match
// with a broken log, so that the page stays.
func (s *Server) pastOf(ctx context.Context, of player.ID, mine []store.Head) (out []live.View, err error) {
	isPlayer := func(context.Context, store.Head) (bool, error) { return true, nil }
	for _, h := range mine {
		if h.Status != match.Over || len(out) == pastMatches {
			continue
		}
		v, err := s.Live.View(ctx, h.ID, isPlayer)
		switch {
		case errors.Is(err, match.ErrLog):
			s.Log.Error("match not shown", "match", h.ID, "err", err)
		case err != nil:
			return nil, err
		case v.State.Game().OnBoard():
			out = append(out, v)
		}
	}
	return out, nil
}

// pastMatch returns the small view of a finished match with its result for the player and what it did to their rating.
func pastMatch(
	p lang.Printer, place string, of player.ID, a scene.Around, v live.View, now time.Time, week []store.RatingChange,
) boardview.LiveView {
	out := scene.ViewLive(p, place, a.Frame(p, v), v, now, 0)
	us := v.Head.SeatOf(of)
	winner, won := v.State.Result().Outcome.Winner()
	switch {
	case won && winner == us:
		out.Line = p.T("match.result.you-won")
	case won:
		out.Line = p.T("match.result.you-lost")
	}
	for _, c := range week {
		if c.Played == v.Head.ID {
			out.Line += " · " + p.Signed((c.After - c.Before).Whole())
		}
	}
	return out
}

// today returns the viewer's rating of the week, the puzzle of the day and the next lesson.
func (s *Server) today(
	tx *store.Tx, p lang.Printer, v player.Viewer, week []store.RatingChange, daily store.Puzzle,
) (t homeview.Today, err error) {
	now := s.Now()
	ratings, err := tx.Ratings(v.ID)
	if err != nil {
		return t, err
	}
	if r, rated := ratings[v.ID]; rated {
		t.Rating = words.RatingText(p, r)
		t.Line = ratingLine(week)
		if len(week) > 0 {
			first := week[0].Before.Whole()
			gained := r.Rating.Whole() - first
			t.Change, t.Up = p.Signed(gained), gained > 0
			t.LineLabel = p.T("player.chart-label", "From", p.Int(first), "To", p.Int(r.Rating.Whole()),
				"First", p.Date(week[0].At), "Last", p.Date(week[len(week)-1].At))
		}
	}
	done, err := tx.Learned(v.ID)
	if err != nil {
		return t, err
	}
	if l, left := learn.NextLesson(p, done); left {
		t.Lesson = &homeview.NextLesson{URL: l.URL, Kick: p.T("home.lesson", "N", l.Number, "Of", words.Itoa(l.Of)), Title: l.Title, Rule: l.Rule}
	}
	if daily.ID == "" {
		return t, nil
	}
	streak, answered, err := practice.Streak(tx, v.ID, now.In(s.Zone()))
	if err != nil {
		return t, err
	}
	t.Puzzle = &homeview.DailyPuzzle{Title: learn.PuzzleTitle(p, daily.What), Do: p.T("puzzle.daily.do")}
	if streak > 0 {
		t.Puzzle.Streak = p.N("puzzle.daily.streak", streak)
	}
	switch {
	case answered.Solved:
		t.Puzzle.IsDone, t.Puzzle.Do = true, p.T("puzzle.daily.done")
	case answered.Day != "":
		t.Puzzle.Do = p.T("puzzle.daily.missed")
	}
	if daily.What.Table == nil {
		root, err := daily.What.Root()
		if err != nil {
			return t, err
		}
		mini := scene.MiniBoard(p, root.Position, daily.What.Last, root.Position.Turn() == board.Black)
		t.Puzzle.Board = &mini
	}
	return t, nil
}

// ratingLine returns the points of a line through the ratings before and after changes, within 100 × 30.
func ratingLine(changes []store.RatingChange) string {
	if len(changes) == 0 {
		return ""
	}
	values := []rating.Rating{changes[0].Before}
	for _, c := range changes {
		values = append(values, c.After)
	}
	low, high := values[0], values[0]
	for _, r := range values {
		low, high = min(low, r), max(high, r)
	}
	var line strings.Builder
	for i, r := range values {
		y := 15.0
		if high > low {
			y = 30 * float64(high-r) / float64(high-low)
		}
		fmt.Fprintf(&line, "%.1f,%.1f ", 100*float64(i)/float64(len(values)-1), y)
	}
	return strings.TrimSpace(line.String())
}
