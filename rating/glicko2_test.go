package rating_test

import (
	"math"
	"testing"

	"chpok.org/chpok/rating"
)

// The example of the paper: 1500 (deviation 200) beats 1400 (30), loses to 1550
// (100) and to 1700 (300); tau 0.5.
func TestTheWorkedExampleOfGlicko2(t *testing.T) {
	t.Parallel()
	of := func(r, deviation float64) rating.Estimate {
		return rating.Estimate{Rating: r, Deviation: deviation, Volatility: 0.06}
	}
	got := of(1500, 200).Period(0.5, []rating.Score{{Opponent: of(1400, 30), Points: 1}, {Opponent: of(1550, 100)}, {Opponent: of(1700, 300)}})
	if math.Abs(got.Rating-1464.06) > 0.01 || math.Abs(got.Deviation-151.52) > 0.01 || math.Abs(got.Volatility-0.05999) > 0.00001 {
		t.Errorf("%+v", got)
	}
	// Without games only the deviation grows: √(1.1513² + 0.06²) × 173.7178 = 200.2714.
	if idle := of(1500, 200).Period(0.5, nil); idle.Rating != 1500 || math.Abs(idle.Deviation-200.2714) > 0.001 {
		t.Errorf("idle: %+v", idle)
	}
}

func TestAGlickoListFollowsThePaperInHundredths(t *testing.T) {
	t.Parallel()
	l, err := rating.NewList(rating.Glickman(1500), nil)
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, r, deviation int) {
		l.Restore(name, rating.Standing{Rating: rating.Points(r), Peak: rating.Points(r), Deviation: rating.Points(deviation), Volatility: 0.06, Month: year2026, Games: 9, Seen: true})
	}
	put("A", 1500, 200)
	put("B", 1400, 30)
	put("C", 1550, 100)
	put("D", 1700, 300)
	event := rating.Event{ID: "x", Month: year2026, Games: []rating.Game{
		{First: "A", Second: "B", FirstResult: rating.Win}, {First: "C", Second: "A", FirstResult: rating.Win}, {First: "A", Second: "D", FirstResult: rating.Loss},
	}}
	changes, err := l.Rate(event)
	if err != nil {
		t.Fatal(err)
	}
	a := changes[0]
	if a.Player != "A" || a.After < 146405 || a.After > 146407 || a.Standing.Deviation < 15151 || a.Standing.Deviation > 15153 || a.Games != 12 || a.K != 0 || len(a.Steps) != 3 {
		t.Errorf("%+v", a)
	}
	if !a.Standing.IsProvisional(rating.Glickman(1500)) {
		t.Error("a deviation of 152 is provisional")
	}
	// Eleven months later the deviation has grown by ten idle periods before the game is rated.
	waited, err := l.Rate(rating.Event{ID: "y", Month: year2026 + 11, Games: []rating.Game{{First: "B", Second: "C", FirstResult: rating.Draw}}})
	if err != nil || waited[0].Standing.Month != year2026+11 || waited[0].Standing.Deviation <= rating.Points(30) {
		t.Errorf("%+v, %v", waited, err)
	}
}

func TestANewcomerByGlicko2IsProvisionalAtFirst(t *testing.T) {
	t.Parallel()
	_, changes, err := rating.Recompute(rating.Glickman(1500), nil, []rating.Event{{ID: "x", Month: year2026, Games: []rating.Game{{First: "A", Second: "B", FirstResult: rating.Win}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 4 || changes[0].Reason != rating.Started || changes[1].Reason != rating.Rated || changes[1].After+changes[3].After != rating.Points(3000) {
		t.Errorf("both start, and the winner gains what the loser loses: %+v", changes)
	}
	for name, change := range map[string]func(*rating.Settings){
		"no start": func(s *rating.Settings) { s.Start = 0 }, "no tau": func(s *rating.Settings) { s.Glicko.Tau = 0 },
		"a floor above the start": func(s *rating.Settings) { s.Floor = 1600 }, "not a number": func(s *rating.Settings) { s.Glicko.Tau = math.NaN() },
		"no such method": func(s *rating.Settings) { s.Method = 9 },
	} {
		s := rating.Glickman(1500)
		change(&s)
		if s.Validate() == nil {
			t.Errorf("settings with %s were taken", name)
		}
	}
}
