package page

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
)

// TestStreamsAreCountedWhileTheyAreOpen, for an account wherever it comes from,
// for visitors by address.
func TestStreamsAreCountedWhileTheyAreOpen(t *testing.T) {
	t.Parallel()
	s := &Site{streams: openStreams{perAccount: 2, perAddress: 3}, Now: time.Now}
	admit := func(who player.ID, from string) (func(), bool) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = from + ":1"
		c := echo.New().NewContext(r, httptest.NewRecorder())
		if who != "" {
			c.Set(ViewerKey, player.Viewer{Player: player.Player{ID: who}})
		}
		end, err := admitStream(s, c)
		var refused *tooManyError
		if err != nil && (!errors.As(err, &refused) || refused.wait != 30*time.Second) {
			t.Errorf("%v does not say how long to wait", err)
		}
		return end, err == nil
	}
	var ends []func()
	for i, c := range []struct {
		who  player.ID
		from string
		want bool
	}{
		{"ana", "192.0.2.1", true}, {"ana", "192.0.2.2", true}, {"ana", "192.0.2.3", false},
		{"bob", "192.0.2.1", true}, // the account of another
		{"", "192.0.2.1", true}, {"", "192.0.2.1", true}, {"", "192.0.2.1", true}, {"", "192.0.2.1", false},
		{"bob", "192.0.2.1", true}, // a crowd of visitors does not keep a player out
		{"", "192.0.2.9", true},
	} {
		end, ok := admit(c.who, c.from)
		if ok != c.want {
			t.Errorf("stream %d of %q from %s: %v", i+1, c.who, c.from, ok)
		}
		if ok {
			ends = append(ends, end)
		}
	}
	ends[0]() // ana closes a tab
	if _, ok := admit("ana", "192.0.2.3"); !ok {
		t.Error("a closed stream still counts")
	}
	for _, end := range ends[1:] {
		end()
	}
	if n := len(s.streams.open); n != 1 {
		t.Errorf("%d remembered, want the one that is open", n)
	}
}
