package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/venue"
)

// Two arbiters look at one desk. Whoever is second is told who was first and with what, and offered both.
func TestTwoArbitersAtOneBoardOverwriteNothing(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	staff := map[byte]player.Player{'O': n.viewer("Olena").Player, 'E': n.account("entrant", player.Plain)}
	for letter, handle := range map[byte]player.Handle{'A': "arbiter", 'P': "pairer", 'R': "results", 'L': "reader", 'I': "invited"} {
		staff[letter] = n.account(handle, player.Plain)
	}
	n.staffed("cup", staff)
	path, arbiter := "/tournaments/cup", n.as(staff['A'], lang.English)
	board := func(round, board int) tournament.Result {
		return n.tournament(path).Rounds[round-1].Pairings[board-1].Result
	}
	shown := func() string { return strconv.FormatInt(n.tournament(path).Version, 10) }
	enter := func(by *browser, board, result, shown string) page {
		return by.post(path+"/results", "round", "1", "board", board, "result", result, "shown", shown)
	}

	desk := shown()
	if p := n.host.get(path + "/desk"); !p.holds("shown", desk) {
		t.Error("the forms of the desk do not carry what it shows")
	}
	enter(n.host, "1", "1-0", desk).want(http.StatusOK).wants("button", "Undo")
	refused := enter(arbiter, "1", "0-1", desk).want(http.StatusConflict).says("Olena was first").wants("link", "Keep theirs").wants("link", "Correct it")
	if !strings.Contains(refused.body, path+"/rounds/1/boards/1?result=0-1") || strings.Contains(refused.body, "all the same") {
		t.Error("a result that stands is corrected, and only that")
	}
	enter(arbiter, "1", "1-0", desk).want(http.StatusOK) // the same: nothing to tell
	enter(arbiter, "1", "0-1", "").want(http.StatusConflict).says("Olena was first")
	enter(arbiter, "2", "0-1", desk).want(http.StatusOK) // another board, from the same view
	if r := board(1, 1); r.Kind != tournament.FirstWins || r.By != staff['O'].ID {
		t.Errorf("the first stands no more: %+v", r)
	}

	// Undo of what another has entered says what stands, on the desk.
	arbiter.post(path+"/results/undo", "round", "1", "board", "1", "shown", desk).want(http.StatusOK).
		wants("status", "entered by Olena").wants("link", "Correct result")
	if board(1, 1).IsPending() {
		t.Error("taken back by another")
	}

	// A correction is of what was looked at, with a reason; so it is after the next round was paired, and after the end.
	n.host.post(path + "/rounds").want(http.StatusOK)
	for _, p := range n.tournament(path).Rounds[1].Pairings {
		n.host.post(path+"/results", "round", "2", "board", strconv.Itoa(p.Board), "result", "1-0", "shown", shown()).want(http.StatusOK)
	}
	for what, at := range map[string]func(){"the next round is paired": func() {}, "the end": func() { n.host.post(path + "/finish").want(http.StatusOK) }} {
		at()
		seen := shown()
		enter(arbiter, "1", "0-1", seen).want(http.StatusConflict).says("Olena was first")
		correction := path + "/rounds/1/boards/1?reach=from-now&result=0-1"
		arbiter.post(correction, "reason", "the sheet").want(http.StatusConflict).says("Look at what the correction changes")
		arbiter.post(correction, "shown", seen).want(http.StatusUnprocessableEntity)
		if r := board(1, 1); r.Kind != tournament.FirstWins {
			t.Errorf("%s: overwritten: %+v", what, r)
		}
	}
	seen := shown()
	n.host.post(path+"/rounds/1/boards/1?reach=from-now&result=1/2-1/2", "reason", "the sheet", "shown", seen).want(http.StatusOK)
	both := arbiter.post(path+"/rounds/1/boards/1?reach=from-now&result=0-1", "reason", "my sheet", "shown", seen).want(http.StatusConflict).
		says("Olena was first").wants("button", "Do mine all the same")
	if board(1, 1).Kind != tournament.Drawn {
		t.Error("a correction overwrote another")
	}
	// Do mine all the same: the same once more, in sight of what came first.
	if !both.holds("shown", shown()) || !both.holds("reason", "my sheet") {
		t.Error("what is sent again is not the same")
	}
	arbiter.post(path+"/rounds/1/boards/1?reach=from-now&result=0-1", "reason", "my sheet", "shown", shown()).want(http.StatusOK)
	if r := board(1, 1); r.Kind != tournament.SecondWins || r.By != staff['A'].ID {
		t.Errorf("not corrected: %+v", r)
	}
}

