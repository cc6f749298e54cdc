package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// opened is an event with an open door: its path, and the door's.
func (n *clubNight) opened(change func(*tournament.Settings)) (path, door string) {
	n.t.Helper()
	path = n.event(func(s *tournament.Settings) {
		if change != nil {
			change(s)
		}
	})
	n.host.post(path + "/registration")
	n.host.post(path + "/door").want(http.StatusOK)
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		door = "/t/" + strings.ToUpper(d.Code)
		return err
	})
	return path, door
}

// handleOf is the handle of an account that the door made.
func (n *clubNight) handleOf(id player.ID) string {
	n.t.Helper()
	p, err := store.Get(n.t.Context(), n.store, func(tx *store.Tx) (player.Player, error) { return tx.Player(id) })
	if err != nil {
		n.t.Fatal(err)
	}
	return string(p.Handle)
}

func (n *clubNight) entry(path, name string) tournament.Entry {
	n.t.Helper()
	for _, e := range n.tournament(path).Entries {
		if e.Name == name {
			return e
		}
	}
	n.t.Fatalf("%s is not in", name)
	return tournament.Entry{}
}

// TestWhoWritesANameAtTheDoorPlays: with an account of their own, on that very device,
// and keeps it by choosing a handle and a password.
func TestWhoWritesANameAtTheDoorPlays(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(func(s *tournament.Settings) { s.Pace = tournament.Manual })
	daria := n.browser(lang.English)
	daria.get(door).want(http.StatusOK).wants("heading", "Who’s playing?")
	daria.post(door, "name", "Дарина Ткач").want(http.StatusOK).wants("heading", "Cup")
	e := n.entry(path, "Дарина Ткач")
	if e.Player == "" || e.Status != tournament.Active {
		t.Fatalf("%+v", e)
	}
	for _, name := range []string{"Марко Лис", "Anna Koval"} {
		n.browser(lang.English).post(door, "name", name).want(http.StatusOK)
	}
	n.host.get(path).want(http.StatusOK).saysNot("/players/%D0") // no handle yet, so no page of an account
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	if b := n.tournament(path).Rounds[0].Pairings; len(b) != 1 || b[0].Match == "" {
		t.Errorf("they do not play on the site: %+v", b)
	}
	// They are called as they entered, not by the handle that was made of it.
	b := n.tournament(path).Rounds[0].Pairings[0]
	for _, id := range []tournament.EntryID{b.First, b.Second} {
		e, _ := n.tournament(path).Entry(id)
		n.host.get(words.MatchURL(b.Match)).want(http.StatusOK).says(e.Name)
	}
	n.host.get(path + "/desk").want(http.StatusOK).says("pairing-allocated bye")
	// Signing up keeps the account, under the handle that is chosen.
	daria.get("/sign-up").want(http.StatusOK).wants("label", "Handle")
	daria.post("/sign-up", "handle", "Daria", "password", "correct horse staple").want(http.StatusOK)
	var kept player.Player
	n.write(func(tx *store.Tx) (err error) { kept, err = tx.Player(e.Player); return err })
	if kept.Handle != "Daria" || kept.Unclaimed {
		t.Errorf("%+v", kept)
	}
	daria.get("/sign-up").want(http.StatusOK).wantsNo("label", "Password")
	// In the event and its matches they go on under the name they entered under, as in its tables and calls.
	n.host.get(words.MatchURL(b.Match)).want(http.StatusOK).says("Дарина Ткач")
	n.host.get("/").want(http.StatusOK).says("Дарина Ткач")
	n.write(func(tx *store.Tx) error {
		head, err := tx.Match(b.Match)
		if err != nil {
			return err
		}
		names, err := tx.NamesIn(head)
		if !slices.Contains(names[:], "Дарина Ткач") {
			t.Errorf("notices call them %v", names)
		}
		return err
	})
}

