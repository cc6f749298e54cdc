package courier_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/notice/courier/couriertest"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// post is a site with its mail, and a clock moved by hand.
type post struct {
	*courier.Courier
	t     *testing.T
	store *store.Store
	inbox *couriertest.Inbox
	ms    atomic.Int64
}

func newPost(t *testing.T, s *store.Store) *post {
	t.Helper()
	p := &post{t: t, store: s, inbox: couriertest.Start(t)}
	p.ms.Store(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).UnixMilli())
	storetest.Players(t, s, "olena", "taras")
	p.Courier = p.another()
	return p
}

// another is a second node.
func (p *post) another() *courier.Courier {
	server, err := courier.ParseServer(p.inbox.URL, "Chpok <site@chpok.example>")
	if err != nil {
		p.t.Fatal(err)
	}
	return courier.New(p.store, server, "https://chpok.example/", p.now, slog.New(slog.DiscardHandler))
}

func (p *post) now() time.Time          { return time.UnixMilli(p.ms.Load()).UTC() }
func (p *post) advance(d time.Duration) { p.ms.Add(d.Milliseconds()) }

func (p *post) write(f func(*store.Tx) error) {
	p.t.Helper()
	if err := p.store.Write(p.t.Context(), f); err != nil {
		p.t.Fatal(err)
	}
}

// reach confirms an address of a player's.
func (p *post) reach(id player.ID, lang string) {
	p.t.Helper()
	p.write(func(tx *store.Tx) error {
		secret, err := tx.AskMail(store.MailAddress{Player: id, Pending: notice.Address(id) + "@mail.example", Asked: p.now(),
			Lang: lang, Zone: "America/New_York"})
		if err != nil {
			return err
		}
		return tx.ConfirmMail(secret, p.now())
	})
}

func (p *post) paired(to player.ID, round string) {
	p.t.Helper()
	n := notice.Notice{
		To: to, Kind: notice.RoundPaired, Key: "cup/" + round, URL: "/matches/m" + round, When: p.now().Add(7 * time.Hour), Zone: "Europe/Kyiv",
		Args: map[string]string{"Tournament": "Cup <&>", "Round": round, "Opponent": "taras"},
	}
	p.write(func(tx *store.Tx) error { return tx.AddNotices([]notice.Notice{n}, p.now()) })
}

func (p *post) deliver() []couriertest.Letter {
	p.t.Helper()
	if err := p.Deliver(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	return p.inbox.Letters()
}

func TestALetterCallsABotOfTheHouseByItsNameInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPost(t, s)
		p.reach("olena", "uk")
		p.write(func(tx *store.Tx) error {
			return tx.AddNotices([]notice.Notice{{To: "olena", Kind: notice.RoundPaired, Key: "cup/1", URL: "/matches/m1",
				Args: map[string]string{"Tournament": "Cup", "Round": "1", "Opponent": "Torhash"}}}, p.now())
		})
		p.advance(time.Minute)
		got := p.deliver()
		if len(got) != 1 || !strings.Contains(got[0].Subject, "Торгаш") || strings.Contains(got[0].Text+got[0].Subject, "Torhash") {
			t.Errorf("%+v", got)
		}
	})
}

func TestNoticesOfOneMinuteAreOneMailInTheReadersLanguageAndZone(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPost(t, s)
		p.reach("olena", "en")
		p.paired("olena", "1")
		p.paired("taras", "1") // who has no address
		if got := p.deliver(); len(got) != 0 {
			t.Fatalf("mailed at once: %+v", got)
		}
		p.advance(50 * time.Second)
		p.paired("olena", "2")
		p.advance(10 * time.Second)
		got := p.deliver()
		if len(got) != 1 {
			t.Fatalf("%d letters", len(got))
		}
		l := got[0]
		if l.To != "<olena@mail.example>" || l.Subject != "2 new notices" || !strings.Contains(l.From, "site@chpok.example") {
			t.Errorf("%q %q %q", l.To, l.Subject, l.From)
		}
		for _, want := range []string{"Round 1 of “Cup <&>”: you play taras", "https://chpok.example/matches/m2",
			"November\u00a021, 2026, 21:00 (Europe/Kyiv; 14:00 for you)", "Hello olena,"} {
			if !strings.Contains(l.Text, want) {
				t.Errorf("the text lacks %q:\n%s", want, l.Text)
			}
		}
		if !strings.Contains(l.HTML, "Cup &lt;&amp;&gt;") || !strings.Contains(l.HTML, `href="https://chpok.example/matches/m1"`) {
			t.Errorf("the HTML is\n%s", l.HTML)
		}
		if l.Header.Get("List-Unsubscribe-Post") == "" ||
			!strings.HasPrefix(l.Header.Get("List-Unsubscribe"), "<https://chpok.example/mail/stop?") {
			t.Errorf("%v", l.Header)
		}
		p.advance(time.Hour)
		if got := p.deliver(); len(got) != 0 {
			t.Errorf("mailed again: %+v", got)
		}
	})
}

