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

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// EnvelopeNamed returns a ready-made envelope; "evening" for an unknown name.
func EnvelopeNamed(name string) bidding.Envelope {
	e := bidding.DefaultEnvelope()
	switch name {
	case "quick":
		e.Chips, e.Minutes, e.Increment, e.Widths = 8, [2]int{2, 5}, [2]int{0, 3}, []int{6, 8}
		e.MoveLimit, e.Undos = [2]int{10, 40}, [2]int{0, 0}
		e.Presets = []bidding.TimeControl{{Minutes: 3, Increment: 2}, {Minutes: 5, Increment: 0}}
	case "free":
	case "arena":
		return tournament.DefaultSettings(tournament.Arena).Envelope
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

// envelopeValues sets the values that the form shows for an envelope.
func envelopeValues(v url.Values, e bidding.Envelope) {
	for _, b := range bidding.Bounds {
		switch {
		case b.Number != nil:
			v.Set(b.Key, words.Itoa(*b.Number(&e)))
		case b.Span != nil:
			span := *b.Span(&e)
			v.Set(b.Key+"_low", words.Itoa(span[0]))
			v.Set(b.Key+"_high", words.Itoa(span[1]))
		case b.List != nil:
			for _, n := range *b.List(&e) {
				v.Add(b.Key, words.Itoa(n))
			}
		}
	}
	for _, key := range bidding.Switches {
		if !slices.Contains(e.Forbidden, key) {
			v.Add("switches", key)
		}
	}
	Flag(v, "any_row", e.AnyRow)
	v.Set("presets", words.PresetsText(e))
	v.Set("default_limit", words.Itoa(e.Defaults.MoveLimit))
	v.Set("default_points", pointsText(e.Defaults.MovePoints))
}

// Flag ticks a checkbox.
func Flag(v url.Values, name string, on bool) {
	if on {
		v.Set(name, "on")
	}
}

// CodesOf reads a list of tie-breaks, in capitals or not; one of FIDE's has a small letter.
func CodesOf(text string) []string {
	codes := strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return r == ',' || r == ' ' || r == ';' || r == '\n' || r == '\r' })
	for i, code := range codes {
		if strings.EqualFold(code, "MPvGP") {
			codes[i] = "MPvGP"
		}
	}
	return codes
}

// FormReader reads a form and collects what is wrong with it.
type FormReader struct {
	Printer  lang.Printer
	Values   url.Values
	Problems []tournament.Problem
	Stood    []time.Time // the moments that stand before the form is saved, in its order
}

// Fault notes a problem with a field.
func (r *FormReader) Fault(field, why, text string) {
	r.Problems = append(r.Problems, tournament.Problem{Field: field, Why: why, Text: text})
}

// Named reads a field that holds one of the words that parse accepts.
func Named[T any](r *FormReader, field string, parse func(string) (T, error)) T {
	x, err := parse(r.Values.Get(field))
	if err != nil {
		r.Fault(field, "missing", err.Error())
	}
	return x
}

// Number reads a whole number.
func (r *FormReader) Number(name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(r.Values.Get(name)))
	if err != nil || n < 0 || n > 1_000_000 {
		r.Fault(name, "number", fmt.Sprintf("%s: a whole number is needed", name))
		return 0
	}
	return n
}

// moment reads a point in time in the reader's zone; the zero time if it cannot be read.
func (r *FormReader) moment(name, text string) time.Time {
	t, err := civil.Read(text, r.Printer.Zone, r.Stood, r.Printer.Now())
	if err != nil {
		r.Fault(name, "form", fmt.Sprintf("%s: %q is not like 2026-11-30 18:00", name, words.Shorten(text, 40)))
		return time.Time{}
	}
	if i := slices.Index(r.Stood, t); i >= 0 {
		r.Stood = slices.Delete(slices.Clone(r.Stood), i, i+1) // two may be written the same
	}
	return t
}

