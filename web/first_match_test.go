package web_test

import (
	"path"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
)

// begun offers a match by link as Olena, lets somebody accept it, and begins the bidding.
func (d *duel) begun(by *browser, pairs ...string) (id match.ID, players [2]player.ID) {
	d.t.Helper()
	offered := d.offer(append([]string{"who", "link"}, pairs...)...)
	id = match.ID(path.Base(by.post(offered.path + "/accept").path))
	_, head, err := d.live.State(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	d.does(id, head.Players[0], match.Ready{Seat: match.First})
	return id, head.Players
}

func (d *duel) does(id match.ID, by player.ID, c match.Command) {
	d.t.Helper()
	if _, err := d.live.Do(d.t.Context(), id, by, live.Request{Command: c}); err != nil {
		d.t.Fatal(err)
	}
}

// TestAFirstMatchHasHintsAndNoHurry: the opponent is told why a clock stands still.
func TestAFirstMatchHasHintsAndNoHurry(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	before, players := d.begun(d.b)
	d.does(before, players[1], match.Resign{Seat: match.Second}) // from now on Olena is no newcomer

	friend := d.browser(lang.Ukrainian)
	id, players := d.begun(friend)
	guest, at := string(d.guests()[0].Handle), "/matches/"+string(id)
	d.a.get(at).says("This is " + guest + "’s first match: their clock starts with their first bid, after 5\u00a0min at the latest.")
	d.c.get(at).says("This is " + guest + "’s first match") // a watcher
	friend.get(at).says("Ваш годинник чекає на першу ставку, щонайбільше 5\u00a0хв.")
	d.does(id, players[0], match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}})
	friend.get(at).says("Ваш годинник чекає на першу ставку, щонайбільше 5\u00a0хв. Оберіть рядок. Білі: суперник попереду на 1.")
	d.does(id, players[1], match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{Target: bidding.White, Chips: 2}})
	d.a.get(at).saysNot("first match")
	d.does(id, players[0], match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 2}})
	friend.get(at).saysNot("Ваш годинник").says("Білі: суперник попереду на 1.") // the hints stay
	d.a.get(at).saysNot("they lead by")
}

// TestARatedMatchHelpsNobody: a rating says how well somebody plays alone.
func TestARatedMatchHelpsNobody(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	id, players := d.begun(d.b, "rated", "yes")
	d.a.get("/matches/" + string(id)).saysNot("first match").saysNot("Choose a row and put chips on it. More")
	d.does(id, players[0], match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}})
	d.b.get("/matches/" + string(id)).saysNot("they lead by 1. Call")
}
