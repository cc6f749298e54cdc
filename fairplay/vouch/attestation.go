// Package vouch decides whose word about somebody's identity counts: who may vouch, for
// how long, and who has revoked it. The site vouches, and so do the clubs it has certified.
package vouch

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
)

// IssuerID names an issuer permanently.
type IssuerID string

// SiteIssuer is the site itself, for which its operators speak. It certifies the others.
const SiteIssuer IssuerID = "site"

// Issuer is somebody whose attestations count: the site or a club.
type Issuer struct {
	ID    IssuerID
	Name  string
	Club  string // the club's id; empty: the site
	Key   ed25519.PublicKey
	Since time.Time
	// Revoked is when and why it was revoked; zero: it was not.
	Revoked Revocation
	Sig     []byte // by the site, over the certificate
}

// Revocation ends an attestation or an issuer from a moment on; what counted before
// stays.
type Revocation struct {
	At   time.Time
	By   player.ID
	Code fairplay.RevocationCode
	Sig  []byte // by the issuer, over the revocation
}

// IsZero reports that there was no revocation.
func (r Revocation) IsZero() bool { return r.At.IsZero() }

// Kind is what an attestation says.
type Kind string

const (
	Identity Kind = "identity" // this account is this person's
	Presence Kind = "presence" // the person was there
	Strength Kind = "strength" // plays about as well over the board
)

// AttestationKinds are all kinds.
var AttestationKinds = []Kind{Identity, Presence, Strength}

// How is how the issuer knows.
type How string

const (
	InPerson     How = "in-person"
	ByVideo      How = "video"
	FederationID How = "federation-id"
)

// AttestationHows are all ways to know.
var AttestationHows = []How{InPerson, ByVideo, FederationID}

// Attestation is an issuer's word about a player. Nothing like a document is ever stored
// with it.
type Attestation struct {
	ID      string
	Player  player.ID
	Issuer  IssuerID
	By      player.ID // who spoke for the issuer
	Kind    Kind
	How     How
	Issued  time.Time
	Expires time.Time
	Note    string
	// Guardian says that the issuer has the consent of a minor's guardian. Only the
	// player, the issuer and operators see it.
	Guardian bool
	Revoked  Revocation
	Sig      []byte // by the issuer, over the attestation
}

// The bounds of attestations.
const (
	MaxAttestationAge = 400 * 24 * time.Hour
	MaxNoteLength     = 200 // characters
	// MaxIssues is how many attestations an issuer may give in IssueWindow.
	MaxIssues   = 50
	IssueWindow = 30 * 24 * time.Hour
	// SecondWord is how long the attestations of an issuer revoked for fraud still count.
	SecondWord = 14 * 24 * time.Hour
	// IssuersBehind is how many issuers of other clubs must know a person who speaks for
	// one. The site's own attestation counts for all of them.
	IssuersBehind = 2
)

// The refusals of vouching.
var (
	ErrNotIssuer     = refusal.Forbidden("attest.error.not-issuer", "vouch: not entitled to speak for an issuer that counts")
	ErrOwnWord       = refusal.Invalid("attest.error.own", "vouch: nobody vouches for themselves")
	ErrUnknownIssuer = refusal.Invalid("attest.error.unknown", "vouch: an issuer's speaker needs attestations by two others")
	ErrTooMany       = refusal.Conflict("attest.error.often", "vouch: the issuer has reached its limit for now")
	ErrAttestation   = refusal.Invalid("attest.error.bad", "vouch: not an attestation")
	ErrGuardian      = refusal.Invalid("attest.error.guardian", "vouch: a minor needs a guardian's consent")
	ErrRevoked       = refusal.Conflict("attest.error.revoked", "vouch: already revoked")
)

// Web is all issuers and attestations.
type Web struct {
	Issuers      map[IssuerID]Issuer
	Attestations []Attestation // in the order of issue
}

// IsLive reports whether an issuer counts at a moment: it was not revoked before. After a
// revocation for fraud it counts for SecondWord, so that the players it knew can find another.
func (w Web) IsLive(id IssuerID, now time.Time) bool {
	end, known := w.issuerEnds(id)
	return known && (end.IsZero() || now.Before(end))
}

// issuerEnds is when an issuer stops counting; zero: never. False: it is unknown.
func (w Web) issuerEnds(id IssuerID) (end time.Time, known bool) {
	i, known := w.Issuers[id]
	if i.Revoked.Code == fairplay.RevokedFraud {
		return i.Revoked.At.Add(SecondWord), known
	}
	return i.Revoked.At, known
}

