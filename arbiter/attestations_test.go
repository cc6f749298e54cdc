package arbiter_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

var anaInTheWorld = persons.Person{Name: "Ана Коваль", Born: "2001-02-03"}

func identity() vouch.Attestation {
	return vouch.Attestation{Kind: vouch.Identity, How: vouch.InPerson}
}

func TestAClubVouchesForItsMembers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		boss := h.host
		boss.Role = player.Operator
		owner := h.viewer("gus")
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error { return tx.AddClub(club.New("club", "Dragons", "", owner.ID, h.clock.now())) }))
		issuer, err := h.Persons.Certify(ctx, boss, "club")
		h.ok(err)
		if _, err := h.Persons.Certify(ctx, owner, "club"); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("a club lets itself vouch: %v", err)
		}
		if _, err := h.Persons.Certify(ctx, boss, "club"); !errors.Is(err, persons.ErrCertified) {
			t.Errorf("twice: %v", err)
		}
		if _, err := h.Persons.Attest(ctx, owner, persons.Word{Issuer: issuer.ID, Handle: "ana", Says: identity(), Days: 365, Person: anaInTheWorld}); !errors.Is(err, vouch.ErrUnknownIssuer) {
			t.Errorf("somebody unknown vouches: %v", err)
		}
		_, err = h.Persons.Attest(ctx, boss, persons.Word{Issuer: vouch.SiteIssuer, Handle: "gus", Says: identity(), Days: 400, Person: persons.Person{Name: "Гус", Born: "1990-01-01"}})
		h.ok(err)
		if _, err := h.Persons.Attest(ctx, owner, persons.Word{Issuer: issuer.ID, Handle: "ana", Says: identity(), Days: 365, Person: persons.Person{Name: "Ана"}}); !errors.Is(err, persons.ErrPerson) {
			t.Errorf("of nobody in particular: %v", err)
		}
		word, err := h.Persons.Attest(ctx, owner, persons.Word{Issuer: issuer.ID, Handle: "ana", Says: identity(), Days: 365, Person: anaInTheWorld})
		h.ok(err)
		_, err = h.Persons.Attest(ctx, owner, persons.Word{Issuer: issuer.ID, Handle: "bob", Says: identity(), Days: 365, Person: anaInTheWorld})
		h.ok(err)

		v, err := h.Persons.Vouching(ctx, boss, 100)
		h.ok(err)
		if err := v.Web.Check(); err != nil {
			t.Errorf("a signature does not hold: %v", err)
		}
		if len(v.Persons) != 1 || len(v.Persons[0]) != 2 {
			t.Errorf("ana and bob are one person, yet operators see %v", v.Persons)
		}
		if v, err := h.Persons.Vouching(ctx, owner, 100); err != nil || len(v.Persons) != 0 || len(v.Mine) != 1 {
			t.Errorf("a club sees %+v, %v", v, err)
		}
		if list, _, err := h.Persons.KnownAs(ctx, h.player("ana").ID); err != nil || len(list) != 1 {
			t.Errorf("ana is known to %v, %v", list, err)
		}

		if err := h.Persons.Revoke(ctx, h.viewer("ana"), word.ID, fairplay.RevokedError); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("ana takes it back herself: %v", err)
		}
		h.ok(h.Persons.Revoke(ctx, owner, word.ID, fairplay.RevokedLeft))
		if err := h.Persons.Revoke(ctx, owner, word.ID, fairplay.RevokedLeft); !errors.Is(err, vouch.ErrRevoked) {
			t.Errorf("twice: %v", err)
		}
		if list, _, err := h.Persons.KnownAs(ctx, h.player("ana").ID); err != nil || len(list) != 0 {
			t.Errorf("ana is known to %v, %v", list, err)
		}
		if told := h.told("ana"); len(told) != 2 || h.reminded("ana", notice.AttestationGiven) != 1 || h.reminded("ana", notice.AttestationRevoked) != 1 {
			t.Errorf("ana was told %v", told)
		}
	})
}

