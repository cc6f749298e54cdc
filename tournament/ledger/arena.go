package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
)

// CheckPasses returns nil, or ErrBroken if a pass in an arena's log does not follow from
// the waiting players and the table of that moment. Other formats, and passes by other
// rules, are not checked.
func CheckPasses(deeds []Deed) error {
	t := &tournament.Table{}
	for _, d := range deeds {
		before := *t
		if d.Act == tournament.ActPair && len(t.Rounds) > 0 {
			before.Entries, before.Rounds = slices.Clone(t.Entries), slices.Clone(t.Rounds)
		}
		var head *roundHead
		for _, c := range d.Changes {
			if err := retrace(t, c, &head); err != nil {
				return fmt.Errorf("%w: number %d: %s: %w", ErrBroken, d.Seq, c.Path, err)
			}
		}
		if d.Act != tournament.ActPair || len(before.Rounds) == 0 || head == nil || head.Pass == nil || head.Pass.Closed || len(t.Rounds) == 0 {
			continue
		}
		if err := arena.CheckPass(&before, head.Pass, t.Rounds[0].Pairings); err != nil {
			return fmt.Errorf("%w: number %d: %w", ErrBroken, d.Seq, err)
		}
	}
	return nil
}

// retrace applies one change to what passes are made from: entries and boards.
func retrace(t *tournament.Table, c Change, head **roundHead) error {
	switch field := strings.Split(c.Path, "."); {
	case field[0] == "entries":
		n, err := strconv.Atoi(field[1])
		if err != nil || n < 1 || n > len(t.Entries)+1 {
			return errors.New("no such entry")
		}
		var e tournament.Entry
		if err := unlessEmpty(c.After, &e); err != nil {
			return err
		}
		if len(c.After) > 0 && e.ID != tournament.EntryID(n) {
			return errors.New("an entry of another number")
		}
		if n > len(t.Entries) {
			t.Entries = append(t.Entries, e)
		}
		t.Entries[n-1] = e
	case c.Path == "rounds.1":
		if len(c.After) == 0 {
			t.Rounds = nil
			return nil
		}
		*head = &roundHead{}
		if len(t.Rounds) == 0 {
			t.Rounds = tournament.Rounds{{Number: 1}}
		}
		return json.Unmarshal(c.After, *head)
	case field[0] == "rounds" && field[1] == "1" && len(field) == 4 && len(t.Rounds) == 1:
		n, err := strconv.Atoi(field[3])
		boards := &t.Rounds[0].Pairings
		if err != nil || n < 1 || n > len(*boards)+1 {
			return errors.New("no such board")
		}
		var p tournament.Pairing
		if err := unlessEmpty(c.After, &p); err != nil {
			return err
		}
		if n > len(*boards) {
			*boards = append(*boards, p)
			return nil
		}
		*boards = slices.Clone(*boards)
		(*boards)[n-1] = p
	}
	return nil
}

func unlessEmpty(raw json.RawMessage, into any) error {
	if len(raw) == 0 {
		return nil
	}
	return json.Unmarshal(raw, into)
}

// Waits returns how long the paired players of an arena waited, and the number of passes.
func Waits(deeds []Deed) (waits []time.Duration, passes int) {
	for _, d := range deeds {
		var head roundHead
		paired := map[tournament.EntryID]bool{}
		for _, c := range d.Changes {
			var p tournament.Pairing
			switch {
			case d.Act != tournament.ActPair:
			case c.Path == "rounds.1":
				_ = json.Unmarshal(c.After, &head) // logs of this site are valid
			case len(c.Before) == 0 && json.Unmarshal(c.After, &p) == nil && p.Board > 0:
				paired[p.First], paired[p.Second] = true, true
			}
		}
		if head.Pass == nil || len(paired) == 0 {
			continue
		}
		passes++
		for _, w := range head.Pass.Waiting {
			if paired[w.Entry] {
				waits = append(waits, head.Pass.At.Sub(w.Since))
			}
		}
	}
	return waits, passes
}