// Counts reports whether an attestation counts at a moment.
func (w Web) Counts(a Attestation, now time.Time) bool {
	return !now.Before(a.Issued) && now.Before(a.Expires) && (a.Revoked.IsZero() || now.Before(a.Revoked.At)) && w.IsLive(a.Issuer, now)
}

// Known are the identity attestations of a player that count now, the latest one per
// issuer, without those by somebody in except (the only arbiter of an event does not
// vouch for its players).
func (w Web) Known(id player.ID, now time.Time, except ...player.ID) []Attestation {
	latest := map[IssuerID]Attestation{}
	for _, a := range w.Attestations {
		if a.Player == id && a.Kind == Identity && w.Counts(a, now) && !slices.Contains(except, a.By) {
			latest[a.Issuer] = a
		}
	}
	list := make([]Attestation, 0, len(latest))
	for _, a := range w.Attestations {
		if latest[a.Issuer].ID == a.ID {
			list = append(list, a)
		}
	}
	return list
}

// Ended are the identity attestations of a player that no longer count, the last of each
// issuer that does not know them now.
func (w Web) Ended(id player.ID, now time.Time) []fairplay.EndedWord {
	has := map[IssuerID]bool{}
	for _, a := range w.Known(id, now) {
		has[a.Issuer] = true
	}
	var list []fairplay.EndedWord
	for _, a := range slices.Backward(w.Attestations) {
		if a.Player != id || a.Kind != Identity || has[a.Issuer] || now.Before(a.Issued) {
			continue
		}
		has[a.Issuer] = true
		list = append(list, w.endOf(a))
	}
	return list
}

// endOf is when and why an attestation ends, maybe in the future.
func (w Web) endOf(a Attestation) fairplay.EndedWord {
	e := fairplay.EndedWord{Issuer: w.Issuers[a.Issuer].Name, Why: fairplay.EndExpired, At: a.Expires}
	if r := a.Revoked; !r.IsZero() && r.At.Before(e.At) {
		e.Why, e.At, e.Code = fairplay.EndRevoked, r.At, r.Code
	}
	if end, _ := w.issuerEnds(a.Issuer); !end.IsZero() && end.Before(e.At) {
		e = fairplay.EndedWord{Issuer: e.Issuer, Why: fairplay.EndIssuer, At: end, Code: fairplay.RevokedByIssuer}
	}
	return e
}

// TakenBack are the attestations of a player that counted at a moment and were revoked
// between then and now.
func (w Web) TakenBack(id player.ID, then, now time.Time) (list []fairplay.EndedWord) {
	for _, a := range w.Known(id, then) {
		if e := w.endOf(a); e.Why != fairplay.EndExpired && !now.Before(e.At) {
			list = append(list, e)
		}
	}
	return list
}

// MayIssue is nil or why somebody cannot speak for an issuer about a player now. speaks
// reports whether they speak for the issuer at all.
func (w Web) MayIssue(issuer IssuerID, by, about player.ID, speaks bool, now time.Time) error {
	i, known := w.Issuers[issuer]
	switch {
	case !known || !speaks || !w.IsLive(issuer, now) || !i.Revoked.IsZero():
		return ErrNotIssuer
	case by == about:
		return ErrOwnWord
	}
	if issuer != SiteIssuer {
		others := 0
		for _, a := range w.Known(by, now) {
			if a.Issuer == SiteIssuer {
				others = IssuersBehind
			} else if a.Issuer != issuer {
				others++
			}
		}
		if others < IssuersBehind {
			return ErrUnknownIssuer
		}
	}
	lately := 0
	for _, a := range w.Attestations {
		if a.Issuer == issuer && now.Sub(a.Issued) < IssueWindow {
			lately++
		}
	}
	if lately >= MaxIssues {
		return ErrTooMany
	}
	return nil
}

// Validate is nil, or ErrAttestation with the fault.
func (a Attestation) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrAttestation, fmt.Sprintf(format, args...))
	}
	switch {
	case a.Player == "" || a.Issuer == "" || a.By == "":
		return bad("who speaks of whom is missing")
	case !slices.Contains(AttestationKinds, a.Kind):
		return bad("kind %q", a.Kind)
	case !slices.Contains(AttestationHows, a.How):
		return bad("known how: %q", a.How)
	case !a.Expires.After(a.Issued) || a.Expires.Sub(a.Issued) > MaxAttestationAge:
		return bad("it holds 1 to 400 days")
	case utf8.RuneCountInString(a.Note) > MaxNoteLength || !player.IsLine(a.Note):
		return bad("a note is one line of at most %d characters", MaxNoteLength)
	}
	return nil
}

