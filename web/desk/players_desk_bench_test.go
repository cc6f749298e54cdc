package desk

import (
	"fmt"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// BenchmarkPlayersDesk makes the lines of a desk with 1,000 players in the fifth round, without the store.
func BenchmarkPlayersDesk(b *testing.B) {
	now := time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)
	t := &tournament.Tournament{}
	t.Settings, t.Status = tournament.DefaultSettings(tournament.Swiss), tournament.Running
	for n := 1; n <= 1000; n++ {
		t.Entries = append(t.Entries, tournament.Entry{ID: tournament.EntryID(n), Player: player.ID(fmt.Sprint(n)), Name: fmt.Sprint("Player ", n),
			Number: n, Status: tournament.Active, EnteredAt: now, CheckedIn: []int{1, 2, 3, 4, 5}})
	}
	for n := 1; n <= 5; n++ {
		round := tournament.Round{Number: n}
		for board := 1; board <= 500; board++ {
			round.Pairings = append(round.Pairings, tournament.Pairing{Board: board, First: tournament.EntryID(board),
				Second: tournament.EntryID(501 + (board+n)%500)})
		}
		t.Rounds = append(t.Rounds, round)
	}
	p, v := lang.Printer{Lang: lang.English, Zone: time.UTC}, player.Viewer{Player: player.Player{ID: "arbiter"}}
	t.Staff = []tournament.Member{{Player: "arbiter", Duty: tournament.Owner}}
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range t.Entries {
			deskEntry(p, v, t, e)
		}
	}
}
