package screening

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// Below LeastMoves choices nothing is said; below TestedMoves there are no p; a sanction needs SanctionMoves.
const (
	LeastMoves    = 40
	TestedMoves   = 80
	SanctionMoves = 160
)

// LeastReference is how many people of a reference it takes to calibrate.
const LeastReference = 30

// Person is somebody of a reference: their matches, and what their strength was taken for before.
type Person struct {
	Rating   int
	Baseline Baseline
	Matches  [][]Choice
}

// Somebody's own past is their last OwnPast matches before, of those with PastMoves choices at least.
const (
	OwnPast   = 7
	PastMoves = 20
)

// Calibration is how people beyond doubt choose: by what their rating lets expect, and by what their own past does. The model fits
// nobody everywhere, so people are compared with those of their own band if there are enough of them, otherwise with everybody.
type Calibration struct {
	Model Model `json:"model"`
	Reference
	Bands []BandReference `json:"bands,omitempty"` // those of RatingBands with enough people
	Own   *Reference      `json:"own,omitempty"`   // nil: too few of them have a past
}

// BandReference is the Reference of some ratings.
type BandReference struct {
	Ratings
	Reference
}

// Reference is how the figures of people beyond doubt vary, by how many choices are looked at.
type Reference struct {
	People int       `json:"people"`
	Strata []Stratum `json:"strata"` // by rising number of moves
}

// Against returns what is thought of somebody's strength before their choices are looked at, and those whom they are compared with:
// by their own past if it is long enough, otherwise by their rating.
func (k *Calibration) Against(rating int, past [][]Choice) (Baseline, *Reference) {
	b := k.Model.Baseline(rating)
	if past = lastOf(past); k.Own == nil || past == nil {
		return b, k.among(rating)
	}
	own := k.Model.Learn(b, past)
	if isFar(own, b) {
		return b, k.among(rating)
	}
	return own, k.Own
}

// among returns the people with whom somebody of a rating is compared.
func (k *Calibration) among(rating int) *Reference {
	for i := range k.Bands {
		if k.Bands[i].Has(rating) {
			return &k.Bands[i].Reference
		}
	}
	return &k.Reference
}

// isFar reports whether a past lies further from the rating than nineteen of twenty people's: it is then of somebody who has risen, or
// who was helped all along, and neither is measured well by it.
func isFar(own, rated Baseline) bool { return math.Abs(own.Log-rated.Log) > 2*spread }

// lastOf returns the matches of a past, nil if there are too few.
func lastOf(matches [][]Choice) [][]Choice {
	long := slices.DeleteFunc(slices.Clone(matches), func(m []Choice) bool { return len(m) < PastMoves })
	if len(long) < OwnPast {
		return nil
	}
	return long[len(long)-OwnPast:]
}

// Stratum is the figures of drawn people at one number of choices.
type Stratum struct {
	Moves    int       `json:"moves"`
	Mixture  []float64 `json:"mixture"`  // rising
	Steady   []float64 `json:"steady"`   // rising
	Assisted []float64 `json:"assisted"` // rising: Mixture of the same people with an engine beside them some of the time
	// Mean and deviation of Losing and Matching, and their correlation.
	Losing   Moments `json:"losing"`
	Matching Moments `json:"matching"`
	Together float64 `json:"together"`
}

// Moments is a mean and a deviation.
type Moments struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

func momentsOf(list []float64) (m Moments) {
	for _, x := range list {
		m.Mean += x
	}
	m.Mean /= float64(len(list))
	for _, x := range list {
		m.Deviation += (x - m.Mean) * (x - m.Mean)
	}
	m.Deviation = math.Sqrt(m.Deviation / float64(len(list)))
	return m
}

// standard returns x in deviations from the mean.
func (m Moments) standard(x float64) float64 {
	if m.Deviation == 0 {
		return 0
	}
	return (x - m.Mean) / m.Deviation
}

// steady returns the Steady figure: how much less is given away than by those who find a best action as often.
func (t *Stratum) steady(f Figures) float64 {
	return (t.Losing.standard(f.Losing) - t.Together*t.Matching.standard(f.Matching)) / math.Sqrt(1-t.Together*t.Together)
}

// ErrFewPeople says that a reference is too small to calibrate by.
var ErrFewPeople = fmt.Errorf("screening: a reference has at least %d people with %d choices", LeastReference, LeastMoves)

