package exact_test

import (
	"encoding/json"
	"testing"

	"chpok.org/chpok/engine/exact"
)

// An object is refused, or has the keys and values that encoding/json reads.
func FuzzObjectsAreReadAsByEncodingJSON(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1,"b":[{"c":"\"}"}]}`, ` { "a" : null , "é\u0000":"\\" } `, `{"a":{"b":1},"a":2}`, `[1]`, `"\ud800"`, `{"a":-1e3,"b":true}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, err := exact.ParseObject(raw)
		var want map[string]json.RawMessage
		other := json.Unmarshal(raw, &want)
		if err != nil {
			return
		}
		if other != nil {
			t.Fatalf("%q is read, but not by encoding/json: %v", raw, other)
		}
		if len(o) != len(want) {
			t.Fatalf("%q: %d keys, want %d", raw, len(o), len(want))
		}
		for _, m := range o {
			if string(m.Value) != string(want[m.Key]) {
				t.Fatalf("%q: key %q is %s, want %s", raw, m.Key, m.Value, want[m.Key])
			}
			if list, err := exact.ParseArray(m.Value); err == nil {
				var items []json.RawMessage
				if err := json.Unmarshal(m.Value, &items); err != nil || len(items) != len(list) {
					t.Fatalf("%q: %d items, want %d", m.Value, len(list), len(items))
				}
			}
			exact.Int(m.Value)
			exact.String(m.Value)
		}
	})
}
