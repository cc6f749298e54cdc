package notation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
	"chpok.org/chpok/engine/match"
)

// Text writes a record for people to read; ParseText reads the record back.
func Text(r Record) ([]byte, error) {
	g, err := r.NewGame()
	if err != nil {
		return nil, err
	}
	w := textWriter{letters: r.First}
	w.headers(r)
	w.line("; Bidding: %d chips each, %s first.", r.Chips, r.First.Of(match.First))
	for _, raw := range r.Actions {
		g = w.action(g, raw)
	}
	w.endMoves()
	if result := g.Result(); !result.IsZero() {
		w.line("; %s", resultText(result, r.First))
	}
	return w.b.Bytes(), nil
}

type textWriter struct {
	b       bytes.Buffer
	letters match.Letters
	inLine  bool // a line with White's move is open for Black's
}

func (w *textWriter) line(format string, args ...any) {
	w.endMoves()
	fmt.Fprintf(&w.b, format+"\n", args...)
}

func (w *textWriter) endMoves() {
	if w.inLine {
		w.b.WriteByte('\n')
		w.inLine = false
	}
}

var plainKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func (w *textWriter) headers(r Record) {
	header := func(key string, value []byte) {
		if !plainKey.MatchString(key) {
			key = string(quoted(key))
		}
		w.line("[%s %s]", key, value)
	}
	header("chpok", []byte("1"))
	for _, m := range r.Others {
		header(m.Key, m.Value)
	}
	header("first", quoted(r.First.Of(match.First)))
	header("chips", fmt.Append(nil, r.Chips))
	if extra := r.extraJSON(); extra != nil {
		header("extraChips", extra)
	}
	header("claims", quoted(r.Claims.String()))
	if r.HasDefaults {
		header("defaults", featuresJSON(r.Defaults))
	}
	w.line("")
}

// action writes one action and returns the game after it.
func (w *textWriter) action(g match.Game, raw json.RawMessage) match.Game {
	next, err := Do(g, raw, w.letters)
	if err != nil {
		w.line("! %s", raw)
		return g
	}
	act, err := match.ParseAct(raw, w.letters)
	if err != nil {
		panic(err) // Do read it
	}
	t, plain := timesOf(raw, act, w.letters)
	move, isMove := act.(match.Played)
	switch {
	case !plain:
		w.line("! %s", raw)
	case isMove:
		w.move(g, move, t)
	default:
		w.line("%s%s", w.actText(g, act), t)
	}
	if next.OnBoard() && !g.OnBoard() {
		w.terms(next)
	}
	return next
}

// move writes a move, with White's and Black's on one line.
func (w *textWriter) move(g match.Game, e match.Played, t times) {
	pos := g.Position()
	switch {
	case w.inLine:
		fmt.Fprintf(&w.b, " %s%s\n", e.Action, t)
		w.inLine = false
	case pos.Turn() == board.White:
		fmt.Fprintf(&w.b, "%d. %s%s", pos.FullMove(), e.Action, t)
		w.inLine = true
	default:
		fmt.Fprintf(&w.b, "%d... %s%s\n", pos.FullMove(), e.Action, t)
	}
}

// actText returns the text of an accepted act other than a move, without times.
func (w *textWriter) actText(g match.Game, act match.Event) string {
	switch e := act.(type) {
	case match.BidPlaced:
		return w.bidText(g.Bids(), e)
	case match.Drawn:
		if e.Draw.Target == bidding.White {
			return "draw white: " + w.letters.Of(e.Draw.White)
		}
		return "draw time: " + e.Draw.Time.String()
	case match.Undone:
		return w.letters.Of(e.Seat) + " undo"
	case match.Claimed:
		if e.Win {
			return w.letters.Of(e.Seat) + " claims win"
		}
		return w.letters.Of(e.Seat) + " claims draw"
	case match.Resigned:
		return w.letters.Of(e.Seat) + " resigns"
	case match.FlagFell:
		return w.letters.Of(e.Seat) + " flag"
	}
	panic(fmt.Sprintf("notation: %T has no text", act))
}

func (w *textWriter) bidText(bids bidding.State, e match.BidPlaced) string {
	b := e.Bid
	if b.Chips == bids.Gap(b.Target, e.Seat) {
		return fmt.Sprintf("%s calls %s with %d", w.letters.Of(e.Seat), b.Target, b.Chips)
	}
	s := fmt.Sprintf("%s raises %s with %d", w.letters.Of(e.Seat), b.Target, b.Chips)
	switch b.Target {
	case bidding.Time:
		return s + " to " + b.Time.String()
	case bidding.HomeRow:
		return s + " to " + string(b.Row)
	case bidding.Features:
		return s + " to " + string(featuresJSON(b.Features))
	}
	return s
}

