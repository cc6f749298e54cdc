package exact_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"chpok.org/chpok/engine/exact"
)

func TestObjectKeepsKeysInOrderAndValuesAsWritten(t *testing.T) {
	t.Parallel()
	o, err := exact.ParseObject([]byte(" { \"b\" : 1.50 ,\"a\":[1, {\"x\":\"}\\\"]\"}],\t\"\\u0041\":null, \"n\":-3}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := exact.Object{
		{"b", json.RawMessage("1.50")}, {"a", json.RawMessage(`[1, {"x":"}\"]"}]`)},
		{"A", json.RawMessage("null")}, {"n", json.RawMessage("-3")},
	}
	if len(o) != len(want) {
		t.Fatalf("%d members, want %d", len(o), len(want))
	}
	for i := range want {
		if o[i].Key != want[i].Key || string(o[i].Value) != string(want[i].Value) {
			t.Errorf("member %d is %s=%s, want %s=%s", i, o[i].Key, o[i].Value, want[i].Key, want[i].Value)
		}
	}
	if o.Has("B") {
		t.Error("keys are exact about case")
	}
}

func TestObjectRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, raw string }{
		{"a key twice", `{"a":1,"a":2}`},
		{"a key twice in another spelling", `{"a":1,"\u0061":2}`},
		{"something after the object", `{"a":1} x`},
		{"two objects", `{}{}`},
		{"a byte order mark", "\ufeff{}"},
		{"an array", `[]`},
		{"a number", `1`},
		{"nothing", ``},
		{"white space", " \n"},
		{"a missing brace", `{"a":1`},
		{"bytes that are no text", "{\"a\":\"\xff\"}"},
		{"a trailing comma", `{"a":1,}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if o, err := exact.ParseObject([]byte(tt.raw)); err == nil {
				t.Errorf("read as %v", o)
			}
		})
	}
}

func TestAKeyTwiceIsFoundAmongMany(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, `"k%d":%d,`, i, i)
	}
	if o, err := exact.ParseObject([]byte("{" + b.String() + `"k100":1}`)); err != nil || len(o) != 101 {
		t.Errorf("%d members, %v", len(o), err)
	}
	for _, again := range []string{"k3", "k99"} {
		if _, err := exact.ParseObject([]byte("{" + b.String() + `"` + again + `":1}`)); err == nil {
			t.Errorf("%s stands twice", again)
		}
	}
}

func TestArray(t *testing.T) {
	t.Parallel()
	list, err := exact.ParseArray([]byte(` [1 ,"a,b", [2,[3]], {} , null]`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1", `"a,b"`, "[2,[3]]", "{}", "null"}
	for i := range want {
		if i >= len(list) || string(list[i]) != want[i] {
			t.Fatalf("elements %s, want %v", list, want)
		}
	}
	if list, err := exact.ParseArray([]byte("[]")); err != nil || len(list) != 0 {
		t.Errorf("an empty array is %v, %v", list, err)
	}
	if _, err := exact.ParseArray([]byte("{}")); err == nil {
		t.Error("an object is no array")
	}
}

func TestWholeNumbersAreWholeNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		raw string
		n   int
		ok  bool
	}{
		{"0", 0, true}, {"15", 15, true}, {"-5", -5, true}, {"-0", 0, true},
		{"1000000000002", 1000000000002, true},
		{"99999999999999999999", math.MaxInt, true}, {"-99999999999999999999", math.MinInt, true},
		{"2.5", 0, false}, {"2.0", 0, false}, {"1e1", 0, false}, {`"3"`, 0, false},
		{"null", 0, false}, {"true", 0, false}, {"[1]", 0, false}, {"", 0, false}, {"-", 0, false},
	} {
		if n, ok := exact.Int(json.RawMessage(tt.raw)); n != tt.n || ok != tt.ok {
			t.Errorf("Int(%s) = %d, %v; want %d, %v", tt.raw, n, ok, tt.n, tt.ok)
		}
	}
}
