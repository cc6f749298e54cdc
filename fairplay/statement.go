package fairplay

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// statementFormat names the format that the site signs.
const statementFormat = "chpok-assurance/1"

// Statement is what the site says about a finished match, and signs.
type Statement struct {
	Format   string      `json:"format"`
	Match    string      `json:"match"`
	Players  [2]string   `json:"players"` // handles, by seat
	Bots     [2]bool     `json:"bots"`
	Policy   string      `json:"policy"` // its hash
	Demanded Assurance   `json:"demanded"`
	Achieved Achievement `json:"achieved"`
	Record   string      `json:"record"` // RecordHash of the match
	// Where it was played, as in its record; empty if that is not public.
	Site  string `json:"site,omitempty"`
	Event string `json:"event,omitempty"`
	Round int    `json:"round,omitempty"`
	Board int    `json:"board,omitempty"`
	// Supersedes are the hashes of the statements about earlier ends of the match.
	Supersedes []string  `json:"supersedes,omitempty"`
	At         time.Time `json:"at"` // when it was made
}

// SignedStatement is a statement with its policy and the site's signature, as it stands
// in the record under the key "assurance": anybody can check it without the site.
type SignedStatement struct {
	Statement Statement `json:"statement"`
	Policy    Document  `json:"policy"`
	Key       string    `json:"key"`       // the site's public key, Base64
	Signature string    `json:"signature"` // Ed25519 over the canonical statement, Base64
	// Superseded are the statements about earlier ends, after which an arbiter let the
	// match go on; they no longer apply but stay listed.
	Superseded []SignedStatement `json:"superseded,omitempty"`
}

// Hash is the SHA-256 of the canonical statement, by which a later one supersedes it.
func (s Statement) Hash() (string, error) { return hashOf(s) }

// The faults of a statement.
var (
	ErrNoStatement = errors.New("fairplay: no statement of assurance")
	ErrSignature   = errors.New("fairplay: the signature does not hold")
	ErrKey         = errors.New("fairplay: signed with another key")
	ErrPolicy      = errors.New("fairplay: the policy is not the one that was signed")
	ErrRecord      = errors.New("fairplay: the record is not the one that was signed")
	ErrSuperseded  = errors.New("fairplay: the statements of earlier ends are not those that were superseded")
)

// Sign signs a statement about a match played under a policy.
func Sign(key ed25519.PrivateKey, s Statement, p Policy) (SignedStatement, error) {
	s.Format, s.Policy, s.Demanded = statementFormat, p.Hash(), p.Level
	s.At = s.At.UTC()
	if s.Achieved.Reasons == nil {
		s.Achieved.Reasons = []Reason{}
	}
	raw, err := Canonical(s)
	if err != nil {
		return SignedStatement{}, err
	}
	return SignedStatement{
		Statement: s, Policy: p.Document(),
		Key:       KeyText(key.Public().(ed25519.PublicKey)),
		Signature: base64.StdEncoding.EncodeToString(ed25519.Sign(key, raw)),
	}, nil
}

// KeyText is a public key as pages and files show it: base64.
func KeyText(key ed25519.PublicKey) string { return base64.StdEncoding.EncodeToString(key) }

// ParseKey reads KeyText.
func ParseKey(text string) (ed25519.PublicKey, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("a site's key is %d bytes in Base64", ed25519.PublicKeySize)
	}
	return raw, nil
}

// Check is nil if the statement was signed with its key, belongs to its policy, and lists
// what it supersedes. Errors: ErrSignature, ErrPolicy, ErrSuperseded, and ErrKey if site
// is set and not the key.
func (s SignedStatement) Check(site ed25519.PublicKey) error {
	if err := s.checkAlone(site); err != nil {
		return err
	}
	return s.checkSuperseded()
}

func (s SignedStatement) checkAlone(site ed25519.PublicKey) error {
	key, err := ParseKey(s.Key)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if site != nil && !site.Equal(key) {
		return ErrKey
	}
	signature, err := base64.StdEncoding.DecodeString(s.Signature)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	raw, err := Canonical(s.Statement)
	if err != nil {
		return err
	}
	if s.Statement.Format != statementFormat || !ed25519.Verify(key, raw, signature) {
		return ErrSignature
	}
	if s.Policy.Format != policyFormat || s.Policy.Hash() != s.Statement.Policy || s.Policy.Level != s.Statement.Demanded {
		return ErrPolicy
	}
	return nil
}

// checkSuperseded checks that every superseded statement is there, signed with any key of
// its time.
func (s SignedStatement) checkSuperseded() error {
	if len(s.Superseded) != len(s.Statement.Supersedes) {
		return ErrSuperseded
	}
	for i, before := range s.Superseded {
		hash, err := before.Statement.Hash()
		if err != nil {
			return err
		}
		if hash != s.Statement.Supersedes[i] {
			return ErrSuperseded
		}
		if err := before.checkAlone(nil); err != nil {
			return fmt.Errorf("%w: %w", ErrSuperseded, err)
		}
	}
	return nil
}

// RecordHash is the SHA-256, in hexadecimal, of the record of a match without its
// assurance.
func RecordHash(record []byte) (string, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(record, &all); err != nil {
		return "", err
	}
	delete(all, "assurance")
	return hashOf(all)
}

// CheckRecord reads the record of a match with its statement and checks all of it: the
// signature, the policy, and that it is the record that was signed.
func CheckRecord(record []byte, site ed25519.PublicKey) (SignedStatement, error) {
	var with struct {
		Assurance *SignedStatement `json:"assurance"`
	}
	if err := json.Unmarshal(record, &with); err != nil {
		return SignedStatement{}, fmt.Errorf("not a record: %w", err)
	}
	if with.Assurance == nil {
		return SignedStatement{}, ErrNoStatement
	}
	if err := with.Assurance.Check(site); err != nil {
		return *with.Assurance, err
	}
	hash, err := RecordHash(record)
	if err != nil {
		return *with.Assurance, err
	}
	if hash != with.Assurance.Statement.Record {
		return *with.Assurance, ErrRecord
	}
	return *with.Assurance, nil
}
