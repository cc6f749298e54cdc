package civil_test

import (
	"strings"
	"testing"

	"chpok.org/chpok/civil"
)

func TestTheFirstNameThatIsAZoneCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"", "Local", "Kyiv", strings.Repeat("a", civil.MaxZoneName+1)}, ""},
		{[]string{"Europe/Kyiv", "America/New_York"}, "Europe/Kyiv"},
		{[]string{"Nowhere/None", "", "America/New_York"}, "America/New_York"},
		{[]string{"../../etc/passwd", "UTC"}, "UTC"},
	} {
		got := ""
		if zone := civil.Zone(c.names...); zone != nil {
			got = zone.String()
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}
