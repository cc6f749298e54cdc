package web_test

import (
	"context"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
)

// TestWhatIsPlayedIsWatchedOnOnePage, by one stream; the result stays for a
// minute, then the match is among the finished.
func TestWhatIsPlayedIsWatchedOnOnePage(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	c := newContest(t, short(1))
	watcher := c.browser(lang.English)
	page := watcher.get("/tv").want(http.StatusOK).wants("heading", "Olena\u00a0– Taras").wants("link", "Watch Olena\u00a0– Taras")
	if !strings.Contains(page.body, "is-bidding") || strings.Contains(page.body, "No match") {
		t.Error("the bidding is not shown in small")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	next := c.stream(ctx, watcher, html.UnescapeString(regexp.MustCompile(`data-feed="(/tv/feed[^"]*)"`).FindStringSubmatch(page.body)[1]))
	c.toBoard()
	c.moves("e2e4")
	for {
		_, event, data := next()
		if event == "swap" && strings.Contains(data, "tv-featured") && strings.Contains(data, "is-playing") {
			break // the page's own places hold nothing else
		}
	}
	watcher.get("/tv?show=bidding").want(http.StatusOK).says("No such match right now.").wantsNo("link", "Watch Olena\u00a0– Taras")
	watcher.get("/tv?show=board").want(http.StatusOK).wants("link", "Watch Olena\u00a0– Taras")
	c.act(c.second, "act", "resign")
	c.clock.advance(59 * time.Second)
	over := watcher.get("/tv").want(http.StatusOK).wants("link", "Replay Olena\u00a0– Taras").says("Olena wins")
	if strings.Contains(over.body, "Nobody is playing") {
		t.Error("the result has gone before a minute")
	}
	c.clock.advance(time.Second)
	watcher.get("/tv").want(http.StatusOK).says("Nobody is playing right now. These finished last.").wants("link", "Replay Olena\u00a0– Taras")
	if list := watcher.get("/matches").want(http.StatusOK).body; !regexp.MustCompile(`(?s)>Olena</b>.{0,400}is-won.*>Taras</b>.{0,400}is-lost|is-lost.*>Olena</b>.{0,400}is-won`).MatchString(list) {
		t.Error("the list does not say who won")
	}
}