// TestTheDoorAsksWhoMayBeMeant instead of making a second account, and lets nobody take
// another's.
func TestTheDoorAsksWhoMayBeMeant(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	n.browser(lang.English).post(door, "name", "Daria Tkach").want(http.StatusOK)
	stranger := n.browser(lang.English)
	stranger.post(door, "name", "Ткач  Дарія").want(http.StatusConflict).wants("alert", "Is one of them you").wants("button",
		"I’m somebody new")
	stranger.post(door, "name", "daria tkach", "sure", "yes").want(http.StatusConflict).wants("alert", "is already in")
	stranger.post(door, "name", "x").want(http.StatusUnprocessableEntity)
	known := n.entry(path, "Daria Tkach")
	stranger.post(door, "name", "y", "known",
		n.handleOf(known.Player)).want(http.StatusUnprocessableEntity) // only the kiosk takes a name for sure
	stranger.post(door, "name", "Daria Tkachenko", "sure", "yes").want(http.StatusOK)
	if got := len(n.tournament(path).Entries); got != 2 {
		t.Errorf("%d entries", got)
	}
	n.host.post(path + "/door/close").want(http.StatusOK)
	n.browser(lang.English).get(door).want(http.StatusNotFound)
}

// TestTheDoorIsNoListOfMembers: who writes the beginning of a name on a device of their
// own reads of nobody with an account who is not in, and the kiosk takes no more names
// than the door.
func TestTheDoorIsNoListOfMembers(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	owner := n.viewer("Olena")
	n.write(func(tx *store.Tx) error {
		return tx.AddClub(club.New("dragons", "Dragons", "", owner.ID, n.clock.Now()))
	})
	path, door := n.opened(func(s *tournament.Settings) { s.ClubID = "dragons" })
	var kiosk string
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		kiosk = "/kiosk/" + d.Kiosk
		return err
	})
	const host = "Olena"
	phone, tablet := n.browser(lang.English), n.browser(lang.English)
	if body := phone.get(door + "?q=" + host[:3]).want(http.StatusOK).body; strings.Contains(body, host) {
		t.Errorf("the beginning of %s is enough to read it", host)
	}
	phone.get(door + "?q=" + host).want(http.StatusOK).says(host)
	tablet.get(kiosk + "?q=" + host[:3]).want(http.StatusOK).says(host)
	for i := range 120 {
		if i == 60 {
			n.clock.advance(7 * time.Second) // of writes, it brings all back; of names, three
		}
		tablet.post(kiosk, "name", "x").want(http.StatusUnprocessableEntity)
	}
	for range 3 {
		tablet.post(kiosk, "name", "x").want(http.StatusUnprocessableEntity)
	}
	tablet.post(kiosk, "name", "x").want(http.StatusTooManyRequests)
	tablet.get(kiosk).want(http.StatusOK)
}

// TestTheKioskGivesASlipThatLetsInOnAPhone, until the account is claimed or the slip
// is replaced.
func TestTheKioskGivesASlipThatLetsInOnAPhone(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	var kiosk string
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		kiosk = "/kiosk/" + d.Kiosk
		return err
	})
	tablet := n.browser(lang.English)
	in := tablet.post(kiosk, "name", "Mila Savchenko").want(http.StatusOK).wants("heading", "Mila Savchenko, you’re in")
	code := regexp.MustCompile(`class="code">([^<]+)<`).FindStringSubmatch(in.body)[1]
	// The number of an entry is public, the code is not: it stands only where the account was just made, until the next name.
	shown := fmt.Sprintf("%s?in=%d", kiosk, n.entry(path, "Mila Savchenko").ID)
	for _, address := range []string{shown, kiosk + "?in=" + string(n.entry(path, "Mila Savchenko").Player)} {
		n.browser(lang.English).get(address).want(http.StatusOK).saysNot(code)
		n.host.get(address).want(http.StatusOK).saysNot(code)
	}
	tablet.get(shown).want(http.StatusOK).says(code)
	tablet.get(kiosk).want(http.StatusOK).saysNot(code)
	tablet.get(shown).want(http.StatusOK).saysNot(code)
	tablet.post(kiosk, "name", "Mila Savchenko", "known", n.handleOf(n.entry(path, "Mila Savchenko").Player)).
		wants("heading", "Mila Savchenko, you’re in").saysNot(code)
	tablet.get(path).wantsNo("button", "Leave the tournament")                                      // nobody is signed in at the kiosk
	n.host.get(kiosk).want(http.StatusOK).wantsNo("button", "Sign out").wantsNo("link", "Settings") // nor is who has opened it
	phone := n.browser(lang.English)
	phone.get("/k/"+code).want(http.StatusOK).wants("heading", "Are you Mila Savchenko?")
	phone.post("/k", "code", strings.ToUpper(strings.ReplaceAll(code, "-", " "))).want(http.StatusOK).wants("button", "Leave the tournament").
		wants("link", "Keep this account") // as the page of the slip says
	e := n.entry(path, "Mila Savchenko")
	n.host.get(path + "/slips").want(http.StatusOK).says(code)
	n.host.post(fmt.Sprintf("%s/entries/%d/slip", path, e.ID)).want(http.StatusOK)
	n.browser(lang.English).get("/k/" + code).want(http.StatusNotFound)
	n.as(n.players["anna"], lang.English).get(path + "/slips").want(http.StatusForbidden)
	n.host.post(path + "/door/kiosk").want(http.StatusOK) // whoever saw the tablet's address loses it; the poster stays
	tablet.get(kiosk).want(http.StatusNotFound)
	tablet.get(door).want(http.StatusOK)
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		kiosk = "/kiosk/" + d.Kiosk
		return err
	})
	tablet.get(kiosk).want(http.StatusOK)
}

