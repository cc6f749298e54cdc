package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/challenge"
)

// actionOf is the address to which the form with a button is sent.
func actionOf(t *testing.T, p page, button string) string {
	t.Helper()
	for _, form := range regexp.MustCompile(`(?s)<form[^>]*action="([^"]+)"[^>]*>.*?</form>`).FindAllStringSubmatch(p.body, -1) {
		if strings.Contains(form[0], ">"+button+"</button>") {
			return form[1]
		}
	}
	t.Fatalf("%s has no button %q", p.path, button)
	return ""
}

// TestARematchIsAskedForWhereTheMatchWas: declined, withdrawn, expired and accepted, by forms alone; the address of the new match
// comes to the page of who asked.
func TestARematchIsAskedForWhereTheMatchWas(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	id, players := d.begun(d.b)
	d.does(id, players[1], match.Resign{Seat: match.Second})
	at := "/matches/" + string(id)
	press := func(b *browser, button string) page {
		return b.post(actionOf(t, b.get(at), button)).want(http.StatusOK)
	}

	d.a.get(at).wants("button", "Rematch").wants("link", "New opponent") // who came by a link finds others on Play
	asked := press(d.a, "Rematch")
	if asked.path != at {
		t.Errorf("led to %s", asked.path)
	}
	asked.wants("status", "Rematch offered. The match opens when Taras accepts.").wantsNo("button", "Rematch")
	d.c.get(at).wantsNo("status", "Rematch offered").wantsNo("button", "Accept rematch")
	d.b.get(at).wants("status", "Olena offers a rematch.").wants("button", "Decline")
	if back := press(d.b, "Decline"); back.path != at {
		t.Errorf("declining leads to %s", back.path)
	}
	d.a.get(at).wants("status", "Taras declined a rematch.").wantsNo("button", "Rematch")
	d.clock.advance(time.Second)
	press(d.b, "Rematch").wants("button", "Withdraw") // who declined may ask
	if back := press(d.b, "Withdraw"); back.path != at {
		t.Errorf("withdrawing leads to %s", back.path)
	}
	d.a.get(at).wantsNo("status", "offers a rematch").wants("button", "Rematch")
	d.clock.advance(time.Second)
	press(d.a, "Rematch")
	next := (&contest{site: d.site}).stream(t.Context(), d.a, at+"/feed?last=99")
	d.clock.advance(challenge.RematchLife)
	if err := d.judge.Challenges.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for data := ""; !strings.Contains(data, "The rematch offer has expired."); {
		_, _, data = next()
	}
	d.b.get(at).wants("status", "The rematch offer has expired.").wantsNo("button", "Accept rematch").wants("button", "Rematch")
	press(d.a, "Rematch")
	played := press(d.b, "Accept rematch")
	if !strings.HasPrefix(played.path, "/matches/") || played.path == at {
		t.Fatalf("accepting leads to %s", played.path)
	}
	for data := ""; !strings.Contains(data, `data-rematch="`+played.path+`"`); {
		_, _, data = next()
	}
	d.a.get(at).wants("link", "Go to the rematch").wantsNo("button", "Rematch").wantsNo("link", "Next match")
	d.as(d.taras, lang.Ukrainian).get(at).wants("link", "До реваншу")
}

// TestPairMeLeadsOnToAnotherOpponent on the same terms, and takes back what was offered to the old one.
func TestPairMeLeadsOnToAnotherOpponent(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	d.a.post("/play/pair", "preset", "quick", "seek", "unrated")
	at := d.b.post("/play/pair", "preset", "quick", "seek", "unrated").want(http.StatusOK).path
	id := match.ID(strings.TrimPrefix(at, "/matches/"))
	d.b.post(at + "/opponent").want(http.StatusConflict) // it is not over
	d.does(id, d.olena.ID, match.Ready{Seat: match.First})
	d.does(id, d.olena.ID, match.Resign{Seat: match.First})
	d.c.post(at + "/opponent").want(http.StatusForbidden)

	d.a.post(at+"/rematch").wants("button", "New opponent")
	waits := d.a.post(at + "/opponent").want(http.StatusOK)
	if !strings.HasPrefix(waits.path, "/c/") {
		t.Fatalf("led to %s", waits.path)
	}
	d.b.get(at).wantsNo("button", "Accept rematch")
	if both := d.b.post(at + "/opponent").want(http.StatusOK); !strings.HasPrefix(both.path, "/c/") {
		t.Errorf("those two have just played, and meet again at %s", both.path)
	}
	if other := d.c.post("/play/pair", "preset", "quick", "seek", "unrated"); !strings.HasPrefix(other.path, "/matches/") {
		t.Errorf("whoever else waits finds them: %s", other.path)
	}
}

// TestABotIsFollowedByTheNext: one level up after a win, otherwise one down. A friend's match leads to nobody else.
func TestABotIsFollowedByTheNext(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	b := s.browser(lang.English)
	at := b.post("/play/now").want(http.StatusOK).path
	id, guest := match.ID(strings.TrimPrefix(at, "/matches/")), s.guests()[0].ID
	_, head, err := s.live.State(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	d := &duel{site: s}
	d.does(id, guest, match.Ready{Seat: match.First})
	d.does(id, head.Players[1], match.Ready{Seat: match.Second})
	d.does(id, guest, match.Resign{Seat: match.First})
	over := b.get(at).wants("button", "New opponent: Kin").wants("button", "Rematch")
	next := b.post(actionOf(t, over, "New opponent: Kin")).want(http.StatusOK)
	if !strings.HasPrefix(next.path, "/matches/") || next.path == at {
		t.Fatalf("led to %s", next.path)
	}
	if _, again, err := s.live.State(t.Context(), match.ID(strings.TrimPrefix(next.path, "/matches/"))); err != nil || !again.Untimed {
		t.Errorf("the terms are others: %+v, %v", again, err)
	}
	for bot, want := range map[string][2]string{"Pishak": {"Kin", "Kin"}, "Kin": {"Pishak", "Slon"}, "Drakon": {"Korol", "Korol"}} {
		x, _ := house.Named(player.Handle(bot))
		if got := [2]string{string(x.Beside(false).Handle), string(x.Beside(true).Handle)}; got != want {
			t.Errorf("beside %s: %v", bot, got)
		}
	}
}

// TestARoundLeadsBackToItself: no rematch and no other opponent.
func TestARoundLeadsBackToItself(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	h.second.post(h.match+"/commands", "act", "resign").want(http.StatusOK)
	h.first.get(h.match).wants("link", "Back to the round").wantsNo("button", "Rematch").wantsNo("button", "New opponent")
	h.second.get(h.match).wants("link", "Назад до туру")
	h.first.post(h.match + "/rematch").want(http.StatusNotFound)
	h.first.post(h.match + "/opponent").want(http.StatusNotFound)
}

// TestTheLoserIsToldWhatToLearn: by how the match ended, until its analysis says more.
func TestTheLoserIsToldWhatToLearn(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves(gifts...)
	at := c.url()
	c.second.get(at).says("Worth learning next:").wants("link", "The king is a piece").wants("link", "See what decided it")
	c.first.get(at).saysNot("Worth learning next:").wants("link", "See what decided it")
	c.as(c.taras, lang.Ukrainian).get(at).says("Варто вивчити:").wants("link", "Король — теж фігура").says("Очки за")

	d := newContest(t, short(1))
	d.toBoard()
	d.moves("e2e4", "a7a6")
	d.first.post(d.url()+"/commands", "act", "resign").want(http.StatusOK)
	d.first.get(d.url()).wants("link", "Ranks 5–8")
}
