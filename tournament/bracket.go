package tournament

import (
	"cmp"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/setting"
)

// Refusals of knock-outs.
var (
	ErrBracket = refusal.Conflict("bracket.error.bracket", "tournament: the bracket says who meets whom")
	ErrGoesOn  = refusal.Conflict("bracket.error.goes-on", "tournament: somebody else would advance, but later boards are paired")
)

// knockOut is a knock-out: contests in a bracket.
type knockOut struct{ usual }

func (knockOut) traits() traits {
	return traits{name: "knock-out", table: true, bracket: true, order: true, teams: true, report: "CUSTOM_KNOCKOUT",
		reports: "CUSTOM_TEAM_KNOCKOUT"}
}

func (knockOut) defaults(s *Settings) {
	s.Tie, s.Losers = DefaultTie(s.HasTeams()), contest.ForThird
}

// DefaultTie returns how level contests of a knock-out are decided by default; of teams as an EDEBB would (FIDE C.07, 12.4).
func DefaultTie(teams bool) []contest.Step {
	if teams {
		return []contest.Step{contest.BoardCount, contest.LessBottom, contest.Seed}
	}
	return []contest.Step{contest.Pair, contest.Decider}
}

func (knockOut) bounds(s Settings) (least, most int) { return s.Losers.Bounds() }

func (knockOut) rounds(t *Table) int {
	least, _ := t.roundsLeft()
	return least
}

// back is possible as long as they are not out.
func (knockOut) back(t *Table, e Entry) error {
	if t.IsOut(e) {
		return ErrMissedBoard
	}
	return nil
}

func (knockOut) edits(k EditKind) error {
	if k != SwapSeats {
		return ErrBracket
	}
	return nil
}

func (knockOut) foreign(s Settings, f *setting.Faults) {
	if s.Losers != "" || len(s.Tie) > 0 || s.Numbering == Pots || s.Legs != 0 || s.Groups != 0 {
		f.Add("tie", "unsuitable", "only a knock-out has level contests, losers who play on and pots")
	}
}

func (knockOut) faults(s Settings, f *setting.Faults) {
	switch {
	case s.HasTeams() && !contest.DecideTeams(s.Tie):
		f.Add("tie", "missing", "the tie-break of teams is boards, top, bottom, pairs and, at the end, lots or the seed")
	case !s.HasTeams() && !contest.Decides(s.Tie):
		f.Add("tie", "missing", "the tie-break is points, pairs and, at the end, a decider, lots or the seed")
	}
	if s.Legs != 0 && (s.Legs != 4 || s.Double) {
		f.Add("legs", "range", "a contest has one match, two (double) or four, not %d", s.Legs)
	}
	if s.Groups != 0 && (s.Groups < 2 || s.Groups > draw.MostGroups) {
		f.Add("groups", "range", "there are 2…%d groups or none, not %d", draw.MostGroups, s.Groups)
	}
	if !slices.Contains(contest.AllLosers, s.Losers) {
		f.Add("losers", "missing", "losers are out, or play on: %v", contest.AllLosers)
	}
	if s.Pace == Times {
		f.Add("pace", "unsuitable", "the rounds of a knock-out are not known in advance")
	}
}

// contestRules returns the rules of the contests of a knock-out.
func (t *Table) contestRules() contest.Rules {
	r := contest.Rules{Legs: 1, Tie: t.Tie, Losers: t.Losers}
	switch {
	case t.Legs > 0:
		r.Legs = t.Legs
	case t.Double:
		r.Legs = 2
	}
	if t.Opening == match.Second {
		r.Opening = 1
	}
	if t.HasTeams() && t.Teams.ByGames {
		r.Most = t.Teams.Boards * int(t.Points.Win)
	}
	return r
}

// DrawsLots reports whether lots are the last tie-break.
func (s Settings) DrawsLots() bool { return len(s.Tie) > 0 && s.Tie[len(s.Tie)-1] == contest.Lot }

// NeedsLot reports whether a lot must be drawn before a result is entered on a board that is
// not played on the server. A lot is drawn once, even if the result changes.
func (t *Table) NeedsLot(round, board int) bool {
	p, err := t.pairing(round, board)
	return err == nil && t.DrawsLots() && p.Match == "" && !p.Result.Odds.Valid()
}

// DrawLot draws the lot of a board if it needs one.
func (t *Tournament) DrawLot(round, board int, d Drawing) {
	if p, err := t.pairing(round, board); err == nil && t.NeedsLot(round, board) {
		p.Result.Odds, t.Promise = d.Seat(), d.Next
	}
}

// BracketPairer pairs the contests that are due in a bracket, in its order.
type BracketPairer struct{ Rules contest.Rules }

var _ Pairer = BracketPairer{}

// Pair returns the next round. Players without a board have a bye or are out. It never fails.
func (p BracketPairer) Pair(f Field) (RoundPairing, error) {
	var round RoundPairing
	for _, s := range p.bracket(f).Due() {
		round.Boards = append(round.Boards, Board{First: s.First, Second: s.Second()})
	}
	return round, nil
}