// TestNoKeyOfAFoundSlipOutlivesTheClaim: who finds a slip may add a passkey; it goes when
// the account gets a password, by signing up or in the settings.
func TestNoKeyOfAFoundSlipOutlivesTheClaim(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	for name, claim := range map[string]func(*browser) page{
		"Mila Savchenko": func(b *browser) page { return b.post("/sign-up", "handle", "Mila", "password", "correct horse staple") },
		"Ihor Pavlenko":  func(b *browser) page { return b.post("/settings/password", "new", "correct horse staple") },
	} {
		owner := n.browser(lang.English)
		owner.post(door, "name", name).want(http.StatusOK)
		e := n.entry(path, name)
		keys := func() (list []player.Passkey) {
			n.write(func(tx *store.Tx) (err error) { list, err = tx.Passkeys(e.Player); return err })
			return list
		}
		n.write(func(tx *store.Tx) error {
			return tx.AddPasskey(player.Passkey{ID: name, Player: e.Player, Credential: []byte(name), PublicKey: []byte("k"),
				AAGUID: make([]byte, 16), Name: "found"})
		})
		if len(keys()) != 1 {
			t.Fatal("there is no key to take away")
		}
		claim(owner).want(http.StatusOK)
		if got := keys(); len(got) != 0 || n.guestCode(e.Player) != "" {
			t.Errorf("%s: %d keys and the code %q still sign in", name, len(got), n.guestCode(e.Player))
		}
	}
}

// TestPastedNamesPlay: each line is an account with a slip; who is in stays as they are.
func TestPastedNamesPlay(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, _ := n.opened(nil)
	n.host.post(path+"/players/add", "list", "Марко Лис\nAnna Koval; 1500", "play", "on", "do", "add").want(http.StatusOK).says("2 players added.")
	n.host.post(path+"/players/add", "list", "Anna Koval\nIhor Pavlenko", "play", "on", "do", "add").want(http.StatusOK).says("1 player added. 1 was in already.")
	// A phone that does not scan has an address to type, with the code below it.
	n.host.get(path + "/slips").want(http.StatusOK).says("/k/")
	got := n.tournament(path).Entries
	if len(got) != 3 || got[0].Player == "" || got[1].Rating != 1500 || got[2].Name != "Ihor Pavlenko" {
		t.Errorf("%+v", got)
	}
}

