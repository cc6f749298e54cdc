// Package passkey talks to authenticators (WebAuthn): it writes what a page has to ask a
// device, and judges the answer. It is stateless: open challenges and the keys of an
// account are the caller's.
package passkey

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Life is how long a device may take to answer.
const Life = 2 * time.Minute

// The refusals of answers and sites.
var (
	ErrAnswer     = refusal.Invalid("passkey.error.answer", "passkey: invalid answer")
	ErrUnverified = refusal.Invalid("passkey.error.unverified", "passkey: the device did not verify its user")
	ErrCounter    = refusal.Invalid("passkey.error.counter", "passkey: the signature counter went back; the key may have been copied")
	ErrNoName     = refusal.Conflict("passkey.error.no-name", "passkey: passkeys need a host name and TLS")
)

// Site is the relying party: one origin.
type Site struct{ w *webauthn.WebAuthn }

// NewSite returns the site at an origin such as https://chpok.example. Devices require a
// host name and TLS, except for http://localhost.
func NewSite(origin string) (*Site, error) {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%w: %q", ErrNoName, origin)
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || u.Scheme != "https" && host != "localhost" {
		return nil, fmt.Errorf("%w: %q", ErrNoName, origin)
	}
	timeout := webauthn.TimeoutConfig{Timeout: Life, TimeoutUVD: Life} // enforced by the caller
	w, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Chpok", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementPreferred,
			UserVerification: protocol.VerificationRequired},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoName, err)
	}
	return &Site{w}, nil
}

// user adapts an account to the library.
type user struct {
	player.Player
	keys []player.Passkey
}

func (u user) WebAuthnID() []byte          { return []byte(u.ID) }
func (u user) WebAuthnName() string        { return string(u.Handle) }
func (u user) WebAuthnDisplayName() string { return string(u.Handle) }
func (u user) WebAuthnCredentials() []webauthn.Credential {
	list := make([]webauthn.Credential, len(u.keys))
	for i, k := range u.keys {
		list[i] = webauthn.Credential{
			ID: k.Credential, PublicKey: k.PublicKey, Authenticator: webauthn.Authenticator{AAGUID: k.AAGUID, SignCount: k.SignCount},
			Flags: webauthn.CredentialFlags{UserPresent: true, UserVerified: true, BackupEligible: k.Syncable, BackupState: k.Synced},
		}
	}
	return list
}

func (u user) descriptors() []protocol.CredentialDescriptor {
	list := make([]protocol.CredentialDescriptor, len(u.keys))
	for i, k := range u.keys {
		list[i] = protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: k.Credential}
	}
	return list
}

// Registration returns what a page asks a device that shall keep a new key for an
// account, as JSON of PublicKeyCredentialCreationOptions. A device that has one of the
// known keys refuses.
func (s *Site) Registration(owner player.Player, known []player.Passkey, challenge []byte) (json.RawMessage, error) {
	u := user{owner, known}
	options, _, err := s.w.BeginRegistration(u, webauthn.WithExclusions(u.descriptors()))
	if err != nil {
		return nil, fmt.Errorf("passkey: %w", err)
	}
	options.Response.Challenge = challenge
	return json.Marshal(options.Response)
}

// Register judges the answer to Registration. The key has neither id nor name yet.
// Errors: ErrUnverified, ErrAnswer.
func (s *Site) Register(owner player.Player, challenge, answer []byte) (player.Passkey, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return player.Passkey{}, refused(err)
	}
	if !parsed.Response.AttestationObject.AuthData.Flags.HasUserVerified() {
		return player.Passkey{}, ErrUnverified
	}
	session := webauthn.SessionData{
		Challenge: base64.RawURLEncoding.EncodeToString(challenge), UserID: []byte(owner.ID),
		UserVerification: protocol.VerificationRequired, CredParams: webauthn.CredentialParametersDefault(),
	}
	made, err := s.w.CreateCredential(user{Player: owner}, session, parsed)
	if err != nil {
		return player.Passkey{}, refused(err)
	}
	return player.Passkey{
		Player: owner.ID, Credential: made.ID, PublicKey: made.PublicKey,
		AAGUID: made.Authenticator.AAGUID, SignCount: made.Authenticator.SignCount,
		Syncable: made.Flags.BackupEligible, Synced: made.Flags.BackupState,
	}, nil
}

// Request returns what a page asks a device that has one of the known keys, or any key
// for the site if none is given, as JSON of PublicKeyCredentialRequestOptions.
func (s *Site) Request(known []player.Passkey, challenge []byte) (json.RawMessage, error) {
	options, _, err := s.w.BeginDiscoverableLogin(webauthn.WithChallenge(challenge),
		webauthn.WithAllowedCredentials(user{keys: known}.descriptors()))
	if err != nil {
		return nil, fmt.Errorf("passkey: %w", err)
	}
	return json.Marshal(options.Response)
}

// Answer is what an answer claims, unverified.
type Answer struct {
	Challenge  []byte
	Credential []byte // empty: a new key
}

// Read parses the answer of a device without judging it. Errors: ErrAnswer.
func Read(answer []byte) (Answer, error) {
	var raw struct {
		RawID    protocol.URLEncodedBase64 `json:"rawId"`
		Response struct {
			ClientData protocol.URLEncodedBase64 `json:"clientDataJSON"`
		} `json:"response"`
	}
	if err := json.Unmarshal(answer, &raw); err != nil {
		return Answer{}, refused(err)
	}
	var client struct {
		Challenge protocol.URLEncodedBase64 `json:"challenge"`
	}
	if err := json.Unmarshal(raw.Response.ClientData, &client); err != nil {
		return Answer{}, refused(err)
	}
	return Answer{Challenge: client.Challenge, Credential: raw.RawID}, nil
}

// Check judges the answer to Request: the key's owner unlocked the device for this
// challenge at this site. It returns the key with its new counter. Errors: ErrUnverified,
// ErrCounter, ErrAnswer.
func (s *Site) Check(owner player.Player, key player.Passkey, challenge, answer []byte) (player.Passkey, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return key, refused(err)
	}
	if !bytes.Equal(parsed.RawID, key.Credential) || key.Player != owner.ID {
		return key, fmt.Errorf("%w: another key", ErrAnswer)
	}
	if !parsed.Response.AuthenticatorData.Flags.HasUserVerified() {
		return key, ErrUnverified
	}
	session := webauthn.SessionData{
		Challenge: base64.RawURLEncoding.EncodeToString(challenge), UserID: []byte(owner.ID), UserVerification: protocol.VerificationRequired,
	}
	used, err := s.w.ValidateLogin(user{owner, []player.Passkey{key}}, session, parsed)
	if err != nil {
		return key, refused(err)
	}
	if used.Authenticator.CloneWarning {
		return key, ErrCounter
	}
	key.SignCount, key.Synced = used.Authenticator.SignCount, used.Flags.BackupState
	return key, nil
}

// refused wraps the library's error in ErrAnswer.
func refused(err error) error {
	var told *protocol.Error
	if errors.As(err, &told) {
		return fmt.Errorf("%w: %s %s", ErrAnswer, told.Details, told.DevInfo)
	}
	return fmt.Errorf("%w: %w", ErrAnswer, err)
}
