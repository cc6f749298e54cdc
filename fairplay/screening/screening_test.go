package screening

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

func TestPeopleErrByTheirStrengthAndEnginesHardly(t *testing.T) {
	losses := []float64{0, 0.03, 0.06}
	// With s = 0.03 and c = 1: weights 1, 1/e, 1/e²; 2 % go to all alike.
	sum := 1 + math.Exp(-1) + math.Exp(-2)
	for i, p := range People(nil, losses, 0.03, 1) {
		near(t, "a person", p, 0.98*math.Exp(-float64(i))/sum+0.02/3, 1e-12)
	}
	// With c = 2 the weights are exp(-1) and exp(-4).
	sum = 1 + math.Exp(-1) + math.Exp(-4)
	near(t, "a person of shape 2", People(nil, losses, 0.03, 2)[2], 0.98*math.Exp(-4)/sum+0.02/3, 1e-12)
	// An engine varies by 0.004: exp(-7.5) beside 1.
	near(t, "an engine", Engine(nil, losses)[1], math.Exp(-7.5)/(1+math.Exp(-7.5)+math.Exp(-15)), 1e-12)
	if got := People([]float64{7}, []float64{0, 0}, 0.03, 1); !cmp.Equal(got, []float64{7, 0.5, 0.5}) {
		t.Errorf("two best actions after what was there: %v", got)
	}
}

func TestWhichChoicesCount(t *testing.T) {
	fine := Seen{Ply: 5, Best: 0.5, Losses: []float64{0, 0.01, 0.2, 0.3}, ClockLeft: 60}
	for name, change := range map[string]func(*Seen){
		"":                      func(*Seen) {},
		"in the opening":        func(m *Seen) { m.Ply = 4 },
		"prepared":              func(m *Seen) { m.Known = 2 },
		"three actions":         func(m *Seen) { m.Losses = []float64{0, 0, 0} },
		"lost":                  func(m *Seen) { m.Best = 0.09 },
		"won":                   func(m *Seen) { m.Best = 0.91 },
		"a premove":             func(m *Seen) { m.Premove = true },
		"with ten seconds left": func(m *Seen) { m.ClockLeft = 10 },
		"one good action only":  func(m *Seen) { m.Losses = []float64{0.3, 0, 0.16, 0.2} },
	} {
		m := fine
		if change(&m); m.Counts() != (name == "") {
			t.Errorf("a choice %s counts: %t", name, m.Counts())
		}
	}
	fine.Losses = []float64{0.4, 0, 0, 0.4} // two best actions: a choice all the same
	if !fine.Counts() {
		t.Error("two best actions do not count")
	}
}

// Three people with p of 0.01, 0.04 and 0.03: sorted 0.01·3/1, 0.03·3/2, 0.04·3/3, each at most the next; Yekutieli's factor
// is 1 + 1/2 + 1/3.
func TestSeveralAreJudgedTogether(t *testing.T) {
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
	list := []float64{0.01, 0.04, 0.03}
	if diff := cmp.Diff([]float64{0.03, 0.04, 0.04}, Adjust(list, false), near); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0.055, 0.22 / 3, 0.22 / 3}, Adjust(list, true), near); diff != "" {
		t.Error(diff)
	}
	if got := Adjust([]float64{0.9, 0.9}, true); !cmp.Equal(got, []float64{1, 1}) {
		t.Errorf("above one: %v", got)
	}
	if got := Adjust(nil, false); len(got) != 0 {
		t.Errorf("nobody: %v", got)
	}
}

// Of a group of two, 0.02 is twice as rare as it has to be; beside eight others who are usual it is not: 0.02·10/1 is above
// 0.05. 0.001 is a concern in both.
func TestAConcernHoldsInItsGroupAndInTheYear(t *testing.T) {
	usual := []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
	if got := Concerns([]float64{0.02, 0.9}, nil); !cmp.Equal(got, []bool{true, false}) {
		t.Errorf("alone: %v", got)
	}
	if got := Concerns([]float64{0.02, 0.9}, usual); !cmp.Equal(got, []bool{false, false}) {
		t.Errorf("in the year: %v", got)
	}
	if got := Concerns([]float64{0.9, 0.001}, usual); !cmp.Equal(got, []bool{false, true}) {
		t.Errorf("rare in the year: %v", got)
	}
	if got := Concerns(nil, usual); len(got) != 0 {
		t.Errorf("nobody: %v", got)
	}
}

