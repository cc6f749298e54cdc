package tables

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/trf"
)

// DrawingFrom is the drawing of a seed that may have been promised.
func DrawingFrom(p draw.Chance) tournament.Drawing {
	d := DrawingOf(p.Seed)
	d.Next = p.Next
	return d
}

// DrawingOf is the drawing that a seed gives, by ChaCha8, so that anybody can repeat it
// from the seed in the tournament.
func DrawingOf(seed [32]byte) tournament.Drawing {
	source := rand.New(rand.NewChaCha8(seed))
	return tournament.Drawing{Seed: hex.EncodeToString(seed[:]), Pick: source.IntN, Restricted: roundrobin.Draw}
}

// Report is a field as a report that pairs to the same round again. Of the wishes about
// who should not meet it holds those that were granted, because a report knows only
// prohibitions.
func Report(t *tournament.Table, s tournament.System, f tournament.Field) (string, error) {
	var b strings.Builder
	if s.Relax != nil {
		var err error
		if f, err = s.Relax(f); err != nil {
			return "", err
		}
	}
	r := trf.FromField(f)
	if f.Teams != nil {
		r = teamReport(t, f)
	}
	err := r.Write(&b, trf.TRF2026)
	return b.String(), err
}

// Repeat pairs a stored report again; without boards: the report does not hold who meets
// whom.
func Repeat(report string) (tournament.RoundPairing, tournament.Field, error) {
	r, err := trf.ReadAny(report)
	if err != nil {
		return tournament.RoundPairing{}, tournament.Field{}, err
	}
	f := r.Field()
	if r.Teams != nil {
		f = r.TeamField()
	}
	if f.System != "" {
		return tournament.RoundPairing{}, f, nil
	}
	pairer := tournament.Pairer(swiss.Dutch{})
	switch {
	case f.RoundRobin:
		pairer = Berger(f)
	case f.Teams != nil:
		pairer = teamswiss.Swiss{}
	}
	paired, err := pairer.Pair(f)
	return paired, f, err
}

// OffTables are the rounds of a round robin, from 1, that do not follow its tables.
// Rounds nobody has played do not count.
func OffTables(f tournament.Field) (rounds []int, err error) {
	byNumber, pairer := map[int]tournament.FieldPlayer{}, Berger(f)
	for _, p := range f.Players {
		byNumber[p.Number] = p
	}
	for n := range f.Played {
		f.Played = n
		paired, err := pairer.Pair(f)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(paired.Boards, func(b tournament.Board) bool {
			p := byNumber[b.First]
			return n >= len(p.Rounds) || p.Rounds[n].Opponent != b.Second && p.Rounds[n].Opponent != 0
		}) {
			rounds = append(rounds, n+1)
		}
	}
	return rounds, nil
}

// Berger are the tables of a round robin as its field knows it.
func Berger(f tournament.Field) roundrobin.Berger {
	n := len(f.Players)
	return roundrobin.Berger{Double: f.Rounds > n-1+n%2}
}
