package match

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"chpok.org/chpok/engine/bidding"
)

// Odds are what sealed bids for draw odds have come to (Options.Odds). Each player,
// when they are ready, names chips that they would play without. Whoever names more
// has the draw odds and so many chips less; of equal bids the match's lot decides.
// The game is as always: a draw is a draw, only who asked for the match reads it as a
// win.
//
// Before the match starts everybody sees the seal of a bid: the SHA-256, in
// hexadecimal digits, of its salt, a slash and the chips in decimal. With the start
// the bids and the salts are shown. The salt of A (who bids first) and B is the
// HMAC-SHA256 with the seed of the match of "chpok-seal-1/A" and "chpok-seal-1/B", so
// that nobody can choose it.
type Odds struct {
	Bids  [2]int    // by seat
	Salts [2]string // hexadecimal
	Seat  Seat      // who has them
}

// SealOf is the seal of a bid.
func SealOf(salt string, chips int) string {
	sum := sha256.Sum256([]byte(salt + "/" + strconv.Itoa(chips)))
	return hex.EncodeToString(sum[:])
}

func (s Seed) salt(by Seat) string {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte("chpok-seal-1/" + FirstIsA.Of(by)))
	return hex.EncodeToString(mac.Sum(nil))
}

// MostSealed is the most chips that can be named: one is left to play with.
func (o Options) MostSealed() int { return min(bidding.MaxExtra, o.Envelope.Chips-1) }

// OddsIn are who has draw odds in a match and what was bid for them; none before the
// start, and where nobody can have any.
func OddsIn(s State) Odds { return s.odds }

// LotIn is the seat that the lot of a match names; what says what it is about.
func LotIn(s State, what string) Seat { return [...]Seat{First, Second}[s.seed.Lot(what, 2)] }

// SealsIn are the seals of the bids so far, by seat.
func SealsIn(s State) (seals [2]string) {
	for i, seat := range [...]Seat{First, Second} {
		if s.options.Odds && (s.ready[i] || s.odds.Seat.Valid()) {
			seals[i] = SealOf(s.seed.salt(seat), s.sealed[i])
		}
	}
	return seals
}

// reveal is what sealed bids come to.
func (s Seed) reveal(bids [2]int) Odds {
	o := Odds{Bids: bids, Salts: [2]string{s.salt(First), s.salt(Second)}}
	switch {
	case bids[0] > bids[1]:
		o.Seat = First
	case bids[0] < bids[1]:
		o.Seat = Second
	default:
		o.Seat = [...]Seat{First, Second}[s.Lot("odds", 2)]
	}
	return o
}

// CheckOdds reports whether revealed bids follow from the seed: their salts, the seals
// that were shown before the start, and who has the odds.
func (s Seed) CheckOdds(o Odds, seals [2]string) bool {
	for i, salt := range o.Salts {
		if seals[i] != SealOf(salt, o.Bids[i]) {
			return false
		}
	}
	return o == s.reveal(o.Bids)
}

// giveOdds lets the bids count: who has the odds plays with so many chips less.
func giveOdds(s *State) (err error) {
	s.odds = s.seed.reveal(s.sealed)
	less := s.odds.Bids[s.odds.Seat.Index()]
	s.options.Envelope.Chips -= less
	s.options.Extra[s.odds.Seat.Other().Index()] = less
	s.game, err = newGame(s.options)
	return err
}

// seal is a ready player's bid; chips are 0 where nothing is bid for.
func (d decision) seal(c Ready) (PlayerReady, error) {
	e := PlayerReady{Seat: c.Seat}
	if !d.options.Odds || d.game.OnBoard() {
		return e, nil
	}
	if c.Sealed < 0 || c.Sealed > d.options.MostSealed() {
		return e, refuse(BadSeal, "a sealed bid is 0…%d chips", d.options.MostSealed())
	}
	e.Sealed, e.Seal = c.Sealed, SealOf(d.seed.salt(c.Seat), c.Sealed)
	return e, nil
}
