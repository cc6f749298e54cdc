package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/setting"
)

// MaxKnockOutPlayers is the size of the largest knock-out.
const MaxKnockOutPlayers = 256

// What a knock-out refuses.
var (
	ErrBracket = refusal.Conflict("bracket.error.bracket", "tournament: the bracket says who meets whom")
	ErrGoesOn  = refusal.Conflict("bracket.error.goes-on", "tournament: somebody else would go on, and later boards are paired")
)

// knockOutProblems are the faults of what only a knock-out has.
func (s Settings) knockOutProblems(f *setting.Faults) {
	if s.Format != KnockOut {
		if s.Third || len(s.Tie) > 0 || s.Numbering == Pots {
			f.Add("tie", "unsuitable", "only a knock-out has level contests, a match for third place and pots")
		}
		return
	}
	if !contest.Decides(s.Tie) {
		f.Add("tie", "missing", "a level contest is decided by points, pairs and in the end the seed")
	}
	if len(s.Tiebreaks) > 0 {
		f.Add("tiebreaks", "unsuitable", "a knock-out has places, no tie-breaks")
	}
	if s.Pace == Times {
		f.Add("pace", "unsuitable", "how many rounds a knock-out has is not known beforehand")
	}
	if s.Leave == LeaveForfeits {
		f.Add("leave", "unsuitable", "who was beaten by somebody stays out of a knock-out")
	}
	if s.Expulsion == LeaveForfeits {
		f.Add("expulsion", "unsuitable", "who was beaten by somebody stays out of a knock-out")
	}
}

// contestRules are the rules of its contests.
func (t *Tournament) contestRules() contest.Rules {
	r := contest.Rules{Legs: 1, Tie: t.Tie, Third: t.Third}
	if t.Double {
		r.Legs = 2
	}
	if t.Opening == match.Second {
		r.Opening = 1
	}
	return r
}

// BracketPairer pairs what is due in a bracket: the boards of a round are contests
// whose sides are known, in the order of the bracket.
type BracketPairer struct{ Rules contest.Rules }

var _ Pairer = BracketPairer{}

// Pair is the next round of the field. Who has no board in it has a bye, or is out.
func (p BracketPairer) Pair(f Field) (RoundPairing, error) {
	var round RoundPairing
	for _, s := range p.bracket(f).Due() {
		round.Boards = append(round.Boards, Board{First: s.First, Second: s.Sides[0] + s.Sides[1] - s.First})
	}
	return round, nil
}

// bracket is the bracket of a field with all rounds that are in it.
func (p BracketPairer) bracket(f Field) contest.Bracket {
	var legs []contest.Leg
	for r := range f.Played {
		for _, x := range f.Players {
			if x.Rounds[r].Opponent == 0 || x.Rounds[r].Seat != match.First {
				continue
			}
			c, other := x.Rounds[r], Unfinished
			if i := slices.IndexFunc(f.Players, func(o FieldPlayer) bool { return o.Number == c.Opponent }); i >= 0 {
				other = f.Players[i].Rounds[r].Outcome
			}
			legs = append(legs, contest.Leg{
				Sides: [2]int{x.Number, c.Opponent}, Score: [2]int{halves(c.Outcome), halves(other)}, Difference: c.Difference,
				Absent: [2]bool{c.Outcome == ForfeitLoss, other == ForfeitLoss}, Open: c.Outcome == Unfinished,
			})
		}
	}
	return contest.Resolve(contest.Single(len(f.Players), p.Rules.Third), p.Rules, legs)
}

// halves are the half points of an outcome in its contest, whatever the points of
// the tournament are.
func halves(o Outcome) int {
	switch o {
	case Win, WinUnrated, ForfeitWin:
		return 2
	case Draw, DrawUnrated:
		return 1
	}
	return 0
}

// Bracket is a knock-out after a number of rounds.
func (t *Tournament) Bracket(rounds int) contest.Bracket {
	return BracketPairer{t.contestRules()}.bracket(t.field(min(rounds, len(t.Rounds)), false))
}

// BracketPairing is how the rounds of this knock-out are paired.
func (t *Tournament) BracketPairing() BracketPairer { return BracketPairer{t.contestRules()} }

