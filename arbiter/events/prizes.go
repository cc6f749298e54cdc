package events

import (
	"cmp"
	"context"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/prize"
)

// PrizeChange is what an entry gets instead of something else.
type PrizeChange struct {
	Entry   tournament.Entry
	Was, Is int64
}

// PrizeChanges compares the prizes of two states of a tournament, the largest first.
func PrizeChanges(before, after *tournament.Tournament) (list []PrizeChange, err error) {
	was, err := tables.AllotPrizes(before)
	if err != nil {
		return nil, err
	}
	is, err := tables.AllotPrizes(after)
	if err != nil {
		return nil, err
	}
	at := map[tournament.EntryID]int{}
	of := func(e tournament.Entry) *PrizeChange {
		if _, known := at[e.ID]; !known {
			at[e.ID] = len(list)
			list = append(list, PrizeChange{Entry: e})
		}
		return &list[at[e.ID]]
	}
	for _, l := range is.Lines {
		of(l.Entry).Is += l.Amount
	}
	for _, l := range was.Lines {
		of(l.Entry).Was += l.Amount
	}
	list = slices.DeleteFunc(list, func(c PrizeChange) bool { return c.Was == c.Is })
	slices.SortStableFunc(list, func(a, b PrizeChange) int { return cmp.Or(cmp.Compare(b.Is, a.Is), cmp.Compare(b.Was, a.Was)) })
	return list, nil
}

// SignedBefore is a tournament as it was last signed off before its present state; nil:
// never.
func SignedBefore(t *tournament.Tournament, deeds []ledger.Deed) (*tournament.Tournament, error) {
	signed := 0
	if t.Status == tournament.Finalized {
		signed = -1 // the last one holds
	}
	for i := len(deeds) - 1; i >= 0; i-- {
		if deeds[i].Act != tournament.ActFinalize {
			continue
		}
		signed++
		if signed == 1 {
			return ledger.At(deeds, deeds[i].Seq)
		}
	}
	return nil, nil
}

// SetPrizes changes what a tournament gives away.
func (a *Office) SetPrizes(ctx context.Context, by player.Viewer, id tournament.ID, f prize.Fund) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActPrizes}, func(t *tournament.Tournament) error {
		return t.SetPrizes(by, f)
	})
}

// SetReportHead changes what the head of a tournament's report tells.
func (a *Office) SetReportHead(ctx context.Context, by player.Viewer, id tournament.ID, h tournament.ReportHead) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActReport}, func(t *tournament.Tournament) error {
		return t.SetReportHead(by, h)
	})
}

// DeclareBorn notes the birth year an entry gives; 0 deletes it.
func (a *Office) DeclareBorn(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, year int) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActDeclare}, func(t *tournament.Tournament) error {
		return t.DeclareBorn(by, e, year)
	})
}
