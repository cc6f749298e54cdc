package match_test

import (
	"runtime"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
)

// played returns the commands of a match of some plies, with moves chosen by a fixed rule.
func played(b testing.TB, plies int) (match.State, []match.Command) {
	b.Helper()
	t := sit(b, options(1))
	commands := []match.Command{bidWhite(first, 1), bidTime(second, 1, 180, 5)}
	for i, c := range commands {
		t.do(float64(i), c)
	}
	for n := 0; n < plies && t.state.Status() == match.Playing; n++ {
		by, _ := t.state.ToAct()
		position := t.state.Game().Position()
		moves := position.Moves(nil)
		c := match.Play{Seat: by, Action: moves[(n*7919+13)%len(moves)]}
		t.do(float64(10+n), c)
		commands = append(commands, c)
	}
	return t.state, commands
}

// BenchmarkMatch decides and applies a whole match.
func BenchmarkMatch(b *testing.B) {
	_, commands := played(b, 100)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		s, err := match.Fold([]match.Recorded{{Seq: 1, At: noon, Event: match.Open(options(1), match.Seed{1, 2, 3})[0]}, {Seq: 2, At: noon, Event: match.Started{}}})
		if err != nil {
			b.Fatal(err)
		}
		now := noon
		for _, c := range commands {
			now = now.Add(time.Second)
			events, err := match.Decide(s, c, now)
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range events {
				s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: now, Event: e})
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(commands)), "ns/command")
}

// BenchmarkFold reads a whole match from its encoded log.
func BenchmarkFold(b *testing.B) {
	s, _ := played(b, 100)
	type stored struct {
		kind string
		v    int
		body []byte
		at   time.Time
	}
	var log []stored
	for _, e := range s.History() {
		kind, v, body, err := match.Encode(e.Event)
		if err != nil {
			b.Fatal(err)
		}
		log = append(log, stored{kind, v, body, e.At})
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		var s match.State
		for i, l := range log {
			e, err := match.Decode(l.kind, l.v, l.body)
			if err != nil {
				b.Fatal(err)
			}
			s = s.Apply(match.Recorded{Seq: int64(i + 1), At: l.at, Event: e})
		}
	}
}

// BenchmarkIdleMemory measures the memory of a match of 60 plies.
func BenchmarkIdleMemory(b *testing.B) {
	var before, after runtime.MemStats
	states := make([]match.State, 0, 200)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range cap(states) {
		s, _ := played(b, 60)
		states = append(states, s)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for range b.N {
		_ = states[0].Seq()
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(states)), "B/match")
	runtime.KeepAlive(states)
}
