package site

import (
	"bytes"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/ops/lan"
)

// TestAMachineThatMovesToAnotherNetworkSaysSo, and one that has none says that too.
func TestAMachineThatMovesToAnotherNetworkSaysSo(t *testing.T) {
	t.Parallel()
	at := "192.168.1.20"
	interfaces := func() ([]lan.Interface, error) {
		if at == "" {
			return nil, nil
		}
		return []lan.Interface{{Name: "wlan0", Up: true, Addrs: []netip.Addr{netip.MustParseAddr(at)}}}, nil
	}
	clock := func() time.Time { return time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC) }
	var out bytes.Buffer
	w := newRoomWatch("8080", interfaces, clock, slog.New(slog.NewTextHandler(io.Discard, nil)))
	w.tell(&out)
	for _, next := range []string{"192.168.1.20", "", "10.7.0.3"} {
		at = next
		if err := w.look(); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		"Everybody on this Wi-Fi opens http://192.168.1.20:8080", "Passkeys and push notices need https", "The network is gone",
		"it was http://192.168.1.20:8080, now everybody opens http://10.7.0.3:8080",
	} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("not said once: %q in\n%s", want, out.String())
		}
	}
}

// TestARoomDoesNotReachTheMachineItself: an address of its own is no address for guests.
func TestARoomDoesNotReachTheMachineItself(t *testing.T) {
	t.Parallel()
	c := fitting()
	if c.Lan = true; c.Check() != nil {
		t.Error(c.Check())
	}
	for _, addr := range []string{"127.0.0.1:9000", "localhost:8080", "[::1]:8080"} {
		if c.Addr = addr; c.Check() == nil {
			t.Errorf("%s passed", addr)
		}
	}
}

func TestARoomIsServedOnEveryNetwork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Addr: usualAddr}, usualAddr},
		{Config{Addr: usualAddr, Lan: true}, ":8080"},
		{Config{Addr: "192.168.1.20:80", Lan: true}, "192.168.1.20:80"},
	} {
		if got := c.config.listenAddr(); got != c.want {
			t.Errorf("%+v: %s", c.config, got)
		}
	}
}
