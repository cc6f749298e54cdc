package screening

import (
	"math"
	"slices"
)

// Choice is one choice that counts: see [Seen.Counts].
type Choice struct {
	// Losses is what each action would have given away of the expected score, 0 to 1; of the best, 0.
	Losses []float64
	Played int // index of the action taken
}

// lapse is the chance with which people take any action at all.
const lapse = 0.02

// engineSpread is how much of the expected score an engine's choice varies by.
const engineSpread = 0.004

// Shape is how people of every strength choose; Strength, how well one does.
type (
	Shape    float64 // the c of People, about 1
	Strength float64 // expected score, above 0; smaller is stronger
)

// People returns the chances with which a person takes each action, appended to dst.
func People(dst, losses []float64, s Strength, c Shape) []float64 {
	return people(dst, c.raise(nil, losses), c.of(s))
}

// raise returns losses to the power of the shape, appended to dst: what of People does not depend on who chooses.
func (c Shape) raise(dst, losses []float64) []float64 {
	for _, d := range losses {
		if c != 1 && d > 0 {
			d = math.Pow(d, float64(c))
		}
		dst = append(dst, d)
	}
	return dst
}

// of returns what raised losses of a strength are multiplied with.
func (c Shape) of(s Strength) float64 { return math.Pow(float64(s), -float64(c)) }

func people(dst, raised []float64, factor float64) []float64 {
	from, sum := len(dst), 0.0
	for _, d := range raised {
		w := 1.0
		if d > 0 {
			w = math.Exp(-d * factor)
		}
		dst = append(dst, w)
		sum += w
	}
	even := lapse / float64(len(raised))
	for i := from; i < len(dst); i++ {
		dst[i] = (1-lapse)*dst[i]/sum + even
	}
	return dst
}

// Engine returns the chances with which an engine takes each action, appended to dst.
func Engine(dst, losses []float64) []float64 {
	from, sum := len(dst), 0.0
	for _, d := range losses {
		w := math.Exp(-d / engineSpread)
		dst = append(dst, w)
		sum += w
	}
	for i := from; i < len(dst); i++ {
		dst[i] /= sum
	}
	return dst
}

// Seen is what is known of a move when it is asked whether it says anything about who chose it.
type Seen struct {
	Ply       int       // of the player, from 1
	Best      float64   // expected score after the best action
	Losses    []float64 // as in Choice
	Known     int       // earlier public matches with the position: it may have been prepared
	Premove   bool
	ClockLeft float64 // seconds; +Inf without a clock
}

// Counts reports whether a choice says anything: it was the person's own, and the game was open.
func (m Seen) Counts() bool { return m.IsOwn() && m.isOpen() }

// IsOwn reports what is known without a look at the position: out of the opening, not prepared, and made with time to think.
func (m Seen) IsOwn() bool { return m.Ply > 4 && m.Known < 2 && !m.Premove && m.ClockLeft > 10 }

// isOpen reports whether neither side has won already, and there was more than one good action of several.
func (m Seen) isOpen() bool {
	if len(m.Losses) < 4 || m.Best < 0.1 || m.Best > 0.9 {
		return false
	}
	best, second := math.Inf(1), math.Inf(1)
	for _, d := range m.Losses {
		switch {
		case d < best:
			best, second = d, best
		case d < second:
			second = d
		}
	}
	return second <= 0.15
}

// Model is how people of every rating choose, learned from people beyond doubt.
type Model struct {
	Shape     Shape    `json:"shape"`
	Log       float64  `json:"log"`       // ln s of somebody rated 0
	PerPoint  float64  `json:"perPoint"`  // what a point of rating adds to it
	Strongest Strength `json:"strongest"` // nobody is thought to exceed it
}

// Group is people of about the same rating who are beyond doubt, with their choices.
type Group struct {
	Rating int
	People [][]Choice
}

// strongestShare is which part of the people is not thought stronger than they really are.
const strongestShare = 0.05