// Calibrate draws people from a reference, with so many choices each as the strata say, and keeps their figures. Whole
// matches are drawn, of one person together, since form and strength hold for them. The same seed draws the same people.
func (m Model) Calibrate(people []Person, strata []int, draws int, seed [32]byte) (Calibration, error) {
	k, _, err := m.Try(people, strata, draws, 0, seed)
	return k, err
}

// Try calibrates, and tries what a reference is worth by so many draws more: it calibrates by every second person of it and
// looks at the others, whom that calibration has not seen. Without tries there is no power. It returns ErrFewPeople with how
// many people there are.
func (m Model) Try(people []Person, strata []int, draws, tries int, seed [32]byte) (k Calibration, power []Power, err error) {
	lots := rand.New(rand.NewChaCha8(seed))
	reference := m.reference(people, lots)
	if len(reference) < LeastReference {
		return Calibration{Model: m, Reference: Reference{People: len(reference)}}, nil, ErrFewPeople
	}
	k = m.calibrate(reference, strata, draws, lots)
	if tries > 0 {
		power = m.tryHalves(reference, strata, tries, lots)
	}
	if own := m.reference(m.withPast(people), lots); len(own) >= LeastReference {
		by := calibrate(own, strata, draws, lots)
		k.Own = &by
	}
	return k, power, nil
}

// withPast returns those who have a past and matches after it, which are theirs now.
func (m Model) withPast(people []Person) (list []Person) {
	for _, p := range people {
		long := 0
		for i, match := range p.Matches {
			if len(match) >= PastMoves {
				long++
			}
			if long == OwnPast {
				past := lastOf(p.Matches[:i+1])
				if own := m.Learn(p.Baseline, past); !isFar(own, p.Baseline) {
					list = append(list, Person{p.Rating, own, p.Matches[i+1:]})
				}
				break
			}
		}
	}
	return list
}

// reference returns those who have made enough choices.
func (m Model) reference(people []Person, lots *rand.Rand) (list []measured) {
	gauges := map[Baseline]*Gauge{}
	for _, p := range people {
		n := 0
		for _, match := range p.Matches {
			n += len(match)
		}
		if n < LeastMoves {
			continue
		}
		if gauges[p.Baseline] == nil {
			gauges[p.Baseline] = m.Gauge(p.Baseline)
		}
		list = append(list, measure(p, gauges[p.Baseline], lots))
	}
	return list
}

// calibrate makes a calibration of everybody and of the bands of which there are enough people; of their own pasts it knows nothing.
func (m Model) calibrate(reference []measured, strata []int, draws int, lots *rand.Rand) Calibration {
	k := Calibration{Model: m, Reference: calibrate(reference, strata, draws, lots)}
	for _, r := range RatingBands {
		if people := r.of(reference); len(people) >= LeastReference {
			k.Bands = append(k.Bands, BandReference{r, calibrate(people, strata, draws, lots)})
		}
	}
	return k
}

// of returns those of the people who are rated so.
func (r Ratings) of(people []measured) []measured {
	return slices.DeleteFunc(slices.Clone(people), func(w measured) bool { return !r.Has(w.rating) })
}

func calibrate(reference []measured, strata []int, draws int, lots *rand.Rand) Reference {
	k := Reference{People: len(reference)}
	honest, assisted := draw(reference, strata, draws, lots)
	for i, moves := range strata {
		k.Strata = append(k.Strata, newStratum(moves, figuresOf(honest[i]), figuresOf(assisted[i])))
	}
	return k
}

// drawn is the figures of somebody who was drawn, and their rating.
type drawn struct {
	Figures
	rating int
}

func figuresOf(list []drawn) (figures []Figures) {
	for _, d := range list {
		figures = append(figures, d.Figures)
	}
	return figures
}

// draw returns the figures of drawn people by strata: as they chose, and as they would have with an engine beside them.
func draw(reference []measured, strata []int, draws int, lots *rand.Rand) (honest, assisted [][]drawn) {
	honest, assisted = make([][]drawn, len(strata)), make([][]drawn, len(strata))
	for range draws {
		who := reference[lots.IntN(len(reference))]
		share := asked[lots.IntN(len(asked))]
		var own, helped sum
		for a := range who.choices(lots) {
			own.add(a[0])
			if lots.Float64() < share {
				helped.add(a[1])
			} else {
				helped.add(a[0])
			}
			if i := slices.Index(strata, own.n); i >= 0 {
				honest[i] = append(honest[i], drawn{own.figures(who.gauge), who.rating})
				assisted[i] = append(assisted[i], drawn{helped.figures(who.gauge), who.rating})
			}
			if own.n >= strata[len(strata)-1] {
				break
			}
		}
	}
	return honest, assisted
}

