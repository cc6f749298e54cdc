package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/engine/bidding"
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
	refusal.KindUnfit:     http.StatusUnprocessableEntity, // its form says what is lacking; programs: 403
	refusal.KindStranger:  http.StatusUnauthorized,
	refusal.KindNotFound:  http.StatusNotFound,
	refusal.KindGone:      http.StatusGone,
	refusal.KindTooMany:   http.StatusTooManyRequests,
	refusal.KindSlow:      http.StatusRequestTimeout,
	refusal.KindBusy:      http.StatusServiceUnavailable,
}

// Refusals of the router and of the engine, which know no texts.
var (
	errNowhere  = refusal.NotFound("error.not-found", "web: no such address")
	errTooLarge = refusal.Invalid("error.too-large", "web: the body is too large")
	errMethod   = refusal.Invalid("error.method", "web: not by this method")
	errEnvelope = refusal.Invalid("error.settings", "web: no such envelope")
)

// routed are the refusals of the router, whose statuses have no kind of their own.
var routed = map[int]error{
	http.StatusNotFound:              errNowhere,
	http.StatusMethodNotAllowed:      errMethod,
	http.StatusRequestEntityTooLarge: errTooLarge,
	http.StatusBadRequest:            ErrBadRequest,
	http.StatusUnsupportedMediaType:  ErrBadRequest,
}

// Of is the one map from errors to what visitors and programs are told: a refusal and its status. An unknown error is
// our own fault: no refusal and 500, a log line, an apology.
func Of(err error) (refused *refusal.Error, status int) {
	if errors.Is(err, store.ErrDown) { // comes before what is joined with it
		err = store.ErrDown
	}
	var judged *match.Refusal
	var envelope *bidding.EnvelopeError
	var he *echo.HTTPError
	switch {
	case errors.As(err, &refused):
	case errors.As(err, &judged):
		refused = words.RefusalOf(judged)
	case errors.As(err, &envelope):
		errors.As(refusal.Told(errEnvelope, "envelope", envelope.Error()), &refused)
	case errors.As(err, &he) && errors.As(routed[he.Code], &refused):
		return refused, he.Code
	case errors.Is(err, context.DeadlineExceeded):
		errors.As(ErrBusy, &refused)
	default:
		return nil, http.StatusInternalServerError
	}
	return refused, statuses[refused.Kind]
}

// StatusOf returns the status of an error; 200 for nil.
func StatusOf(err error) int {
	if err == nil {
		return http.StatusOK
	}
	_, status := Of(err)
	return status
}

// RefusalStatus returns the status and text of a refusal for the page of its form; 200 and no text for nil.
func RefusalStatus(p lang.Printer, err error) (status int, why string) {
	if err == nil {
		return http.StatusOK, ""
	}
	status, _ = InPlace(err)
	return status, TextOf(p, err)
}

// KeyOf is the key of the text that explains an error.
func KeyOf(err error) string {
	if refused, _ := Of(err); refused != nil {
		return refused.Code
	}
	return "error.internal"
}

