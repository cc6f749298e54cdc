package desk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/prize"
)

// fill puts something into every field of a value; names of things get ids, which nobody is to read.
func fill(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)
		return
	case *time.Duration:
		*x = 90 * time.Second
		return
	case *player.ID:
		*x = "Olena"
		return
	case *fairplay.Demand:
		*x = fairplay.DemandPasskey
		return
	case *contest.Step:
		*x = contest.Points
		return
	case *prize.Kind:
		*x = prize.Club
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.SetString("id-of-a-thing"); v.Type() == reflect.TypeFor[string]() {
			v.SetString("a text")
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// TestTheLogSaysEveryPartInWords of both languages: no path, no JSON, no id of a thing, as it comes and as it goes.
func TestTheLogSaysEveryPartInWords(t *testing.T) {
	t.Parallel()
	full, none := &tournament.Tournament{}, &tournament.Tournament{}
	fill(reflect.ValueOf(full).Elem())
	raw := regexp.MustCompile(`[{}\[\]"]|id-of-a-thing|⟦`)
	paths := 0
	for _, l := range []lang.Lang{lang.English, lang.Ukrainian} {
		w := deedWriter{p: lang.Printer{Lang: l, Zone: time.UTC}, t: full}
		for _, x := range slices.Concat(ledger.Diff(none, full), ledger.Diff(full, none)) {
			paths++
			for _, line := range w.change(x) {
				if line.What == "" {
					t.Errorf("%s: %+v has no name", x.Path, line)
				}
				for _, text := range []string{line.What, line.Was, line.Is} {
					_, last, _ := strings.Cut(x.Path, ".")
					if raw.MatchString(text) || text == x.Path || strings.HasPrefix(x.Path, "settings.") && text == last {
						t.Errorf("%s reads %q", x.Path, text)
					}
				}
			}
		}
	}
	if paths < 200 {
		t.Errorf("%d parts", paths)
	}
}

// saidByName are parts of whose changes the name says all, or names whom they concern, and those that take more than a line:
// the tournament as it stood shows them.
var saidByName = regexp.MustCompile(`^(staff|rehearsal|draft|interests|rounds\.\d+|rounds\.\d+\.(boards|matches)\.\d+|entries\.\d+` +
	`|settings\.(entry|envelope|report|teams|battle|clubId|opponentId))$`)

// TestTheLogSaysWhatAPartWasAndIs of both languages: of no change it says only where it was.
func TestTheLogSaysWhatAPartWasAndIs(t *testing.T) {
	t.Parallel()
	full, none := &tournament.Tournament{}, &tournament.Tournament{}
	fill(reflect.ValueOf(full).Elem())
	full.Settings.Losers = contest.Out
	for _, l := range []lang.Lang{lang.English, lang.Ukrainian} {
		w := deedWriter{p: lang.Printer{Lang: l, Zone: time.UTC}, t: full}
		for _, x := range slices.Concat(ledger.Diff(none, full), ledger.Diff(full, none)) {
			for _, line := range w.change(x) {
				if line.Was == "" && line.Is == "" && !saidByName.MatchString(x.Path) {
					t.Errorf("%v: of %s nothing but %q is said", l, x.Path, line.What)
				}
			}
		}
	}
	w := deedWriter{p: lang.Printer{Lang: lang.English, Zone: time.UTC}, t: full}
	kept := full.Forbidden[0]
	kept.From, kept.To = 2, 0
	one, two := &tournament.Tournament{}, &tournament.Tournament{}
	one.Forbidden, two.Forbidden = full.Forbidden, append(slices.Clone(full.Forbidden), kept)
	lines := w.change(ledger.Diff(one, two)[0])
	if len(lines) != 1 || lines[0].Was != "" || lines[0].Is != "a text (from round 2) (wish)" {
		t.Errorf("of a wish added to another one: %+v", lines)
	}
}

// unsaidAlone are parts of an entry that never change alone, that the act says, or that take more than a line.
var unsaidAlone = []string{"ID", "Bot", "From", "Until", "LateBye", "Removed", "Reason", "Fast", "Was", "EnteredAt", "AcceptedAt", "Camp",
	"ClubID", "Officers", "Report"}

// TestTheLogSaysWhatHasChangedOfAnEntry, for each of its parts: not just that something has.
func TestTheLogSaysWhatHasChangedOfAnEntry(t *testing.T) {
	t.Parallel()
	of := &tournament.Tournament{}
	fill(reflect.ValueOf(of).Elem())
	for _, field := range reflect.VisibleFields(reflect.TypeFor[tournament.Entry]()) {
		if slices.Contains(unsaidAlone, field.Name) {
			continue
		}
		was := tournament.Entry{ID: 1, Player: "Ada", Name: "Ada", Status: tournament.Waiting, Place: 9}
		is := was
		fill(reflect.ValueOf(&is).Elem().FieldByIndex(field.Index))
		one, two := &tournament.Tournament{}, &tournament.Tournament{}
		one.Entries, two.Entries = []tournament.Entry{was}, []tournament.Entry{is}
		for _, l := range []lang.Lang{lang.English, lang.Ukrainian} {
			w := deedWriter{p: lang.Printer{Lang: l, Zone: time.UTC}, t: of}
			lines := w.change(ledger.Diff(one, two)[0])
			if len(lines) == 0 || lines[0].What == w.p.T("log.entry.other", "Name", "Ada") {
				t.Errorf("%v: of %s the log says %+v", l, field.Name, lines)
			}
		}
	}
}

// A match of teams is called by who meets, and a change of it by what it was and is.
func TestTheLogNamesMatchesOfTeams(t *testing.T) {
	t.Parallel()
	of := &tournament.Tournament{}
	of.Entries = []tournament.Entry{{ID: 1, Name: "Karpaty"}, {ID: 2, Name: "Dnipro"}}
	with := func(p ...tournament.TeamPairing) *tournament.Tournament {
		in := &tournament.Tournament{}
		in.Rounds = []tournament.Round{{Number: 1, Teams: p}}
		return in
	}
	meet := tournament.TeamPairing{First: 1, Second: 2}
	lost := meet
	lost.Lost, lost.Why = [2]bool{false, true}, "They never came"
	w := deedWriter{p: lang.Printer{Lang: lang.English, Zone: time.UTC}, t: of}
	for _, c := range []struct {
		was, is        *tournament.Tournament
		what, old, new string
	}{
		{with(), with(meet), "Round 1, match 1, Karpaty\u00a0– Dnipro", "", ""},
		{with(meet), with(lost), "Round 1, match 1, Karpaty\u00a0– Dnipro:", "", "forfeited by Dnipro: They never came"},
		{with(lost), with(meet), "Round 1, match 1, Karpaty\u00a0– Dnipro:", "forfeited by Dnipro: They never came", ""},
	} {
		changes := ledger.Diff(c.was, c.is)
		lines := w.change(changes[len(changes)-1])
		if len(lines) != 1 || lines[0].What != c.what || lines[0].Was != c.old || lines[0].Is != c.new {
			t.Errorf("the log says %+v, not %q %q %q", lines, c.what, c.old, c.new)
		}
	}
}

// A draft that is published is not discarded, and a league's event has the name by which pages call it.
func TestTheLogCallsThingsAsPagesDo(t *testing.T) {
	t.Parallel()
	drafted, renamed := &tournament.Tournament{}, &tournament.Tournament{}
	drafted.Draft = &tournament.RoundDraft{Number: 2}
	renamed.Settings.Name = "Winter league,\u00a02.1"
	w := deedWriter{p: lang.Printer{Lang: lang.English, Zone: time.UTC}, t: drafted}
	for _, c := range []struct {
		act     tournament.Act
		was, is *tournament.Tournament
		want    []string
	}{
		{tournament.ActPublish, drafted, &tournament.Tournament{}, nil},
		{tournament.ActDraft, drafted, &tournament.Tournament{}, []string{"Draft of round 2 discarded||"}},
		{tournament.ActFinish, drafted, &tournament.Tournament{}, []string{"Draft of round 2 discarded||"}},
		{tournament.ActSettings, &tournament.Tournament{}, renamed, []string{"Name||Winter league: season 2, division 1"}},
		{tournament.ActSettings, renamed, &tournament.Tournament{}, []string{"Name|Winter league: season 2, division 1|"}},
	} {
		var said []string
		for _, l := range w.line(ledger.Deed{Act: c.act, Changes: ledger.Diff(c.was, c.is)}).Changes {
			said = append(said, l.What+"|"+l.Was+"|"+l.Is)
		}
		if !slices.Equal(said, c.want) {
			t.Errorf("%s: the log says %q, not %q", c.act, said, c.want)
		}
	}
}

// neverLogged are acts that change nothing in the tournament.
var neverLogged = []string{"export", "calls", "match", "review", "watch", "desk"}

func TestTheLogNamesEveryAct(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../tournament/*.go")
	if err != nil {
		t.Fatal(err)
	}
	acts := 0
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, is := n.(*ast.ValueSpec)
			if !is {
				return true
			}
			if of, is := spec.Type.(*ast.Ident); !is || of.Name != "Act" || len(spec.Values) == 0 {
				return true
			}
			act, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if acts++; slices.Contains(neverLogged, act) {
				return true
			}
			for _, l := range []lang.Lang{lang.English, lang.Ukrainian} {
				if !(lang.Printer{Lang: l}).Has("log.act." + act) {
					t.Errorf("the act %s has no words", act)
				}
			}
			return true
		})
	}
	if acts < 40 {
		t.Errorf("%d acts", acts)
	}
}

// What a setting is called stands in the log when it changes: none has only its key.
func TestTheLogHasAWordForEverySetting(t *testing.T) {
	t.Parallel()
	p := lang.Printer{Lang: lang.Ukrainian}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[tournament.Settings]()) {
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if key == "prizes" { // told in words of their own
			continue
		}
		if !p.Has("log.setting." + key) {
			t.Errorf("no word for %s", key)
		}
	}
}