func TestATailIsCountedAndContinued(t *testing.T) {
	var rising []float64
	for i := range 100 {
		rising = append(rising, float64(i))
	}
	if p, far := tail(rising, 90, 1000); far || p != 11.0/101 { // 90…99 are ten, and itself
		t.Errorf("%g %t", p, far)
	}
	// The highest fiftieth is 98 and 99: half a point above 98 in the mean, so e times rarer with each half.
	if p, far := tail(rising, 101, 1000); !far || math.Abs(p-0.02*math.Exp(-6)) > 1e-12 {
		t.Errorf("%g %t", p, far)
	}
	if p, far := tail([]float64{1, 1, 1}, 2, 1000); !far || p != 0.25 {
		t.Errorf("without a slope: %g %t", p, far)
	}
	if p, far := tail(rising, 1e6, 1000); !far || p != leastP {
		t.Errorf("far beyond all: %g %t", p, far)
	}
	// Of twenty people the tail is that of ten, the upper half: 24.5 above 50 in the mean.
	for x, want := range map[float64]float64{40: 61.0 / 101, 99: 0.5 * math.Exp(-2), 148: 0.5 * math.Exp(-4)} {
		if p, far := tail(rising, x, 20); math.Abs(p-want) > 1e-12 || far != (x > 99) {
			t.Errorf("of twenty people: %g is as rare as %g (%t), not %g", x, p, far, want)
		}
	}
}

// Where figures are as rare as p says, and the reference cannot tell, the chance rests on the prior and the bound of
// Sellke, Bayarri and Berger: with a prior of 1 % and p = 0.001, odds 1/99 times 1/(e·0.001·6.9078).
func TestARareFigureIsNoCertainty(t *testing.T) {
	var honest, assisted []float64
	for i := range 1000 {
		honest, assisted = append(honest, float64(i)/1000), append(assisted, 1000+float64(i)/1000)
	}
	k := Reference{Strata: []Stratum{{Moves: 80, Mixture: honest, Assisted: assisted}}}
	f := Figures{Moves: 100, Mixture: 1000.5}
	for p, want := range map[float64]float64{1e-3: 0.35, 1e-4: 0.80, 1e-5: 0.97} {
		near(t, "the chance at a prior of 1 %", k.Odds(f, p, 1)[1], want, 0.005)
	}
	near(t, "with evidence that doubles the odds", k.Odds(f, 1e-3, 2)[1], 2*0.538/(1+2*0.538), 0.01)
	if got := k.Odds(f, 0.5, 1); math.Abs(got[0]-0.001) > 1e-12 {
		t.Errorf("a usual figure changes the prior to %g", got[0])
	}
}

// shared is one small for all that only look at it.
var shared = sync.OnceValues(func() (Model, Calibration) {
	_, m, k := small()
	return m, k
})

// small is a world, its model, and a calibration of its club players.
func small() (*World, Model, Calibration) {
	w := NewWorld(400, sha256.Sum256([]byte("world")))
	var groups []Group
	for _, b := range Bands {
		g := Group{Rating: b.Rating}
		for range b.Of100 / 2 {
			_, now := w.Person(b, Helps[0], 0, 0, 80)
			g.People = append(g.People, slices.Concat(now...))
		}
		groups = append(groups, g)
	}
	m, err := Fit(groups)
	if err != nil {
		panic(err)
	}
	var people []Person
	for range tailPeople * 50 { // so many that a fiftieth is a tail
		_, now := w.Person(Bands[1], Helps[0], 0, 0, 80)
		people = append(people, Person{1400, m.Baseline(1400), now})
	}
	k, err := m.Calibrate(people, []int{40, 80}, 1000, sha256.Sum256([]byte("draws")))
	if err != nil {
		panic(err)
	}
	return w, m, k
}

