package fairplay

import (
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Case is something to be decided about players: a result, an absence, a place. No party
// to it decides it alone.
type Case struct {
	Parties []player.ID // those who play in it, or whose place it decides
	Judges  []player.ID // those who may decide such things here, besides operators
}

// ErrParty says that somebody else must decide: another member of staff or an operator
// who is no party.
var ErrParty = refusal.Forbidden("staff.error.party", "fairplay: a party cannot decide alone")

// PartyError is ErrParty with those who can decide.
type PartyError struct {
	Judges []player.ID // besides operators, who always can unless they are parties
	Names  []string    // of the judges, if looked up
}

func (e *PartyError) Error() string { return ErrParty.Error() }

// Unwrap is ErrParty.
func (e *PartyError) Unwrap() error { return ErrParty }

// Decide is nil if somebody may decide the case, else a *PartyError.
func (c Case) Decide(by player.ID) error {
	if by == "" || !slices.Contains(c.Parties, by) {
		return nil
	}
	return &PartyError{Judges: slices.DeleteFunc(slices.Clone(c.Judges), func(id player.ID) bool { return slices.Contains(c.Parties, id) })}
}
