package web

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
	"chpok.org/chpok/templates/lang"
)

// What the site itself refuses.
var (
	errSignIn      = refusal.Stranger("error.sign-in", "web: sign in first")
	errForbidden   = refusal.Forbidden("error.forbidden", "web: not allowed")
	errCrossOrigin = refusal.Forbidden("error.cross-origin", "web: request from another site")
	errTooMany     = refusal.TooMany("error.too-many", "web: too many requests")
	errBadRequest  = refusal.Malformed("error.bad-request", "web: request cannot be read")
	errBusy        = refusal.Busy("error.busy", "web: too much to do")
	errSlow        = refusal.Slow("error.slow", "web: the request came too slowly")
	errScope       = refusal.Forbidden("error.scope", "web: the token was not made for this")
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

// refusalStatus is how a page says why the last thing was not done; nothing when it was.
func refusalStatus(p lang.Printer, err error) (status int, why string) {
	if err == nil {
		return http.StatusOK, ""
	}
	status, key, _ := explain(err)
	return status, errorText(p, key, err)
}

// errorText is the text of a key that explain has found. Who is kept from a level
// reads until when; others what is missing.
func errorText(p lang.Printer, key string, err error) string {
	var unmet *fairplay.UnmetError
	var refused *refusal.Error
	var party *fairplay.PartyError
	var many *tooManyError
	var judged *match.Refusal
	switch {
	case errors.As(err, &many):
		return p.T(key, "Wait", p.Duration(many.wait))
	case key == refusedKey && errors.As(err, &judged):
		return refusalText(p, judged)
	case errors.As(err, &unmet) && !unmet.Until.IsZero():
		return p.T("fairplay.remedy."+string(fairplay.DemandAdmission), "Date", p.DateTime(unmet.Until))
	case errors.As(err, &party):
		return partyText(p, key, party)
	case unmet != nil:
		return p.T(key) + " " + demandTexts(p, unmet)
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
			out[i] = p.Moment(v)
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

// explain is the one mapping from errors to what visitors see: the status and the
// key of the text. False is an error of ours: 500, logged, an apology.
func explain(err error) (status int, key string, known bool) {
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

// isRefusal tells an error that a form shows beside its field from one that
// ends the request.
func isRefusal(err error) bool {
	status, _, known := explain(err)
	return known && (status == http.StatusUnprocessableEntity || status == http.StatusConflict)
}

// fail answers a request that came to nothing.
func (s *Server) fail(err error, c echo.Context) {
	if c.Response().Committed || errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		return
	}
	isAPI := strings.HasPrefix(c.Request().URL.Path, "/api/")
	if told := apiErrorOf(err); isAPI && told != nil {
		if err := told.send(c); err != nil {
			s.log.Warn("error not sent", "request", requestID(c), "err", err)
		}
		return
	}
	status, key, known := explain(err)
	request := ""
	if status == http.StatusServiceUnavailable {
		s.log.Error("cannot serve", "request", requestID(c), "method", c.Request().Method, "path", loggedPath(c), "err", err)
	}
	if !known {
		request = requestID(c)
		s.log.Error("request failed", "request", request, "method", c.Request().Method, "path", loggedPath(c), "err", err)
	}
	var sendErr error
	switch {
	case isAPI:
		_, code, _ := strings.Cut(key, ".")
		sendErr = (&apiError{status, strings.TrimPrefix(code, "error."), errorText(lang.Printer{Lang: lang.English, Zone: time.UTC}, key, err)}).send(c)
	case errors.Is(err, errSignIn) && c.Request().Method == get && !isStream(c):
		sendErr = c.Redirect(http.StatusSeeOther, "/sign-in?return="+url.QueryEscape(c.Request().URL.RequestURI()))
	default:
		p := s.printer(c)
		sh := s.shell(c, p.T("error.title"))
		sendErr = s.render(c, status, templates.ErrorPage(sh, errorText(p, key, err), request))
	}
	if sendErr != nil {
		s.log.Warn("error not sent", "request", requestID(c), "err", sendErr)
	}
}
