// Package passkey speaks to devices that keep keys (WebAuthn): it says what a
// page must ask a device, and judges the answer. It refuses to remember
// anything: which challenges are open and which keys an account has is the
// caller's to know.
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

// What is wrong with an answer, or with the site.
var (
	ErrAnswer     = refusal.Invalid("passkey.error.answer", "passkey: invalid answer")
	ErrUnverified = refusal.Invalid("passkey.error.unverified", "passkey: the device did not verify its user")
	ErrCounter    = refusal.Invalid("passkey.error.counter", "passkey: the signature counter went back; the key may have been copied")
	ErrNoName     = refusal.Conflict("passkey.error.no-name", "passkey: passkeys need a host name and TLS")
)

// Site is for whom devices keep keys: one origin.
type Site struct{ w *webauthn.WebAuthn }

// NewSite is the site at an origin such as https://chpok.example. Devices know
// sites by name and over TLS only; http://localhost is the one exception.
func NewSite(origin string) (*Site, error) {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%w: %q", ErrNoName, origin)
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || u.Scheme != "https" && host != "localhost" {
		return nil, fmt.Errorf("%w: %q", ErrNoName, origin)
	}
	timeout := webauthn.TimeoutConfig{Timeout: Life, TimeoutUVD: Life} // who asks looks at the time
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

// user is an account as the library wants it.
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

// Registration is what a page asks a device that is to keep a new key for an
// account: the JSON of PublicKeyCredentialCreationOptions. A device that keeps
// one of those known already refuses.
func (s *Site) Registration(owner player.Player, known []player.Passkey, challenge []byte) (json.RawMessage, error) {
	u := user{owner, known}
	options, _, err := s.w.BeginRegistration(u, webauthn.WithExclusions(u.descriptors()), withChallenge(challenge))
	if err != nil {
		return nil, fmt.Errorf("passkey: %w", err)
	}
	return json.Marshal(options.Response)
}

func withChallenge(challenge []byte) webauthn.RegistrationOption {
	return func(o *protocol.PublicKeyCredentialCreationOptions) error {
		o.Challenge = challenge
		return nil
	}
}

// Register judges the answer to Registration: ErrUnverified, ErrAnswer. The key
// has neither id nor name yet.
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

// Request is what a page asks a device that keeps one of these keys, or, when
// none is named, any key for the site: the JSON of PublicKeyCredentialRequestOptions.
func (s *Site) Request(known []player.Passkey, challenge []byte) (json.RawMessage, error) {
	options, _, err := s.w.BeginDiscoverableLogin(webauthn.WithChallenge(challenge),
		webauthn.WithAllowedCredentials(user{keys: known}.descriptors()))
	if err != nil {
		return nil, fmt.Errorf("passkey: %w", err)
	}
	return json.Marshal(options.Response)
}

// Answer is what an answer says of itself, before anybody believes it.
type Answer struct {
	Challenge  []byte
	Credential []byte // empty: a new key
}

// Read reads the answer of a device, without judging it: ErrAnswer.
func Read(answer []byte) (Answer, error) {
	var raw struct {
		RawID    string `json:"rawId"`
		Response struct {
			ClientData string `json:"clientDataJSON"`
		} `json:"response"`
	}
	var client struct {
		Challenge string `json:"challenge"`
	}
	err := json.Unmarshal(answer, &raw)
	var a Answer
	if err == nil {
		a.Credential, err = decode(raw.RawID)
	}
	var text []byte
	if err == nil {
		text, err = decode(raw.Response.ClientData)
	}
	if err == nil {
		err = json.Unmarshal(text, &client)
	}
	if err == nil {
		a.Challenge, err = decode(client.Challenge)
	}
	if err != nil {
		return a, refused(err)
	}
	return a, nil
}

func decode(text string) ([]byte, error) { return base64.RawURLEncoding.DecodeString(text) }

// Check judges the answer to Request: the key's owner unlocked the device for
// this challenge at this site. It answers the key as it is to be kept now.
// Errors: ErrUnverified, ErrCounter, ErrAnswer.
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

// refused is ErrAnswer with what the library says of it.
func refused(err error) error {
	var told *protocol.Error
	if errors.As(err, &told) {
		return fmt.Errorf("%w: %s %s", ErrAnswer, told.Details, told.DevInfo)
	}
	return fmt.Errorf("%w: %w", ErrAnswer, err)
}
