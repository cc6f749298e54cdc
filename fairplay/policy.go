package fairplay

import (
	"fmt"
	"slices"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/refusal"
)

// Policy is all that a match demands. It starts from a level's preset and may only be
// tightened; it is frozen and hashed when the match opens.
type Policy struct {
	Level        Assurance `json:"level"`
	Bots         bool      `json:"bots"`         // programs may take part
	Text         bool      `json:"text"`         // players accept the fair-play text first
	Attestations int       `json:"attestations"` // how many clubs or arbiters must know a player
	MaxAgeDays   int       `json:"max_age_days"` // of an attestation; 0: none is needed
	CheckIn      CheckIn   `json:"check_in"`
	Moves        Channel   `json:"moves"`
	OneSession   bool      `json:"one_session"` // one page at a time, the checked-in one
	Telemetry    bool      `json:"telemetry"`   // the page reports what the card lists
	Clock        Clock     `json:"clock"`       // what may be bid on time
	Feed         Delay     `json:"feed"`        // the delay of moves for watchers
	Steward      bool      `json:"steward"`     // somebody known by name watches and signs
}

// CheckIn is the proof, by the player's own device, that its holder unlocked it.
type CheckIn struct {
	Demanded bool `json:"demanded"`
	Within   int  `json:"within_s"`  // how many seconds before the start it counts; 0: none is demanded
	MidMatch int  `json:"mid_match"` // in how many of 100 matches players are asked again (Policy.MidCheck)
	Grace    int  `json:"grace_s"`   // seconds the clock then stands still; 0: no check-in is demanded
	// OneDevice accepts only a device-bound passkey (BE = 0).
	OneDevice bool `json:"one_device,omitempty"`
}

// Clock bounds the time control: whole minutes and seconds, both ends inclusive.
type Clock struct {
	Minutes   [2]int `json:"minutes"`
	Increment [2]int `json:"increment_s"`
}

// Delay is how old a move is, in plies and in seconds, before watchers see it.
type Delay struct {
	Plies   int `json:"plies"`
	Seconds int `json:"seconds"`
}

// IsZero reports that watchers see everything at once.
func (d Delay) IsZero() bool { return d == Delay{} }

// BoardMinutes is the shortest time control, in minutes, at which an electronic board may
// move for a Declared player.
const BoardMinutes = 10

// mostAgeDays is how old an attestation may be at most.
const mostAgeDays = 400

var anyClock = Clock{
	Minutes:   [2]int{bidding.MinMinutes, bidding.MaxMinutes},
	Increment: [2]int{bidding.MinIncrement, bidding.MaxIncrement},
}

// Preset is the policy of a level.
func Preset(level Assurance) Policy {
	p := Policy{Level: level, Bots: level <= Open, Moves: Any, Clock: anyClock}
	if level >= Declared {
		p.Text, p.Moves = true, Board
	}
	if level >= Verified {
		p.Attestations, p.MaxAgeDays = 1, mostAgeDays
		p.CheckIn = CheckIn{Demanded: true, Within: 600, Grace: 45}
		p.Moves, p.OneSession, p.Telemetry = Signed, true, true
		p.Feed = Delay{Plies: 6, Seconds: 120}
	}
	switch level {
	case Verified: // relaying moves by hand costs seconds, which slow clocks would allow
		p.Clock = Clock{Minutes: [2]int{3, 25}, Increment: [2]int{2, 10}}
	case Supervised:
		p.Steward = true
	}
	return p
}

// Demands on players for prizes: how many clubs or arbiters know them, and in how many of
// 100 matches they are asked again.
const (
	prizeAttestations = 2
	prizeMidMatch     = 50
)

// ForPrizes is the policy with what an event with prizes adds: two clubs or arbiters, a
// device-bound passkey, and a check during half of the matches. It is of use from
// Verified on.
func (p Policy) ForPrizes() Policy {
	p.Attestations, p.CheckIn.MidMatch = max(p.Attestations, prizeAttestations), max(p.CheckIn.MidMatch, prizeMidMatch)
	p.CheckIn.OneDevice = true
	return p.WithAge()
}

// WithAge is the policy with the usual age of attestations if some are needed and no age
// is set.
func (p Policy) WithAge() Policy {
	if p.Attestations > 0 && p.MaxAgeDays == 0 {
		p.MaxAgeDays = mostAgeDays
	}
	return p
}

