package telegram_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/notice/telegram/telegramtest"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// club is a site with a bot.
type club struct {
	t      *testing.T
	store  *store.Store
	server *telegramtest.Server
	bot    *telegram.Bot
	log    bytes.Buffer
	at     time.Time
}

func (c *club) now() time.Time { return c.at }

func newClub(t *testing.T, s *store.Store) *club {
	t.Helper()
	c := &club{t: t, store: s, server: telegramtest.Start(t), at: time.Date(2026, 5, 1, 17, 0, 0, 0, time.UTC)}
	storetest.Players(t, s, "olena", "taras")
	c.bot = c.node()
	account, err := c.bot.Meet(t.Context(), telegramtest.Token, "https://chpok.example/")
	if err != nil || account.Name != telegramtest.Name {
		t.Fatalf("%+v, %v", account, err)
	}
	c.write(account.Save)
	c.server.Asked()
	return c
}

// node is another node of the site.
func (c *club) node() *telegram.Bot {
	return telegram.New(c.store, c.server.URL, c.now, slog.New(slog.NewTextHandler(&c.log, nil)))
}

func (c *club) write(f func(tx *store.Tx) error) {
	c.t.Helper()
	if err := c.store.Write(c.t.Context(), f); err != nil {
		c.t.Fatal(err)
	}
}

// asks makes the code of somebody who wants to join.
func (c *club) asks(who player.ID, lang string) (code player.Secret) {
	c.t.Helper()
	c.write(func(tx *store.Tx) (err error) {
		code, err = tx.AskTelegram(store.TelegramChat{Player: who, Asked: c.at, Lang: lang, Zone: "Europe/Kyiv"})
		return err
	})
	return code
}

// writes lets a person write to the bot, and returns its answers.
func (c *club) writes(chat int64, text string) []telegramtest.Message {
	c.t.Helper()
	c.server.Write(chat, text, "en")
	return c.hears()
}

func (c *club) hears() []telegramtest.Message {
	c.t.Helper()
	if err := c.bot.Hear(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	return c.server.Said()
}

func (c *club) joins(who player.ID, chat int64, lang string) {
	c.t.Helper()
	if said := c.writes(chat, "/start "+string(c.asks(who, lang))); len(said) != 1 || !strings.Contains(said[0].Text, string(who)) {
		c.t.Fatalf("joining: %+v", said)
	}
}

// told lets a player be told that a match waits for them.
func (c *club) told(who player.ID, key string) {
	c.t.Helper()
	c.write(func(tx *store.Tx) error {
		return tx.AddNotices([]notice.Notice{{To: who, Kind: notice.MatchOpened, Key: key, URL: "/matches/" + key, When: c.at.Add(time.Hour),
			Until: c.at.Add(24 * time.Hour), Args: map[string]string{"Opponent": "taras"}}}, c.at)
	})
}

func (c *club) delivers() []telegramtest.Message {
	c.t.Helper()
	if err := c.bot.Deliver(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	return c.server.Said()
}

func TestAPersonJoinsByALinkOnceAndIsToldUntilTheyStop(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := newClub(t, s)
		c.told("olena", "before")
		code := c.asks("olena", "uk")
		said := c.writes(7, "/start "+string(code))
		if len(said) != 1 || said[0].Chat != 7 || !strings.Contains(said[0].Text, "для olena надходитимуть сюди") ||
			said[0].URL != "https://chpok.example/settings/notices" {
			t.Errorf("joined: %+v", said)
		}
		if said := c.writes(8, "/start "+string(code)); len(said) != 1 || !strings.Contains(said[0].Text, "used already") {
			t.Errorf("another with the same link: %+v", said)
		}
		c.told("olena", "m1")
		c.told("taras", "m1")
		want := telegramtest.Message{Chat: 7, Label: "До дошки", URL: "https://chpok.example/matches/m1",
			Text: "Матч відкрито, суперник — taras\n1 травня 2026, 21:00 (Europe/Kyiv)"}
		said = c.delivers()
		if len(said) != 1 {
			t.Fatalf("told %+v", said)
		}
		said[0].Text = strings.ReplaceAll(said[0].Text, "\u00a0", " ")
		if said[0] != want {
			t.Errorf("told %+v, not %+v", said[0], want)
		}
		if said := c.delivers(); len(said) != 0 {
			t.Errorf("told again: %+v", said)
		}
		if said := c.writes(7, "/stop"); len(said) != 1 || !strings.Contains(said[0].Text, "Більше сюди") {
			t.Errorf("stopped: %+v", said)
		}
		c.told("olena", "m2")
		if said := c.delivers(); len(said) != 0 {
			t.Errorf("after the stop: %+v", said)
		}
	})
}

