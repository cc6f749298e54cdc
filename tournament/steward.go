package tournament

import (
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// ErrStewardPlays is returned for a steward who plays in the event.
var ErrStewardPlays = refusal.Invalid("review.error.steward-plays", "tournament: a player of the event cannot be a steward")

// SetSteward names the steward who watches an entry's matches from now on; empty: nobody. A
// player of the event cannot be one.
func (t *Tournament) SetSteward(by player.Viewer, id EntryID, steward player.ID) error {
	i := t.index(id)
	switch {
	case !t.May(by, ActSteward):
		return ErrNotAllowed
	case i < 0:
		return ErrNoEntry
	case t.Status == Finalized:
		return ErrFinalized
	case steward != "" && t.entered(steward):
		return ErrStewardPlays
	}
	t.Entries = slices.Clone(t.Entries)
	t.Entries[i].Steward = steward
	return nil
}

// entered reports whether a player is in the event or waits to be.
func (l Entries) entered(id player.ID) bool {
	return slices.ContainsFunc(l, func(e Entry) bool { return e.Player == id && e.isIn() })
}

// IsSteward reports whether the viewer is the steward of an entry.
func (l Entries) IsSteward(v player.Viewer) bool {
	return v.IsSignedIn() && slices.ContainsFunc(l, func(e Entry) bool { return v.Is(e.Steward) })
}
