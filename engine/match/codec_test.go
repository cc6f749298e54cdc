package match_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
)

var update = flag.Bool("update", false, "rewrite the golden log of the codec versions")

// line is one event of a golden log.
type line struct {
	Seq  int64           `json:"seq"`
	At   int64           `json:"at"` // ms since 1970
	Kind string          `json:"kind"`
	V    int             `json:"v"`
	Body json.RawMessage `json:"body"`
}

func encodeLog(t testing.TB, log []match.Recorded) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range log {
		kind, v, body, err := match.Encode(r.Event)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(line{r.Seq, r.At.UnixMilli(), kind, v, body})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func decodeLog(t testing.TB, raw []byte) []match.Recorded {
	t.Helper()
	var log []match.Recorded
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		e, err := match.Decode(l.Kind, l.V, l.Body)
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, match.Recorded{Seq: l.Seq, At: time.UnixMilli(l.At).UTC(), Event: e})
	}
	return log
}

// everyKind plays a match with an event of almost every kind in its log.
func everyKind(t testing.TB) *table {
	t.Helper()
	o := options(2)
	o.Claims = match.Manual
	o.Lateness = 5 * time.Minute
	o.Envelope.Defaults.Undos = 1
	o.Envelope.Defaults.NewbornPawns = true
	o.Envelope.Forbidden = []string{"skipMoves"}
	b := sit(t, o)
	b.do(5, match.Ready{Seat: second})
	b.do(20, match.CreditOutage{From: at(10), To: at(15)})
	b.do(30, match.Ready{Seat: first})
	b.do(40, bidTime(first, 1, 1, 2))
	b.do(50, match.PlaceBid{Seat: second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1}})
	features := o.Envelope.Defaults
	features.Width = 9
	b.do(60, match.PlaceBid{Seat: first, Bid: bidding.Bid{Target: bidding.Features, Chips: 1, HasOutcome: true, Features: features}})
	b.do(70, match.PlaceBid{Seat: second, Bid: bidding.Bid{Target: bidding.HomeRow, Chips: 1, HasOutcome: true, Row: "RNBQKDBNK"}})
	white, _ := b.state.ToAct()
	b.do(80, move(t, white, "e2e4"))
	b.do(81, move(t, white.Other(), "e7e5"))
	b.do(85, match.CreditOutage{From: at(82), To: at(84)})
	b.do(86, match.Undo{Seat: white})
	b.do(90, move(t, white, "e2e3"))
	b.do(1e6, match.CheckClock{})
	b.ended(match.WinOf(white), match.FlagBoard)
	return b
}