// Duration reads a duration in minutes.
func (r *FormReader) Duration(name string) time.Duration {
	d, err := words.ReadDuration(r.Values.Get(name))
	if err != nil {
		r.Fault(name, "number", name+": minutes are needed, like 5 or 2:30")
	}
	return d
}

// Policy reads the fair-play policy; a fault carries the text for the reader.
func (r *FormReader) Policy(was fairplay.Policy) fairplay.Policy {
	policy, err := ReadPolicy(r.Values, was)
	if err != nil {
		r.Fault("policy", "range", PolicyTrouble(r.Printer, err))
	}
	return policy
}

// Envelope reads the limits of bidding.
func (r *FormReader) Envelope() bidding.Envelope {
	e := bidding.DefaultEnvelope()
	for _, b := range bidding.Bounds {
		switch {
		case b.Number != nil:
			*b.Number(&e) = r.Number(b.Key)
		case b.Span != nil:
			*b.Span(&e) = [2]int{r.Number(b.Key + "_low"), r.Number(b.Key + "_high")}
		case b.List != nil:
			var list []int
			for _, n := range r.Values[b.Key] {
				list = append(list, words.AtoiOr(n, 0))
			}
			slices.Sort(list)
			*b.List(&e) = list
		}
	}
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
	e.Defaults.MoveLimit = r.Number("default_limit")
	r.points(&e.Defaults.MovePoints)
	// What the form does not ask for stays as close to the default as the limits allow.
	e.Defaults = e.Nearest(e.Defaults, func(feature string) bool { return feature == "moveLimit" })
	return e
}

// pointsText writes the points for moves that are not 0: P1 N6.
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

// RoundTimes returns an input for the time of each round, and one more.
func RoundTimes(v url.Values) []string {
	times := words.Trimmed(v["times"])
	for len(times) < min(words.AtoiOr(v.Get("rounds"), 0), tournament.MaxRounds) || len(times) == 0 {
		times = append(times, "")
	}
	return append(times, "")
}

// FieldAnchor returns the anchor of a field; both ends of a span share one.
func FieldAnchor(field string) string {
	return strings.TrimSuffix(strings.TrimSuffix(field, "_low"), "_high")
}

// ProblemOf returns the text of the first problem with a field; empty if there is none.
func ProblemOf(p lang.Printer, problems []tournament.Problem, field string) string {
	if i := slices.IndexFunc(problems, func(x tournament.Problem) bool { return x.Field == field }); i >= 0 {
		return ProblemText(p, problems[i])
	}
	return ""
}

// ProblemText renders a problem.
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

// FieldName returns the label of a field, or else its name.
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

// envelopeInputs maps parts of an envelope to inputs of another name.
var envelopeInputs = map[string]string{"defaults": "default_limit", "forbidden": "switches", "rows": "any_row"}

// ByInput splits a problem with an envelope into one for each input.
func ByInput(p lang.Printer, problems []tournament.Problem) []tournament.Problem {
	var out []tournament.Problem
	for _, problem := range problems {
		faults, ok := errors.AsType[*bidding.EnvelopeError](problem.Cause)
		if !ok {
			out = append(out, problem)
			continue
		}
		for _, f := range faults.Faults {
			field := cmp.Or(envelopeInputs[f.Key], f.Key)
			out = append(out, tournament.Problem{Field: field, Why: EnvelopePart, Text: boundText(p, f)})
		}
	}
	return out
}

// boundText renders a fault of an envelope.
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

// EnvelopePart is why an input of an envelope has a problem; its text says more.
const EnvelopePart = "envelope-part"

// SpanProblem says what is wrong with a span or one of its ends.
func SpanProblem(p lang.Printer, problems []tournament.Problem, name string) string {
	return cmp.Or(ProblemOf(p, problems, name), ProblemOf(p, problems, name+"_low"), ProblemOf(p, problems, name+"_high"))
}
