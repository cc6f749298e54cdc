package rating

import (
	"math"
	"slices"
)

// Method is how a pool computes ratings.
type Method uint8

const (
	Elo Method = iota // the default
	Glicko2
)

var methods = [...]string{"elo", "glicko2"}

func (m Method) String() string {
	if int(m) < len(methods) {
		return methods[m]
	}
	return ""
}

// ParseMethod reads the word of a method.
func ParseMethod(word string) (Method, bool) {
	i := slices.Index(methods[:], word)
	return Method(max(i, 0)), i >= 0
}

// Glicko are the settings of Glicko-2 ("Example of the Glicko-2 system", Mark
// Glickman, 2022). An event is a rating period of its players; a whole month
// without an event widens a deviation as one period without games.
type Glicko struct {
	Tau         float64 // how much volatilities may change, 0.3…1.2
	Deviation   int     // of a newcomer, and the greatest
	Volatility  float64 // of a newcomer
	Provisional int     // a rating with a greater deviation is provisional
}

// Glickman is the paper's values.
func Glickman(start int) Settings {
	return Settings{
		Method: Glicko2, Start: start, Floor: 100,
		Glicko: Glicko{Tau: 0.5, Deviation: 350, Volatility: 0.06, Provisional: 110},
	}
}

func (s Settings) validateGlicko() error {
	g := s.Glicko
	switch {
	case !(g.Tau >= 0.1 && g.Tau <= 2), g.Deviation < 30 || g.Deviation > 500, !(g.Volatility > 0 && g.Volatility <= 0.5), g.Provisional < 1:
		return contradiction("Glicko-2 takes tau 0.1…2, a deviation of 30…500 and a volatility up to 0.5")
	case s.Start <= 0:
		return contradiction("Glicko-2 needs a rating to start with")
	case s.Floor < 0 || s.Start < s.Floor:
		return contradiction("newcomers start at %d, below the floor %d", s.Start, s.Floor)
	}
	return nil
}

const (
	glickoScale   = 173.7178 // points in a unit of the Glicko-2 scale
	glickoCentre  = 1500
	glickoEpsilon = 1e-6 // convergence of the volatility
)

// Estimate is what Glicko-2 knows about a player, in points.
type Estimate struct{ Rating, Deviation, Volatility float64 }

// Score is a game for Glicko-2: the opponent at the start of the period, and 1, ½ or 0.
type Score struct {
	Opponent Estimate
	Points   float64
}

// idle is a deviation after periods without games (step 6 alone).
func (e Estimate) idle(periods int) Estimate {
	phi := e.Deviation / glickoScale
	e.Deviation = math.Sqrt(phi*phi+float64(periods)*e.Volatility*e.Volatility) * glickoScale
	return e
}

// Period is one rating period of a player: steps 2 to 8 of the paper.
func (e Estimate) Period(tau float64, scores []Score) Estimate {
	if len(scores) == 0 {
		return e.idle(1)
	}
	mu, phi := (e.Rating-glickoCentre)/glickoScale, e.Deviation/glickoScale
	var information, surprise float64 // 1/v and Δ/v
	for _, s := range scores {
		other := s.Opponent.Deviation / glickoScale
		g := 1 / math.Sqrt(1+3*other*other/(math.Pi*math.Pi))
		expected := 1 / (1 + math.Exp(-g*(mu-(s.Opponent.Rating-glickoCentre)/glickoScale)))
		information += g * g * expected * (1 - expected)
		surprise += g * (s.Points - expected)
	}
	v := 1 / information
	sigma := volatility(e.Volatility, tau, phi, v, v*surprise)
	before := phi*phi + sigma*sigma // φ*², step 6
	phi = 1 / math.Sqrt(1/before+information)
	mu += phi * phi * surprise
	return Estimate{mu*glickoScale + glickoCentre, phi * glickoScale, sigma}
}

// volatility is step 5: the root of f by the Illinois algorithm.
func volatility(sigma, tau, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		sum := phi*phi + v + e
		return e*(delta*delta-sum)/(2*sum*sum) - (x-a)/(tau*tau)
	}
	low, high := a, 0.0
	if delta*delta > phi*phi+v {
		high = math.Log(delta*delta - phi*phi - v)
	} else {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		high = a - k*tau
	}
	fLow, fHigh := f(low), f(high)
	for range 100 {
		if math.Abs(high-low) <= glickoEpsilon {
			break
		}
		c := low + (low-high)*fLow/(fHigh-fLow)
		fc := f(c)
		if fc*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = c, fc
	}
	return math.Exp(low / 2)
}

func (p Standing) estimate() Estimate {
	return Estimate{float64(p.Rating) / 100, float64(p.Deviation) / 100, p.Volatility}
}

// waited is a player's standing when an event begins: months without one have widened
// their deviation, up to a newcomer's.
func (l *List) waited(player string, month int) Standing {
	p := l.players[player]
	if idle := month - p.Month - 1; idle > 0 {
		d := p.estimate().idle(idle).Deviation
		p.Deviation = min(hundredths(d), Points(l.settings.Glicko.Deviation))
	}
	return p
}

// period is an event by Glicko-2. Numbers are kept in hundredths of a point, so that a
// stored standing is exact.
func (l *List) period(e Event, player string, steps []Step) (Change, Standing) {
	s, p := l.settings, l.waited(player, e.Month)
	c := Change{Event: e.ID, Player: player, Reason: Rated, Before: p.Rating, Steps: steps}
	scores := make([]Score, len(steps))
	for i := range steps {
		opponent := l.waited(steps[i].Opponent, e.Month).estimate()
		scores[i] = Score{opponent, float64(steps[i].Result) / 2}
		steps[i].Difference = p.Rating.Whole() - steps[i].OpponentRating
		steps[i].Expected = expectedPercent(p.estimate(), opponent)
	}
	now := p.estimate().Period(s.Glicko.Tau, scores)
	p.Rating = max(hundredths(now.Rating), Points(max(s.Floor, 1)))
	p.Deviation = min(hundredths(now.Deviation), Points(s.Glicko.Deviation))
	p.Volatility, p.Month, p.Seen = now.Volatility, max(p.Month, e.Month), true
	p.Games += len(steps)
	c.After, c.Games = p.Rating, p.Games
	return c, p
}

func expectedPercent(us, them Estimate) int {
	other := them.Deviation / glickoScale
	g := 1 / math.Sqrt(1+3*other*other/(math.Pi*math.Pi))
	return int(math.Round(100 / (1 + math.Exp(-g*(us.Rating-them.Rating)/glickoScale))))
}

func hundredths(points float64) Rating { return Rating(math.Round(points * 100)) }
