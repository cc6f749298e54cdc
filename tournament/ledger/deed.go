// Package ledger is the log of a tournament: what every act made different, told
// so that the lines, folded, are the tournament, and which of it everybody may
// see. It refuses lines that do not follow from one another.
package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// Deed is one line of a tournament's log: who did what, in which duty, when and
// why, and what became different. The deeds of a tournament, folded, are the
// tournament.
type Deed struct {
	Seq     int64           `json:"seq"` // the tournament's version after it, from 1
	At      time.Time       `json:"at"`
	By      player.ID       `json:"by,omitempty"`   // empty: the site by itself
	Duty    tournament.Duty `json:"duty,omitempty"` // zero: none, as of a player who enters
	Act     tournament.Act  `json:"act"`
	Reason  string          `json:"reason,omitempty"`
	Changes []Change        `json:"changes,omitempty"` // by path
}

// Change is one part of a tournament before and after. A part that was or is
// not there is empty.
//
// The paths: a setting is settings.KEY, an entry entries.ID, a round's head
// rounds.N, its boards rounds.N.boards.B, its byes rounds.N.byes; the rest are
// the names of heads.
type Change struct {
	Path   string          `json:"path"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// ErrBroken says that the deeds do not follow from one another.
var ErrBroken = errors.New("ledger: the log is broken")

// heads are the parts that are neither settings, entries nor rounds. What is
// zero is not in the document.
var heads = []struct {
	path string
	of   func(*tournament.Tournament) any // a pointer to the part
}{
	{"id", func(t *tournament.Tournament) any { return &t.ID }},
	{"organizer", func(t *tournament.Tournament) any { return &t.Organizer }},
	{"status", func(t *tournament.Tournament) any { return &t.Status }},
	{"gate", func(t *tournament.Tournament) any { return &t.Gate }},
	{"opening", func(t *tournament.Tournament) any { return &t.Opening }},
	{"seed", func(t *tournament.Tournament) any { return &t.Seed }},
	{"promise", func(t *tournament.Tournament) any { return &t.Promise }},
	{"forbidden", func(t *tournament.Tournament) any { return &t.Forbidden }},
	{"chat", func(t *tournament.Tournament) any { return &t.Chat }},
	{"staff", func(t *tournament.Tournament) any { return &t.Staff }},
	{"createdAt", func(t *tournament.Tournament) any { return &t.CreatedAt }},
	{"startedAt", func(t *tournament.Tournament) any { return &t.StartedAt }},
	{"endedAt", func(t *tournament.Tournament) any { return &t.EndedAt }},
	{"ratedAt", func(t *tournament.Tournament) any { return &t.RatedAt }},
	{"timetable", func(t *tournament.Tournament) any { return &t.Timetable }},
	{"rehearsal", func(t *tournament.Tournament) any { return &t.Rehearsal }},
	{"draft", func(t *tournament.Tournament) any { return &t.Draft }},
	{"signed", func(t *tournament.Tournament) any { return &t.Signed }},
	{"origin", func(t *tournament.Tournament) any { return &t.Origin }},
	{"lineUpsAt", func(t *tournament.Tournament) any { return &t.LineUpsAt }},
	{"stuck", func(t *tournament.Tournament) any { return &t.Stuck }},
}

// roundHead is a round without its boards and byes.
type roundHead struct {
	OpenedAt time.Time        `json:"openedAt"`
	Engine   string           `json:"engine"`
	Edited   bool             `json:"edited,omitempty"`
	Pass     *tournament.Pass `json:"pass,omitempty"`
}

func headOf(r tournament.Round) roundHead {
	return roundHead{r.OpenedAt, r.Engine, r.Edited, r.Pass}
}

// BoardPath is the path of one board in a log.
func BoardPath(round, board int) string { return fmt.Sprintf("rounds.%d.boards.%d", round, board) }

// BoardChange is the change of one board.
func BoardChange(round int, before, after tournament.Pairing) Change {
	return Change{BoardPath(round, after.Board), text(before), text(after)}
}

// text is a part as JSON; empty for the zero value.
func text(v any) json.RawMessage {
	if reflect.ValueOf(v).IsZero() {
		return nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a part of a tournament that is no JSON: %v", err)) // names, numbers and times only
	}
	return raw
}

// Diff is what turns one state of a tournament into another.
func Diff(before, after *tournament.Tournament) []Change {
	var list []Change
	add := func(path string, b, a json.RawMessage) {
		if !bytes.Equal(b, a) {
			list = append(list, Change{path, b, a})
		}
	}
	for _, h := range heads {
		b, a := reflect.ValueOf(h.of(before)).Elem().Interface(), reflect.ValueOf(h.of(after)).Elem().Interface()
		if !reflect.DeepEqual(b, a) {
			add(h.path, text(b), text(a))
		}
	}
	if !reflect.DeepEqual(before.Settings, after.Settings) {
		b, a := settingParts(before.Settings), settingParts(after.Settings)
		for _, key := range keysOf(b, a) {
			add("settings."+key, b[key], a[key])
		}
	}
	for i := range max(len(before.Entries), len(after.Entries)) {
		var b, a tournament.Entry
		if i < len(before.Entries) {
			b = before.Entries[i]
		}
		if i < len(after.Entries) {
			a = after.Entries[i]
		}
		if !reflect.DeepEqual(b, a) {
			add("entries."+strconv.Itoa(i+1), text(b), text(a))
		}
	}
	for i := range max(len(before.Rounds), len(after.Rounds)) {
		var b, a tournament.Round
		if i < len(before.Rounds) {
			b = before.Rounds[i]
		}
		if i < len(after.Rounds) {
			a = after.Rounds[i]
		}
		list = append(list, roundChanges(i+1, b, a)...)
	}
	return list
}

func roundChanges(n int, before, after tournament.Round) []Change {
	var list []Change
	add := func(path string, b, a json.RawMessage) {
		if !bytes.Equal(b, a) {
			list = append(list, Change{path, b, a})
		}
	}
	path := "rounds." + strconv.Itoa(n)
	add(path, text(headOf(before)), text(headOf(after)))
	for i := range max(len(before.Pairings), len(after.Pairings)) {
		var b, a tournament.Pairing
		if i < len(before.Pairings) {
			b = before.Pairings[i]
		}
		if i < len(after.Pairings) {
			a = after.Pairings[i]
		}
		if b != a {
			add(BoardPath(n, i+1), text(b), text(a))
		}
	}
	add(path+".byes", text(before.Byes), text(after.Byes))
	return list
}

// settingParts are the settings by their keys; what is zero has none.
func settingParts(s tournament.Settings) map[string]json.RawMessage {
	parts := map[string]json.RawMessage{}
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if raw := text(v.Field(i).Interface()); raw != nil {
			parts[key] = raw
		}
	}
	return parts
}

func keysOf(lists ...map[string]json.RawMessage) []string {
	var keys []string
	for _, m := range lists {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Fold is the tournament after deeds, all of them from the first on. It
// checks that every change starts from what the deeds before it left.
func Fold(deeds []Deed) (*tournament.Tournament, error) {
	parts := map[string]json.RawMessage{}
	t := &tournament.Tournament{}
	for _, d := range deeds {
		for _, c := range d.Changes {
			if !same(c.Path, parts[c.Path], c.Before) {
				return nil, fmt.Errorf("%w: number %d: %s was %q, not %q", ErrBroken, d.Seq, c.Path, parts[c.Path], c.Before)
			}
			if parts[c.Path] = c.After; len(c.After) == 0 {
				delete(parts, c.Path)
			}
		}
		t.Version = d.Seq
	}
	if err := assemble(t, parts); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return t, nil
}

// same tells whether two texts of a part say the same: a later release may
// write more about a part than an earlier one did.
func same(path string, a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := partAt(path), partAt(path)
	return x != nil && json.Unmarshal(a, x) == nil && json.Unmarshal(b, y) == nil &&
		bytes.Equal(text(reflect.ValueOf(x).Elem().Interface()), text(reflect.ValueOf(y).Elem().Interface()))
}

// partAt is a pointer to an empty part of the kind that stands at a path; nil
// when nothing does.
func partAt(path string) any {
	switch field := strings.Split(path, "."); {
	case field[0] == "settings" && len(field) == 2:
		v := reflect.ValueOf(&tournament.Settings{}).Elem()
		for i := range v.NumField() {
			if key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); key == field[1] {
				return v.Field(i).Addr().Interface()
			}
		}
		return nil
	case field[0] == "entries":
		return &tournament.Entry{}
	case field[0] == "rounds" && len(field) == 2:
		return &roundHead{}
	case field[0] == "rounds" && len(field) == 3:
		return &[]tournament.Bye{}
	case field[0] == "rounds":
		return &tournament.Pairing{}
	}
	for _, h := range heads {
		if h.path == path {
			return h.of(&tournament.Tournament{})
		}
	}
	return nil
}

// assemble makes the tournament of its parts.
func assemble(t *tournament.Tournament, parts map[string]json.RawMessage) error {
	read := func(path string, into any) error {
		raw, there := parts[path]
		if !there {
			return nil
		}
		delete(parts, path)
		if err := json.Unmarshal(raw, into); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	for _, h := range heads {
		if err := read(h.path, h.of(t)); err != nil {
			return err
		}
	}
	v := reflect.ValueOf(&t.Settings).Elem()
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if err := read("settings."+key, v.Field(i).Addr().Interface()); err != nil {
			return err
		}
	}
	for n := 1; parts["entries."+strconv.Itoa(n)] != nil; n++ {
		var e tournament.Entry
		if err := read("entries."+strconv.Itoa(n), &e); err != nil {
			return err
		}
		t.Entries = append(t.Entries, e)
	}
	for n := 1; parts["rounds."+strconv.Itoa(n)] != nil; n++ {
		r := tournament.Round{Number: n}
		var head roundHead
		if err := errors.Join(read("rounds."+strconv.Itoa(n), &head), read(fmt.Sprintf("rounds.%d.byes", n), &r.Byes)); err != nil {
			return err
		}
		r.OpenedAt, r.Engine, r.Edited, r.Pass = head.OpenedAt, head.Engine, head.Edited, head.Pass
		for b := 1; parts[BoardPath(n, b)] != nil; b++ {
			var p tournament.Pairing
			if err := read(BoardPath(n, b), &p); err != nil {
				return err
			}
			r.Pairings = append(r.Pairings, p)
		}
		t.Rounds = append(t.Rounds, r)
	}
	if len(parts) > 0 {
		return fmt.Errorf("%s belongs to nothing", keysOf(parts)[0])
	}
	return nil
}

// CheckSeats is nil where every entry has its place in the list for a number, and boards
// and byes are those of entries: a log from elsewhere may name any, and whoever reads the
// tournament looks entries up by their numbers.
func CheckSeats(t *tournament.Tournament) error {
	for i, e := range t.Entries {
		if int(e.ID) != i+1 {
			return fmt.Errorf("entry %d is called %d", i+1, e.ID)
		}
	}
	isEntered := func(ids ...tournament.EntryID) bool {
		return !slices.ContainsFunc(ids, func(id tournament.EntryID) bool { return id < 1 || int(id) > len(t.Entries) })
	}
	for _, r := range t.Rounds {
		for i, p := range r.Pairings {
			if p.Board != i+1 || !isEntered(p.First, p.Second) {
				return fmt.Errorf("round %d, board %d is nobody's", r.Number, i+1)
			}
		}
		for _, b := range r.Byes {
			if !isEntered(b.Entry) {
				return fmt.Errorf("round %d has a bye of nobody's", r.Number)
			}
		}
	}
	if t.Draft == nil {
		return nil
	}
	for _, b := range t.Draft.Boards {
		if !isEntered(b.First, b.Second) {
			return errors.New("a drafted board is nobody's")
		}
	}
	return nil
}