// majority is the age from which people speak for themselves.
const majority = 18

// IsMinor reports whether somebody born on a day is a minor at a moment.
func IsMinor(born, now time.Time) bool { return now.Before(born.AddDate(majority, 0, 0)) }

// certificate, attestationText and revocationText are the signed texts.
type certificate struct {
	Format string    `json:"format"`
	ID     IssuerID  `json:"id"`
	Name   string    `json:"name"`
	Club   string    `json:"club"`
	Key    string    `json:"key"`
	Since  time.Time `json:"since"`
}

type attestationText struct {
	Format   string    `json:"format"`
	ID       string    `json:"id"`
	Player   player.ID `json:"player"`
	Issuer   IssuerID  `json:"issuer"`
	Kind     Kind      `json:"kind"`
	How      How       `json:"how"`
	Issued   time.Time `json:"issued"`
	Expires  time.Time `json:"expires"`
	Note     string    `json:"note"`
	Guardian bool      `json:"guardian,omitempty"`
}

type revocationText struct {
	Format string                  `json:"format"`
	Of     string                  `json:"of"`
	At     time.Time               `json:"at"`
	Code   fairplay.RevocationCode `json:"code"`
}

func signed(key ed25519.PrivateKey, v any) []byte {
	raw, err := fairplay.Canonical(v)
	if err != nil {
		panic(fmt.Sprintf("vouch: %T: %v", v, err)) // words and times always encode
	}
	return ed25519.Sign(key, raw)
}

func holds(key ed25519.PublicKey, v any, sig []byte) bool {
	raw, err := fairplay.Canonical(v)
	return err == nil && len(key) == ed25519.PublicKeySize && ed25519.Verify(key, raw, sig)
}

func (i Issuer) certificate() certificate {
	return certificate{"chpok-issuer/1", i.ID, i.Name, i.Club, base64.StdEncoding.EncodeToString(i.Key), i.Since.UTC()}
}

func (a Attestation) text() attestationText {
	return attestationText{"chpok-attestation/1", a.ID, a.Player, a.Issuer, a.Kind, a.How, a.Issued.UTC(), a.Expires.UTC(), a.Note, a.Guardian}
}

// SignIssuer certifies an issuer with the site's key; the site signs itself.
func SignIssuer(i Issuer, site ed25519.PrivateKey) Issuer {
	i.Sig = signed(site, i.certificate())
	return i
}

// SignAttestation signs an attestation with its issuer's key.
func SignAttestation(a Attestation, issuer ed25519.PrivateKey) Attestation {
	a.Sig = signed(issuer, a.text())
	return a
}

// SignRevocation signs the revocation of an attestation or an issuer.
func SignRevocation(of string, r Revocation, key ed25519.PrivateKey) Revocation {
	r.Sig = signed(key, revocationText{"chpok-revocation/1", of, r.At.UTC(), r.Code})
	return r
}

// Check is nil if every signature of the web holds, from the site's key down.
func (w Web) Check() error {
	site := w.Issuers[SiteIssuer].Key
	for id, i := range w.Issuers {
		if !holds(site, i.certificate(), i.Sig) {
			return fmt.Errorf("%w: issuer %s", fairplay.ErrSignature, id)
		}
	}
	for _, a := range w.Attestations {
		if !holds(w.Issuers[a.Issuer].Key, a.text(), a.Sig) {
			return fmt.Errorf("%w: attestation %s", fairplay.ErrSignature, a.ID)
		}
		if r := a.Revoked; !r.IsZero() && !holds(w.Issuers[a.Issuer].Key, revocationText{"chpok-revocation/1", a.ID, r.At.UTC(), r.Code}, r.Sig) {
			return fmt.Errorf("%w: revocation of %s", fairplay.ErrSignature, a.ID)
		}
	}
	return nil
}

// PersonMark returns the keyed hash of a civil identity. It reveals that two accounts
// belong to one person, and nothing else without the pepper. Names are compared as
// fold.Words does, in any order: the family name may come first or last.
func PersonMark(pepper []byte, name, born, federation string) string {
	words := fold.Words(name)
	slices.Sort(words)
	mac := hmac.New(sha256.New, pepper)
	for _, part := range [...]string{"chpok-person/1", strings.Join(words, " "), strings.TrimSpace(born),
		strings.ToLower(strings.TrimSpace(federation))} {
		fmt.Fprintf(mac, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(mac.Sum(nil))
}
