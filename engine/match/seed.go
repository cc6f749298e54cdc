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

// Seed is what the random draws of one match follow from (Rules D8). Its
// SHA-256, the commitment, is published before the bidding starts, the seed
// itself when the match is over; then anyone can check every draw:
//
// The n-th draw of the match (from 1) of target t among c outcomes takes, for
// i = 0, 1, 2, …, the first eight bytes (big-endian, unsigned) of
// HMAC-SHA256(key: the 32 bytes of the seed, message: "chpok-draw-1/n/t/c/i"),
// numbers in decimal, the target by its name, and skips values of at least
// ⌊2⁶⁴ / c⌋ × c. The first value kept, modulo c, is the outcome: for white 0 is
// the player who bids first and 1 the other (c = 2); for time the index in the
// list of presets, from 0.
type Seed [32]byte

// DrawRecipe names how draws are made; records carry it.
const DrawRecipe = "chpok-draw-1"

// Commitment is the SHA-256 of the seed in hexadecimal digits.
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
		return s, fmt.Errorf("a seed is %d hexadecimal digits", 2*len(s))
	}
	copy(s[:], raw)
	return s, nil
}

// Pick is the outcome of the n-th draw, of a target among count outcomes.
func (s Seed) Pick(n int, t bidding.Target, count int) int {
	return s.pick(fmt.Sprintf(DrawRecipe+"/%d/%s", n, t), count)
}

// Lot is chance, 0…count-1, for what is decided in a match besides its draws, made
// as Pick is with the message "chpok-lot-1/what/c/i": nobody can know it before
// the end, and anybody can check it after.
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

// Draw is the n-th draw of a match whose times are drawn from presets.
func (s Seed) Draw(n int, t bidding.Target, presets []bidding.TimeControl) bidding.Draw {
	if t == bidding.White {
		return bidding.Draw{Target: t, White: [...]Seat{First, Second}[s.Pick(n, t, 2)]}
	}
	return bidding.Draw{Target: t, Time: presets[s.Pick(n, t, len(presets))]}
}

// CheckDraws tells of each draw of a match whether it is the one that follows
// from the seed. numbers are the draws' own, rising
// (State.DrawNumbers); nil: 1, 2, 3, …
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

// Lot is Seed.Lot of this match, for the server: it must not be told before the end.
func (s State) Lot(what string, count int) int { return s.seed.Lot(what, count) }
