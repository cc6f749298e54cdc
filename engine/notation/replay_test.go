package notation_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chpok.org/chpok/engine/notation"
)

// vectors are foreign game records with the output of replay --legal.
func vectors(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/records/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no records in testdata: %v", err)
	}
	return files
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func replay(t testing.TB, raw []byte, legal bool) []string {
	t.Helper()
	r, err := notation.ParseRecord(raw)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := notation.Replay(&out, r, legal); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestReplayPrintsTheVectorsToTheByte(t *testing.T) {
	t.Parallel()
	for _, file := range vectors(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			want := strings.Split(strings.TrimSuffix(string(read(t, strings.TrimSuffix(file, ".json")+".out")), "\n"), "\n")
			have := replay(t, read(t, file), true)
			if len(have) != len(want) {
				t.Fatalf("%d lines, want %d", len(have), len(want))
			}
			for i := range want {
				if have[i] != want[i] {
					t.Fatalf("line %d\nhave %s\nwant %s", i+1, have[i], want[i])
				}
			}
		})
	}
}

func TestReplayWithoutLegalLeavesOnlyTheListOut(t *testing.T) {
	t.Parallel()
	raw := read(t, vectors(t)[0])
	with, without := replay(t, raw, true), replay(t, raw, false)
	for i := range with {
		cut := with[i]
		if j := strings.Index(cut, `,"legal":`); j >= 0 {
			cut = cut[:j] + "}}"
		}
		if without[i] != cut {
			t.Fatalf("line %d is %s", i+1, without[i])
		}
	}
}

