package lan_test

import (
	"net/netip"
	"testing"
	"time"

	"chpok.org/chpok/ops/lan"
)

func way(name string, addrs ...string) lan.Interface {
	x := lan.Interface{Name: name, Up: true}
	for _, a := range addrs {
		x.Addrs = append(x.Addrs, netip.MustParseAddr(a))
	}
	return x
}

func TestTheAddressOfTheRoomIsChosen(t *testing.T) {
	t.Parallel()
	off := way("wlan1", "192.168.9.9")
	off.Up = false
	for _, c := range []struct {
		name string
		list []lan.Interface
		want string
	}{
		{"Wi-Fi before a cable", []lan.Interface{way("eth0", "10.0.0.5"), way("wlp3s0", "192.168.1.20", "fe80::1")}, "192.168.1.20"},
		{"a cable before what programs make", []lan.Interface{way("docker0", "172.17.0.1"), way("enp5s0", "10.0.0.5")}, "10.0.0.5"},
		{"what programs make before nothing", []lan.Interface{way("docker0", "172.17.0.1")}, "172.17.0.1"},
		{"not this machine only", []lan.Interface{way("lo", "127.0.0.1")}, ""},
		{"not the internet", []lan.Interface{way("eth0", "203.0.113.7")}, ""},
		{"not what is switched off", []lan.Interface{off}, ""},
		{"a phone's hot spot", []lan.Interface{way("wlan0", "100.72.3.4")}, "100.72.3.4"},
		{"an address that was given before one that was not", []lan.Interface{way("eth1", "169.254.3.4"), way("eth2", "192.168.0.2")}, "192.168.0.2"},
		{"nothing", nil, ""},
	} {
		got, ok := lan.Choose(c.list)
		if ok != (c.want != "") || ok && got.String() != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestALaptopThatSleepsAndMovesSaysSo: a network that comes back as it was has not
// changed; another address is told, with the one before.
func TestALaptopThatSleepsAndMovesSaysSo(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC)
	home, hall := []lan.Interface{way("wlan0", "192.168.1.20")}, []lan.Interface{way("wlan0", "10.7.0.3")}
	r := lan.NewRoom("8080")
	for i, step := range []struct {
		list    []lan.Interface
		base    string
		was     string
		changed bool
	}{
		{home, "http://192.168.1.20:8080", "", true},
		{home, "http://192.168.1.20:8080", "", false},
		{nil, "", "http://192.168.1.20:8080", true}, // asleep
		{home, "http://192.168.1.20:8080", "", true},
		{nil, "", "http://192.168.1.20:8080", true},
		{hall, "http://10.7.0.3:8080", "http://192.168.1.20:8080", true},
		{hall, "http://10.7.0.3:8080", "http://192.168.1.20:8080", false},
	} {
		now := at.Add(time.Duration(i) * time.Minute)
		s, changed := r.Look(step.list, now)
		if s.Base != step.base || s.Was != step.was || changed != step.changed || r.State() != s {
			t.Errorf("step %d: %+v, changed %v", i, s, changed)
		}
		if changed && s.Was != "" && !s.Since.Equal(now) {
			t.Errorf("step %d: since %v", i, s.Since)
		}
	}
}
