package learn

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/live/practice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	learnview "chpok.org/chpok/templates/learn"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) practiceRoutes() []page.Route {
	return []page.Route{
		page.Get("/practice", s.nextPuzzle, page.Anyone),
		page.Get("/practice/daily", s.dailyPuzzle, page.Anyone),
		page.Get("/practice/:id", s.puzzle, page.Anyone),
		page.Post("/practice/:id", s.tryPuzzle, page.Anyone),
	}
}

func puzzleURL(id string) string { return "/practice/" + id }

// nextPuzzle redirects to a puzzle that the viewer has not tried or, without an account, to the one after the present.
func (s pages) nextPuzzle(c echo.Context) error {
	next, err := s.nextOf(c.Request().Context(), page.Viewer(c), c.QueryParam("after"))
	if errors.Is(err, store.ErrNotFound) {
		sh := s.Shell(c, s.Printer(c).T("puzzle.title"))
		sh.Section = "learn"
		return s.Render(c, http.StatusOK, learnview.NoPuzzlePage(sh))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, puzzleURL(next.ID))
}

// nextOf is a puzzle that somebody has not tried or, without an account, the one after another.
func (s pages) nextOf(ctx context.Context, by player.Viewer, after string) (next store.Puzzle, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if by.HasAccount() {
			next, err = practice.Next(tx, by.ID)
			return err
		}
		var here store.Puzzle
		if after != "" {
			if here, err = tx.Puzzle(after); err != nil {
				return err
			}
		}
		next, err = tx.PuzzleAfter(here)
		return err
	})
	return next, err
}

// dailyPuzzle redirects to the puzzle of the day.
func (s pages) dailyPuzzle(c echo.Context) error {
	today, err := s.Daily.Puzzle(c.Request().Context(), s.Now().In(s.Zone()))
	if errors.Is(err, store.ErrNotFound) {
		return c.Redirect(http.StatusSeeOther, "/practice")
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, puzzleURL(today.ID))
}

func (s pages) puzzle(c echo.Context) error { return s.showPuzzle(c, attempt{}) }

// tryPuzzle judges the solver's acts so far. The first try with an account is rated.
func (s pages) tryPuzzle(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil || len(form["act"]) > 10 {
		return page.ErrBadRequest
	}
	if form.Has("raise") {
		return s.showPuzzle(c, attempt{raise: form.Get("raise"), isTried: true})
	}
	acts := make([]board.Action, 0, len(form["act"]))
	for _, text := range form["act"] {
		a, _ := board.ParseAction(text) // the zero action is illegal
		acts = append(acts, a)
	}
	return s.showPuzzle(c, attempt{acts: acts, isTried: len(acts) > 0})
}

// attempt is a solver's answer: acts on the board, or one of the bids.
type attempt struct {
	acts    []board.Action
	raise   string
	isTried bool
}

// at returns the step to which an attempt leads.
func (a attempt) at(what puzzle.Puzzle) (step puzzle.Step, err error) {
	switch {
	case what.Table == nil && a.raise != "":
		step, _ = what.Try(nil)
		return step, puzzle.ErrAct
	case what.Table == nil:
		return what.Try(a.acts)
	case !a.isTried:
		return puzzle.Step{Status: puzzle.Asked}, nil
	}
	n, err := strconv.Atoi(a.raise)
	if err != nil {
		n = -1
	}
	step.Status, err = what.Table.Pick(n)
	return step, err
}

// judged is a puzzle after an attempt.
type judged struct {
	put           store.Puzzle
	step          puzzle.Step
	refused       error // the attempt is none: puzzle.ErrAct
	before, after store.PuzzleTry
	isKnown       bool // tried before
	isDaily       bool
	streak        int // of days
}

// judge judges an attempt at a puzzle, and notes the first of an account.
func (s pages) judge(ctx context.Context, v player.Viewer, id string, tried attempt) (j judged, err error) {
	now := s.Now().In(s.Zone())
	today, err := s.Daily.Puzzle(ctx, now)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return j, err
	}
	look := func(tx *store.Tx) (err error) {
		j = judged{isDaily: today.ID == id}
		if j.put, err = tx.Puzzle(id); err != nil {
			return err
		}
		if j.step, j.refused = tried.at(j.put.What); j.refused != nil && !errors.Is(j.refused, puzzle.ErrAct) {
			return j.refused
		}
		if !v.HasAccount() {
			return nil
		}
		if j.before, err = practice.Standing(tx, v.ID); err != nil {
			return err
		}
		_, err = tx.TryOf(v.ID, j.put.ID)
		if j.isKnown = err == nil; !j.isKnown && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		isSolved := j.step.Status == puzzle.Solved
		if j.step.Status != puzzle.Asked && !j.isKnown {
			if err = practice.Note(tx, j.put, v.ID, isSolved, now); err != nil {
				return err
			}
		}
		if j.isDaily {
			if isSolved || j.step.Status == puzzle.Wrong {
				if err = practice.NoteDaily(tx, v.ID, isSolved, now); err != nil {
					return err
				}
			}
			if j.streak, _, err = practice.Streak(tx, v.ID, now); err != nil {
				return err
			}
		}
		j.after, err = practice.Standing(tx, v.ID)
		return err
	}
	run := s.Store.Read
	if tried.isTried && v.HasAccount() {
		run = s.Store.Write
	}
	return j, run(ctx, look)
}