// Levels are the p at which Power is told.
var Levels = [...]float64{0.05, 0.01, 0.001}

// Ratings are people from a rating to below another; without To, all above. The zero value is everybody.
type Ratings struct {
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
}

// RatingBands are the ratings by which Power is told, beside everybody's.
var RatingBands = []Ratings{{0, 1200}, {1200, 1600}, {1600, 2000}, {2000, 0}}

// BandOf returns the band of a rating.
func BandOf(rating int) Ratings {
	return RatingBands[slices.IndexFunc(RatingBands, func(r Ratings) bool { return r.Has(rating) })]
}

// Has reports whether somebody of a rating is among them.
func (r Ratings) Has(rating int) bool { return rating >= r.From && (r.To == 0 || rating < r.To) }

// Power is which part of the people of some ratings is noticed at each of Levels, by so many choices.
type Power struct {
	Ratings
	People int                  `json:"people"` // who were tried
	Moves  int                  `json:"moves"`
	Honest [len(Levels)]float64 `json:"honest"` // without reason
	Helped [len(Levels)]float64 `json:"helped"` // of those who ask about a quarter, half or all of the choices, each as likely
}

// leastTried is of how many people at least it is told how many of them are noticed.
const leastTried = LeastReference / 2

// tryHalves tries everybody, and the people of each band of whom there are enough, by the calibration of the other half.
func (m Model) tryHalves(reference []measured, strata []int, draws int, lots *rand.Rand) (list []Power) {
	var halves [2][]measured
	for i, who := range reference {
		halves[i%2] = append(halves[i%2], who)
	}
	k := m.calibrate(halves[0], strata, draws, lots)
	for _, r := range append([]Ratings{{}}, RatingBands...) {
		tried := r.of(halves[1])
		if len(tried) < leastTried {
			continue
		}
		honest, assisted := draw(tried, strata, draws, lots)
		for i, moves := range strata {
			p := Power{Ratings: r, People: len(tried), Moves: moves}
			for l, level := range Levels {
				p.Honest[l], p.Helped[l] = k.noticed(honest[i], level), k.noticed(assisted[i], level)
			}
			list = append(list, p)
		}
	}
	return list
}

// noticed returns which part of the people is at a level or below.
func (k *Calibration) noticed(people []drawn, level float64) float64 {
	n := 0
	for _, d := range people {
		if k.among(d.rating).Rarity(d.Figures).P <= level {
			n++
		}
	}
	return float64(n) / float64(len(people))
}

// asked are the shares of the choices for which somebody may ask an engine; each is as likely.
var asked = [...]float64{0.25, 0.5, 1}

// measured is a person of a reference: what each choice adds to the figures as it was made, and as an engine would have
// made it.
type measured struct {
	rating  int
	gauge   *Gauge
	matches [][][2]*part
}

func measure(p Person, g *Gauge, lots *rand.Rand) measured {
	w := measured{rating: p.Rating, gauge: g}
	var chances []float64
	for _, match := range p.Matches {
		list := make([][2]*part, len(match))
		for i, c := range match {
			chances = Engine(chances[:0], c.Losses)
			list[i] = [2]*part{g.of(c), g.of(Choice{c.Losses, Pick(lots, chances)})}
		}
		if len(list) > 0 {
			w.matches = append(w.matches, list)
		}
	}
	return w
}

// choices yields choices without end: the person's matches in any order, and then again.
func (w measured) choices(lots *rand.Rand) iter.Seq[[2]*part] {
	return func(yield func([2]*part) bool) {
		for {
			for _, i := range lots.Perm(len(w.matches)) {
				for _, a := range w.matches[i] {
					if !yield(a) {
						return
					}
				}
			}
		}
	}
}

