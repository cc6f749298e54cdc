// Package lan finds the address under which this machine is reached over a room's Wi-Fi,
// and notices when it changes. It opens no sockets and reads no clock: interfaces and
// times are passed in.
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

// Interface is a network interface of the machine.
type Interface struct {
	Name  string
	Up    bool
	Addrs []netip.Addr
}

// Interfaces returns the machine's interfaces now.
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
			continue // gone meanwhile
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

// virtual lists prefixes of the names of interfaces that lead to programs on the same
// machine or to remote networks, not into the room.
var virtual = []string{"docker", "br-", "veth", "virbr", "vbox", "vmnet", "vmware", "tun", "tap", "utun",
	"wg", "zt", "tailscale", "cni", "flannel", "podman", "lxc"}

// Choose returns the IPv4 address that people in the room can reach, if there is one.
// Wi-Fi goes before cables; virtual interfaces come last.
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
			if x.Up && a.Is4() && (a.IsPrivate() || a.IsLinkLocalUnicast() || isShared(a)) {
				all = append(all, choice{a, rank(x.Name, a), x.Name})
			}
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

// isShared reports whether a is in the shared address space of carriers (RFC 6598), which
// phones use for their hot spots.
func isShared(a netip.Addr) bool { return netip.MustParsePrefix("100.64.0.0/10").Contains(a) }

func rank(name string, a netip.Addr) int {
	name = strings.ToLower(name)
	n := 2
	switch {
	case slices.ContainsFunc(virtual, func(p string) bool { return strings.HasPrefix(name, p) }):
		n = 6
	case strings.HasPrefix(name, "wl"), strings.HasPrefix(name, "wi-fi"), strings.HasPrefix(name, "ap"), name == "en0":
		n = 0
	}
	if a.IsLinkLocalUnicast() { // self-assigned
		n++
	}
	return n
}

// State is where the room finds the site.
type State struct {
	Base  string    // such as "http://192.168.1.20:8080"; empty without a network
	Was   string    // the address before the last change; empty if there was none
	Since time.Time // time of the last change
}

// Room keeps track of that address.
type Room struct {
	port string

	mu    sync.Mutex
	state State
}

// NewRoom returns a room without an address yet.
func NewRoom(port string) *Room { return &Room{port: port} }

// State returns the address found last.
func (r *Room) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Look updates the address from the interfaces and reports whether it changed. A network
// that disappears for a while, as when a laptop sleeps, and returns with the same address
// has not changed.
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