// otherWay turns the form of an act into the same act with something else in it.
var otherWay = strings.NewReplacer("name=Cup", "name=Other", "policy=open", "policy=club", "duty=results", "duty=pairings", "more=5", "more=10",
	"places=300", "places=200", "kind=half", "kind=zero", "board=2", "board=1", "result=1-0", "result=0-1", "do=open", "do=close",
	"name=Somebody+Else", "name=Nobody+Else", "a=1&b=2", "a=1&b=3", "18:00", "19:00", "entries=1&entries=2", "entries=1&entries=3",
	"born=1990", "born=1980", "for=hour", "for=day", "list=danylo", "list=anna", "handle=danylo", "handle=anna", "in=on", "in=off", "hello", "goodbye")

// byTheWay are parts that tell who did something and when.
var byTheWay = []string{"by", "at", "since", "openedAt", "enteredAt", "startedAt", "endedAt", "stuck", "opened"}

// leaves takes apart what there is of an event, in the smallest parts there are.
func leaves(into map[string]string, at string, x any) {
	switch x := x.(type) {
	case map[string]any:
		for key, part := range x {
			if !slices.Contains(byTheWay, key) {
				leaves(into, at+"."+key, part)
			}
		}
	case []any: // in any order
		for _, part := range x {
			text, _ := json.Marshal(part)
			into[at+" "+string(text)] = "is there"
		}
	default:
		into[at] = fmt.Sprint(x)
	}
}

// parts are all that staff change in an event, in its log and beside it.
func (n *clubNight) parts(id tournament.ID) map[string]string {
	n.t.Helper()
	out := map[string]string{}
	take := func(at string, raw []byte) {
		var x any
		if err := json.Unmarshal(raw, &x); err != nil {
			n.t.Fatal(at, err)
		}
		leaves(out, at, x)
	}
	for _, c := range ledger.Diff(&tournament.Tournament{}, n.tournament("/tournaments/"+string(id))) {
		take(c.Path, c.After)
	}
	beside := func(at string, list any, err error) {
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			n.t.Fatal(at, err)
		}
		raw, _ := json.Marshal(list)
		take(at, raw)
	}
	n.write(func(tx *store.Tx) error {
		screens, err := tx.Screens(id)
		for _, s := range screens {
			beside("screen "+s.ID, s, err)
		}
		mutes, err := tx.Mutes(id)
		for _, m := range mutes {
			beside("mute "+string(m.Player), map[string]any{"until": m.Until, "reason": m.Reason}, err)
		}
		door, err := tx.Door(id)
		beside("door", map[string]any{"code": door.Code}, err)
		venues, err := tx.Venues(id)
		beside("venues", venues, err)
		return nil
	})
	return out
}

