package club

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
)

// Guest is an account made at the door of an event for a name. It plays at once, in any
// browser where it was made or its code is shown, until its owner chooses a handle and a
// password of their own.
type Guest struct {
	Player     player.ID
	Club       ID     // that held the event; empty: no club
	Tournament string // where they came in
	Name       string
	HasSlip    bool   // until the account is claimed
	Code       string // of the slip; empty: there is none, or it cannot be told any more
	Made       time.Time
}

// MaxGuestName is the longest name of a person, in characters.
const MaxGuestName = 100

// Refusals of what is no name of a person.
var (
	ErrGuestName      = refusal.Invalid("door.error.name", "club: a name has two letters at least and fits on a line")
	ErrGuestNameLong  = refusal.Invalid("door.error.name-long", "club: a name has at most 100 characters")
	ErrGuestNameSigns = refusal.Invalid("door.error.name-signs", "club: a name has none of the signs < > @ / \\ { } [ ]")
)

// ParseGuestName reads the name of a person without an account, at every door alike: typed,
// pasted or from a program.
func ParseGuestName(s string) (string, error) {
	name := player.Tidy(s)
	letters := 0
	for _, r := range name {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case strings.ContainsAny(name, "<>@/\\{}[]"):
		return "", ErrGuestNameSigns
	case utf8.RuneCountInString(name) > MaxGuestName:
		return "", ErrGuestNameLong
	case letters < 2 || !player.IsLine(name):
		return "", ErrGuestName
	}
	return name, nil
}

// latinWords are the words of a name in small Latin letters and digits. Other letters are
// dropped, or kept to tell names apart.
func latinWords(name string, keep bool) (words []string) {
	for _, word := range strings.Fields(strings.ToLower(norm.NFC.String(name))) {
		word = strings.ReplaceAll(word, "зг", "zgh")
		var b strings.Builder
		first := true
		for _, r := range word {
			if text, known := fold.Latin(r, first); known {
				first = false
				b.WriteString(text)
				continue
			}
			for _, part := range norm.NFD.String(string(r)) {
				if part >= 'a' && part <= 'z' || part >= '0' && part <= '9' || keep && unicode.IsLetter(part) {
					first = false
					b.WriteRune(part)
				}
			}
		}
		if b.Len() > 0 {
			words = append(words, b.String())
		}
	}
	return words
}

// GuestHandle is a handle for a name, the n-th, from 1, of those that look the same.
func GuestHandle(name string, n int) player.Handle {
	var b strings.Builder
	for _, word := range latinWords(name, false) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	base := b.String()
	base = base[:min(len(base), 16)]
	if _, err := player.ParseNewHandle(base + "-2"); err != nil || len(base) < 3 { // Guest-2 and Deleted-2 are the site's own
		base = "Player" + base
	}
	base = base[:min(len(base), 16)]
	if n > 1 {
		base += "-" + strconv.Itoa(n)
	}
	return player.Handle(base)
}

// SameName reports whether two names read the same, in any order and alphabet.
func SameName(a, b string) bool { return fold.Key(a) == fold.Key(b) }

// AlikeNames reports whether a typed name may mean a known one: the same words, a slip of
// one or two letters, or the beginning of it.
func AlikeNames(typed, known string) bool {
	t, k := strings.Join(latinWords(typed, true), " "), strings.Join(latinWords(known, true), " ")
	switch {
	case utf8.RuneCountInString(typed) < 3 || t == "" || k == "":
		return false
	case strings.HasPrefix(k, t):
		return true
	}
	for _, word := range strings.Fields(k) {
		if strings.HasPrefix(word, t) {
			return true
		}
	}
	return NearNames(typed, known)
}

// NearNames reports whether two names are the same except for a slip of one or two letters.
func NearNames(a, b string) bool {
	return distance(a, b) <= len(strings.Join(latinWords(a, true), " "))/8+1
}

// distance is the number of letters to add, remove or change to turn one name into
// another, with their words in the best order.
func distance(a, b string) int {
	x, y := latinWords(a, true), latinWords(b, true)
	least := edits(strings.Join(x, " "), strings.Join(y, " "))
	if len(x) == 2 {
		least = min(least, edits(x[1]+" "+x[0], strings.Join(y, " ")))
	}
	return least
}

func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
