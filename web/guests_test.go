package web_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// houseSite is a site with its bots.
func houseSite(t *testing.T) (*site, *arbiter.Arbiter) {
	t.Helper()
	s := newSite(t)
	a := arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil)
	if err := a.Persons.OpenHouse(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.account("Olena", player.Operator)
	return s, a
}

// guests are the guests of the site.
func (s *site) guests() []player.Player {
	s.t.Helper()
	var out []player.Player
	s.write(func(tx *store.Tx) error {
		ids, err := tx.IdleGuests(s.clock.Now().Add(time.Hour*24*365), 100)
		if err != nil {
			return err
		}
		found, err := tx.Players(ids...)
		for _, id := range ids {
			out = append(out, found[id])
		}
		return err
	})
	return out
}

func TestDoorsThatAreOpenToGuests(t *testing.T) {
	t.Parallel()
	want := []string{
		"POST /analyse", "POST /api/v1/oauth/revoke", "POST /api/v1/oauth/token", "POST /c/:id/accept", "POST /c/:id/decline", "POST /c/:id/withdraw", "POST /challenges",
		"POST /k", "POST /k/:secret", "POST /kiosk/:token", "POST /link", "POST /mail/confirm", "POST /mail/stop",
		"POST /matches/:id/commands", "POST /matches/:id/opponent", "POST /matches/:id/rematch",
		"POST /play/now", "POST /play/pair", "POST /practice/:id", "POST /preferences", "POST /preferences/play", "POST /setup",
		"POST /sign-in", "POST /sign-in/passkey", "POST /sign-in/passkey/options",
		"POST /sign-out", "POST /sign-up", "POST /t/:code",
	}
	got := web.OpenToGuests()
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a door more or less; whoever opens one to guests says here that it may be (-want +got):\n%s", diff)
	}
}

func TestTheEndOfAGuestsMatchSaysHowToKeepIt(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	b := s.browser(lang.English)
	path := b.post("/play/now").want(http.StatusOK).path
	guest, watcher := s.guests()[0].ID, s.account("Nova", player.Plain)
	id := match.ID(strings.TrimPrefix(path, "/matches/"))
	var head store.Head
	s.write(func(tx *store.Tx) (err error) {
		head, err = tx.Match(id)
		return err
	})
	for _, step := range []struct {
		by      player.ID
		command match.Command
	}{
		{guest, match.Ready{Seat: match.First}}, {head.Players[1], match.Ready{Seat: match.Second}}, {guest, match.Resign{Seat: match.First}},
	} {
		if _, err := s.live.Do(context.Background(), id, step.by, live.Request{Command: step.command}); err != nil {
			t.Fatal(err)
		}
	}
	b.get(path).want(http.StatusOK).wants("button", "Rematch").wants("link", "Save this match (create an account)")
	s.as(watcher, lang.English).get(path).want(http.StatusOK).wantsNo("link", "Save this match (create an account)")
}

