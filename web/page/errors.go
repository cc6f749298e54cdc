package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/rounds"
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

// Refusals of the site itself.
var (
	ErrSignIn      = refusal.Stranger("error.sign-in", "web: sign in first")
	ErrForbidden   = refusal.Forbidden("error.forbidden", "web: not allowed")
	ErrCrossOrigin = refusal.Forbidden("error.cross-origin", "web: request from another site")
	ErrTooMany     = refusal.TooMany("error.too-many", "web: too many requests")
	ErrBadRequest  = refusal.Malformed("error.bad-request", "web: cannot read the request")
	ErrBusy        = refusal.Busy("error.busy", "web: too much to do")
	ErrNotUTF8     = refusal.Malformed("error.not-utf8", "web: the request is not UTF-8")
	ErrSlow        = refusal.Slow("error.slow", "web: the request came too slowly")
	ErrScope       = refusal.Forbidden("error.scope", "web: the token lacks the scope")
)

// statuses are the HTTP statuses of the kinds of refusals.
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

// RefusalStatus returns the status and text of a refusal; 200 and no text for nil.
func RefusalStatus(p lang.Printer, err error) (status int, why string) {
	if err == nil {
		return http.StatusOK, ""
	}
	status, key, _ := Explain(err)
	return status, ErrorText(p, key, err)
}

// ErrorText returns the text of an error for the key that Explain found, with its details.
func ErrorText(p lang.Printer, key string, err error) string {
	var unmet *fairplay.UnmetError
	var refused *refusal.Error
	var party *fairplay.PartyError
	var many *tooManyError
	var overtaken *kernel.Overtaken
	var judged *match.Refusal
	var group *rounds.GroupError
	switch {
	case errors.As(err, &group):
		return group.Group + ": " + ErrorText(p, key, group.Err)
	case errors.As(err, &overtaken):
		return overtakenText(p, key, overtaken)
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

// told writes the arguments of a refusal for the viewer.
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

// partyText tells a party to a case what is at stake and who can decide it instead, of those whom they can ask.
func partyText(p lang.Printer, key string, e *fairplay.PartyError) string {
	text := p.T(key)
	if e.Stake != "" {
		text += " " + p.T("staff.error.party.stake."+string(e.Stake), "Was", e.Was, "Is", e.Is, "Rival", e.Rival)
	}
	for _, advice := range e.Advices() {
		text += " " + p.T("staff.error.party.do."+string(advice), "Names", strings.Join(e.Names, ", "))
	}
	return text
}

// refusedKey is the key of the text for refusals of a match without texts of their own.
const refusedKey = "match.refused.other"

// Explain maps an error to the status and the key of the text that visitors see. An unknown error is our own fault:
// 500, a log line, an apology.
func Explain(err error) (status int, key string, known bool) {
	refused, ok := errors.AsType[*refusal.Error](err)
	if errors.Is(err, store.ErrDown) { // comes before what is joined with it
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
	if errors.Is(err, context.DeadlineExceeded) {
		return http.StatusServiceUnavailable, "error.busy", true
	}
	return http.StatusInternalServerError, "error.internal", false
}

// IsRefusal reports whether a form shows the error, instead of an error page.
func IsRefusal(err error) bool {
	status, _, isTold := InPlace(err)
	return isTold && (status == http.StatusUnprocessableEntity || status == http.StatusConflict)
}

// InPlace is Explain for a page that tells the error beside its form: false if it is unknown, has one of some statuses,
// or says that somebody else was first, which has a page of its own.
func InPlace(err error, but ...int) (status int, key string, isTold bool) {
	status, key, known := Explain(err)
	return status, key, known && !slices.Contains(but, status) && !errors.Is(err, kernel.ErrOvertaken)
}

// Fail answers a request that ended in an error. The context of a request ends when its body stalls or its reader
// leaves; the answer is sent all the same, because an answer that nobody writes is an empty 200.
func (s *Site) Fail(err error, c echo.Context) {
	if c.Response().Committed {
		s.Log.Warn("answer broken off", "request", RequestID(c), "path", LoggedPath(c), "err", err)
		return
	}
	ctx := c.Request().Context()
	if _, _, known := Explain(err); ctx.Err() != nil && !known {
		err = fmt.Errorf("%w: %w", ErrSlow, err)
	}
	c.SetRequest(c.Request().WithContext(context.WithoutCancel(ctx)))
	SayWhen(c, err, s.Now())
	isAPI := strings.HasPrefix(c.Request().URL.Path, "/api/")
	status, key, known := Explain(err)
	request := ""
	if status == http.StatusServiceUnavailable {
		s.Log.Error("cannot serve", "request", RequestID(c), "method", c.Request().Method, "path", LoggedPath(c), "err", err)
	}
	told := apiErrorOf(err)
	if !known && (told == nil || !isAPI) {
		request = RequestID(c)
		s.Log.Error("request failed", "request", request, "method", c.Request().Method, "path", LoggedPath(c), "err", err)
	}
	var sendErr error
	var overtaken *kernel.Overtaken
	switch {
	case isAPI && told != nil:
		sendErr = told.send(c)
	case errors.As(err, &overtaken):
		sendErr = s.failOvertaken(c, overtaken)
	case isAPI:
		_, code, _ := strings.Cut(key, ".")
		text := ErrorText(lang.Printer{Lang: lang.English, Zone: time.UTC}, key, err)
		sendErr = (&APIError{Status: status, Code: strings.TrimPrefix(code, "error."), Message: text}).send(c)
	case errors.Is(err, ErrSignIn) && c.Request().Method == http.MethodGet && !IsStream(c):
		sendErr = c.Redirect(http.StatusSeeOther, "/sign-in?return="+url.QueryEscape(c.Request().URL.RequestURI()))
	case IsEmbed(c):
		p := s.Abroad(c)
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
		if !c.Response().Committed {
			c.Response().WriteHeader(status)
		}
	}
}

// backTo returns the page from which a refused form was sent; empty if it is unknown or of another site.
func backTo(c echo.Context) string {
	r := c.Request()
	from, err := url.Parse(r.Referer())
	if err != nil || r.Method != http.MethodPost || from.Host != r.Host || from.Path == "" || from.Path == "/" {
		return ""
	}
	return LocalPath(from.RequestURI())
}

// KeyOf is the key of the text that explains an error.
func KeyOf(err error) string {
	_, key, _ := Explain(err)
	return key
}
