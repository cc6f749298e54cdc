package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

// timeLayout is how a program may write a time of the form, pickLayout how a
// browser's date picker does, both in the viewer's zone.
const (
	timeLayout = "2006-01-02 15:04"
	pickLayout = "2006-01-02T15:04"
)

// envelopeNamed is a ready-made envelope.
func envelopeNamed(name string) bidding.Envelope {
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

// envelopeSpan is a lowest and a highest of an envelope.
type envelopeSpan struct {
	name  string
	field func(*bidding.Envelope) *[2]int
}

// The numbers of an envelope with a lowest and a highest.
var envelopeSpans = []envelopeSpan{
	{"minutes", func(e *bidding.Envelope) *[2]int { return &e.Minutes }},
	{"increment", func(e *bidding.Envelope) *[2]int { return &e.Increment }},
	{"moveLimit", func(e *bidding.Envelope) *[2]int { return &e.MoveLimit }},
	{"undos", func(e *bidding.Envelope) *[2]int { return &e.Undos }},
	{"castlings", func(e *bidding.Envelope) *[2]int { return &e.Castlings }},
	{"movePoints", func(e *bidding.Envelope) *[2]int { return &e.MovePoints }},
}

// valuesOf is what the form shows for settings.
func valuesOf(p lang.Printer, s tournament.Settings) url.Values {
	v := url.Values{}
	v.Set("name", s.Name)
	v.Set("club", s.Club)
	v.Set("about", s.About)
	v.Set("clubId", string(s.ClubID))
	flag(v, "membersOnly", s.MembersOnly)
	v.Set("format", s.Format.String())
	v.Set("rounds", itoa(s.Rounds))
	if s.Rounds == 0 {
		v.Set("rounds", "5")
	}
	v.Set("pace", s.Pace.String())
	scheduleValues(p, v, s)
	v.Set("claims", s.Claims.String())
	v.Set("numbering", s.Numbering.String())
	v["tiebreaks"] = slices.Clone(s.Tiebreaks)
	v.Set("tiebreaks_of", s.Format.String())
	v.Set("capacity", numberText(s.Capacity))
	flag(v, "double", s.Double)
	flag(v, "accelerated", s.Acceleration == tournament.Baku)
	flag(v, "rated", s.Rated)
	flag(v, "handicap", s.Handicap)
	flag(v, "review", s.Review)
	v.Set("leave", s.Leave.String())
	v.Set("expulsion", s.Expulsion.String())
	flag(v, "callStops", s.CallStops)
	for _, t := range s.Times {
		v.Add("times", t.In(p.Zone).Format(pickLayout))
	}
	entryValues(p, v, s.Entry)

	e := s.Envelope
	v.Set("chips", itoa(e.Chips))
	for _, span := range envelopeSpans {
		b := span.field(&e)
		v.Set(span.name+"_low", itoa(b[0]))
		v.Set(span.name+"_high", itoa(b[1]))
	}
	for _, w := range e.Widths {
		v.Add("widths", itoa(w))
	}
	for _, key := range bidding.Switches {
		if !slices.Contains(e.Forbidden, key) {
			v.Add("switches", key)
		}
	}
	flag(v, "any_row", e.AnyRow)
	var presets []string
	for _, t := range e.Presets {
		presets = append(presets, t.String())
	}
	v.Set("presets", strings.Join(presets, ", "))
	v.Set("default_limit", itoa(e.Defaults.MoveLimit))
	v.Set("default_points", pointsText(e.Defaults.MovePoints))
	policyValues(v, s.Policy)
	return v
}

func flag(v url.Values, name string, on bool) {
	if on {
		v.Set(name, "on")
	}
}

// readTournamentForm is what was filled in over the settings that were; problems
// are what cannot be read.
func readTournamentForm(p lang.Printer, base tournament.Settings, v url.Values) (tournament.Settings, []tournament.Problem) {
	r := formReader{values: v}
	format, err := tournament.ParseFormat(v.Get("format"))
	if err != nil {
		r.fault("format", "missing", err.Error())
		format = tournament.RoundRobin
	}
	s := base
	if s.Format != format {
		of := tournament.DefaultSettings(format)
		s.Format, s.Rounds, s.Tiebreaks = format, of.Rounds, of.Tiebreaks
	}
	s.Acceleration, s.Break, s.Times, s.Capacity, s.CheckIn, s.Until = tournament.NoAcceleration, 0, nil, 0, tournament.CheckIn{}, time.Time{}
	s.Name, s.Club = strings.TrimSpace(shorten(v.Get("name"), 300)), strings.TrimSpace(shorten(v.Get("club"), 300))
	s.About = strings.TrimSpace(strings.ReplaceAll(v.Get("about"), "\r\n", "\n"))
	s.ClubID, s.MembersOnly = club.ID(shorten(v.Get("clubId"), 40)), v.Get("membersOnly") != ""
	s.Double = format == tournament.RoundRobin && v.Get("double") != ""
	if format == tournament.Swiss {
		s.Rounds = r.number("rounds")
		if v.Get("accelerated") != "" {
			s.Acceleration = tournament.Baku
		}
	}
	if s.Pace, err = tournament.ParsePace(v.Get("pace")); err != nil {
		r.fault("pace", "missing", err.Error())
	}
	r.schedule(p, &s)
	if s.Pace == tournament.Times {
		s.Times = r.times(p)
	}
	if s.Claims, err = match.ParseClaims(v.Get("claims")); err != nil {
		r.fault("claims", "missing", err.Error())
	}
	if s.Numbering, err = tournament.ParseNumbering(v.Get("numbering")); err != nil {
		r.fault("numbering", "missing", err.Error())
	}
	if v.Get("capacity") != "" {
		s.Capacity = r.number("capacity")
	}
	s.Rated, s.Handicap = v.Get("rated") != "", v.Get("handicap") != ""
	s.Review = v.Get("review") != ""
	if s.Leave, err = tournament.ParseLeaving(v.Get("leave")); err != nil {
		r.fault("leave", "missing", err.Error())
	}
	if s.Expulsion, err = tournament.ParseLeaving(v.Get("expulsion")); err != nil {
		r.fault("expulsion", "missing", err.Error())
	}
	s.CallStops = v.Get("callStops") != ""
	s.Tiebreaks = codesOf(strings.Join(v["tiebreaks"], " "))
	// What nobody has edited follows the format.
	if shown, err := tournament.ParseFormat(v.Get("tiebreaks_of")); err == nil && shown != format && slices.Equal(s.Tiebreaks, tournament.DefaultTiebreaks(shown)) {
		s.Tiebreaks = tournament.DefaultTiebreaks(format)
	}
	s.Envelope = r.envelope()
	s.Policy = r.policy(p, base.Policy)
	s.Entry = r.entry(p, format)
	if len(r.problems) == 0 {
		r.problems = problemsOf(arbiter.CheckSettings(s))
	}
	return s, r.problems
}

// leavings are what can become of results of somebody who is out.
func leavings(p lang.Printer, chosen string) []templates.Choice {
	return options(p, "desk.leaving.", chosen, "usual", "keep", "forfeits", "annul")
}

func codesOf(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return r == ',' || r == ' ' || r == ';' || r == '\n' || r == '\r' })
}

