package kernel

import (
	"context"
	"crypto/ed25519"
	crand "crypto/rand"
	"encoding/base64"
	"fmt"

	"chpok.org/chpok/store"
)

// The names of the site's secrets among its settings.
const (
	settingSignKey = "fairplay.sign-key" // seed of the Ed25519 key
	settingPepper  = "fairplay.pepper"   // key for hashing devices and networks
)

// SiteKey is the site's signing key: the configured one, or the one the database keeps.
func (a *Kernel) SiteKey(ctx context.Context) (ed25519.PrivateKey, error) {
	if a.signKey != nil {
		return a.signKey, nil
	}
	seed, err := a.secret(ctx, settingSignKey)
	if err != nil {
		return nil, err
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// KeyLiesInside reports whether the site's key is in the database, so that a copy of the
// database opens everything sealed with it.
func (a *Kernel) KeyLiesInside() bool { return a.signKey == nil }

// Pepper is the key for hashing devices and networks.
func (a *Kernel) Pepper(ctx context.Context) ([]byte, error) { return a.secret(ctx, settingPepper) }

// secret is 32 random bytes shared by all nodes, made on first use.
func (a *Kernel) secret(ctx context.Context, name string) ([]byte, error) {
	if known, ok := a.secrets.Load(name); ok {
		return known.([]byte), nil
	}
	text, err := store.Get(ctx, a.Store, func(tx *store.Tx) (string, error) { return tx.Setting(name, "") })
	if err == nil && text == "" {
		fresh := make([]byte, ed25519.SeedSize)
		crand.Read(fresh)
		err = a.Store.Write(ctx, func(tx *store.Tx) (err error) {
			text, err = tx.FirstSetting(name, base64.StdEncoding.EncodeToString(fresh))
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != ed25519.SeedSize {
		return nil, fmt.Errorf("setting %s is damaged", name) // never log the value
	}
	a.secrets.Store(name, raw)
	return raw, nil
}

// ParseSignKey reads a configured key: the 32 bytes of its seed in base64.
func ParseSignKey(text string) (ed25519.PrivateKey, error) {
	seed, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("a signing key is %d bytes in Base64", ed25519.SeedSize)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}
