package board_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chpok.org/chpok/engine/board"
)

func TestFeaturesThatAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`: `{}`,
		`{"width":8,"moveLimit":888,"undos":0,"castlings":1,"skipMoves":false,"movePoints":{"P":0}}`: `{}`,
		` { "noEnPassant" : true , "width" : 6 } `:                                                   `{"width":6,"noEnPassant":true}`,
		`{"castlings":0,"movePoints":{"D":2,"P":9},"undos":5,"moveLimit":10}`:                        `{"moveLimit":10,"undos":5,"movePoints":{"P":9,"D":2},"castlings":0}`,
		`{"movePoints":{}}`: `{}`,
	} {
		f, err := board.ParseFeatures([]byte(text))
		if err != nil || f.String() != want {
			t.Errorf("%s was read as %s (%v), expected %s", text, f, err, want)
		}
	}
}

func TestFeaturesThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ code, problems string }{
		`null`:                                  {"bad-features", "not a JSON object"},
		`[]`:                                    {"bad-features", "not a JSON object"},
		`"width"`:                               {"bad-features", "not a JSON object"},
		``:                                      {"bad-features", "not a JSON object"},
		`{"width":9`:                            {"bad-features", "not JSON"},
		`{} {}`:                                 {"bad-features", "more than one"},
		`{"width":9,"width":9}`:                 {"bad-features", `"width" stands twice`},
		`{"width":null}`:                        {"bad-features", "width is a whole number, not null"},
		`{"width":"9"}`:                         {"bad-features", `width is a whole number, not "9"`},
		`{"width":9.0}`:                         {"bad-features", "width is a whole number, not 9.0"},
		`{"width":1e1}`:                         {"bad-features", "width is a whole number, not 1e1"},
		`{"width":5}`:                           {"bad-features", "width is 6…10, not 5"},
		`{"moveLimit":true}`:                    {"bad-features", "moveLimit is a whole number, not true"},
		`{"moveLimit":9}`:                       {"bad-features", "moveLimit is 10…999, not 9"},
		`{"undos":-1,"castlings":6}`:            {"bad-features", "undos is 0…5, not -1; castlings is 0…5, not 6"},
		`{"castlings":99999999999999999999}`:    {"bad-features", "castlings is 0…5"},
		`{"castlings":-99999999999999999999}`:   {"bad-features", "castlings is 0…5"},
		`{"pawnsBack":1}`:                       {"bad-features", "pawnsBack is true or false, not 1"},
		`{"pawnsBack":null}`:                    {"bad-features", "pawnsBack is true or false, not null"},
		`{"pawnsBack":"true"}`:                  {"bad-features", "pawnsBack is true or false"},
		`{"movePoints":3}`:                      {"bad-features", "movePoints: not a JSON object"},
		`{"movePoints":{"p":1,"D":10,"K":"1"}}`: {"bad-features", `"p" is not one of`},
		`{"movePoints":{"D":10}}`:               {"bad-features", "movePoints.D is 0…9, not 10"},
		`{"Width":9}`:                           {"unknown-feature", `"Width" is not a feature`},
		`{"":1,"width":11}`:                     {"unknown-feature", `"" is not a feature; width is 6…10, not 11`},
	} {
		f, err := board.ParseFeatures([]byte(text))
		var fault *board.FeatureError
		if !errors.As(err, &fault) || fault.Code != want.code || !strings.Contains(err.Error(), want.problems) {
			t.Errorf("%s was read as %s, error %v", text, f, err)
		}
	}
}

func TestFeaturesInsideOtherJSON(t *testing.T) {
	t.Parallel()
	type bid struct {
		Features board.Features `json:"features"`
	}
	raw, err := json.Marshal(bid{features(t, `{"width":9}`)})
	if err != nil || string(raw) != `{"features":{"width":9}}` {
		t.Errorf("%s, %v", raw, err)
	}
	var b bid
	if err := json.Unmarshal([]byte(`{"features":{"castlings":0}}`), &b); err != nil || b.Features.Width != 8 || b.Features.Castlings != 0 {
		t.Errorf("%+v, %v", b, err)
	}
	if err := json.Unmarshal([]byte(`{"features":{"castlings":7}}`), &b); err == nil {
		t.Error("7 castlings were read")
	}
}

func TestFitKeepsTheRowThatWasBid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row   board.Row
		width int
		want  board.Row
	}{
		{"RNBQKBNR", 6, "RNQKNR"}, // a standard row stays one
		{"RNQKNR", 10, "RNBDQKDBNR"},
		{"RNBQKBRN", 6, "RNBQKB"},
		{"RNBQNBRK", 7, "RNBQNBK"}, // the last king stays, the file before it goes
		{"RNBQNBRK", 6, "RNBQNK"},
		{"KNBQNBRK", 6, "KNBQNB"}, // not the last king
		{"KRQBND", 10, "KRQBNDPPPP"},
		{"KRQBND", 6, "KRQBND"},
		{"KKKKKKKKKK", 6, "KKKKKK"},
	} {
		if got := board.Fit(c.row, c.width); got != c.want {
			t.Errorf("%s at width %d is %s, expected %s", c.row, c.width, got, c.want)
		}
	}
	if board.StandardRow(5) != "" || board.StandardRow(11) != "" {
		t.Error("a board of 5 or 11 files has a standard row")
	}
}

func TestRowsThatAreRefused(t *testing.T) {
	t.Parallel()
	for row, want := range map[board.Row]string{
		"":          `row "" has 0 pieces, the board 8 files; row "" has no king`,
		"RNBQKBN":   `row "RNBQKBN" has 7 pieces, the board 8 files`,
		"RNBQQBNR":  `row "RNBQQBNR" has no king`,
		"rnbqKbNR":  `row "rnbqKbNR": 'r' is not one of K Q R B N D P; row "rnbqKbNR": 'n' is not one of`,
		"RNBQKBNК":  `row "RNBQKBNК": 'К' is not one of`,
		"RNBQKBNR ": "' '",
	} {
		if err := board.ValidateRow(row, 8); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v", row, err)
		}
	}
}
