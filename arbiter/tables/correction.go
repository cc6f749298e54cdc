package tables

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/swiss"
)

// Correction is a result that is to replace another.
type Correction struct {
	Round, Board int
	Kind         tournament.ResultKind
	Reach        tournament.Reach
}

// ErrUnseen refuses a correction by somebody who has not seen what it changes (player.Viewer.Shown).
var ErrUnseen = refusal.Conflict("desk.error.unseen", "arbiter: what a correction changes is looked at first")

// Preview is what a correction would do; nothing is written.
func Preview(t *tournament.Tournament, by player.Viewer, c Correction, now time.Time) (Effect, *tournament.Tournament, error) {
	after := t.Clone()
	if err := after.Correct(by, c.Round, c.Board, c.Kind, c.Reach, format.System(&t.Table), now); err != nil {
		return Effect{}, nil, err
	}
	if _, err := OwnInterest(t, after, by, tournament.ActCorrect, now); err != nil {
		return Effect{}, nil, err
	}
	e, err := Compare(t, after, c.Round)
	return e, after, err
}

// Effect is what a change of results does to a tournament.
type Effect struct {
	Codes []string
	Lines []LineChange // of the standings that differ, in their new order
	Later []LaterRound // rounds paired since that would have been paired differently
	Lost  []LostBoard  // boards of a knock-out that are taken back because others go on
}

// LineChange is one line of the standings before and after. Rank 0: not in the standings.
type LineChange struct {
	Entry         tournament.Entry
	Before, After format.Standing
}

// LaterRound is a round as it was paired and as it would have been. Impossible: no
// pairing would have been legal.
type LaterRound struct {
	Number     int
	IsDraft    bool
	Impossible bool
	Was, Would []BoardOf // boards that differ; Second 0: the bye
}

// LostBoard is a board that is not played, or no longer.
type LostBoard struct {
	Round   int
	Pairing tournament.Pairing
}

// lostBoards are the boards that exist before and not after.
func lostBoards(before, after *tournament.Tournament) (list []LostBoard) {
	for i, r := range before.Rounds {
		for _, p := range r.Pairings {
			if i >= len(after.Rounds) || !slices.ContainsFunc(after.Rounds[i].Pairings, func(x tournament.Pairing) bool {
				return x.First == p.First && x.Second == p.Second
			}) {
				list = append(list, LostBoard{r.Number, p})
			}
		}
	}
	return list
}

// BoardOf is two entries who meet; Second 0: First has the pairing-allocated bye.
type BoardOf struct{ First, Second tournament.EntryID }

// Compare compares two states of a tournament: the standings, and how the rounds after
// from would have been paired.
func Compare(before, after *tournament.Tournament, from int) (Effect, error) {
	var e Effect
	b, err := format.Standings(before, -1)
	if err != nil {
		return e, err
	}
	a, err := format.Standings(after, -1)
	if err != nil {
		return e, err
	}
	for _, c := range a.Codes {
		e.Codes = append(e.Codes, c.String())
	}
	was := map[tournament.EntryID]format.Standing{}
	for _, l := range b.Lines {
		was[l.Entry.ID] = l
	}
	for _, l := range a.Lines {
		old := was[l.Entry.ID]
		delete(was, l.Entry.ID)
		if old.Rank != l.Rank || old.Score != l.Score || !slices.Equal(old.Values, l.Values) {
			e.Lines = append(e.Lines, LineChange{l.Entry, old, l})
		}
	}
	for _, l := range b.Lines {
		if old, gone := was[l.Entry.ID]; gone {
			e.Lines = append(e.Lines, LineChange{Entry: l.Entry, Before: old})
		}
	}
	if after.Format.HasBracket() {
		e.Lost = lostBoards(before, after)
		return e, nil
	}
	if after.Format.HasTable() {
		return e, nil // the tables do not depend on results
	}
	for n := from + 1; n <= len(after.Rounds); n++ {
		now, err := laterRound(after, n)
		if err != nil {
			return e, fmt.Errorf("round %d: %w", n, err)
		}
		old, err := laterRound(before, n)
		if err != nil {
			return e, fmt.Errorf("round %d: %w", n, err)
		}
		if !reflect.DeepEqual(old, now) {
			e.Later = append(e.Later, now)
		}
	}
	return e, draftRound(&e, before, after)
}

