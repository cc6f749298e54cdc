package form

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// timeLayout is how a program may write a time of the form, pickLayout how a
// browser's date picker does, both in the viewer's zone.
const (
	TimeLayout = "2006-01-02 15:04"
	pickLayout = "2006-01-02T15:04"
)

// EnvelopeNamed is a ready-made envelope.
func EnvelopeNamed(name string) bidding.Envelope {
	e := bidding.DefaultEnvelope()
	switch name {
	case "quick":
		e.Chips, e.Minutes, e.Increment, e.Widths = 8, [2]int{2, 5}, [2]int{0, 3}, []int{6, 8}
		e.MoveLimit, e.Undos = [2]int{10, 40}, [2]int{0, 0}
		e.Presets = []bidding.TimeControl{{Minutes: 3, Increment: 2}, {Minutes: 5, Increment: 0}}
	case "free":
	case "short", "points", "sprint":
		for _, named := range fairplay.Envelopes() {
			if named.Name == name {
				return named.Envelope
			}
		}
	default:
		e.Minutes, e.Increment, e.Widths = [2]int{3, 15}, [2]int{0, 10}, []int{6, 8, 10}
		e.MoveLimit, e.Undos = [2]int{10, 60}, [2]int{0, 1}
		e.Presets = []bidding.TimeControl{{Minutes: 5, Increment: 3}, {Minutes: 10, Increment: 5}}
	}
	e.Defaults.MoveLimit = min(e.MoveLimit[1], 888)
	return e
}

// EnvelopeSpan is a lowest and a highest of an envelope.
type EnvelopeSpan struct {
	Name  string
	Field func(*bidding.Envelope) *[2]int
}

// The numbers of an envelope with a lowest and a highest.
var EnvelopeSpans = []EnvelopeSpan{
	{"minutes", func(e *bidding.Envelope) *[2]int { return &e.Minutes }},
	{"increment", func(e *bidding.Envelope) *[2]int { return &e.Increment }},
	{"moveLimit", func(e *bidding.Envelope) *[2]int { return &e.MoveLimit }},
	{"undos", func(e *bidding.Envelope) *[2]int { return &e.Undos }},
	{"castlings", func(e *bidding.Envelope) *[2]int { return &e.Castlings }},
	{"movePoints", func(e *bidding.Envelope) *[2]int { return &e.MovePoints }},
}

// envelopeValues is what a form shows of the limits of bidding.
func envelopeValues(v url.Values, e bidding.Envelope) {
	v.Set("chips", words.Itoa(e.Chips))
	for _, span := range EnvelopeSpans {
		b := span.Field(&e)
		v.Set(span.Name+"_low", words.Itoa(b[0]))
		v.Set(span.Name+"_high", words.Itoa(b[1]))
	}
	for _, w := range e.Widths {
		v.Add("widths", words.Itoa(w))
	}
	for _, key := range bidding.Switches {
		if !slices.Contains(e.Forbidden, key) {
			v.Add("switches", key)
		}
	}
	Flag(v, "any_row", e.AnyRow)
	var presets []string
	for _, t := range e.Presets {
		presets = append(presets, t.String())
	}
	v.Set("presets", strings.Join(presets, ", "))
	v.Set("default_limit", words.Itoa(e.Defaults.MoveLimit))
	v.Set("default_points", pointsText(e.Defaults.MovePoints))
}

func Flag(v url.Values, name string, on bool) {
	if on {
		v.Set(name, "on")
	}
}

func CodesOf(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return r == ',' || r == ' ' || r == ';' || r == '\n' || r == '\r' })
}

type FormReader struct {
	Printer  lang.Printer
	Values   url.Values
	Problems []tournament.Problem
}

func (r *FormReader) Fault(field, why, text string) {
	r.Problems = append(r.Problems, tournament.Problem{Field: field, Why: why, Text: text})
}

// Named is what a field names, one of the words that parse knows.
func Named[T any](r *FormReader, field string, parse func(string) (T, error)) T {
	x, err := parse(r.Values.Get(field))
	if err != nil {
		r.Fault(field, "missing", err.Error())
	}
	return x
}