// Fit learns a model: the shape and strengths under which the choices of all groups are likeliest, and a line through the
// strengths by rating. It returns ErrFewPeople if nobody has made LeastMoves choices.
func Fit(groups []Group) (Model, error) {
	var choices [][]Choice
	for _, g := range groups {
		choices = append(choices, slices.Concat(g.People...))
	}
	strengths := func(c Shape) (list []Strength, likelihood float64) {
		for _, g := range choices {
			s, l := strengthOf(g, c)
			list, likelihood = append(list, s), likelihood+l
		}
		return list, likelihood
	}
	c, _ := highest(0.5, 2, 0.01, func(c float64) float64 {
		_, l := strengths(Shape(c))
		return l
	})
	m := Model{Shape: Shape(c)}
	list, _ := strengths(m.Shape)
	var own []Strength
	var n, x, y, xx, xy float64
	for i, g := range groups {
		for _, person := range g.People {
			if len(person) >= LeastMoves {
				s, _ := strengthOf(person, m.Shape)
				own = append(own, s)
			}
		}
		w, rating, log := float64(len(choices[i])), float64(g.Rating), math.Log(float64(list[i]))
		if w == 0 {
			continue
		}
		n, x, y, xx, xy = n+w, x+w*rating, y+w*log, xx+w*rating*rating, xy+w*rating*log
	}
	if len(own) == 0 {
		return Model{}, ErrFewPeople
	}
	if spread := xx - x*x/n; spread > 0 {
		m.PerPoint = (xy - x*y/n) / spread
	}
	m.Log = (y - m.PerPoint*x) / n
	slices.Sort(own)
	m.Strongest = own[int(strongestShare*float64(len(own)))]
	return m, nil
}

// spread is how much ln s of people of one rating varies: a rating is also of bidding, and of another day.
const spread = 0.20

// Baseline returns what is thought of somebody of a rating.
func (m Model) Baseline(rating int) Baseline {
	return Baseline{m.Log + m.PerPoint*float64(rating), spread}
}

// Performance returns the rating whose baseline explains choices best, and its standard error; false if none does.
func (m Model) Performance(choices []Choice) (rating, deviation int, ok bool) {
	if len(choices) < LeastMoves || m.PerPoint >= 0 {
		return 0, 0, false
	}
	s, information := strengthAndInformation(choices, m.Shape)
	if information <= 0 {
		return 0, 0, false
	}
	error := math.Sqrt(form*form*matchMoves/float64(len(choices)) + 1/information)
	return int(math.Round((math.Log(float64(s)) - m.Log) / m.PerPoint)), int(math.Round(-error / m.PerPoint)), true
}

// strengthOf returns the strength under which choices are likeliest, and the logarithm of how likely they are then.
func strengthOf(choices []Choice, c Shape) (Strength, float64) {
	return likeliest(choices, raise(choices, c), c)
}

// raise returns the losses of choices, raised.
func raise(choices []Choice, c Shape) [][]float64 {
	raised := make([][]float64, len(choices))
	for i, m := range choices {
		raised[i] = c.raise(make([]float64, 0, len(m.Losses)), m.Losses)
	}
	return raised
}

// likeliest is strengthOf of choices whose losses are raised.
func likeliest(choices []Choice, raised [][]float64, c Shape) (Strength, float64) {
	if len(choices) == 0 {
		return 0, 0
	}
	likelihood := func(log float64) (sum float64) {
		factor := c.of(Strength(math.Exp(log)))
		for i, m := range choices {
			all := 0.0
			for _, d := range raised[i] {
				all += math.Exp(-d * factor)
			}
			sum += math.Log((1-lapse)*math.Exp(-raised[i][m.Played]*factor)/all + lapse/float64(len(raised[i])))
		}
		return sum
	}
	log, likelihoodThere := highest(math.Log(1e-3), math.Log(1), 1e-3, likelihood)
	return Strength(math.Exp(log)), likelihoodThere
}