func TestTwoNodesSendOneMail(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPost(t, s)
		p.reach("olena", "uk")
		p.paired("olena", "1")
		p.advance(time.Minute)
		var nodes sync.WaitGroup
		for _, c := range []*courier.Courier{p.Courier, p.another(), p.another()} {
			nodes.Go(func() {
				if err := c.Deliver(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		got := p.inbox.Letters()
		if len(got) != 1 || got[0].Subject != "1-й тур турніру «Cup <&>»: ваш суперник — taras" {
			t.Errorf("%+v", got)
		}
	})
}

func TestARefusedLetterIsTriedAgainAndGivenUp(t *testing.T) {
	t.Parallel()
	p := newPost(t, storetest.SQLite(t))
	p.reach("olena", "en")
	p.inbox.Reply("451 later")
	p.paired("olena", "1")
	// A minute for the digest; then refusals after 1, 5 and 30 minutes and 2 hours.
	for i, wait := range []time.Duration{time.Minute, 5 * time.Minute, 5 * time.Minute, 30 * time.Minute} {
		p.advance(wait)
		if got := p.deliver(); len(got) != 0 {
			t.Fatalf("try %d: %+v", i+1, got)
		}
	}
	p.inbox.Reply("250 taken")
	p.advance(119 * time.Minute)
	if got := p.deliver(); len(got) != 0 {
		t.Error("tried before its time")
	}
	p.advance(time.Minute)
	if got := p.deliver(); len(got) != 1 {
		t.Errorf("%d letters after the fourth refusal", len(got))
	}
	p.inbox.Reply("451 later")
	p.advance(time.Hour)
	p.paired("olena", "2")
	for range 100 {
		p.advance(10 * time.Minute)
		p.deliver()
	}
	p.inbox.Reply("250 taken")
	p.advance(time.Hour)
	if got := p.deliver(); len(got) != 0 {
		t.Error("not given up")
	}
}

func TestALetterThatIsRefusedForGoodIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	p := newPost(t, storetest.SQLite(t))
	p.reach("olena", "en")
	p.inbox.Reply("550 no such user")
	p.paired("olena", "1")
	p.advance(time.Minute)
	p.deliver()
	p.inbox.Reply("250 taken")
	p.advance(5 * time.Minute)
	if got := p.deliver(); len(got) != 0 {
		t.Errorf("sent again: %+v", got)
	}
	p.paired("olena", "2") // other letters go as ever
	p.advance(5 * time.Minute)
	if got := p.deliver(); len(got) != 1 {
		t.Errorf("%d letters", len(got))
	}
}

func TestALetterThatMayHaveArrivedIsNotSentTwice(t *testing.T) {
	t.Parallel()
	p := newPost(t, storetest.SQLite(t))
	p.reach("olena", "en")
	p.paired("olena", "1")
	p.advance(time.Minute)
	p.inbox.Reply("") // takes it and hangs up
	if got := p.deliver(); len(got) != 1 {
		t.Fatalf("%d letters", len(got))
	}
	p.inbox.Reply("250 taken")
	p.advance(3 * time.Hour)
	if got := p.deliver(); len(got) != 0 {
		t.Errorf("sent again: %+v", got)
	}
}

func TestWhatIsReadTooOldOrTurnedOffIsNotMailed(t *testing.T) {
	t.Parallel()
	p := newPost(t, storetest.SQLite(t))
	p.reach("olena", "en")
	p.paired("olena", "1")
	p.write(func(tx *store.Tx) error { return tx.ReadNotices("olena", p.now(), p.now()) })
	p.advance(time.Minute)
	if got := p.deliver(); len(got) != 0 {
		t.Errorf("read, and mailed: %+v", got)
	}
	p.paired("olena", "2")
	p.advance(25 * time.Hour) // mail was off for a day
	if got := p.deliver(); len(got) != 0 {
		t.Errorf("a day late: %+v", got)
	}
	p.write(func(tx *store.Tx) error {
		return tx.SetNoticePreferences("olena", notice.Preferences{notice.RoundPaired: {App: true}})
	})
	p.paired("olena", "3")
	p.advance(time.Hour)
	if got := p.deliver(); len(got) != 0 {
		t.Errorf("turned off, and mailed: %+v", got)
	}
	p.write(func(tx *store.Tx) error {
		return tx.SetNoticePreferences("olena", notice.Preferences{notice.RoundPaired: {App: true, Mail: true}})
	})
	p.paired("olena", "4")
	p.write(func(tx *store.Tx) error { return tx.DropMail("olena") })
	p.advance(time.Hour)
	if got := p.deliver(); len(got) != 0 {
		t.Errorf("the address is forgotten, and mailed: %+v", got)
	}
}

func TestMailsToOnePlayerKeepTheirDistance(t *testing.T) {
	t.Parallel()
	p := newPost(t, storetest.SQLite(t))
	p.reach("olena", "en")
	sent := 0
	for i := range 60 { // one notice a minute for an hour
		p.paired("olena", string(rune('A'+i)))
		p.advance(time.Minute)
		sent += len(p.deliver())
	}
	if sent < 11 || sent > 12 {
		t.Errorf("%d mails in an hour", sent)
	}
}

func TestServersAreReadStrictly(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"smtp://mail.example", "smtps://u:p@mail.example:465", "smtp://127.0.0.1:25?tls=none"} {
		if _, err := courier.ParseServer(good, "a@chpok.example"); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "mail.example", "http://mail.example", "smtp://",
		"smtp://mail.example?tls=maybe", "smtp://mail.example:many"} {
		if _, err := courier.ParseServer(bad, "a@chpok.example"); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if _, err := courier.ParseServer("smtp://mail.example", ""); err == nil {
		t.Error("no sender is taken")
	}
}
