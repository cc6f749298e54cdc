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

// Tell is what kind of thing a match page told of itself. The list is closed,
// and what the card does not name is not asked of the page.
type Tell string

const (
	TellHello     Tell = "hello"      // the page is open, and tells
	TellFocus     Tell = "focus"      // it was left and returned to; Number: seconds away
	TellUntrusted Tell = "untrusted"  // a click or key that no hand made
	TellWebdriver Tell = "webdriver"  // the browser says that a program runs it
	TellNoPointer Tell = "no-pointer" // a move by pointer that never moved
	TellPaste     Tell = "paste"      // into the move field
	TellOtherTab  Tell = "other-tab"  // another page of ours had the position open
	TellCadence   Tell = "cadence"    // Number: how often the pointer changed its course before a move
)

// Tells is every kind.
var Tells = []Tell{TellHello, TellFocus, TellUntrusted, TellWebdriver, TellNoPointer, TellPaste, TellOtherTab, TellCadence}

// Told is one thing that a page told. It says little: whoever wants to can make
// it up, or keep it back.
type Told struct {
	Tell   Tell
	Move   int // full move; 0: before the board
	Number int
	At     time.Time // by the server's clock
	Hash   string    // of this and of all before it, of the same seat of the match
}

// Bounds of what a page may tell.
const (
	MostTold      = 2000 // of one seat in one match
	MostToldAtOne = 50   // at one time
	mostNumber    = 100_000
)

// ErrTold refuses what no page of ours tells.
var ErrTold = refusal.Malformed("error.bad-request", "review: malformed telemetry")

// Check is nil, or ErrTold.
func (t Told) Check() error {
	if !slices.Contains(Tells, t.Tell) || t.Move < 0 || t.Move > mostNumber || t.Number < 0 || t.Number > mostNumber {
		return fmt.Errorf("%w: %q, move %d, %d", ErrTold, t.Tell, t.Move, t.Number)
	}
	return nil
}

// Chain gives a row the hash that ties it to the one before, whose hash is
// before; empty for the first.
func (t Told) Chain(before string) Told {
	sum := sha256.Sum256(fmt.Appendf(nil, "chpok-telemetry/1\n%s\n%s\n%d\n%d\n%d", before, t.Tell, t.Move, t.Number, t.At.UnixMilli()))
	t.Hash = hex.EncodeToString(sum[:])
	return t
}

// CheckChain is the first row, from 0, whose hash does not follow from those
// before it; -1: all of them do.
func CheckChain(rows []Told) int {
	before := ""
	for i, r := range rows {
		if r.Chain(before).Hash != r.Hash {
			return i
		}
		before = r.Hash
	}
	return -1
}

// silentFor is how many own moves a page may play without a word: it tells of
// every move, and a broken line loses some.
const silentFor = 8

// IsSilent tells whether a page has told too little of a seat that has made own
// moves on the board, the last of them in full move last.
func IsSilent(rows []Told, own, last int) bool {
	if own == 0 {
		return false
	}
	heard := -1
	for _, r := range rows {
		heard = max(heard, r.Move)
	}
	return heard < 0 || last-heard > silentFor
}

// Evidence adds what pages told to what was noticed.
func (e Evidence) addTold(rows []Told) {
	for _, r := range rows {
		if _, weighs := weights[string(r.Tell)]; weighs {
			e[string(r.Tell)]++
		}
	}
}

// Gather is the evidence there is about one player: signals, what their pages told,
// replies too quick for a hand, and matches in which they told nothing.
func Gather(signals []Signal, told []Told, quick []Reply, facts []fairplay.Fact) Evidence {
	e := Evidence{}
	for _, s := range signals {
		e[string(s.Kind)]++
	}
	e.addTold(told)
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
