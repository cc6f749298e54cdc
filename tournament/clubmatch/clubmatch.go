// Package clubmatch decides matches between two clubs: who opens the bidding on which
// board, and which club wins.
package clubmatch

import (
	"fmt"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Version identifies the behavior of the pairing.
const Version = "club-match-1"

// Table pairs numbers 2k-1 and 2k on board k. First alternates from board to board,
// beginning with the seat drawn for number 1; a second round has the seats reversed.
type Table struct{}

var _ tournament.Pairer = Table{}

// Pair returns the next round of the field, whose numbers must run from 1.
func (Table) Pair(f tournament.Field) (tournament.RoundPairing, error) {
	if f.Played >= f.Rounds {
		return tournament.RoundPairing{}, fmt.Errorf("round %d of %d: %w", f.Played+1, f.Rounds, tournament.ErrNoPairing)
	}
	numbers := make([]int, len(f.Players))
	for i, p := range f.Players {
		numbers[i] = p.Number
	}
	slices.Sort(numbers)
	var round tournament.RoundPairing
	for k := 0; k+1 < len(numbers); k += 2 {
		if numbers[k] != k+1 || numbers[k+1] != k+2 {
			return tournament.RoundPairing{}, fmt.Errorf("board %d: numbers %d and %d", k/2+1, numbers[k], numbers[k+1])
		}
		b := tournament.Board{First: k + 1, Second: k + 2}
		if (k/2+f.Played)%2 == 1 != (f.Opening == match.Second) {
			b.First, b.Second = b.Second, b.First
		}
		round.Boards = append(round.Boards, b)
	}
	if len(numbers)%2 == 1 {
		return tournament.RoundPairing{}, fmt.Errorf("%d players: one of them has no board", len(numbers))
	}
	return round, nil
}

// By is what decided a match.
type By uint8

const (
	Points   By = iota + 1 // more board points
	Berlin                 // more points on the upper boards
	TopBoard               // the first board that is not even
	Nothing                // every board is even: a drawn match
)

func (b By) String() string { return [...]string{"", "points", "berlin", "top-board", "drawn"}[b] }

// Score is the score of a match.
type Score struct {
	Points [2]tournament.Score // board points by side
	// Berlin is the Berlin count: of n boards, points on the first count n times, on the
	// last once.
	Berlin [2]int
	Boards []Board
	Over   bool
	Winner tournament.Side // zero: nobody, or not yet
	By     By              // zero: not decided yet
}

// Board is one board with its games.
type Board struct {
	Number  int
	Entries [2]tournament.Entry // by side
	Points  [2]tournament.Score
	Games   []Game
}

// Game is one game of a board.
type Game struct {
	Round   int
	Pairing tournament.Pairing
	Home    bool // the home club's player opens the bidding
}

// Of returns the score of a match. Equal board points are decided by the Berlin count,
// then by the first board that is not even; if there is none the match is drawn.
func Of(t *tournament.Tournament) Score {
	var s Score
	for _, e := range t.Entries {
		if e.Side == tournament.HomeSide {
			s.Boards = append(s.Boards, Board{Number: len(s.Boards) + 1, Entries: [2]tournament.Entry{e}})
		}
	}
	k := 0
	for _, e := range t.Entries {
		if e.Side == tournament.GuestSide && k < len(s.Boards) {
			s.Boards[k].Entries[1] = e
			k++
		}
	}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			s.add(t.Points, r.Number, p)
		}
	}
	for i, b := range s.Boards {
		for side := range b.Points {
			s.Points[side] += b.Points[side]
			s.Berlin[side] += int(b.Points[side]) * (len(s.Boards) - i)
		}
	}
	if s.Over = t.Status == tournament.Finished; s.Over {
		s.decide()
	}
	return s
}

func (s *Score) add(points tournament.PointSystem, round int, p tournament.Pairing) {
	for i := range s.Boards {
		b := &s.Boards[i]
		seat := p.SeatOf(b.Entries[0].ID)
		if !seat.Valid() {
			continue
		}
		b.Games = append(b.Games, Game{Round: round, Pairing: p, Home: seat == match.First})
		b.Points[0] += points.Of(p.Result.Outcome(seat))
		b.Points[1] += points.Of(p.Result.Outcome(seat.Other()))
	}
}

func (s *Score) decide() {
	better := func(a, b int) tournament.Side {
		if a > b {
			return tournament.HomeSide
		}
		return tournament.GuestSide
	}
	switch {
	case s.Points[0] != s.Points[1]:
		s.Winner, s.By = better(int(s.Points[0]), int(s.Points[1])), Points
		return
	case s.Berlin[0] != s.Berlin[1]:
		s.Winner, s.By = better(s.Berlin[0], s.Berlin[1]), Berlin
		return
	}
	for _, b := range s.Boards {
		if b.Points[0] != b.Points[1] {
			s.Winner, s.By = better(int(b.Points[0]), int(b.Points[1])), TopBoard
			return
		}
	}
	s.By = Nothing
}