type formReader struct {
	values   url.Values
	problems []tournament.Problem
}

func (r *formReader) fault(field, why, text string) {
	r.problems = append(r.problems, tournament.Problem{Field: field, Why: why, Text: text})
}

func (r *formReader) number(name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(r.values.Get(name)))
	if err != nil || n < 0 || n > 1_000_000 {
		r.fault(name, "number", fmt.Sprintf("%s: a whole number is needed", name))
		return 0
	}
	return n
}

func (r *formReader) times(p lang.Printer) []time.Time {
	var out []time.Time
	for line := range strings.Lines(strings.Join(r.values["times"], "\n")) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		t, err := time.ParseInLocation(timeLayout, strings.Replace(line, "T", " ", 1), p.Zone)
		if err != nil {
			r.fault("times", "form", fmt.Sprintf("times: %q is not like 2026-11-30 18:00", shorten(line, 40)))
			continue
		}
		out = append(out, t.UTC())
	}
	return out
}

// policy is the policy of fair play; what is wrong with it is told in words.
func (r *formReader) policy(p lang.Printer, was fairplay.Policy) fairplay.Policy {
	policy, err := readPolicy(r.values, was)
	var loose *fairplay.PolicyError
	if errors.As(err, &loose) {
		r.fault("policy", "range", policyTrouble(p, loose))
	}
	return policy
}