// highest returns where a function with one peak has it, and how high that is: by parabolas through the three highest places
// known, and by golden section where a parabola leads nowhere (Brent 1973).
func highest(low, high, within float64, f func(float64) float64) (at, top float64) {
	golden := (3 - math.Sqrt(5)) / 2
	at = low + golden*(high-low)
	second, third := at, at
	top = f(at)
	fSecond, fThird := top, top
	var step, before float64
	for {
		middle := (low + high) / 2
		if math.Abs(at-middle)+(high-low)/2 <= within {
			return at, top
		}
		isParabola := false
		if math.Abs(before) > within/2 {
			r := (at - second) * (fThird - top)
			q := (at - third) * (fSecond - top)
			p := (at-third)*q - (at-second)*r
			if q = 2 * (q - r); q > 0 {
				p = -p
			}
			q = math.Abs(q)
			if math.Abs(p) < math.Abs(q*before/2) && p > q*(low-at) && p < q*(high-at) {
				before, step, isParabola = step, p/q, true
				if u := at + step; u-low < within || high-u < within {
					step = math.Copysign(within/2, middle-at)
				}
			}
		}
		if !isParabola {
			if before = low - at; at < middle {
				before = high - at
			}
			step = golden * before
		}
		if math.Abs(step) < within/2 {
			step = math.Copysign(within/2, step)
		}
		u := at + step
		switch fu := f(u); {
		case fu >= top:
			if u < at {
				high = at
			} else {
				low = at
			}
			third, fThird, second, fSecond, at, top = second, fSecond, at, top, u, fu
		default:
			if u < at {
				low = u
			} else {
				high = u
			}
			if fu >= fSecond || second == at {
				third, fThird, second, fSecond = second, fSecond, u, fu
			} else if fu >= fThird || third == at || third == second {
				third, fThird = u, fu
			}
		}
	}
}

// Baseline is what is thought of a person's strength before their choices are looked at: ln s and its spread.
type Baseline struct{ Log, Spread float64 }

// Of returns the strength in the middle of it.
func (b Baseline) Of() Strength { return Strength(math.Exp(b.Log)) }

// form is how much ln s varies from match to match.
const form = 0.15

// learn returns the baseline after matches.
func (b Baseline) learn(matches [][]Choice, c Shape) Baseline {
	weight := 1 / (b.Spread * b.Spread)
	log := b.Log * weight
	for _, m := range matches {
		if len(m) == 0 {
			continue
		}
		s, information := strengthAndInformation(m, c)
		if information <= 0 {
			continue
		}
		w := 1 / (form*form + 1/information)
		log += w * math.Log(float64(s))
		weight += w
	}
	return Baseline{log / weight, math.Sqrt(1 / weight)}
}

// Learn returns the baseline after matches of the person's own that nobody has doubted; nobody is thought stronger than the strongest
// person: otherwise whoever has been helped all along would look like themselves.
func (m Model) Learn(b Baseline, matches [][]Choice) Baseline {
	b = b.learn(matches, m.Shape)
	b.Log = max(b.Log, math.Log(float64(m.Strongest)))
	return b
}

// strengthAndInformation returns the strength under which choices are likeliest, and what they say of its logarithm: the Fisher
// information, by the difference of the chances.
func strengthAndInformation(choices []Choice, c Shape) (s Strength, information float64) {
	const step = 1e-3
	raised := raise(choices, c)
	s, _ = likeliest(choices, raised, c)
	var p, up, down []float64
	for _, r := range raised {
		p = people(p[:0], r, c.of(s))
		up = people(up[:0], r, c.of(s*Strength(math.Exp(step))))
		down = people(down[:0], r, c.of(s*Strength(math.Exp(-step))))
		for i := range p {
			slope := (up[i] - down[i]) / (2 * step)
			information += slope * slope / p[i]
		}
	}
	return s, information
}
