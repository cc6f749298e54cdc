package fairplay

// Term is one demand of a policy, beside its level and where moves come from. Its row is all that the rulebook, the
// form and the description for programs need of it, beside its text (fairplay.field.KEY). One of On, Off, More, Less
// and Span holds it, and says which of two is stricter.
type Term struct {
	Path  string // in the policy's JSON
	Key   string // in texts and faults
	Most  int    // of a number; 0: any
	Asked bool   // the form asks for the number, as policy_KEY

	On   func(*Policy) *bool   // true is stricter
	Off  func(*Policy) *bool   // false is
	More func(*Policy) *int    // the larger number is
	Less func(*Policy) *int    // the smaller is, where 0 is none
	Span func(*Policy) *[2]int // what lies in both is

	fits func(Policy) bool // with the rest of the policy; nil: always
}

// Terms are all of them.
var Terms = []Term{
	{Path: "bots", Key: "bots", Off: func(p *Policy) *bool { return &p.Bots }},
	{Path: "text", Key: "text", On: func(p *Policy) *bool { return &p.Text }},
	{Path: "attestations", Key: "attestations", Most: 5, Asked: true, More: func(p *Policy) *int { return &p.Attestations }},
	{Path: "max_age_days", Key: "max_age_days", Most: mostAgeDays, Less: func(p *Policy) *int { return &p.MaxAgeDays },
		fits: func(p Policy) bool { return (p.MaxAgeDays > 0) == (p.Attestations > 0) }},
	{Path: "check_in.demanded", Key: "check_in", On: func(p *Policy) *bool { return &p.CheckIn.Demanded }},
	{Path: "check_in.within_s", Key: "check_in", Less: func(p *Policy) *int { return &p.CheckIn.Within },
		fits: func(p Policy) bool { return (p.CheckIn.Within > 0) == p.CheckIn.Demanded }},
	{Path: "check_in.one_device", Key: "one_device", On: func(p *Policy) *bool { return &p.CheckIn.OneDevice },
		fits: func(p Policy) bool { return p.CheckIn.Demanded || !p.CheckIn.OneDevice }},
	{Path: "check_in.mid_match", Key: "mid_match", Most: 100, Asked: true, More: func(p *Policy) *int { return &p.CheckIn.MidMatch },
		fits: func(p Policy) bool { return p.CheckIn.MidMatch == 0 || p.CheckIn.Demanded && p.Level > Open }},
	{Path: "check_in.grace_s", Key: "grace", Less: func(p *Policy) *int { return &p.CheckIn.Grace },
		fits: func(p Policy) bool { return (p.CheckIn.Grace > 0) == p.CheckIn.Demanded }},
	{Path: "one_session", Key: "one_session", On: func(p *Policy) *bool { return &p.OneSession }},
	{Path: "telemetry", Key: "telemetry", On: func(p *Policy) *bool { return &p.Telemetry }},
	{Path: "clock.minutes", Key: "clock", Span: func(p *Policy) *[2]int { return &p.Clock.Minutes }},
	{Path: "clock.increment_s", Key: "clock", Span: func(p *Policy) *[2]int { return &p.Clock.Increment }},
	{Path: "feed.plies", Key: "plies", Most: 40, Asked: true, More: func(p *Policy) *int { return &p.Feed.Plies }},
	{Path: "feed.seconds", Key: "seconds", Most: 3600, Asked: true, More: func(p *Policy) *int { return &p.Feed.Seconds }},
	{Path: "steward", Key: "steward", On: func(p *Policy) *bool { return &p.Steward }},
}

// tighten makes the term of p as strict as that of q.
func (t Term) tighten(p *Policy, q Policy) {
	switch {
	case t.On != nil:
		*t.On(p) = *t.On(p) || *t.On(&q)
	case t.Off != nil:
		*t.Off(p) = *t.Off(p) && *t.Off(&q)
	case t.More != nil:
		*t.More(p) = max(*t.More(p), *t.More(&q))
	case t.Less != nil:
		*t.Less(p) = shorter(*t.Less(p), *t.Less(&q))
	default:
		*t.Span(p) = overlap(*t.Span(p), *t.Span(&q))
	}
}

// holds reports whether the term of p is possible, and at least as strict as that of base.
func (t Term) holds(p, base Policy) bool {
	strict := p
	if t.tighten(&strict, base); strict != p || t.fits != nil && !t.fits(p) {
		return false
	}
	n := t.More
	if n == nil {
		n = t.Less
	}
	if n != nil {
		return *n(&p) >= 0 && (t.Most == 0 || *n(&p) <= t.Most)
	}
	return t.Span == nil || t.Span(&p)[0] <= t.Span(&p)[1]
}
