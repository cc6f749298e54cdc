package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/live/practice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
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

// backHome returns the viewer's latest finished matches, rating of the week, puzzle of the day and next lesson. Nobody
// waits for them, so the page's feed leaves them as they are.
func (s *Server) backHome(ctx context.Context, p lang.Printer, v player.Viewer, mine []store.Head) (b homeview.BackHome, err error) {
	now := s.Now().In(s.Zone())
	b.Page = words.PlayerURL(v.Handle)
	past, err := s.PastOf(ctx, mine, pastMatches)
	if err != nil {
		return b, err
	}
	daily, err := s.Daily.Puzzle(ctx, now)
	hasDaily := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return b, err
	}
	return b, s.Store.Read(ctx, func(tx *store.Tx) error {
		week, err := tx.RatingChangesSince(v.ID, now.Add(-ratingWeek))
		if err != nil {
			return err
		}
		around, err := scene.ReadAround(tx, past)
		if err != nil {
			return err
		}
		for i, view := range past {
			b.Past = append(b.Past, scene.PastMatch(p, "past-"+words.Itoa(i+1), v.ID, true, around, view, now, week))
		}
		ratings, err := tx.Ratings(v.ID)
		if err != nil {
			return err
		}
		if r, rated := ratings[v.ID]; rated {
			showWeek(p, &b, r, week)
		}
		done, err := tx.Learned(v.ID)
		if err != nil {
			return err
		}
		if l, of, left := learn.NextLesson(p, done); left {
			b.Lesson, b.LessonKick = l, p.T("home.lesson", "N", l.Number, "Of", words.Itoa(of))
		}
		if hasDaily {
			b.Puzzle, err = dailyPuzzle(tx, p, v, daily, now)
		}
		return err
	})
}

// showWeek adds the rating and its changes of the last days.
func showWeek(p lang.Printer, b *homeview.BackHome, now store.Rating, week []store.RatingChange) {
	b.Rating = words.RatingText(p, now)
	week = slices.DeleteFunc(slices.Clone(week), func(c store.RatingChange) bool { return c.Before == 0 }) // the first rating is no gain
	if len(week) == 0 {
		return
	}
	first, last := week[0], week[len(week)-1]
	gained := now.Rating.Whole() - first.Before.Whole()
	b.Change, b.Up, b.Line = p.Signed(gained), gained > 0, ratingLine(week)
	b.LineLabel = p.T("player.chart-label", "From", p.Int(first.Before.Whole()), "To", p.Int(now.Rating.Whole()),
		"First", p.Date(first.At), "Last", p.Date(last.At))
}

// dailyPuzzle returns the puzzle of the day and how the viewer stands with it.
func dailyPuzzle(tx *store.Tx, p lang.Printer, v player.Viewer, daily store.Puzzle, now time.Time) (*homeview.DailyPuzzle, error) {
	streak, answered, err := practice.Streak(tx, v.ID, now)
	if err != nil {
		return nil, err
	}
	d := &homeview.DailyPuzzle{Title: learn.PuzzleTitle(p, daily.What), Do: p.T("puzzle.daily.do")}
	if streak > 0 {
		d.Streak = p.N("puzzle.daily.streak", streak)
	}
	switch {
	case answered.Solved:
		d.IsDone, d.Do = true, p.T("puzzle.daily.done")
	case answered.Day != "":
		d.Do = p.T("puzzle.daily.missed")
	}
	if daily.What.Table != nil {
		return d, nil
	}
	root, err := daily.What.Root()
	if err != nil {
		return nil, err
	}
	mini := scene.MiniBoard(p, root.Position, daily.What.Last, root.Position.Turn() == board.Black)
	d.Board = &mini
	return d, nil
}

// ratingLine returns the points of a line through the ratings before and after changes, within 100 × 30.
func ratingLine(changes []store.RatingChange) string {
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