// terms writes a remark with the outcome of the bidding.
func (w *textWriter) terms(g match.Game) {
	t, _ := g.Terms()
	w.line("")
	w.line("; Board: %s plays White, %s, %s, %s", w.letters.Of(t.White), t.Time, t.Row, featuresJSON(t.Features))
}

func resultText(r match.Result, l match.Letters) string {
	points := fmt.Sprintf("points %d:%d", r.Points[0], r.Points[1])
	if l == match.FirstIsB {
		points = fmt.Sprintf("points %d:%d", r.Points[1], r.Points[0])
	}
	if by, ok := r.Outcome.Winner(); ok {
		return fmt.Sprintf("%s wins: %s, %s", l.Of(by), r.Reason, points)
	}
	return fmt.Sprintf("Draw: %s, %s", r.Reason, points)
}

// times are the times that an action of a record may have.
type times struct {
	hasClock, hasAt bool
	clock, at       int // ms
}

// timesOf reads the times of an action. plain reports whether the act and its times are all there
// is to the action, in canonical form.
func timesOf(raw json.RawMessage, act match.Event, l match.Letters) (t times, plain bool) {
	o, err := exact.ParseObject(raw)
	if err != nil {
		return t, false
	}
	if value, ok := o.Get("at"); ok {
		t.at, t.hasAt = exact.Int(value)
	}
	if value, ok := o.Get("clock"); ok {
		t.clock, t.hasClock = exact.Int(value)
	}
	canonical, err := actionJSON(act, l, t)
	return t, err == nil && t.fits() && bytes.Equal(raw, canonical)
}

// mostMs limits the times that the text form has; longer ones stay raw.
const mostMs = 1 << 50

func (t times) fits() bool { return t.clock >= 0 && t.clock < mostMs && t.at >= 0 && t.at < mostMs }

// actionJSON returns an action of a record with its times.
func actionJSON(act match.Event, l match.Letters, t times) (json.RawMessage, error) {
	raw, err := match.FormatAct(act, l)
	if err != nil {
		return nil, err
	}
	raw = raw[:len(raw)-1]
	if t.hasAt {
		raw = fmt.Appendf(raw, `,"at":%d`, t.at)
	}
	if t.hasClock {
		raw = fmt.Appendf(raw, `,"clock":%d`, t.clock)
	}
	return append(raw, '}'), nil
}

// String returns the times as in the text, after a space.
func (t times) String() string {
	switch {
	case t.hasClock && t.hasAt:
		return " (" + msText(t.clock) + " @" + msText(t.at) + ")"
	case t.hasClock:
		return " (" + msText(t.clock) + ")"
	case t.hasAt:
		return " (@" + msText(t.at) + ")"
	}
	return ""
}

// msText writes milliseconds as [H:]MM:SS.mmm.
func msText(ms int) string {
	h, m, s := ms/3600000, ms/60000%60, ms/1000%60
	if h > 0 {
		return fmt.Sprintf("%d:%02d:%02d.%03d", h, m, s, ms%1000)
	}
	return fmt.Sprintf("%02d:%02d.%03d", m, s, ms%1000)
}

var msForm = regexp.MustCompile(`^(?:([1-9][0-9]{0,12}):)?([0-5][0-9]):([0-5][0-9])\.([0-9]{3})$`)

// parseMs reads what msText writes.
func parseMs(text string) (int, error) {
	part := msForm.FindStringSubmatch(text)
	if part == nil {
		return 0, fmt.Errorf("%q is not a time", text)
	}
	total := 0
	for i, unit := range [...]int{3600000, 60000, 1000, 1} {
		n, _ := strconv.Atoi(part[i+1]) // the hours may be missing
		total += n * unit
	}
	return total, nil
}

// cutTimes cuts the times off the end of a line or move.
func cutTimes(line string) (rest string, t times, err error) {
	open := strings.LastIndex(line, " (")
	if open < 0 || !strings.HasSuffix(line, ")") {
		return line, t, nil
	}
	inner := line[open+2 : len(line)-1]
	clock, at, hasAt := strings.Cut(inner, "@")
	clock = strings.TrimSuffix(clock, " ")
	if clock != "" {
		if t.clock, err = parseMs(clock); err != nil {
			return line, t, err
		}
		t.hasClock = true
	}
	if hasAt {
		if t.at, err = parseMs(at); err != nil {
			return line, t, err
		}
		t.hasAt = true
	}
	return line[:open], t, nil
}
