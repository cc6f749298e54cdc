package learn

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/lesson"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	learnview "chpok.org/chpok/templates/learn"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) learnRoutes() []page.Route {
	return []page.Route{
		page.Get("/learn", s.learn, page.Anyone),
		page.Get("/learn/:number", s.lesson, page.Anyone),
	}
}

// cookieLearned holds the lessons done in a browser, as bits from the first.
const cookieLearned = "learned"

// learnedHere returns the lessons done in the browser.
func learnedHere(c echo.Context) uint64 {
	done, _ := strconv.ParseUint(page.Cookie(c, cookieLearned), 10, 64) // anything else counts as none
	return done & (1<<len(lesson.Lessons()) - 1)
}

// learned returns the lessons that the viewer has done, in this browser or with the account.
func (s pages) learned(c echo.Context) (done uint64, err error) {
	here, v := learnedHere(c), page.Viewer(c)
	if !v.IsSignedIn() {
		return here, nil
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		done, err = tx.Learned(v.ID)
		return err
	})
	return done | here, err
}

// noteLearned records a lesson as done, in the browser and with the account.
func (s pages) noteLearned(c echo.Context, number int) error {
	here, v := learnedHere(c)|1<<(number-1), page.Viewer(c)
	done := here
	if v.IsSignedIn() {
		err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
			before, err := tx.Learned(v.ID)
			if err != nil || before|here == before {
				done = before
				return err
			}
			done = before | here
			return tx.SetLearned(v.ID, done)
		})
		if err != nil {
			return err
		}
	}
	s.SetCookie(c, cookieLearned, strconv.FormatUint(done, 10), page.Year, true)
	return nil
}

// NextLesson returns the first lesson that is not among those done, and how many lessons there are; false if all are.
func NextLesson(p lang.Printer, done uint64) (line learnview.LessonLine, of int, ok bool) {
	all := lessonLines(p, done)
	i := slices.IndexFunc(all, func(l learnview.LessonLine) bool { return !l.Done })
	if i < 0 {
		return line, len(all), false
	}
	return all[i], len(all), true
}

func lessonLines(p lang.Printer, done uint64) (list []learnview.LessonLine) {
	for i, l := range lesson.Lessons() {
		list = append(list, learnview.LessonLine{
			URL: words.LessonURL(i + 1), Number: words.Itoa(i + 1), Title: p.T("learn." + l.Key + ".title"), Rule: p.T("learn." + l.Key + ".rule"),
			Done: done>>i&1 == 1,
		})
	}
	return list
}

func (s pages) learn(c echo.Context) error {
	p := s.Printer(c)
	done, err := s.learned(c)
	if err != nil {
		return err
	}
	view := learnview.LearnView{Began: done != 0, Lessons: lessonLines(p, done)}
	if next, _, left := NextLesson(p, done); left {
		view.Next = next.URL
	}
	sh := s.Shell(c, p.T("learn.title"))
	sh.Section, sh.Styles = "learn", []string{"board.css", "learn.css"}
	return s.Render(c, http.StatusOK, learnview.LearnPage(sh, view))
}

// lesson renders a lesson at the step to which the acts in the address lead.
func (s pages) lesson(c echo.Context) error {
	number, err := strconv.Atoi(c.Param("number"))
	if err != nil {
		return echo.ErrNotFound
	}
	l, err := lesson.Get(number)
	if err != nil {
		return echo.ErrNotFound
	}
	query := c.QueryParams()
	if do := query.Get("do"); do != "" { // the form; the next step has an address of its own
		return c.Redirect(http.StatusSeeOther, words.LessonURL(number)+"?"+url.Values{"act": append(query["act"], lessonAct(query))}.Encode())
	}
	acts := query["act"]
	if len(acts) > 20 {
		return page.ErrBadRequest
	}
	step, refused := l.Play(acts)
	if refused != nil {
		acts = acts[:step.Taken]
	}
	if step.Status == lesson.Done {
		if err := s.noteLearned(c, number); err != nil {
			return err
		}
	}
	p := s.Printer(c)
	sh := s.Shell(c, p.T("learn."+l.Key+".title"))
	sh.Section, sh.Styles, sh.Scripts, sh.Compact, sh.NoIndex = "learn", []string{"board.css", "learn.css"}, []string{"learn.js"}, true,
		len(acts) > 0
	code := http.StatusOK
	if refused != nil {
		code = http.StatusUnprocessableEntity
	}
	return s.Render(c, code, learnview.LessonPage(sh, viewLesson(p, l, number, step, acts, refused)))
}

// lessonAct returns the act in the form of a bidding lesson.
func lessonAct(query url.Values) string {
	if query.Get("do") == "call" {
		return "call"
	}
	act := "raise " + query.Get("chips")
	if row := strings.Join(query["row"], ""); row != "" {
		act += " " + row
	}
	return words.Shorten(act, 40)
}