// TextOf returns the text of an error with its details; empty for nil.
func TextOf(p lang.Printer, err error) string {
	var group *rounds.GroupError
	var overtaken *kernel.Overtaken
	var unfit *entries.UnfitError
	var unmet *fairplay.UnmetError
	var party *fairplay.PartyError
	refused, _ := Of(err)
	switch {
	case err == nil:
		return ""
	case refused == nil:
		return p.T("error.internal")
	case errors.As(err, &group):
		return p.Event(group.Group) + ": " + TextOf(p, group.Err)
	case errors.As(err, &overtaken):
		return overtakenText(p, overtaken)
	case errors.As(err, &unfit):
		return p.T("teams.error.unfit", "Player", unfit.Handle, "Why", TextOf(p, unfit.Err))
	case errors.As(err, &unmet) && !unmet.Until.IsZero():
		return p.T("fairplay.remedy."+string(fairplay.DemandAdmission), "Date", p.When(unmet.Until))
	case errors.As(err, &party):
		return partyText(p, refused.Code, party)
	case unmet != nil:
		return p.T(refused.Code) + " " + form.DemandTexts(p, unmet)
	}
	return words.Told(p, refused)
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

// IsRefusal reports whether a form shows the error, instead of an error page.
func IsRefusal(err error) bool {
	status, isTold := InPlace(err)
	return isTold && (status == http.StatusUnprocessableEntity || status == http.StatusConflict)
}

// InPlace returns the status for a page that tells the error beside its form: false if it is unknown, has one of some
// statuses, or says that somebody else was first, which has a page of its own. A handle that nobody has was typed into
// the form: the page is found.
func InPlace(err error, but ...int) (status int, isTold bool) {
	refused, status := Of(err)
	if errors.Is(err, kernel.ErrNoPlayer) {
		status = http.StatusUnprocessableEntity
	}
	return status, refused != nil && !slices.Contains(but, status) && !errors.Is(err, kernel.ErrOvertaken)
}

// Fail answers a request that ended in an error. The context of a request ends when its body stalls or its reader
// leaves; the answer is sent all the same, because an answer that nobody writes is an empty 200.
func (s *Site) Fail(err error, c echo.Context) {
	if c.Response().Committed {
		s.Log.Warn("answer broken off", "request", RequestID(c), "path", LoggedPath(c), "err", err)
		return
	}
	ctx := c.Request().Context()
	if refused, _ := Of(err); ctx.Err() != nil && refused == nil {
		err = fmt.Errorf("%w: %w", ErrSlow, err)
	}
	c.SetRequest(c.Request().WithContext(context.WithoutCancel(ctx)))
	SayWhen(c, err, s.Now())
	isAPI := strings.HasPrefix(c.Request().URL.Path, "/api/")
	refused, status := Of(err)
	request := ""
	switch {
	case status == http.StatusServiceUnavailable:
		s.Log.Error("cannot serve", "request", RequestID(c), "method", c.Request().Method, "path", LoggedPath(c), "err", err)
	case refused == nil:
		request = RequestID(c)
		s.Log.Error("request failed", "request", request, "method", c.Request().Method, "path", LoggedPath(c), "err", err)
	}
	var sendErr error
	var overtaken *kernel.Overtaken
	switch {
	case isAPI:
		status, sendErr = sendProblem(c, err)
	case errors.As(err, &overtaken):
		sendErr = s.failOvertaken(c, overtaken)
	case errors.Is(err, ErrSignIn) && c.Request().Method == http.MethodGet && !IsStream(c):
		sendErr = c.Redirect(http.StatusSeeOther, "/sign-in?return="+url.QueryEscape(c.Request().URL.RequestURI()))
	case IsEmbed(c):
		p := s.Abroad(c)
		f := s.EmbedFrame(c, p, p.T("error.title"), "")
		sendErr = RenderAs(c, status, p, embedview.TroublePage(f, TextOf(p, err)))
	default:
		p := s.Printer(c)
		title, text := p.T("error.title"), TextOf(p, err)
		if refused != nil && refused.Code == "error.not-found" {
			title, text = p.T("error.not-found.title"), p.T("error.not-found.text")
		}
		again := status >= http.StatusInternalServerError && c.Request().Method == http.MethodGet
		if refused != nil {
			c.Set(onlySaidKey, true)
		}
		sendErr = s.Render(c, status, templates.ErrorPage(s.Shell(c, title), text, request, backTo(c), again))
	}
	if sendErr != nil {
		s.Log.Warn("error not sent", "request", RequestID(c), "err", sendErr)
		if !c.Response().Committed {
			c.Response().WriteHeader(status)
		}
	}
}

// backTo returns the page from which a refused form was sent; empty if it is unknown, of another site, or itself the
// answer to a form, at whose address no page stands.
func backTo(c echo.Context) string {
	r := c.Request()
	from, err := url.Parse(r.Referer())
	if err != nil || r.Method != http.MethodPost || from.Host != r.Host || from.Path == "" || from.Path == "/" {
		return ""
	}
	at := c.Echo().NewContext(nil, nil)
	if c.Echo().Router().Find(http.MethodGet, from.Path, at); at.Get(echo.ContextKeyHeaderAllow) != nil {
		return ""
	}
	return LocalPath(from.RequestURI())
}
