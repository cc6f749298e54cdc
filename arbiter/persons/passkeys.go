package persons

import (
	"context"
	crand "crypto/rand"
	"errors"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/passkey"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// The refusals of passkeys.
var (
	ErrNoPasskey = refusal.Invalid("passkey.error.none", "arbiter: unknown passkey")
	ErrTooLong   = refusal.Invalid("passkey.error.too-long", "arbiter: no request is waiting for this device's answer")
)

// The kinds of ceremonies, by what a device is asked to sign for.
const (
	ceremonyRegister = "register"
	ceremonySignIn   = "sign-in"
	ceremonyOwn      = "own" // to prove ownership of the account
	CeremonyCheckIn  = "check-in"
	CeremonyMidCheck = "mid-check"
)

// Nonce is 32 random bytes for a device to sign.
func Nonce() []byte {
	fresh := make([]byte, 32)
	crand.Read(fresh)
	return fresh
}

// BeginPasskey starts the registration of a passkey: the challenge for the device, and
// the passkeys it must not register again. Error: player.ErrManyPasskeys.
func (a *Office) BeginPasskey(ctx context.Context, of player.Player,
	session string) (challenge []byte, known []player.Passkey, err error) {
	challenge = Nonce()
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if known, err = tx.Passkeys(of.ID); err != nil {
			return err
		}
		if len(known) >= player.MostPasskeys {
			return player.ErrManyPasskeys
		}
		return a.begin(tx, ceremonyRegister, of.ID, session, challenge)
	})
	return challenge, known, err
}

func (a *Office) begin(tx *store.Tx, kind string, of player.ID, session string, challenge []byte) error {
	now := a.Now()
	return tx.AddCeremony(store.Ceremony{Challenge: challenge, Kind: kind, Player: of, Session: session, Expires: now.Add(passkey.Life)}, now)
}

// Said is what a device said to a session of a site.
type Said struct {
	Site    *passkey.Site
	Session string
	Answer  []byte
}

// AddPasskey stores the passkey a device has made. Errors: ErrTooLong,
// player.ErrPasskeyName, store.ErrTaken, and those of passkey.Site.Register.
func (a *Office) AddPasskey(ctx context.Context, of player.Player, name string, x Said) error {
	name, err := player.ParsePasskeyName(name)
	if err != nil {
		return err
	}
	c, _, err := a.taken(ctx, ceremonyRegister, of.ID, x)
	if err != nil {
		return err
	}
	key, err := x.Site.Register(of, c.Challenge, x.Answer)
	if err != nil {
		return err
	}
	key.ID, key.Name, key.Created = store.NewID(), name, a.Now()
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		known, err := tx.Passkeys(of.ID)
		if err != nil {
			return err
		}
		if len(known) >= player.MostPasskeys { // two registrations may have begun at once
			return player.ErrManyPasskeys
		}
		return tx.AddPasskey(key)
	})
}

// BeginOwn starts the proof, by one of its passkeys, that an account is the viewer's own.
func (a *Office) BeginOwn(ctx context.Context, of player.Player, session string) (challenge []byte, keys []player.Passkey, err error) {
	challenge = Nonce()
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if keys, err = tx.Passkeys(of.ID); err != nil {
			return err
		}
		if len(keys) == 0 {
			return ErrNoPasskey
		}
		return a.begin(tx, ceremonyOwn, of.ID, session, challenge)
	})
	return challenge, keys, err
}

// ProveOwn judges the proof. Errors: those of Answered.
func (a *Office) ProveOwn(ctx context.Context, of player.Player, x Said) error {
	_, _, err := a.Answered(ctx, of, ceremonyOwn, x)
	return err
}

// DropPasskey removes a passkey from an account, store.ErrNotFound when it has none with
// that id.
func (a *Office) DropPasskey(ctx context.Context, of player.ID, id string) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropPasskey(of, id) })
}

// BeginSignIn starts a sign-in by any passkey of the device.
func (a *Office) BeginSignIn(ctx context.Context) (challenge []byte, err error) {
	challenge = Nonce()
	return challenge, a.Store.Write(ctx, func(tx *store.Tx) error { return a.begin(tx, ceremonySignIn, "", "", challenge) })
}

// SignIn is the account whose passkey has answered. Errors: ErrTooLong, ErrNoPasskey, and
// those of passkey.Site.Check.
func (a *Office) SignIn(ctx context.Context, site *passkey.Site, answer []byte) (p player.Player, err error) {
	read, err := passkey.Read(answer)
	if err != nil {
		return p, err
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		key, err := tx.PasskeyBy(read.Credential)
		if err == nil {
			p, err = tx.Player(key.Player)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && p.Bot {
		return player.Player{}, ErrNoPasskey
	}
	if err != nil {
		return p, err
	}
	_, _, err = a.answeredFor(ctx, p, ceremonySignIn, "", Said{Site: site, Answer: answer})
	return p, err
}

// taken closes the ceremony that a device has answered, before the answer is judged: a
// second answer finds nothing to answer.
func (a *Office) taken(ctx context.Context, kind string, of player.ID, x Said) (c store.Ceremony, read passkey.Answer, err error) {
	if read, err = passkey.Read(x.Answer); err != nil {
		return c, read, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		c, err = tx.TakeCeremony(read.Challenge, kind, a.Now())
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && (c.Player != of || c.Session != x.Session) {
		err = ErrTooLong
	}
	return c, read, err
}

// Answered judges the answer of one of an account's devices.
func (a *Office) Answered(ctx context.Context, of player.Player, kind string, x Said) (store.Ceremony, player.Passkey, error) {
	return a.answeredFor(ctx, of, kind, of.ID, x)
}

// answeredFor is Answered for a ceremony that opener began; empty: anybody with a
// passkey.
func (a *Office) answeredFor(ctx context.Context, of player.Player, kind string, opener player.ID, x Said) (c store.Ceremony,
	key player.Passkey, err error) {
	c, read, err := a.taken(ctx, kind, opener, x)
	if err != nil {
		return c, key, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if key, err = tx.PasskeyBy(read.Credential); errors.Is(err, store.ErrNotFound) || err == nil && key.Player != of.ID {
			return ErrNoPasskey
		}
		if err != nil {
			return err
		}
		was := key.SignCount
		if key, err = x.Site.Check(of, key, c.Challenge, x.Answer); err != nil {
			return err
		}
		return tx.UsePasskey(key, was, a.Now())
	})
	return c, key, err
}
