package house_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
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

// What docs/engine.md says was measured is what the bots are: how far they think, how
// they misjudge, and the strength that follows from each one's score against the one before.
func TestTheTableOfStrengthIsThatOfTheBots(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| (\w+) \| ([\d,]+) \| ([\d.]+)(?: pawns)? \| (?:([\d.]+) %.*)?\|$`)
	rows := map[string][]string{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		rows[m[1]] = m
	}
	before := 0
	for i, b := range house.Bots() {
		m, ok := rows[string(b.Handle)]
		if !ok {
			t.Errorf("%s is not in the table", b.Handle)
			continue
		}
		if nodes := strings.ReplaceAll(m[2], ",", ""); nodes != strconv.Itoa(b.Nodes) {
			t.Errorf("%s looks at %d positions, the table says %s", b.Handle, b.Nodes, m[2])
		}
		if pawns, err := strconv.ParseFloat(m[3], 64); err != nil || int(math.Round(pawns*100)) != b.Error {
			t.Errorf("%s misjudges by %d, the table says %s", b.Handle, b.Error, m[3])
		}
		if i > 0 {
			score, err := strconv.ParseFloat(m[4], 64)
			gap := 400 * math.Log10(score/(100-score))
			if err != nil || math.Abs(float64(b.Elo-before)-gap) > 2 { // tenths of a percent
				t.Errorf("%s is %d stronger than the one before, the table's %s %% are %.0f", b.Handle, b.Elo-before, m[4], gap)
			}
		}
		before = b.Elo
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
