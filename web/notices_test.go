package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

func TestEveryKindOfNoticeHasATextThatSaysAllItIsGiven(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All {
		p := lang.Printer{Lang: l}
		for _, k := range notice.Kinds() {
			var args []any
			for _, name := range k.Args() {
				args = append(args, name, "⟨"+name+"⟩")
			}
			keys := []string{"notice.text." + k.Name()}
			if cases := k.Cases(); cases != nil {
				keys = nil
				for _, x := range cases {
					keys = append(keys, "notice.text."+k.Name()+"."+x)
				}
			}
			for _, key := range keys {
				text := p.T(key, args...)
				if strings.HasPrefix(text, lang.Missing) || strings.Contains(text, "<no value>") {
					t.Errorf("%s: %s: %s", l, key, text)
				}
				for _, name := range k.Args() {
					if !strings.Contains(text, "⟨"+name+"⟩") {
						t.Errorf("%s: %s: %q does not say the %s", l, key, text, name)
					}
				}
			}
			if !p.Has("notice.kind." + k.Name()) {
				t.Errorf("%s: the settings have no word for %s", l, k.Name())
			}
		}
		for _, g := range notice.Groups {
			if !p.Has("notice.group." + g.Name()) {
				t.Errorf("%s: no word for the group %s", l, g.Name())
			}
		}
	}
}

// paired notes that a player is paired in a round.
func (s *site) paired(to player.Player, round string) {
	s.t.Helper()
	n := notice.Notice{
		To: to.ID, Kind: notice.RoundPaired, Key: "cup/" + round, URL: "/rules", When: s.clock.Now().Add(time.Hour),
		Args: map[string]string{"Tournament": "Cup <b>", "Round": round, "Opponent": "taras"},
	}
	s.write(func(tx *store.Tx) error { return tx.AddNotices([]notice.Notice{n}, s.clock.Now()) })
}

func TestNoticesAreListedOpenedAndRead(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena, taras := s.account("Olena", player.Plain), s.account("taras", player.Plain)
	b := s.as(olena, lang.English)
	if page := b.get("/notices"); !strings.Contains(page.body, "Nothing yet.") || strings.Contains(page.body, "bell-count") {
		t.Error("a newcomer is told something")
	}
	s.paired(olena, "1")
	s.clock.advance(time.Hour)
	s.paired(olena, "2")
	page := b.get("/notices")
	for _, want := range []string{"Round 2 of “Cup &lt;b&gt;”: you play taras", `aria-label="Notices: 2 new"`, ">16:00</time>"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	var list []store.Told
	s.write(func(tx *store.Tx) (err error) {
		list, _, err = tx.Notices(store.NoticeQuery{Player: olena.ID, Limit: 9})
		return err
	})
	if other := s.as(taras, lang.English).post("/notices/" + list[0].ID); other.status != http.StatusNotFound {
		t.Errorf("another one's notice: %d", other.status)
	}
	if opened := b.post("/notices/" + list[0].ID); opened.path != "/rules" || !strings.Contains(opened.body, `aria-label="Notices: 1 new"`) {
		t.Errorf("opened: %s", opened.path)
	}
	if fresh := b.get("/notices?show=new"); strings.Contains(fresh.body, "Round 2") || !strings.Contains(fresh.body, "Round 1") {
		t.Error("new ones are not those that are not read")
	}
	// What comes after the page was shown is not marked with it.
	shown := strconv.FormatInt(s.clock.Now().UnixMilli(), 10)
	s.clock.advance(time.Minute)
	s.paired(olena, "3")
	if after := b.post("/notices/read", "until", shown); !strings.Contains(after.body, `aria-label="Notices: 1 new"`) {
		t.Error("what came since was marked too")
	}
	if visitor := s.browser(lang.English).get("/notices"); visitor.path != "/sign-in?return=%2Fnotices" {
		t.Errorf("a visitor sees %s", visitor.path)
	}
}

// TestWhoHasComeToAMatchHasHeardItsCall: the page of the match says the rest.
func TestWhoHasComeToAMatchHasHeardItsCall(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/rounds").want(http.StatusOK)
	anna, at := n.as(n.players["anna"], lang.English), ""
	for _, p := range n.tournament(path).Rounds[0].Pairings {
		if e, err := n.tournament(path).Entry(p.First); err == nil && e.Name == "anna" {
			at = words.MatchURL(p.Match)
		} else if e, err := n.tournament(path).Entry(p.Second); err == nil && e.Name == "anna" {
			at = words.MatchURL(p.Match)
		}
	}
	bell := func(p page) string {
		_, rest, _ := strings.Cut(p.body, `aria-label="Notices: `)
		says, _, _ := strings.Cut(rest, `"`)
		return says
	}
	if says := bell(anna.get("/rules")); says != "2 new" {
		t.Fatalf("entered and paired, and the bell says %q", says)
	}
	if says := bell(anna.get(at)); says != "1 new" {
		t.Errorf("at the board the bell says %q", says)
	}
	if fresh := anna.get("/notices?show=new").body; strings.Contains(fresh, "you play") || !strings.Contains(fresh, "You’re in") {
		t.Error("the call stays new, or what else is new does not")
	}
}

// TestANoticeCallsABotAsEveryPageDoes: in the reader's language; and what is of no more use is not new.
func TestANoticeCallsABotAsEveryPageDoes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	call := notice.Notice{
		To: olena.ID, Kind: notice.MatchOpened, Key: "m", URL: "/matches/m", Until: s.clock.Now().Add(time.Minute),
		Args: map[string]string{"Opponent": "Slon"},
	}
	s.write(func(tx *store.Tx) error { return tx.AddNotices([]notice.Notice{call}, s.clock.Now()) })
	b := s.as(olena, lang.Ukrainian)
	if list := b.get("/notices").body; !strings.Contains(list, "суперник\u00a0— Слон") || !strings.Contains(list, `<li class="new">`) {
		t.Errorf("not as a new match against Слон:\n%s", list)
	}
	s.clock.advance(time.Minute)
	if list := b.get("/notices").body; !strings.Contains(list, "суперник\u00a0— Слон") || strings.Contains(list, `<li class="new">`) {
		t.Error("new when it is too late")
	}
}

