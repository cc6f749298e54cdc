package web_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"chpok.org/chpok/tournament/ladder"
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
	if len(seen.Rungs) != 3 || seen.Rungs[0].Refusal != nil || seen.Rungs[1].Refusal == nil || *seen.Rungs[1].Refusal != "self" || *seen.Rungs[2].Refusal != "lower" {
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
	bob.refused(path+"/challenges", `{"player":"nobody"}`, http.StatusUnprocessableEntity)
	bob.ask("POST", path+"/challenges", `{"player":"ana"}`, http.StatusCreated, &c)
	one := path + "/challenges/1"
	bob.ask("POST", one, `{"do":"accept"}`, http.StatusForbidden, nil)
	ana.ask("POST", one, `{"do":"accept"}`, http.StatusOK, &c)
	bob.ask("POST", one, `{"do":"propose","at":"2026-11-23T18:00:00Z"}`, http.StatusOK, &c)
	if *c.Status != "accepted" || len(c.Times) != 1 || c.Times[0].By != "bob" {
		t.Errorf("after a proposal: %+v", c)
	}
	ana.ask("POST", one, `{"do":"agree","at":"2026-11-23T18:00:00Z"}`, http.StatusOK, &c)
	ana.ask("POST", one, `{"do":"dance"}`, http.StatusBadRequest, nil)
	ana.ask("POST", one, `{"do":"drop","cost":"none"}`, http.StatusConflict, nil)
	ana.ask("POST", one, `{"do":"drop","cost":"place"}`, http.StatusOK, &c)
	if *c.Status != "ended" || *c.Ending != "conceded" || *c.Winner != "bob" {
		t.Errorf("after conceding: %+v", c)
	}
	program{site: s.site}.ask("GET", one, "", http.StatusOK, &c)
	bob.ask("GET", path+"/challenges/2", "", http.StatusNotFound, nil)
}

func TestLogFromTheAPIMakesTheLadderAgain(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	s.program(s.people["bob"]).ask("POST", "/ladders/"+string(s.ladder)+"/challenges", `{"player":"ana"}`, http.StatusCreated, nil)
	var got struct {
		Log []struct {
			Seq   int64
			At    time.Time
			Kind  ladder.Kind
			Event json.RawMessage
		}
	}
	program{site: s.site}.ask("GET", "/ladders/"+string(s.ladder)+"/log", "", http.StatusOK, &got)
	var log []ladder.Event
	for _, line := range got.Log {
		var e ladder.Event
		if err := json.Unmarshal(line.Event, &e); err != nil {
			t.Fatal(err)
		}
		e.Seq, e.At, e.Kind = line.Seq, line.At, line.Kind
		log = append(log, e)
	}
	l, err := ladder.Fold(s.ladder, log)
	if err != nil {
		t.Fatal(err)
	}
	if l.Place("id-ana") != 1 || l.Place("id-cyn") != 3 || len(l.Challenges) != 1 {
		t.Errorf("the log makes %+v", l)
	}
}