// bracket resolves the bracket of a field with its results.
func (p BracketPairer) bracket(f Field) contest.Bracket {
	var legs []contest.Leg
	for r := range f.Played {
		for _, x := range f.Players {
			if x.Rounds[r].Opponent == 0 || x.Rounds[r].Seat != match.First {
				continue
			}
			c, other := x.Rounds[r], RoundResult{Outcome: Unfinished}
			if i := slices.IndexFunc(f.Players, func(o FieldPlayer) bool { return o.Number == c.Opponent }); i >= 0 {
				other = f.Players[i].Rounds[r]
			}
			odds := map[match.Seat]int{match.First: x.Number, match.Second: c.Opponent}[c.Odds]
			leg := contest.Leg{
				Contest: int(c.Contest), Round: r + 1, Sides: [2]int{x.Number, c.Opponent},
				Score: [2]int{halves(c.Outcome), halves(other.Outcome)}, Difference: c.Difference,
				Absent: [2]bool{c.Outcome == ForfeitLoss, other.Outcome == ForfeitLoss}, Gone: c.Gone, Came: c.Came,
				Open: c.Outcome == Unfinished, Odds: odds,
			}
			f.Teams.countBoards(&leg)
			legs = append(legs, leg)
		}
	}
	return contest.Resolve(contest.Build(len(f.Players), p.Rules.Losers), p.Rules, legs)
}

// countBoards adds to a match of teams what its boards gave; of players there are none.
func (e *TeamEvent) countBoards(l *contest.Leg) {
	if e == nil {
		return
	}
	var of [2]TeamMatch
	for k, number := range l.Sides {
		of[k] = e.Matches[number][l.Round-1]
		l.Other[k] = int(of[k].Games)
	}
	if e.ByGames {
		l.Score, l.Other = l.Other, l.Score
	}
	for k := range of[0].Boards {
		l.Boards = append(l.Boards, int(e.Game.Of(of[0].Boards[k])-e.Game.Of(of[1].Boards[k])))
	}
}

// halves returns the half points of an outcome in a contest, whatever the tournament's
// point system.
func halves(o Outcome) int {
	switch o {
	case Win, WinUnrated, ForfeitWin:
		return 2
	case Draw, DrawUnrated:
		return 1
	}
	return 0
}

// Bracket returns the bracket after a number of rounds.
func (t *Table) Bracket(rounds int) contest.Bracket {
	return t.BracketPairing().bracket(t.field(min(rounds, len(t.Rounds)), false))
}

// IsTitleOpen reports whether a knock-out ended without a champion, as nobody came to its final.
func (t *Table) IsTitleOpen() bool {
	return t.Format.HasBracket() && t.Status >= Running && t.Bracket(len(t.Rounds)).IsTitleOpen()
}

// BracketPairing returns the pairer of this knock-out.
func (t *Table) BracketPairing() BracketPairer { return BracketPairer{t.contestRules()} }

// Levels returns the number of rounds in the part of the bracket that a contest is in.
func (t *Table) Levels(c contest.Contest) (n int) {
	for _, x := range contest.Build(t.players(), t.Losers) {
		if x.Part == c.Part && x.Places == c.Places {
			n = max(n, x.Level)
		}
	}
	return n
}

// ContestsIn returns the contests that are played in a round: those of its boards, or of a round
// to come those that are due. Tie tells whether the match of that round is a tie-break.
func (t *Table) ContestsIn(n int) (list []contest.State) {
	if n > len(t.Rounds) {
		return t.Bracket(n - 1).Due()
	}
	states, before := t.Bracket(len(t.Rounds)).States, map[int]int{}
	for _, r := range t.Rounds[:n-1] {
		for _, p := range r.Sides() {
			before[p.Contest]++
		}
	}
	for _, p := range t.Rounds[n-1].Sides() {
		if p.Contest >= 0 && p.Contest < len(states) { // an imported file may have any number
			s := states[p.Contest]
			s.Tie = before[p.Contest] >= t.contestRules().Legs
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b contest.State) int { return cmp.Compare(a.At, b.At) })
	return list
}

// nameContests gives the boards of a knock-out's round their contests.
func (t *Table) nameContests(r *Round) {
	if !t.Format.HasBracket() {
		return
	}
	due := t.due()
	for i, p := range r.Pairings {
		s := due[[2]int{t.numberOf(p.First), t.numberOf(p.Second)}]
		r.Pairings[i].Contest, r.Pairings[i].Sealed = s.At, s.Sealed
	}
	for i, p := range r.Teams {
		r.Teams[i].Contest = due[[2]int{t.numberOf(p.First), t.numberOf(p.Second)}].At
	}
}

// due returns the contests that are due, by their sides in both orders.
func (t *Table) due() map[[2]int]contest.State {
	due := map[[2]int]contest.State{}
	for _, s := range t.ContestsIn(len(t.Rounds) + 1) {
		due[s.Sides], due[[2]int{s.Sides[1], s.Sides[0]}] = s, s
	}
	return due
}

