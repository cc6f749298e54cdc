package screening

import (
	"math"
	"math/rand/v2"
	"slices"
)

// World makes people who do not exist and choices that nobody had, to try the figures where the truth is known. Its
// people do not choose as a model says: they also see what a shallow look says.
type World struct {
	lots      *rand.Rand
	positions []position
	own       []float64 // space for the chances of one choice
}

// position is a choice before it is made: what each action gives away by a deep look, as people see it, and the chances with which
// an engine takes each.
type position struct{ losses, felt, engine []float64 }

// NewWorld makes a world of so many positions. The same seed makes the same world.
func NewWorld(positions int, seed [32]byte) *World {
	w := &World{lots: rand.New(rand.NewChaCha8(seed))}
	for len(w.positions) < positions {
		if p, ok := w.position(); ok {
			w.positions = append(w.positions, p)
		}
	}
	return w
}

// Meanwhile starts the lots anew, from a seed, with the same positions.
func (w *World) Meanwhile(seed [32]byte) *World {
	return &World{lots: rand.New(rand.NewChaCha8(seed)), positions: w.positions}
}

// point is what one point of the score is about worth in expected score: losses come in whole points, so that often
// several actions are the best.
const point = 0.011

func (w *World) position() (p position, ok bool) {
	n := int(math.Round(min(max(30+8*w.lots.NormFloat64(), 6), 60)))
	scale := math.Exp(math.Log(0.042) + w.lots.NormFloat64())
	p.losses = make([]float64, n)
	shallow := make([]float64, n)
	second, best := 1.0, 0.0
	for i := range n {
		if i > 0 {
			d := scale * (w.lots.ExpFloat64() + w.lots.ExpFloat64())
			if w.lots.Float64() < 0.06 {
				d += 0.1 + 0.4*w.lots.Float64()
			}
			p.losses[i] = math.Round(min(d, 0.9)/point) * point
			second = min(second, p.losses[i])
		}
		shallow[i] = p.losses[i] - 0.008*(1+p.losses[i]/0.05)*w.lots.NormFloat64()
		best = min(best, shallow[i])
	}
	for i, d := range p.losses {
		p.felt = append(p.felt, 0.6*d+0.4*(shallow[i]-best))
	}
	p.engine = Engine(nil, p.losses)
	return p, second <= 0.15
}

// Band is people of one strength.
type Band struct {
	Name   string
	Tau    float64 // how well they choose
	Rating int     // what their results would come to
	Of100  int     // how many of a hundred people they are
}

// Bands are people from novice to expert.
var Bands = []Band{{"novice", 0.05, 1000, 20}, {"club", 0.03, 1400, 50}, {"strong", 0.02, 1800, 20}, {"expert", 0.014, 2200, 10}}

// own returns the chances with which somebody takes each action of a position, in the place of dst.
func (p position) own(dst []float64, tau float64) []float64 {
	own := dst[:0]
	sum := 0.0
	for _, d := range p.felt {
		x := math.Exp(-d / tau)
		own = append(own, x)
		sum += x
	}
	for i := range own {
		own[i] = (1-lapse)*own[i]/sum + lapse/float64(len(own))
	}
	return own
}

// expected returns what somebody expects to give away.
func (p position) expected(own []float64) (sum float64) {
	for i, d := range p.losses {
		sum += own[i] * d
	}
	return sum
}

// Help is a way of being helped, or of looking as if one was.
type Help struct {
	Name string
	// take returns what somebody who would choose by own takes.
	take func(lots *rand.Rand, p position, own []float64, at *course) int
	// AllAlong: also in the matches before.
	AllAlong bool
	// rise is by which part of what they give away they get better from match to match.
	rise float64
}

// course is where somebody is in their matches.
type course struct {
	critical float64 // the loss they expect in one position of ten
	choice   int     // of the match, from 0
	isBeside bool    // somebody who helps is in the room during this match
	shown    float64 // by how much, in natural logarithms, an engine half of the time explains all they did better than they themselves
}

// Helps are the ways that are tried. The first is none.
var Helps = []Help{
	{Name: "honest", take: alone},
	{Name: "A25", take: some(0.25)}, {Name: "A50", take: some(0.5)}, {Name: "A100", take: some(1)},
	{Name: "Hide", take: hide}, {Name: "K10", take: onlyCritical}, {Name: "Weak", take: weakEngine},
	{Name: "Partner", take: onSomeDays}, {Name: "Tuned", take: underTheMark},
	{Name: "Coached", take: byHeart}, {Name: "Climber", take: alone, rise: 0.1},
}

// alone asks nobody.
func alone(lots *rand.Rand, _ position, own []float64, _ *course) int { return Pick(lots, own) }

// some asks an engine about a share of the choices.
func some(share float64) func(*rand.Rand, position, []float64, *course) int {
	return func(lots *rand.Rand, p position, own []float64, _ *course) int {
		if lots.Float64() < share {
			own = p.engine
		}
		return Pick(lots, own)
	}
}

