package ladder_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
)

const cast = "ABCDEFGH"

// anything is one command or some time passing, drawn without regard to sense.
func anything(t *rapid.T, s *stage) {
	who := rapid.SampledFrom(strings.Split(cast, "")).Draw(t, "who")
	me := as(who)
	var n ladder.ChallengeID
	if len(s.Challenges) > 0 {
		c := rapid.SampledFrom(s.Challenges).Draw(t, "challenge")
		n = c.Number
		me = as(string(rapid.SampledFrom([]player.ID{c.Challenger, c.Defender}).Draw(t, "party")))
	}
	switch rapid.IntRange(0, 15).Draw(t, "what") {
	case 0, 1, 2:
		s.Send(as(who), player.ID(rapid.SampledFrom(strings.Split(cast, "")).Draw(t, "whom")), s.now)
	case 3, 4:
		s.Accept(me, n, s.now)
	case 5:
		s.Propose(me, n, fixture.Offer{At: s.now.Add(time.Duration(rapid.IntRange(-1, 400).Draw(t, "h")) * time.Hour), Now: s.now})
	case 6, 7:
		if c, err := s.Challenge(n); err == nil && len(c.Times) > 0 {
			s.Agree(as(string(c.Opponent(c.Times[0].By))), n, c.Times[0].At, s.now)
		}
	case 8:
		s.Drop(me, n, s.now)
	case 9:
		s.Result(n, match.Result{
			Outcome: rapid.SampledFrom([]match.Outcome{match.FirstWins, match.SecondWins, match.Draw, match.BothLose, match.Void}).Draw(t, "outcome"),
			Reason:  rapid.SampledFrom([]match.Reason{match.KingsCaptured, match.Forfeit}).Draw(t, "reason"),
		}, s.now)
	case 10:
		s.StartVacation(as(who), s.now)
	case 11:
		s.EndVacation(as(who), s.now)
	case 12:
		if s.Place(player.ID(who)) > 0 && rapid.Bool().Draw(t, "go") {
			s.Leave(as(who), player.ID(who), s.now)
		} else {
			s.Join(as(who), ladder.Candidate{Player: player.ID(who), Rating: rapid.IntRange(1000, 1005).Draw(t, "rating")}, s.now)
		}
	case 13:
		s.Object(me, n, "an objection", s.now)
		s.Judge(host, n, rapid.SampledFrom([]player.ID{"", me.Player}).Draw(t, "winner"), "a word", s.now)
	case 14:
		s.Move(host, player.ID(who), rapid.IntRange(1, len(cast)).Draw(t, "to"), "a word", s.now)
	default:
		s.wait(time.Duration(rapid.IntRange(1, 30*24).Draw(t, "hours")) * time.Hour)
	}
}

func TestAnyCommandsLeaveALadderWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := newStage(t, cast, func(s *ladder.Settings) {
			s.Climb = rapid.SampledFrom([]ladder.Climb{ladder.Insert, ladder.Swap}).Draw(t, "climb")
			s.Placement = rapid.SampledFrom([]ladder.Placement{ladder.AtBottom, ladder.ByRating}).Draw(t, "placement")
			s.Places = rapid.IntRange(1, 8).Draw(t, "places")
			s.Outgoing, s.Incoming = rapid.IntRange(1, 2).Draw(t, "outgoing"), rapid.IntRange(1, 2).Draw(t, "incoming")
			s.Rest = time.Duration(rapid.IntRange(0, 3).Draw(t, "rest")) * day
		})
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			before, seq := s.order(), s.Seq
			anything(t, s)
			s.wait(time.Minute)
			whole(t, s)
			movesAreExplained(t, s, before, seq)
		}
		again, err := ladder.Fold("L", s.Fresh())
		if err != nil {
			t.Fatal(err)
		}
		if have, want := written(t, again), written(t, s.Ladder); have != want {
			t.Errorf("the log replays to\n%s\nthe ladder is\n%s", have, want)
		}
	})
}

// whole checks what holds at every moment.
func whole(t *rapid.T, s *stage) {
	seen := map[player.ID]bool{}
	for i, r := range s.Rungs {
		if seen[r.Player] || s.Place(r.Player) != i+1 {
			t.Fatalf("the places of %s are no permutation", s.order())
		}
		seen[r.Player] = true
	}
	pairs := map[string]bool{}
	for _, c := range s.Challenges {
		if s.Place(c.Challenger) == 0 || s.Place(c.Defender) == 0 {
			t.Fatalf("challenge %d runs without its players", c.Number)
		}
		pair := fmt.Sprint(min(c.Challenger, c.Defender), max(c.Challenger, c.Defender))
		if pairs[pair] {
			t.Fatalf("two challenges run between %s", pair)
		}
		pairs[pair] = true
		if waits := c.Status == fixture.Playing; waits != c.Due.IsZero() {
			t.Fatalf("challenge %d is %s and due at %v", c.Number, c.Status, c.Due)
		}
		a, _ := s.RungOf(c.Challenger)
		b, _ := s.RungOf(c.Defender)
		if away := a.OnVacation() || b.OnVacation(); c.IsPaused() && !away || away && !c.IsPaused() && !c.Due.IsZero() && c.Status != fixture.Disputed {
			t.Fatalf("challenge %d: paused %v, away %v", c.Number, c.IsPaused(), away)
		}
	}
	for _, r := range s.Rungs {
		if s.Outgoing(r.Player) > s.Settings.Outgoing || s.Incoming(r.Player) > s.Settings.Incoming {
			t.Fatalf("%s has %d challenges sent and %d got", r.Player, s.Outgoing(r.Player), s.Incoming(r.Player))
		}
	}
	deadline, other := s.Due()
	for _, at := range []time.Time{deadline, other} {
		if !at.IsZero() && !at.After(s.now) {
			t.Fatalf("something is still due at %v, now is %v", at, s.now)
		}
	}
}

// movesAreExplained: an order changes only by events that say so, and a challenge
// that its challenger has not won moves nobody.
func movesAreExplained(t *rapid.T, s *stage, before string, seq int64) {
	moved := false
	var ended ladder.Event
	for _, e := range s.Fresh() {
		if e.Seq <= seq {
			continue
		}
		switch e.Kind {
		case ladder.Joined, ladder.LeftLadder, ladder.Sunk:
			moved = true
		case ladder.ChallengeEnded:
			ended = e
		case ladder.Moved:
			moved = true
			if e.By == "" && (ended.Challenge != e.Challenge || ended.Player != e.Player || e.To >= e.From) {
				t.Fatalf("%s moved from %d to %d by challenge %d, which %q has won", e.Player, e.From, e.To, e.Challenge, ended.Player)
			}
		}
	}
	if !moved && s.order() != before {
		t.Fatalf("%s became %s without an event", before, s.order())
	}
}

func written(t *rapid.T, l *ladder.Ladder) string {
	text, err := json.MarshalIndent(l, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
