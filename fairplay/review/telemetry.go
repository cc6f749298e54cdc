package review

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/refusal"
)

// TelemetryKind is a kind of event that a match page reports about itself. The list is closed, and
// the page reports nothing that the fair-play card does not name.
type TelemetryKind string

const (
	TelemetryHello     TelemetryKind = "hello"      // the page is open and reports
	TelemetryFocus     TelemetryKind = "focus"      // the player left it and returned; Number: seconds away
	TelemetryUntrusted TelemetryKind = "untrusted"  // a synthetic click or key press
	TelemetryWebdriver TelemetryKind = "webdriver"  // the browser says that it is automated
	TelemetryNoPointer TelemetryKind = "no-pointer" // a move with the pointer, which never moved
	TelemetryPaste     TelemetryKind = "paste"      // into the move field
	TelemetryOtherTab  TelemetryKind = "other-tab"  // another page of the site had the position open
	TelemetryCadence   TelemetryKind = "cadence"    // Number: turns of the pointer before a move
)

// TelemetryKinds lists every kind.
var TelemetryKinds = []TelemetryKind{TelemetryHello, TelemetryFocus, TelemetryUntrusted, TelemetryWebdriver, TelemetryNoPointer, TelemetryPaste, TelemetryOtherTab, TelemetryCadence}

// Telemetry is one event reported by a page. It proves little: anybody can forge or withhold
// it.
type Telemetry struct {
	Kind   TelemetryKind
	Move   int // full move; 0: before the board
	Number int
	At     time.Time // by the server's clock
	Hash   string    // of this and all earlier ones of the same seat and match
}

// Limits of what a page may report.
const (
	MostTelemetry       = 2000 // per seat and match
	MostTelemetryAtOnce = 50   // per request
	mostNumber          = 100_000
)

// ErrTelemetry refuses events that no page of the site reports.
var ErrTelemetry = refusal.Malformed("error.bad-request", "review: malformed telemetry")

// Check returns nil or ErrTelemetry.
func (t Telemetry) Check() error {
	if !slices.Contains(TelemetryKinds, t.Kind) || t.Move < 0 || t.Move > mostNumber || t.Number < 0 || t.Number > mostNumber {
		return fmt.Errorf("%w: %q, move %d, %d", ErrTelemetry, t.Kind, t.Move, t.Number)
	}
	return nil
}

// Chain sets the hash of t, which ties it to the hash of the row before; before is empty
// for the first.
func (t Telemetry) Chain(before string) Telemetry {
	sum := sha256.Sum256(fmt.Appendf(nil, "chpok-telemetry/1\n%s\n%s\n%d\n%d\n%d", before, t.Kind, t.Move, t.Number, t.At.UnixMilli()))
	t.Hash = hex.EncodeToString(sum[:])
	return t
}

// CheckChain returns the index of the first row whose hash does not follow from those
// before it, or -1.
func CheckChain(rows []Telemetry) int {
	before := ""
	for i, r := range rows {
		if r.Chain(before).Hash != r.Hash {
			return i
		}
		before = r.Hash
	}
	return -1
}

// silentFor is how many own moves a page may stay silent: it reports with every move, and
// a broken connection loses some.
const silentFor = 8

// IsSilent reports whether a page reported too little for a seat with own moves on the
// board, the last of them in full move last.
func IsSilent(rows []Telemetry, own, last int) bool {
	if own == 0 {
		return false
	}
	heard := -1
	for _, r := range rows {
		heard = max(heard, r.Move)
	}
	return heard < 0 || last-heard > silentFor
}

// addTelemetry adds the events of pages that weigh something.
func (e Evidence) addTelemetry(rows []Telemetry) {
	for _, r := range rows {
		if _, weighs := weights[string(r.Kind)]; weighs {
			e[string(r.Kind)]++
		}
	}
}

// Gather collects the evidence about one player: signals, what their pages reported,
// replies too quick for a hand, and matches without telemetry.
func Gather(signals []Signal, told []Telemetry, quick []Reply, facts []fairplay.Fact) Evidence {
	e := Evidence{}
	for _, s := range signals {
		e[string(s.Kind)]++
	}
	e.addTelemetry(told)
	if len(quick) >= leastQuick {
		e[InstantReplies] = len(quick)
	}
	for _, f := range facts {
		if f.Kind == fairplay.NoTelemetry {
			e[string(fairplay.NoTelemetry)]++
		}
	}
	return e
}
