package web_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/ledger"
)

// Four guests in a cup drawn from pots, in which lots decide what is level: the seed of
// every draw is promised before anybody could know what it decides, and from the log
// anybody draws it again. Lots of boards cannot be drawn twice.
func TestDrawsArePromised(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "knock-out", "pace", "manual", "tie", "lot", "numbering", "pots", "losers", "out")
	for i, name := range []string{"Vira", "Taras", "Olha", "Ivan"} {
		n.host.post(path+"/entries", "guest", name, "club", []string{"Lviv", "Lviv", "Lviv", ""}[i], "rating", []string{"1900", "1800", "1700", "1600"}[i]).
			want(http.StatusOK)
	}
	visitor, given := n.browser(lang.English), n.tournament(path).Promise
	visitor.get(path+"/draw").want(http.StatusOK).wants("heading", "Draw").says(given)
	n.host.post(path + "/start").want(http.StatusOK)
	tour := n.tournament(path)
	visitor.get(path + "/draw").want(http.StatusOK).says(given).says(tour.Seed).says("1–2 by rating").says("3–4 by lot").says("meet in the first round")
	visitor.get(path + "/bracket").want(http.StatusOK).says(path + "/draw")
	n.open(path)
	enters := func(board, result string) {
		n.host.post(path+"/results", "round", "1", "board", board, "result", result).want(http.StatusOK)
	}
	enters("1", "1/2-1/2")
	lot, next := n.tournament(path).Rounds[0].Pairings[0].Result.Odds, n.tournament(path).Promise
	if !lot.Valid() || next == tour.Seed {
		t.Fatalf("the lot is %v, promised next: %s", lot, next)
	}
	for _, result := range []string{"1-0", "1/2-1/2"} { // another one is entered, and the first one again
		n.host.post(path+"/results/undo", "round", "1", "board", "1").want(http.StatusOK)
		enters("1", result)
	}
	if again := n.tournament(path); again.Rounds[0].Pairings[0].Result.Odds != lot || again.Promise != next {
		t.Error("the lot of a board is drawn again")
	}
	enters("2", "1/2-1/2")
	bracket, first := n.tournament(path).Bracket(1), n.tournament(path).Rounds[0].Pairings[0]
	if e, _ := tour.Entry(first.EntryAt(lot)); bracket.States[0].Winner != e.Number {
		t.Errorf("%d goes on, the lot names %d", bracket.States[0].Winner, e.Number)
	}

	for name, log := range map[string][]ledger.Deed{"all": n.deeds(path), "public": ledger.Public(n.deeds(path))} {
		list, err := tables.CheckDraws(log)
		if err != nil || len(list) != 3 || slices.ContainsFunc(list, func(c tables.DrawCheck) bool { return !c.IsRight() || !c.IsPromised }) {
			t.Errorf("draws of the log of %s: %+v, %v", name, list, err)
		}
	}
	for name, forge := range map[string]func(path, text string) string{
		"other numbers": func(path, text string) string {
			if path == "entries.3" {
				return strings.NewReplacer(`"number":3`, `"number":4`, `"number":4`, `"number":3`).Replace(text)
			}
			if path == "entries.4" {
				return strings.NewReplacer(`"number":3`, `"number":4`, `"number":4`, `"number":3`).Replace(text)
			}
			return text
		},
		"another lot": func(path, text string) string {
			if path != ledger.BoardPath(1, 1) {
				return text
			}
			return strings.NewReplacer(`"odds":1`, `"odds":2`, `"odds":2`, `"odds":1`).Replace(text)
		},
		"another promise": func(path, text string) string { return strings.ReplaceAll(text, given, strings.Repeat("0", 64)) },
	} {
		var deeds []ledger.Deed
		raw, _ := json.Marshal(n.deeds(path))
		if err := json.Unmarshal(raw, &deeds); err != nil {
			t.Fatal(err)
		}
		for i := range deeds {
			for k, c := range deeds[i].Changes {
				deeds[i].Changes[k].Before, deeds[i].Changes[k].After = again(forge(c.Path, string(c.Before))), again(forge(c.Path, string(c.After)))
			}
		}
		if list, err := tables.CheckDraws(deeds); err != nil || !slices.ContainsFunc(list, func(c tables.DrawCheck) bool { return !c.IsRight() }) {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
	}
}

func again(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// Equal ratings are ordered by name. Who is erased has none any more, and the draw holds all the same, wherever they stood; a number that
// no name explains still does not.
func TestDrawsHoldAfterSomebodyIsErased(t *testing.T) {
	t.Parallel()
	for _, numbering := range []string{"rating", "pots"} {
		n := newClubNight(t)
		path := n.create("format", "knock-out", "pace", "manual", "tie", "lot", "numbering", numbering, "losers", "out")
		for i, name := range []string{"Vira", "Taras", "Olha", "Ivan", "Bohdan"} {
			n.host.post(path+"/entries", "guest", name, "rating", []string{"1500", "1500", "1500", "1500", "1700"}[i]).want(http.StatusOK)
		}
		n.host.post(path + "/start").want(http.StatusOK)
		holds := func(with ...string) bool {
			var deeds []ledger.Deed
			raw, _ := json.Marshal(n.deeds(path))
			if err := json.Unmarshal([]byte(strings.NewReplacer(with...).Replace(string(raw))), &deeds); err != nil {
				t.Fatal(err)
			}
			list, err := tables.CheckDraws(deeds)
			return err == nil && len(list) == 1 && list[0].IsRight()
		}
		for _, erased := range [][]string{nil, {"Vira"}, {"Taras"}, {"Olha"}, {"Ivan"}, {"Bohdan"}, {"Ivan", "Vira"}} {
			var with []string
			for i, name := range erased {
				with = append(with, `"name":"`+name+`"`, `"name":"deleted-`+string(rune('1'+i))+`"`)
			}
			if !holds(with...) {
				t.Errorf("%s: the draw does not hold without %v", numbering, erased)
			}
		}
		if holds(`"name":"Vira"`, `"name":"deleted-1"`, `"number":1`, `"number":2`, `"number":2`, `"number":1`) {
			t.Errorf("%s: another draw holds, too", numbering)
		}
	}
}
