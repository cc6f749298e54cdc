package screening

import "math"

// shares are the parts of the choices that an engine may have made, for Mixture.
var shares = [...]float64{0.1, 0.25, 0.5, 0.9}

// strengthsTried is how many strengths, each a quarter above the next, Mixture tries at most.
const strengthsTried = 12

// Figures are what the choices of one person come to, against a baseline.
type Figures struct {
	Moves int `json:"moves"`
	// Above is how far they play above their baseline, in deviations: every improver does.
	Above float64 `json:"above"`
	// Matching is how much more often than expected they take a best action, Losing how much less than expected
	// they give away; both in deviations.
	Matching float64 `json:"matching"`
	Losing   float64 `json:"losing"`
	// Mixture is by how much, in natural logarithms, an engine some of the time explains the choices better than any
	// strength of a person.
	Mixture float64  `json:"mixture"`
	Against Strength `json:"against"` // the baseline
}

// part is what one choice adds to the figures against a baseline.
type part struct {
	above, aboveMean, aboveVar float64
	match, matchMean, matchVar float64
	loss, lossMean, lossVar    float64
	mixed                      [len(shares)]float64
	other                      [strengthsTried]float64
}

// ladder returns the strengths that Mixture tries against a baseline: from weaker than it to the strongest.
func ladder(s, strongest Strength) (list []Strength) {
	for x := 1.5 * s; x >= strongest && len(list) < strengthsTried; x /= 1.25 {
		list = append(list, x)
	}
	return list
}

// Gauge measures choices against one baseline. It remembers what it has seen of a position by where its losses lie: they must not
// change while it lives. It is for one goroutine.
type Gauge struct {
	against Strength
	shape   Shape
	tried   []float64            // the strengths of ladder, as Shape.of has them
	known   map[*float64]*seenBy // by the first of the losses
}

// seenBy is a position as a gauge sees it: the chances of each action, and what is the same whichever is taken.
type seenBy struct {
	person, engine, raised []float64
	sums                   [strengthsTried]float64 // of the weights of all actions, by strength
	of                     part
	parts                  []*part // by the action
}

// Gauge returns the gauge of a baseline.
func (m Model) Gauge(b Baseline) *Gauge {
	g := &Gauge{against: b.Of(), shape: m.Shape, known: map[*float64]*seenBy{}}
	for _, x := range ladder(g.against, m.Strongest) {
		g.tried = append(g.tried, m.Shape.of(x))
	}
	return g
}

// of returns what a choice adds to the figures.
func (g *Gauge) of(m Choice) *part {
	at := &m.Losses[0]
	s := g.known[at]
	if s == nil {
		s = g.see(m.Losses)
		g.known[at] = s
	}
	if s.parts[m.Played] == nil {
		s.parts[m.Played] = s.take(m, g.tried)
	}
	return s.parts[m.Played]
}

// see looks at a position.
func (g *Gauge) see(losses []float64) *seenBy {
	s := &seenBy{raised: g.shape.raise(nil, losses), engine: Engine(nil, losses), parts: make([]*part, len(losses))}
	s.person = people(nil, s.raised, g.shape.of(g.against))
	var aboveSquare, lossSquare float64
	for i, p := range s.person {
		u := math.Log(0.5 + 0.5*s.engine[i]/p)
		d := losses[i]
		s.of.aboveMean += p * u
		aboveSquare += p * u * u
		s.of.lossMean += p * d
		lossSquare += p * d * d
		if d == 0 {
			s.of.matchMean += p
		}
	}
	s.of.aboveVar = aboveSquare - s.of.aboveMean*s.of.aboveMean
	s.of.lossVar = lossSquare - s.of.lossMean*s.of.lossMean
	s.of.matchVar = s.of.matchMean * (1 - s.of.matchMean)
	for i, factor := range g.tried {
		for _, d := range s.raised {
			s.sums[i] += math.Exp(-d * factor)
		}
	}
	return s
}

// take returns what one action adds.
func (s *seenBy) take(m Choice, tried []float64) *part {
	a := s.of
	p, n := s.person[m.Played], float64(len(m.Losses))
	ratio := s.engine[m.Played] / p
	a.above, a.loss = math.Log(0.5+0.5*ratio), m.Losses[m.Played]
	if a.loss == 0 {
		a.match = 1
	}
	for i, q := range shares {
		a.mixed[i] = math.Log(1 - q + q*ratio)
	}
	for i, factor := range tried {
		other := (1-lapse)*math.Exp(-s.raised[m.Played]*factor)/s.sums[i] + lapse/n
		a.other[i] = math.Log(other / p)
	}
	return &a
}

// sum is the parts of several choices.
type sum struct {
	part
	n int
}

func (s *sum) add(a *part) {
	s.n++
	s.above, s.aboveMean, s.aboveVar = s.above+a.above, s.aboveMean+a.aboveMean, s.aboveVar+a.aboveVar
	s.match, s.matchMean, s.matchVar = s.match+a.match, s.matchMean+a.matchMean, s.matchVar+a.matchVar
	s.loss, s.lossMean, s.lossVar = s.loss+a.loss, s.lossMean+a.lossMean, s.lossVar+a.lossVar
	for i := range s.mixed {
		s.mixed[i] += a.mixed[i]
	}
	for i := range s.other {
		s.other[i] += a.other[i]
	}
}

func (s *sum) figures(g *Gauge) Figures {
	f := Figures{Moves: s.n, Against: g.against}
	if s.n == 0 {
		return f
	}
	f.Above = deviations(s.above-s.aboveMean, s.aboveVar)
	f.Matching = deviations(s.match-s.matchMean, s.matchVar)
	f.Losing = deviations(s.lossMean-s.loss, s.lossVar)
	best := s.mixed[0]
	for _, l := range s.mixed {
		best = max(best, l)
	}
	mean := 0.0
	for _, l := range s.mixed {
		mean += math.Exp(l - best)
	}
	f.Mixture = best + math.Log(mean/float64(len(shares)))
	other := 0.0
	for _, l := range s.other[:len(g.tried)] {
		other = max(other, l)
	}
	f.Mixture -= other
	return f
}

func deviations(difference, variance float64) float64 {
	if variance <= 0 {
		return 0
	}
	return difference / math.Sqrt(variance)
}

// Measure returns the figures of choices against the baseline.
func (g *Gauge) Measure(choices []Choice) Figures {
	var total sum
	for _, c := range choices {
		total.add(g.of(c))
	}
	return total.figures(g)
}

// Weighing returns how much one choice speaks for an engine: the logarithm of how much likelier an engine, asked half of the
// time, takes the action than somebody of the baseline, less what is expected of them.
func (g *Gauge) Weighing(c Choice) float64 {
	a := g.of(c)
	return a.above - a.aboveMean
}
