package player

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"chpok.org/chpok/refusal"
)

// Credential is the stored form of a password: argon2id in the usual text form, with its
// parameters and salt. Empty: the account cannot sign in by password.
type Credential string

// The refusals of a new password.
var (
	ErrPasswordShort = refusal.Invalid("account.error.password-short", "password: at least 8 characters")
	ErrPasswordLong  = refusal.Invalid("account.error.password-long", "password: at most 200 characters")
	ErrPasswordPlain = refusal.Invalid("account.error.password-plain", "password: must not be the handle, or one character repeated")
	ErrPasswordMost  = refusal.Invalid("account.error.password-most", "password: among the most common ones")
)

// CheckPassword judges a new password.
func CheckPassword(password string, h Handle) error {
	switch n := utf8.RuneCountInString(password); {
	case n < 8:
		return ErrPasswordShort
	case n > 200:
		return ErrPasswordLong
	}
	own := letters(string(h))
	bare := letters(password)
	if strings.EqualFold(password, string(h)) || own != "" && (strings.EqualFold(bare, own) || isRepeated(bare, own)) || isOneCharacter(password) {
		return ErrPasswordPlain
	}
	if isCommon(password) {
		return ErrPasswordMost
	}
	return nil
}

// The cost of one hash: 19 MiB, two passes, one thread. The caller bounds how
// many run at once.
const (
	hashMemory = 19 * 1024
	hashPasses = 2
	hashBytes  = 32
	// SaltBytes is the length of HashPassword's salt.
	SaltBytes = 16
)

// HashPassword makes the stored form; salt is SaltBytes of fresh random bytes.
func HashPassword(password string, salt [SaltBytes]byte) Credential {
	key := argon2.IDKey([]byte(password), salt[:], hashPasses, hashMemory, 1, hashBytes)
	b64 := base64.RawStdEncoding
	return Credential(fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, hashMemory,
		hashPasses, b64.EncodeToString(salt[:]), b64.EncodeToString(key)))
}

// Matches reports whether a password is the stored one. It takes the time of a full hash
// even if nothing is stored, so that the time of a refusal does not reveal whether the
// account exists.
func (c Credential) Matches(password string) bool {
	var memory, passes uint32
	var version int
	parts := strings.Split(string(c), "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return c.refuseSlowly(password)
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=1", &version, &memory, &passes); err != nil ||
		version != argon2.Version || passes == 0 || memory > 1<<20 {
		return c.refuseSlowly(password)
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	want, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil || len(want) < hashBytes {
		return c.refuseSlowly(password)
	}
	got := argon2.IDKey([]byte(password), salt, passes, memory, 1, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}

func (Credential) refuseSlowly(password string) bool {
	HashPassword(password, [SaltBytes]byte{})
	return false
}

// isRepeated reports whether a text is nothing but a word again and again, whatever stands between.
func isRepeated(s, word string) bool {
	rest := strings.ReplaceAll(strings.ToLower(s), strings.ToLower(word), "")
	return letters(rest) == "" && rest != strings.ToLower(s)
}

func isOneCharacter(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return strings.Count(s, string(first)) == utf8.RuneCountInString(s)
}
