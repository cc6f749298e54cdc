package web_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/notice/telegram/telegramtest"
	"chpok.org/chpok/notice/webhook"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// chats is a club's evening with a channel on Discord, a group on Telegram and a program, by servers of ours.
type chats struct {
	*clubNight
	telegram *telegramtest.Server
	bot      *telegram.Bot
	sender   *webhook.Sender
	channel  []webhook.Embed // what the channel was sent
	bodies   []string        // what the program was sent
	answer   int             // of Discord
	wait     string
}

func newChats(t *testing.T) *chats {
	t.Helper()
	return newChatsOn(t, newClubNight(t))
}

func newChatsOn(t *testing.T, n *clubNight) *chats {
	t.Helper()
	c := &chats{clubNight: n, telegram: telegramtest.Start(t), answer: http.StatusNoContent}
	discord := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/program" {
			body, _ := io.ReadAll(r.Body)
			c.bodies = append(c.bodies, string(body))
			return
		}
		var got struct{ Embeds []webhook.Embed }
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || len(got.Embeds) != 1 || r.URL.Path != "/api/webhooks/42/token" {
			t.Errorf("%s: %+v, %v", r.URL, got, err)
			return
		}
		c.channel = append(c.channel, got.Embeds...)
		w.Header().Set("Retry-After", c.wait)
		w.WriteHeader(c.answer)
	}))
	t.Cleanup(discord.Close)
	client := discord.Client()
	transport := client.Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.ServerName = "example.com" // whom the server's certificate is for
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, discord.Listener.Addr().String())
	}
	client.Transport = transport
	log := slog.New(slog.DiscardHandler)
	c.bot = telegram.New(c.store, c.telegram.URL, c.clock.Now, log)
	c.write(telegram.Account{Token: telegramtest.Token, Name: telegramtest.Name, Base: "https://chpok.example"}.Save)
	c.sender = webhook.New(c.store, "https://chpok.example", client, webhook.Chats{Bot: c.bot, Words: c.web.News}, c.clock.Now, log)
	return c
}

// delivers sends all that is due, and returns what the group and the channel were told.
func (c *chats) delivers() (group []telegramtest.Message, channel []webhook.Embed) {
	c.t.Helper()
	c.channel, c.bodies = nil, nil
	for range 10 {
		if err := c.sender.Deliver(c.t.Context()); err != nil {
			c.t.Fatal(err)
		}
	}
	return c.telegram.Said(), c.channel
}

// adds lets the host add the bot to a group from the page of webhooks.
func (c *chats) adds(at string, group int64) {
	c.t.Helper()
	c.host.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer := c.host.post(at+"/webhooks", "do", "telegram").want(http.StatusSeeOther)
	c.host.client.CheckRedirect = nil
	link, err := url.Parse(answer.header.Get("Location"))
	if err != nil || link.Host != "t.me" || link.Path != "/"+telegramtest.Name {
		c.t.Fatalf("led to %s", link)
	}
	for range 2 { // the code serves once
		c.telegram.Add(group, "Dragons", link.Query().Get("startgroup"))
		if err := c.bot.Hear(c.t.Context()); err != nil {
			c.t.Fatal(err)
		}
	}
	if said := c.telegram.Said(); len(said) != 1 || said[0].Chat != group || !strings.Contains(said[0].Text, "will be told here") {
		c.t.Errorf("in the group: %+v", said)
	}
}

func TestAGroupAndAChannelReadOfPairingsRoundsAndTheEnd(t *testing.T) {
	t.Parallel()
	c := newChats(t)
	path := c.played()
	c.host.get(path+"/webhooks").want(http.StatusOK).wants("button", "Add Telegram group")
	c.adds(path, -1007)
	c.host.post(path+"/webhooks", "do", "add", "url", "https://discord.com/api/webhooks/42/token").want(http.StatusOK)
	page := c.host.get(path + "/webhooks").want(http.StatusOK).says("Telegram: Dragons").says("Discord: webhook 42")
	if strings.Contains(page.body, "42/token") || strings.Contains(page.body, "whsec_") {
		t.Error("secrets that staff need not see")
	}
	c.delivers()

	c.firstWins(path)
	group, channel := c.delivers()
	if len(group) != 1 || len(channel) != 1 {
		t.Fatalf("of the end: %+v, %+v", group, channel)
	}
	if !strings.Contains(group[0].Text, "is over\n\n1. ") || !strings.HasPrefix(group[0].Shows, "https://chpok.example"+path+"?at=") ||
		group[0].URL != group[0].Shows || group[0].Chat != -1007 {
		t.Errorf("the group: %+v", group[0])
	}
	if e := channel[0]; !strings.HasSuffix(e.Title, "is over") || !strings.HasPrefix(e.Description, "1. ") ||
		!strings.HasPrefix(e.Image.URL, "https://chpok.example"+path+"/picture.png?lang=en&at=") {
		t.Errorf("the channel: %+v", e)
	}
}

func TestAChatReadsOfAPairedRound(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	c := newChatsOn(t, n)
	c.host.post(path+"/webhooks", "do", "add", "url", "https://discord.com/api/webhooks/42/token").want(http.StatusOK)
	c.host.post(path + "/rounds").want(http.StatusOK)
	_, channel := c.delivers()
	if len(channel) != 1 || !strings.Contains(channel[0].Title, "Round 1") || !strings.Contains(channel[0].Description, "1. ") ||
		!strings.Contains(channel[0].Description, " – ") {
		t.Errorf("of a round: %+v", channel)
	}
	if all := c.hooks(path); all[0].Lang != string(lang.English) {
		t.Errorf("told in %q", all[0].Lang)
	}
	// All of this waits together; only one of it ends the round.
	n.firstWins(path)
	c.host.post(path+"/entries", "handle", "Olena").want(http.StatusOK)
	if _, channel = c.delivers(); len(channel) != 1 || !strings.Contains(channel[0].Title, "Round 1") ||
		!strings.HasPrefix(channel[0].Description, "1. ") || strings.Contains(channel[0].Description, "Olena") {
		t.Errorf("of the end of a round: %+v", channel)
	}
	c.host.post(path+"/pairings").want(http.StatusOK).wants("heading", "Draft of round 2")
	if _, channel = c.delivers(); len(channel) != 0 {
		t.Errorf("of a draft: %+v", channel)
	}
}

// TestAChatThatAsksToWaitIsWaitedFor and one that is gone is given up.
func TestAChatThatAsksToWaitIsWaitedFor(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	c := newChatsOn(t, n)
	c.host.post(path+"/webhooks", "do", "add", "url", "https://discord.com/api/webhooks/42/token").want(http.StatusOK)
	c.answer, c.wait = http.StatusTooManyRequests, "600"
	c.host.post(path + "/rounds").want(http.StatusOK)
	c.delivers()
	c.clock.advance(9 * time.Minute)
	if _, channel := c.delivers(); len(channel) != 0 {
		t.Error("asked too early")
	}
	c.answer = http.StatusNotFound
	c.clock.advance(2 * time.Minute)
	if _, channel := c.delivers(); len(channel) != 1 || c.hooks(path)[0].Stopped.IsZero() {
		t.Errorf("a channel that is no more: %+v", channel)
	}
}

func (c *chats) hooks(path string) (list []notice.Hook) {
	c.t.Helper()
	c.write(func(tx *store.Tx) (err error) {
		list, err = tx.Hooks(notice.TopicOf(notice.OfTournament, string(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))))
		return err
	})
	return list
}
