package review_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
)

// recordOf is a match of Olena, who plays White, against Taras: so many moves of each by the engine. Olena has ten seconds
// left in her last three.
func recordOf(t *testing.T, moves int) notation.Record {
	t.Helper()
	bidding := []string{`{"by":"B","bid":{"target":"white","chips":1}}`, `{"by":"A","bid":{"target":"time","chips":1,"minutes":5,"increment":0}}`}
	read := func(acts []string) notation.Record {
		text := `{"chpok":1,"first":"B","chips":1,"players":{"A":"Taras","B":"Olena"},"actions":[`
		for i, a := range append(slices.Clone(bidding), acts...) {
			if i > 0 {
				text += ","
			}
			text += a
		}
		r, err := notation.ParseRecord([]byte(text + "]}"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	gameOf := func(r notation.Record) (roots []search.Root) {
		g, err := r.NewGame()
		for _, raw := range r.Actions {
			if err == nil {
				g, err = notation.Do(g, raw, r.First)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		roots, _ = analysis.Roots(g)
		return roots
	}
	var acts []string
	e := search.NewEngine(12)
	root := gameOf(read(nil))[0]
	for i := range 2 * moves {
		best := e.Search(t.Context(), root, search.Limits{Nodes: 300, Seed: uint64(i + 1), Error: 60}, nil)[0].Actions[0]
		left := 60_000
		if i >= 2*moves-6 {
			left = 10_000
		}
		acts = append(acts, fmt.Sprintf(`{"by":%q,"act":%q,"clock":%d}`, string("BA"[i%2]), best.String(), left))
		root = root.Play(best)
	}
	return read(acts)
}

func TestADossierFollowsFromRecordsAlone(t *testing.T) {
	t.Parallel()
	r := recordOf(t, 16)
	look := func(player string, before int) review.Dossier {
		d := review.Dossier{Player: player, Rating: 1400, Engine: search.Version, Nodes: 1000}
		e := search.NewEngine(14)
		for range before { // what the engine has seen before changes nothing
			other := review.Dossier{Player: "Taras", Nodes: 500}
			if _, err := other.Look(t.Context(), e, r); err != nil {
				t.Fatal(err)
			}
		}
		l, err := d.Look(t.Context(), e, r)
		if err != nil {
			t.Fatal(err)
		}
		d.Add(l)
		return d
	}
	d := look("Olena", 0)
	if diff := cmp.Diff(d, look("Olena", 1)); diff != "" {
		t.Error(diff)
	}
	if len(d.Records) != 1 || d.Records[0].Moves != 16 || d.Records[0].Counted != len(d.Moves) || len(d.Moves) < 4 {
		t.Fatalf("%d moves count of %+v", len(d.Moves), d.Records)
	}
	for _, m := range d.Moves {
		if m.Move <= 4 || m.Move > 13 || m.Losses[m.Index] != m.Loss || m.Loss == 0 && m.Best != m.Played || len(m.Losses) < 4 {
			t.Errorf("a move that counts: %+v", m)
		}
	}
	if other := look("Taras", 0); cmp.Equal(other.Moves, d.Moves) {
		t.Error("both players made the same moves")
	}
	d.Weigh(screening.Calibration{})
	if d.Silence != review.SilenceFewMoves || d.Rarity != nil {
		t.Errorf("%d moves are told of: %+v", len(d.Moves), d)
	}
	if _, err := d.Look(t.Context(), search.NewEngine(12), notation.Record{}); !errors.Is(err, review.ErrNoSuchPlayer) {
		t.Error(err)
	}
	stranger := review.Dossier{Player: "olena", Nodes: 100}
	if _, err := stranger.Look(t.Context(), search.NewEngine(12), r); !errors.Is(err, review.ErrNoSuchPlayer) {
		t.Error(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&review.Dossier{Player: "Olena", Nodes: 100}).Look(over, search.NewEngine(12), r); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Of forty positions in which an action gives away nothing, two give away 0.03 and one 0.1, people of s = 0.03 are made by
// lots; somebody who always takes the best is rare among them.
func TestADossierComparesWithPeopleBeyondDoubt(t *testing.T) {
	t.Parallel()
	losses := []float64{0, 0.03, 0.03, 0.1, 0.2}
	var people []screening.Person
	for i := range 40 {
		var match []screening.Choice
		for k := range 100 {
			played := 0
			if x := (i*37 + k*61) % 100; x >= 54 { // as often as such a person takes another action than the best, or more
				played = 1 + x%2
			}
			match = append(match, screening.Choice{Losses: losses, Played: played})
		}
		people = append(people, screening.Person{Baseline: screening.Baseline{Log: math.Log(0.03), Spread: 0.2}, Matches: [][]screening.Choice{match}})
	}
	m := screening.Model{Shape: 1, Log: math.Log(0.03) + 1400*0.001, PerPoint: -0.001, Strongest: 0.012}
	k, err := m.Calibrate(people, []int{80, 160}, 400, [32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	read, err := screening.ReadCalibration(text)
	if err != nil || !cmp.Equal(k, read) {
		t.Fatal("a calibration changes on its way through a file", err)
	}
	d := review.Dossier{Player: "Olena", Rating: 1400}
	for i := range 100 {
		d.Moves = append(d.Moves, review.MoveLook{Move: i, Losses: losses, Loss: 0})
	}
	d.Moves[7].Index, d.Moves[7].Loss = 3, 0.1
	d.Weigh(k)
	if d.Silence != "" || d.Rarity == nil || d.Rarity.P > 0.01 || d.People != 40 || len(d.Odds) != len(screening.Priors) {
		t.Errorf("%+v", d.Rarity)
	}
	if !slices.IsSorted(d.Odds) || d.Odds[0] <= 0.001 || d.Odds[2] >= 1 {
		t.Errorf("chances %v", d.Odds)
	}
	heavy := d.Heaviest(10)
	if len(heavy) != 10 || heavy[0].Weighs <= d.Moves[7].Weighs || slices.ContainsFunc(heavy, func(x review.MoveLook) bool { return x.Move == 7 }) {
		t.Errorf("heaviest %+v", heavy[0])
	}
	nobody := review.Dossier{Player: "Olena", Rating: 1400, Moves: d.Moves}
	if nobody.Weigh(screening.Calibration{}); nobody.Silence != review.SilenceNoReference || nobody.Rarity != nil || nobody.Odds != nil {
		t.Errorf("without people: %+v", nobody.Silence)
	}
}

func TestWhatIsNoCalibrationIsRefused(t *testing.T) {
	for _, text := range []string{"", "{}", `{"model":{"shape":1,"strongest":0.01},"strata":[{"moves":80}]}`, `{"model":{"shape":0}}`, `{"colour":1}`} {
		if _, err := screening.ReadCalibration([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
