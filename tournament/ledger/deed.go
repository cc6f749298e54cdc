// Package ledger is the log of a tournament: what every act changed, such that folding
// the lines gives the tournament, and the part of it that everybody may see.
package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// Deed is one line of a tournament's log: who did what, in which duty, when and why, and
// what changed.
type Deed struct {
	Seq     int64           `json:"seq"` // version of the tournament after it, from 1
	At      time.Time       `json:"at"`
	By      player.ID       `json:"by,omitempty"`   // empty: the site
	Duty    tournament.Duty `json:"duty,omitempty"` // zero: none, such as a player who enters
	Act     tournament.Act  `json:"act"`
	Reason  string          `json:"reason,omitempty"`
	Changes []Change        `json:"changes,omitempty"` // by path
}

// Change is one part of a tournament before and after; missing parts are empty.
//
// Paths: settings.KEY is a setting, entries.ID an entry, rounds.N the head of a round,
// rounds.N.boards.B a board, rounds.N.matches.M a match of teams, rounds.N.byes its byes; the rest are the names of heads.
type Change struct {
	Path   string          `json:"path"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// ErrBroken says that a deed does not follow from those before it.
var ErrBroken = errors.New("ledger: the log is broken")

// heads are the parts that are neither settings, entries nor rounds. Zero parts are
// omitted.
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
	{"interests", func(t *tournament.Tournament) any { return &t.Interests }},
	{"signed", func(t *tournament.Tournament) any { return &t.Signed }},
	{"origin", func(t *tournament.Tournament) any { return &t.Origin }},
	{"stuck", func(t *tournament.Tournament) any { return &t.Stuck }},
}

// roundHead is a round without its boards and byes.
type roundHead struct {
	OpenedAt  time.Time        `json:"openedAt"`
	Engine    string           `json:"engine"`
	Edited    bool             `json:"edited,omitempty"`
	Overtaken bool             `json:"overtaken,omitempty"`
	Pass      *tournament.Pass `json:"pass,omitempty"`
}

func headOf(r tournament.Round) roundHead {
	return roundHead{r.OpenedAt, r.Engine, r.Edited, r.Overtaken, r.Pass}
}

// BoardPath returns the path of a board.
func BoardPath(round, board int) string { return fmt.Sprintf("rounds.%d.boards.%d", round, board) }

// matchPath returns the path of a match of teams.
func matchPath(round, n int) string { return fmt.Sprintf("rounds.%d.matches.%d", round, n) }

// BoardChange returns the change of a board.
func BoardChange(round int, before, after tournament.Pairing) Change {
	return Change{BoardPath(round, after.Board), text(before), text(after)}
}

// text returns a part, or what a pointer to it points to, as JSON; empty for the zero
// value.
func text(v any) json.RawMessage {
	if reflect.Indirect(reflect.ValueOf(v)).IsZero() {
		return nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a part of a tournament that is no JSON: %v", err)) // strings, numbers and times only
	}
	return raw
}

// changes collects the parts that differ.
type changes []Change

func (l *changes) add(path string, before, after json.RawMessage) {
	if !bytes.Equal(before, after) {
		*l = append(*l, Change{path, before, after})
	}
}

// at returns an element; the zero value beyond the end.
func at[T any](list []T, i int) (x T) {
	if i < len(list) {
		x = list[i]
	}
	return x
}

// Diff returns the changes from one state of a tournament to another.
func Diff(before, after *tournament.Tournament) []Change {
	var list changes
	for _, h := range heads {
		if b, a := h.of(before), h.of(after); !reflect.DeepEqual(b, a) {
			list.add(h.path, text(b), text(a))
		}
	}
	if !reflect.DeepEqual(before.Settings, after.Settings) {
		was, is := settingParts(&before.Settings), settingParts(&after.Settings)
		for _, path := range slices.Sorted(maps.Keys(is)) {
			list.add(path, text(was[path]), text(is[path]))
		}
	}
	for i := range max(len(before.Entries), len(after.Entries)) {
		if b, a := at(before.Entries, i), at(after.Entries, i); !reflect.DeepEqual(b, a) {
			list.add("entries."+strconv.Itoa(i+1), text(b), text(a))
		}
	}
	for i := range max(len(before.Rounds), len(after.Rounds)) {
		list.addRound(i+1, at(before.Rounds, i), at(after.Rounds, i))
	}
	return list
}

func (l *changes) addRound(n int, before, after tournament.Round) {
	path := "rounds." + strconv.Itoa(n)
	l.add(path, text(headOf(before)), text(headOf(after)))
	for i := range max(len(before.Pairings), len(after.Pairings)) {
		if b, a := at(before.Pairings, i), at(after.Pairings, i); !reflect.DeepEqual(b, a) {
			l.add(BoardPath(n, i+1), text(b), text(a))
		}
	}
	for i := range max(len(before.Teams), len(after.Teams)) {
		if b, a := at(before.Teams, i), at(after.Teams, i); b != a {
			l.add(matchPath(n, i+1), text(b), text(a))
		}
	}
	l.add(path+".byes", text(before.Byes), text(after.Byes))
}

// settingParts returns pointers to the settings by their paths.
func settingParts(s *tournament.Settings) map[string]any {
	parts, v := map[string]any{}, reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		parts["settings."+key] = v.Field(i).Addr().Interface()
	}
	return parts
}

// Fold returns the tournament after deeds, all of them from the first on. It checks that
// every change starts from the state that the deeds before it left.
func Fold(deeds []Deed) (*tournament.Tournament, error) {
	parts := map[string]json.RawMessage{}
	t := &tournament.Tournament{}
	for _, d := range deeds {
		for _, c := range d.Changes {
			if !same(c.Path, parts[c.Path], c.Before) {
				return nil, fmt.Errorf("%w: number %d: %s was %q, not %q", ErrBroken, d.Seq, c.Path, parts[c.Path], c.Before)
			}
			parts[c.Path] = c.After
			if len(c.After) == 0 {
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

// same reports whether two texts of a part mean the same: a later release may write more
// about a part than an earlier one.
func same(path string, a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := partAt(path), partAt(path)
	return x != nil && json.Unmarshal(a, x) == nil && json.Unmarshal(b, y) == nil &&
		bytes.Equal(text(x), text(y))
}

// Read returns a pointer to the part of a change, as it was before or after it; nil if it was not there.
func Read(path string, raw json.RawMessage) any {
	if x := partAt(path); x != nil && len(raw) > 0 && json.Unmarshal(raw, x) == nil {
		return x
	}
	return nil
}

// partAt returns a pointer to an empty part of the type at a path; nil if there is none.
func partAt(path string) any {
	switch field := strings.Split(path, "."); {
	case field[0] == "settings":
		return settingParts(&tournament.Settings{})[path]
	case field[0] == "entries":
		return &tournament.Entry{}
	case field[0] == "rounds" && len(field) == 2:
		return &roundHead{}
	case field[0] == "rounds" && len(field) == 3:
		return &[]tournament.Bye{}
	case field[0] == "rounds" && field[2] == "matches":
		return &tournament.TeamPairing{}
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

// assemble builds the tournament from its parts.
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
	settings := settingParts(&t.Settings)
	for _, path := range slices.Sorted(maps.Keys(settings)) {
		if err := read(path, settings[path]); err != nil {
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
		r.OpenedAt, r.Engine, r.Edited, r.Overtaken, r.Pass = head.OpenedAt, head.Engine, head.Edited, head.Overtaken, head.Pass
		for b := 1; parts[BoardPath(n, b)] != nil; b++ {
			var p tournament.Pairing
			if err := read(BoardPath(n, b), &p); err != nil {
				return err
			}
			r.Pairings = append(r.Pairings, p)
		}
		for m := 1; parts[matchPath(n, m)] != nil; m++ {
			var p tournament.TeamPairing
			if err := read(matchPath(n, m), &p); err != nil {
				return err
			}
			r.Teams = append(r.Teams, p)
		}
		t.Rounds = append(t.Rounds, r)
	}
	if len(parts) > 0 {
		return fmt.Errorf("%s belongs to nothing", slices.Sorted(maps.Keys(parts))[0])
	}
	return nil
}

// CheckSeats returns nil if every entry is at its number's place, and boards and byes
// belong to entries. Foreign logs may say anything, and readers of a tournament look
// entries up by their numbers.
func CheckSeats(t *tournament.Tournament) error {
	for i, e := range t.Entries {
		if int(e.ID) != i+1 {
			return fmt.Errorf("entry %d is called %d", i+1, e.ID)
		}
		if e.Team != 0 && (!t.HasTeams() || int(e.Team) > len(t.Entries) || e.Team < 0 || t.Entries[e.Team-1].Team != 0) {
			return fmt.Errorf("entry %d plays for nobody", e.ID)
		}
	}
	isEntered := func(ids ...tournament.EntryID) bool {
		return !slices.ContainsFunc(ids, func(id tournament.EntryID) bool { return id < 1 || int(id) > len(t.Entries) })
	}
	for _, r := range t.Rounds {
		for i, p := range r.Pairings {
			if p.Board != i+1 || !isEntered(p.First, p.Second) || p.TeamMatch < 0 || p.TeamMatch > len(r.Teams) {
				return fmt.Errorf("round %d, board %d is nobody's", r.Number, i+1)
			}
		}
		for i, m := range r.Teams {
			if !isEntered(m.First, m.Second) || t.Entries[m.First-1].Team != 0 || t.Entries[m.Second-1].Team != 0 {
				return fmt.Errorf("round %d, match %d is nobody's", r.Number, i+1)
			}
			if n := len(r.BoardsOf(i + 1)); n > t.Teams.Boards || n == 0 && !m.OpenedAt.IsZero() {
				return fmt.Errorf("round %d, match %d has %d boards", r.Number, i+1, n)
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
