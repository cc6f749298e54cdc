package fairplay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Canonical is a value as the one JSON text that is hashed and signed: keys in byte
// order, no white space, no escapes that JSON does not require. Numbers are whole, so
// that they have only one text.
func Canonical(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var plain any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&plain); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(plain); err != nil { // maps are written in the order of their keys
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// hashOf is the SHA-256 of a value's canonical text, in hexadecimal.
func hashOf(v any) (string, error) {
	raw, err := Canonical(v)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// policyFormat names the format that a policy's hash is taken over.
const policyFormat = "chpok-policy/1"

// Document is a policy as it is stored and published, with the name of its format.
type Document struct {
	Format string `json:"format"`
	Policy
}

// Document is the policy with the name of its format.
func (p Policy) Document() Document { return Document{policyFormat, p} }

// Hash names the policy permanently: the SHA-256 of its canonical document.
func (p Policy) Hash() string {
	hash, err := hashOf(p.Document())
	if err != nil {
		panic(fmt.Sprintf("fairplay: policy: %v", err)) // words, numbers and bools always encode
	}
	return hash
}

// ReadPolicy reads a policy from a program: its level and what tightens it, by the keys
// of a document, or "prizes" for ForPrizes. Missing keys are those of the level. Validate
// reports whether the policy is sound.
func ReadPolicy(raw []byte) (Policy, error) {
	var named struct {
		Level  Assurance `json:"level"`
		Prizes bool      `json:"prizes"`
	}
	if err := json.Unmarshal(raw, &named); err != nil {
		return Policy{}, fmt.Errorf("policy: %w", err)
	}
	if named.Level == 0 {
		return Policy{}, errors.New("policy: it names its level: open, declared, verified or supervised")
	}
	p := Preset(named.Level)
	if named.Prizes {
		p = p.ForPrizes()
	}
	all := struct {
		*Policy
		Prizes bool `json:"prizes"`
	}{Policy: &p}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&all); err != nil {
		return Policy{}, fmt.Errorf("policy: %w", err)
	}
	return p.WithAge(), nil
}

// ParsePolicy reads a policy's document.
func ParsePolicy(raw []byte) (Policy, error) {
	var d Document
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return Policy{}, fmt.Errorf("policy: %w", err)
	}
	if d.Format != policyFormat {
		return Policy{}, fmt.Errorf("policy: format %q, not %q", d.Format, policyFormat)
	}
	return d.Policy, nil
}
