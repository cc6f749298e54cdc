package house_test

import (
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/house"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/challenge"
)

func TestTheBotsHaveHandlesThatPeopleMayHave(t *testing.T) {
	t.Parallel()
	faces := map[byte]bool{}
	for i, b := range house.Bots() {
		if faces[b.Face] {
			t.Errorf("%s has another bot's face", b.Handle)
		}
		faces[b.Face] = true
		if _, err := player.ParseHandle(string(b.Handle)); err != nil {
			t.Errorf("%s: %v", b.Handle, err)
		}
		if b.Level != i+1 || b.Level > house.Levels {
			t.Errorf("%s has level %d at place %d", b.Handle, b.Level, i)
		}
		if found, ok := house.Named(player.Handle(player.Handle(b.Handle).Key())); !ok || found != b {
			t.Errorf("%s is not found", b.Handle)
		}
	}
	if n := len(house.Bots()); n != house.Levels {
		t.Errorf("%d bots of %d levels", n, house.Levels)
	}
	for i, b := range house.Bots()[1:] {
		if gap := b.Elo - house.Bots()[i].Elo; gap < 150 || gap > 600 {
			t.Errorf("%s is %d stronger than the bot before", b.Handle, gap)
		}
	}
	if _, ok := house.Named("Taras"); ok {
		t.Error("Taras is no bot of the house")
	}
}

// contest is what one bot has of some matches against another, in half points,
// with seats exchanged; the draws of the matches are given, so it is always the same.
func contest(t *testing.T, a, b house.Bot, matches int) (half int) {
	t.Helper()
	for i := range matches {
		var seed match.Seed
		seed[0], seed[1] = byte(a.Level), byte(i/2)
		seats := [2]house.Bot{a, b}
		if i%2 == 1 {
			seats = [2]house.Bot{b, a}
		}
		o := match.DefaultOptions()
		o.Envelope = challenge.Presets()[0].Envelope
		now := time.Date(2026, 11, 23, 19, 0, 0, 0, time.UTC)
		var s match.State
		apply := func(events []match.Event) {
			for _, e := range events {
				s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: now, Event: e})
			}
		}
		apply(match.Open(o, seed))
		for s.Status() != match.Over {
			seat, _ := s.ToAct()
			bot := seats[seat.Index()]
			command, err := search.Bot{Nodes: bot.Nodes, Error: bot.Error, Seed: bot.Seed + uint64(i)}.Choose(t.Context(), s, seat)
			if err != nil {
				t.Fatal(err)
			}
			events, err := match.Decide(s, command, now)
			if err != nil {
				t.Fatal(err)
			}
			apply(events)
		}
		switch s.Result().Outcome {
		case match.Draw:
			half++
		case match.FirstWins:
			half += 2 * (1 - i%2)
		default:
			half += 2 * (i % 2)
		}
	}
	return half
}

// The two strongest think too long for a test; docs/engine.md has what was
// measured.
func TestEachBotBeatsTheOneBefore(t *testing.T) {
	t.Parallel()
	const n = 8
	for i, b := range house.Bots()[1 : house.Levels-2] {
		before := house.Bots()[i]
		t.Run(string(b.Handle), func(t *testing.T) {
			half := contest(t, b, before, n)
			t.Logf("%s scores %.1f of %d against %s", b.Handle, float64(half)/2, n, before.Handle)
			if half <= n {
				t.Errorf("no more than half")
			}
		})
	}
}