// ContestRound is of which round of the bracket a round of play is, whether it
// decides level contests only, and how many rounds the bracket has.
func (t *Tournament) ContestRound(n int) (round, of int, tie bool) {
	of, tie = contest.Rounds(t.players()), true
	for _, s := range t.Bracket(n - 1).Due() {
		round, tie = s.Round, tie && s.Tie
	}
	return round, of, tie
}

// outOf tells of entries whether they have no match of a knock-out left.
func (t *Tournament) outOf() func(Entry) bool {
	if t.Format != KnockOut || t.Status < Running {
		return func(Entry) bool { return false }
	}
	b := t.Bracket(len(t.Rounds))
	return func(e Entry) bool { return b.IsOut(e.Number) }
}

// IsOut tells whether an entry has no match of a knock-out left.
func (t *Tournament) IsOut(e Entry) bool { return t.outOf()(e) }

// replan makes the number of rounds what the bracket asks for: one more match of a
// level contest is one more round.
func (t *Tournament) replan() {
	if t.Format == KnockOut && t.Status >= Running {
		least, _ := t.Bracket(len(t.Rounds)).Left()
		t.Settings.Rounds = len(t.Rounds) + least
	}
}

// reopen lets a knock-out go on that was played to its end and whose bracket has
// matches to come again.
func (t *Tournament) reopen(wasPlayed bool) {
	t.replan()
	if t.Format == KnockOut && t.Status == Finished && wasPlayed && len(t.Rounds) < t.Settings.Rounds {
		t.Status, t.EndedAt, t.RatedAt = Running, time.Time{}, time.Time{}
	}
}

// levelTime is by how much the rounds to come can get longer, if every contest is
// level.
func (t *Tournament) levelTime() time.Duration {
	if t.Format != KnockOut {
		return 0
	}
	least, most := t.contestsLeft()
	return time.Duration(most-least) * (t.WorstRound() + t.Break)
}

// mostRounds is how many rounds there are at most, if every contest is level.
func (t *Tournament) mostRounds() int {
	if t.Format != KnockOut {
		return t.roundsExpected()
	}
	least, most := t.contestsLeft()
	return t.roundsExpected() - least + most
}

// contestsLeft are the rounds to come after those that are paired, at least and at
// most; before the start, of the entries so far.
func (t *Tournament) contestsLeft() (least, most int) {
	if t.Status >= Running {
		return t.Bracket(len(t.Rounds)).Left()
	}
	if n := t.active(); n >= MinPlayers {
		r := t.contestRules()
		return contest.Resolve(contest.Single(n, r.Third), r, nil).Left()
	}
	return 0, 0
}

// boardsIn is how many boards a round to come has.
func (t *Tournament) boardsIn(n int) int {
	boards := max(1, t.active()/2)
	if t.Format != KnockOut {
		return boards
	}
	rounds, least := contest.Rounds(max(MinPlayers, t.active())), t.contestRules().Legs
	return max(1, contest.Size(max(MinPlayers, t.active()))>>(min((n-1)/least, rounds-1)+1))
}

// strays are the boards whose players would not have met, by round from 1: those
// that a corrected result leaves without its contest.
func (t *Tournament) strays() map[int][]Pairing {
	if t.Format != KnockOut {
		return nil
	}
	sides := map[[2]EntryID]bool{}
	ids := t.idsByNumber()
	for _, s := range t.Bracket(len(t.Rounds)).States {
		if a, b := ids[s.Sides[0]], ids[s.Sides[1]]; a != 0 && b != 0 {
			sides[[2]EntryID{a, b}], sides[[2]EntryID{b, a}] = true, true
		}
	}
	out := map[int][]Pairing{}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if !sides[[2]EntryID{p.First, p.Second}] {
				out[r.Number] = append(out[r.Number], p)
			}
		}
	}
	return out
}

// dropStrays takes boards back that have lost their contest, and with them whoever
// would not have been there; the contests they were of are played anew.
func (t *Tournament) dropStrays() {
	for n, lost := range t.strays() {
		r := &t.Rounds[n-1]
		r.Pairings = slices.DeleteFunc(slices.Clone(r.Pairings), func(p Pairing) bool { return slices.Contains(lost, p) })
		for i := range r.Pairings {
			r.Pairings[i].Board = i + 1
		}
		r.Edited = true
	}
	for n := len(t.Rounds); n > 0 && len(t.Rounds[n-1].Pairings) == 0; n-- {
		t.Rounds = t.Rounds[:n-1]
	}
}
