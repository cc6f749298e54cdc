package fairplay

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// statementFormat names what the site signs.
const statementFormat = "chpok-assurance/1"

// Statement is what the site says of a finished match, and signs.
type Statement struct {
	Format   string      `json:"format"`
	Match    string      `json:"match"`
	Players  [2]string   `json:"players"` // handles, by seat
	Bots     [2]bool     `json:"bots"`
	Policy   string      `json:"policy"` // its hash
	Demanded Assurance   `json:"demanded"`
	Achieved Achievement `json:"achieved"`
	Record   string      `json:"record"` // RecordHash of the match
	// Where it was played, as its record says: empty where it was for nobody to know.
	Site  string `json:"site,omitempty"`
	Event string `json:"event,omitempty"`
	Round int    `json:"round,omitempty"`
	Board int    `json:"board,omitempty"`
	// Supersedes are the hashes of what was signed of earlier ends of the match.
	Supersedes []string  `json:"supersedes,omitempty"`
	At         time.Time `json:"at"` // when it was found
}

// SignedStatement is a statement with the policy it speaks of and the site's
// signature, as it stands beside the record under the key "assurance": anybody
// can check it without the site.
type SignedStatement struct {
	Statement Statement `json:"statement"`
	Policy    Document  `json:"policy"`
	Key       string    `json:"key"`       // the site's public key, Base64
	Signature string    `json:"signature"` // Ed25519 over the canonical statement, Base64
	// Superseded is what was signed of earlier ends, after which an arbiter let the
	// match go on; it holds no more, and stays listed.
	Superseded []SignedStatement `json:"superseded,omitempty"`
}

// Hash is the SHA-256 of the canonical statement, by which a later one supersedes it.
func (s Statement) Hash() (string, error) {
	raw, err := Canonical(s)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), err
}

// What is wrong with a statement.
var (
	ErrNoStatement = errors.New("fairplay: no statement of assurance")
	ErrSignature   = errors.New("fairplay: the signature does not hold")
	ErrKey         = errors.New("fairplay: signed with another key")
	ErrPolicy      = errors.New("fairplay: the policy is not the one that was signed")
	ErrRecord      = errors.New("fairplay: the record is not the one that was signed")
	ErrSuperseded  = errors.New("fairplay: the statements of earlier ends are not those that were superseded")
)

// Sign signs what was found of a match that was played on a policy.
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

// KeyText is a public key as pages and files show it.
func KeyText(key ed25519.PublicKey) string { return base64.StdEncoding.EncodeToString(key) }

// ParseKey reads such a key.
func ParseKey(text string) (ed25519.PublicKey, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("a site's key is %d bytes in Base64", ed25519.PublicKeySize)
	}
	return raw, nil
}

// Check is nil when the statement was signed with its key, speaks of its policy, and
// lists what it supersedes: ErrSignature, ErrPolicy, ErrSuperseded. A key that is not
// nil must be that one (ErrKey).
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

// checkSuperseded looks whether all that the statement supersedes is there, signed
// by whichever key the site had then.
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

// RecordHash is the SHA-256, in hexadecimal digits, of the record of a match: all of
// it but what was signed.
func RecordHash(record []byte) (string, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(record, &all); err != nil {
		return "", err
	}
	delete(all, "assurance")
	raw, err := Canonical(all)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// CheckRecord reads the record of a match with its statement and checks all of
// it: the signature, the policy, and that this is the record that was signed.
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
