package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/notice/webhook"
	"chpok.org/chpok/templates/lang"
)

// tellsAll lets a group, a channel and a program be told of an event.
func (c *chats) tellsAll(path string) {
	c.t.Helper()
	c.adds(path, -1007)
	for _, to := range []string{"https://discord.com/api/webhooks/42/token", "https://club.example/program"} {
		c.host.post(path+"/webhooks", "do", "add", "url", to).want(http.StatusOK)
	}
	c.delivers()
}

// toldNothing checks that what is due tells nobody anything.
func (c *chats) toldNothing(of string) {
	c.t.Helper()
	if group, channel := c.delivers(); len(group)+len(channel)+len(c.bodies) > 0 {
		c.t.Errorf("%s: the group was told %+v, the channel %+v, the program %q", of, group, channel, c.bodies)
	}
}

// toldTypes are what the program was told, in order; each message names the event and where to ask, and nothing else.
func (c *chats) toldTypes() (types []string) {
	c.t.Helper()
	for _, body := range c.bodies {
		var m webhook.Message
		d := json.NewDecoder(strings.NewReader(body))
		if d.DisallowUnknownFields(); d.Decode(&m) != nil {
			c.t.Errorf("a program was told %s", body)
		}
		types = append(types, m.Type)
	}
	return types
}

// TestOfADelayedMatchNothingLeavesEarly: of its moves nobody is told, and of its end what the table says to everybody at that moment.
func TestOfADelayedMatchNothingLeavesEarly(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	c := newChatsOn(t, g.clubNight)
	c.tellsAll(g.path)
	visitor := g.browser(lang.English)
	picture := func() string { return visitor.get(g.url() + "/picture.png").want(http.StatusOK).body }
	events := func() string {
		return visitor.get("/api/v1/matches/" + string(g.id) + "/events").want(http.StatusOK).body
	}
	drawn, listed := picture(), events()
	g.toBoard()
	g.play(opening...)
	c.toldNothing("moves that nobody may see yet")
	if picture() != drawn || events() != listed {
		t.Error("the picture or the events show moves that nobody may see yet")
	}
	g.act(0, "act", "resign")
	group, channel := c.delivers()
	var table struct {
		Standings []struct {
			Player playerName
			Score  float64
		}
	}
	if err := json.Unmarshal([]byte(visitor.get("/api/v1"+g.path).want(http.StatusOK).body), &table); err != nil || len(table.Standings) != 2 {
		t.Fatal(err, table)
	}
	places := ""
	for i, x := range table.Standings {
		places += fmt.Sprintf("\n%d. %s %v", i+1, x.Player, x.Score)
	}
	if len(group) != 1 || group[0].Text != "Friday is over\n"+places {
		t.Errorf("the group was told %+v; everybody reads%s", group, places)
	}
	if len(channel) != 1 || "\n"+channel[0].Description != places {
		t.Errorf("the channel was told %+v; everybody reads%s", channel, places)
	}
	if got := fmt.Sprint(c.toldTypes()); got != "[tournament.record tournament.conclude tournament.rate]" {
		t.Errorf("the program was told %s", got)
	}
	if events() != listed { // the picture has the ratings now, which count the result
		t.Error("the events show what nobody may see yet")
	}
	if g.clock.advance(2 * time.Minute); events() == listed {
		t.Error("after the delay they show nothing more")
	}
	c.toldNothing("a delay that has passed")
}

// TestOfAHiddenEventNothingLeaves although it was public when it happened, nor of what only staff see.
func TestOfAHiddenEventNothingLeaves(t *testing.T) {
	t.Parallel()
	c := newChats(t)
	path := c.create("format", "swiss", "rounds", "3", "pace", "manual")
	visitor := c.browser(lang.English)
	picture := func(want int) string { return visitor.get(path + "/picture.png").want(want).body }
	enters := func(handle string) { c.host.post(path+"/entries", "handle", handle).want(http.StatusOK) }
	c.tellsAll(path)
	enters("anna")
	if c.delivers(); fmt.Sprint(c.toldTypes()) != "[tournament.enter]" {
		t.Errorf("of an entry the program was told %q", c.bodies)
	}
	enters("borys")
	c.host.post(path+"/life/hide", "reason", "too early").want(http.StatusOK)
	enters("clara")
	c.toldNothing("an event that was hidden meanwhile")
	picture(http.StatusNotFound)
	c.host.get(path + "/webhooks").want(http.StatusOK).says("not sent: not public")
	c.host.post(path+"/webhooks", "do", "try", "hook", c.hooks(path)[0].ID).want(http.StatusOK)
	c.toldNothing("a trial of a hidden event")

	c.host.post(path + "/registration").want(http.StatusOK)
	enters("danylo")
	c.host.post(path + "/start").want(http.StatusOK)
	c.delivers()
	drawn := picture(http.StatusOK)
	c.host.post(path+"/pairings").want(http.StatusOK).wants("heading", "Draft of round 1")
	c.toldNothing("a draft")
	if picture(http.StatusOK) != drawn {
		t.Error("the picture shows a draft")
	}
	c.host.post(path + "/pairings/edit/publish").want(http.StatusOK)
	group, channel := c.delivers()
	if len(group) != 1 || !strings.HasPrefix(group[0].Text, "Friday: Round 1\n\n1. ") || len(channel) != 1 || len(c.toldTypes()) != 1 {
		t.Errorf("of what was published: %+v, %+v, %q", group, channel, c.bodies)
	}
}