func TestALinkServesForAnHourAndTheLastOneOnly(t *testing.T) {
	t.Parallel()
	c := newClub(t, storetest.SQLite(t))
	late, first := c.asks("taras", "en"), c.asks("olena", "en")
	c.asks("olena", "en")
	c.at = c.at.Add(notice.JoinWithin)
	for _, code := range []player.Secret{late, first, "nonsense"} {
		if said := c.writes(7, "/start "+string(code)); len(said) != 1 || !strings.Contains(said[0].Text, "older than an hour") {
			t.Errorf("%s: %+v", code, said)
		}
	}
	if said := c.writes(7, "hello?"); len(said) != 1 || !strings.Contains(said[0].Text, "I send notices") {
		t.Errorf("to a stranger: %+v", said)
	}
}

func TestAChatReachesOnePlayer(t *testing.T) {
	t.Parallel()
	c := newClub(t, storetest.SQLite(t))
	c.joins("olena", 7, "en")
	c.joins("taras", 7, "en")
	c.told("olena", "m")
	c.told("taras", "m")
	if said := c.delivers(); len(said) != 1 {
		t.Errorf("%+v", said)
	}
	c.write(func(tx *store.Tx) error {
		if by, err := tx.TelegramChatBy(7); err != nil || by.Player != "taras" {
			t.Errorf("%+v, %v", by, err)
		}
		return nil
	})
}

func TestWhoBlocksTheBotIsToldNothingMore(t *testing.T) {
	t.Parallel()
	for _, hears := range []bool{false, true} {
		t.Run(fmt.Sprintf("it hears of it: %v", hears), func(t *testing.T) {
			t.Parallel()
			c := newClub(t, storetest.SQLite(t))
			c.joins("olena", 7, "en")
			c.server.Block(7, hears)
			c.hears()
			c.told("olena", "m1")
			c.delivers()
			c.write(func(tx *store.Tx) error {
				chat, err := tx.TelegramChat("olena")
				if err != nil || chat.Chat != 0 || !chat.Blocked.Equal(c.at) {
					t.Errorf("%+v, %v", chat, err)
				}
				return nil
			})
			c.server.Asked()
			c.told("olena", "m2")
			if c.delivers(); len(c.server.Asked()) != 0 {
				t.Error("asked to tell them all the same")
			}
		})
	}
}

func TestTelegramIsWaitedForAsLongAsItAsks(t *testing.T) {
	t.Parallel()
	c := newClub(t, storetest.SQLite(t))
	c.joins("olena", 7, "en")
	c.told("olena", "m1")
	c.server.Refuse(429, 90)
	c.delivers()
	c.server.Asked()
	c.server.Refuse(0, 0)
	c.told("olena", "m2")
	c.at = c.at.Add(89 * time.Second)
	c.delivers()
	if c.hears(); len(c.server.Asked()) != 0 {
		t.Error("asked too early")
	}
	c.at = c.at.Add(time.Second)
	if said := c.delivers(); len(said) != 2 {
		t.Errorf("then %+v", said)
	}
}

func TestWhatTelegramDoesNotTakeIsTriedAgainForAWhile(t *testing.T) {
	t.Parallel()
	c := newClub(t, storetest.SQLite(t))
	c.joins("olena", 7, "en")
	c.server.Refuse(502, 0)
	c.told("olena", "m1")
	c.server.Asked()
	tries := 0
	for range 60 {
		c.delivers()
		tries += len(c.server.Asked())
		c.at = c.at.Add(10 * time.Second)
	}
	if tries != notice.PushTries {
		t.Errorf("tried %d times", tries)
	}
	c.server.Refuse(0, 0)
	c.told("olena", "m2")
	if said := c.delivers(); len(said) != 1 {
		t.Errorf("others go as ever: %+v", said)
	}
	c.server.Refuse(400, 0)
	c.told("olena", "m3")
	c.delivers()
	c.server.Asked()
	c.at = c.at.Add(time.Hour)
	if c.delivers(); len(c.server.Asked()) != 0 {
		t.Error("what it will never take was sent again")
	}
}