// TestAnotherEventsStaffSeesNoSlips: a guest who enters somewhere else, too, gives that
// staff neither their code nor a new one.
func TestAnotherEventsStaffSeesNoSlips(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	daria := n.browser(lang.English)
	daria.post(door, "name", "Daria Tkach").want(http.StatusOK)
	code := n.guestCode(n.entry(path, "Daria Tkach").Player)
	other := n.as(n.account("Other", player.Organizer), lang.English)
	theirs := other.post("/tournaments", form("name", "Elsewhere", "club", "", "rated", "")...).want(http.StatusOK).path
	other.post(theirs + "/registration").want(http.StatusOK)
	daria.post(theirs + "/register").want(http.StatusOK)
	there := n.tournament(theirs).Entries
	if len(there) != 1 || there[0].Status != tournament.Active {
		t.Fatalf("%+v", there)
	}
	if strings.Contains(other.get(theirs+"/slips").want(http.StatusOK).body, code) {
		t.Error("they can sign in as their guest")
	}
	other.post(fmt.Sprintf("%s/entries/%d/slip", theirs, there[0].ID)).want(http.StatusNotFound)
	if got := n.guestCode(there[0].Player); got != code {
		t.Errorf("the code is another one: %s, was %s", got, code)
	}
	n.host.get(path + "/slips").want(http.StatusOK).says(code)
}

// guestCode is what the slip of somebody says, empty when it lets nobody in any more.
func (n *clubNight) guestCode(id player.ID) (code string) {
	n.t.Helper()
	n.write(func(tx *store.Tx) error {
		list, err := tx.GuestsAt(id)
		if len(list) == 1 {
			code = list[0].Code
		}
		return err
	})
	return code
}

// TestWhoMakesAnAccountTheirOwnIsAloneInIt: whoever used the slip besides is out, and the
// slip lets nobody in; also when the password is set on the page of settings.
func TestWhoMakesAnAccountTheirOwnIsAloneInIt(t *testing.T) {
	t.Parallel()
	for name, claim := range map[string]func(*browser){
		"signing up": func(b *browser) {
			b.post("/sign-up", "handle", "Daria", "password", "correct horse staple").want(http.StatusOK)
		},
		"a password": func(b *browser) {
			b.post("/settings/password", "new", "correct horse staple").want(http.StatusOK)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newClubNight(t)
			path, door := n.opened(nil)
			daria, finder := n.browser(lang.English), n.browser(lang.English)
			daria.post(door, "name", "Daria Tkach").want(http.StatusOK)
			id := n.entry(path, "Daria Tkach").Player
			finder.post("/k", "code", n.guestCode(id)).want(http.StatusOK)
			finder.get("/settings").want(http.StatusOK)
			claim(daria)
			daria.get("/settings").want(http.StatusOK).wants("heading", "Settings")
			finder.get("/settings").wantsNo("heading", "Settings")
			var kept player.Player
			n.write(func(tx *store.Tx) (err error) { kept, err = tx.Player(id); return err })
			if code := n.guestCode(id); code != "" || kept.Unclaimed {
				t.Errorf("code %q, %+v", code, kept)
			}
		})
	}
}

// TestAMistypedCodeOfADoorIsTypedAgain on the page that says so, in either case of letters.
func TestAMistypedCodeOfADoorIsTypedAgain(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	_, door := n.opened(nil)
	guest := n.browser(lang.English)
	guest.get("/t/ZZZZZ").want(http.StatusNotFound).wants("heading", "Code on the poster").wants("alert", "This door is closed")
	guest.get("/t/?code=+"+strings.ToLower(strings.TrimPrefix(door, "/t/"))).want(http.StatusOK).wants("heading", "Who’s playing?")
	guest.get("/t/").want(http.StatusOK).wants("heading", "Code on the poster")
}

// TestWhoIsShutOutComesInByNoDoor: they were led to the event and told that they are in.
func TestWhoIsShutOutComesInByNoDoor(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	marta := n.as(n.account("Marta", player.Plain), lang.English)
	marta.post(door).want(http.StatusOK).wants("heading", "Cup").says("You’re in.")
	n.host.post(path+"/entries/"+words.Itoa(int(n.entry(path, "Marta").ID))+"/withdraw", "reason", "Spoils the evening").want(http.StatusOK)
	marta.post(door).want(http.StatusForbidden).saysNot("You’re in.")
}