func (r *formReader) envelope() bidding.Envelope {
	e := bidding.DefaultEnvelope()
	e.Chips = r.number("chips")
	for _, span := range envelopeSpans {
		*span.field(&e) = [2]int{r.number(span.name + "_low"), r.number(span.name + "_high")}
	}
	e.Widths = nil
	for _, w := range r.values["widths"] {
		e.Widths = append(e.Widths, atoiOr(w, 0))
	}
	slices.Sort(e.Widths)
	for _, key := range bidding.Switches {
		if !slices.Contains(r.values["switches"], key) {
			e.Forbidden = append(e.Forbidden, key)
		}
	}
	e.AnyRow = r.values.Get("any_row") != ""
	e.Presets = nil
	for _, text := range strings.FieldsFunc(r.values.Get("presets"), func(c rune) bool { return c == ',' || c == ' ' || c == ';' }) {
		minutes, increment, _ := strings.Cut(text, "+")
		t := bidding.TimeControl{Minutes: atoiOr(minutes, 0), Increment: atoiOr(increment, 0)}
		e.Presets = append(e.Presets, t)
	}
	// What the form does not ask for stays as near to the usual as the bounds let it.
	f := &e.Defaults
	if len(e.Widths) > 0 && !slices.Contains(e.Widths, f.Width) {
		f.Width = e.Widths[0]
	}
	f.MoveLimit = r.number("default_limit")
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
			out = append(out, board.Kind(kind).String()+itoa(n))
		}
	}
	return strings.Join(out, " ")
}

// points reads what pointsText writes.
func (r *formReader) points(points *[8]int) {
	for word := range strings.FieldsSeq(strings.ToUpper(strings.ReplaceAll(r.values.Get("default_points"), ",", " "))) {
		kind := slices.IndexFunc(kinds[:], func(k board.Kind) bool { return strings.HasPrefix(word, k.String()) })
		n, err := strconv.Atoi(word[1:])
		if kind < 0 || err != nil || n < 0 || n > 9 {
			r.fault("default_points", "form", fmt.Sprintf("default_points: %q is not like N6", shorten(word, 10)))
			continue
		}
		points[kinds[kind]] = n
	}
}

func within(n int, b [2]int) int { return max(b[0], min(b[1], n)) }