func TestGoldenLogsAreReadAndWritten(t *testing.T) {
	t.Parallel()
	today := map[string]*table{
		filepath.Join("testdata", "log-v1.jsonl"):          everyKind(t),
		filepath.Join("testdata", "log-v1-arbiters.jsonl"): everyActOfArbiters(t),
	}
	if *update {
		for file, b := range today {
			if err := os.WriteFile(file, encodeLog(t, b.log), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob("testdata/log-v*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden logs: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := match.Fold(decodeLog(t, raw))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if r := s.Result(); s.Status() != match.Over || r.Reason != match.FlagBoard || r.Points[0]+r.Points[1] != -match.FlagPenalty {
			t.Errorf("%s ends as %v, %+v", file, s.Status(), r)
		}
	}
	for file, b := range today {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if have := encodeLog(t, b.log); !bytes.Equal(have, raw) {
			t.Errorf("the codec writes\n%s\nthe golden log %s is\n%s", have, file, raw)
		}
	}
}

func TestEventsReadBackAsWritten(t *testing.T) {
	t.Parallel()
	log := append(append(everyKind(t).log, everyActOfArbiters(t).log...), match.Recorded{Event: match.Claimed{Seat: second, Win: true}},
		match.Recorded{Event: match.ForfeitClaimed{Seat: second}}, match.Recorded{Event: match.WaitExtended{Warrant: word("the tram"), By: time.Minute}},
		match.Recorded{Event: waiting(t).log[0].Event},
		match.Recorded{Event: match.Claimed{Seat: first}}, match.Recorded{Event: match.Resigned{Seat: second}})
	for _, r := range log {
		kind, v, body, err := match.Encode(r.Event)
		if err != nil {
			t.Fatal(err)
		}
		e, err := match.Decode(kind, v, body)
		if err != nil {
			t.Fatalf("%s %s: %v", kind, body, err)
		}
		if _, isOpened := e.(match.Opened); !isOpened && !reflect.DeepEqual(e, r.Event) {
			t.Errorf("%s %s is read as %+v, not %+v", kind, body, e, r.Event)
		}
		if _, _, again, err := match.Encode(e); err != nil || !bytes.Equal(again, body) {
			t.Errorf("%s is written again as %s, %v", body, again, err)
		}
	}
}

func TestTheSeedIsNotInPublicEvents(t *testing.T) {
	t.Parallel()
	_, _, body, err := match.Encode(match.Public(everyKind(t).log[0].Event))
	if err != nil || bytes.Contains(body, []byte(`"seed"`)) || !bytes.Contains(body, []byte(`"commitment":"`+match.Seed{1, 2, 3}.Commitment())) {
		t.Errorf("public: %s, %v", body, err)
	}
}

func TestDecodeIsStrict(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, kind string
		v          int
		body       string
	}{
		{"an unknown kind", "pause", 1, `{}`},
		{"a version of the future", "paused", 2, `{"arbiter":"a","why":"x"}`},
		{"an act without its reason", "paused", 1, `{"arbiter":"a","why":""}`},
		{"a clock for ever", "clock-set", 1, `{"by":"A","arbiter":"a","why":"x","left":99999999999}`},
		{"a declared void", "declared", 1, `{"arbiter":"a","why":"x","outcome":"void","reason":"void"}`},
		{"a call that stops perhaps", "called", 1, `{"by":"A","stops":1}`},
		{"one clock at a reopening", "reopened", 1, `{"arbiter":"a","why":"x","to":3,"left":[1000]}`},
		{"an unknown key", "started", 1, `{"x":1}`},
		{"a missing key", "ready", 1, `{}`},
		{"an unknown player", "ready", 1, `{"by":"C"}`},
		{"a body of another kind", "undo", 1, `{"by":"A","act":"resign"}`},
		{"a side key in an act", "play", 1, `{"by":"A","act":"e2e4","at":1}`},
		{"no JSON", "play", 1, `e2e4`},
		{"an unknown outcome", "ended", 1, `{"outcome":"third","reason":"forfeit","points":[0,0]}`},
		{"an unknown reason", "ended", 1, `{"outcome":"draw","reason":"boredom","points":[0,0]}`},
		{"three points", "ended", 1, `{"outcome":"draw","reason":"void","points":[0,0,0]}`},
		{"time that is not whole", "outage", 1, `{"from":1.5,"to":2,"given":1}`},
		{"an opening without envelope", "opened", 1, `{"options":{"claims":"manual","startDelay":1,"lateness":1},"commitment":""}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if e, err := match.Decode(tt.kind, tt.v, []byte(tt.body)); err == nil {
				t.Errorf("read as %+v", e)
			}
		})
	}
}

func FuzzCodecRoundTrip(f *testing.F) {
	for _, r := range append(everyKind(f).log, everyActOfArbiters(f).log...) {
		kind, v, body, err := match.Encode(r.Event)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(kind, v, body)
	}
	f.Fuzz(func(t *testing.T, kind string, v int, body []byte) {
		e, err := match.Decode(kind, v, body)
		if err != nil {
			return
		}
		kind2, v2, body2, err := match.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		again, err := match.Decode(kind2, v2, body2)
		if err != nil || !reflect.DeepEqual(again, e) {
			t.Fatalf("%+v is read back as %+v, %v", e, again, err)
		}
	})
}
