package store

import (
	"crypto/rand"
	"encoding/base32"
)

var idLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewID is 80 random bits as 16 lower-case letters and digits: safe in addresses
// and file names, made by the application so that both dialects agree.
func NewID() string {
	var b [10]byte
	rand.Read(b[:])
	return idLetters.EncodeToString(b[:])
}
