package fairplay

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
)

// TextVersion is the number of the fair-play text; it rises with every change of meaning.
const TextVersion = 1

//go:embed text_uk.txt
var textUkrainian string

//go:embed text_en.txt
var textEnglish string

// Text is the fair-play text in a language ("uk", else English).
func Text(lang string) string {
	if lang == "uk" {
		return textUkrainian
	}
	return textEnglish
}

var textHash = func() string {
	sum := sha256.Sum256([]byte(textUkrainian + "\x00" + textEnglish))
	return hex.EncodeToString(sum[:])
}()

// TextHash names the text in both languages permanently: SHA-256 in hexadecimal.
func TextHash() string { return textHash }
