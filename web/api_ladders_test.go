package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/ladder"
	webform "chpok.org/chpok/web/form"
)

func TestProgramsClimbLadders(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	bob, ana := s.program(s.people["bob"]), s.program(s.people["ana"])
	path := "/ladders/" + string(s.ladder)

	var list struct {
		Ladders []struct {
			Name  string
			Place *int
		}
	}
	bob.ask("GET", "/ladders", "", http.StatusOK, &list)
	if len(list.Ladders) != 1 || list.Ladders[0].Place == nil || *list.Ladders[0].Place != 2 {
		t.Errorf("the list: %+v", list)
	}
	var seen struct {
		Rungs []struct {
			Player  string
			Refusal *string
		}
	}
	bob.ask("GET", path, "", http.StatusOK, &seen)
	if len(seen.Rungs) != 3 || seen.Rungs[0].Refusal != nil || seen.Rungs[1].Refusal == nil || *seen.Rungs[1].Refusal != "self" ||
		*seen.Rungs[2].Refusal != "lower" {
		t.Errorf("the rungs: %+v", seen.Rungs)
	}
	type duel struct {
		Number                 int
		Status, Ending, Winner *string
		Times                  []struct{ By string }
	}
	var c duel
	if code := bob.refused(path+"/challenges", `{"player":"cyn"}`, http.StatusUnprocessableEntity); code != "lower" {
		t.Errorf("a challenge downwards: %s", code)
	}
	bob.refused(path+"/challenges", `{"player":"nobody"}`, http.StatusNotFound)
	bob.ask("POST", path+"/challenges", `{"player":"ana"}`, http.StatusCreated, &c)
	one := path + "/challenges/1"
	bob.ask("POST", one, `{"do":"accept"}`, http.StatusForbidden, nil)
	ana.ask("POST", one, `{"do":"accept"}`, http.StatusOK, &c)
	bob.ask("POST", one, `{"do":"propose","at":"2026-11-23T18:00:00Z"}`, http.StatusOK, &c)
	if *c.Status != "accepted" || len(c.Times) != 1 || c.Times[0].By != "bob" {
		t.Errorf("after a proposal: %+v", c)
	}
	ana.ask("POST", one, `{"do":"agree","at":"2026-11-23T18:00:00Z"}`, http.StatusOK, &c)
	ana.ask("POST", one, `{"do":"dance"}`, http.StatusUnprocessableEntity, nil)
	ana.ask("POST", one, `{"do":"drop","cost":"none"}`, http.StatusConflict, nil)
	ana.ask("POST", one, `{"do":"drop","cost":"place"}`, http.StatusOK, &c)
	if *c.Status != "ended" || *c.Ending != "conceded" || *c.Winner != "bob" {
		t.Errorf("after conceding: %+v", c)
	}
	program{site: s.site}.ask("GET", one, "", http.StatusOK, &c)
	bob.ask("GET", path+"/challenges/2", "", http.StatusNotFound, nil)
}

// TestProgramsOrderALadder as its organizer does.
func TestProgramsOrderALadder(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	host, bob := s.program(s.host), s.program(s.people["bob"])
	path := "/ladders/" + string(s.ladder)
	type rung struct{ Player string }
	var seen struct{ Rungs []rung }
	bob.ask("PUT", path+"/players/bob/place", `{"place":1,"reason":"Mine"}`, http.StatusForbidden, nil)
	host.ask("PUT", path+"/players/bob/place", `{"place":4,"reason":"Low"}`, http.StatusUnprocessableEntity, nil)
	host.ask("PUT", path+"/players/nobody/place", `{"place":1,"reason":"Low"}`, http.StatusNotFound, nil)
	host.ask("PUT", path+"/players/bob/place", `{"place":1,"reason":"They won the cup"}`, http.StatusOK, &seen)
	if len(seen.Rungs) != 3 || seen.Rungs[0].Player != "bob" {
		t.Errorf("after moving bob: %+v", seen.Rungs)
	}
	host.ask("POST", path+"/seed", `{"tournament":"none"}`, http.StatusNotFound, nil)
	var cup struct{ ID string }
	host.ask("POST", "/tournaments", `{"name":"Cup","format":"swiss"}`, http.StatusCreated, &cup)
	s.account("dan", player.Plain)
	host.ask("POST", "/tournaments/"+cup.ID+"/entries", `{"player":"dan"}`, http.StatusCreated, nil)
	host.ask("POST", "/tournaments/"+cup.ID+"/entries", `{"player":"ana"}`, http.StatusCreated, nil)
	host.tells("POST", "/tournaments/"+cup.ID+"/start", "", http.StatusOK, "")
	bob.ask("POST", path+"/seed", `{"tournament":"`+cup.ID+`"}`, http.StatusForbidden, nil)
	host.ask("POST", path+"/seed", `{"tournament":"`+cup.ID+`"}`, http.StatusOK, &seen)
	if len(seen.Rungs) != 4 || seen.Rungs[3].Player != "dan" {
		t.Errorf("after taking the cup’s players on: %+v", seen.Rungs)
	}
}

