// Package outward makes clients for addresses that anybody may have entered. They connect to what a name was resolved to
// and found outside, so that nobody reaches into the site's own network by a name that changes in between.
package outward

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

type insideError struct{}

func (insideError) Error() string { return "outward: address inside the network" }

// IsInside reports whether an error of a client says that an address is inside the site's own network.
func IsInside(err error) bool {
	_, isInside := errors.AsType[insideError](err)
	return isInside
}

// Client returns a client that waits so long for an answer and follows no redirects. It connects to public addresses
// only, unless inside is allowed.
func Client(patience time.Duration, inside bool) *http.Client {
	dialer := &net.Dialer{Timeout: min(patience, 5*time.Second)}
	if !inside {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil || !isOutside(at.Addr().Unmap()) {
				return insideError{}
			}
			return nil
		}
	}
	return &http.Client{
		Timeout:       patience,
		Transport:     &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Networks that netip does not call private but that are not public either: carriers',
// which clouds use internally (RFC 6598), and those that may embed IPv4 addresses (RFC
// 6052, 8215, 3056).
var insides = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"),
}

func isOutside(ip netip.Addr) bool {
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(insides, func(p netip.Prefix) bool { return p.Contains(ip) })
}
