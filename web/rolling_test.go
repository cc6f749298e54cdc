package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// Of six, anna and borys have byes. danylo is done first, so anna plays the semi-final while
// clara and fiona still play their quarter-final, and borys waits for who wins that.
func TestEveryPageShowsTheMatchesInPlayOfARollingCup(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	for _, h := range []player.Handle{"emil", "fiona"} {
		n.players[string(h)] = n.account(h, player.Plain)
	}
	path := n.create("format", "knock-out", "pace", "rolling", "break", "0", "lateness", "5", "tie", "seed", "losers", "out")
	for _, handle := range []string{"anna", "borys", "clara", "danylo", "emil", "fiona"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	quarter := n.tournament(path).Rounds[0].Pairings
	beats := func(winner, loser string, b tournament.Pairing) {
		e, _ := n.tournament(path).EntryOf(n.players[loser].ID)
		seat := b.SeatOf(e.ID)
		for _, c := range []struct {
			by player.ID
			do match.Command
		}{
			{n.players[winner].ID, match.Ready{Seat: seat.Other()}}, {e.Player, match.Ready{Seat: seat}},
			{e.Player, match.Resign{Seat: seat}},
		} {
			if _, err := n.live.Do(t.Context(), b.Match, c.by, live.Request{Command: c.do, Admit: admitted}); err != nil {
				t.Fatal(err)
			}
		}
	}
	beats("danylo", "emil", quarter[0])

	page := n.browser(lang.English).get(path).want(http.StatusOK).wants("heading", "Quarter-finals").wants("heading", "Semi-finals")
	for _, board := range []string{">1.1<", ">1.2<", ">2.1<"} {
		if !strings.Contains(page.body, board) {
			t.Errorf("the first page does not name board %s", board)
		}
	}
	desk := n.host.get(path+"/desk").wants("heading", "Boards in play").wants("heading", "2 boards to go").wantsNo("button", "Reschedule")
	if first, done := strings.Index(desk.body, `id="board-2.1"`), strings.Index(desk.body, `id="board-1.1"`); first < 0 || done < first {
		t.Errorf("the desk does not begin with what is under way: %d, %d", first, done)
	}
	if !strings.Contains(desk.body, "Each next match opens by itself") || !strings.Contains(desk.body, "Board 1.2: ") {
		t.Error("the desk does not say what follows, or who could get more time")
	}
	if boards := n.host.get(path + "/boards").want(http.StatusOK).body; !strings.Contains(boards, "Board 1.2: to the match") ||
		!strings.Contains(boards, "Board 2.1: to the match") {
		t.Error("the boards do not have those in play")
	}
	for handle, says := range map[string]string{
		"anna": "Round 2, board 1", "clara": "Round 1, board 2", "borys": "Semi-finals: you play clara or fiona",
	} {
		if body := n.as(n.players[handle], lang.English).get(path).body; !strings.Contains(body, says) {
			t.Errorf("%s is not told %q", handle, says)
		}
	}

	n.host.post(path+"/postpone", "round", "3", "to", "2026-12-25 18:00", "postpone_reason", "x").want(http.StatusConflict).
		wants("alert", "Later rounds cannot be drafted, moved or taken back")
	n.host.post(path+"/extend", "match", string(quarter[1].Match), "more", "2", "extend_reason", "The tram").want(http.StatusOK)
	for id, more := range map[match.ID]bool{quarter[1].Match: true, n.tournament(path).Rounds[1].Pairings[0].Match: false} {
		if got := strings.Contains(n.host.get(fmt.Sprint("/matches/", id)).body, "The tram"); got != more {
			t.Errorf("more time in %s: %v", id, got)
		}
	}

	// The semi-final ends before the other quarter-final: a screen leads the players of that one to their board.
	beats("danylo", "anna", n.tournament(path).Rounds[1].Pairings[0])
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "names", "lang", "en", "zone", "Europe/Kyiv").want(http.StatusOK)
	n.browser(lang.English).get("/screens/" + n.screens(path)[0].Token).want(http.StatusOK).says("clara").says("fiona").saysNot("anna")
}

// In the break after a match staff see what opens when, and open it at once, though another is played; nothing is
// drafted. A desk that was left open does not give a result to others.
func TestStaffOpenTheNextMatchOfARollingCupBeforeItsTime(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "knock-out", "pace", "rolling", "break", "10", "lateness", "0", "tie", "pair-seed", "losers", "out", "review", "on")
	for _, handle := range []string{"anna", "borys", "clara"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	for _, guest := range []string{"Guest A", "Guest B", "Guest C"} {
		n.host.post(path+"/entries", "guest", guest).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	first := n.tournament(path).Rounds[0].Pairings
	result := func(board int, who tournament.EntryID) page {
		return n.host.post(path+"/results", "round", "1", "board", fmt.Sprint(board), "first", fmt.Sprint(who), "result", "1-0")
	}
	if page := result(1, first[1].First).want(http.StatusConflict); !strings.Contains(page.body, "others sit there now") {
		t.Error("the desk does not say why it refuses the result")
	}
	result(1, first[0].First).want(http.StatusOK)
	n.host.get(path+"/desk").wants("heading", "1 board to go").wants("button", "Open now").wantsNo("button", "Draft round 2")
	n.host.post(path + "/pairings").want(http.StatusConflict)
	n.host.post(path + "/rounds").want(http.StatusOK)
	if got := n.tournament(path); len(got.Rounds) != 2 || len(got.Rounds[1].Pairings) != 1 {
		t.Errorf("the semi-final is not open: %+v", got.Rounds)
	}
	n.host.get(path+"/desk").wants("heading", "2 boards to go").wantsNo("button", "Open now")
	n.host.post(path+"/results/undo", "round", "1", "board", "1").want(http.StatusOK).wants("status", "entered by Olena")
	n.host.post(path+"/results", "round", "1", "board", "2", "result", "1/2-1/2").want(http.StatusOK)
	if desk := n.host.get(path + "/desk"); !strings.Contains(desk.body, "Quarter-finals, tie-break: ") {
		t.Error("the desk does not say that a tie-break comes next")
	}
}

// The pace is shown for knock-outs only: one that was chosen before another format is the usual one there.
func TestAPaceThatTheFormatDoesNotHaveIsTheUsualOne(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	for format, pace := range map[string]string{"swiss": "rolling", "knock-out": "times"} {
		path := n.create("format", format, "pace", pace, "review", "on")
		if got := n.tournament(path); got.Pace != tournament.Auto || !got.Review {
			t.Errorf("a %s at the pace %s has %v, reviewed: %v", format, pace, got.Pace, got.Review)
		}
	}
}
