package notice

import (
	"crypto/ecdh"
	"encoding/base64"
	"net/url"
	"time"

	"chpok.org/chpok/refusal"
)

const (
	// PushLife is how old a notice may be and still be pushed: later it calls nobody any more.
	PushLife = 6 * time.Hour
	// PushWait is how long to wait after a push service has refused, the more so the oftener.
	PushWait = 20 * time.Second
	// PushTries is how often it is tried.
	PushTries = 4
	// MostDevices is how many browsers of an account are pushed to.
	MostDevices = 20
)

// pushed are the kinds that call somebody away from what they are doing.
var pushed = map[Kind]bool{
	Turn: true, TurnSoon: true, MatchOpened: true, ChallengeReceived: true, ChallengeAccepted: true, CheckIn: true,
	RoundSoon: true, RoundPaired: true, Answer: true, Call: true, AppointmentSoon: true,
}

// Device is a browser that takes what is pushed, as it has described itself.
type Device struct {
	Endpoint  string // of the push service that it trusts
	Key, Auth string // with which it is encrypted, in Base64
}

// ErrDevice is the refusal of what no browser says.
var ErrDevice = refusal.Invalid("notice.error.device", "notice: not a push subscription of a browser")

// Check is nil for what may be kept. Services on the open net are reached by TLS only.
func (d Device) Check() error {
	at, err := url.Parse(d.Endpoint)
	if err != nil || at.Scheme != "https" || at.Host == "" || at.User != nil || len(d.Endpoint) > 1000 {
		return ErrDevice
	}
	key, err := base64.RawURLEncoding.DecodeString(d.Key)
	if err != nil {
		return ErrDevice
	}
	if _, err := ecdh.P256().NewPublicKey(key); err != nil {
		return ErrDevice
	}
	if auth, err := base64.RawURLEncoding.DecodeString(d.Auth); err != nil || len(auth) != 16 {
		return ErrDevice
	}
	return nil
}
