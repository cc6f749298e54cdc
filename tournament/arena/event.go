package arena

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// MostAbsences is the number of missed matches after which a player is out.
const MostAbsences = 3

// ErrPassNotDue is returned when a pass comes too soon after the last one, or pairs nobody.
var ErrPassNotDue = errors.New("arena: no pass is due")

// Open opens the round; from now on waiting players are paired.
func Open(t *tournament.Tournament, now time.Time) error {
	if t.Format.InRounds() {
		return tournament.ErrArena
	}
	if err := t.MayPair(); err != nil {
		return err
	}
	t.Rounds = append(t.Rounds, tournament.Round{Number: 1, OpenedAt: now, Engine: Version, Pass: &tournament.Pass{At: now}})
	return nil
}

// MayAwait returns nil, or why an entry cannot wait for an opponent now.
func MayAwait(t *tournament.Tournament, id tournament.EntryID, now time.Time) error {
	e, err := t.Entry(id)
	until, open := t.PairsUntil()
	switch {
	case t.Format.InRounds():
		return tournament.ErrArena
	case err != nil:
		return err
	case t.Status.IsOver():
		return tournament.ErrArenaOver
	case e.Status != tournament.Active:
		return tournament.ErrWithdrawn
	case t.Status != tournament.Running || len(t.Rounds) == 0:
		return tournament.ErrNotRunning
	case !open || !now.Before(until):
		return tournament.ErrArenaOver
	case e.Number == 0:
		return tournament.ErrNoEntry
	}
	return nil
}

// Pair makes one pass and returns the boards it adds. newID names their matches.
func PairWaiting(t *tournament.Tournament, waiting []tournament.Awaiting, newID func() match.ID, now time.Time) ([]tournament.Pairing, error) {
	r, open := t.ArenaRound()
	until, _ := t.PairsUntil()
	switch {
	case !open || t.Status != tournament.Running:
		return nil, tournament.ErrNotRunning
	case t.Timetable.IsPaused():
		return nil, tournament.ErrPaused
	case r.Pass.Closed || !now.Before(until):
		return nil, tournament.ErrArenaOver
	case r.Pass.Engine != "" && now.Sub(r.Pass.At) < Interval:
		return nil, ErrPassNotDue
	}
	busy := busyIn(t.Rounds)
	waiting = slices.DeleteFunc(slices.Clone(waiting), func(w tournament.Awaiting) bool {
		return busy[w.Entry] || MayAwait(t, w.Entry, now) != nil
	})
	slices.SortFunc(waiting, func(a, b tournament.Awaiting) int { return cmp.Compare(a.Entry, b.Entry) })
	pairs := passOf(&t.Table, waiting, now).Pairs()
	if len(pairs) == 0 {
		return nil, ErrPassNotDue
	}
	round := &t.Rounds[0]
	before := len(round.Pairings)
	round.Pass = &tournament.Pass{At: now, Engine: Version, Boards: before, Waiting: waiting}
	for i, p := range pairs {
		board := tournament.Pairing{Board: before + i + 1, First: tournament.EntryID(p.First), Second: tournament.EntryID(p.Second)}
		t.NameMatch(&board, newID)
		round.Pairings = append(round.Pairings, board)
	}
	return slices.Clone(round.Pairings[before:]), nil
}

// passOf makes the pass of the waiting entries, as they stand in the table.
func passOf(t *tournament.Table, waiting []tournament.Awaiting, now time.Time) Pass {
	table, busy := TableOf(t), busyIn(t.Rounds)
	p := Pass{At: now, Ranked: len(table), Active: len(waiting) + len(busy)}
	since := make(map[int]time.Time, len(waiting))
	for _, w := range waiting {
		since[int(w.Entry)] = w.Since
	}
	if t.IsBattle() {
		p.ActiveIn = map[int]int{}
		for _, e := range t.Entries {
			if _, waits := since[int(e.ID)]; waits || busy[e.ID] {
				p.ActiveIn[e.Camp]++
			}
		}
	}
	for _, l := range table {
		if at, waits := since[l.ID]; waits {
			w := l.Waits()
			w.Since = at
			if p.ActiveIn != nil {
				w.Team = t.Entries[l.ID-1].Camp
			}
			p.Waiting = append(p.Waiting, w)
		}
	}
	return p
}

