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
)

// LimitClass is one kind of request that is counted by itself, for each account
// or, without one, each network address.
type LimitClass struct {
	Name  string
	Rate  rate.Limit
	Burst int
}

var (
	limitRead = LimitClass{"read", 30, 300}
	// Streams are bounded by how many are open; this is how fast they come back.
	limitStream = LimitClass{"stream", 100, 2000}
	limitWrite  = LimitClass{"write", 10, 100}
	LimitAPI    = LimitClass{"api", 100, 1000}
	LimitSignIn = LimitClass{"sign-in", rate.Every(6 * time.Second), 10}
	// By handle, from wherever; beyond that, by handle and address.
	LimitHandle   = LimitClass{"handle", rate.Every(2 * time.Second), 30}
	LimitOwnTries = LimitClass{"own tries", rate.Every(5 * time.Minute), 3}
	LimitTalk     = LimitClass{"talk", rate.Every(3 * time.Second), 6}  // of one account in the chats of tournaments
	LimitTell     = LimitClass{"tell", rate.Every(2 * time.Second), 20} // what a match page tells of itself
	LimitSignUp   = LimitClass{"sign-up", rate.Every(time.Minute), 10}
	LimitGuest    = LimitClass{"guest", rate.Every(time.Minute), 20} // a class of pupils may come from one address
	// Of one account in codes of entry and of clubs, which people make up short.
	limitCode = LimitClass{"code", rate.Every(6 * time.Second), 10}
	// Archives, each of which reads every match that it holds.
	LimitArchive = LimitClass{"archive", rate.Every(20 * time.Second), 5}
	// Of one address in pictures that have to be drawn; those that were are free.
	LimitPicture   = LimitClass{"picture", 2, 60}
	LimitAnimation = LimitClass{"animation", rate.Every(10 * time.Second), 5}
)

// limits counts on this node only: n nodes allow n times as much.
type limits struct{ buckets busy[string, *rate.Limiter] }

// Take counts one, or answers how long to wait for it.
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

// tooManyError is errTooMany with the time after which one more is taken.
type tooManyError struct{ wait time.Duration }

func (e *tooManyError) Error() string { return ErrTooMany.Error() + ", wait " + e.wait.String() }
func (e *tooManyError) Unwrap() error { return ErrTooMany }

// Count takes one for a key; errTooMany when that was one too many.
func (s *Site) Count(c echo.Context, class LimitClass, key string) error {
	wait := s.Limits.Take(class, key, s.Now())
	if wait == 0 {
		return nil
	}
	return TooMany(c, wait)
}

// TooMany tells when to come back.
func TooMany(c echo.Context, wait time.Duration) error {
	return &tooManyError{ComeBack(c, wait)}
}

// ComeBack says when in the header, in whole seconds.
func ComeBack(c echo.Context, wait time.Duration) time.Duration {
	wait = (wait + time.Second - 1).Truncate(time.Second)
	c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(wait/time.Second)))
	return wait
}

// SayWhen says in the header when to come back after a refusal that knows it.
func SayWhen(c echo.Context, refused error, now time.Time) {
	var later interface{ Again() time.Time }
	if errors.As(refused, &later) {
		ComeBack(c, later.Again().Sub(now))
	}
}

// Network is where a request comes from, for counting: the address, or of IPv6
// the network of 64 bits, in which every household has addresses without end.
func Network(c echo.Context) string {
	address, err := netip.ParseAddr(c.RealIP())
	if err != nil {
		return c.RealIP()
	}
	address = address.Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	prefix, _ := address.Prefix(64) // fails for longer ones only
	return prefix.String()
}

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

// whose names whom a request is counted for: the account, or else the network.
func whose(c echo.Context) string {
	if v := Viewer(c); v.IsSignedIn() {
		return "player " + string(v.ID)
	}
	return "ip " + Network(c)
}

// Within counts a request, for the account or else the network that asks;
// errTooMany when that was one too many.
func (s *Site) Within(c echo.Context, class LimitClass) error { return s.Count(c, class, whose(c)) }

// MayTry counts the codes that somebody tries: who guesses one is kept waiting.
func (s *Site) MayTry(c echo.Context, code string) error {
	if code == "" {
		return nil
	}
	return s.Within(c, limitCode)
}
