package page

import (
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"chpok.org/chpok/refusal"
)

// LimitClass is a kind of requests that is counted separately, by account or, for visitors, by network.
type LimitClass struct {
	Name  string
	Rate  rate.Limit
	Burst int
}

var (
	limitRead = LimitClass{"read", 30, 300}
	// openStreams bounds how many are open; this bounds how fast they return.
	limitStream = LimitClass{"stream", 100, 2000}
	limitWrite  = LimitClass{"write", 10, 100}
	LimitAPI    = LimitClass{"api", 100, 1000}
	LimitSignIn = LimitClass{"sign-in", rate.Every(6 * time.Second), 10}
	// Sign-ins to one handle from anywhere; beyond that, LimitOwnTries by handle and address.
	LimitHandle   = LimitClass{"handle", rate.Every(2 * time.Second), 30}
	LimitOwnTries = LimitClass{"own tries", rate.Every(5 * time.Minute), 3}
	LimitTalk     = LimitClass{"talk", rate.Every(3 * time.Second), 6}  // messages of an account in chats of tournaments
	LimitTell     = LimitClass{"tell", rate.Every(2 * time.Second), 20} // reports of a match page about itself
	LimitSignUp   = LimitClass{"sign-up", rate.Every(time.Minute), 10}
	LimitGuest    = LimitClass{"guest", rate.Every(time.Minute), 20} // a school class may share one address
	// Tries of an account at entry codes and codes of clubs, which may be short.
	limitCode = LimitClass{"code", rate.Every(6 * time.Second), 10}
	// An archive reads all matches that it holds.
	LimitArchive = LimitClass{"archive", rate.Every(20 * time.Second), 5}
	// Pictures to draw for an address; those in the cache are free.
	LimitPicture   = LimitClass{"picture", 2, 60}
	LimitAnimation = LimitClass{"animation", rate.Every(10 * time.Second), 5}
)

// limits counts on this node only, so n nodes allow n times as much.
type limits struct{ buckets busy[string, *rate.Limiter] }

// Take counts a request, or returns how long to wait until it may come.
func (l *limits) Take(class LimitClass, key string, now time.Time) (wait time.Duration) {
	l.buckets.use(class.Name+" "+key, now, func(b **rate.Limiter) {
		if *b == nil {
			*b = rate.NewLimiter(class.Rate, class.Burst)
		}
		r := (*b).ReserveN(now, 1)
		if wait = r.DelayFrom(now); wait > 0 {
			r.CancelAt(now)
		}
	})
	return wait
}

// Count counts a request for a key; ErrTooMany if it exceeds the limit.
func (s *Site) Count(c echo.Context, class LimitClass, key string) error {
	wait := s.Limits.Take(class, key, s.Now())
	if wait == 0 {
		return nil
	}
	return TooMany(c, wait)
}

// TooMany returns ErrTooMany with the time to wait, and sets the Retry-After header.
func TooMany(c echo.Context, wait time.Duration) error {
	wait = ComeBack(c, wait)
	return refusal.Case(ErrTooMany, ErrTooMany.Error()+", wait "+wait.String(), "Wait", wait)
}

// ComeBack sets the Retry-After header and returns its time: wait in whole seconds, rounded up.
func ComeBack(c echo.Context, wait time.Duration) time.Duration {
	wait = (wait + time.Second - 1).Truncate(time.Second)
	c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(wait/time.Second)))
	return wait
}

// SayWhen sets the Retry-After header if the refusal knows a time.
func SayWhen(c echo.Context, refused error, now time.Time) {
	if e, ok := errors.AsType[*refusal.Error](refused); ok && !e.Next.IsZero() {
		ComeBack(c, e.Next.Sub(now))
	}
}

// Network returns the key to count a visitor's requests by: the IPv4 address or the IPv6 /64, all of which belongs to
// one household.
func Network(c echo.Context) string {
	address, err := netip.ParseAddr(c.RealIP())
	if err != nil {
		return c.RealIP()
	}
	address = address.Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	prefix, _ := address.Prefix(64) // fails only for lengths over 128
	return prefix.String()
}

// Limit is the middleware that limits all requests but those for static files.
func (s *Site) Limit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if IsStatic(c) {
			return next(c)
		}
		class := limitRead
		switch {
		case IsFeed(c):
			class = limitStream
		case strings.HasPrefix(c.Request().URL.Path, "/api/"):
			class = LimitAPI
		case c.Request().Method != http.MethodGet:
			class = limitWrite
		}
		if err := s.Within(c, class); err != nil {
			return err
		}
		return next(c)
	}
}

// whose returns the key to count a request by: the account, else the network.
func whose(c echo.Context) string {
	if v := Viewer(c); v.IsSignedIn() {
		return "player " + string(v.ID)
	}
	return "ip " + Network(c)
}

// Within counts a request of the viewer's account or else network; ErrTooMany if it exceeds the limit.
func (s *Site) Within(c echo.Context, class LimitClass) error { return s.Count(c, class, whose(c)) }

// MayTry counts a try at a code, to slow down guessing.
func (s *Site) MayTry(c echo.Context, code string) error {
	if code == "" {
		return nil
	}
	return s.Within(c, limitCode)
}