func TestParseRecordRefusesWhatIsNoRecord(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, raw string }{
		{"nothing", ``},
		{"a list", `[]`},
		{"text", `hello`},
		{"an empty object", `{}`},
		{"another version", `{"chpok":2,"first":"A","actions":[]}`},
		{"a version in quotes", `{"chpok":"1","first":"A","actions":[]}`},
		{"no version", `{"first":"A","actions":[]}`},
		{"nobody first", `{"chpok":1,"actions":[]}`},
		{"an unknown player first", `{"chpok":1,"first":"C","actions":[]}`},
		{"a lower-case player first", `{"chpok":1,"first":"a","actions":[]}`},
		{"no actions", `{"chpok":1,"first":"A"}`},
		{"actions that are no list", `{"chpok":1,"first":"A","actions":{}}`},
		{"no chips", `{"chpok":1,"first":"A","chips":0,"actions":[]}`},
		{"too many chips", `{"chpok":1,"first":"A","chips":100,"actions":[]}`},
		{"half a chip", `{"chpok":1,"first":"A","chips":1.5,"actions":[]}`},
		{"chips in quotes", `{"chpok":1,"first":"A","chips":"15","actions":[]}`},
		{"chips null", `{"chpok":1,"first":"A","chips":null,"actions":[]}`},
		{"unknown claims", `{"chpok":1,"first":"A","claims":"sometimes","actions":[]}`},
		{"defaults that are no features", `{"chpok":1,"first":"A","defaults":{"width":5},"actions":[]}`},
		{"unknown defaults", `{"chpok":1,"first":"A","defaults":{"wings":true},"actions":[]}`},
		{"defaults null", `{"chpok":1,"first":"A","defaults":null,"actions":[]}`},
		{"something after it", `{"chpok":1,"first":"A","actions":[]} x`},
		{"a byte order mark", "\ufeff" + `{"chpok":1,"first":"A","actions":[]}`},
		{"a record cut off", `{"chpok":1,"first":"A","actions":[`},
		{"the keys in capitals", `{"Chpok":1,"First":"A","Actions":[]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := notation.ParseRecord([]byte(tt.raw)); err == nil {
				t.Error("read as a record")
			}
		})
	}
}

// Each action is refused at the start of a record with the code, and changes nothing (Rules D25,
// D26).
func TestRefusedActions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, action, code string }{
		{"an empty action", `{}`, "malformed"},
		{"a number", `5`, "malformed"},
		{"null", `null`, "malformed"},
		{"a text", `"e2e4"`, "malformed"},
		{"by alone", `{"by":"A"}`, "malformed"},
		{"a bid by nobody", `{"bid":{"target":"white","chips":1}}`, "malformed"},
		{"a bid by a stranger", `{"by":"C","bid":{"target":"white","chips":1}}`, "unknown-player"},
		{"a bid by a lower-case player", `{"by":"a","bid":{"target":"white","chips":1}}`, "unknown-player"},
		{"a bid and an act", `{"by":"A","bid":{"target":"white","chips":1},"act":"resign"}`, "malformed"},
		{"a bid and a flag", `{"by":"A","bid":{"target":"white","chips":1},"flag":"A"}`, "malformed"},
		{"a key twice", `{"by":"A","by":"A","bid":{"target":"white","chips":1}}`, "malformed"},
		{"chips twice", `{"by":"A","bid":{"target":"white","chips":1,"chips":1}}`, "malformed"},
		{"the second player bids", `{"by":"B","bid":{"target":"white","chips":1}}`, "not-your-turn"},
		{"no chips", `{"by":"A","bid":{"target":"white","chips":0}}`, "bad-chips"},
		{"fewer than no chips", `{"by":"A","bid":{"target":"white","chips":-1}}`, "bad-chips"},
		{"half a chip", `{"by":"A","bid":{"target":"white","chips":1.5}}`, "bad-chips"},
		{"chips in quotes", `{"by":"A","bid":{"target":"white","chips":"1"}}`, "bad-chips"},
		{"more chips than left", `{"by":"A","bid":{"target":"white","chips":16}}`, "not-enough-chips"},
		{"more chips than fit an integer", `{"by":"A","bid":{"target":"white","chips":123456789012345678901234567890}}`, "not-enough-chips"},
		{"an unknown target", `{"by":"A","bid":{"target":"colour","chips":1}}`, "unknown-target"},
		{"a target in other letters", `{"by":"A","bid":{"target":"White","chips":1}}`, "unknown-target"},
		{"a raise on time without outcome", `{"by":"A","bid":{"target":"time","chips":1}}`, "bad-time"},
		{"a raise on time without increment", `{"by":"A","bid":{"target":"time","chips":1,"minutes":5}}`, "bad-time"},
		{"no minutes", `{"by":"A","bid":{"target":"time","chips":1,"minutes":0,"increment":5}}`, "bad-time"},
		{"181 minutes", `{"by":"A","bid":{"target":"time","chips":1,"minutes":181,"increment":5}}`, "bad-time"},
		{"61 seconds", `{"by":"A","bid":{"target":"time","chips":1,"minutes":5,"increment":61}}`, "bad-time"},
		{"a row in lower case", `{"by":"A","bid":{"target":"homeRow","chips":1,"row":"rnbqkbnr"}}`, "bad-row"},
		{"a row too short", `{"by":"A","bid":{"target":"homeRow","chips":1,"row":"RNBQKBN"}}`, "bad-row"},
		{"a row without king", `{"by":"A","bid":{"target":"homeRow","chips":1,"row":"RNBQQBNR"}}`, "bad-row"},
		{"a raise on the row without outcome", `{"by":"A","bid":{"target":"homeRow","chips":1}}`, "bad-row"},
		{"features null", `{"by":"A","bid":{"target":"features","chips":1,"features":null}}`, "bad-features"},
		{"a switch as a number", `{"by":"A","bid":{"target":"features","chips":1,"features":{"skipMoves":1}}}`, "bad-features"},
		{"an unknown feature", `{"by":"A","bid":{"target":"features","chips":1,"features":{"wings":true}}}`, "unknown-feature"},
		{"a raise on features without outcome", `{"by":"A","bid":{"target":"features","chips":1}}`, "bad-features"},
		{"a draw nobody waits for", `{"draw":"white","white":"A"}`, "no-draw-pending"},
		{"a flag of who is not to act", `{"flag":"B"}`, "flag-not-to-act"},
		{"a flag of nobody", `{"flag":null}`, "flag-not-to-act"},
		{"a move before the board", `{"by":"A","act":"e2e4"}`, "not-board"},
		{"an undo before the board", `{"by":"A","act":"undo"}`, "not-board"},
		{"a claim before the board", `{"by":"A","act":"claim draw"}`, "not-board"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			bid := `{"by":"A","bid":{"target":"white","chips":15}}`
			lines := replay(t, []byte(`{"chpok":1,"first":"A","actions":[`+tt.action+`,`+bid+`]}`), true)
			if want := `{"n":0,"ok":false,"error":"` + tt.code + `"}`; lines[1] != want {
				t.Errorf("have %s\nwant %s", lines[1], want)
			}
			if !strings.HasPrefix(lines[2], `{"n":1,"ok":true,"state":{"phase":"bidding","turn":"B","chips":{"A":0,"B":15}`) {
				t.Errorf("the action after it: %s", lines[2])
			}
		})
	}
}

func TestSideKeysOfAnActionAreIgnored(t *testing.T) {
	t.Parallel()
	lines := replay(t, []byte(`{"chpok":1,"first":"B","chips":1,"actions":[
		{"by":"B","bid":{"target":"white","chips":1,"minutes":"x","row":7,"note":[]},"at":5},
		{"by":"A","bid":{"target":"homeRow","chips":1,"row":"RNBQKBNK","features":null}},
		{"draw":"time","minutes":3,"increment":2,"by":"Z","why":null}]}`), false)
	for i, line := range lines {
		if !strings.Contains(line, `"ok":true`) {
			t.Errorf("line %d is %s", i, line)
		}
	}
	want := `{"n":2,"ok":true,"state":{"phase":"board","turn":"B","white":"B",` +
		`"cfen":"rnbqkbnk/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNK w - 1/1 0/0 0/0 1",` +
		`"points":{"A":0,"B":0},"undos":{"A":0,"B":0},"claims":{"win":null,"draw":false}}}`
	if lines[3] != want {
		t.Errorf("have %s\nwant %s", lines[3], want)
	}
}

func TestRecordKeepsOtherKeysAndReadsBackEqual(t *testing.T) {
	t.Parallel()
	for _, file := range vectors(t) {
		r, err := notation.ParseRecord(read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var before, after any
		if err := json.Unmarshal(read(t, file), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &after); err != nil {
			t.Fatal(err)
		}
		if have, want := mustJSON(t, after), mustJSON(t, before); have != want {
			t.Fatalf("%s: have %s\nwant %s", file, have, want)
		}
	}
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