// Watched is the policy of a match in which arbiters have decided that a steward watches
// a player: Supervised from Verified on. Below, nobody has checked in, so the steward's
// word is added to what players have declared.
func (p Policy) Watched() Policy {
	if p = p.OrOpen(); p.Level >= Verified {
		return p.Tighten(Preset(Supervised))
	}
	p.Level, p.Text, p.Steward = Declared, true, true
	return p
}

// OrOpen is the policy, or Open's preset without one.
func (p Policy) OrOpen() Policy {
	if p.Level == 0 {
		return Preset(Open)
	}
	return p
}

// Tighten is the policy that demands what both do: the stricter of the two, term by term.
func (p Policy) Tighten(q Policy) Policy {
	p.Level, p.Moves = max(p.Level, q.Level), max(p.Moves, q.Moves)
	for _, t := range Terms {
		t.tighten(&p, q)
	}
	return p
}

// AtLeast reports whether the policy demands everything that q does.
func (p Policy) AtLeast(q Policy) bool { return p.Tighten(q) == p }

// shorter is the stricter of two times, where 0 is none.
func shorter(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func overlap(a, b [2]int) [2]int { return [2]int{max(a[0], b[0]), min(a[1], b[1])} }

// ErrLoose refuses a policy; a case of it names the key of every field at fault.
var ErrLoose = refusal.Invalid("fairplay.error.policy", "fairplay: the policy is looser than its level allows, or beyond all bounds")

// PolicyFault is ErrLoose for these fields.
func PolicyFault(fields ...string) error {
	faults := make([]refusal.Fault, len(fields))
	for i, field := range fields {
		faults[i] = refusal.Fault{Field: field, Why: "range"}
	}
	names := strings.Join(fields, ", ")
	return refusal.Faulty(ErrLoose, faults, "the policy is looser than its level allows, or beyond all bounds: "+names, "Fields", names)
}

// Validate is nil, or a case of ErrLoose: a policy is at least as strict as its level's
// preset.
func (p Policy) Validate() error {
	if p.Level < Open || p.Level > Supervised {
		return PolicyFault("level")
	}
	base := Preset(p.Level)
	var bad []string
	for _, t := range Terms {
		if !t.holds(p, base) && !slices.Contains(bad, t.Key) {
			bad = append(bad, t.Key)
		}
	}
	if p.Moves < base.Moves || p.Moves > Signed || p.Moves == Signed && !p.CheckIn.Demanded {
		bad = append(bad, "moves")
	}
	if len(bad) > 0 {
		return PolicyFault(bad...)
	}
	return nil
}

// Narrow is the envelope within the policy's time controls: offers beyond them are
// removed. If nothing is left it fails with the envelope's error.
func (p Policy) Narrow(e bidding.Envelope) (bidding.Envelope, error) {
	if p.Level == 0 || p.Clock == anyClock {
		return e, nil
	}
	e.Minutes, e.Increment = overlap(e.Minutes, p.Clock.Minutes), overlap(e.Increment, p.Clock.Increment)
	e.Presets = slices.DeleteFunc(slices.Clone(e.Presets), func(t bidding.TimeControl) bool {
		return t.Minutes < e.Minutes[0] || t.Minutes > e.Minutes[1] || t.Increment < e.Increment[0] || t.Increment > e.Increment[1]
	})
	if err := e.Validate(); err != nil {
		return e, fmt.Errorf("within %s: %w", p.Level, err)
	}
	return e, nil
}

// ErrByToken refuses a move that a program sent.
var ErrByToken = refusal.Forbidden("fairplay.error.by-token", "fairplay: moves do not come from a program here")

// MayMoveByToken is nil, or a case of ErrByToken. minutes is the time control, or during bidding
// the shortest it may become.
func (p Policy) MayMoveByToken(minutes int) error {
	switch {
	case p.Level <= Open, p.Moves == Any, p.Moves == Board && minutes >= BoardMinutes:
		return nil
	}
	return NotByToken(p.Level)
}

// NotByToken is ErrByToken at a level.
func NotByToken(level Assurance) error {
	detail := fmt.Sprintf("this match is played at level %s: a board's token moves only at %d minutes or more", level, BoardMinutes)
	if level >= Verified {
		detail = fmt.Sprintf("this match is played at level %s: moves come from the match page only, "+
			"and this attempt has been noted for the arbiter", level)
	}
	return refusal.Told(ErrByToken, WordOfAssurance, detail)
}
