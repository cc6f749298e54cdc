package vouch_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
)

var (
	today = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	day   = 24 * time.Hour
)

func keyOf(id vouch.IssuerID) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(len(id)), id[0]}, ed25519.SeedSize/2))
}

// vouching is a web of the site and three clubs.
func vouching() vouch.Web {
	w := vouch.Web{Issuers: map[vouch.IssuerID]vouch.Issuer{}}
	for _, i := range []vouch.Issuer{
		{ID: vouch.SiteIssuer, Name: "Site"},
		{ID: "A", Name: "Club A", Club: "a"},
		{ID: "BB", Name: "Club B", Club: "b"},
		{ID: "CCC", Name: "Club C", Club: "c"},
	} {
		i.Key, i.Since = keyOf(i.ID).Public().(ed25519.PublicKey), today.Add(-1000*day)
		w.Issuers[i.ID] = vouch.SignIssuer(i, keyOf(vouch.SiteIssuer))
	}
	return w
}

// says adds the word of an issuer, given some days ago for a year.
func says(w *vouch.Web, issuer vouch.IssuerID, by, about player.ID, ago int) *vouch.Attestation {
	a := vouch.Attestation{
		ID: fmt.Sprint("a", len(w.Attestations)), Player: about, Issuer: issuer, By: by, Kind: vouch.Identity, How: vouch.InPerson,
		Issued: today.Add(-time.Duration(ago) * day), Expires: today.Add(time.Duration(365-ago) * day),
	}
	w.Attestations = append(w.Attestations, vouch.SignAttestation(a, keyOf(issuer)))
	return &w.Attestations[len(w.Attestations)-1]
}

func TestWhoIsKnown(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		with func(w *vouch.Web)
		want int
	}{
		{"nobody has spoken", func(*vouch.Web) {}, 0},
		{"one club has", func(w *vouch.Web) { says(w, "A", "olena", "ana", 10) }, 1},
		{"a club speaks once, however often", func(w *vouch.Web) { says(w, "A", "olena", "ana", 10); says(w, "A", "petro", "ana", 5) }, 1},
		{"two clubs are two", func(w *vouch.Web) { says(w, "A", "olena", "ana", 10); says(w, "BB", "ihor", "ana", 5) }, 2},
		{"about another", func(w *vouch.Web) { says(w, "A", "olena", "bob", 10) }, 0},
		{"strength is not identity", func(w *vouch.Web) { says(w, "A", "olena", "ana", 10).Kind = vouch.Strength }, 0},
		{"it has expired", func(w *vouch.Web) { says(w, "A", "olena", "ana", 365) }, 0},
		{"it was taken back", func(w *vouch.Web) { says(w, "A", "olena", "ana", 10).Revoked.At = today }, 0},
		{"it will be taken back", func(w *vouch.Web) { says(w, "A", "olena", "ana", 10).Revoked.At = today.Add(day) }, 1},
		{"by the only arbiter of the event", func(w *vouch.Web) { says(w, "A", "judge", "ana", 10) }, 0},
		{"the club was revoked", func(w *vouch.Web) { says(w, "A", "olena", "ana", 10); revoke(w, "A", fairplay.RevokedError, 1) }, 0},
		{"for fraud, 13 days ago", func(w *vouch.Web) { says(w, "A", "olena", "ana", 30); revoke(w, "A", fairplay.RevokedFraud, 13) }, 1},
		{"for fraud, 14 days ago", func(w *vouch.Web) { says(w, "A", "olena", "ana", 30); revoke(w, "A", fairplay.RevokedFraud, 14) }, 0},
		{"another club was revoked", func(w *vouch.Web) { says(w, "BB", "ihor", "ana", 10); revoke(w, "A", fairplay.RevokedError, 1) }, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := vouching()
			test.with(&w)
			if got := len(w.Known("ana", today, "judge")); got != test.want {
				t.Errorf("known to %d, want %d", got, test.want)
			}
		})
	}
}

