package page

import (
	"bytes"
	"crypto/rand"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/web/words"
)

// TryField is the name of the field with the key of a form's try; see store.Try. The server writes it into every form
// of a page, and the page's script into those that came without one (web/static/js/outbox.js).
const TryField = "try"

var (
	formTag  = []byte("<form ")
	formEnd  = []byte("</form>")
	postMark = []byte(` method="post"`)
)

// keyed gives every form of a page that is sent to one browser the version it acts on and a key of its own. Pages that
// visitors share have no key, because it is one person's; fragments have none, so that they compare equal while they
// show the same.
func (s *Site) keyed(c echo.Context, text []byte) []byte {
	shown := s.shownOn(c)
	if s.IsShareable(c) || c.Request().Header.Get(echo.HeaderAccept) == words.FragmentType || !bytes.Contains(text, postMark) {
		return withShown(text, shown)
	}
	if s.TryOwner(c) == "" {
		s.SetCookie(c, s.tryCookie(c), rand.Text(), 0, true)
	}
	key := rand.Text()
	return intoForms(text, func(tag []byte, n int) string {
		return shownInput(tag, shown) + `<input type="hidden" name="` + TryField + `" value="` + key + "-" + strconv.Itoa(n) + `"/>`
	})
}

// intoForms writes a field into every form of a page or fragment that sends something, counted from 1. It stands at the
// form's end: the style of what comes first there is the same before and after the page's script takes the key away.
func intoForms(text []byte, field func(tag []byte, n int) string) []byte {
	out := make([]byte, 0, len(text)+len(text)/8)
	for n := 1; ; {
		before, rest, found := bytes.Cut(text, formTag)
		out = append(out, before...)
		if !found {
			return out
		}
		tag, body, _ := bytes.Cut(rest, []byte(">")) // attributes have theirs escaped
		out = append(append(append(out, formTag...), tag...), '>')
		if bytes.Contains(append([]byte(" "), tag...), postMark) {
			inside, _, _ := bytes.Cut(body, formEnd)
			out = append(append(out, inside...), field(tag, n)...)
			body = body[len(inside):]
			n++
		}
		text = body
	}
}

// TryKey is the context key of TryOf.
const TryKey = "try"

// onlySaidKey is the context key of IsOnlySaid.
const onlySaidKey = "only-said"

// IsOnlySaid reports whether a form was refused on a page that has nothing but the reason: whoever sent the form keeps
// it before them, with all they typed, when they are told in place.
func IsOnlySaid(c echo.Context) bool { return c.Get(onlySaidKey) != nil }

// TryOf returns the digest of the key of a request's try; empty if it has none.
func TryOf(c echo.Context) string {
	key, _ := c.Get(TryKey).(string)
	return key
}

// TryOwner is the secret of a browser to which the keys of its forms are bound; empty if it has none yet.
func (s *Site) TryOwner(c echo.Context) string { return Cookie(c, s.tryCookie(c)) }

func (s *Site) tryCookie(c echo.Context) string {
	if s.IsSecure(c) {
		return "__Host-" + cookieTry
	}
	return cookieTry
}
