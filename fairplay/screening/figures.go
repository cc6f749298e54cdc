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

// gauge measures choices against one baseline.
type gauge struct {
	against         Strength
	shape           Shape
	tried           []float64 // the strengths of ladder, as Shape.of has them
	raised, p, e, o []float64
}

func (m Model) gauge(b Baseline) *gauge {
	g := &gauge{against: b.Of(), shape: m.Shape}
	for _, x := range ladder(g.against, m.Strongest) {
		g.tried = append(g.tried, m.Shape.of(x))
	}
	return g
}

func (g *gauge) of(m Choice) (a part) {
	g.raised = g.shape.raise(g.raised[:0], m.Losses)
	g.p = people(g.p[:0], g.raised, g.shape.of(g.against))
	g.e = Engine(g.e[:0], m.Losses)
	var aboveSquare, lossSquare float64
	for i, p := range g.p {
		u := math.Log(0.5 + 0.5*g.e[i]/p)
		d := m.Losses[i]
		a.aboveMean += p * u
		aboveSquare += p * u * u
		a.lossMean += p * d
		lossSquare += p * d * d
		if d == 0 {
			a.matchMean += p
		}
		if i == m.Played {
			a.above, a.loss = u, d
			if d == 0 {
				a.match = 1
			}
		}
	}
	a.aboveVar = aboveSquare - a.aboveMean*a.aboveMean
	a.lossVar = lossSquare - a.lossMean*a.lossMean
	a.matchVar = a.matchMean * (1 - a.matchMean)
	ratio := g.e[m.Played] / g.p[m.Played]
	for i, q := range shares {
		a.mixed[i] = math.Log(1 - q + q*ratio)
	}
	for i, factor := range g.tried {
		g.o = people(g.o[:0], g.raised, factor)
		a.other[i] = math.Log(g.o[m.Played] / g.p[m.Played])
	}
	return a
}

// sum is the parts of several choices.
type sum struct {
	part
	n int
}

func (s *sum) add(a part) {
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

func (s *sum) figures(g *gauge) Figures {
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

// Measure returns the figures of choices against a baseline.
func (m Model) Measure(choices []Choice, b Baseline) Figures {
	g := m.gauge(b)
	var total sum
	for _, c := range choices {
		total.add(g.of(c))
	}
	return total.figures(g)
}

// Weighing returns how much one choice speaks for an engine: the logarithm of how much likelier an engine, asked half of the
// time, takes the action than somebody of the baseline, less what is expected of them.
func (m Model) Weighing(c Choice, b Baseline) float64 {
	a := m.gauge(b).of(c)
	return a.above - a.aboveMean
}
