package web

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"
)

// limitClass is one kind of request that is counted by itself, for each account
// or, without one, each network address.
type limitClass struct {
	name  string
	rate  rate.Limit
	burst int
}

var (
	limitRead = limitClass{"read", 30, 300}
	// Streams are bounded by how many are open; this is how fast they come back.
	limitStream = limitClass{"stream", 100, 2000}
	limitWrite  = limitClass{"write", 10, 100}
	limitAPI    = limitClass{"api", 100, 1000}
	limitSignIn = limitClass{"sign-in", rate.Every(6 * time.Second), 10}
	// By handle, from wherever; beyond that, by handle and address.
	limitHandle   = limitClass{"handle", rate.Every(2 * time.Second), 30}
	limitOwnTries = limitClass{"own tries", rate.Every(5 * time.Minute), 3}
	limitTalk     = limitClass{"talk", rate.Every(3 * time.Second), 6}  // of one account in the chats of tournaments
	limitTell     = limitClass{"tell", rate.Every(2 * time.Second), 20} // what a match page tells of itself
	limitSignUp   = limitClass{"sign-up", rate.Every(time.Minute), 10}
	limitGuest    = limitClass{"guest", rate.Every(time.Minute), 20} // a class of pupils may come from one address
	// Of one account in codes of entry and of clubs, which people make up short.
	limitCode = limitClass{"code", rate.Every(6 * time.Second), 10}
	// Archives, each of which reads every match that it holds.
	limitArchive = limitClass{"archive", rate.Every(20 * time.Second), 5}
)

// limits counts on this node only: n nodes allow n times as much.
type limits struct{ buckets busy[string, *rate.Limiter] }

// take counts one, or answers how long to wait for it.
func (l *limits) take(class limitClass, key string, now time.Time) (wait time.Duration) {
	l.buckets.use(class.name+" "+key, now, func(b **rate.Limiter) {
		if *b == nil {
			*b = rate.NewLimiter(class.rate, class.burst)
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

func (e *tooManyError) Error() string { return errTooMany.Error() + ", wait " + e.wait.String() }
func (e *tooManyError) Unwrap() error { return errTooMany }

// count takes one for a key; errTooMany when that was one too many.
func (s *Server) count(c echo.Context, class limitClass, key string) error {
	wait := s.limits.take(class, key, s.now())
	if wait == 0 {
		return nil
	}
	return tooMany(c, wait)
}

// tooMany tells when to come back.
func tooMany(c echo.Context, wait time.Duration) error {
	return &tooManyError{comeBack(c, wait)}
}

// comeBack says when in the header, in whole seconds.
func comeBack(c echo.Context, wait time.Duration) time.Duration {
	wait = (wait + time.Second - 1).Truncate(time.Second)
	c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(wait/time.Second)))
	return wait
}

// network is where a request comes from, for counting: the address, or of IPv6
// the network of 64 bits, in which every household has addresses without end.
func network(c echo.Context) string {
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

func (s *Server) limit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if isStatic(c) {
			return next(c)
		}
		class := limitRead
		switch {
		case isFeed(c):
			class = limitStream
		case strings.HasPrefix(c.Request().URL.Path, "/api/"):
			class = limitAPI
		case c.Request().Method != get:
			class = limitWrite
		}
		if err := s.within(c, class); err != nil {
			return err
		}
		return next(c)
	}
}

// whose names whom a request is counted for: the account, or else the network.
func whose(c echo.Context) string {
	if v := viewer(c); v.IsSignedIn() {
		return "player " + string(v.ID)
	}
	return "ip " + network(c)
}

// within counts a request, for the account or else the network that asks;
// errTooMany when that was one too many.
func (s *Server) within(c echo.Context, class limitClass) error { return s.count(c, class, whose(c)) }

// mayTry counts the codes that somebody tries: who guesses one is kept waiting.
func (s *Server) mayTry(c echo.Context, code string) error {
	if code == "" {
		return nil
	}
	return s.within(c, limitCode)
}