func (s pages) showPuzzle(c echo.Context, tried attempt) error {
	v, p := page.Viewer(c), s.Printer(c)
	j, err := s.judge(c.Request().Context(), v, c.Param("id"), tried)
	if err != nil {
		return err
	}
	put, step := j.put, j.step
	var view puzzleView
	if put.What.Table != nil {
		view = viewRaise(p, put, step.Status, tried)
	} else {
		view = viewPuzzle(p, put, step, tried.acts[:min(len(tried.acts), step.Played)])
	}
	view.IsKnown = j.isKnown
	view.showStanding(p, v, j.before, j.after)
	if j.isDaily {
		view.Daily = p.T("puzzle.daily")
		if j.streak > 0 {
			view.Daily += " · " + p.N("puzzle.daily.streak", j.streak)
		}
	}
	if put.What.Table == nil && (view.Done || view.Wrong) {
		view.Why = p.T("puzzle.why." + put.What.Theme.String())
	}
	sh := s.Shell(c, p.T("puzzle.title"))
	sh.Section, sh.Styles, sh.Scripts, sh.Compact = "learn", []string{"board.css", "learn.css"}, []string{"learn.js"}, true
	code := http.StatusOK
	if j.refused != nil {
		view.Trouble, code = p.T(refusedKey(put.What)), http.StatusUnprocessableEntity
	}
	if put.What.Table != nil {
		return s.Render(c, code, learnview.RaisePage(sh, view.PuzzleView))
	}
	return s.Render(c, code, learnview.PuzzlePage(sh, view.PuzzleView))
}

// refusedKey returns the key of the text for an impossible answer.
func refusedKey(what puzzle.Puzzle) string {
	if what.Table != nil {
		return "puzzle.raise.none"
	}
	return "learn.refused.move"
}

type puzzleView struct{ learnview.PuzzleView }

// showStanding adds the solver's rating and what the try has changed.
func (v *puzzleView) showStanding(p lang.Printer, by player.Viewer, before, after store.PuzzleTry) {
	if !by.HasAccount() {
		v.Standing, v.IsNobody = p.T("puzzle.nobody"), true
		return
	}
	whole := func(t store.PuzzleTry) int { return int(math.Round(t.Rating.Rating)) }
	v.Standing = p.T("puzzle.rating", "N", words.Itoa(whole(after)))
	if after.N > before.N {
		v.Standing += " (" + p.Signed(whole(after)-whole(before)) + ")"
	}
	if v.Note == p.T("puzzle.one") && !v.IsKnown {
		v.Note = p.T("puzzle.first")
	}
	if after.Streak > 1 {
		v.Standing += " · " + p.N("puzzle.streak", after.Streak)
	}
	if v.IsKnown {
		v.Standing += " · " + p.T("puzzle.known")
	}
}

func viewPuzzle(p lang.Printer, put store.Puzzle, step puzzle.Step, acts []board.Action) (v puzzleView) {
	what, position := put.What, step.Root.Position
	start, _ := what.Root() // Try has parsed it
	us := start.Position.Turn()
	v.URL, v.Next, v.Title = puzzleURL(put.ID), "/practice?after="+put.ID, PuzzleTitle(p, what)
	v.Turn = p.T("puzzle." + us.String())
	for _, a := range acts {
		v.Acts = append(v.Acts, a.String())
	}
	b := scene.ViewBoard(p, position, step.Last, us == board.Black)
	b.N, b.Side = words.Itoa(step.Played), us.String()[:1]
	switch step.Status {
	case puzzle.Solved:
		v.Done, v.Note = true, p.T("puzzle.solved")
	case puzzle.Wrong:
		v.Wrong, v.Note = true, p.T("puzzle.wrong", "Line", scene.LineText(start.Position, what.Answer))
	default:
		b.Legal = scene.LegalText(position)
		v.Note = p.T("puzzle.one")
		if step.Played > 0 {
			v.Note = p.T("puzzle.on")
		}
	}
	v.Board = b
	if (v.Done || v.Wrong) && put.Match != "" {
		v.From = words.MatchURL(put.Match) + "/replay?ply=" + words.Itoa(put.Ply)
	}
	if v.Done || v.Wrong {
		x := scene.ExploredRoot(start)
		x.AsBlack, x.IsAsked = us == board.Black, true
		v.Explore = x.URL()
	}
	v.Score = learnview.Score{Mine: p.Int(position.Points(us)), Theirs: p.Int(position.Points(us.Other())), Them: p.T("puzzle.them")}
	if leads, moves, ok := step.Root.ClaimIn(); ok && moves <= nearClaim && step.Status == puzzle.Asked {
		key := "puzzle.claim.theirs"
		if leads == us {
			key = "puzzle.claim.mine"
		}
		v.Claim = p.N(key, max(1, moves))
	}
	v.Rules = scene.FeatureTexts(p, what.Features)
	return v
}

// nearClaim is the number of moves to a claim from which it is shown.
const nearClaim = 6

// PuzzleTitle returns what a puzzle asks for.
func PuzzleTitle(p lang.Printer, what puzzle.Puzzle) string {
	switch what.Theme {
	case puzzle.Save, puzzle.Pays:
		return p.T("puzzle." + what.Theme.String())
	case puzzle.Piece:
		return p.T("puzzle.win." + what.Prize)
	}
	return p.N("puzzle."+what.Theme.String(), what.Moves())
}