func TestLogFromTheAPIMakesTheLadderAgain(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	s.program(s.people["bob"]).ask("POST", "/ladders/"+string(s.ladder)+"/challenges", `{"player":"ana"}`, http.StatusCreated, nil)
	var got struct {
		Log []json.RawMessage
	}
	program{site: s.site}.ask("GET", "/ladders/"+string(s.ladder)+"/log", "", http.StatusOK, &got)
	var log []ladder.Event
	for _, line := range got.Log {
		var e ladder.Event
		var more struct {
			Seq      int64
			At       time.Time
			Kind     ladder.Kind
			Settings json.RawMessage
		}
		if err := json.Unmarshal(line, &more); err != nil {
			t.Fatal(err)
		}
		plain := line
		if more.Settings != nil {
			plain = []byte(strings.Replace(string(line), `,"settings":`+string(more.Settings), "", 1))
		}
		if err := json.Unmarshal(plain, &e); err != nil {
			t.Fatal(err)
		}
		if more.Settings != nil {
			set := ladder.DefaultSettings()
			if err := webform.Ladder.Parse(more.Settings, &set); err != nil {
				t.Fatal(err)
			}
			e.Settings = &set
		}
		e.Seq, e.At, e.Kind = more.Seq, more.At, more.Kind
		log = append(log, e)
	}
	l, err := ladder.Fold(s.ladder, log)
	if err != nil {
		t.Fatal(err)
	}
	if l.Place("ana") != 1 || l.Place("cyn") != 3 || len(l.Challenges) != 1 {
		t.Errorf("the log makes %+v", l)
	}
}

func TestProgramsRunLadders(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	host := s.account("holder", player.Organizer)
	boss, bob, cyn := s.program(host), s.program(s.people["bob"]), s.program(s.people["cyn"])
	var made struct {
		ID       ladder.ID
		Settings struct {
			Name   string
			Places int
			Reply  int64
		}
		Rungs []struct {
			Player   string
			Vacation bool
		}
		Challenges []struct{ Status string }
	}
	bob.ask("POST", "/ladders", `{"name":"Mine"}`, http.StatusForbidden, nil)
	if code := boss.refused("/ladders", `{"name":"","places":0}`, http.StatusUnprocessableEntity); code != "settings" {
		t.Errorf("bad settings: %s", code)
	}
	boss.ask("POST", "/ladders", `{"name":"Programs","places":2}`, http.StatusCreated, &made)
	path := "/ladders/" + string(made.ID)
	if made.Settings.Places != 2 || made.Settings.Reply != ladder.DefaultSettings().Reply.Milliseconds() {
		t.Errorf("settings: %+v", made.Settings)
	}
	bob.ask("PATCH", path, `{"name":"Bob's"}`, http.StatusForbidden, nil)
	boss.ask("PATCH", path, `{"name":"For programs"}`, http.StatusOK, &made)
	if made.Settings.Name != "For programs" || made.Settings.Places != 2 {
		t.Errorf("changed: %+v", made.Settings)
	}
	bob.ask("POST", path+"/players", "", http.StatusOK, nil)
	bob.ask("POST", path+"/players", "", http.StatusConflict, nil)
	bob.ask("POST", path+"/players", `{"player":"ana"}`, http.StatusForbidden, nil)
	boss.ask("POST", path+"/players", `{"player":"nobody-here"}`, http.StatusNotFound, nil)
	boss.ask("POST", path+"/players", `{"player":"cyn"}`, http.StatusOK, &made)
	if len(made.Rungs) != 2 || made.Rungs[0].Player != "bob" || made.Rungs[1].Player != "cyn" {
		t.Errorf("rungs: %+v", made.Rungs)
	}
	bob.ask("POST", path+"/vacation", "", http.StatusOK, &made)
	if !made.Rungs[0].Vacation {
		t.Error("not on vacation")
	}
	bob.ask("DELETE", path+"/vacation", "", http.StatusOK, nil)
	bob.ask("DELETE", path+"/vacation", "", http.StatusConflict, nil)
	cyn.ask("POST", path+"/challenges", `{"player":"bob"}`, http.StatusCreated, nil)
	cyn.ask("POST", path+"/challenges/1", `{"do":"judge","winner":"cyn","text":"mine"}`, http.StatusForbidden, nil)
	var judged struct {
		Winner string
		Ruled  struct{ By, Why string }
	}
	boss.ask("POST", path+"/challenges/1", `{"do":"judge","winner":"cyn","text":"Bob is away"}`, http.StatusOK, &judged)
	if judged.Winner != "cyn" || judged.Ruled.By != "holder" || judged.Ruled.Why != "Bob is away" {
		t.Errorf("a challenge that the organizer decided: %+v", judged)
	}
	boss.ask("GET", path, "", http.StatusOK, &made)
	if made.Rungs[0].Player != "cyn" || len(made.Challenges) != 0 {
		t.Errorf("judged: %+v", made)
	}
	bob.ask("DELETE", path+"/players/cyn", "", http.StatusForbidden, nil)
	cyn.ask("DELETE", path+"/players/cyn", "", http.StatusOK, &made)
	if len(made.Rungs) != 1 {
		t.Errorf("after leaving: %+v", made.Rungs)
	}
}
