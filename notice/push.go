package notice

import (
	"crypto/ecdh"
	"encoding/base64"
	"net/url"
	"time"

	"chpok.org/chpok/refusal"
)

const (
	// PushLife is the age at which a notice is no longer pushed: it calls nobody any
	// more.
	PushLife = 6 * time.Hour
	// PushWait is how long to wait after a push service has refused, longer each time.
	PushWait = 20 * time.Second
	// PushTries is how often a push is tried.
	PushTries = 4
	// MostDevices is the number of browsers an account may have for push.
	MostDevices = 20
)

// pushed are the kinds that call people away from what they are doing.
var pushed = map[Kind]bool{
	Turn: true, TurnSoon: true, MatchOpened: true, ChallengeReceived: true, ChallengeAccepted: true, CheckIn: true,
	RoundSoon: true, RoundPaired: true, LineUpAwaited: true, Answer: true, Call: true, AppointmentSoon: true,
}

// Device is a browser that takes push messages, as it described itself.
type Device struct {
	Endpoint  string // at the push service it trusts
	Key, Auth string // for encryption, in base64
}

// ErrDevice refuses what no browser would send.
var ErrDevice = refusal.Invalid("notice.error.device", "notice: not a push subscription of a browser")

// Check is nil if the device can be stored. Push services are reached by TLS only.
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