// tournamentForm is the form with what was filled in and what is wrong with it.
func (s *Server) tournamentForm(c echo.Context, v url.Values, problems []tournament.Problem) tournamentview.TournamentFormView {
	p := s.printer(c)
	wrong := func(name string) string { return problemOf(p, problems, name) }
	field := func(name, label string) templates.Field {
		return templates.Field{Name: name, Label: label, Value: v.Get(name), Error: wrong(name), Autocomplete: "off"}
	}
	hinted := func(name, label, hint string) templates.Field {
		f := field(name, label)
		f.Hint = hint
		return f
	}
	number := func(name, label, hint string) templates.Field {
		f := hinted(name, label, hint)
		f.Type = "number"
		return f
	}
	view := tournamentview.TournamentFormView{
		Name: field("name", p.T("tournament.form.name")), Club: field("club", p.T("tournament.form.club")),
		About: v.Get("about"), AboutError: wrong("about"),
		Formats:    options(p, "tournament.format.", v.Get("format"), "round-robin", "swiss"),
		Paces:      options(p, "tournament.pace.", v.Get("pace"), "auto", "manual", "times"),
		Double:     v.Get("double") != "",
		Rounds:     number("rounds", p.T("tournament.form.rounds"), p.T("tournament.form.rounds-hint")),
		Break:      hinted("break", p.T("tournament.form.break"), p.T("tournament.form.break-hint")),
		Lateness:   hinted("lateness", p.T("tournament.form.lateness"), p.T("tournament.form.lateness-hint")),
		Times:      roundTimes(v),
		TimesHint:  p.T("tournament.form.times-hint", "Zone", p.Zone.String()),
		TimesError: wrong("times"),
		Claims:     options(p, "tournament.claims.", v.Get("claims"), "automatic", "manual"),
		Numberings: options(p, "tournament.numbering.", v.Get("numbering"), "rating", "lots", "varma"),
		Tiebreaks:  tiebreakRows(p, codesOf(strings.Join(v["tiebreaks"], " "))), TiebreaksError: wrong("tiebreaks"), Accelerated: v.Get("accelerated") != "",
		Review: v.Get("review") != "",
		Leave:  leavings(p, v.Get("leave")), LeaveError: wrong("leave"), Expulsion: leavings(p, v.Get("expulsion")), ExpulsionError: wrong("expulsion"),
		Rated: v.Get("rated") != "", Handicap: templates.HandicapChoice{Chosen: v.Get("handicap") != "", Table: handicapTable(p)}, CallStops: v.Get("callStops") != "",
		Entry:    entryForm(p, v, field, number),
		Policy:   policyFields(p, fairplay.Preset(fairplay.Open), v, problemOf(p, problems, "policy")),
		Envelope: s.envelopeForm(c, v, problems), Schedule: scheduleForm(p, v, problems),
	}
	view.Name.Required, view.Name.Max, view.Club.Max = true, tournament.MaxNameLength, tournament.MaxNameLength
	view.TiebreaksOf = v.Get("tiebreaks_of")
	for _, name := range []string{"quick", "evening", "free", "short", "points", "sprint"} {
		view.Presets = append(view.Presets, templates.TabLink{Text: p.T("tournament.form.envelope." + name), URL: withQuery("/tournaments/new", "envelope", name)})
	}
	for _, problem := range problems {
		view.Problems = append(view.Problems, templates.Link{Text: problemText(p, problem), URL: "#" + fieldAnchor(problem.Field)})
	}
	return view
}

// roundTimes are the times of the rounds that are set, and a place for each of the others.
func roundTimes(v url.Values) []string {
	times := trimmed(v["times"])
	for len(times) < min(atoiOr(v.Get("rounds"), 0), tournament.MaxRounds) || len(times) == 0 {
		times = append(times, "")
	}
	return append(times, "")
}

// fieldAnchor is where a field stands on the page: both ends of a span stand together.
func fieldAnchor(field string) string {
	return strings.TrimSuffix(strings.TrimSuffix(field, "_low"), "_high")
}

func (s *Server) envelopeForm(c echo.Context, v url.Values, problems []tournament.Problem) templates.EnvelopeForm {
	p := s.printer(c)
	wrong := func(name string) string { return spanProblem(p, problems, name) }
	widest := bidding.DefaultEnvelope()
	e := templates.EnvelopeForm{
		Chips:       templates.Field{Name: "chips", Label: p.T("tournament.envelope.chips"), Hint: p.T("tournament.envelope.chips-hint"), Type: "number", Value: v.Get("chips"), Error: wrong("chips")},
		Presets:     templates.Field{Name: "presets", Label: p.T("tournament.envelope.presets"), Hint: p.T("tournament.envelope.presets-hint"), Value: v.Get("presets"), Error: wrong("presets"), Autocomplete: "off"},
		Default:     templates.Field{Name: "default_limit", Label: p.T("tournament.envelope.default-limit"), Hint: p.T("tournament.envelope.default-limit-hint"), Type: "number", Value: v.Get("default_limit"), Error: wrong("default_limit")},
		Points:      templates.Field{Name: "default_points", Label: p.T("tournament.envelope.default-points"), Hint: p.T("tournament.envelope.default-points-hint"), Value: v.Get("default_points"), Error: wrong("default_points"), Autocomplete: "off", Max: 60},
		WidthsError: wrong("widths"),
		AnyRow:      v.Get("any_row") != "", Estimate: s.estimate(c, v),
	}
	for _, span := range envelopeSpans {
		b := *span.field(&widest)
		e.Spans = append(e.Spans, templates.SpanField{
			Name: span.name, Label: p.T("tournament.envelope." + span.name), Low: v.Get(span.name + "_low"), High: v.Get(span.name + "_high"),
			Min: itoa(b[0]), Max: itoa(b[1]), Hint: p.Int(b[0]) + "–" + p.Int(b[1]), Error: wrong(span.name),
		})
	}
	for w := 6; w <= 10; w++ {
		e.Widths = append(e.Widths, templates.Choice{Value: itoa(w), Text: itoa(w), Chosen: slices.Contains(v["widths"], itoa(w))})
	}
	for _, key := range bidding.Switches {
		e.Switches = append(e.Switches, templates.Choice{Value: key, Text: p.T("match.feature." + key), Chosen: slices.Contains(v["switches"], key)})
	}
	return e
}

