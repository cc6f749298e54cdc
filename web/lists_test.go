package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
)

func TestListsAreNarrowedDown(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna := n.as(n.players["anna"], lang.English)
	visitor := n.browser(lang.English)
	shows := func(b *browser, path string, want, not string) {
		t.Helper()
		body := b.get(path).want(http.StatusOK).body
		if !strings.Contains(body, want) || strings.Contains(body, not) {
			t.Errorf("%s: want %s and not %s", path, want, not)
		}
	}
	n.host.post("/players/clara/follow").want(http.StatusOK)
	shows(n.host, "/players?show=followed", ">clara</a>", ">anna</a>")
	shows(n.host, "/players?show=people", ">anna</a>", "nobody-is-called-so")
	shows(n.host, "/players?show=bots", "Nothing matches", ">anna</a>")
	shows(visitor, "/players", ">anna</a>", "I follow")

	boss := n.as(n.account("boss", player.Operator), lang.English)
	for _, name := range []string{"Dragons", "Lions"} {
		boss.post("/clubs", "name", name).want(http.StatusOK)
	}
	shows(boss, "/clubs?show=mine&q=lio", "<h2>Lions</h2>", "<h2>Dragons</h2>")
	shows(visitor, "/clubs?q=drag", "<h2>Dragons</h2>", "<h2>Lions</h2>")
	shows(boss, "/clubs?show=mine&q=lio", `<a href="/clubs?show=mine" aria-label="Remove filter: “lio”">`, "no such thing")
	shows(anna, "/clubs?show=mine", "Nothing matches", "<h2>Dragons</h2>")
	shows(anna, "/ladders?show=mine", "Nothing matches", "No ladders yet")
}