// Pick returns an index by chances that add up to 1.
func Pick(lots *rand.Rand, chances []float64) int {
	x := lots.Float64()
	for i, p := range chances {
		if x -= p; x < 0 {
			return i
		}
	}
	return len(chances) - 1
}

func newStratum(moves int, drawn, assisted []Figures) Stratum {
	t := Stratum{Moves: moves}
	var losing, matching []float64
	for _, f := range drawn {
		losing, matching = append(losing, f.Losing), append(matching, f.Matching)
		t.Mixture = append(t.Mixture, f.Mixture)
	}
	t.Losing, t.Matching = momentsOf(losing), momentsOf(matching)
	for i := range drawn {
		t.Together += t.Losing.standard(losing[i]) * t.Matching.standard(matching[i])
	}
	t.Together = min(max(t.Together/float64(len(drawn)), -0.999), 0.999)
	for _, f := range drawn {
		t.Steady = append(t.Steady, t.steady(f))
	}
	for _, f := range assisted {
		t.Assisted = append(t.Assisted, f.Mixture)
	}
	slices.Sort(t.Mixture)
	slices.Sort(t.Steady)
	slices.Sort(t.Assisted)
	return t
}

// Rarity is how many of the people beyond doubt of the same strength choose as oddly.
type Rarity struct {
	P            float64 `json:"p"` // of both figures together: twice the smaller, at most 1
	Mixture      float64 `json:"mixture"`
	Steady       float64 `json:"steady"`
	Extrapolated bool    `json:"extrapolated,omitempty"` // fewer than one of the drawn people went so far: the tail is continued
}

// Rarity compares figures with those of the reference. With fewer than TestedMoves choices nobody is told of it.
func (k *Reference) Rarity(f Figures) (r Rarity) {
	at := sort.Search(len(k.Strata), func(i int) bool { return k.Strata[i].Moves >= f.Moves })
	switch {
	case at == len(k.Strata):
		r = k.Strata[at-1].rarity(f, k.People)
	case at == 0 || k.Strata[at].Moves == f.Moves:
		r = k.Strata[at].rarity(f, k.People)
	default: // between two strata: in the logarithm of the moves
		low, high := k.Strata[at-1], k.Strata[at]
		part := math.Log(float64(f.Moves)/float64(low.Moves)) / math.Log(float64(high.Moves)/float64(low.Moves))
		a, b := low.rarity(f, k.People), high.rarity(f, k.People)
		between := func(x, y float64) float64 { return math.Exp((1-part)*math.Log(x) + part*math.Log(y)) }
		r = Rarity{Mixture: between(a.Mixture, b.Mixture), Steady: between(a.Steady, b.Steady), Extrapolated: a.Extrapolated || b.Extrapolated}
	}
	r.P = min(1, 2*min(r.Mixture, r.Steady))
	return r
}

func (t *Stratum) rarity(f Figures, people int) (r Rarity) {
	var beyond [2]bool
	r.Mixture, beyond[0] = tail(t.Mixture, f.Mixture, people)
	r.Steady, beyond[1] = tail(t.Steady, t.steady(f), people)
	r.Extrapolated = beyond[0] && r.Mixture <= r.Steady || beyond[1] && r.Steady <= r.Mixture
	return r
}

// A tail is the highest fiftieth of the drawn people, and at least that of tailPeople of the reference: ten thousand people who
// are drawn from forty know no more than the forty. No p is below leastP.
const (
	tailPeople = 10
	leastP     = 1e-6
)

// tail returns the share of a rising list that is not below x, counted with x itself. Beyond its end, and of few people also
// near it, it is that of an exponential tail.
func tail(rising []float64, x float64, people int) (p float64, extrapolated bool) {
	n := len(rising)
	above := n - sort.SearchFloat64s(rising, x)
	counted := float64(above+1) / float64(n+1)
	top, few := max(n/50, 1), false
	if people > 0 && tailPeople*n > people*top {
		top, few = min(n, tailPeople*n/people), true
	}
	from, mean := rising[n-top], 0.0
	if above > 0 && !few || x <= from {
		return counted, false
	}
	for _, y := range rising[n-top:] {
		mean += y - from
	}
	continued := 0.0
	if mean /= float64(top); mean > 0 {
		continued = float64(top) / float64(n) * math.Exp(-(x-from)/mean)
	}
	switch {
	case above > 0:
		return max(counted, continued), false
	case few:
		return max(continued, leastP), true
	case mean <= 0:
		return counted, true
	}
	return max(min(counted, continued), leastP), true
}

