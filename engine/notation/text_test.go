package notation_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chpok.org/chpok/engine/notation"
)

var update = flag.Bool("update", false, "rewrite the golden texts")

// roundTrip converts a record to text and back.
func roundTrip(t testing.TB, r notation.Record) string {
	t.Helper()
	text, err := notation.Text(r)
	if err != nil {
		t.Fatal(err)
	}
	again, err := notation.ParseText(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(plain(again), plain(r)) {
		t.Fatalf("read back:\n%+v\nwritten:\n%+v\ntext:\n%s", again, r, text)
	}
	return string(text)
}

// plain returns a record with strings for bytes, for comparison.
func plain(r notation.Record) any {
	type member struct{ key, value string }
	var others []member
	for _, m := range r.Others {
		others = append(others, member{m.Key, string(m.Value)})
	}
	var actions []string
	for _, a := range r.Actions {
		actions = append(actions, string(a))
	}
	return []any{r.First, r.Chips, r.Claims, r.HasDefaults, r.Defaults, others, actions}
}

func TestTextReadsBackAsTheRecord(t *testing.T) {
	t.Parallel()
	for _, file := range vectors(t) {
		r, err := notation.ParseRecord(read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, r)
	}
}

const wholeMatch = `{"chpok":1,"first":"B","chips":3,"claims":"manual","defaults":{"undos":1},
	"players":{"A":"olena","B":"тарас <T>"},"event":"Club evening","odd key":[1,{"x":null}],"actions":[
	{"by":"B","bid":{"target":"white","chips":1},"at":1500,"clock":198500},
	{"by":"A","bid":{"target":"time","chips":1,"minutes":5,"increment":3}},
	{"by":"B","bid":{"target":"time","chips":1}},
	{"by":"B","bid":{"target":"time","chips":1}},
	{"draw":"time","minutes":10,"increment":5,"at":7200000},
	{"by":"A","bid":{"target":"homeRow","chips":1,"row":"RNBQKDBNR"}},
	{"by":"A","bid":{"target":"homeRow","chips":1,"row":"RNBQKBNK"}},
	{"by":"B","bid":{"target":"features","chips":1,"features":{"undos":2,"castlings":0}}},
	{"by":"A","bid":{"target":"features","chips":1}},
	{"by":"B","act":"e2e4","clock":598765},
	{"by":"A","act":"e7e5"},
	{"by":"B","act":"undo","at":3723004},
	{"by":"B","act":"d2d4"},
	{"by":"A","act":"d2d4"},
	{"by":"A","act":"d7d5","why":"a side key"},
	{"by":"B","act":"claim draw"},
	{"by":"A","act":"resign","at":5,"clock":0}]}`

func TestTextIsWhatPeopleRead(t *testing.T) {
	t.Parallel()
	r, err := notation.ParseRecord([]byte(wholeMatch))
	if err != nil {
		t.Fatal(err)
	}
	have := roundTrip(t, r)
	file := filepath.Join("testdata", "match.txt")
	if *update {
		if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(read(t, file)); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestTextThatIsNotOneOfAMatch(t *testing.T) {
	t.Parallel()
	const head = "[chpok 1]\n[first \"A\"]\n[chips 1]\n"
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "chpok"},
		{"no headers", "A raises white with 1\n", "chpok"},
		{"a header cut off", "[chpok 1\n", "line 1"},
		{"a header without value", "[chpok]\n", "line 1"},
		{"a header twice", head + "[chips 1]\n", "twice"},
		{"actions as a header", head + "[actions []]\n", "twice"},
		{"an unknown line", head + "hello\n", "line 4"},
		{"a bid of a stranger", head + "C raises white with 1\n", "line 4"},
		{"a bid the rules refuse", head + "\nB raises white with 1\n", "line 5: not-your-turn"},
		{"a raise that is a call", head + "A raises white with 1\nB raises white with 1\n", "line 5"},
		{"an outcome on white", head + "A raises white with 1 to A\n", "line 4"},
		{"a time that is none", head + "A raises white with 1 (1:2)\n", "line 4"},
		{"a move before the board", head + "1. e2e4\n", "line 4: not-board"},
		{"a raw line that is no JSON", head + "! {\n", "line 4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := notation.ParseText([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("have %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRemarksAndBlankLinesSayNothing(t *testing.T) {
	t.Parallel()
	text := "; a remark\r\n[chpok 1]\r\n\r\n[first \"A\"]\n; another\n\nA resigns\n\n; and the last"
	r, err := notation.ParseText([]byte(text))
	if err != nil || len(r.Actions) != 1 || string(r.Actions[0]) != `{"by":"A","act":"resign"}` {
		t.Errorf("have %s, %v", r.Actions, err)
	}
}

func FuzzNotationRoundTrip(f *testing.F) {
	f.Add([]byte(wholeMatch))
	for _, file := range vectors(f)[:8] {
		f.Add(read(f, file))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := notation.ParseRecord(raw)
		if err != nil {
			return
		}
		roundTrip(t, r)
		written, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := notation.ParseRecord(written)
		if err != nil || !reflect.DeepEqual(plain(again), plain(r)) {
			t.Fatalf("%s is read back as %+v, %v", written, again, err)
		}
	})
}