func viewLesson(p lang.Printer, l lesson.Lesson, number int, step lesson.Step, acts []string, refused error) learnview.LessonView {
	key := "learn." + l.Key
	of := len(lesson.Lessons())
	v := learnview.LessonView{
		URL: words.LessonURL(number), Number: number, Of: of, Title: p.T(key + ".title"), Rule: p.T(key + ".rule"), Say: p.T(key + ".say"),
		Done: step.Status == lesson.Done, Again: step.Status == lesson.Again, Acts: acts, Next: words.LessonURL(number + 1), Last: number == of,
	}
	if step.Word != "" {
		v.Say = p.T(key + ".say." + step.Word)
		if v.Done || v.Again {
			v.Note = p.T(key + ".note." + step.Word)
		}
	}
	var unfit *board.SetupError
	var illegal *board.IllegalError
	switch {
	case refused == nil:
	case l.Bids != nil && errors.As(refused, &unfit):
		v.Trouble = p.T("learn.refused.row")
	case l.Bids != nil:
		v.Trouble = p.T("learn.refused.bid", "Lead", step.Bids.Gap(l.Bids.Target, l.Bids.Me), "Least", step.Bids.LeastRaise(l.Bids.Target))
	case errors.As(refused, &illegal), errors.Is(refused, lesson.ErrAct):
		v.Trouble = p.T("learn.refused.move")
	}
	if l.Bids != nil {
		v.Bids = viewLessonBids(p, *l.Bids, step)
		return v
	}
	b := scene.ViewBoard(p, step.Board, step.Last, false)
	b.N, b.Side = words.Itoa(step.Played), "w"
	if step.Status == lesson.Asked {
		b.Legal = scene.LegalText(step.Board)
	}
	v.Board = &b
	if v.Done || v.Again {
		x := scene.ExploredRoot(search.Root{Position: step.Board})
		x.IsAsked = true
		v.Explore = x.URL()
	}
	if mine, theirs := step.Board.Points(board.White), step.Board.Points(board.Black); mine != 0 || theirs != 0 {
		v.Score = learnview.Score{Mine: p.Int(mine), Theirs: p.Int(theirs), Them: p.T("learn.pishak")}
	}
	v.Ranks = l.Key == "ranks" || l.Key == "claim"
	return v
}

func viewLessonBids(p lang.Printer, l lesson.Bids, step lesson.Step) *learnview.LessonBids {
	s, me := step.Bids, l.Me
	gap := s.Gap(l.Target, me)
	v := &learnview.LessonBids{
		Legend: p.T("learn.legend", "N", s.Purse(me)), Call: p.T("learn.call-n", "N", gap), Raise: p.T("learn.raise-n", "N", "{}"),
	}
	for target := bidding.White; target <= bidding.Features; target++ {
		row := learnview.LessonRow{
			Name: scene.TargetName(p, target), Theirs: s.Stake(target, me.Other()), Mine: s.Stake(target, me), On: target == l.Target,
			Now: p.T("learn.now." + target.String()),
		}
		if row.On {
			row.Now, row.Lead = lessonNow(p, s, target, me), lessonLead(p, s.Gap(target, me))
			if target == bidding.HomeRow && !s.Row().IsStandard() {
				row.Row = string(s.Row())
			}
		}
		v.Rows = append(v.Rows, row)
	}
	least := s.LeastRaise(l.Target)
	for n := 1; n <= s.Purse(me); n++ {
		chip := learnview.LessonChip{N: n, Kind: "raise", Chosen: n == least}
		if n < gap {
			chip.Kind = "few"
		} else if n == gap {
			chip.Kind = "call"
		}
		v.Chips = append(v.Chips, chip)
	}
	asBlack := false
	if white, decided := s.White(); l.Target == bidding.White {
		asBlack = decided && white != me
		v.Caption = p.T("learn.preview.white")
		if asBlack {
			v.Caption = p.T("learn.preview.black")
		}
	} else {
		v.Caption = p.T("learn.preview.row")
		for _, letter := range "KQRBNDP" {
			v.Row = append(v.Row, templates.Choice{Value: string(letter), Text: string(letter)})
		}
		v.Slots = strings.Split("DNBQKBND", "")
	}
	v.Preview = scene.StartBoard(p, s.Features(), s.Row(), asBlack)
	return v
}

func lessonNow(p lang.Printer, s bidding.State, target bidding.Target, me bidding.Seat) string {
	if target == bidding.White {
		if white, _ := s.White(); white == me {
			return p.T("learn.white.mine")
		}
		return p.T("learn.white.theirs")
	}
	return p.T("learn.row.standard")
}

func lessonLead(p lang.Printer, gap int) string {
	switch {
	case gap > 0:
		return p.T("learn.lead.theirs", "N", gap)
	case gap < 0:
		return p.T("learn.lead.mine", "N", -gap)
	}
	return p.T("learn.even")
}