// outOf returns a function that reports whether an entry has no match left in a knock-out.
func (t *Table) outOf() func(Entry) bool {
	if !t.Format.HasBracket() || t.Status < Running {
		return func(Entry) bool { return false }
	}
	b := t.Bracket(len(t.Rounds))
	return func(e Entry) bool { return b.IsOut(t.numberOf(t.SideOf(e.ID))) }
}

// IsOut reports whether an entry, or its team, has no match left in a knock-out.
func (t *Table) IsOut(e Entry) bool { return t.outOf()(e) }

// replan sets the number of rounds of a knock-out to what the bracket needs: a tie-break
// match adds a round.
func (t *Table) replan() {
	if t.Format.HasBracket() && t.Status >= Running {
		least, _ := t.roundsLeft()
		t.Settings.Rounds = len(t.Rounds) + least
	}
}

// redraft pairs the draft of a knock-out again if others are to meet now. The draft keeps
// its time. It is dropped if its round is no longer due.
func (t *Tournament) redraft() {
	if !t.Format.HasBracket() || t.Draft == nil || t.Draft.Number == len(t.Rounds)+1 && t.DraftStale() == nil {
		return
	}
	d := t.Draft.clone()
	t.Draft = nil
	isDue := d.Number == len(t.Rounds)+1 && t.RoundIsOver()
	if isDue && t.pairDraft(d, System{Pairer: t.BracketPairing()}) == nil {
		t.Draft = d
	}
}

// reopen continues a finished knock-out, played to its end, if its bracket has matches to
// come again.
func (t *Tournament) reopen(wasPlayed bool) {
	t.replan()
	if t.Format.HasBracket() && t.Status == Finished && wasPlayed && len(t.Rounds) < t.Settings.Rounds {
		t.Status, t.EndedAt, t.RatedAt = Running, time.Time{}, time.Time{}
	}
}

// LevelTime returns the most time that tie-breaks can add to the rounds to come.
func (t *Table) LevelTime() time.Duration {
	if !t.Format.HasBracket() {
		return 0
	}
	least, most := t.roundsLeft()
	longer := time.Duration(most-least) * (t.WorstRound() + t.Break)
	if t.Lateness == 0 && slices.Contains(t.Tie, contest.Decider) && most > least {
		longer += sealedWait
	}
	return longer
}

// mostRounds returns the number of rounds if every contest is level.
func (t *Table) mostRounds() int {
	if !t.Format.HasBracket() {
		return t.RoundsExpected()
	}
	least, most := t.roundsLeft()
	return t.RoundsExpected() - least + most
}

// roundsLeft returns how many more rounds will be paired, at least and at most. Before the
// start it goes by the entries so far.
func (t *Table) roundsLeft() (least, most int) {
	if t.Status >= Running {
		b := t.Bracket(len(t.Rounds))
		if least, most = b.Left(); t.Pace == Rolling && least > 0 {
			return t.rollingLeft(b)
		}
		return least, most
	}
	if n := t.Active(); n >= MinPlayers {
		return t.emptyBracket(n).Left()
	}
	return 0, 0
}

// emptyBracket returns the bracket for n players before the first round.
func (t *Table) emptyBracket(n int) contest.Bracket {
	r := t.contestRules()
	return contest.Resolve(contest.Build(n, r.Losers), r, nil)
}

// BoardsIn estimates the number of boards in a round to come.
func (t *Table) BoardsIn(n int) int {
	boards := max(1, t.Active()/2*max(1, t.Teams.Boards))
	if !t.Format.HasBracket() {
		return boards
	}
	waves := t.emptyBracket(max(MinPlayers, t.Active())).Boards()
	if t.Status >= Running {
		waves, n = t.Bracket(len(t.Rounds)).Boards(), n-len(t.Rounds)
	}
	if len(waves) == 0 {
		return 1
	}
	return waves[max(0, min((n-1)/t.contestRules().Legs, len(waves)-1))]
}

// strays returns who should not meet once a result is corrected, by round from 1: others should, or nobody.
func (t *Table) strays() map[int][]Pairing {
	if !t.Format.HasBracket() {
		return nil
	}
	ids, out := t.idsByNumber(), map[int][]Pairing{}
	for _, l := range t.Bracket(len(t.Rounds)).Stray {
		for _, p := range t.Rounds[l.Round-1].Sides() {
			if p.SeatOf(ids[l.Sides[0]]).Valid() {
				out[l.Round] = append(out[l.Round], p)
			}
		}
	}
	return out
}

// dropStrays removes the boards of strays; their contests are played again.
func (t *Table) dropStrays() {
	for n, lost := range t.strays() {
		t.Rounds[n-1].drop(func(p Pairing) bool {
			return slices.ContainsFunc(lost, func(l Pairing) bool { return l.Board == p.Board })
		})
	}
	n := len(t.Rounds)
	for n > 0 && len(t.Rounds[n-1].Sides()) == 0 {
		n--
	}
	t.keepRounds(n)
}
