package fairplay

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// FactKind is a kind of fact. The list is closed: what a match achieved follows from the
// facts and the policy alone.
type FactKind string

const (
	TextAccepted   FactKind = "text-accepted"    // the player accepted the fair-play text
	Attested       FactKind = "attested"         // known to as many clubs and arbiters as Count says
	CheckedIn      FactKind = "checked-in"       // unlocked their own device for this match
	CheckedByCode  FactKind = "checked-by-code"  // an arbiter or steward vouched for their presence
	MidCheckAsked  FactKind = "mid-check-asked"  // asked to unlock the device again during the match
	MidCheckPassed FactKind = "mid-check-passed" // they did
	MidCheckMissed FactKind = "mid-check-missed" // not in time
	SecondSession  FactKind = "second-session"   // moves came from another page as well
	UnsignedMove   FactKind = "unsigned-move"    // a move came without the signature of a checked-in page
	TokenMove      FactKind = "token-move"       // a program or an electronic board moved
	NoTelemetry    FactKind = "no-telemetry"     // the page did not report
	StewardOpened  FactKind = "steward-opened"   // the steward let the player begin
	StewardSigned  FactKind = "steward-signed"   // observed throughout
	StewardPartly  FactKind = "steward-partly"   // partly observed
	StewardNot     FactKind = "steward-not"      // not observed
	Waived         FactKind = "waived"           // an arbiter waived Demand
)

// FactKinds are all kinds, in the order of a match.
var FactKinds = []FactKind{
	TextAccepted, Attested, CheckedIn, CheckedByCode, MidCheckAsked, MidCheckPassed, MidCheckMissed, SecondSession,
	UnsignedMove, TokenMove, NoTelemetry, StewardOpened, StewardSigned, StewardPartly, StewardNot, Waived,
}

// Fact is one thing that happened on one player's side of a match.
type Fact struct {
	Kind   FactKind   `json:"kind"`
	Seat   match.Seat `json:"seat"`
	At     time.Time  `json:"at"`
	Move   int        `json:"move,omitempty"`   // full move; 0: none
	Count  int        `json:"count,omitempty"`  // Attested
	Demand Demand     `json:"demand,omitempty"` // Waived
	By     player.ID  `json:"by,omitempty"`     // the arbiter or steward who says so
}

// Demand is something a policy asks of a player before they play.
type Demand string

const (
	DemandHuman       Demand = "human"
	DemandText        Demand = "text"
	DemandAttestation Demand = "attestation"
	DemandPasskey     Demand = "passkey"
	DemandOneDevice   Demand = "one-device" // a passkey that cannot leave its device
	DemandCheckIn     Demand = "check-in"   // and with it signed moves from the checked-in page
	DemandSteward     Demand = "steward"
	DemandAdmission   Demand = "admission" // not excluded from the level; no arbiter waives it
)

// Waivable are the demands an arbiter may waive; the match then achieves less.
var Waivable = []Demand{DemandText, DemandAttestation, DemandPasskey, DemandOneDevice, DemandCheckIn, DemandSteward}

// Standing is what is known of a player who wants to enter, to accept or to be paired.
type Standing struct {
	Human    bool        // a person's account, or a guest whom the organizer entered
	Accepted bool        // the fair-play text that is in force
	Known    []Voucher   // the identity attestations that count now, one per issuer
	Ended    []EndedWord // those that no longer do, to tell the player
	Passkeys int
	Bound    int      // device-bound passkeys
	Waived   []Demand // by an arbiter, for this event
	// Excluded is until when arbiters have excluded them from Verified and above; zero:
	// not.
	Excluded time.Time
}

// Voucher is the part of an attestation that decides whether it will do.
type Voucher struct {
	By     player.ID // who spoke for the issuer
	Days   int       // age
	Issuer string    // name
}

// Young are the vouchers no older than the policy allows, without those by somebody in
// except: the only arbiter of an event does not vouch for its players.
func (p Policy) Young(list []Voucher, except ...player.ID) []Voucher {
	return slices.DeleteFunc(slices.Clone(list), func(v Voucher) bool {
		return p.MaxAgeDays > 0 && v.Days > p.MaxAgeDays || slices.Contains(except, v.By)
	})
}

// Counted is a standing with the vouchers that will do (Young); the others move to the
// ended words.
func (p Policy) Counted(s Standing, except ...player.ID) Standing {
	young := p.Young(s.Known, except...)
	ended := slices.Clone(s.Ended)
	for _, v := range s.Known {
		switch {
		case slices.Contains(young, v):
		case slices.Contains(except, v.By):
			ended = append(ended, EndedWord{Issuer: v.Issuer, Why: EndOnlyArbiter})
		default:
			ended = append(ended, EndedWord{Issuer: v.Issuer, Why: EndTooOld})
		}
	}
	s.Known, s.Ended = young, ended
	return s
}

