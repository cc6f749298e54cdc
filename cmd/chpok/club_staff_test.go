package main

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"
)

// clerk does at an evening all that is not playing.
type clerk interface {
	propose() (id string)
	enter(list string)
	start()
	checkIn(entry int)
	draft()
	publish()
	absences(player string) string
	askHalfBye(player string, round int)
	declareSecond(match string)
	correct(round, board int) // to 1-0
	halt(match string)
	setFirstClock(match string, left time.Duration)
	goOn(match string)
	signOff()
	bundle() string
	bring(there *client, dsn, bundle string) (path string)
}

// atPages is a clerk at the pages of the site.
type atPages struct{ *evening }

func (a atPages) propose() string {
	made := a.desk.send("/tournaments/new", "/tournaments", "name", "Club evening", "people", "24", "stake", "club", "over_by", "open", "review", "",
		"rounds", "5", "tiebreaks", "BH/C1, BH, SB, WIN", "numbering", "rating", "capacity", "",
		"chips", "2", "minutes_low", "3", "minutes_high", "10", "increment_high", "3", "moveLimit_low", "10", "moveLimit_high", "10", "default_limit", "10", "presets", "5+3",
		"late_until", "2", "late_bye", "half", "bye_limit", "2", "half_byes", "1",
		"pace", "manual", "lateness", "0:12", "check_in", "event", "opens", "15", "closes", "1", "callStops", "on")
	return strings.Split(made.path, "/")[2]
}

func (a atPages) enter(list string) {
	form := a.path + "/players/add"
	shown := a.desk.send(form, form, "list", list, "do", "preview")
	a.desk.sendFrom(shown, form, "do", "add")
}

func (a atPages) start() { a.desk.send(a.path+"/desk", a.path+"/start") }

func (a atPages) checkIn(entry int) {
	a.desk.send(a.path+"/desk", fmt.Sprintf("%s/entries/%d/check-in", a.path, entry))
}

func (a atPages) draft()   { a.desk.send(a.path+"/pairings", a.path+"/pairings") }
func (a atPages) publish() { a.desk.send(a.path+"/pairings", a.path+"/pairings/edit/publish") }

func (a atPages) absences(player string) string {
	return newPerson(a.t, a.dsn, player, a.two.base).open("/absences").body
}

func (a atPages) askHalfBye(player string, round int) {
	newPerson(a.t, a.dsn, player, a.one.base).send(a.path, a.path+"/byes", "round", fmt.Sprint(round), "kind", "half")
}

// rule is an act of the arbiter's panel.
func (a atPages) rule(match, act, why string, pairs ...string) {
	a.desk.send("/matches/"+match, "/matches/"+match+"/rulings", append([]string{"act", act, act + "-why", why}, pairs...)...)
}

func (a atPages) declareSecond(match string) {
	a.rule(match, "declare", "As the players told me", "declare-result", "second")
}

func (a atPages) correct(round, board int) {
	ask := fmt.Sprintf("%s/rounds/%d/boards/%d?result=1-0&reach=from-now", a.path, round, board)
	a.desk.send(ask, ask, "reason", "The players say that First won")
}

func (a atPages) halt(match string) { a.rule(match, "pause", "The light went out") }

func (a atPages) setFirstClock(match string, left time.Duration) {
	a.rule(match, "clock", "The light went out", "clock-of", "first", "clock-left", fmt.Sprintf("%d:%02d", int(left.Minutes()), int(left.Seconds())%60))
}

func (a atPages) goOn(match string) { a.rule(match, "resume", "The light is back") }

func (a atPages) signOff() {
	a.desk.send(a.path+"/life", a.path+"/life/finalize", "reason", "All fees paid")
}

func (a atPages) bundle() string { return a.desk.raw(a.path + "/bundle.zip") }

func (a atPages) bring(there *client, dsn, bundle string) string {
	guest := newPerson(a.t, dsn, there.name, there.base)
	shown := guest.upload("/tournaments/import/bundle", "evening.zip", []byte(bundle))
	return guest.sendFrom(shown, "/tournaments/import/bundle", "confirm", "yes").path
}

