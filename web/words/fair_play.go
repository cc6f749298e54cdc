package words

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// FairPlayHash names the fair-play text as it reads in a language: SHA-256 in hexadecimal.
func FairPlayHash(l lang.Lang) string {
	text, _ := l.Long("fair-play")
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// FairPlayIn returns the language of the fair-play text with a hash; false for a text that is no longer in force.
func FairPlayIn(hash string) (l lang.Lang, ok bool) {
	for _, l := range lang.All {
		if FairPlayHash(l) == hash {
			_, l = l.Long("fair-play")
			return l, true
		}
	}
	return "", false
}

// TextAccept returns the form that accepts the fair-play text and leads back.
func TextAccept(p lang.Printer, back string) *templates.TextAccept {
	return &templates.TextAccept{Hash: FairPlayHash(p.Lang), Return: back, Version: Itoa(fairplay.TextVersion)}
}

// ToldText sums up in one sentence, for the player, what their match page has reported.
func ToldText(p lang.Printer, told []review.Telemetry) string {
	if len(told) == 0 {
		return p.T("review.told.silent")
	}
	counts := TellCounts(p, told)
	if len(counts) == 0 {
		return p.T("review.told.none")
	}
	return p.T("review.told", "What", strings.Join(counts, ", "))
}

// TellCounts counts the reports by kind, without those that only say that the page works.
func TellCounts(p lang.Printer, told []review.Telemetry) []string {
	n := map[review.TelemetryKind]int{}
	for _, t := range told {
		n[t.Kind]++
	}
	var out []string
	for _, k := range review.TelemetryKinds {
		if n[k] > 0 && k != review.TelemetryHello && k != review.TelemetryCadence {
			out = append(out, p.T("review.kind."+string(k))+" "+p.Int(n[k])+"×")
		}
	}
	return out
}
