package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/web/words"
)

// shownField is the field of a form, and the parameter of a program's request, with the version of the tournament, club
// or ladder that its author saw (player.Viewer.Shown). The server writes it into every form of a page about one.
const shownField = "shown"

// shownKey is the context key of the version that a page shows.
const shownKey = "shown"

// versioned are the addresses below which several people change one thing.
var versioned = []string{"/tournaments/:id", "/clubs/:id", "/ladders/:id", "/leagues/:id", "/site/", "/admin/", "/ratings/pools/:id",
	"/rating-pools/:id", "/birth-year"}

// takesShown reports whether who asks may say which version they have seen.
func (r Route) takesShown() bool {
	return r.Method != http.MethodGet && slices.ContainsFunc(versioned, func(at string) bool { return strings.Contains(r.Path, at) })
}

// SetShown notes the version of the tournament, club, ladder or league, or of what the staff of the site keep, that a page shows.
func SetShown(c echo.Context, version int64) { c.Set(shownKey, version) }

// ShownBefore is the version that a refused form showed, which it shows once more; of a new form the version now.
func ShownBefore(c echo.Context, now int64) int64 { return cmp.Or(Viewer(c).Shown, now) }

// ActsAsShown takes what the author of an act saw out of a request about a tournament, a club, a ladder or a league.
func ActsAsShown(r Route) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if !r.takesShown() {
			return next
		}
		return func(c echo.Context) error {
			if IsLongList(c) { // a look
				return next(c)
			}
			if text := c.FormValue(shownField); text != "" {
				n, err := strconv.ParseInt(text, 10, 64)
				if err != nil || n < 0 {
					return ErrBadRequest
				}
				v := Viewer(c)
				v.Shown = n
				c.Set(ViewerKey, v)
				delete(c.Request().Form, shownField)
				delete(c.Request().PostForm, shownField)
			}
			return next(c)
		}
	}
}

// withShown writes a version into every form of a page or fragment that sends something; 0: into none.
func withShown(html []byte, version int64) []byte {
	if version == 0 || !bytes.Contains(html, postMark) {
		return html
	}
	return intoForms(html, func(tag []byte, _ int) string { return shownInput(tag, version) })
}

// ownShown is the attribute of a form that acts on another tournament than the page is about, with its version.
var ownShown = []byte(` data-shown="`)

// shownInput is the field with a version for a form; empty for 0.
func shownInput(tag []byte, version int64) string {
	if version == 0 {
		return ""
	}
	text := strconv.FormatInt(version, 10)
	if _, rest, is := bytes.Cut(tag, ownShown); is {
		if own, _, _ := bytes.Cut(rest, []byte(`"`)); len(own) > 0 {
			text = string(own)
		}
	}
	return `<input type="hidden" name="` + shownField + `" value="` + text + `"/>`
}

// shownOn returns the version of the tournament that a page shows; 0 if it is about none, or everybody's.
func (s *Site) shownOn(c echo.Context) int64 {
	version, _ := c.Get(shownKey).(int64)
	if version == 0 || s.IsShareable(c) {
		return 0
	}
	return version
}

// overtakenText says who was first, with what, and why nothing more can be done if so.
func overtakenText(p lang.Printer, e *kernel.Overtaken) string {
	text := p.T(KeyOf(e), "Name", firstName(p, e), "What", firstDid(p, e), "When", p.When(e.First.At))
	if e.Refuse != nil {
		text += " " + TextOf(p, e.Refuse)
	}
	return text
}

func firstName(p lang.Printer, e *kernel.Overtaken) string {
	if e.Name == "" {
		return p.T("desk.by-site")
	}
	return string(e.Name)
}

// firstDid names an act, and the result if it gave one to a single board.
func firstDid(p lang.Printer, e *kernel.Overtaken) string {
	text := p.T(cmp.Or(e.Key, "log.act."+string(e.First.Act)))
	if round, b, is := boardOfDeed(e.First); is && !b.Result.IsPending() {
		result, _ := words.ResultText(p, b.Result.Kind)
		text += ", " + p.T("desk.correction", "Round", round, "Board", b.Board) + ": " + result
	}
	return text
}

// boardOfDeed returns the only board that a deed changed.
func boardOfDeed(d ledger.Deed) (round int, b tournament.Pairing, is bool) {
	for _, x := range d.Changes {
		part := strings.Split(x.Path, ".")
		if len(part) != 4 {
			continue
		}
		if is || json.Unmarshal(x.After, &b) != nil {
			return 0, b, false
		}
		round, _ = strconv.Atoi(part[1])
		is = true
	}
	return round, b, is
}

// failOvertaken shows who was first, and offers both: to keep it, or to do the same once more in sight of it. A result
// that stands is corrected, with a reason.
func (s *Site) failOvertaken(c echo.Context, e *kernel.Overtaken) error {
	p, r := s.Printer(c), c.Request()
	id := tournament.ID(c.Param("id"))
	view := templates.OvertakenView{Text: overtakenText(p, e), Keep: LocalPath(c.FormValue("return"))}
	for _, at := range []string{"/tournaments/", "/clubs/", "/ladders/", "/leagues/", "/ratings/pools/"} {
		if strings.HasPrefix(r.URL.Path, at) {
			view.Keep = at + url.PathEscape(c.Param("id"))
		}
	}
	if back := backTo(c); back != "" {
		view.Keep = back
	}
	round, b, isBoard := boardOfDeed(e.First)
	mine := r.PostForm.Get("result")
	switch {
	case isBoard && !b.Result.IsPending() && mine != "" && !strings.HasSuffix(r.URL.Path, words.BoardURL(id, round, b.Board)):
		view.Correct = words.WithQuery(words.BoardURL(id, round, b.Board), "result", mine)
	case e.Refuse == nil && r.PostForm.Get("secret") == "": // a password is not written into a page
		again := *r.URL
		query := again.Query()
		query.Del(shownField)
		again.RawQuery = query.Encode()
		fields := maps.Clone(r.PostForm)
		if e.Field != "" {
			fields.Set(e.Field, strconv.FormatInt(e.Now, 10))
		} else {
			c.Set(shownKey, e.Now)
		}
		view.Again, view.Fields, view.Files = again.RequestURI(), fieldsOf(fields), filesOf(r.MultipartForm)
	}
	view.Typed = typedIn(r.PostForm)
	if e.Refuse != nil && view.Correct == "" {
		c.Set(onlySaidKey, true)
	}
	return s.Render(c, http.StatusConflict, templates.OvertakenPage(s.Shell(c, p.T("desk.overtaken")), view))
}

// filesOf returns the files of a form, which no page can send again by itself.
func filesOf(form *multipart.Form) (list []templates.FileField) {
	if form == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(form.File)) {
		for _, file := range form.File[name] {
			list = append(list, templates.FileField{Name: name, File: file.Filename})
		}
	}
	return list
}

// typedIn returns the sentences in a form: what its author would have to think of a second time. A password may look like one.
func typedIn(form url.Values) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if name == "secret" || name == "password" {
			continue
		}
		for _, v := range form[name] {
			if len(strings.Fields(v)) > 3 {
				list = append(list, v)
			}
		}
	}
	return list
}

func fieldsOf(form url.Values) (list []templates.HiddenField) {
	for name, values := range form {
		for _, v := range values {
			list = append(list, templates.HiddenField{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(list, func(a, b templates.HiddenField) int { return strings.Compare(a.Name, b.Name) })
	return list
}
