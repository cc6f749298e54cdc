package fairplay

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Page is a page that was checked in to a match: from then on its moves count, and those
// of the page before no longer.
type Page struct {
	Seat    match.Seat
	Player  player.ID
	Session string // the id of its session
	Key     []byte // the page's public key: an uncompressed point of P-256
	Policy  string // its hash
	Means   Means
	By      player.ID // who gave the code
	Synced  bool      // the passkey can be on several devices
	At      time.Time
}

// Means is how a page was checked in.
type Means string

const (
	ByPasskey Means = "passkey"
	ByCode    Means = "code" // of an arbiter, who sees the player
)

// PageOf is the page that plays for a seat: the last one checked in.
func PageOf(list []Page, seat match.Seat) (last Page, ok bool) {
	for _, p := range list {
		if p.Seat == seat {
			last, ok = p, true
		}
	}
	return last, ok
}

// CheckInTerms are what a device signs at a check-in, so that its answer is valid for
// nothing else.
type CheckInTerms struct {
	Match   match.ID
	Round   int // of a tournament; 0: none
	Player  player.ID
	Policy  string // its hash
	Key     []byte // of the page, as in Page
	Nonce   []byte // random, of the server
	Expires time.Time
	During  bool // a check during the match, by the checked-in page
}

// Challenge is the SHA-256 of "chpok-checkin/1" (during the match "chpok-midcheck/1") and
// the terms, each field preceded by its length in four bytes, numbers in decimal, times
// in milliseconds since 1970.
func (t CheckInTerms) Challenge() []byte {
	label := "chpok-checkin/1"
	if t.During {
		label = "chpok-midcheck/1"
	}
	sum := sha256.Sum256(fields(label, string(t.Match), strconv.Itoa(t.Round), string(t.Player), t.Policy, string(t.Key), string(t.Nonce),
		strconv.FormatInt(t.Expires.UnixMilli(), 10)))
	return sum[:]
}

// fields are texts joined, each preceded by its length in four bytes, big-endian: no two
// lists give the same bytes.
func fields(list ...string) []byte {
	var b []byte
	for _, s := range list {
		b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	return b
}

// ErrPageKey refuses what is no page's key.
var ErrPageKey = refusal.Invalid("passkey.error.page-key", "fairplay: not a page key")

// ParsePageKey checks the public key of a page: an uncompressed point of P-256.
func ParsePageKey(raw []byte) ([]byte, error) {
	if _, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), raw); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPageKey, err)
	}
	return raw, nil
}

// Act is a player's action as their page signs it.
type Act struct {
	Match  match.ID
	Seq    int64       // the last event the page shows
	Chain  string      // Chain of the log up to that event
	Fields [][2]string // of the command's form, in order of name, without the signature
}

// Message is what is signed: "chpok-move/1" and the act's parts, joined as in
// CheckInTerms.Challenge.
func (a Act) Message() []byte {
	list := make([]string, 0, 2*len(a.Fields))
	for _, f := range a.Fields {
		list = append(list, f[0], f[1])
	}
	return fields("chpok-move/1", string(a.Match), strconv.FormatInt(a.Seq, 10), string(fields(list...)), a.Chain)
}

// SignedBy reports whether a page's key signed the act: ECDSA over the SHA-256 of its
// message, r and s of 32 bytes each.
func (a Act) SignedBy(key, signature []byte) bool {
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), key)
	if err != nil || len(signature) != 64 {
		return false
	}
	sum := sha256.Sum256(a.Message())
	return ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
}

// Chain is a log in one hash, in hexadecimal: for each event the SHA-256 of the hash
// before it, its number, its time in milliseconds, its kind and its public body, joined
// as above. Whoever signs the next act signs everything before.
func Chain(log []match.Entry) (string, error) {
	chain := ""
	for _, e := range log {
		kind, _, body, err := match.Encode(match.Public(e.Event))
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256(fields(chain, strconv.FormatInt(e.Seq, 10), strconv.FormatInt(e.At.UnixMilli(), 10), kind, string(body)))
		chain = hex.EncodeToString(sum[:])
	}
	return chain, nil
}

// ErrUnsigned refuses an act that the checked-in page did not sign.
var ErrUnsigned = refusal.Forbidden("passkey.error.unsigned", "fairplay: not signed by the checked-in page")

// Unsigned is ErrUnsigned at a level.
func Unsigned(level Assurance) error {
	return refusal.Told(ErrUnsigned, WordOfAssurance, fmt.Sprintf("this match is played at level %s: only the page that was "+
		"checked in moves, and it signs every move; this attempt has been noted for the arbiter", level), "Level", level)
}

// Fresh reports whether a player who checked in then may begin now.
func (p Policy) Fresh(checked, now time.Time) bool {
	return now.Sub(checked) <= time.Duration(p.CheckIn.Within)*time.Second
}

// CanonicalFields are a form's fields as Act wants them.
func CanonicalFields(form map[string][]string) [][2]string {
	var list [][2]string
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, v := range form[name] {
			list = append(list, [2]string{name, v})
		}
	}
	return list
}