// laterRound pairs round n again from the present results.
func laterRound(t *tournament.Tournament, n int) (LaterRound, error) {
	field, actual := swiss.Before(t.FieldAfter(n), n-1)
	would, err := format.System(&t.Table).Pairer.Pair(field)
	l := LaterRound{Number: n}
	if errors.Is(err, tournament.ErrNoPairing) {
		l.Impossible = true
		return l, nil
	}
	if err != nil {
		return l, err
	}
	l.Was, l.Would = differing(t, actual, would)
	return l, nil
}

// draftRound adds how the drafted round would be paired.
func draftRound(e *Effect, before, after *tournament.Tournament) error {
	if before.Draft == nil {
		return nil
	}
	fresh := after.Clone()
	fresh.Draft = nil
	l := LaterRound{Number: before.Draft.Number, IsDraft: true}
	field := after.DraftField(&tournament.RoundDraft{Number: before.Draft.Number, Apart: before.Draft.Apart})
	would, err := format.System(&after.Table).Pairer.Pair(field)
	switch {
	case errors.Is(err, tournament.ErrNoPairing):
		l.Impossible = true
	case err != nil:
		return err
	default:
		if l.Was, l.Would = differing(after, before.Draft.Pairing(before.Entries), would); len(l.Was)+len(l.Would) == 0 {
			return nil
		}
	}
	e.Later = append(e.Later, l)
	return nil
}

// differing are the boards of each pairing that the other lacks.
func differing(t *tournament.Tournament, a, b tournament.RoundPairing) (onlyA, onlyB []BoardOf) {
	ids := map[int]tournament.EntryID{}
	for _, e := range t.Entries {
		ids[e.Number] = e.ID
	}
	only := func(x, y tournament.RoundPairing) (list []BoardOf) {
		for _, board := range x.Boards {
			if !slices.Contains(y.Boards, board) && !slices.Contains(y.Boards, tournament.Board{First: board.Second, Second: board.First}) {
				list = append(list, BoardOf{ids[board.First], ids[board.Second]})
			}
		}
		if x.Bye != 0 && x.Bye != y.Bye {
			list = append(list, BoardOf{First: ids[x.Bye]})
		}
		return list
	}
	return only(a, b), only(b, a)
}

// Objections are the rules that a drafted round breaks, and its explanations by entry of
// the board's first player (of the bye: its holder).
func Objections(t *tournament.Tournament) ([]tournament.Objection, []swiss.Explanation, error) {
	d := t.Draft
	if d == nil {
		return nil, nil, tournament.ErrNoDraft
	}
	pairing := d.Pairing(t.Entries)
	field := t.PairingField()
	objections, err := format.Judge(&t.Table, field, pairing)
	if err != nil || !format.Explains(t.Settings) {
		return objections, nil, err
	}
	// Those who no longer play cannot be explained.
	present := map[int]bool{}
	for _, p := range field.Players {
		present[p.Number] = field.IsDue(p)
	}
	pairing.Boards = slices.DeleteFunc(pairing.Boards, func(b tournament.Board) bool { return !present[b.First] || !present[b.Second] })
	if !present[pairing.Bye] {
		pairing.Bye = 0
	}
	reasons, err := format.Explain(&t.Table, field, pairing)
	return objections, reasons, err
}

// Expulsion is why one arbiter disqualifies somebody. Conduct is their word that it is
// not for the way the player played, which is required from Verified on.
type Expulsion struct {
	Reason  string
	Conduct bool
}