func (r *FormReader) Number(name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(r.Values.Get(name)))
	if err != nil || n < 0 || n > 1_000_000 {
		r.Fault(name, "number", fmt.Sprintf("%s: a whole number is needed", name))
		return 0
	}
	return n
}

// moment reads a point of time in the reader's zone; the zero time where it is none.
func (r *FormReader) moment(name, text string) time.Time {
	t, err := time.ParseInLocation(TimeLayout, strings.Replace(text, "T", " ", 1), r.Printer.Zone)
	if err != nil {
		r.Fault(name, "form", fmt.Sprintf("%s: %q is not like 2026-11-30 18:00", name, words.Shorten(text, 40)))
		return time.Time{}
	}
	return t.UTC()
}

// Duration reads a length of time in minutes.
func (r *FormReader) Duration(name string) time.Duration {
	d, err := words.ReadDuration(r.Values.Get(name))
	if err != nil {
		r.Fault(name, "number", name+": minutes are needed, like 5 or 2:30")
	}
	return d
}

// Policy is the policy of fair play; what is wrong with it is told in words.
func (r *FormReader) Policy(was fairplay.Policy) fairplay.Policy {
	policy, err := ReadPolicy(r.Values, was)
	var loose *fairplay.PolicyError
	if errors.As(err, &loose) {
		r.Fault("policy", "range", PolicyTrouble(r.Printer, loose))
	}
	return policy
}

func (r *FormReader) Envelope() bidding.Envelope {
	e := bidding.DefaultEnvelope()
	e.Chips = r.Number("chips")
	for _, span := range EnvelopeSpans {
		*span.Field(&e) = [2]int{r.Number(span.Name + "_low"), r.Number(span.Name + "_high")}
	}
	e.Widths = nil
	for _, w := range r.Values["widths"] {
		e.Widths = append(e.Widths, words.AtoiOr(w, 0))
	}
	slices.Sort(e.Widths)
	for _, key := range bidding.Switches {
		if !slices.Contains(r.Values["switches"], key) {
			e.Forbidden = append(e.Forbidden, key)
		}
	}
	e.AnyRow = r.Values.Get("any_row") != ""
	e.Presets = nil
	for _, text := range strings.FieldsFunc(r.Values.Get("presets"), func(c rune) bool { return c == ',' || c == ' ' || c == ';' }) {
		minutes, increment, _ := strings.Cut(text, "+")
		t := bidding.TimeControl{Minutes: words.AtoiOr(minutes, 0), Increment: words.AtoiOr(increment, 0)}
		e.Presets = append(e.Presets, t)
	}
	// What the form does not ask for stays as near to the usual as the bounds let it.
	f := &e.Defaults
	if len(e.Widths) > 0 && !slices.Contains(e.Widths, f.Width) {
		f.Width = e.Widths[0]
	}
	f.MoveLimit = r.Number("default_limit")
	r.points(&f.MovePoints)
	f.Undos, f.Castlings = within(f.Undos, e.Undos), within(f.Castlings, e.Castlings)
	for kind := range f.MovePoints {
		if kind > 0 {
			f.MovePoints[kind] = within(f.MovePoints[kind], e.MovePoints)
		}
	}
	return e
}

// pointsText is the points for moves, those that are not 0: P1 N6.
func pointsText(points [8]int) string {
	var out []string
	for kind, n := range points {
		if n != 0 {
			out = append(out, board.Kind(kind).String()+words.Itoa(n))
		}
	}
	return strings.Join(out, " ")
}

// points reads what pointsText writes.
func (r *FormReader) points(points *[8]int) {
	for word := range strings.FieldsSeq(strings.ToUpper(strings.ReplaceAll(r.Values.Get("default_points"), ",", " "))) {
		kind := slices.IndexFunc(words.Kinds[:], func(k board.Kind) bool { return strings.HasPrefix(word, k.String()) })
		n, err := strconv.Atoi(word[1:])
		if kind < 0 || err != nil || n < 0 || n > 9 {
			r.Fault("default_points", "form", fmt.Sprintf("default_points: %q is not like N6", words.Shorten(word, 10)))
			continue
		}
		points[words.Kinds[kind]] = n
	}
}