// Unmet are the demands a player does not meet, the gravest first; none: they may enter.
// Check-in and steward are seen when they play.
func (p Policy) Unmet(s Standing) []Demand {
	var list []Demand
	demand := func(d Demand, met bool) {
		if !met && !s.waives(d) {
			list = append(list, d)
		}
	}
	demand(DemandHuman, p.Bots || s.Human)
	demand(DemandAdmission, p.Level < Verified || s.Excluded.IsZero())
	demand(DemandAttestation, len(p.Young(s.Known)) >= p.Attestations)
	demand(DemandPasskey, !p.CheckIn.Demanded || s.Passkeys > 0 || s.waives(DemandCheckIn))
	demand(DemandOneDevice, !p.CheckIn.OneDevice || s.Bound > 0 || s.Passkeys == 0 || s.waives(DemandCheckIn))
	demand(DemandText, !p.Text || s.Accepted)
	return list
}

func (s Standing) waives(d Demand) bool {
	if d == DemandHuman || d == DemandAdmission {
		return false // nobody can waive being human, or an exclusion
	}
	return slices.Contains(s.Waived, d)
}

// ErrUnmet is wrapped by every UnmetError.
var ErrUnmet = refusal.Unfit("fairplay.error.unmet", "fairplay: requirements not met")

// UnmetError refuses somebody who does not meet a policy's demands.
type UnmetError struct {
	Level   Assurance
	Demands []Demand
	Until   time.Time   // end of an exclusion, shown only to the player
	Ended   []EndedWord // if an attestation is missing: those there were
}

func (e *UnmetError) Error() string {
	text := "this is played at level " + e.Level.String() + "; missing:"
	for i, d := range e.Demands {
		if i > 0 {
			text += ","
		}
		text += " " + unmetTexts[d]
		if d == DemandAdmission && !e.Until.IsZero() {
			text += " (until " + e.Until.UTC().Format(time.RFC3339) + ")"
		}
	}
	for _, e := range e.Ended {
		text += "; " + e.String()
	}
	return text
}

// WordOfAssurance is what programs tell the refusals of a level by.
const WordOfAssurance = "assurance"

// Unwrap makes it a case of ErrUnmet.
func (e *UnmetError) Unwrap() error { return refusal.Told(ErrUnmet, WordOfAssurance, e.Error()) }

// unmetTexts are the demands in the words of the API.
var unmetTexts = map[Demand]string{
	DemandHuman:       "a human account, and a bot is none",
	DemandText:        "acceptance of the fair-play text",
	DemandAttestation: "the word of a club that knows the player",
	DemandPasskey:     "a passkey on the account",
	DemandOneDevice:   "a passkey that cannot leave its device, such as a security key",
	DemandCheckIn:     "a check-in",
	DemandSteward:     "a steward",
	DemandAdmission:   "admission: not for now, by a decision of which the player knows",
}

// Admit is nil, or an *UnmetError. Only the player (own) learns how long they are
// excluded.
func (p Policy) Admit(s Standing, own bool) error {
	list := p.Unmet(s)
	if len(list) == 0 {
		return nil
	}
	refused := &UnmetError{Level: p.Level, Demands: list}
	if own && slices.Contains(list, DemandAdmission) {
		refused.Until = s.Excluded
	}
	if slices.Contains(list, DemandAttestation) {
		refused.Ended = p.Counted(s).Ended
	}
	return refused
}

// EndReason is why an attestation does not count, or not here.
type EndReason string

const (
	EndExpired     EndReason = "expired"        // it has expired
	EndRevoked     EndReason = "revoked"        // it was revoked
	EndIssuer      EndReason = "issuer-revoked" // its issuer was revoked
	EndTooOld      EndReason = "too-old"        // older than a policy allows
	EndOnlyArbiter EndReason = "only-arbiter"   // given by the only arbiter of the event
)

// EndedWord is an identity attestation that does not count: which, since when and why, so
// that its player knows what to renew.
type EndedWord struct {
	Issuer string // name
	Why    EndReason
	At     time.Time      // since when; zero if only not here
	Code   RevocationCode // why it was revoked; empty: it was not
}

func (e EndedWord) String() string {
	word := "the word of " + e.Issuer + " (identity) "
	again := "; ask " + e.Issuer + " to vouch anew"
	switch e.Why {
	case EndExpired:
		return word + "ended on " + e.At.UTC().Format(time.DateOnly) + again
	case EndRevoked:
		return word + "was taken back on " + e.At.UTC().Format(time.DateOnly) + " (" + string(e.Code) + ")" + again
	case EndIssuer:
		return word + "counts no more since " + e.At.UTC().
			Format(time.DateOnly) + ", because its issuer was revoked; ask another club to vouch"
	case EndTooOld:
		return word + "is older than is allowed here" + again
	}
	return word + "does not count here, because the only arbiter gave it; ask another club to vouch"
}

// RevocationCode is why an attestation was revoked.
type RevocationCode string

const (
	RevokedError    RevocationCode = "error"
	RevokedFraud    RevocationCode = "fraud"
	RevokedLeft     RevocationCode = "left-club"
	RevokedByIssuer RevocationCode = "issuer-revoked"
)

// RevocationCodes are all codes.
var RevocationCodes = []RevocationCode{RevokedError, RevokedFraud, RevokedLeft, RevokedByIssuer}
