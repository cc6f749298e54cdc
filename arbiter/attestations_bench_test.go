package arbiter_test

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// vouched is a database with a player for whom the first of so many clubs
// vouches; the keys of the others are damaged.
func vouched(tb testing.TB, issuers int) (*store.Store, player.Player) {
	tb.Helper()
	dsn := storetest.SQLiteDSN(tb)
	s := storetest.Open(tb, dsn)
	storetest.Players(tb, s, "ana", "eve")
	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:"))
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		tb.Fatal(err)
	}
	for i := range issuers {
		seed := "damaged"
		if i == 0 {
			seed = base64.StdEncoding.EncodeToString(make([]byte, 32))
		}
		if _, err := tx.Exec("INSERT INTO issuers (id, name, club_id, seed, since, sig) VALUES (?, 'x', ?, ?, 0, '')", fmt.Sprint("i", i), fmt.Sprint("c", i), seed); err != nil {
			tb.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		tb.Fatal(err)
	}
	var p player.Player
	err = s.Write(tb.Context(), func(tx *store.Tx) error {
		now := time.Now()
		if p, err = tx.PlayerByHandle("ana"); err != nil {
			return err
		}
		return tx.AddAttestation(vouch.Attestation{
			ID: "a", Player: p.ID, Issuer: "i0", By: "eve", Kind: vouch.Identity, How: vouch.InPerson, Issued: now, Expires: now.Add(vouch.MaxAttestationAge),
		})
	})
	if err != nil {
		tb.Fatal(err)
	}
	return s, p
}

func knownOf(tb testing.TB, s *store.Store, p player.Player) (n int) {
	tb.Helper()
	err := s.Read(context.Background(), func(tx *store.Tx) error {
		standing, err := assurance.StandingOf(tx, p, time.Now())
		n = len(standing.Known)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// Whoever enters or plays is looked up by who vouches for them: what is wrong with
// other issuers is not even read.
func TestOnlyTheIssuersOfAPlayerAreRead(t *testing.T) {
	t.Parallel()
	s, ana := vouched(t, 5)
	if n := knownOf(t, s, ana); n != 1 {
		t.Errorf("ana is known to %d", n)
	}
}

// BenchmarkStanding shows how much longer it takes to look a player up among 2000
// issuers than among one.
func BenchmarkStanding(b *testing.B) {
	few, one := vouched(b, 1)
	many, other := vouched(b, 2000)
	var took [2]time.Duration
	for b.Loop() {
		for i, x := range []struct {
			s *store.Store
			p player.Player
		}{{few, one}, {many, other}} {
			from := time.Now()
			knownOf(b, x.s, x.p)
			took[i] += time.Since(from)
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[0]), "ratio")
}