func TestHowOneIsToldIsChosenByKind(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	settings := b.get("/settings/notices").body
	for _, k := range notice.Kinds() {
		for _, channel := range []string{"app", "push", "mail"} {
			if n := strings.Count(settings, `name="`+channel+`" value="`+k.Name()+`"`); n != 1 {
				t.Errorf("%s of %s stands there %d times", channel, k.Name(), n)
			}
		}
	}
	if page := b.get("/settings/notices"); page.status != http.StatusOK || !strings.Contains(page.body, `name="app" value="round-paired" checked`) {
		t.Errorf("%d", page.status)
	}
	saved := b.post("/settings/notices", "app", "turn", "mail", "round-paired", "app", "no-such-kind", "early", "2880", "late", "0")
	if b.post("/settings/notices", "early", "17", "late", "0").status != http.StatusBadRequest {
		t.Error("any lead is taken")
	}
	if !strings.Contains(saved.body, `<option value="2880" selected>`) || !strings.Contains(saved.body, `<option value="0" selected>no reminder`) {
		t.Error("the leads are not as chosen")
	}
	if strings.Contains(saved.body, `name="app" value="round-paired" checked`) || !strings.Contains(saved.body, `name="mail" value="round-paired" checked`) ||
		!strings.Contains(saved.body, `name="app" value="turn" checked`) {
		t.Error("not as chosen")
	}
	s.paired(olena, "1")
	if page := b.get("/notices"); strings.Contains(page.body, "Round 1") {
		t.Error("shown all the same")
	}
}

func TestTheBellRingsOnEveryPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	page := b.get("/rules")
	if !strings.Contains(page.body, `data-feed="/notices/feed"`) {
		t.Error("a page without a feed of its own has none")
	}
	next := b.hear("/notices/feed?bell=7", "bell") // the page has been hidden for a while
	if first := next(); !strings.Contains(first, `id="bell"`) || strings.Contains(first, "bell-count") {
		t.Errorf("at first %q", first)
	}
	s.paired(olena, "1")
	s.live.Nudge(live.PlayerTopic(olena.ID), 0)
	if rung := next(); !strings.Contains(rung, "bell-count") {
		t.Errorf("then %q", rung)
	}
	if strings.Contains(s.browser(lang.English).get("/rules").body, "data-feed") {
		t.Error("visitors have a stream too")
	}
}

func TestAFinishedEventCallsNobody(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	anna := n.as(n.players["anna"], lang.English)
	anna.get("/notices?show=new").want(http.StatusOK).says("you play").says("You’re in")
	n.firstWins(path)
	anna.get("/notices?show=new").want(http.StatusOK).saysNot("you play").saysNot("You’re in")
}
