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
	Agreed  []player.ID // those of them who have said yes to it
	Judges  []player.ID // who else may decide such things here, operators apart
	MayAsk  bool        // a party can be asked to agree
}

// ErrParty says that a second person decides: somebody of the staff who is no
// party, an operator, or the opponent by agreeing.
var ErrParty = refusal.Forbidden("staff.error.party", "fairplay: nobody decides alone where they are a party")

// PartyError is ErrParty with who can decide.
type PartyError struct {
	Judges []player.ID // operators can always, unless they are parties themselves
	Names  []string    // of the judges, where somebody has looked them up
	MayAsk bool
}

func (e *PartyError) Error() string { return ErrParty.Error() }

// Unwrap is ErrParty.
func (e *PartyError) Unwrap() error { return ErrParty }

// Decide is nil when the case is somebody's to decide, else a *PartyError: a party
// needs every other party to agree.
func (c Case) Decide(by player.ID) error {
	others := slices.DeleteFunc(slices.Clone(c.Parties), func(id player.ID) bool { return id == by })
	agrees := func(id player.ID) bool { return slices.Contains(c.Agreed, id) }
	if by == "" || len(others) == len(c.Parties) || len(others) > 0 && !slices.ContainsFunc(others, func(id player.ID) bool { return !agrees(id) }) {
		return nil
	}
	judges := slices.DeleteFunc(slices.Clone(c.Judges), func(id player.ID) bool { return slices.Contains(c.Parties, id) })
	return &PartyError{Judges: judges, MayAsk: c.MayAsk}
}
