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

// Stake is what somebody would decide of their own.
type Stake string

const (
	StakeBoard   Stake = "board"   // a result or match of theirs
	StakePairing Stake = "pairing" // whom they play, or whether
	StakeEntry   Stake = "entry"   // what staff give an entry or a place
	StakePlace   Stake = "place"   // they would move up
	StakePoints  Stake = "points"  // they would gain points
	StakePrize   Stake = "prize"   // they would gain a prize
)

// PartyError is ErrParty with what is at stake and those who can decide.
type PartyError struct {
	Stake    Stake       // empty: a case that they are a party to
	Was, Is  int         // StakePlace: their place before and after
	Operates bool        // they run the site, so another operator has to decide
	Appoints bool        // they can appoint staff
	Judges   []player.ID // besides operators, who always can unless they are parties
	Names    []string    // of the judges, if looked up
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
