package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	embedview "chpok.org/chpok/templates/embed"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// What the site itself refuses.
var (
	ErrSignIn      = refusal.Stranger("error.sign-in", "web: sign in first")
	ErrForbidden   = refusal.Forbidden("error.forbidden", "web: not allowed")
	ErrCrossOrigin = refusal.Forbidden("error.cross-origin", "web: request from another site")
	ErrTooMany     = refusal.TooMany("error.too-many", "web: too many requests")
	ErrBadRequest  = refusal.Malformed("error.bad-request", "web: request cannot be read")
	ErrBusy        = refusal.Busy("error.busy", "web: too much to do")
	ErrSlow        = refusal.Slow("error.slow", "web: the request came too slowly")
	ErrScope       = refusal.Forbidden("error.scope", "web: the token was not made for this")
)

// statuses are how HTTP names the kinds of a refusal.
var statuses = map[refusal.Kind]int{
	refusal.KindMalformed: http.StatusBadRequest,
	refusal.KindInvalid:   http.StatusUnprocessableEntity,
	refusal.KindConflict:  http.StatusConflict,
	refusal.KindForbidden: http.StatusForbidden,
	refusal.KindStranger:  http.StatusUnauthorized,
	refusal.KindNotFound:  http.StatusNotFound,
	refusal.KindGone:      http.StatusGone,
	refusal.KindTooMany:   http.StatusTooManyRequests,
	refusal.KindSlow:      http.StatusRequestTimeout,
	refusal.KindBusy:      http.StatusServiceUnavailable,
}

// RefusalStatus is how a page says why the last thing was not done; nothing when it was.
func RefusalStatus(p lang.Printer, err error) (status int, why string) {
	if err == nil {
		return http.StatusOK, ""
	}
	status, key, _ := Explain(err)
	return status, ErrorText(p, key, err)
}

// ErrorText is the text of a key that explain has found. Who is kept from a level
// reads until when; others what is missing.
func ErrorText(p lang.Printer, key string, err error) string {
	var unmet *fairplay.UnmetError
	var refused *refusal.Error
	var party *fairplay.PartyError
	var many *tooManyError
	var judged *match.Refusal
	switch {
	case errors.As(err, &many):
		return p.T(key, "Wait", p.Duration(many.wait))
	case key == refusedKey && errors.As(err, &judged):
		return words.RefusalText(p, judged)
	case errors.As(err, &unmet) && !unmet.Until.IsZero():
		return p.T("fairplay.remedy."+string(fairplay.DemandAdmission), "Date", p.When(unmet.Until))
	case errors.As(err, &party):
		return partyText(p, key, party)
	case unmet != nil:
		return p.T(key) + " " + form.DemandTexts(p, unmet)
	case errors.As(err, &refused) && refused.Code == key:
		return p.T(key, told(p, refused.Args)...)
	}
	return p.T(key)
}

// told are the particulars of a refusal as the viewer reads them.
func told(p lang.Printer, args []any) []any {
	out := slices.Clone(args)
	for i, arg := range out {
		switch v := arg.(type) {
		case time.Time:
			out[i] = p.When(v)
		case int:
			out[i] = p.Int(v)
		}
	}
	return out
}

// partyText says who can decide what somebody is a party to.
func partyText(p lang.Printer, key string, e *fairplay.PartyError) string {
	can := "staff.error.party.operator"
	if len(e.Names) > 0 {
		can = "staff.error.party.names"
	}
	return p.T(key) + " " + p.T(can, "Names", strings.Join(e.Names, ", "))
}

// refusedKey is the text of what the judge of a match refuses and does not name.
const refusedKey = "match.refused.other"

// Explain is the one mapping from errors to what visitors see: the status and the
// key of the text. False is an error of ours: 500, logged, an apology.
func Explain(err error) (status int, key string, known bool) {
	refused, ok := errors.AsType[*refusal.Error](err)
	if errors.Is(err, store.ErrDown) { // whatever is said besides
		refused, _ = errors.AsType[*refusal.Error](store.ErrDown)
	}
	if ok {
		return statuses[refused.Kind], refused.Code, true
	}
	var judged *match.Refusal
	if errors.As(err, &judged) {
		return http.StatusConflict, refusedKey, true
	}
	var he *echo.HTTPError
	if errors.As(err, &he) {
		switch he.Code {
		case http.StatusNotFound:
			return he.Code, "error.not-found", true
		case http.StatusMethodNotAllowed:
			return he.Code, "error.method", true
		case http.StatusRequestEntityTooLarge:
			return he.Code, "error.too-large", true
		case http.StatusBadRequest, http.StatusUnsupportedMediaType:
			return he.Code, "error.bad-request", true
		}
	}
	return http.StatusInternalServerError, "error.internal", false
}

// IsRefusal tells an error that a form shows beside its field from one that
// ends the request.
func IsRefusal(err error) bool {
	status, _, known := Explain(err)
	return known && (status == http.StatusUnprocessableEntity || status == http.StatusConflict)
}

// Fail answers a request that came to nothing.
func (s *Site) Fail(err error, c echo.Context) {
	if c.Response().Committed || errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		return
	}
	SayWhen(c, err, s.Now())
	isAPI := strings.HasPrefix(c.Request().URL.Path, "/api/")
	if told := apiErrorOf(err); isAPI && told != nil {
		if err := told.send(c); err != nil {
			s.Log.Warn("error not sent", "request", RequestID(c), "err", err)
		}
		return
	}
	status, key, known := Explain(err)
	request := ""
	if status == http.StatusServiceUnavailable {
		s.Log.Error("cannot serve", "request", RequestID(c), "method", c.Request().Method, "path", LoggedPath(c), "err", err)
	}
	if !known {
		request = RequestID(c)
		s.Log.Error("request failed", "request", request, "method", c.Request().Method, "path", LoggedPath(c), "err", err)
	}
	var sendErr error
	switch {
	case isAPI:
		_, code, _ := strings.Cut(key, ".")
		sendErr = (&APIError{status, strings.TrimPrefix(code, "error."),
			ErrorText(lang.Printer{Lang: lang.English, Zone: time.UTC}, key, err)}).send(c)
	case errors.Is(err, ErrSignIn) && c.Request().Method == http.MethodGet && !IsStream(c):
		sendErr = c.Redirect(http.StatusSeeOther, "/sign-in?return="+url.QueryEscape(c.Request().URL.RequestURI()))
	case IsEmbed(c):
		p := Abroad(c, s.Now)
		f := s.EmbedFrame(c, p, p.T("error.title"), "")
		sendErr = RenderAs(c, status, p, embedview.TroublePage(f, ErrorText(p, key, err)))
	default:
		p := s.Printer(c)
		title, text := p.T("error.title"), ErrorText(p, key, err)
		if key == "error.not-found" {
			title, text = p.T("error.not-found.title"), p.T("error.not-found.text")
		}
		again := status >= http.StatusInternalServerError && c.Request().Method == http.MethodGet
		sendErr = s.Render(c, status, templates.ErrorPage(s.Shell(c, title), text, request, backTo(c), again))
	}
	if sendErr != nil {
		s.Log.Warn("error not sent", "request", RequestID(c), "err", sendErr)
	}
}

// backTo is the page from which something was asked that is refused; empty: it is not known, or of another site.
func backTo(c echo.Context) string {
	r := c.Request()
	from, err := url.Parse(r.Referer())
	if err != nil || r.Method != http.MethodPost || from.Host != r.Host || from.Path == "" || from.Path == "/" {
		return ""
	}
	return LocalPath(from.RequestURI())
}
