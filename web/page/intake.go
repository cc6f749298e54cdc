package page

import (
	"bufio"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/refusal"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/intake"
)

// ErrTooLong refuses a list longer than its form takes.
var ErrTooLong = refusal.Invalid("entry.bulk.too-large", "the list is too long")

// Brought is a list that somebody brought: as a file, or pasted into a field.
type Brought struct {
	Text     string
	Encoding string // of a file whose encoding was guessed, or chosen; else empty
	raw      []byte // that file, to be read in another encoding
}

// BroughtText reads the list of a form: its file, else its text. most is how many bytes it
// may have; 0: what the address takes. Where the encoding was guessed, the form carries the
// file on, so that it can be read again in the encoding that the viewer chooses.
// Errors: intake.ErrNotText, intake.ErrSheet, ErrTooLong.
func BroughtText(c echo.Context, field string, most int) (b Brought, err error) {
	raw, err := Uploaded(c, "file")
	if err != nil {
		return b, err
	}
	chosen := ""
	if len(raw) == 0 && c.FormValue("do") == "read-again" {
		chosen = c.FormValue("encoding")
		if raw, err = base64.StdEncoding.DecodeString(c.FormValue("raw")); err != nil {
			return b, ErrBadRequest
		}
	}
	switch {
	case most > 0 && len(raw) > most:
		return b, ErrTooLong
	case chosen != "":
		b.Encoding = chosen
		b.Text, err = intake.ReadAs(raw, chosen)
	case len(raw) > 0:
		b.Text, b.Encoding, err = intake.Read(raw)
	default:
		b.Text, err = intake.Clean(c.FormValue(field))
	}
	b.raw = raw
	if !intake.IsGuess(b.Encoding) {
		b.Encoding, b.raw = "", nil
	}
	if most > 0 && len(b.Text) > most {
		return b, ErrTooLong
	}
	return b, err
}

// ShortList is how many bytes the form of a list may have that is kept while it is looked at.
const ShortList = 512 << 10

// IsLongList reports whether a request brings a list that is longer than others, which is read while it arrives: a look,
// which changes nothing.
func IsLongList(c echo.Context) bool {
	r := c.Request()
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/ratings/pools/") && strings.HasSuffix(r.URL.Path, "/import") &&
		strings.HasPrefix(r.Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm) && (r.ContentLength < 0 || r.ContentLength > ShortList)
}

// LongList returns the file of a form that IsLongList, to be read once; ErrTooLong if what is long is something else.
func LongList(c echo.Context, name string) (*bufio.Reader, error) {
	parts, err := c.Request().MultipartReader()
	if err != nil {
		return nil, ErrBadRequest
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, ErrTooLong
		}
		if err != nil {
			return nil, ErrBadRequest
		}
		if part.FormName() == name && part.FileName() != "" {
			return intake.Unpacked(part)
		}
	}
}

// Uploaded returns the file of a form; nothing without one.
func Uploaded(c echo.Context, name string) ([]byte, error) {
	header, err := c.FormFile(name)
	if err != nil || header.Size == 0 {
		return nil, nil
	}
	file, err := header.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// View offers the other encodings of a file whose encoding was guessed.
func (b Brought) View(p lang.Printer) templates.EncodingView {
	if b.Encoding == "" {
		return templates.EncodingView{}
	}
	v := templates.EncodingView{Raw: base64.StdEncoding.EncodeToString(b.raw),
		Field: templates.Field{Name: "encoding", Label: p.T("intake.encoding"),
			Hint: p.T("intake.encoding-hint"), Type: "select", Value: b.Encoding}}
	for _, name := range intake.Encodings() {
		v.Field.Choices = append(v.Field.Choices, templates.Choice{Value: name, Text: name, Chosen: name == b.Encoding})
	}
	return v
}