func revoke(w *vouch.Web, id vouch.IssuerID, code fairplay.RevocationCode, ago int) {
	i := w.Issuers[id]
	i.Revoked = vouch.Revocation{At: today.Add(-time.Duration(ago) * day), Code: code}
	w.Issuers[id] = i
}

func TestBrakesOnVouching(t *testing.T) {
	t.Parallel()
	known := func(w *vouch.Web) { says(w, vouch.SiteIssuer, "boss", "olena", 100) }
	tests := []struct {
		name   string
		issuer vouch.IssuerID
		by     player.ID
		speaks bool
		with   func(w *vouch.Web)
		want   error
	}{
		{"known to the site", "A", "olena", true, known, nil},
		{"known to nobody", "A", "olena", true, func(*vouch.Web) {}, vouch.ErrUnknownIssuer},
		{"known to the own club and one other", "A", "olena", true, func(w *vouch.Web) { says(w, "A", "petro", "olena", 9); says(w, "BB", "ihor", "olena", 9) }, vouch.ErrUnknownIssuer},
		{"known to two others", "A", "olena", true, func(w *vouch.Web) { says(w, "BB", "ihor", "olena", 9); says(w, "CCC", "lev", "olena", 9) }, nil},
		{"for the site itself", vouch.SiteIssuer, "boss", true, func(*vouch.Web) {}, nil},
		{"about oneself", "A", "ana", true, known, vouch.ErrOwnWord},
		{"not of the club", "A", "olena", false, known, vouch.ErrNotIssuer},
		{"no such issuer", "nobody", "olena", true, known, vouch.ErrNotIssuer},
		{"a revoked one, also while its word still counts", "A", "olena", true, func(w *vouch.Web) { known(w); revoke(w, "A", fairplay.RevokedFraud, 1) }, vouch.ErrNotIssuer},
		{"49 in 30 days", "A", "olena", true, func(w *vouch.Web) { known(w); often(w, 49, 29) }, nil},
		{"50 in 30 days", "A", "olena", true, func(w *vouch.Web) { known(w); often(w, 50, 29) }, vouch.ErrTooMany},
		{"50, but longer ago", "A", "olena", true, func(w *vouch.Web) { known(w); often(w, 50, 30) }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := vouching()
			test.with(&w)
			if err := w.MayIssue(test.issuer, test.by, "ana", test.speaks, today); !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
}

func often(w *vouch.Web, n, ago int) {
	for i := range n {
		says(w, "A", "petro", player.ID(fmt.Sprint("p", i)), ago)
	}
}

func TestASignatureCoversEveryWord(t *testing.T) {
	t.Parallel()
	fresh := func() vouch.Web {
		w := vouching()
		a := says(&w, "A", "olena", "ana", 10)
		a.Revoked = vouch.SignRevocation(a.ID, vouch.Revocation{At: today, Code: fairplay.RevokedLeft}, keyOf("A"))
		return w
	}
	if w := fresh(); w.Check() != nil {
		t.Fatal(w.Check())
	}
	for name, change := range map[string]func(w *vouch.Web){
		"player":     func(w *vouch.Web) { w.Attestations[0].Player = "bob" },
		"kind":       func(w *vouch.Web) { w.Attestations[0].Kind = vouch.Strength },
		"expiry":     func(w *vouch.Web) { w.Attestations[0].Expires = today.Add(399 * day) },
		"note":       func(w *vouch.Web) { w.Attestations[0].Note = "known for years" },
		"guardian":   func(w *vouch.Web) { w.Attestations[0].Guardian = true },
		"issuer":     func(w *vouch.Web) { w.Attestations[0].Issuer = "BB" },
		"revocation": func(w *vouch.Web) { w.Attestations[0].Revoked.Code = fairplay.RevokedError },
		"an issuer's key": func(w *vouch.Web) {
			i := w.Issuers["A"]
			i.Key = keyOf("BB").Public().(ed25519.PublicKey)
			w.Issuers["A"] = i
		},
		"an issuer's name": func(w *vouch.Web) { i := w.Issuers["BB"]; i.Name = "Club A"; w.Issuers["BB"] = i },
	} {
		w := fresh()
		change(&w)
		if err := w.Check(); !errors.Is(err, fairplay.ErrSignature) {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
}

func TestAnAttestationIsBounded(t *testing.T) {
	t.Parallel()
	good := vouch.Attestation{Player: "ana", Issuer: "A", By: "olena", Kind: vouch.Identity, How: vouch.InPerson, Issued: today, Expires: today.Add(400 * day)}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(a *vouch.Attestation){
		"401 days":            func(a *vouch.Attestation) { a.Expires = today.Add(401 * day) },
		"no time":             func(a *vouch.Attestation) { a.Expires = today },
		"a kind of its own":   func(a *vouch.Attestation) { a.Kind = "honesty" },
		"known by hearsay":    func(a *vouch.Attestation) { a.How = "hearsay" },
		"a note of 201":       func(a *vouch.Attestation) { a.Note = strings.Repeat("я", 201) },
		"a note of two lines": func(a *vouch.Attestation) { a.Note = "a\nb" },
		"nobody speaks":       func(a *vouch.Attestation) { a.By = "" },
	} {
		a := good
		change(&a)
		if err := a.Validate(); !errors.Is(err, vouch.ErrAttestation) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOnePersonHasOneMark(t *testing.T) {
	t.Parallel()
	pepper := []byte("pepper")
	mark := func(name, born, federation string) string { return vouch.PersonMark(pepper, name, born, federation) }
	same := mark("Мар’яна Коваль-Лук’яненко", "2001-02-03", "UKR 77")
	for _, name := range []string{"мар'яна коваль-лук'яненко", "Коваль Лукʼяненко, Марʼяна", "  Лук’яненко Коваль  Мар’яна "} {
		if mark(name, "2001-02-03", "ukr 77") != same {
			t.Errorf("%q is another", name)
		}
	}
	for _, name := range []string{"José Łukaš", "Jose\u0301 Łukas\u030c", "jose lukas"} {
		if mark(name, "", "") != mark("Jose Lukas", "", "") {
			t.Errorf("%q is another", name)
		}
	}
	for _, other := range []string{mark("Марія Коваль", "2001-02-03", "UKR 77"), mark("Мар’яна Коваль-Лук’яненко", "2001-02-04", "UKR 77"), mark("Мар’яна Коваль-Лук’яненко", "2001-02-03", ""), vouch.PersonMark([]byte("other"), "Мар’яна Коваль-Лук’яненко", "2001-02-03", "UKR 77")} {
		if other == same {
			t.Error("another is the same")
		}
	}
}

// TestARevocationNeverHelps: whatever is taken back, nobody becomes known by it.
func TestARevocationNeverHelps(t *testing.T) {
	t.Parallel()
	issuers := []vouch.IssuerID{vouch.SiteIssuer, "A", "BB", "CCC"}
	rapid.Check(t, func(rt *rapid.T) {
		w := vouching()
		for range rapid.IntRange(0, 12).Draw(rt, "words") {
			a := says(&w, rapid.SampledFrom(issuers).Draw(rt, "issuer"), "x", "ana", rapid.IntRange(0, 400).Draw(rt, "ago"))
			if rapid.Bool().Draw(rt, "revoked") {
				a.Revoked.At = today.Add(-time.Duration(rapid.IntRange(-10, 300).Draw(rt, "revoked ago")) * day)
			}
		}
		before := len(w.Known("ana", today))
		revoke(&w, rapid.SampledFrom(issuers).Draw(rt, "which"), rapid.SampledFrom(fairplay.RevocationCodes).Draw(rt, "code"), rapid.IntRange(-10, 30).Draw(rt, "since"))
		if after := len(w.Known("ana", today)); after > before {
			rt.Errorf("known to %d, then to %d", before, after)
		}
	})
}
