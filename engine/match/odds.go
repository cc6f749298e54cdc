package match

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"chpok.org/chpok/engine/bidding"
)

// Odds is the result of sealed bids for draw odds (Options.Odds). When ready, each player bids
// chips that they would play without. The higher bid gets draw odds and plays with that many
// chips fewer; equal bids are decided by lot. The game itself does not change: a draw is a
// draw, and only the competition counts it as a win.
//
// Before the start everyone sees the seal of a bid: the hexadecimal SHA-256 of its salt, a
// slash and the chips in decimal. With the start bids and salts are revealed. The salts of A
// (First) and B are the HMAC-SHA256 of "chpok-seal-1/A" and "chpok-seal-1/B" under the seed of
// the match, so that nobody can choose them.
type Odds struct {
	Bids  [2]int    // by seat
	Salts [2]string // hexadecimal, by seat
	Seat  Seat      // who has the odds
}

// SealOf returns the seal of a bid.
func SealOf(salt string, chips int) string {
	sum := sha256.Sum256([]byte(salt + "/" + strconv.Itoa(chips)))
	return hex.EncodeToString(sum[:])
}

// salt returns the salt of a seat's bid.
func (s Seed) salt(by Seat) string {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte("chpok-seal-1/" + FirstIsA.Of(by)))
	return hex.EncodeToString(mac.Sum(nil))
}

// MostSealed returns the highest sealed bid: at least one chip is left to play with.
func (o Options) MostSealed() int { return min(bidding.MaxExtra, o.Envelope.Chips-1) }

// OddsIn returns the draw odds of a match; zero before the start, and if it has none.
func OddsIn(s State) Odds { return s.odds }

// LotIn draws a seat by the lot of a match; see Seed.Lot.
func LotIn(s State, what string) Seat { return Seats[s.seed.Lot(what, 2)] }

// SealsIn returns the seals of the bids so far, by seat.
func SealsIn(s State) (seals [2]string) {
	for i, seat := range Seats {
		if s.options.Odds && (s.ready[i] || s.odds.Seat.Valid()) {
			seals[i] = SealOf(s.seed.salt(seat), s.sealed[i])
		}
	}
	return seals
}

// reveal returns the result of sealed bids.
func (s Seed) reveal(bids [2]int) Odds {
	o := Odds{Bids: bids, Salts: [2]string{s.salt(First), s.salt(Second)}}
	switch {
	case bids[0] > bids[1]:
		o.Seat = First
	case bids[0] < bids[1]:
		o.Seat = Second
	default:
		o.Seat = Seats[s.Lot("odds", 2)]
	}
	return o
}

// CheckOdds reports whether revealed bids agree with the seed and with the seals that were shown
// before the start.
func (s Seed) CheckOdds(o Odds, seals [2]string) bool {
	for i, salt := range o.Salts {
		if seals[i] != SealOf(salt, o.Bids[i]) {
			return false
		}
	}
	return o == s.reveal(o.Bids)
}

// giveOdds reveals the bids and takes the chips of whoever has the odds.
func giveOdds(s *State) (err error) {
	s.odds = s.seed.reveal(s.sealed)
	less := s.odds.Bids[s.odds.Seat.Index()]
	s.options.Envelope.Chips -= less
	s.options.Extra[s.odds.Seat.Other().Index()] = less
	s.game, err = newGame(s.options)
	return err
}

// seal returns the event of a ready player, with their sealed bid if the match has draw odds.
func (d decision) seal(c Ready) (PlayerReady, error) {
	e := PlayerReady{Seat: c.Seat}
	if !d.options.Odds || d.game.OnBoard() {
		return e, nil
	}
	if c.Sealed < 0 || c.Sealed > d.options.MostSealed() {
		return e, refuse(BadSeal, "a sealed bid must be 0…%d chips", d.options.MostSealed())
	}
	e.Sealed, e.Seal = c.Sealed, SealOf(d.seed.salt(c.Seat), c.Sealed)
	return e, nil
}
