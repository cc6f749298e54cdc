package vouch_test

import (
	"reflect"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	. "chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
)

func TestWhichWordsCountNoMoreAndWhy(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2026, 11, 21+n, 12, 0, 0, 0, time.UTC) }
	issuers := map[IssuerID]Issuer{
		"site":   {ID: "site", Name: "Site"},
		"club":   {ID: "club", Name: "Club"},
		"fallen": {ID: "fallen", Name: "Fallen", Revoked: Revocation{At: day(20), Code: fairplay.RevokedFraud}},
	}
	word := func(id string, of IssuerID, from, to int, revoked Revocation) Attestation {
		return Attestation{ID: id, Player: "ada", Issuer: of, By: "x", Kind: Identity, Issued: day(from), Expires: day(to), Revoked: revoked}
	}
	for _, test := range []struct {
		name  string
		words []Attestation
		at    int
		want  []fairplay.EndedWord
	}{
		{"none was ever given", nil, 5, nil},
		{"the last day", []Attestation{word("a", "club", 0, 10, Revocation{})}, 9, nil},
		{"its days are over", []Attestation{word("a", "club", 0, 10, Revocation{})}, 10, []fairplay.EndedWord{{Issuer: "Club", Why: fairplay.EndExpired, At: day(10)}}},
		{"taken back", []Attestation{word("a", "club", 0, 10, Revocation{At: day(3), Code: fairplay.RevokedError})}, 4, []fairplay.EndedWord{{Issuer: "Club", Why: fairplay.EndRevoked, At: day(3), Code: fairplay.RevokedError}}},
		{"taken back, and long over", []Attestation{word("a", "club", 0, 10, Revocation{At: day(3), Code: fairplay.RevokedError})}, 40, []fairplay.EndedWord{{Issuer: "Club", Why: fairplay.EndRevoked, At: day(3), Code: fairplay.RevokedError}}},
		{"the last of an issuer", []Attestation{word("a", "club", 0, 10, Revocation{}), word("b", "club", 5, 15, Revocation{})}, 20, []fairplay.EndedWord{{Issuer: "Club", Why: fairplay.EndExpired, At: day(15)}}},
		{"given anew", []Attestation{word("a", "club", 0, 10, Revocation{}), word("b", "club", 11, 30, Revocation{})}, 12, nil},
		{"a fraud is believed 14 days more", []Attestation{word("a", "fallen", 0, 90, Revocation{})}, 33, nil},
		{"and not a day longer", []Attestation{word("a", "fallen", 0, 90, Revocation{})}, 34, []fairplay.EndedWord{{Issuer: "Fallen", Why: fairplay.EndIssuer, At: day(34), Code: fairplay.RevokedByIssuer}}},
	} {
		w := Web{Issuers: issuers, Attestations: test.words}
		got := w.Ended("ada", day(test.at))
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
		if known := w.Known("ada", day(test.at)); len(known) > 0 && len(got) > 0 {
			t.Errorf("%s: known and ended", test.name)
		}
	}
	back := word("a", "club", 0, 10, Revocation{At: day(3), Code: fairplay.RevokedLeft})
	w := Web{Issuers: issuers, Attestations: []Attestation{back, word("b", "site", 0, 10, Revocation{})}}
	if got := w.TakenBack("ada", day(1), day(2)); got != nil {
		t.Errorf("before it was taken back: %+v", got)
	}
	if got := w.TakenBack("ada", day(1), day(20)); !reflect.DeepEqual(got, []fairplay.EndedWord{{Issuer: "Club", Why: fairplay.EndRevoked, At: day(3), Code: fairplay.RevokedLeft}}) {
		t.Errorf("taken back after a match: %+v (one that only ran out is none)", got)
	}
	if got := w.TakenBack("ada", day(4), day(20)); got != nil {
		t.Errorf("a match of a later day did not rely on it: %+v", got)
	}
}

func TestARefusalNamesTheWordsThatWillNotDo(t *testing.T) {
	t.Parallel()
	p := fairplay.Preset(fairplay.Verified)
	p.MaxAgeDays = 100
	s := fairplay.Standing{Human: true, Accepted: true, Passkeys: 1, Known: []fairplay.Voucher{{By: "olena", Days: 101, Issuer: "Club"}, {By: "boss", Days: 1, Issuer: "Site"}}}
	refused := func(except ...player.ID) string {
		if err := p.Admit(p.Counted(s, except...), false); err != nil {
			return err.Error()
		}
		return ""
	}
	if got := refused(); got != "" {
		t.Errorf("one young word is enough: %s", got)
	}
	const want = "this is played at level verified; missing: the word of a club that knows the player; " +
		"the word of Club (identity) is older than is allowed here; ask Club to vouch anew; " +
		"the word of Site (identity) does not count here, because the only arbiter gave it; ask another club to vouch"
	if got := refused("boss"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	s.Passkeys, s.Known[0].Days = 0, 1 // an attestation is not missing: none is named
	if got := refused("boss"); got != "this is played at level verified; missing: a passkey on the account" {
		t.Error(got)
	}
}
