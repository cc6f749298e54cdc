package match

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"chpok.org/chpok/engine/bidding"
)

// Seed determines the random draws of a match (Rules D8). Its SHA-256, the commitment, is
// published before the bidding, and the seed itself when the match is over. Then anyone can
// check every draw:
//
// For the n-th draw of the match (from 1), of target t among c outcomes, compute for i = 0, 1,
// 2, … HMAC-SHA256 with the 32 bytes of the seed as key and "chpok-draw-1/n/t/c/i" as message
// (numbers in decimal, the target by name), and read its first eight bytes as a big-endian
// unsigned integer. Skip values from ⌊2⁶⁴ / c⌋ × c on. The first value kept, modulo c, is the
// outcome: for white (c = 2) 0 is the player who bids first and 1 the other; for time it is
// the index in the list of presets.
type Seed [32]byte

// DrawRecipe names this method in records.
const DrawRecipe = "chpok-draw-1"

// Commitment returns the SHA-256 of the seed in hexadecimal digits.
func (s Seed) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

func (s Seed) String() string { return hex.EncodeToString(s[:]) }

// ParseSeed reads 64 hexadecimal digits.
func ParseSeed(text string) (Seed, error) {
	var s Seed
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(s) {
		return s, fmt.Errorf("a seed must be %d hexadecimal digits", 2*len(s))
	}
	copy(s[:], raw)
	return s, nil
}

// Pick returns the outcome of the n-th draw, of a target among count outcomes.
func (s Seed) Pick(n int, t bidding.Target, count int) int {
	return s.pick(fmt.Sprintf(DrawRecipe+"/%d/%s", n, t), count)
}

// Lot returns a random number, 0…count-1, for a decision besides the draws. It is made like
// Pick, with the message "chpok-lot-1/what/c/i": unknown before the end of the match, and
// verifiable after it.
func (s Seed) Lot(what string, count int) int { return s.pick("chpok-lot-1/"+what, count) }

func (s Seed) pick(what string, count int) int {
	c := uint64(count)
	limit := math.MaxUint64 - (math.MaxUint64%c+1)%c // the last value kept
	for i := 0; ; i++ {
		mac := hmac.New(sha256.New, s[:])
		fmt.Fprintf(mac, "%s/%d/%d", what, count, i)
		if v := binary.BigEndian.Uint64(mac.Sum(nil)); v <= limit {
			return int(v % c)
		}
	}
}

// Draw makes the n-th draw; times are drawn from presets.
func (s Seed) Draw(n int, t bidding.Target, presets []bidding.TimeControl) bidding.Draw {
	if t == bidding.White {
		return bidding.Draw{Target: t, White: Seats[s.Pick(n, t, 2)]}
	}
	return bidding.Draw{Target: t, Time: presets[s.Pick(n, t, len(presets))]}
}

// CheckDraws reports for each draw whether it follows from the seed. numbers are those of
// State.DrawNumbers; nil: 1, 2, 3, …
func (s Seed) CheckDraws(draws []bidding.Draw, numbers []int, presets []bidding.TimeControl) []bool {
	number := func(i int) int {
		if numbers == nil {
			return i + 1
		}
		return numbers[i]
	}
	holds := make([]bool, len(draws))
	for i, d := range draws {
		if d.Target.IsDrawn() && (d.Target == bidding.White || len(presets) > 0) && (i == 0 || number(i) > number(i-1)) {
			holds[i] = d == s.Draw(number(i), d.Target, presets)
		}
	}
	return holds
}

// Lot returns Seed.Lot for the server. It must stay secret until the end.
func (s State) Lot(what string, count int) int { return s.seed.Lot(what, count) }