// busyIn returns the entries that are playing.
func busyIn(rounds tournament.Rounds) map[tournament.EntryID]bool {
	busy := map[tournament.EntryID]bool{}
	for _, p := range rounds.Pending() {
		busy[p.First], busy[p.Second] = true, true
	}
	return busy
}

// Table returns the table of an arena with its score sheets.
func TableOf(t *tournament.Table) []Line {
	var players []Player
	for _, e := range t.Entries {
		if e.Number > 0 {
			players = append(players, Player{ID: int(e.ID), Rating: e.Rating})
		}
	}
	var games []Game
	for _, p := range t.AllBoards() {
		if g, counts := gameOf(*p); counts {
			games = append(games, g)
		}
	}
	return Table(players, games)
}

// gameOf returns a board as a game; false if it is void and does not count.
func gameOf(p tournament.Pairing) (Game, bool) {
	g := Game{Board: p.Board, Players: [2]int{int(p.First), int(p.Second)},
		Claimed: p.Result.Kind == tournament.Drawn && p.Result.Reason == match.ClaimDraw}
	for i, seat := range match.Seats {
		switch p.Result.Outcome(seat) {
		case tournament.Win:
			g.Outcomes[i] = Win
		case tournament.Draw:
			g.Outcomes[i] = Draw
		case tournament.Loss:
			g.Outcomes[i] = Loss
		case tournament.ForfeitWin:
			g.Outcomes[i] = WinByForfeit
		case tournament.ForfeitLoss:
			g.Outcomes[i] = Absent
		}
	}
	return g, p.Result.Reason != match.Voided
}

// Voided returns the result of a board whose match is void. It counts for nothing, and both
// players can be paired again.
func Voided(at time.Time) tournament.Result {
	return tournament.Result{Kind: tournament.DoubleForfeit, Reason: match.Voided, At: at}
}

// Absences counts the matches that an entry missed.
func Absences(t *tournament.Table, id tournament.EntryID) (n int) {
	for _, p := range t.AllBoards() {
		if missed(*p, id) {
			n++
		}
	}
	return n
}

// DropAbsent withdraws players who missed a board, numbered from 1, for the MostAbsences-th
// time or later, and reports whether there were any. Only staff can readmit them, and they
// are out again with the next match they miss.
func DropAbsent(t *tournament.Tournament, board int) (dropped bool) {
	if t.Format.InRounds() || len(t.Rounds) == 0 || board < 1 || board > len(t.Rounds[0].Pairings) {
		return false
	}
	p := t.Rounds[0].Pairings[board-1]
	for _, seat := range match.Seats {
		e, err := t.Entry(p.EntryAt(seat))
		if err == nil && e.Status == tournament.Active && missed(p, e.ID) && Absences(&t.Table, e.ID) >= MostAbsences {
			out := &t.Entries[e.ID-1]
			out.Status, out.Removed, out.Until = tournament.Withdrawn, true, len(t.Rounds)
			dropped = true
		}
	}
	return dropped
}

// missed reports whether an entry sat at a board and did not come.
func missed(p tournament.Pairing, id tournament.EntryID) bool {
	seat := p.SeatOf(id)
	return seat.Valid() && p.Result.Outcome(seat) == tournament.ForfeitLoss && p.Result.Reason == match.Forfeit
}

// CheckPass returns an error if a pass does not follow from those who waited and the table t
// before it. boards are those after the pass.
func CheckPass(t *tournament.Table, p *tournament.Pass, boards []tournament.Pairing) error {
	if p.Engine != Version {
		return nil // paired under other rules
	}
	if p.Boards != len(t.Rounds[0].Pairings) {
		return errors.New("the pass was made from other boards")
	}
	pairs := passOf(t, p.Waiting, p.At).Pairs()
	if len(boards) != p.Boards+len(pairs) {
		return fmt.Errorf("%d boards were added, but the pass gives %d", len(boards)-p.Boards, len(pairs))
	}
	for i, x := range pairs {
		if b := boards[p.Boards+i]; b.First != tournament.EntryID(x.First) || b.Second != tournament.EntryID(x.Second) {
			return fmt.Errorf("board %d is not what the pass gives", p.Boards+i+1)
		}
	}
	return nil
}
