package web_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/notice/telegram/telegramtest"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// telegramSite is a site whose bot asks a server of ours.
type telegramSite struct {
	*site
	telegram *telegramtest.Server
	bot      *telegram.Bot
}

func newTelegramSite(t *testing.T) *telegramSite {
	t.Helper()
	s := &telegramSite{site: newSite(t), telegram: telegramtest.Start(t)}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	s.bot = telegram.New(s.store, s.telegram.URL, s.clock.Now, log)
	s.web = web.New(web.Deps{Store: s.store, Live: s.live, Arbiter: s.judge, Bot: s.bot, Now: s.clock.Now, Logger: log,
		Config: web.Config{BaseURL: "https://chpok.example"}})
	s.http = httptest.NewServer(s.web)
	t.Cleanup(func() {
		_ = s.web.CloseStreams(context.Background())
		s.http.Close()
	})
	return s
}

// follow lets whoever presses the button of their settings go on to Telegram and start the bot there, and returns what it says.
func (s *telegramSite) follow(b *browser, chat int64) string {
	s.t.Helper()
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer := b.post("/settings/telegram").want(http.StatusSeeOther)
	b.client.CheckRedirect = nil
	link, err := url.Parse(answer.header.Get("Location"))
	if err != nil || link.Host != "t.me" || link.Path != "/"+telegramtest.Name {
		s.t.Fatalf("led to %s", link)
	}
	s.telegram.Write(chat, "/start "+link.Query().Get("start"), "en")
	return s.hears()
}

func (s *telegramSite) hears() string {
	s.t.Helper()
	if err := s.bot.Hear(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	said := s.telegram.Said()
	if len(said) != 1 {
		s.t.Fatalf("the bot said %+v", said)
	}
	return said[0].Text
}

// TestAnOperatorGivesTheSiteABotAndAPersonConnectsIt from the token to the first notice, and back to none.
func TestAnOperatorGivesTheSiteABotAndAPersonConnectsIt(t *testing.T) {
	t.Parallel()
	s := newTelegramSite(t)
	operator, olena := s.as(s.account("Nadia", player.Operator), lang.English), s.account("Olena", player.Plain)
	b := s.as(olena, lang.Ukrainian)
	b.get("/settings/notices").want(http.StatusOK).wantsNo("heading", "Telegram")
	b.post("/settings/telegram").want(http.StatusNotFound)

	operator.post("/site/telegram", "secret", "my bot").want(http.StatusUnprocessableEntity).
		wants("alert", "That doesn’t look like the token of a bot.")
	wrong := operator.post("/site/telegram", "secret", "987654321"+strings.TrimPrefix(telegramtest.Token, "123456789"))
	if wrong.want(http.StatusUnprocessableEntity).wants("alert", "Telegram knows no bot"); strings.Contains(wrong.body, "987654321:") {
		t.Error("a token is repeated")
	}
	s.telegram.Refuse(http.StatusBadGateway, 0)
	operator.post("/site/telegram", "secret", telegramtest.Token).want(http.StatusUnprocessableEntity).
		wants("alert", "Telegram doesn’t answer.")
	s.telegram.Refuse(0, 0)
	set := operator.post("/site/telegram", "secret", " "+telegramtest.Token+"\n", "return", "/site").want(http.StatusOK)
	if set.says(telegramtest.Name + " writes to those who connect it"); strings.Contains(set.body, telegramtest.Token) {
		t.Error("the page tells the token")
	}
	b.post("/site/telegram", "secret", telegramtest.Token).want(http.StatusForbidden)

	page := b.get("/settings/notices").want(http.StatusOK).wants("button", "Під’єднати Telegram")
	if policy := page.header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' https://t.me;") {
		t.Errorf("browsers would not go on to Telegram: %s", policy)
	}
	for _, k := range notice.Kinds() {
		if n := strings.Count(page.body, `name="telegram" value="`+k.Name()+`"`); n != 1 {
			t.Errorf("telegram of %s stands there %d times", k.Name(), n)
		}
	}
	if said := s.follow(b, 7); !strings.Contains(said, "для Olena надходитимуть сюди") {
		t.Errorf("it said %q", said)
	}
	b.get("/settings/notices").want(http.StatusOK).says("@"+telegramtest.Name+" пише вам").
		wants("button", "Від’єднати Telegram")
	s.paired(olena, "1")
	if err := s.bot.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	said := s.telegram.Said()
	if len(said) != 1 || !strings.Contains(said[0].Text, "«Cup <b>»") || said[0].URL != "https://chpok.example/rules" {
		t.Errorf("told %+v", said)
	}

	s.telegram.Block(7, false)
	s.paired(olena, "2")
	if err := s.bot.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.get("/settings/notices").want(http.StatusOK).says("Ви заблокували @"+telegramtest.Name).
		wants("button", "Під’єднати Telegram")

	other := s.as(s.account("Vera", player.Operator), lang.English)
	other.post("/site/telegram/drop", "shown", "1", "return", "/site").want(http.StatusConflict).says("Telegram bot changed")
	operator.post("/site/telegram/drop", "return", "/site").want(http.StatusOK).wantsNo("button", "Remove the bot")
	b.get("/settings/notices").want(http.StatusOK).wantsNo("heading", "Telegram")
}

