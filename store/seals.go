package store

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
)

// A seal keeps secrets that are needed again: the addresses of screens and kiosks, the codes of slips and of clubs, the
// site's own for its mail server and its bot. Each is stored encrypted, and found by a keyed hash of it, so that no table,
// query or dump tells any. With a key from outside (Options.Key), no copy of the whole database does either.
type seal struct {
	box    cipher.AEAD
	digest []byte // key of the hash
}

func newSeal(key []byte) (s seal, err error) {
	sealing, err := hkdf.Key(sha256.New, key, nil, "chpok seal", 32)
	if err != nil {
		return s, err
	}
	if s.digest, err = hkdf.Key(sha256.New, key, nil, "chpok digest", 32); err != nil {
		return s, err
	}
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return s, err
	}
	s.box, err = cipher.NewGCMWithRandomNonce(block)
	return s, err
}

// settingSealKey is the key that the database keeps itself.
const settingSealKey = "seal.key"

// makeSealKey gives a database the key that it keeps itself.
func makeSealKey(ctx context.Context, db *sql.DB) error {
	fresh := make([]byte, sha256.Size)
	rand.Read(fresh)
	_, err := db.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('"+settingSealKey+"', '"+
		base64.StdEncoding.EncodeToString(fresh)+"') ON CONFLICT (name) DO NOTHING") // Base64 needs no quoting
	return err
}

// takeSeals prepares the seals: the first seals, and all open. A site that is given a key later goes on opening what the
// database's own key has sealed.
func (s *Store) takeSeals(ctx context.Context, outside []byte) error {
	text, err := Get(ctx, s, func(tx *Tx) (string, error) { return tx.Setting(settingSealKey, "") })
	if err != nil {
		return err
	}
	own, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	for _, key := range [][]byte{outside, own} {
		if len(key) == 0 {
			continue
		}
		one, err := newSeal(key)
		if err != nil {
			return err
		}
		s.seals = append(s.seals, one)
	}
	return nil
}

// sealed encrypts a secret of a kind; empty stays empty.
func (tx *Tx) sealed(kind, secret string) string {
	if secret == "" {
		return ""
	}
	return base64.StdEncoding.EncodeToString(tx.seals[0].box.Seal(nil, nil, []byte(secret), []byte(kind)))
}

// unsealed is the secret again; empty if it was sealed with a key that is gone.
func (tx *Tx) unsealed(kind, sealed string) string {
	raw, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return ""
	}
	for _, s := range tx.seals {
		if secret, err := s.box.Open(nil, nil, raw, []byte(kind)); err == nil {
			return string(secret)
		}
	}
	return ""
}

// SetSecret changes a setting of the site that is a secret.
func (tx *Tx) SetSecret(name, secret string) error {
	return tx.SetSetting(name, tx.sealed(name, secret))
}

// SecretSetting is such a setting; empty when it is not set, or was sealed with a key that is gone.
func (tx *Tx) SecretSetting(name string) (string, error) {
	sealed, err := tx.Setting(name, "")
	return tx.unsealed(name, sealed), err
}

// digest is by what a secret of a kind is found; digests are all under which it may be stored.
func (tx *Tx) digest(kind, secret string) string { return tx.digests(kind, secret)[0] }

func (tx *Tx) digests(kind, secret string) []string {
	list := make([]string, len(tx.seals))
	for i, s := range tx.seals {
		mac := hmac.New(sha256.New, s.digest)
		mac.Write([]byte(kind + " " + secret))
		list[i] = hex.EncodeToString(mac.Sum(nil))
	}
	return list
}