func TestWhatIsReadOrTurnedOffIsNotTold(t *testing.T) {
	t.Parallel()
	c := newClub(t, storetest.SQLite(t))
	c.joins("olena", 7, "en")
	c.told("olena", "m1")
	c.write(func(tx *store.Tx) error { return tx.ReadNotices("olena", c.at, c.at) })
	if said := c.delivers(); len(said) != 0 {
		t.Errorf("read, and told: %+v", said)
	}
	c.write(func(tx *store.Tx) error {
		return tx.SetNoticePreferences("olena", notice.Preferences{notice.MatchOpened: {App: true, Push: true, Mail: true}})
	})
	c.told("olena", "m2")
	if said := c.delivers(); len(said) != 0 {
		t.Errorf("turned off, and told: %+v", said)
	}
}

func TestOneNodeListensAndAnotherGoesOnAfterIt(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := newClub(t, s)
		c.joins("olena", 7, "en")
		other := c.node()
		c.server.Asked()
		if err := other.Hear(t.Context()); err != nil || len(c.server.Asked()) != 0 {
			t.Errorf("two listen: %v", err)
		}
		c.at = c.at.Add(2 * time.Minute)
		c.server.Write(7, "/stop", "en")
		if err := other.Hear(t.Context()); err != nil {
			t.Fatal(err)
		}
		if said := c.server.Said(); len(said) != 2 || !strings.Contains(said[1].Text, "Nothing more") { // the last one is heard once more
			t.Errorf("the other says %+v", said)
		}
	})
}

func TestItsTroublesAreKeptForTheOperator(t *testing.T) {
	t.Parallel()
	c := newClub(t, storetest.SQLite(t))
	for _, x := range []struct {
		code int
		want telegram.Trouble
	}{{401, telegram.BadToken}, {409, telegram.Taken}, {500, telegram.Unreachable}, {0, ""}} {
		c.server.Refuse(x.code, 0)
		c.hears()
		got, err := store.Get(t.Context(), c.store, telegram.TroubleNow)
		if err != nil || got != x.want {
			t.Errorf("%d: %q, %v", x.code, got, err)
		}
		c.at = c.at.Add(time.Minute)
	}
	if strings.Contains(c.log.String(), telegramtest.Token) {
		t.Error("the log tells the token")
	}
}

// TestTheTokenIsToldToNobody: not by an error of the network either, in which its address stands.
func TestTheTokenIsToldToNobody(t *testing.T) {
	t.Parallel()
	c := newClub(t, storetest.SQLite(t))
	gone := telegram.New(c.store, "http://127.0.0.1:1", c.now, slog.New(slog.NewTextHandler(&c.log, nil)))
	if _, err := gone.Meet(t.Context(), telegramtest.Token, ""); err == nil || strings.Contains(err.Error(), telegramtest.Token) {
		t.Errorf("%v", err)
	}
	c.write(func(tx *store.Tx) error {
		kept, err := tx.Setting("telegram", "")
		if kept == "" || strings.Contains(kept, telegramtest.Token) || strings.Contains(kept, telegramtest.Name) {
			t.Errorf("kept as %q", kept)
		}
		return err
	})
}

func TestAnotherBotForgetsTheChatsOfTheOneBefore(t *testing.T) {
	t.Parallel()
	c := newClub(t, storetest.SQLite(t))
	c.joins("olena", 7, "en")
	same := telegram.Account{Token: "1:another-token-of-the-same", Name: telegramtest.Name, Base: "https://chpok.example"}
	c.write(same.Save)
	chats := func() (n int) {
		c.write(func(tx *store.Tx) error {
			if chat, err := tx.TelegramChat("olena"); err == nil && chat.Chat == 7 {
				n = 1
			}
			return nil
		})
		return n
	}
	if chats() != 1 {
		t.Error("a new token of the same bot forgot them")
	}
	c.write(telegram.Account{}.Save)
	c.told("olena", "m")
	if c.server.Asked(); chats() != 0 || len(c.delivers()) != 0 || len(c.server.Asked()) != 0 {
		t.Error("without a bot they are still told")
	}
}
