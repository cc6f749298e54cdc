package rating

// The norms of improvement: a performance so many points above one's own rating.
const (
	NormGames = 5 // against rated opponents, the fewest that make a norm
	normStep  = 100
	TopNorm   = 3
)

// Report is what an event was worth to a player.
type Report struct {
	Games       int // against rated opponents
	Halves      int // scored in them, in half points
	Expected    int // percent of a point, summed: 250 is 2½ points
	Performance int // 0: no games
	// Norm is 0…3: 1 for a performance of at least 100 points above the rating
	// before the event, 2 for 200, 3 for 300, over at least five games; never for
	// a player without a rated game before it.
	Norm   int
	Change Rating
}

// Report is what a change says about its event.
func (c Change) Report() Report {
	r := Report{}
	var opponents []int
	for _, s := range c.Steps {
		if s.OpponentRating == 0 {
			continue
		}
		opponents = append(opponents, s.OpponentRating)
		r.Halves += int(s.Result)
		r.Expected += s.Expected
	}
	r.Games = len(opponents)
	r.Performance, _ = Performance(opponents, r.Halves)
	if c.Before != 0 && c.After != 0 {
		r.Change = c.After - c.Before
	}
	if c.Before != 0 && c.Reason == Rated && r.Games >= NormGames && c.Games > r.Games {
		r.Norm = max(0, min(TopNorm, (r.Performance-c.Before.Whole())/normStep))
	}
	return r
}

// Streaks are the longest runs of wins, and of games without a loss, and the
// run that goes on: positive for wins, negative for losses, 0 after a draw.
type Streaks struct{ Wins, Unbeaten, Current int }

// StreaksOf are the streaks of results in their order.
func StreaksOf(results []Result) Streaks {
	var s Streaks
	unbeaten := 0
	for _, r := range results {
		switch r {
		case Win:
			s.Current = max(s.Current, 0) + 1
			unbeaten++
		case Draw:
			s.Current = 0
			unbeaten++
		case Loss:
			s.Current = min(s.Current, 0) - 1
			unbeaten = 0
		}
		s.Wins, s.Unbeaten = max(s.Wins, s.Current), max(s.Unbeaten, unbeaten)
	}
	return s
}