// byProgram is a clerk who has nothing but the API.
type byProgram struct{ *evening }

func (a byProgram) propose() string {
	var offer struct {
		Proposals []struct{ Settings map[string]any }
	}
	a.boss.must("POST", "/tournaments/proposals", map[string]any{"people": 24, "stake": "club", "name": "Club evening"}, &offer)
	settings := offer.Proposals[0].Settings
	for key, changes := range map[string]map[string]any{
		"envelope": {"chips": 2, "minutes": []int{3, 10}, "increment": []int{0, 3}, "moveLimit": []int{10, 10}, "defaults": map[string]int{"moveLimit": 10},
			"presets": []map[string]int{{"minutes": 5, "increment": 3}}},
		"entry":   {"lateUntil": 2, "lateHalfBye": true, "byeLimit": 2, "halfByes": 1},
		"checkIn": {"scope": "event", "opens": 900_000, "closes": 60_000},
	} {
		maps.Copy(settings[key].(map[string]any), changes)
	}
	maps.Copy(settings, map[string]any{"review": false, "rounds": 5, "tiebreaks": []string{"BH/C1", "BH", "SB", "WIN"}, "numbering": "rating", "capacity": 0,
		"pace": "manual", "lateness": 12_000, "callStops": true})
	var made struct{ ID string }
	a.boss.must("POST", "/tournaments", settings, &made)
	return made.ID
}

// post sends something about the tournament.
func (a byProgram) post(what string, in any) {
	a.boss.must("POST", a.path+what, in, nil)
}

func (a byProgram) enter(list string) {
	a.post("/lists", map[string]any{"list": list, "preview": true})
	a.post("/lists", map[string]any{"list": list})
}

func (a byProgram) start()            { a.post("/start", nil) }
func (a byProgram) checkIn(entry int) { a.post(fmt.Sprintf("/entries/%d/check-in", entry), nil) }
func (a byProgram) draft()            { a.post("/draft", nil) }
func (a byProgram) publish()          { a.post("/draft/publication", nil) }

func (a byProgram) absences(player string) string {
	return string(rawCall(a.t, a.players[player], http.MethodGet, "/me/absences", nil).body)
}

func (a byProgram) askHalfBye(player string, round int) {
	a.players[player].must("POST", a.path+"/byes", map[string]any{"round": round, "kind": "half"}, nil)
}

// rule is an act of the arbiter.
func (a byProgram) rule(match, act, why string, more map[string]any) {
	in := map[string]any{"act": act, "why": why}
	maps.Copy(in, more)
	a.boss.must("POST", "/matches/"+match+"/rulings", in, nil)
}

func (a byProgram) declareSecond(match string) {
	a.rule(match, "declare", "As the players told me", map[string]any{"result": "0-1"})
}

func (a byProgram) correct(round, board int) {
	var seen struct{ Version int64 }
	a.boss.must("GET", a.path, nil, &seen)
	a.post(fmt.Sprint("/corrections?shown=", seen.Version), map[string]any{"round": round, "board": board, "result": "1-0", "reach": "from-now", "reason": "The players say that First won"})
}

func (a byProgram) halt(match string) { a.rule(match, "pause", "The light went out", nil) }

func (a byProgram) setFirstClock(match string, left time.Duration) {
	a.rule(match, "clock", "The light went out", map[string]any{"of": "A", "left": left.Milliseconds()})
}

func (a byProgram) goOn(match string) { a.rule(match, "resume", "The light is back", nil) }

func (a byProgram) signOff() {
	a.post("/steps", map[string]any{"step": "finalize", "reason": "All fees paid"})
}

func (a byProgram) bundle() string {
	var taken struct{ Bundle []byte } // in Base64
	a.boss.must("GET", a.path+"/bundle", nil, &taken)
	return string(taken.Bundle)
}

func (a byProgram) bring(there *client, _, bundle string) string {
	var arrived struct{ ID string }
	there.must("POST", "/tournaments/import/bundle", map[string]any{"bundle": base64.StdEncoding.EncodeToString([]byte(bundle))}, &arrived)
	return "/tournaments/" + arrived.ID
}
