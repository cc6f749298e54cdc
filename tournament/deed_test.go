package tournament_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// unlike says what two tournaments differ in, but for lists that are empty or not there. Most are the very same, which
// cmp takes far longer to find.
func unlike(a, b *tournament.Tournament) string {
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return cmp.Diff(a, b, cmpopts.EquateEmpty())
}

// It fills every field there is, so that a new field missing from the log is noticed.
func TestEveryPartOfATournamentIsInItsLog(t *testing.T) {
	t.Parallel()
	full := &tournament.Tournament{}
	fill(reflect.ValueOf(full).Elem(), new(int))
	full.Version, full.ClubStaff = 7, nil // the club's to tell
	for i := range full.Entries {
		full.Entries[i].Officers = nil // so are they
	}
	for i := range full.Rounds {
		full.Rounds[i].Number = i + 1
	}
	folded, err := ledger.Fold([]ledger.Deed{{Seq: 7, Changes: ledger.Diff(&tournament.Tournament{}, full)}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full, folded); diff != "" {
		t.Errorf("want (-), folded (+):\n%s", diff)
	}
}

// fill gives each field under v a nonzero value of its own.
func fill(v reflect.Value, n *int) {
	*n++
	switch value := v.Addr().Interface().(type) {
	case *time.Time:
		*value = start.Add(time.Duration(*n) * time.Minute)
		return
	case *bidding.Envelope:
		*value = bidding.DefaultEnvelope()
		value.Chips = 8
		return
	case *fairplay.Policy:
		*value = fairplay.Preset(fairplay.Supervised)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8:
		v.SetUint(uint64(*n%250 + 1))
	default:
		panic("fill: " + v.Kind().String())
	}
}

// At every moment a tournament is the fold of its deeds.
func TestATournamentIsTheFoldOfItsDeeds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var deeds []ledger.Deed
		last, now := &tournament.Tournament{}, newTournament(rt, tournament.Swiss, nil)
		note := func() {
			now.Version = int64(len(deeds) + 1)
			raw, err := json.Marshal(ledger.Deed{Seq: now.Version, At: start, Changes: ledger.Diff(last, now)})
			if err != nil {
				rt.Fatal(err)
			}
			var d ledger.Deed
			if err := json.Unmarshal(raw, &d); err != nil {
				rt.Fatal(err)
			}
			deeds = append(deeds, d)
			folded, err := ledger.Fold(deeds)
			if err != nil {
				rt.Fatal(err)
			}
			if diff := unlike(now, folded); diff != "" {
				rt.Fatalf("after %d deeds: want (-), folded (+):\n%s", len(deeds), diff)
			}
			last = now.Clone()
		}
		note()
		enter(rt, now, rapid.IntRange(4, 9).Draw(rt, "players"))
		note()
		if err := now.Start(host, lowest, start); err != nil {
			rt.Fatal(err)
		}
		newID := ids()
		for now.Status == tournament.Running {
			note()
			if rapid.Bool().Draw(rt, "somebody leaves") {
				_ = now.Withdraw(host, tournament.EntryID(rapid.IntRange(1, len(now.Entries)).Draw(rt, "who")))
			}
			if _, err := now.PairNext(system(now), newID, start); errors.Is(err, tournament.ErrNoPairing) {
				break
			} else if err != nil {
				rt.Fatal(err)
			}
			note()
			play(now, func(tournament.Pairing) tournament.ResultKind {
				return rapid.SampledFrom([]tournament.ResultKind{tournament.FirstWins, tournament.Drawn, tournament.DoubleForfeit}).Draw(rt, "result")
			})
			now.Conclude(start.Add(time.Hour))
			if rapid.Bool().Draw(rt, "the pairing is taken back") && now.Status == tournament.Running {
				note()
				now.Rounds = now.Rounds[:len(now.Rounds)-1]
				now.Settings.Rounds = max(1, now.Settings.Rounds-1)
				now.Conclude(start.Add(time.Hour))
			}
		}
		note()
	})
}

