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
	Owners  []player.ID // those who can appoint more of them; nobody where that is impossible
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
	StakeRival   Stake = "rival"   // somebody they compete with would be set back

	StakeChallenges Stake = "challenges" // ladder: whom they challenge, who challenges them, or how long they may rest
)

// PartyError is ErrParty with what is at stake, and what is known of who can decide instead.
// What it advises depends on whoever reads it: nobody is told to ask a role that they have
// themselves, or one that nobody else has.
type PartyError struct {
	Case
	By      player.ID // whoever is refused
	Stake   Stake     // empty: a case that they are a party to
	Was, Is int       // StakePlace: their place before and after
	Rival   string    // StakeRival: their name
	RivalID player.ID // StakeRival: their account, where only that is known

	// Looked up by whoever can; so is Rival from RivalID.
	Names    []string // of the judges who are no parties
	Operates bool     // By runs the site
	Others   bool     // so does somebody else who is no party
}

func (e *PartyError) Error() string { return ErrParty.Error() }

// Unwrap is ErrParty.
func (e *PartyError) Unwrap() error { return ErrParty }

// CanDecide returns the judges who are no parties.
func (e *PartyError) CanDecide() []player.ID {
	return slices.DeleteFunc(slices.Clone(e.Judges), e.IsParty)
}

// IsParty reports whether somebody is a party, as By always is.
func (e *PartyError) IsParty(id player.ID) bool { return id == e.By || slices.Contains(e.Parties, id) }

// Advice is what a party can do to have their case decided.
type Advice string

const (
	AskNames         Advice = "names"          // somebody of the judges
	AskNamesOperator Advice = "names-operator" // or an operator
	AskNamesAnother  Advice = "names-another"  // or another operator than themselves
	AskOperator      Advice = "operator"
	AskAnother       Advice = "another"
	AskNobody        Advice = "nobody" // yet
	Appoint          Advice = "appoint"
	HaveAppointed    Advice = "have-appointed"   // by the owners
	AppointOperator  Advice = "appoint-operator" // besides themselves
	HaveOperator     Advice = "have-operator"    // the only operator is a party
)

// Advices lists what a party can do: whom to ask and, where no judge is left, how to get one.
func (e *PartyError) Advices() []Advice {
	ask := AskNobody
	switch {
	case len(e.Names) > 0 && !e.Others:
		return []Advice{AskNames}
	case len(e.Names) > 0 && e.Operates:
		return []Advice{AskNamesAnother}
	case len(e.Names) > 0:
		return []Advice{AskNamesOperator}
	case e.Others && e.Operates:
		ask = AskAnother
	case e.Others:
		ask = AskOperator
	}
	switch {
	case len(e.Owners) > 0 && (e.Operates || slices.Contains(e.Owners, e.By)):
		return []Advice{ask, Appoint}
	case len(e.Owners) > 0:
		return []Advice{ask, HaveAppointed}
	case e.Others:
		return []Advice{ask}
	case e.Operates:
		return []Advice{ask, AppointOperator}
	}
	return []Advice{ask, HaveOperator}
}

// Decide is nil if somebody may decide the case, else a *PartyError.
func (c Case) Decide(by player.ID) error {
	if by == "" || !slices.Contains(c.Parties, by) {
		return nil
	}
	return &PartyError{Case: c, By: by}
}