// hide never takes the best and never gives away much.
func hide(lots *rand.Rand, p position, own []float64, _ *course) int {
	var good []int
	for i, d := range p.losses {
		if d > 0 && d <= 0.045 {
			good = append(good, i)
		}
	}
	if len(good) == 0 {
		return Pick(lots, own)
	}
	return good[lots.IntN(len(good))]
}

// onlyCritical asks an engine only where the person expects to give away most.
func onlyCritical(lots *rand.Rand, p position, own []float64, at *course) int {
	if p.expected(own) >= at.critical {
		own = p.engine
	}
	return Pick(lots, own)
}

// weakEngine asks an engine that plays like a good person.
func weakEngine(lots *rand.Rand, p position, _ []float64, _ *course) int {
	chances := make([]float64, len(p.losses))
	sum := 0.0
	for i, d := range p.losses {
		chances[i] = math.Exp(-d / 0.010)
		sum += chances[i]
	}
	for i := range chances {
		chances[i] /= sum
	}
	return Pick(lots, chances)
}

// onSomeDays asks about everything in one match of three, in which a partner is in the room.
func onSomeDays(lots *rand.Rand, p position, own []float64, at *course) int {
	if at.choice == 0 {
		at.isBeside = lots.IntN(3) == 0
	}
	if at.isBeside {
		own = p.engine
	}
	return Pick(lots, own)
}

// underTheMark knows how it is looked for: it asks an engine only as long as that shows no more than an honest person may.
func underTheMark(lots *rand.Rand, p position, own []float64, at *course) int {
	taken := Pick(lots, p.engine)
	shows := func(i int) float64 { return math.Log(0.5 + 0.5*p.engine[i]/own[i]) }
	if at.shown+shows(taken) > 0 {
		taken = Pick(lots, own)
	}
	at.shown += shows(taken)
	return taken
}

// coached is how many choices at the start of a match somebody knows by heart.
const coached = 6

// byHeart takes what an engine has prepared at the start of every match, and then chooses alone.
func byHeart(lots *rand.Rand, p position, own []float64, at *course) int {
	if at.choice < coached {
		own = p.engine
	}
	return Pick(lots, own)
}

// matchMoves is how many choices of a match count.
const matchMoves = 40

// Critical returns the loss that somebody of a band expects in one position of ten, at least.
func (w *World) Critical(b Band) float64 {
	list := make([]float64, len(w.positions))
	for i, p := range w.positions {
		list[i] = p.expected(p.own(nil, b.Tau))
	}
	slices.Sort(list)
	return list[len(list)*9/10]
}

// Person makes somebody of a band who makes so many choices by themselves, and then so many with some help, match by match.
// critical is as Critical has it.
func (w *World) Person(b Band, h Help, critical float64, before, moves int) (past, now [][]Choice) {
	tau := b.Tau * math.Exp(spread*w.lots.NormFloat64())
	first := Helps[0]
	if h.AllAlong {
		first = h
	}
	return w.matches(tau, first, critical, before), w.matches(tau, h, critical, moves)
}

// Member is an honest person who plays through many seasons.
type Member struct {
	tau    float64
	Rating int // what their results have come to; it follows how well they choose
}

// Members makes so many honest people as a club has them.
func (w *World) Members(n int) []*Member {
	list := make([]*Member, n)
	for i := range list {
		at, b := w.lots.IntN(100), 0
		for at >= Bands[b].Of100 {
			at -= Bands[b].Of100
			b++
		}
		list[i] = &Member{Bands[b].Tau * math.Exp(spread*w.lots.NormFloat64()), Bands[b].Rating}
	}
	return list
}

// Season lets a member make so many choices, and then get better or worse until the next season, one of twenty much better.
// Their rating comes half of the way after them.
func (w *World) Season(m *Member, moves int) []Choice {
	choices := slices.Concat(w.matches(m.tau, Helps[0], 0, moves)...)
	last := len(Bands) - 1
	perLog := float64(Bands[last].Rating-Bands[0].Rating) / math.Log(Bands[0].Tau/Bands[last].Tau)
	worth := float64(Bands[0].Rating) + perLog*math.Log(Bands[0].Tau/m.tau)
	m.Rating = int(math.Round((float64(m.Rating) + worth) / 2))
	change := 0.05 * w.lots.NormFloat64()
	if w.lots.IntN(20) == 0 {
		change -= 0.3
	}
	m.tau = min(max(m.tau*math.Exp(change), Bands[last].Tau), Bands[0].Tau)
	return choices
}

func (w *World) matches(tau float64, h Help, critical float64, moves int) (list [][]Choice) {
	at := course{critical: critical}
	for left := moves; left > 0; left -= matchMoves {
		now := tau * math.Exp(form*w.lots.NormFloat64())
		match := make([]Choice, min(left, matchMoves))
		for i := range match {
			at.choice = i
			p := w.positions[w.lots.IntN(len(w.positions))]
			w.own = p.own(w.own, now)
			match[i] = Choice{p.losses, h.take(w.lots, p, w.own, &at)}
		}
		list = append(list, match)
		tau *= 1 - h.rise
	}
	return list
}
