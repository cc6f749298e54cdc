package web_test

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chpok.org/chpok/notice/telegram/telegramtest"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// press presses the button of a page that bears a text, in a part of it or anywhere, with what is entered besides. It does not
// follow where Telegram is next.
func (b *browser) press(p page, part, button string, entered ...string) page {
	p.t.Helper()
	for n := range p.root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "button" || text(n) != button {
			continue
		}
		var form *html.Node
		inPart := part == ""
		for up := range n.Ancestors() {
			if up.Data == "form" && form == nil {
				form = up
			}
			label, _ := attr(up, "aria-label")
			inPart = inPart || label == part
		}
		if form == nil || !inPart {
			continue
		}
		fields := entered
		for x := range form.Descendants() {
			name, _ := attr(x, "name")
			if kind, _ := attr(x, "type"); x == n || x.Data == "input" && kind == "hidden" {
				value, _ := attr(x, "value")
				fields = append(fields, name, value)
			}
		}
		action, _ := attr(form, "action")
		b.client.CheckRedirect = func(to *http.Request, _ []*http.Request) error {
			if to.URL.Host == "t.me" {
				return http.ErrUseLastResponse
			}
			return nil
		}
		defer func() { b.client.CheckRedirect = nil }()
		return b.post(action, fields...)
	}
	p.t.Fatalf("%s: no button %q in %q", p.path, button, part)
	return p
}

// step is a word in italics of docs/chats.md, and what is done where the guide says it; nil: another service has it.
type step struct {
	says string
	does func()
}

