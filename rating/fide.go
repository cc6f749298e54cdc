package rating

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// ErrFIDE refuses what begins like FIDE's list and is none.
var ErrFIDE = refusal.Invalid("rating.import-fide", "rating list: not FIDE's list, as text or XML")

const (
	fideText = "ID Number" // how FIDE's list begins as text
	fideList = "playerslist"

	// settledGames is how many games stand behind a rating whose K-factor is no newcomer's (B.02 8.3.3). The games of
	// FIDE's list are those of its month.
	settledGames = 30
	newcomerK    = 40
)

// IsFIDE reports whether a text begins like FIDE's list. A kilobyte is enough.
func IsFIDE(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	return bytes.HasPrefix(bytes.TrimLeft(head, " "), []byte(fideText)) || bytes.Contains(head[:min(len(head), 1024)], []byte("<"+fideList))
}

// ReadFIDE reads FIDE's list, as text with columns or as XML, and shows the rated players one by one: the file may be longer
// than memory. Of a list with several ratings it takes the standard ones. Errors: ErrFIDE.
func ReadFIDE(in io.Reader, each func(Row) error) error {
	text := bufio.NewReaderSize(in, 64<<10)
	head, _ := text.Peek(1024) // a broken reader fails again below
	switch {
	case !IsFIDE(head):
		return ErrFIDE
	case bytes.Contains(head, []byte("<"+fideList)):
		return readFIDEXML(text, each)
	}
	return readFIDEText(text, each)
}

// fideColumns are the places of the columns in a line, in characters.
type fideColumns struct{ name, federation, rating, ratingEnd, k, kEnd int }

// columnsOfFIDE reads the heads of the columns. That of the rating is the month in a list of one kind of ratings (NOV26), and
// SRtng in one of all; heads stand over the beginning of their columns.
func columnsOfFIDE(head string) (c fideColumns, err error) {
	c.name, c.federation = strings.Index(head, "Name"), strings.Index(head, "Fed")
	after := strings.Index(head, "FOA")
	if c.name < 0 || c.federation < c.name || after < c.federation {
		return c, ErrFIDE
	}
	start := after + len("FOA")
	place := func(from int) (begin, end int) { // of the next head
		for begin = from; begin < len(head) && head[begin] == ' '; begin++ {
		}
		for end = begin; end < len(head) && head[end] != ' '; end++ {
		}
		return begin, end
	}
	rating, ratingEnd := place(start)
	games, gamesEnd := place(ratingEnd)
	k, kEnd := place(gamesEnd)
	if rating == ratingEnd || games == gamesEnd || k == kEnd {
		return c, ErrFIDE
	}
	c.rating, c.ratingEnd, c.k, c.kEnd = rating, games, k, max(kEnd, k+2)
	return c, nil
}

func readFIDEText(in *bufio.Reader, each func(Row) error) error {
	var c fideColumns
	for n := 1; ; n++ {
		raw, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return ErrFIDE
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(raw) == 0) {
			return notEOF(err)
		}
		line := []rune(legible(bytes.TrimRight(raw, "\r\n")))
		if n == 1 {
			if c, err = columnsOfFIDE(strings.TrimPrefix(string(line), "\ufeff")); err != nil {
				return err
			}
			continue
		}
		cut := func(from, to int) string {
			return strings.TrimSpace(string(line[min(from, len(line)):min(to, len(line))]))
		}
		if err := showFIDE(n, cut(0, c.name), cut(c.name, c.federation), cut(c.rating, c.ratingEnd), cut(c.k, c.kEnd), each); err != nil {
			return err
		}
	}
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// legible is a line as it stands, or as Latin-1 if it is not in UTF-8.
func legible(raw []byte) string {
	if utf8.Valid(raw) {
		return string(raw)
	}
	text := make([]rune, len(raw))
	for i, b := range raw {
		text[i] = rune(b)
	}
	return string(text)
}

func readFIDEXML(in io.Reader, each func(Row) error) error {
	d := xml.NewDecoder(in)
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return latin1{bufio.NewReader(in)}, nil }
	var player map[string]string
	field, isWhole := "", false
	for n := 0; ; {
		token, err := d.RawToken()
		if err != nil {
			if _, bad := errors.AsType[*xml.SyntaxError](err); bad {
				return ErrFIDE
			}
			if err = notEOF(err); err == nil && !isWhole {
				err = ErrFIDE
			}
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if field = t.Name.Local; field == "player" {
				player = map[string]string{}
			}
		case xml.CharData:
			if player != nil && field != "" {
				player[field] += string(t)
			}
		case xml.EndElement:
			isWhole = isWhole || t.Name.Local == fideList
			if field = ""; t.Name.Local != "player" || player == nil {
				continue
			}
			n++
			if err := showFIDE(n, player["fideid"], player["name"], player["rating"], player["k"], each); err != nil {
				return err
			}
			player = nil
		}
	}
}

// latin1 reads Latin-1, in which FIDE's XML may say it is written.
type latin1 struct{ in *bufio.Reader }

func (l latin1) Read(p []byte) (n int, err error) {
	for n+utf8.UTFMax <= len(p) {
		if n > 0 && l.in.Buffered() == 0 {
			return n, nil
		}
		b, err := l.in.ReadByte()
		if err != nil {
			return n, err
		}
		n += utf8.EncodeRune(p[n:], rune(b))
	}
	return n, nil
}

// showFIDE shows a player who has a rating; others have none to give.
func showFIDE(line int, id, name, points, k string, each func(Row) error) error {
	n, err := strconv.Atoi(strings.TrimSpace(points))
	if err != nil || n < 1 || n > highestRating || strings.TrimSpace(id+name) == "" {
		return nil
	}
	r := Row{Line: line, FIDE: strings.TrimSpace(id), Name: strings.TrimSpace(name), Rating: n}
	if factor, err := strconv.Atoi(strings.TrimSpace(k)); err == nil && factor > 0 && factor < newcomerK {
		r.Games = settledGames
	}
	return each(r)
}
