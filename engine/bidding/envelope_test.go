package bidding_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

func envelope(t *testing.T, text string) bidding.Envelope {
	t.Helper()
	e, err := bidding.ParseEnvelope([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestAnEmptyEnvelopeIsTheWidest(t *testing.T) {
	t.Parallel()
	e, widest := envelope(t, "{}"), bidding.DefaultEnvelope()
	if have, want := encoded(t, e), encoded(t, widest); have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	if err := widest.Validate(); err != nil {
		t.Error(err)
	}
}

func encoded(t *testing.T, e bidding.Envelope) string {
	t.Helper()
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestEnvelopeReadsBackAsWritten(t *testing.T) {
	t.Parallel()
	e := envelope(t, `{"chips":9,"minutes":[3,15],"increment":[0,10],"widths":[10,6,8],"moveLimit":[10,60],"undos":[0,1],
		"castlings":[1,2],"movePoints":[0,3],"forbidden":["skipMoves","removeOwn"],"rows":["RNBQKBNK"],
		"defaults":{"moveLimit":40,"width":10},"presets":[{"minutes":5,"increment":3},{"minutes":10,"increment":0}]}`)
	want := `{"chips":9,"minutes":[3,15],"increment":[0,10],"widths":[6,8,10],"moveLimit":[10,60],"undos":[0,1],` +
		`"castlings":[1,2],"movePoints":[0,3],"forbidden":["skipMoves","removeOwn"],"rows":["RNBQKBNK"],` +
		`"defaults":{"width":10,"moveLimit":40},"presets":[{"minutes":5,"increment":3},{"minutes":10,"increment":0}]}`
	if have := encoded(t, e); have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	if again := encoded(t, envelope(t, want)); again != want {
		t.Errorf("read back: %s", again)
	}
}

func TestWhatDefaultsDoNotNameMovesInsideTheBounds(t *testing.T) {
	t.Parallel()
	e := envelope(t, `{"minutes":[1,2],"moveLimit":[10,60],"widths":[6,10],"castlings":[2,3],"undos":[1,2],"movePoints":[1,2]}`)
	d := e.Defaults
	if d.MoveLimit != 60 || d.Width != 6 || d.Castlings != 2 || d.Undos != 1 || d.MovePoints[board.Dragon] != 1 {
		t.Errorf("defaults %+v", d)
	}
	// None of the usual presets has 1 or 2 minutes.
	if len(e.Presets) != 1 || e.Presets[0] != (bidding.TimeControl{Minutes: 1}) {
		t.Errorf("presets %v", e.Presets)
	}
}

func TestEnvelopeNamesEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"bounds beyond the rules", `{"chips":100,"minutes":[0,181],"widths":[5],"moveLimit":[5,60]}`,
			[]string{"chips: 100", "minutes: 0…181", "widths: 5", "moveLimit: 5…60"}},
		{"bounds upside down", `{"minutes":[15,3],"increment":[10,0]}`, []string{"minutes: 15 is above 3", "increment: 10 is above 0"}},
		{"defaults outside", `{"moveLimit":[10,60],"defaults":{"moveLimit":100}}`, []string{"defaults: moveLimit must be within 10…60"}},
		{"a default that is forbidden", `{"forbidden":["skipMoves"],"defaults":{"skipMoves":true}}`, []string{"defaults: forbidden"}},
		{"presets outside", `{"minutes":[3,5],"presets":[{"minutes":10,"increment":0}]}`, []string{"presets: 10+0 is outside minutes 3…5"}},
		{"a preset twice", `{"presets":[{"minutes":5,"increment":0},{"minutes":5,"increment":0}]}`, []string{"stands twice"}},
		{"no presets", `{"presets":[]}`, []string{"presets: at least one"}},
		{"unknown keys and wrong types", `{"chip":15,"widths":8,"chips":"x","rows":"none","presets":[{"minutes":5}]}`,
			[]string{`no key "chip"`, "widths:", "chips:", "rows:", "presets:"}},
		{"an unknown switch", `{"forbidden":["wings"]}`, []string{`no switch "wings"`}},
		{"a list nobody can mean", `{"forbidden":[` + strings.Repeat(`"",`, 100_000) + `""],"rows":[` + strings.Repeat(`"",`, 100_000) + `""]}`,
			[]string{"forbidden: at most 500", "rows: at most 500"}},
		{"a row without king", `{"rows":["RNBQQBNR"]}`, []string{`"RNBQQBNR"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := bidding.ParseEnvelope([]byte(tt.text))
			var fault *bidding.EnvelopeError
			if !errors.As(err, &fault) {
				t.Fatalf("have %v", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not name %q", err, want)
				}
			}
		})
	}
}

// TestAFaultOfTheDefaultsIsSaidOfNoOtherKey: 500 is within 10…500.
func TestAFaultOfTheDefaultsIsSaidOfNoOtherKey(t *testing.T) {
	t.Parallel()
	_, err := bidding.ParseEnvelope([]byte(`{"moveLimit":[10,500],"defaults":{"moveLimit":500,"wings":true}}`))
	if err == nil || !strings.Contains(err.Error(), "wings") || strings.Contains(err.Error(), "must be within") {
		t.Errorf("have %v", err)
	}
}

func TestABidOutsideTheEnvelopeNamesTheBoundItBreaks(t *testing.T) {
	t.Parallel()
	e := envelope(t, `{"minutes":[3,15],"increment":[0,10],"widths":[6,8],"moveLimit":[10,60],"undos":[0,1],
		"castlings":[0,2],"movePoints":[0,3],"forbidden":["skipMoves"],"rows":["RNBQKBNK"]}`)
	features := func(change func(*board.Features)) bidding.Bid {
		f := e.Defaults
		change(&f)
		return bidding.Bid{Target: bidding.Features, Chips: 1, HasOutcome: true, Features: f}
	}
	for _, tt := range []struct {
		name                    string
		bid                     bidding.Bid
		bound, allowed, nearest string
	}{
		{"2 minutes", timed(first, 1, 2, 0).bid, "minutes", "3…15", "3"},
		{"16 minutes", timed(first, 1, 16, 0).bid, "minutes", "3…15", "15"},
		{"11 seconds", timed(first, 1, 15, 11).bid, "increment", "0…10", "10"},
		{"within", timed(first, 1, 15, 10).bid, "", "", ""},
		{"width 7", features(func(f *board.Features) { f.Width = 7 }), "widths", "6, 8", "6"},
		{"61 moves", features(func(f *board.Features) { f.MoveLimit = 61 }), "moveLimit", "10…60", "60"},
		{"two undos", features(func(f *board.Features) { f.Undos = 2 }), "undos", "0…1", "1"},
		{"three castlings", features(func(f *board.Features) { f.Castlings = 3 }), "castlings", "0…2", "2"},
		{"four points for pawns", features(func(f *board.Features) { f.MovePoints[board.Pawn] = 4 }), "movePoints", "0…3", "3"},
		{"a forbidden switch", features(func(f *board.Features) { f.SkipMoves = true }), "forbidden", "off: skipMoves", ""},
		{"an allowed switch", features(func(f *board.Features) { f.RemoveOwn = true }), "", "", ""},
		{"a listed row", row(first, 1, "RNBQKBNK").bid, "", "", ""},
		{"the standard row", row(first, 1, "RNBQKBNR").bid, "", "", ""},
		{"another row", row(first, 1, "KKKKKKKK").bid, "rows", "the standard row, RNBQKBNK", "RNBQKBNR"},
		{"a call", call(first, bidding.Time, 3).bid, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := e.Check(tt.bid)
			if tt.bound == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			var r *bidding.Refusal
			if !errors.As(err, &r) || r.Code != bidding.OutOfEnvelope || r.Bound != tt.bound || r.Allowed != tt.allowed || r.Nearest != tt.nearest {
				t.Errorf("have %+v, want %s %s, nearest %s", r, tt.bound, tt.allowed, tt.nearest)
			}
		})
	}
}

func TestWorstCase(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, envelope string
		want           time.Duration
	}{
		// 2 × 8 × 100 s, 5 s, 2 × (10 min + 59 × 3 s).
		{"8 chips, 10+3, 60 moves", `{"chips":8,"minutes":[3,10],"increment":[0,3],"moveLimit":[10,60],"undos":[0,0]}`,
			26*time.Minute + 40*time.Second + 5*time.Second + 25*time.Minute + 54*time.Second},
		// Each of two undos of either player gives both one more move: 4 × 10 s each.
		{"undos add moves", `{"chips":1,"minutes":[1,1],"increment":[10,10],"moveLimit":[10,10],"undos":[0,2]}`,
			200*time.Second + 5*time.Second + 2*(60+130)*time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if have := envelope(t, tt.envelope).WorstCase(5 * time.Second); have != tt.want {
				t.Errorf("have %v, want %v", have, tt.want)
			}
		})
	}
}

func TestEverySwitchIsFoundByItsKey(t *testing.T) {
	t.Parallel()
	for _, key := range bidding.Switches {
		f := board.DefaultFeatures()
		*f.Switch(key) = true
		if text := encoded(t, bidding.Envelope{Defaults: f}); !strings.Contains(text, `"defaults":{"`+key+`":true}`) || !bidding.SwitchOn(f, key) {
			t.Errorf("%s turns on %s", key, text)
		}
	}
	if new(board.Features).Switch("width") != nil || bidding.SwitchOn(board.Features{}, "wings") {
		t.Error("what is no switch is none")
	}
}