// Priors are the shares of helped people under which Odds are shown: nobody knows the true one.
var Priors = [...]float64{0.001, 0.01, 0.05}

// Odds returns, for each of Priors, the chance that somebody with these figures was helped, when other evidence multiplies
// the odds by beside. The figures never count for more than their p allows (Sellke, Bayarri and Berger 2001).
func (k *Reference) Odds(f Figures, p, beside float64) (chances [len(Priors)]float64) {
	at := k.Strata[0]
	for _, t := range k.Strata {
		if t.Moves <= f.Moves {
			at = t
		}
	}
	factor := 1.0
	if p < 1/math.E {
		factor = min(density(at.Assisted, f.Mixture)/density(at.Mixture, f.Mixture), -1/(math.E*p*math.Log(p)))
	}
	for i, prior := range Priors {
		odds := prior / (1 - prior) * factor * beside
		chances[i] = odds / (1 + odds)
	}
	return chances
}

// density returns how densely a rising list lies around x: by normal kernels of Silverman's width.
func density(rising []float64, x float64) (sum float64) {
	n := len(rising)
	m := momentsOf(rising)
	width := m.Deviation
	if quarters := (rising[3*n/4] - rising[n/4]) / 1.34; quarters > 0 {
		width = min(width, quarters)
	}
	if width *= 0.9 * math.Pow(float64(n), -0.2); width <= 0 {
		width = 1e-6
	}
	for _, y := range rising {
		z := (x - y) / width
		sum += math.Exp(-z * z / 2)
	}
	return max(sum, 1e-300) / (float64(n) * width)
}

// Adjust returns, for each p of a group that is looked at together, the least share of unfounded concerns at which it
// would be among the concerns (Benjamini and Hochberg 1995). With dependent it holds however they depend on each other
// (Benjamini and Yekutieli 2001).
func Adjust(list []float64, dependent bool) []float64 {
	m := len(list)
	order := make([]int, m)
	harmonic := 0.0
	for i := range order {
		order[i] = i
		harmonic += 1 / float64(i+1)
	}
	if !dependent {
		harmonic = 1
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case list[a] < list[b]:
			return -1
		case list[a] > list[b]:
			return 1
		}
		return 0
	})
	adjusted := make([]float64, m)
	least := 1.0
	for k := m; k >= 1; k-- {
		i := order[k-1]
		least = min(least, float64(m)*harmonic*list[i]/float64(k))
		adjusted[i] = least
	}
	return adjusted
}

// Unfounded is which part of the concerns may be unfounded, in the mean: within a group that is looked at together, and over a
// year.
const Unfounded = 0.05

// Concerns reports which p of a group are concerns: those that are within the group, and beside all others of the last year
// as well. Without the second, a year of many events with nobody helped would have a concern in every twentieth of them.
func Concerns(group, others []float64) []bool {
	together := Adjust(slices.Concat(group, others), false)
	list := make([]bool, len(group))
	for i, adjusted := range Adjust(group, false) {
		list[i] = adjusted <= Unfounded && together[i] <= Unfounded
	}
	return list
}

// ReadCalibration reads a calibration as it is written in JSON.
func ReadCalibration(raw []byte) (k Calibration, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&k); err != nil {
		return Calibration{}, fmt.Errorf("screening: not a calibration: %w", err)
	}
	if k.Model.Shape <= 0 || k.Model.Strongest <= 0 {
		return Calibration{}, errors.New("screening: not a calibration: it has no model")
	}
	isWhole := k.isWhole() && (k.Own == nil || k.Own.isWhole() && len(k.Own.Strata) > 0)
	for _, b := range k.Bands {
		isWhole = isWhole && b.isWhole() && len(b.Strata) > 0
	}
	if !isWhole {
		return Calibration{}, errors.New("screening: not a calibration: a stratum is empty or out of order")
	}
	return k, nil
}

// isWhole reports whether the strata are as Calibrate makes them.
func (k *Reference) isWhole() bool {
	for i, t := range k.Strata {
		if len(t.Mixture) == 0 || len(t.Steady) == 0 || len(t.Assisted) == 0 || i > 0 && t.Moves <= k.Strata[i-1].Moves {
			return false
		}
	}
	return true
}
