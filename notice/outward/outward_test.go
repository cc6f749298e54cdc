package outward

import (
	"net/netip"
	"testing"
)

// TestOnlyTheOpenNetIsAsked: what stands beside the site, or stands for that, is not.
func TestOnlyTheOpenNetIsAsked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"142.250.1.1": true, "2a00:1450:4001::5f": true,
		"127.0.0.1": false, "10.1.2.3": false, "192.168.1.1": false, "169.254.169.254": false, "0.1.2.3": false, "224.0.0.1": false,
		"100.100.100.200": false, // where a cloud keeps its secrets, in the carriers' network
		"64:ff9b::a00:1":  false, // 10.0.0.1 behind NAT64
		"2002:a00:1::1":   false, // and by 6to4
		"fd00::1":         false,
		"::1":             false,
	} {
		if got := isOutside(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
