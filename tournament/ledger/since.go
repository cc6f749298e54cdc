package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chpok.org/chpok/tournament"
)

// Before returns the tournament as it stood before the latest deeds of its log.
func Before(t *tournament.Tournament, latest []Deed) (*tournament.Tournament, error) {
	parts := map[string]json.RawMessage{}
	for _, c := range Diff(&tournament.Tournament{}, t) {
		parts[c.Path] = c.After
	}
	was := &tournament.Tournament{Version: t.Version}
	for _, d := range slices.Backward(latest) {
		for _, c := range d.Changes {
			parts[c.Path] = c.Before
			if len(c.Before) == 0 {
				delete(parts, c.Path)
			}
		}
		was.Version = d.Seq - 1
	}
	if err := assemble(was, parts); err != nil {
		return nil, err
	}
	was.ClubStaff = t.ClubStaff // the club's own, not of the log
	return was, nil
}

// Touched is what changes are about, in parts that two people can change side by side: a board, a field of an entry
// or of a head, one element of a list. The values are the parts after the changes, without who made them and when.
type Touched map[string]string

// TouchedBy returns the parts that changes are about.
func TouchedBy(list []Change) Touched {
	out := Touched{}
	for _, c := range list {
		switch {
		case strings.Contains(c.Path, ".boards."): // a result means nothing without the two it is of
			out[c.Path] = plain(c.After)
		case strings.HasPrefix(c.Path, "entries.") && len(c.Before) == 0:
			out.entered(c.After)
		default:
			out.compare(c.Path, c.Before, c.After)
		}
	}
	return out
}

// entered adds a new entry under who it is: its number is whatever is free when it comes, so several doors fill an event
// side by side.
func (t Touched) entered(after json.RawMessage) {
	var e tournament.Entry
	if json.Unmarshal(after, &e) != nil {
		return
	}
	who := string(e.Player)
	if who == "" {
		who = fmt.Sprintf("%d %s", e.Team, e.Name)
	}
	e.ID = 0
	t.compare("entries of "+who, nil, text(e))
}

// byTheWay are fields that tell of an act instead of what it is about; two people who do the same differ in them.
var byTheWay = []string{"by", "at", "since", "match", "openedAt", "enteredAt", "acceptedAt", "engine", "fast"}

// drawn are parts that come of the act's moment or by lot: whoever starts an event starts it.
var drawn = []string{"seed", "opening", "promise", "createdAt", "startedAt", "endedAt", "ratedAt", "stuck"}

// compare adds the fields or elements that differ. An entry's number is drawn, its fields stand beside each other.
func (t Touched) compare(path string, before, after json.RawMessage) {
	var was, is map[string]json.RawMessage
	switch {
	case slices.Contains(drawn, path) || strings.HasSuffix(path, ".number"):
		t[path] = ""
	case isOf('[', before, after):
		t.elements(path, before, after)
	case !isOf('{', before, after) || json.Unmarshal(orNull(before), &was) != nil || json.Unmarshal(orNull(after), &is) != nil:
		t[path] = plain(after)
	default:
		for key := range was {
			if _, stays := is[key]; !stays {
				t.compare(path+"."+key, was[key], nil)
			}
		}
		for key := range is {
			if !bytes.Equal(was[key], is[key]) && !slices.Contains(byTheWay, key) {
				t.compare(path+"."+key, was[key], is[key])
			}
		}
	}
}

// elements adds the elements that only one of two lists has.
func (t Touched) elements(path string, before, after json.RawMessage) {
	was, is := elementsOf(before), elementsOf(after)
	for _, x := range was {
		if !slices.Contains(is, x) {
			t[path+" "+x] = ""
		}
	}
	for _, x := range is {
		if !slices.Contains(was, x) {
			t[path+" "+x] = x
		}
	}
}

func elementsOf(raw json.RawMessage) (texts []string) {
	var list []json.RawMessage
	if json.Unmarshal(orNull(raw), &list) != nil {
		return nil
	}
	for _, x := range list {
		texts = append(texts, plain(x))
	}
	return texts
}

// isOf reports whether what there is of two texts begins with open.
func isOf(open byte, a, b json.RawMessage) bool {
	return (len(a) > 0 || len(b) > 0) && (len(a) == 0 || a[0] == open) && (len(b) == 0 || b[0] == open)
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// plain writes a part without what is by the way.
func plain(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	text, err := json.Marshal(essence(v))
	if err != nil {
		return string(raw)
	}
	return string(text)
}

func essence(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for _, key := range byTheWay {
			delete(x, key)
		}
		for key := range x {
			x[key] = essence(x[key])
		}
	case []any:
		for i := range x {
			x[i] = essence(x[i])
		}
	}
	return v
}

// Seated returns the latest deed that has opened a board for an entry.
func Seated(deeds []Deed, id tournament.EntryID) (Deed, bool) {
	for _, d := range slices.Backward(deeds) {
		for _, c := range d.Changes {
			var p tournament.Pairing
			if strings.Contains(c.Path, ".boards.") && len(c.Before) == 0 && json.Unmarshal(c.After, &p) == nil && p.SeatOf(id).Valid() {
				return d, true
			}
		}
	}
	return Deed{}, false
}

// Meets reports whether two sets of changes are about the same part.
func (t Touched) Meets(o Touched) bool {
	for part := range t {
		if _, both := o[part]; both {
			return true
		}
	}
	return false
}

// IsDoneIn reports whether a set of later changes has left every part as this one would.
func (t Touched) IsDoneIn(o Touched) bool {
	for part, value := range t {
		if there, both := o[part]; !both || there != value {
			return false
		}
	}
	return len(t) > 0
}
