package web

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"chpok.org/chpok/store"
	"chpok.org/chpok/web/account"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/tournament"
)

// bodyLimits bound the body of a request: of imports of tournaments, whose form carries the file, of long lists, which are read
// while they arrive, and of all others.
var bodyLimits = []struct {
	limit string
	of    func(echo.Context) bool
}{
	{"24M", isBundle},
	{"1G", page.IsLongList},
	{strconv.Itoa(page.ShortList), func(c echo.Context) bool { return !isBundle(c) && !page.IsLongList(c) }},
}

func isBundle(c echo.Context) bool {
	return c.Request().Method == http.MethodPost && strings.TrimPrefix(c.Request().URL.Path, "/api/v1") == tournament.BundlePath
}

// outermost wraps the router with the check for cross-origin requests, and answers HEAD as GET.
func (s *Server) outermost(next http.Handler) http.Handler {
	csrf := http.NewCrossOriginProtection()
	if s.Config.BaseURL != "" {
		// A proxy may change Host; visitors still use the site's own address.
		if err := csrf.AddTrustedOrigin(s.Config.BaseURL); err != nil {
			s.Log.Warn("base address is not an origin", "err", err)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// sameOrigin refuses the request, so that the error page looks like all others.
		if err := csrf.Check(r); err != nil && !account.IsByProgram(r) {
			r.Header.Set(crossOriginHeader, "1")
		} else {
			r.Header.Del(crossOriginHeader)
		}
		// net/http drops the body of an answer to HEAD, but a stream would never end.
		isStream := strings.HasSuffix(r.URL.Path, "/feed") || strings.Contains(r.Header.Get("Accept"), "text/event-stream")
		if r.Method == http.MethodHead && !isStream {
			r = r.WithContext(r.Context())
			r.Method = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

const crossOriginHeader = "X-Chpok-Cross-Origin"

func (s *Server) middleware() {
	s.echo.Use(
		s.requestID,
		s.accessLog,
		s.recover,
		s.headers,
		s.SharesPages,
		middleware.GzipWithConfig(middleware.GzipConfig{Skipper: page.IsPacked}),
		s.sameOrigin,
	)
	for _, l := range bodyLimits {
		s.echo.Use(middleware.BodyLimitWithConfig(middleware.BodyLimitConfig{Limit: l.limit,
			Skipper: func(c echo.Context) bool { return !l.of(c) }}))
	}
	s.echo.Use(s.session, s.Limit, s.readBody, s.once)
}

func (s *Server) requestID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := store.NewID()
		c.Set(page.RequestIDKey, id)
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		return next(c)
	}
}

func (s *Server) accessLog(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		err := next(c)
		isBroken := err != nil && c.Response().Committed
		if err != nil {
			c.Error(err) // renders now, so that the status below is the one sent
		}
		s.Answered(c, time.Since(start))
		if isBroken {
			panic(http.ErrAbortHandler) // the reader sees an answer that breaks off, not a shorter one that ends well
		}
		return nil
	}
}

func (s *Server) recover(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch r := recover(); r {
			case nil:
			case http.ErrAbortHandler:
				panic(r)
			default:
				s.Log.Error("panic", "request", page.RequestID(c), "path", page.LoggedPath(c), "panic", r, "stack", string(debug.Stack()))
				err = page.ErrPanic
			}
		}()
		return next(c)
	}
}

// contentPolicy allows resources of the site's own origin only, and nothing inline.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; font-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// embedPolicy lets any site frame an embed, which has no forms.
var embedPolicy = strings.NewReplacer("frame-ancestors 'none'", "frame-ancestors *", "form-action 'self'", "form-action 'none'").
	Replace(contentPolicy)

func (s *Server) headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		if page.IsEmbed(c) {
			h.Set("Content-Security-Policy", embedPolicy)
			h.Del("X-Frame-Options")
		}
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if s.IsSecure(c) {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if r := c.Request(); strings.HasPrefix(r.URL.Path, "/api/") {
			h.Set("Access-Control-Allow-Origin", "*") // without cookies: what everybody, or the token that is shown, may
			h.Set("Access-Control-Expose-Headers", "ETag, Retry-After")
			if r.Method == http.MethodOptions {
				h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
				h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID")
				h.Set("Access-Control-Max-Age", "86400")
				return c.NoContent(http.StatusNoContent)
			}
		}
		if !page.IsStatic(c) {
			h.Set("Cache-Control", "private, no-cache")
		}
		c.Response().Before(func() {
			// Refusals of limits have set their own Retry-After.
			if c.Response().Status == http.StatusServiceUnavailable && h.Get(echo.HeaderRetryAfter) == "" {
				h.Set(echo.HeaderRetryAfter, "5")
			}
		})
		return next(c)
	}
}

func (s *Server) sameOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().Header.Get(crossOriginHeader) != "" {
			return page.ErrCrossOrigin
		}
		return next(c)
	}
}

// readBody reads the whole body before anything is done, and its form if it is one: a handler acts on what arrived
// completely, or not at all. FormValue would take what is missing for empty. Large bodies are read only of those who
// may send them.
func (s *Server) readBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if isBundle(c) && !page.Viewer(c).MayCreateTournament() || page.IsLongList(c) {
			return next(c) // is refused by the guard, or read by its handler
		}
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return transportFault(err)
		}
		if r.Context().Err() != nil {
			return page.ErrSlow
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		if r.Method != http.MethodGet && readForm(r) != nil {
			return page.ErrBadRequest
		}
		if !isUTF8(r, raw) {
			return page.ErrNotUTF8
		}
		return next(c)
	}
}

// isUTF8 reports whether all that a request says is: browsers and JSON write nothing else, and readers of JSON would put
// signs of replacement where bytes are none. Uploaded files are in any encoding, for package intake to find out.
func isUTF8(r *http.Request, body []byte) bool {
	if !utf8.ValidString(r.URL.Path) || r.MultipartForm == nil && !utf8.Valid(body) {
		return false
	}
	values := []url.Values{r.PostForm}
	if r.URL.RawQuery != "" {
		values = append(values, r.URL.Query())
	}
	if r.MultipartForm != nil {
		values = append(values, r.MultipartForm.Value)
	}
	isNone := func(text string) bool { return !utf8.ValidString(text) }
	for _, v := range values {
		for key, of := range v {
			if isNone(key) || slices.ContainsFunc(of, isNone) {
				return false
			}
		}
	}
	return true
}

func readForm(r *http.Request) error {
	switch kind := r.Header.Get(echo.HeaderContentType); {
	case strings.HasPrefix(kind, echo.MIMEApplicationForm):
		return r.ParseForm()
	case strings.HasPrefix(kind, echo.MIMEMultipartForm):
		return r.ParseMultipartForm(formMemory)
	}
	return nil
}

// formMemory bounds the part of a form with files that stays in memory; net/http has the same default.
const formMemory = 32 << 20

// transportFault returns the refusal of a body that did not arrive completely.
func transportFault(err error) error {
	var tooLarge *echo.HTTPError
	switch {
	case errors.As(err, &tooLarge):
		return tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return page.ErrSlow
	}
	return page.ErrBadRequest
}

// ipExtractor trusts X-Forwarded-For only from the given proxies.
func ipExtractor(trusted []netip.Prefix) echo.IPExtractor {
	if len(trusted) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range trusted {
		bits := p.Addr().BitLen()
		options = append(options, echo.TrustIPRange(&net.IPNet{IP: p.Masked().Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), bits)}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}
