package match

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// errClock refuses a text that is not a clock.
var errClock = refusal.Invalid("calls.error.clock", "web: a clock is hours:minutes:seconds")

// ruling carries out an act of the arbiter's panel.
func (s pages) ruling(c echo.Context) error {
	ctx, by, id := c.Request().Context(), page.Viewer(c), match.ID(c.Param("id"))
	act := c.FormValue("act")
	word := match.Warrant{By: string(by.ID), Why: strings.TrimSpace(words.Shorten(c.FormValue(act+"-why"), match.MaxWhy+1))}
	command, err := rulingOf(c, act, word)
	if err != nil {
		return s.rulingTrouble(c, act, err)
	}
	q := live.Request{Command: command}
	if turn := words.Shorten(c.FormValue("turn"), 30); turn != "" {
		seq, err := strconv.ParseInt(turn, 10, 64)
		if err != nil {
			return page.ErrBadRequest
		}
		q.CommandID, q.Seq = act+"/"+turn, &seq
	}
	next := id
	if act == "replay" {
		next, err = s.Arbiter.Judges.Replay(ctx, by, id, q)
	} else {
		err = s.Arbiter.Judges.Rule(ctx, by, id, q)
	}
	if err != nil {
		return s.rulingTrouble(c, act, err)
	}
	return c.Redirect(http.StatusSeeOther, words.MatchURL(next)+"#m-bench")
}

// rulingOf reads the form of an act.
func rulingOf(c echo.Context, act string, word match.Warrant) (match.Command, error) {
	switch act {
	case "pause":
		return match.Pause{Warrant: word}, nil
	case "resume":
		return match.Resume{Warrant: word}, nil
	case "clock":
		left, err := parseClock(c.FormValue("clock-left"))
		return match.SetClock{Warrant: word, Seat: seatNamed(c.FormValue("clock-of")), Left: left}, err
	case "take-back":
		n, err := strconv.Atoi(strings.TrimSpace(c.FormValue("take-back-actions")))
		if err != nil {
			n = 0 // the rulebook refuses
		}
		return match.TakeBack{Warrant: word, Actions: n}, nil
	case "declare":
		outcome, forfeit := declaredOf(c.FormValue("declare-result"))
		return match.Declare{Warrant: word, Outcome: outcome, Forfeit: forfeit}, nil
	case "void", "replay":
		return match.MakeVoid{Warrant: word}, nil
	case "reopen":
		r := match.Reopen{Warrant: word}
		for i, name := range [...]string{"reopen-first", "reopen-second"} {
			if text := c.FormValue(name); strings.TrimSpace(text) != "" {
				var err error
				if r.Left[i], err = parseClock(text); err != nil {
					return r, err
				}
			}
		}
		return r, nil
	}
	return nil, page.ErrBadRequest
}

// seatNamed returns the seat of a word; 0 for other words.
func seatNamed(word string) match.Seat {
	switch word {
	case match.First.String():
		return match.First
	case match.Second.String():
		return match.Second
	}
	return 0
}

func declaredOf(word string) (match.Outcome, bool) {
	for _, d := range words.Declarations {
		if d.Word == word {
			return d.Outcome, d.Forfeit
		}
	}
	return 0, false // the rulebook refuses
}

// parseClock reads a clock such as 1:02:03 or 5:00.
func parseClock(text string) (time.Duration, error) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, errClock
	}
	total := 0
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 999 || i > 0 && (n > 59 || len(part) != 2) || strings.HasPrefix(part, "+") {
			return 0, errClock
		}
		total = total*60 + n
	}
	return time.Duration(total) * time.Second, nil
}

// rulingTrouble shows the page with the refused form as it was filled in.
func (s pages) rulingTrouble(c echo.Context, act string, err error) error {
	status, text := s.refusedText(c, err)
	if text == "" {
		return err
	}
	trouble := ""
	if errors.Is(err, match.ErrStale) {
		trouble, text = text, "" // nothing is wrong with the form, which the page may not have any more
	}
	return s.showMatchWith(c, status, trouble, func(v *matchview.View) {
		if v.Bench == nil {
			return
		}
		for i := range v.Bench.Forms {
			if f := &v.Bench.Forms[i]; f.Act == act {
				fillBenchForm(c, f, err, text)
			}
		}
	})
}

func fillBenchForm(c echo.Context, f *matchview.BenchForm, err error, text string) {
	f.Open = true
	f.Why.Value = words.Shorten(c.FormValue(f.Why.Name), match.MaxWhy)
	if f.Select != nil {
		for i := range f.Select.Choices {
			f.Select.Choices[i].Chosen = f.Select.Choices[i].Value == c.FormValue(f.Select.Name)
		}
	}
	for i := range f.Fields {
		f.Fields[i].Value = words.Shorten(c.FormValue(f.Fields[i].Name), 20)
	}
	if len(f.Fields) > 0 && !errors.Is(err, &match.Refusal{Code: match.BadReason}) {
		f.Fields[0].Error, f.Fields[0].Focus = text, true
		return
	}
	f.Why.Error, f.Why.Focus = text, true
}

// refusedText returns the status and text of a refused ruling, call or message; no text for other errors.
func (s pages) refusedText(c echo.Context, err error) (int, string) {
	if status, text := s.CommandTrouble(c, err); text != "" {
		return status, text
	}
	status, isTold := page.InPlace(err)
	if !isTold || status == http.StatusNotFound {
		return 0, ""
	}
	return status, page.TextOf(s.Printer(c), err)
}

// meetOfForm reads a time to meet, from a button or as written in a zone; of two moments written the same, one that
// a player has named already.
func meetOfForm(p lang.Printer, text string, named []time.Time) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	at, err := civil.Read(text, p.Zone, named, p.Now())
	if err != nil {
		return at, malformed("meet")
	}
	return at, nil
}
