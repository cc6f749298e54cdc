// Package intake turns the bytes that people bring (lists, reports, spreadsheets) into
// text: it finds out the encoding, puts line ends in order and refuses what is not text. It writes tables for the
// same spreadsheets. It knows nothing of what the text says.
package intake

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	enc "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"chpok.org/chpok/refusal"
)

var (
	// ErrNotText refuses pictures, archives, programs, and text in an unknown encoding.
	ErrNotText = refusal.Invalid("intake.error.not-text",
		"not text that can be read: save it in UTF-8")
	// ErrSheet refuses a workbook that cannot be read.
	ErrSheet = refusal.Invalid("intake.error.sheet",
		"not a workbook that can be read: save it as .xlsx with the list on the first sheet, or as CSV in UTF-8")
)

// UTF8 is the encoding that needs no guess; Workbook stands for a spreadsheet's own.
const (
	UTF8     = "utf-8"
	Workbook = "xlsx"
)

// codings are the encodings of one byte a character that lists still come in. The first
// of equally likely ones wins.
var codings = []struct {
	name string
	of   *charmap.Charmap
}{
	{"windows-1251", charmap.Windows1251}, {"koi8-u", charmap.KOI8U}, {"ibm866", charmap.CodePage866},
	{"x-mac-cyrillic", charmap.MacintoshCyrillic}, {"iso-8859-5", charmap.ISO8859_5}, {"windows-1252", charmap.Windows1252},
	{"windows-1250", charmap.Windows1250}, {"iso-8859-2", charmap.ISO8859_2},
	{"windows-1254", charmap.Windows1254}, {"windows-1257", charmap.Windows1257},
}

// Encodings names the encodings a reader can choose where one was guessed.
func Encodings() []string {
	var names []string
	for _, c := range codings {
		names = append(names, c.name)
	}
	return names
}

// IsGuess reports whether an encoding was guessed from the letters, so that another may be
// the right one.
func IsGuess(encoding string) bool { return slices.Contains(Encodings(), encoding) }

// Read returns the text in raw, with line ends LF and without a byte order mark, and the
// encoding it was in. A workbook becomes its first sheet, with tabs between the cells.
// Errors: ErrNotText, ErrSheet.
func Read(raw []byte) (text, encoding string, err error) {
	switch {
	case bytes.HasPrefix(raw, archiveMark):
		text, err = firstSheet(raw)
		return text, Workbook, err
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return marked(raw, "utf-16le", enc.UTF16(enc.LittleEndian, enc.ExpectBOM))
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return marked(raw, "utf-16be", enc.UTF16(enc.BigEndian, enc.ExpectBOM))
	case utf8.Valid(raw):
		text, err = Clean(string(raw))
		return text, UTF8, err
	}
	best := 0
	for _, c := range codings {
		if said, err := decode(raw, c.of); err == nil {
			if n := likelihood(said); n > best {
				text, encoding, best = said, c.name, n
			}
		}
	}
	if encoding == "" {
		return "", "", ErrNotText
	}
	return text, encoding, nil
}

// ReadAs is Read in one of Encodings, which somebody chose.
func ReadAs(raw []byte, encoding string) (string, error) {
	for _, c := range codings {
		if c.name == encoding {
			return decode(raw, c.of)
		}
	}
	text, _, err := Read(raw)
	return text, err
}

// Strict passes on what programs write, always in UTF-8, and fails where bytes are none:
// readers of JSON put signs of replacement there and say nothing.
func Strict(r io.Reader) io.Reader { return transform.NewReader(r, encoding.UTF8Validator) }

// Clean is Read for what is a string already, such as a form's field. Error: ErrNotText.
func Clean(text string) (string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.TrimRight(text, "\x1a") // DOS ends files with it
	if !utf8.ValidString(text) || strings.ContainsFunc(text, isBinary) {
		return "", ErrNotText
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), nil
}

// isBinary finds control characters that no list has. Bytes in the place of C1 controls
// tell that the encoding is another one.
func isBinary(r rune) bool {
	return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\f\v", r)
}

func marked(raw []byte, name string, e encoding.Encoding) (string, string, error) {
	said, err := e.NewDecoder().Bytes(raw)
	if err != nil || len(raw)%2 != 0 {
		return "", "", ErrNotText
	}
	text, err := Clean(string(said))
	return text, name, err
}

func decode(raw []byte, of *charmap.Charmap) (string, error) {
	said, err := of.NewDecoder().Bytes(raw)
	if err != nil {
		return "", ErrNotText
	}
	return Clean(string(said))
}

// Letters that most of Ukrainian and its neighbors consist of, and all that they have.
const (
	frequent = "оанитевсрілкумдпяьй"
	alphabet = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэёъў"
	// signs are characters beyond ASCII that lists of people may have.
	signs = "«»“”„‘’–—…№°•\u00a0"
)

// likelihood is how much a text looks like names rather than like bytes read in the wrong
// encoding; above 0: rather like names. Wrong readings show signs amid words, capitals
// after small letters, two alphabets in a word, and rare letters.
func likelihood(text string) int {
	sum := 0
	var last rune
	for _, r := range text {
		before := last
		last = r
		if r < utf8.RuneSelf {
			continue
		}
		small := unicode.ToLower(r)
		switch {
		case r == utf8.RuneError: // the encoding has no such character
			sum -= 20
			continue
		case !unicode.IsLetter(r) && !strings.ContainsRune(signs, r):
			sum -= 6
			continue
		case !unicode.IsLetter(r):
			if unicode.IsLetter(before) && !strings.ContainsRune("’\u00a0»”", r) {
				sum -= 3
			}
			continue
		case strings.ContainsRune(frequent, small):
			sum += 3
		case strings.ContainsRune(alphabet, small):
			sum++
		case unicode.Is(unicode.Cyrillic, r):
			sum -= 4
		case unicode.IsLetter(before) && before >= utf8.RuneSelf: // accents mostly stand alone in Latin words
			sum--
		default:
			sum += 2
		}
		if unicode.IsLetter(before) {
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				sum -= 5
			}
			if unicode.Is(unicode.Cyrillic, r) != unicode.Is(unicode.Cyrillic, before) {
				sum -= 5
			}
		}
	}
	// the other way round: a plain letter after one of the other alphabet
	var prev rune
	for _, r := range text {
		if r < utf8.RuneSelf && unicode.IsLetter(r) && unicode.Is(unicode.Cyrillic, prev) {
			sum -= 5
		}
		prev = r
	}
	return sum
}
