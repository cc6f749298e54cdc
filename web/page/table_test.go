package page

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/intake"
)

type tableAnswer struct {
	Name string      `json:"name"`
	Rows []tableLine `json:"rows"`
	Tags []string    `json:"tags"`
	Next *string     `json:"next"`
}

type tableLine struct {
	tableBase
	Score  float64     `json:"score"`
	Who    *tableWho   `json:"who,omitempty"`
	At     *time.Time  `json:"at"`
	Tags   []string    `json:"tags"`
	Breaks []tableCode `json:"breaks"`
	Extra  RawBody     `json:"extra"`
}

type tableBase struct {
	Place int `json:"place"`
}

type tableWho struct {
	Handle *player.Handle `json:"handle"`
	Bot    bool           `json:"bot"`
}

type tableCode struct {
	Code  string   `json:"code"`
	Value *float64 `json:"value"`
}

// TestTheListsOfAnAnswerAreTables: objects within a line are columns, lists within it are tables of their own, and what is
// absent is an empty cell.
func TestTheListsOfAnAnswerAreTables(t *testing.T) {
	t.Parallel()
	if got := TablesOf(reflect.TypeFor[tableAnswer]()); !slices.Equal(got, []string{"rows", "rows.breaks"}) {
		t.Fatalf("tables: %q", got)
	}
	handle, noon, half := player.Handle("anna"), time.Date(2027, 1, 15, 12, 0, 0, 0, time.UTC), 7.5
	out := tableAnswer{Rows: []tableLine{
		{tableBase: tableBase{1}, Score: 2.5, Who: &tableWho{&handle, true}, At: &noon, Tags: []string{"a", "b"},
			Breaks: []tableCode{{"BH", &half}, {"SB", nil}}, Extra: RawBody{[]byte(`{"x":1}`)}},
		{tableBase: tableBase{2}, Extra: RawBody{[]byte("null")}},
	}}
	for name, want := range map[string]string{
		"rows":        "place,score,who.handle,who.bot,at,tags,extra\n1,2.5,anna,true,2027-01-15T12:00:00Z,a b,\"{\"\"x\"\":1}\"\n2,0,,,,,\n",
		"rows.breaks": "rows.place,rows.score,rows.who.handle,rows.who.bot,rows.at,rows.tags,rows.extra,code,value\n1,2.5,anna,true,2027-01-15T12:00:00Z,a b,\"{\"\"x\"\":1}\",BH,7.5\n1,2.5,anna,true,2027-01-15T12:00:00Z,a b,\"{\"\"x\"\":1}\",SB,\n",
	} {
		text, err := intake.CSV(tableRows(reflect.ValueOf(&out), name))
		if got := strings.TrimPrefix(string(text), "\ufeff"); err != nil || got != want {
			t.Errorf("%s:\n%swant\n%s%v", name, got, want, err)
		}
	}
}
