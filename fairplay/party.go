package fairplay

import (
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Case is something to be decided about players: a result, an absence, a place.
// Nobody decides alone where they are a party.
type Case struct {
	Parties []player.ID // who plays in it, or whose place it decides
	Judges  []player.ID // who else may decide such things here, operators apart
}

// ErrParty says that a second person decides: somebody of the staff or an operator
// who is no party.
var ErrParty = refusal.Forbidden("staff.error.party", "fairplay: a party cannot decide alone")

// PartyError is ErrParty with who can decide.
type PartyError struct {
	Judges []player.ID // operators can always, unless they are parties themselves
	Names  []string    // of the judges, where somebody has looked them up
}

func (e *PartyError) Error() string { return ErrParty.Error() }

// Unwrap is ErrParty.
func (e *PartyError) Unwrap() error { return ErrParty }

// Decide is nil when the case is somebody's to decide, else a *PartyError.
func (c Case) Decide(by player.ID) error {
	if by == "" || !slices.Contains(c.Parties, by) {
		return nil
	}
	return &PartyError{Judges: slices.DeleteFunc(slices.Clone(c.Judges), func(id player.ID) bool { return slices.Contains(c.Parties, id) })}
}