// The bounds are the marks that chpok-lab evidence holds, at 40 choices, less or more by two standard errors of 200 people: here are
// too few to keep to them more closely.
func TestOfMadePeopleTheHelpedAreNoticed(t *testing.T) {
	m, k := shared()
	w := NewWorld(400, sha256.Sum256([]byte("others")))
	const n = 200
	atLeast := func(mark float64) float64 { return mark - 2*math.Sqrt(mark*(1-mark)/n) }
	atMost := func(mark float64) float64 { return 1 - atLeast(1-mark) }
	noticed := func(b Band, h Help) (at40, at80 float64) {
		critical := w.Critical(b)
		for range n {
			_, now := w.Person(b, h, critical, 0, 80)
			choices := slices.Concat(now...)
			if k.Rarity(m.Gauge(m.Baseline(1400)).Measure(choices[:40])).P <= 0.01 {
				at40 += 1.0 / n
			}
			if k.Rarity(m.Gauge(m.Baseline(1400)).Measure(choices)).P <= 0.01 {
				at80 += 1.0 / n
			}
		}
		return at40, at80
	}
	by := map[string]Help{}
	for _, h := range Helps {
		by[h.Name] = h
	}
	if a, b := noticed(Bands[1], by["honest"]); a > atMost(0.014) || b > atMost(0.014) {
		t.Errorf("honest people are noticed: %.3f, %.3f", a, b)
	}
	for name, mark := range map[string]float64{"A100": 0.94, "Hide": 0.93, "A50": 0.61} {
		if a, b := noticed(Bands[1], by[name]); a < atLeast(mark) || b < a-2*math.Sqrt(a*(1-a)/n) {
			t.Errorf("%s is noticed in %.3f and %.3f", name, a, b)
		}
	}
	// Who gets better from match to match is honest, like Riser, and has the same mark.
	if a, b := noticed(Bands[1], by["Climber"]); a > atMost(0.08) || b > atMost(0.08) {
		t.Errorf("climbers are noticed: %.3f, %.3f", a, b)
	}
	// The design has no mark for these two, but they have an engine's moves in fewer choices than one of four: six of forty are known by
	// heart, and whoever knows how they are looked for asks no longer once it shows. So they are noticed less often than A25.
	_, quarter := noticed(Bands[1], by["A25"])
	for _, name := range []string{"Tuned", "Coached"} {
		if _, b := noticed(Bands[1], by[name]); b >= quarter {
			t.Errorf("%s is noticed in %.3f, A25 in %.3f", name, b, quarter)
		}
	}
	// Somebody who is as good as an expert and not yet rated so plays above their rating, and that is no concern.
	expert := Bands[3]
	if a, b := noticed(expert, by["honest"]); a > atMost(0.08) || b > atMost(0.08) {
		t.Errorf("risers are noticed: %.3f, %.3f", a, b)
	}
	_, now := w.Person(expert, by["honest"], 0, 0, 80)
	if f := m.Gauge(m.Baseline(1400)).Measure(slices.Concat(now...)); f.Above < 2 {
		t.Errorf("an expert plays %.1f deviations above a club player", f.Above)
	}
}

// Strength is found again in what people choose: from their rating alone, and better from their own matches.
func TestStrengthIsLearnedFromOnesOwnPast(t *testing.T) {
	m, _ := shared()
	w := NewWorld(400, sha256.Sum256([]byte("others")))
	for _, b := range Bands[:3] {
		var all [][]Choice
		for range 40 {
			_, now := w.Person(b, Helps[0], 0, 0, 40)
			all = append(all, now...)
		}
		s, _ := strengthOf(slices.Concat(all...), m.Shape)
		near(t, b.Name+" by rating", m.Baseline(b.Rating).Log, math.Log(float64(s)), 0.15)
	}
	past, _ := w.Person(Bands[2], Helps[0], 0, 7*40, 40) // a strong player, rated like a club player
	before := m.Baseline(1400)
	after := m.Learn(before, past)
	if after.Spread > 0.10 || after.Log > before.Log-0.15 {
		t.Errorf("seven matches turn %+v into %+v", before, after)
	}
	if got := m.Learn(before, nil); math.Abs(got.Log-before.Log)+math.Abs(got.Spread-before.Spread) > 1e-12 {
		t.Errorf("no match turns %+v into %+v", before, got)
	}
	rating, deviation, ok := m.Performance(slices.Concat(past...))
	if !ok || rating < 1500 || rating > 2100 || deviation < 20 || deviation > 200 {
		t.Errorf("the strong player performs like %d ± %d (%t)", rating, deviation, ok)
	}
}