// estimate is how long a round can last with what is filled in.
func (s *Server) estimate(c echo.Context, v url.Values) templates.EstimateView {
	p := s.printer(c)
	r := formReader{values: v}
	settings := tournament.DefaultSettings(tournament.RoundRobin)
	settings.Name = "–"
	settings.Envelope = r.envelope()
	settings.Lateness = r.duration("lateness")
	if len(r.problems) == 0 {
		r.problems = problemsOf(settings.Validate())
	}
	var view templates.EstimateView
	for _, problem := range byInput(p, r.problems) {
		view.Problems = append(view.Problems, problemText(p, problem))
	}
	if len(view.Problems) > 0 {
		return view
	}
	e := settings.Envelope
	view.Lines = []templates.TournamentFact{
		{Name: p.T("tournament.estimate.bidding"), Value: p.Duration(e.WorstBidding())},
		{Name: p.T("tournament.estimate.board"), Value: p.Duration(e.WorstBoard(match.DefaultStartDelay))},
		{Name: p.T("tournament.estimate.round"), Value: p.Duration(settings.WorstRound()), Hint: p.T("tournament.estimate.hint")},
	}
	return view
}

// problemOf is the text about one field, empty without one.
func problemOf(p lang.Printer, problems []tournament.Problem, field string) string {
	for _, problem := range problems {
		if problem.Field == field {
			return problemText(p, problem)
		}
	}
	return ""
}

// problemText is one fault in the viewer's language.
func problemText(p lang.Printer, problem tournament.Problem) string {
	key := "tournament.problem." + problem.Field + "." + problem.Why
	switch {
	case problem.Field == "policy":
		return problem.Text
	case problem.Why == envelopePart:
		return fieldName(p, problem.Field) + ": " + problem.Text
	case p.Has(key):
		return p.T(key)
	case p.Has("tournament.problem." + problem.Why):
		return fieldName(p, problem.Field) + ": " + p.T("tournament.problem."+problem.Why)
	}
	return problem.Text
}

// fieldName is the label of an input, as far as it has one of its own.
func fieldName(p lang.Printer, field string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(field, "_low"), "_high")
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

// byInput are problems with those of an envelope taken apart, one for each input.
func byInput(p lang.Printer, problems []tournament.Problem) []tournament.Problem {
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
			out = append(out, tournament.Problem{Field: key, Why: envelopePart, Text: boundText(p, f)})
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
			args[i] = fieldName(p, bound)
		}
	}
	return p.T("tournament.bound."+f.Code, args...)
}

// envelopePart is the cause of a problem of one input of an envelope.
const envelopePart = "envelope-part"

// spanProblem is what is wrong with a lowest, a highest or both.
func spanProblem(p lang.Printer, problems []tournament.Problem, name string) string {
	return cmp.Or(problemOf(p, problems, name), problemOf(p, problems, name+"_low"), problemOf(p, problems, name+"_high"))
}
