package fairplay

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
)

// Reason is why a match achieved less than it demanded, or a remark on what it achieved:
// the key of a text (fairplay.reason.KEY) and whom it concerns.
type Reason struct {
	Key    string     `json:"key"`
	Seat   match.Seat `json:"seat"`
	Caps   Assurance  `json:"caps,omitempty"` // the level left by it; zero: a remark
	Move   int        `json:"move,omitempty"`
	Demand Demand     `json:"demand,omitempty"`
	At     time.Time  `json:"at,omitzero"`
}

// Achievement is what a finished match achieved.
type Achievement struct {
	Level   Assurance    `json:"level"`
	Seats   [2]Assurance `json:"seats"`
	Reasons []Reason     `json:"reasons"`
}

// Seat is what is known of one player of a match.
type Seat struct {
	Bot   bool
	Facts []Fact // of this seat, in order of time
}

// Achieved is the lowest level reached on either side: what was demanded, less what the
// facts lack or contradict.
func Achieved(p Policy, seats [2]Seat) Achievement {
	a := Achievement{Level: p.Level, Reasons: []Reason{}}
	for i, s := range seats {
		j := judge{policy: p, seat: match.Seat(i + 1), level: p.Level, facts: s.Facts}
		j.run(s.Bot)
		a.Seats[i] = j.level
		a.Level = min(a.Level, j.level)
		a.Reasons = append(a.Reasons, j.reasons...)
	}
	return a
}

type judge struct {
	policy  Policy
	seat    match.Seat
	level   Assurance
	facts   []Fact
	reasons []Reason
}

func (j *judge) run(isBot bool) {
	if j.policy.Level <= Open {
		if isBot {
			j.tell(Reason{Key: "bot"})
		}
		return
	}
	if isBot {
		j.cap(Open, Reason{Key: "bot"})
	}
	j.waivers()
	if j.policy.Text && !j.has(TextAccepted) && !j.waived(DemandText) {
		j.cap(Open, Reason{Key: "no-text"})
	}
	if n := j.attested(); n < j.policy.Attestations && !j.waived(DemandAttestation) {
		j.cap(Declared, Reason{Key: "not-attested"})
	}
	j.checkIn()
	for _, f := range j.facts {
		j.fact(f)
	}
	if j.policy.Steward && !j.has(StewardSigned) && !j.has(StewardPartly) && !j.has(StewardNot) && !j.waived(DemandSteward) {
		j.cap(Verified, Reason{Key: "no-steward"})
	}
}

// waivers: what an arbiter waived is missing all the same.
func (j *judge) waivers() {
	for _, f := range j.facts {
		if f.Kind != Waived {
			continue
		}
		left := Declared
		switch f.Demand {
		case DemandText:
			left = Open
		case DemandSteward:
			left = Verified
		}
		j.cap(left, Reason{Key: "waived", Demand: f.Demand, At: f.At})
	}
}

func (j *judge) checkIn() {
	if !j.policy.CheckIn.Demanded || j.waived(DemandCheckIn) {
		return
	}
	switch {
	case j.has(CheckedIn):
	case j.has(CheckedByCode):
		j.tell(Reason{Key: "checked-by-code"})
	default:
		j.cap(Declared, Reason{Key: "no-check-in"})
	}
}

// fact is what one fact takes away.
func (j *judge) fact(f Fact) {
	r := Reason{Key: string(f.Kind), Move: f.Move, At: f.At}
	switch {
	case f.Kind == MidCheckMissed && j.policy.CheckIn.MidMatch > 0 && j.policy.Level > Declared,
		f.Kind == UnsignedMove && j.policy.Moves == Signed,
		f.Kind == SecondSession && j.policy.OneSession,
		f.Kind == NoTelemetry && j.policy.Telemetry,
		f.Kind == TokenMove && j.policy.Moves == Signed:
		j.cap(Declared, r)
	case f.Kind == TokenMove,
		(f.Kind == MidCheckPassed || f.Kind == MidCheckMissed) && j.policy.CheckIn.MidMatch > 0:
		j.tell(r)
	case (f.Kind == StewardPartly || f.Kind == StewardNot) && j.policy.Steward:
		j.cap(Verified, r)
	}
}

// cap lowers the level and gives the reason.
func (j *judge) cap(to Assurance, r Reason) {
	if to >= j.policy.Level {
		return
	}
	j.level = min(j.level, to)
	r.Caps = to
	j.tell(r)
}

// tell adds a reason, once per kind.
func (j *judge) tell(r Reason) {
	r.Seat = j.seat
	if !slices.ContainsFunc(j.reasons, func(told Reason) bool { return told.Key == r.Key && told.Demand == r.Demand }) {
		j.reasons = append(j.reasons, r)
	}
}

func (j *judge) has(kind FactKind) bool {
	return slices.ContainsFunc(j.facts, func(f Fact) bool { return f.Kind == kind })
}

func (j *judge) waived(d Demand) bool {
	return slices.ContainsFunc(j.facts, func(f Fact) bool { return f.Kind == Waived && f.Demand == d })
}

func (j *judge) attested() (n int) {
	for _, f := range j.facts {
		if f.Kind == Attested {
			n = max(n, f.Count)
		}
	}
	return n
}