// Every act of the desk is posted from a page that somebody else has overtaken, with every act that may come first:
// the same one with something else in it, and those after which little is as it was. What came first stays as it is, and
// whoever is refused what they could have done before reads who was first.
func TestNoActOfStaffOverwritesWhatItsAuthorHasNotSeen(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	staff := map[byte]player.Player{'O': n.viewer("Olena").Player, 'E': n.account("entrant", player.Plain)}
	for letter, handle := range map[byte]player.Handle{'A': "arbiter", 'P': "pairer", 'R': "results", 'L': "reader", 'I': "invited"} {
		staff[letter] = n.account(handle, player.Plain)
	}
	n.account("reader2", player.Plain)
	arbiter, events := n.as(staff['A'], lang.English), 0
	stages := []func(path string){
		func(string) {},
		func(path string) { // a draft of the next round
			for _, board := range []string{"1", "2"} {
				n.host.post(path+"/results", "round", "1", "board", board, "result", "1-0").want(http.StatusOK)
			}
			n.host.post(path + "/pairings").want(http.StatusOK)
		},
	}
	post := func(b *browser, path, act, form string, shown int64) page {
		act = strings.NewReplacer("life/:step", "life/unstart", ":step", "format", ":entry", "2", ":round", "1", ":board", "1", ":screen", "hall", ":no", "1", ":player", "danylo").Replace(act)
		pairs := []string{"shown", strconv.FormatInt(shown, 10)}
		for pair := range strings.SplitSeq(form, "&") {
			name, value, _ := strings.Cut(pair, "=")
			pairs = append(pairs, name, strings.ReplaceAll(value, "+", " "))
		}
		return b.post(path+act, pairs...)
	}
	type act struct{ path, form string }
	event := func(stage int) (tournament.ID, string) {
		events++
		id := tournament.ID(fmt.Sprintf("e-%d", events))
		n.staffed(id, staff)
		n.write(func(tx *store.Tx) error {
			return tx.SaveScreen(venue.Screen{ID: "hall", Tournament: id, Token: string(id), Name: "Hall", Seconds: 20, Lang: "en", Zone: "Europe/Kyiv", CreatedAt: n.clock.Now()})
		})
		path := "/tournaments/" + string(id)
		stages[stage](path)
		return id, path
	}
	often := [][]act{
		{{"/results", "round=1&board=1&result=1/2-1/2"}, {"/entries/:entry/withdraw", ""}},
		{{"/pairings/edit/discard", ""}, {"/rounds", ""}, {"/entries/:entry/withdraw", ""}},
	}
	for stage := range stages {
		for _, a := range staffActs {
			if !strings.Contains(a.may, "O") || a.path == "/clone" || strings.HasPrefix(a.path, "/posts") {
				continue
			}
			if stage == 1 && !slices.ContainsFunc([]string{"/pairings", "/rounds", "/life", "/finish", "/entries"}, func(at string) bool { return strings.HasPrefix(a.path, at) }) {
				continue // as without a draft
			}
			// What the act does where nobody is first.
			id, path := event(stage)
			was := n.parts(id)
			alone := post(n.host, path, a.path, a.form, n.tournament(path).Version)
			fits := alone.status < 400 && !maps.Equal(was, n.parts(id))
			for _, b := range append([]act{{a.path, otherWay.Replace(a.form)}, {a.path, a.form}}, often[stage]...) {
				n.clock.advance(time.Minute) // nobody enters so many a minute
				id, path := event(stage)
				shown := n.tournament(path).Version
				before := n.parts(id)
				first := post(arbiter, path, b.path, b.form, shown)
				between := n.parts(id)
				if first.status >= 400 || maps.Equal(before, between) {
					continue
				}
				got := post(n.host, path, a.path, a.form, shown)
				after := n.parts(id)
				what := fmt.Sprintf("in stage %d %s?%s came first, then %s?%s: %d", stage, b.path, b.form, a.path, a.form, got.status)
				if got.status >= 400 {
					if !maps.Equal(between, after) {
						t.Errorf("%s; refused, but something has changed", what)
					}
					if fits && !strings.Contains(got.body, "arbiter was first") && a.path != "/players/add" { // that names who is in already
						t.Errorf("%s; it does not say who was first", what)
					}
					if strings.Contains(got.body, "arbiter was first") && !strings.Contains(got.body, "Keep theirs") {
						t.Errorf("%s; it does not offer to keep what came first", what)
					}
					continue
				}
				for part, value := range between {
					if before[part] != value && after[part] != value {
						t.Errorf("%s; %s was %q, became %q, is %q", what, part, before[part], value, after[part])
					}
				}
				for part := range before {
					if _, stays := between[part]; !stays && after[part] != "" {
						t.Errorf("%s; %s was gone, is %q", what, part, after[part])
					}
				}
			}
		}
	}
}

// Who comes in by one door is in nobody's way at another: staff add players from pages that were shown before others came.
func TestEveryWayInStaysOpenWhileOthersComeIn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	ways := []struct{ path, form string }{
		{"/entries", "guest=Guest N"}, {"/players/add", "do=add&list=Guest L\nGuest M"},
		{"/players/add", "do=add&play=on&list=Player L\nPlayer M"}, {"/entries", "handle=danylo"},
	}
	for i, way := range ways {
		shown := strconv.FormatInt(n.tournament(path).Version, 10)
		came := []string{"Ada Lis", "Boryna Hai", "Celina Dub", "Darka Ost"}[i]
		n.browser(lang.English).post(door, "name", came).want(http.StatusOK)
		n.entry(path, came)
		pairs, before := []string{"shown", shown}, len(n.tournament(path).Entries)
		for pair := range strings.SplitSeq(way.form, "&") {
			name, value, _ := strings.Cut(pair, "=")
			pairs = append(pairs, name, value)
		}
		if p := n.host.post(path+way.path, pairs...); p.status != http.StatusOK || len(n.tournament(path).Entries) == before {
			t.Errorf("%s?%s after %s came in: %d, nobody added", way.path, way.form, came, p.status)
		}
	}
}