func TestAVisitorPlaysAtOnceAndKeepsTheMatchInAnAccount(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	b := s.browser(lang.English)
	b.get("/play").want(http.StatusOK).wants("heading", "A bot").wants("button", "Pair me")
	played := b.post("/play/now").want(http.StatusOK)
	if !strings.HasPrefix(played.path, "/matches/") || !strings.Contains(played.body, "No clock runs in a practice match.") {
		t.Fatalf("at %s", played.path)
	}
	guests := s.guests()
	if len(guests) != 1 || !guests[0].Guest || !strings.HasPrefix(string(guests[0].Handle), "Guest-") {
		t.Fatalf("%+v", guests)
	}
	guest := guests[0]
	id := match.ID(strings.TrimPrefix(played.path, "/matches/"))
	var head store.Head
	s.write(func(tx *store.Tx) (err error) {
		head, err = tx.Match(id)
		return err
	})
	if head.Status != match.Waiting || head.Players[0] != guest.ID {
		t.Errorf("no clock may run yet: %+v", head)
	}

	for seat, who := range []player.ID{guest.ID, head.Players[1]} {
		if _, err := s.live.Do(context.Background(), id, who, live.Request{Command: match.Ready{Seat: match.Seat(seat + 1)}}); err != nil {
			t.Fatal(err)
		}
	}
	page := b.get(played.path)
	if !strings.Contains(page.body, "Choose a row and put chips on it") {
		t.Error("nothing was bid yet, and no hint says how to")
	}
	if strings.Contains(page.body, `role="timer"`) || strings.Contains(page.body, "24:00:00") {
		t.Error("a practice match shows a clock")
	}

	for seat, chips := range []int{1, 3} {
		bid := match.PlaceBid{Seat: match.Seat(seat + 1), Bid: bidding.Bid{Target: bidding.White, Chips: chips}}
		if _, err := s.live.Do(context.Background(), id, []player.ID{guest.ID, head.Players[1]}[seat], live.Request{Command: bid}); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(b.get(played.path).body, "White: they lead by 2. Call to let chance decide, raise to decide yourself.") {
		t.Error("behind on White, and no hint says what that means")
	}

	// One at a time: pressed again, it leads to the same match; another bot says no.
	if again := b.post("/play/now"); again.path != played.path {
		t.Errorf("a second match: %s", again.path)
	}
	b.post("/challenges", "who", "bot", "bot", "Drakon", "preset", "quick", "claims", "automatic", "lateness", "5", "life", "1440").
		want(http.StatusConflict).wants("alert", "one match at a time")
	b.get("/players?q=guest").want(http.StatusOK).wantsNo("link", string(guest.Handle))
	b.get("/settings").want(http.StatusForbidden)
	b.post("/clubs/x/join").want(http.StatusForbidden)

	s.account("Taken", player.Plain)
	b.get("/sign-up").want(http.StatusOK).says("Your matches stay with you.")
	b.post("/sign-up", "handle", "taken", "password", "correct horse staple").want(http.StatusUnprocessableEntity)
	b.post("/sign-up", "handle", "Guest-0001", "password", "correct horse staple").want(http.StatusUnprocessableEntity)
	b.post("/sign-up", "handle", "Nova", "password", "correct horse staple").want(http.StatusOK)
	var nova player.Player
	s.write(func(tx *store.Tx) (err error) {
		nova, err = tx.PlayerByHandle("Nova")
		return err
	})
	if nova.ID != guest.ID || nova.Guest {
		t.Errorf("the guest %s has become %+v", guest.ID, nova)
	}
	b.get("/settings").want(http.StatusOK)
	s.browser(lang.English).post("/sign-in", "handle", "Nova", "password", "correct horse staple").want(http.StatusOK).wants("link", "My page")
}

// TestAFriendPlaysByALinkWithoutAnAccount, where the match needs none: not a rated one, nor one that is meant for somebody.
func TestAFriendPlaysByALinkWithoutAnAccount(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	olena := s.as(s.account("Olena", player.Plain), lang.English)
	link := []string{"who", "link", "preset", "quick", "claims", "automatic", "lateness", "5", "life", "1440"}
	offered := olena.post("/challenges", link...).want(http.StatusOK)
	friend := s.browser(lang.English)
	invited := friend.get(offered.path).want(http.StatusOK).wants("button", "Accept\u00a0– no account").wants("link", "Sign in and accept")
	invited.wants("img", "").wants("link", "Learn the game in three minutes").says("Chpok is chess with an auction")
	if invited.told("og:title") != "Olena invites you to play" || invited.told("description") == "" {
		t.Errorf("a messenger shows %q, %q", invited.told("og:title"), invited.told("description"))
	}
	friend.get(s.below(invited.told("og:image"))).want(http.StatusOK).picture(1200, 630)
	if played := friend.post(offered.path + "/accept").want(http.StatusOK); !strings.HasPrefix(played.path, "/matches/") {
		t.Errorf("led to %s", played.path)
	}
	rated := olena.post("/challenges", append(link, "rated", "yes")...).want(http.StatusOK)
	s.browser(lang.English).get(rated.path).want(http.StatusOK).wants("link", "Sign in and accept").wantsNo("button", "Accept\u00a0– no account")
}

// TestAGuestLeavesTheBrowserKnownToItsAccount: strangers who use up the tries of the
// handle do not keep away the browser in which the account signed in before.
func TestAGuestLeavesTheBrowserKnownToItsAccount(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	s.account("Ivan", player.Plain)
	b := s.browser(lang.English)
	b.post("/sign-in", "handle", "Ivan", "password", password).want(http.StatusOK)
	b.post("/sign-out").want(http.StatusOK)
	at, err := url.Parse(s.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	mark := func() string {
		for _, k := range b.client.Jar.Cookies(at) {
			if k.Name == "known" {
				return k.Value
			}
		}
		return ""
	}
	before := mark()
	b.post("/play/now").want(http.StatusOK)
	if before == "" || mark() != before {
		t.Errorf("known by %q, and after a game as a guest by %q", before, mark())
	}
}

func TestGuestsFromOneAddressAreCounted(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	for range 20 {
		s.browser(lang.English).post("/play/now").want(http.StatusOK)
	}
	s.browser(lang.English).post("/play/now").want(http.StatusTooManyRequests)
	s.clock.advance(time.Minute)
	s.browser(lang.English).post("/play/now").want(http.StatusOK)
}

func TestAGuestWhoDoesNotComeBackGoes(t *testing.T) {
	t.Parallel()
	s, a := houseSite(t)
	b := s.browser(lang.English)
	played := b.post("/play/now").want(http.StatusOK)
	guest := s.guests()[0]
	id := match.ID(strings.TrimPrefix(played.path, "/matches/"))
	do := func(who player.ID, c match.Command) {
		if _, err := s.live.Do(context.Background(), id, who, live.Request{Command: c}); err != nil {
			t.Fatal(err)
		}
	}
	var head store.Head
	s.write(func(tx *store.Tx) (err error) {
		head, err = tx.Match(id)
		return err
	})
	do(guest.ID, match.Ready{Seat: match.First})
	do(head.Players[1], match.Ready{Seat: match.Second})
	do(guest.ID, match.Resign{Seat: match.First})
	name := func() (h player.Handle) {
		if err := a.Persons.SweepGuests(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := a.Persons.SweepErasures(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.write(func(tx *store.Tx) error {
			p, err := tx.Player(guest.ID)
			h = p.Handle
			return err
		})
		return h
	}
	s.clock.advance(player.GuestLife)
	if got := name(); got != guest.Handle {
		t.Errorf("after thirty days: %s", got)
	}
	s.clock.advance(time.Second)
	if got := name(); !strings.HasPrefix(string(got), "deleted-") {
		t.Errorf("a moment later: %s", got)
	}
}

func TestPairMeBringsTwoTogether(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	ivan := s.as(s.account("Ivan", player.Plain), lang.English)
	first := ivan.post("/play/pair", "preset", "quick").want(http.StatusOK)
	if !strings.HasPrefix(first.path, "/c/") {
		t.Fatalf("nobody waits yet: %s", first.path)
	}
	if again := ivan.post("/play/pair", "preset", "quick"); again.path != first.path {
		t.Errorf("whoever waits already is sent to %s", again.path)
	}
	visitor := s.browser(lang.English)
	visitor.get("/play").want(http.StatusOK).wants("button", "Accept")
	second := visitor.post("/play/pair", "preset", "quick").want(http.StatusOK)
	if !strings.HasPrefix(second.path, "/matches/") {
		t.Fatalf("paired at %s", second.path)
	}
	visitor.get("/play").want(http.StatusOK).wantsNo("button", "Accept")
	s.browser(lang.English).post("/play/pair", "preset", "a-week").want(http.StatusBadRequest)
}

// A bot of the house has a name in either language, and one handle for the forms.
func TestBotsOfTheHouseAreCalledInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	nova := s.account("Nova", player.Plain)
	here, there := s.as(nova, lang.Ukrainian), s.as(nova, lang.English)
	if body := here.get("/play").want(http.StatusOK).body; !strings.Contains(body, "<b>Пішак</b>") || !strings.Contains(body, `value="Pishak"`) {
		t.Error("Pishak is not Пішак to choose")
	}
	if body := here.get("/challenges/new").want(http.StatusOK).body; strings.Index(body, ">Пішак</option>") > strings.Index(body, ">Башта</option>") {
		t.Error("the weakest bot does not come first")
	}
	match := here.post("/challenges", "who", "bot", "bot", "Kin", "preset", "quick", "claims", "automatic", "lateness", "5", "life", "1440").want(http.StatusOK)
	match.says("Кінь")
	there.get(match.path).want(http.StatusOK).says("Kin")
	here.get("/players/Kin").want(http.StatusOK).wants("heading", "Кінь бот")
	here.get("/players/Nova").want(http.StatusOK).says("Кінь")
}