// TestAWarningThatAWordExpiresEndsWithIt, once the word is given anew or taken back.
func TestAWarningThatAWordExpiresEndsWithIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		boss := h.host
		boss.Role = player.Operator
		give := func(who string) string {
			word, err := h.Persons.Attest(ctx, boss, persons.Word{
				Issuer: vouch.SiteIssuer, Handle: who, Says: identity(), Days: 40, Person: persons.Person{Name: who, Born: "2001-02-03"},
			})
			h.ok(err)
			return word.ID
		}
		warned := func() (list []string) {
			for _, who := range []string{"ana", "bob", "cyn"} {
				if slices.ContainsFunc(h.told(who), func(x store.Told) bool { return x.Kind == notice.AttestationExpires && x.Read.IsZero() }) {
					list = append(list, who)
				}
			}
			return list
		}
		give("ana")
		give("bob")
		revoked := give("cyn")
		h.clock.advance(20 * 24 * time.Hour)
		h.ok(h.Persons.SweepAttestations(ctx))
		if got := warned(); len(got) != 3 {
			t.Fatalf("warned: %v", got)
		}
		give("ana")
		h.ok(h.Persons.Revoke(ctx, boss, revoked, fairplay.RevokedLeft))
		if got := warned(); len(got) != 1 || got[0] != "bob" {
			t.Errorf("still warned: %v, want bob", got)
		}
	})
}

// TestARevokedIssuerTakesItsWordsAlong: of an error at once, of fraud 14 days
// later, so that the players find another; and everybody is told.
func TestARevokedIssuerTakesItsWordsAlong(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		boss := h.host
		boss.Role = player.Operator
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			return tx.AddClub(club.New("club", "Dragons", "", h.player("eve").ID, h.clock.now()))
		}))
		dragons, err := h.Persons.Certify(ctx, boss, "club")
		h.ok(err)
		_, err = h.Persons.Attest(ctx, boss, persons.Word{Issuer: vouch.SiteIssuer, Handle: "eve", Says: identity(), Days: 400, Person: persons.Person{Name: "Єва", Born: "1990-01-01"}})
		h.ok(err)
		_, err = h.Persons.Attest(ctx, h.viewer("eve"), persons.Word{Issuer: dragons.ID, Handle: "ana", Says: identity(), Days: 365, Person: anaInTheWorld})
		h.ok(err)
		known := func() int {
			list, _, err := h.Persons.KnownAs(ctx, h.player("ana").ID)
			h.ok(err)
			return len(list)
		}
		if err := h.Persons.RevokeIssuer(ctx, h.viewer("eve"), dragons.ID, fairplay.RevokedError); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("by the club itself: %v", err)
		}
		h.ok(h.Persons.RevokeIssuer(ctx, boss, dragons.ID, fairplay.RevokedFraud))
		if told := h.told("ana"); h.reminded("ana", notice.AttestationRevoked) != 1 {
			t.Errorf("ana was told %v", told)
		}
		if known() != 1 {
			t.Error("the word ended at once")
		}
		h.clock.advance(14 * 24 * time.Hour)
		if known() != 0 {
			t.Error("the word still counts after 14 days")
		}
	})
}

// TestWhatAMatchKnowsOfItsPlayers: the word of the only arbiter does not count,
// and one that is taken back later leaves the match as it was.
func TestWhatAMatchKnowsOfItsPlayers(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		boss := h.host
		boss.Role = player.Operator
		other := h.viewer("gus")
		other.Role = player.Operator
		for i, handle := range []string{"ana", "bob"} {
			by := other
			if handle == "bob" {
				by = boss // who runs the tournament alone
			}
			_, err := h.Persons.Attest(ctx, by, persons.Word{Issuer: vouch.SiteIssuer, Handle: handle, Says: identity(), Days: 365, Person: persons.Person{Name: handle, Born: "2000-01-0" + string(rune('1'+i))}})
			h.ok(err)
			h.ok(h.Persons.AcceptText(ctx, h.viewer(handle), "en", "…"))
		}
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Policy = 1, fairplay.Preset(fairplay.Declared) }, "ana", "bob")
		h.ok(h.Rounds.Start(ctx, h.host, id))
		p := h.tournament(id).Rounds[0].Pairings[0]
		var facts []fairplay.Fact
		h.ok(h.store.Read(ctx, func(tx *store.Tx) (err error) {
			facts, err = tx.Facts(p.Match)
			return err
		}))
		counts := map[player.ID]int{}
		for _, f := range facts {
			if f.Kind == fairplay.Attested {
				counts[h.head(p.Match).Players[f.Seat.Index()]] = f.Count
			}
		}
		if counts[h.player("ana").ID] != 1 || counts[h.player("bob").ID] != 0 {
			t.Errorf("known to %v", counts)
		}
	})
}