// TestTheGuideToChatsWorksAsItStands: every button that docs/chats.md names is pressed by that name, in its order, and what it
// promises in between is so.
func TestTheGuideToChatsWorksAsItStands(t *testing.T) {
	t.Parallel()
	c := newChats(t)
	guide, err := os.ReadFile("../docs/chats.md")
	if err != nil {
		t.Fatal(err)
	}
	owner := c.player("Olena")
	c.write(func(tx *store.Tx) error {
		return tx.AddClub(club.New("dragons", "Dragons", "", owner.ID, c.clock.Now()))
	})
	ukrainian := c.as(owner, lang.Ukrainian)
	group, channel := "Telegram: Dragons", "Discord: webhook 42"
	c.host.get("/clubs/dragons").want(http.StatusOK).wants("link", "Webhooks")
	at := func() page { return c.host.get("/clubs/dragons/webhooks").want(http.StatusOK) }
	joins := func(leads page) {
		link, err := url.Parse(leads.want(http.StatusSeeOther).header.Get("Location"))
		if err != nil || link.Host != "t.me" || link.Path != "/"+telegramtest.Name {
			t.Fatalf("led to %s", link)
		}
		c.telegram.Add(-1007, "Dragons", link.Query().Get("startgroup"))
		if err := c.bot.Hear(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var evening string
	steps := []step{
		{"Webhooks", func() { at().wants("heading", "Webhooks") }},
		{"Add Telegram group", func() {
			joins(c.host.press(at(), "", "Add Telegram group"))
			if said := c.telegram.Said(); len(said) != 1 || !strings.Contains(said[0].Text, "will be told here") {
				t.Errorf("in the group: %+v", said)
			}
			at().says(group)
		}},
		{"Send a trial", func() {
			c.host.press(at(), group, "Send a trial").want(http.StatusOK)
			if said, _ := c.delivers(); len(said) != 1 || said[0].Chat != -1007 || !strings.HasPrefix(said[0].Text, "A trial") {
				t.Errorf("of a trial: %+v", said)
			}
			joins(ukrainian.press(ukrainian.get("/clubs/dragons/webhooks"), "", "Додати групу в Telegram"))
			c.telegram.Said()
			ukrainian.press(ukrainian.get("/clubs/dragons/webhooks"), group, "Надіслати пробне").want(http.StatusOK)
			if said, _ := c.delivers(); len(said) != 1 || strings.HasPrefix(said[0].Text, "A trial") {
				t.Errorf("on a Ukrainian page: %+v", said)
			}
		}},
		{"Remove", func() {
			c.telegram.Block(-1007, false)
			c.host.press(at(), group, "Send a trial")
			if said, _ := c.delivers(); len(said) > 0 || !strings.Contains(at().body, "given up") {
				t.Errorf("a group without the bot was told %+v", said)
			}
			c.host.press(at(), group, "Remove").want(http.StatusOK).saysNot(group)
		}},
		{"Integrations", nil}, {"Webhooks", nil}, {"New Webhook", nil}, {"Copy Webhook URL", nil},
		{"Add webhook", func() {
			c.host.press(at(), "", "Add webhook", "url", "https://discord.com/api/webhooks/42/token").want(http.StatusOK).says(channel)
			evening = c.tellsAnEvening()
		}},
		{"given up", func() {
			c.answer = http.StatusNotFound
			c.host.press(at(), channel, "Send a trial")
			c.delivers()
			at().says("given up")
		}},
		{"Go on", func() {
			c.answer = http.StatusNoContent
			c.host.press(at(), channel, "Go on").want(http.StatusOK).saysNot("given up")
			c.host.post(evening + "/clone").want(http.StatusOK) // nothing to tell
			c.host.press(at(), channel, "Send a trial")
			if _, told := c.delivers(); len(told) == 0 {
				t.Error("nothing goes on")
			}
		}},
	}
	var says, named []string
	for _, m := range regexp.MustCompile(`(?:^|[^*])\*([^*\n]+)\*`).FindAllStringSubmatch(string(guide), -1) {
		says = append(says, m[1])
	}
	for _, s := range steps {
		named = append(named, s.says)
	}
	if !slices.Equal(says, named) {
		t.Fatalf("the guide says %q, this test does %q", says, named)
	}
	for _, s := range steps {
		if s.does != nil {
			s.does()
		}
	}
}

// tellsAnEvening holds an event of the club, of which the channel reads what the guide's table says: each round's boards, the first
// places after it, and the end, each with a picture that there is; of an arena, the end alone.
func (c *chats) tellsAnEvening() (path string) {
	c.t.Helper()
	path = c.create("format", "swiss", "rounds", "2", "pace", "manual", "clubId", "dragons")
	for _, handle := range []string{"anna", "borys", "clara", "danylo"} {
		c.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	c.host.post(path + "/start").want(http.StatusOK)
	c.delivers()
	reads := func(title, text string) {
		c.t.Helper()
		_, told := c.delivers()
		if len(told) != 1 || told[0].Title != title || !strings.HasPrefix(told[0].Description, "1. ") ||
			!strings.Contains(told[0].Description, text) {
			c.t.Fatalf("the channel reads %+v, not of %q", told, title)
		}
		for _, address := range []string{told[0].URL, told[0].Image.URL} {
			at, err := url.Parse(address)
			if err != nil || at.Host != "chpok.example" {
				c.t.Fatal(address, err)
			}
			c.browser(lang.English).get(at.RequestURI()).want(http.StatusOK)
		}
	}
	for _, title := range []string{"Friday: Round 1", "Friday: Round 2"} {
		c.host.post(path + "/rounds").want(http.StatusOK)
		reads(title, " – ")
		c.firstWins(path)
		if title == "Friday: Round 1" {
			reads("Friday: Round 1 is over", " 1\n")
		}
	}
	reads("Friday is over", " 2\n")

	var made struct{ ID string }
	c.program(c.player("Olena")).ask("POST", "/tournaments", `{"name":"The arena","format":"arena","clubId":"dragons"}`,
		http.StatusCreated, &made)
	arena := "/tournaments/" + made.ID
	for _, handle := range []string{"anna", "borys"} {
		c.host.post(arena+"/entries", "handle", handle).want(http.StatusOK)
	}
	c.host.post(arena + "/start").want(http.StatusOK)
	c.clock.advance(time.Minute)
	if _, told := c.delivers(); len(told) != 0 {
		c.t.Errorf("of an arena that runs: %+v", told)
	}
	c.host.post(arena + "/finish").want(http.StatusOK)
	reads("The arena is over", "anna")
	return path
}