func TestALogThatDoesNotFollowIsRefused(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	first := ledger.Deed{Seq: 1, Changes: ledger.Diff(&tournament.Tournament{}, tour)}
	for name, changes := range map[string][]ledger.Change{
		"a part was something else":  {{Path: "settings.name", Before: json.RawMessage(`"Monday"`), After: json.RawMessage(`"Sunday"`)}},
		"a part was there already":   {{Path: "settings.name", After: json.RawMessage(`"Sunday"`)}},
		"a part that nothing has":    {{Path: "settings.colour", After: json.RawMessage(`1`)}},
		"an entry without its elder": {{Path: "entries.3", After: json.RawMessage(`{"id":3}`)}},
		"a name that is a number":    {{Path: "settings.name", Before: json.RawMessage(`"Friday"`), After: json.RawMessage(`7`)}},
	} {
		if _, err := ledger.Fold([]ledger.Deed{first, {Seq: 2, Changes: changes}}); !errors.Is(err, ledger.ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// This log was begun when results had no points.
func TestALaterReleaseMayWriteMoreAboutAPart(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	enter(t, tour, 2)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if _, err := tour.PairNext(system(tour), ids(), start); err != nil {
		t.Fatal(err)
	}
	play(tour, func(tournament.Pairing) tournament.ResultKind { return tournament.Drawn })
	first := ledger.Deed{Seq: 1, Changes: ledger.Diff(&tournament.Tournament{}, tour)}
	for i, c := range first.Changes {
		if c.Path == ledger.BoardPath(1, 1) {
			old := strings.Replace(string(c.After), `"points":[0,0],`, "", 1)
			if old == string(c.After) {
				t.Fatalf("no points in %s", old)
			}
			first.Changes[i].After = json.RawMessage(old)
		}
	}
	before := tour.Clone()
	tour.Rounds[0].Pairings[0].Result.Kind = tournament.FirstWins
	folded, err := ledger.Fold([]ledger.Deed{first, {Seq: 2, Changes: ledger.Diff(before, tour)}})
	if err != nil {
		t.Fatal(err)
	}
	if got := folded.Rounds[0].Pairings[0].Result.Kind; got != tournament.FirstWins {
		t.Errorf("the result is %v", got)
	}
}

// The whole table, written out.
func TestDutiesAndActs(t *testing.T) {
	t.Parallel()
	const want = `accept            arbiter
announce          arbiter pairing
appeal            arbiter
bye               arbiter pairing
calls             arbiter
check-in          arbiter pairing
correct           arbiter
correct-entry     arbiter
declare           arbiter
desk              arbiter pairing results read-only
door              arbiter
draft             arbiter pairing
end-registration  arbiter
enter             arbiter
expel             arbiter
export            arbiter
extend            arbiter
finalize          arbiter
finish            arbiter
fix-board         arbiter pairing
forbid            arbiter pairing
forfeit-match     arbiter
hide              arbiter
link              arbiter
match             arbiter
moderate          arbiter
open-registration arbiter
pair              arbiter pairing
pause             arbiter
policy            
postpone          arbiter
prizes            
publish           arbiter pairing
re-pair           arbiter pairing
readmit           arbiter
refuse            arbiter
reinstate         arbiter
reopen            arbiter
replay            arbiter
report            arbiter
result            arbiter results
review            arbiter
rounds            arbiter
screen            arbiter pairing
settings          
staff             
stage             arbiter
start             arbiter
steward           arbiter
unfinalize        arbiter
unfinish          arbiter
unpair            arbiter
unstart           arbiter
venue             arbiter
waive             arbiter
watch             arbiter
withdraw          arbiter
`
	tour := newTournament(t, tournament.Swiss, nil)
	for _, d := range tournament.Duties[1:] {
		if err := tour.Appoint(host, player.ID(d.String()), d, start); err != nil {
			t.Fatal(err)
		}
	}
	var got strings.Builder
	for _, a := range tournament.StaffActs() {
		var who []string
		for _, d := range tournament.Duties[1:] {
			v := signedIn(player.ID(d.String()), player.Plain)
			if tour.May(v, a) {
				t.Errorf("%s only invited may %s", d, a)
			}
			accepted := tour.Clone()
			if err := accepted.AcceptDuty(v, start); err != nil {
				t.Fatal(err)
			}
			if accepted.May(v, a) {
				who = append(who, d.String())
			}
		}
		fmt.Fprintf(&got, "%-17s %s\n", a, strings.Join(who, " "))
		if !tour.May(host, a) || !tour.May(boss, a) || tour.May(someone, a) || tour.May(player.Viewer{}, a) {
			t.Errorf("%s: owner %v, operator %v, another organizer %v, visitor %v", a, tour.May(host, a), tour.May(boss, a), tour.May(someone, a), tour.May(player.Viewer{}, a))
		}
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSomebodyAlwaysOwnsATournament(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tour := newTournament(rt, tournament.Swiss, nil)
		people := []player.Viewer{host, someone, signedIn("third", player.Plain)}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			by, of := rapid.SampledFrom(people).Draw(rt, "by"), rapid.SampledFrom(people).Draw(rt, "of")
			switch rapid.IntRange(0, 2).Draw(rt, "what") {
			case 0:
				_ = tour.Appoint(by, of.ID, rapid.SampledFrom(tournament.Duties).Draw(rt, "duty"), start)
			case 1:
				_ = tour.AcceptDuty(by, start)
			case 2:
				_ = tour.Dismiss(by, of.ID)
			}
			owned := false
			for _, p := range people {
				owned = owned || tour.DutyOf(p) == tournament.Owner
			}
			if !owned {
				rt.Fatalf("nobody owns it: %+v", tour.Staff)
			}
		}
	})
}