// What a reference is worth is tried on people whom the calibration has not seen: about as many honest ones are noticed as p
// says, and more of the helped the more choices there are.
func TestAReferenceIsTriedOnOthers(t *testing.T) {
	m, _ := shared()
	w := NewWorld(400, sha256.Sum256([]byte("others")))
	var people []Person
	for range 300 {
		_, now := w.Person(Bands[1], Helps[0], 0, 0, 80)
		people = append(people, Person{1400, m.Baseline(1400), now})
	}
	_, list, err := m.Try(people, []int{40, 80}, 600, 600, sha256.Sum256(nil))
	everybody, club := Ratings{}, Ratings{1200, 1600} // nobody else is rated, and of others nothing is told
	if err != nil || len(list) != 4 || list[0].Moves != 40 || list[1].Moves != 80 || list[0].Ratings != everybody || list[3].Ratings != club {
		t.Fatal(list, err)
	}
	for _, p := range list {
		if p.Honest[0] > 0.15 || p.Honest[1] > 0.05 || p.Helped[0] < p.Helped[1] || p.Helped[1] < 0.3 || p.Helped[1] <= p.Honest[1] {
			t.Errorf("%+v", p)
		}
	}
	if list[1].Helped[1] <= list[0].Helped[1] {
		t.Errorf("twice as many choices show no more: %+v", list)
	}
	if _, _, err := m.Try(people[:LeastReference-1], []int{40}, 100, 100, sha256.Sum256(nil)); !errors.Is(err, ErrFewPeople) {
		t.Error(err)
	}
}

// Whoever is rated like enough people of the reference is compared with them, everybody else with all: the model fits nobody
// everywhere, and by all of them together too many honest experts would stand out.
func TestEverybodyIsComparedWithTheirOwnBand(t *testing.T) {
	m, _ := shared()
	w := NewWorld(400, sha256.Sum256([]byte("bands")))
	var people []Person
	for _, b := range Bands[1:] {
		n := 2 * LeastReference
		if b.Rating == 1800 {
			n = LeastReference - 1
		}
		for range n {
			_, now := w.Person(b, Helps[0], 0, 0, 40)
			people = append(people, Person{b.Rating, m.Baseline(b.Rating), now})
		}
	}
	k, power, err := m.Try(people, []int{40}, 400, 400, sha256.Sum256(nil))
	if err != nil || len(k.Bands) != 2 || k.People != 5*LeastReference-1 {
		t.Fatal(len(k.Bands), k.People, err)
	}
	for rating, want := range map[int]*Reference{1000: &k.Reference, 1200: &k.Bands[0].Reference, 1599: &k.Bands[0].Reference,
		1800: &k.Reference, 2200: &k.Bands[1].Reference} {
		if _, by := k.Against(rating, nil); by != want {
			t.Errorf("whoever is rated %d is compared with %d people, not with %d", rating, by.People, want.People)
		}
	}
	for _, p := range power {
		if p.Ratings == BandOf(2200) && p.Honest[0] > 0.15 {
			t.Errorf("of honest experts %.2f are noticed at %g", p.Honest[0], Levels[0])
		}
	}
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ReadCalibration(text); err != nil || !cmp.Equal(back, k) {
		t.Error("a calibration is read back as another", err)
	}
	k.Bands[1].Strata = nil
	if text, _ = json.Marshal(k); len(text) > 0 {
		if _, err := ReadCalibration(text); err == nil {
			t.Error("a band without figures is read")
		}
	}
}

