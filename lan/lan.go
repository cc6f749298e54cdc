// Package lan decides under which address a room's Wi-Fi reaches this machine, and
// notices when that changes. It refuses to open sockets and to read a clock:
// interfaces and moments are passed in.
package lan

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Interface is one of the machine's ways out.
type Interface struct {
	Name  string
	Up    bool
	Addrs []netip.Addr
}

// Interfaces are those of this machine now.
func Interfaces() ([]Interface, error) {
	found, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	var list []Interface
	for _, f := range found {
		x := Interface{Name: f.Name, Up: f.Flags&net.FlagUp != 0 && f.Flags&net.FlagLoopback == 0}
		addrs, err := f.Addrs()
		if err != nil {
			continue // it went away meanwhile
		}
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				x.Addrs = append(x.Addrs, p.Addr())
			}
		}
		list = append(list, x)
	}
	return list, nil
}

// made are the beginnings of names of interfaces that lead to other programs on the
// same machine, or far away, and not into the room.
var made = []string{"docker", "br-", "veth", "virbr", "vbox", "vmnet", "vmware", "tun", "tap", "utun",
	"wg", "zt", "tailscale", "cni", "flannel", "podman", "lxc"}

// Choose is the address that people in the room can reach; false: there is none.
// Wi-Fi goes before cables, and what programs have made comes last.
func Choose(list []Interface) (netip.Addr, bool) {
	type choice struct {
		addr netip.Addr
		rank int
		name string
	}
	var all []choice
	for _, x := range list {
		for _, a := range x.Addrs {
			a = a.Unmap()
			if !x.Up || a.IsLoopback() || a.IsUnspecified() || !a.Is4() || !a.IsPrivate() && !a.IsLinkLocalUnicast() && !isShared(a) {
				continue
			}
			all = append(all, choice{a, rank(x.Name, a), x.Name})
		}
	}
	if len(all) == 0 {
		return netip.Addr{}, false
	}
	best := slices.MinFunc(all, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.name, b.name), a.addr.Compare(b.addr))
	})
	return best.addr, true
}

// isShared tells the addresses that carriers share out (RFC 6598): phones give them
// to those who use them as a hot spot.
func isShared(a netip.Addr) bool { return netip.MustParsePrefix("100.64.0.0/10").Contains(a) }

func rank(name string, a netip.Addr) int {
	name = strings.ToLower(name)
	n := 2
	switch {
	case slices.ContainsFunc(made, func(p string) bool { return strings.HasPrefix(name, p) }):
		n = 6
	case strings.HasPrefix(name, "wl"), strings.HasPrefix(name, "wi-fi"), strings.HasPrefix(name, "ap"), name == "en0":
		n = 0
	}
	if a.IsLinkLocalUnicast() { // nobody gave it an address
		n++
	}
	return n
}

// State is where the room finds the site.
type State struct {
	Base  string    // "http://192.168.1.20:8080"; empty: nowhere, there is no network
	Was   string    // what it was before it changed; empty: it has not
	Since time.Time // when it changed
}

// Room remembers where that is.
type Room struct {
	port string

	mu    sync.Mutex
	state State
}

// NewRoom is a room that has not been looked for yet.
func NewRoom(port string) *Room { return &Room{port: port} }

// State is where the room finds the site, as it was looked for last.
func (r *Room) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Look finds out where the room finds the site now; changed tells that it is
// somewhere else than before. A network that is gone for a while, as when a laptop
// sleeps, and comes back as it was has not changed.
func (r *Room) Look(list []Interface, now time.Time) (s State, changed bool) {
	base := ""
	if a, ok := Choose(list); ok {
		base = "http://" + net.JoinHostPort(a.String(), r.port)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if base == r.state.Base {
		return r.state, false
	}
	last := cmp.Or(r.state.Base, r.state.Was)
	switch {
	case base == "":
		r.state = State{Was: last, Since: now}
	case last == "" || base == last:
		r.state = State{Base: base}
	default:
		r.state = State{Base: base, Was: last, Since: now}
	}
	return r.state, true
}