// TestProgramsGiveTheSiteABotAndConnectIt as pages do: the link is the account's owner's to open.
func TestProgramsGiveTheSiteABotAndConnectIt(t *testing.T) {
	t.Parallel()
	s := newTelegramSite(t)
	operator, olena := s.program(s.account("Nadia", player.Operator)), s.program(s.account("Olena", player.Plain))
	olena.tells("GET", "/me/telegram", "", http.StatusOK, `{"bot":null,"down":false,"joined":null}`)
	olena.tells("POST", "/me/telegram", "", http.StatusNotFound, `"off"`)
	operator.tells("PUT", "/site/telegram", `{"token":"my bot"}`, http.StatusUnprocessableEntity, `"token"`)
	olena.tells("PUT", "/site/telegram", `{"token":"`+telegramtest.Token+`"}`, http.StatusForbidden, "")
	operator.tells("PUT", "/site/telegram", `{"token":"`+telegramtest.Token+`"}`, http.StatusOK, `{"bot":"`+telegramtest.Name+`"}`)

	var link struct {
		URL   string
		Until time.Time
	}
	olena.ask("POST", "/me/telegram", "", http.StatusCreated, &link)
	at, err := url.Parse(link.URL)
	if err != nil || at.Host != "t.me" || !link.Until.Equal(s.clock.Now().Add(time.Hour)) {
		t.Fatalf("%+v, %v", link, err)
	}
	s.telegram.Write(7, "/start "+at.Query().Get("start"), "en")
	if said := s.hears(); !strings.Contains(said, "Olena") {
		t.Errorf("it said %q", said)
	}
	olena.tells("GET", "/me/telegram", "", http.StatusOK, `{"bot":"`+telegramtest.Name+`","down":false,"joined":"20`)
	olena.tells("DELETE", "/me/telegram", "", http.StatusNoContent, "")
	olena.tells("GET", "/me/telegram", "", http.StatusOK, `"joined":null`)
	operator.tells("DELETE", "/site/telegram", "", http.StatusNoContent, "")
	olena.tells("GET", "/me/telegram", "", http.StatusOK, `{"bot":null`)
}

// TestWhatIsChosenOfTelegramStaysWhileTheSiteIsNotThere although the settings do not show it.
func TestWhatIsChosenOfTelegramStaysWhileTheSiteIsNotThere(t *testing.T) {
	t.Parallel()
	s := newTelegramSite(t)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	chosen := func() (p notice.Preferences) {
		s.write(func(tx *store.Tx) error {
			all, err := tx.NoticePreferences(olena.ID)
			p = all[olena.ID]
			return err
		})
		return p
	}
	b.post("/settings/notices", "early", "1440", "late", "15").want(http.StatusOK)
	if p := chosen(); !p[notice.Turn].Telegram || p[notice.Turn].App || p[notice.Entered].Telegram {
		t.Errorf("a form without Telegram set %+v and %+v", p[notice.Turn], p[notice.Entered])
	}
	s.write(telegram.Account{Token: telegramtest.Token, Name: telegramtest.Name}.Save)
	b.post("/settings/notices", "early", "1440", "late", "15", "telegram", "entered").want(http.StatusOK)
	if p := chosen(); p[notice.Turn].Telegram || !p[notice.Entered].Telegram {
		t.Errorf("not as chosen: %+v and %+v", p[notice.Turn], p[notice.Entered])
	}
}

// TestTroubleWithTelegramIsSaid to the operator in particular, to those whom it concerns in general.
func TestTroubleWithTelegramIsSaid(t *testing.T) {
	t.Parallel()
	s := newTelegramSite(t)
	operator := s.as(s.account("Nadia", player.Operator), lang.English)
	b := s.as(s.account("Olena", player.Plain), lang.English)
	operator.post("/site/telegram", "secret", telegramtest.Token, "return", "/site").want(http.StatusOK)
	s.follow(b, 7)
	for code, says := range map[int]string{401: "no longer takes the bot’s token", 409: "Another program listens",
		502: "The site goes on trying"} {
		s.telegram.Refuse(code, 0)
		s.clock.advance(time.Minute)
		if err := s.bot.Hear(t.Context()); err != nil {
			t.Fatal(err)
		}
		operator.get("/site").want(http.StatusOK).says(says)
		b.get("/settings/notices").want(http.StatusOK).says("Telegram doesn’t answer right now.")
	}
}