func within(n int, b [2]int) int { return max(b[0], min(b[1], n)) }

// RoundTimes are the times of the rounds that are set, and a place for each of the others.
func RoundTimes(v url.Values) []string {
	times := words.Trimmed(v["times"])
	for len(times) < min(words.AtoiOr(v.Get("rounds"), 0), tournament.MaxRounds) || len(times) == 0 {
		times = append(times, "")
	}
	return append(times, "")
}

// FieldAnchor is where a field stands on the page: both ends of a span stand together.
func FieldAnchor(field string) string {
	return strings.TrimSuffix(strings.TrimSuffix(field, "_low"), "_high")
}

// ProblemOf is the text about one field, empty without one.
func ProblemOf(p lang.Printer, problems []tournament.Problem, field string) string {
	for _, problem := range problems {
		if problem.Field == field {
			return ProblemText(p, problem)
		}
	}
	return ""
}

// ProblemText is one fault in the viewer's language.
func ProblemText(p lang.Printer, problem tournament.Problem) string {
	key := "tournament.problem." + problem.Field + "." + problem.Why
	switch {
	case problem.Field == "policy":
		return problem.Text
	case problem.Why == EnvelopePart:
		return FieldName(p, problem.Field) + ": " + problem.Text
	case p.Has(key):
		return p.T(key)
	case p.Has("tournament.problem." + problem.Why):
		return FieldName(p, problem.Field) + ": " + p.T("tournament.problem."+problem.Why)
	}
	return problem.Text
}

// FieldName is the label of an input, as far as it has one of its own.
func FieldName(p lang.Printer, field string) string {
	if f, has := Tournament.Of(field); has {
		return p.T(cmp.Or(f.Label, Tournament.Labels+f.Name))
	}
	name := FieldAnchor(field)
	for _, key := range []string{"tournament.form." + name, "tournament.envelope." + name} {
		if p.Has(key) {
			return p.T(key)
		}
	}
	switch name {
	case "default_limit":
		return p.T("tournament.envelope.default-limit")
	case "default_points":
		return p.T("tournament.envelope.default-points")
	}
	return field
}

// envelopeInputs are parts of an envelope whose input has another name.
var envelopeInputs = map[string]string{"defaults": "default_limit", "forbidden": "switches", "rows": "any_row"}

// ByInput are problems with those of an envelope taken apart, one for each input.
func ByInput(p lang.Printer, problems []tournament.Problem) []tournament.Problem {
	var out []tournament.Problem
	for _, problem := range problems {
		faults, ok := errors.AsType[*bidding.EnvelopeError](problem.Cause)
		if !ok {
			out = append(out, problem)
			continue
		}
		for _, f := range faults.Faults {
			key := f.Key
			if input, has := envelopeInputs[key]; has {
				key = input
			}
			out = append(out, tournament.Problem{Field: key, Why: EnvelopePart, Text: boundText(p, f)})
		}
	}
	return out
}

// boundText is one fault of an envelope in the viewer's language.
func boundText(p lang.Printer, f bidding.EnvelopeFault) string {
	if f.Code == "" {
		return p.T("tournament.problem.bounds")
	}
	args := slices.Clone(f.Args)
	for i, arg := range args {
		if bound, ok := arg.(string); ok && i%2 == 1 && args[i-1] == "Bound" {
			args[i] = FieldName(p, bound)
		}
	}
	return p.T("tournament.bound."+f.Code, args...)
}

// EnvelopePart is the cause of a problem of one input of an envelope.
const EnvelopePart = "envelope-part"

// SpanProblem is what is wrong with a lowest, a highest or both.
func SpanProblem(p lang.Printer, problems []tournament.Problem, name string) string {
	return cmp.Or(ProblemOf(p, problems, name), ProblemOf(p, problems, name+"_low"), ProblemOf(p, problems, name+"_high"))
}