// Somebody with seven matches of twenty choices before is compared by those with people who have as many, everybody else by their
// rating; so is whoever's past is far from it; and nobody is thought stronger than the strongest, however they played before.
func TestWhoHasAPastIsComparedByIt(t *testing.T) {
	m, _ := shared()
	w := NewWorld(400, sha256.Sum256([]byte("others")))
	var people []Person
	for range 2 * LeastReference {
		past, now := w.Person(Bands[1], Helps[0], 0, OwnPast*matchMoves, 80)
		people = append(people, Person{1400, m.Baseline(1400), slices.Concat(past, now)})
	}
	k, err := m.Calibrate(people, []int{40}, 200, sha256.Sum256(nil))
	if err != nil || k.Own == nil || k.Own.People < LeastReference {
		t.Fatal(k.Own, err)
	}
	past, _ := w.Person(Band{Tau: 0.026}, Helps[0], 0, OwnPast*matchMoves, 0) // a little stronger than the club
	short := append(slices.Clone(past[1:]), past[0][:PastMoves-1])
	if b, by := k.Against(1400, short); by == k.Own || b != m.Baseline(1400) {
		t.Errorf("a short past leads to %+v", b)
	}
	if b, by := k.Against(1400, append(slices.Clone(short), past[0])); by != k.Own || b.Log >= m.Baseline(1400).Log || b != m.Learn(m.Baseline(1400), append(slices.Clone(past[1:]), past[0])) {
		t.Errorf("a strong past leads to %+v", b)
	}
	var engine [][]Choice
	for _, match := range past {
		var list []Choice
		for _, c := range match {
			list = append(list, Choice{c.Losses, slices.Index(c.Losses, 0)})
		}
		engine = append(engine, list)
	}
	expert, _ := w.Person(Bands[3], Helps[0], 0, OwnPast*matchMoves, 0)
	if b, by := k.Against(1400, expert); by == k.Own || b != m.Baseline(1400) {
		t.Errorf("a past far from the rating leads to %+v", b)
	}
	if b, _ := k.Against(1400, engine); b.Of() < m.Strongest-1e-12 {
		t.Errorf("an engine's past leads to a strength of %g, beyond %g", b.Of(), m.Strongest)
	}
	if k, err := m.Calibrate(people[:LeastReference-1], []int{40}, 200, sha256.Sum256(nil)); !errors.Is(err, ErrFewPeople) || k.Own != nil {
		t.Error(err)
	}
}

func TestTheSameSeedGivesTheSameFigures(t *testing.T) {
	a, k := shared()
	_, b, l := small()
	if !cmp.Equal(a, b) || !cmp.Equal(k, l) {
		t.Error("two runs differ")
	}
}

func TestTooFewPeopleAreNoReference(t *testing.T) {
	if _, err := Fit(nil); !errors.Is(err, ErrFewPeople) {
		t.Error(err)
	}
	w := NewWorld(50, sha256.Sum256(nil))
	var people []Person
	for range LeastReference - 1 {
		_, now := w.Person(Bands[1], Helps[0], 0, 0, 40)
		people = append(people, Person{1400, Baseline{math.Log(0.03), 0.2}, now})
	}
	m := Model{Shape: 1, Log: math.Log(0.03), Strongest: 0.01}
	if k, err := m.Calibrate(people, []int{40}, 100, sha256.Sum256(nil)); !errors.Is(err, ErrFewPeople) || k.People != LeastReference-1 {
		t.Error(k.People, err)
	}
	short := Person{1400, people[0].Baseline, [][]Choice{people[0].Matches[0][:LeastMoves-1]}}
	if _, err := m.Calibrate(append(people, short), []int{40}, 100, sha256.Sum256(nil)); !errors.Is(err, ErrFewPeople) {
		t.Error("somebody with too few choices is counted")
	}
	if _, err := m.Calibrate(append(people, people[0]), []int{40}, 100, sha256.Sum256(nil)); err != nil {
		t.Error(err)
	}
}
