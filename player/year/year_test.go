package year_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player/year"
	"chpok.org/chpok/rating"
)

var newYear = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func day(n int) time.Time { return newYear.AddDate(0, 0, n) }

func TestAYearOfMatches(t *testing.T) {
	t.Parallel()
	y := year.Of(year.Facts{Matches: []year.Match{
		{ID: "a", At: day(0), Opponent: "ira", Result: rating.Win, Own: 3},
		{ID: "b", At: day(1), Opponent: "kin", Bot: true, Result: rating.Loss},
		{ID: "c", At: day(2), Opponent: "oleh", Result: rating.Win, Own: 1005, Theirs: 2},
		{ID: "d", At: day(3), Opponent: "ira", Result: rating.Win, Own: 1010, Theirs: 9},
		{ID: "e", At: day(4), Opponent: "ira", Result: rating.Draw},
		{ID: "f", At: day(5), Opponent: "oleh", Result: rating.Loss, Theirs: 4000},
		{ID: "g", At: day(6), Opponent: "yana", Result: rating.Win},
	}})
	if y.Matches() != 6 || y.Wins != 4 || y.Draws != 1 || y.Losses != 1 || y.BotMatches != 1 || y.Opponents != 3 {
		t.Errorf("have %+v", y)
	}
	if y.Run != 3 { // a loss against a bot breaks no run
		t.Errorf("the longest run is %d", y.Run)
	}
	if y.Best.ID != "c" { // 1003 ahead, d only 1001
		t.Errorf("the best win is %s", y.Best.ID)
	}
	want := []year.Rival{{"ira", 2, 1, 0}, {"oleh", 1, 0, 1}, {"yana", 1, 0, 0}}
	if !reflect.DeepEqual(y.Rivals, want) {
		t.Errorf("rivals %v, want %v", y.Rivals, want)
	}
}

// TestAYearHasAMatchToLookBackOn, whatever was played: wins before others, people before bots, more points ahead before fewer.
func TestAYearHasAMatchToLookBackOn(t *testing.T) {
	t.Parallel()
	beaten := year.Match{ID: "beaten", Opponent: "kin", Bot: true, Result: rating.Win, Own: 2000}
	wide := year.Match{ID: "wide", Opponent: "pishak", Bot: true, Result: rating.Win, Own: 2001}
	crushed := year.Match{ID: "crushed", Opponent: "ira", Result: rating.Loss, Own: 3, Theirs: 1010}
	near := year.Match{ID: "near", Opponent: "ira", Result: rating.Loss, Own: 9, Theirs: 10}
	drawn := year.Match{ID: "drawn", Opponent: "ira", Result: rating.Draw, Own: 4, Theirs: 4}
	narrow := year.Match{ID: "narrow", Opponent: "ira", Result: rating.Win, Own: 5, Theirs: 4}
	order := []year.Match{beaten, wide, crushed, near, drawn, narrow} // each better than those before it
	for n := range order {
		for first := range n + 1 { // in any order of time
			played := append(slices.Clone(order[first:n+1]), order[:first]...)
			if best := year.Of(year.Facts{Matches: played}).Best; best != order[n] {
				t.Errorf("of %v it is %s, not %s", played, best.ID, order[n].ID)
			}
		}
	}
	if best := year.Of(year.Facts{}).Best; best.ID != "" {
		t.Errorf("of nothing it is %s", best.ID)
	}
}

// TestAFriendIsNoFarm repeats everything with one opponent and in one event.
func TestAFriendIsNoFarm(t *testing.T) {
	t.Parallel()
	var f year.Facts
	for i := range 200 {
		f.Feats = append(f.Feats, year.Feat{Feat: match.KingTaken, Match: match.ID(fmt.Sprint(i)), At: day(i), Opponent: "friend"})
	}
	f.Feats = append(f.Feats, year.Feat{Feat: match.RaisePaid, Match: "x", At: day(1), Opponent: "friend"})
	want := []year.Achievement{
		{Kind: "king", Count: 1, Step: 1, Next: 5, At: day(0), Match: "0"},
		{Kind: "raise", Count: 1, Step: 1, Next: 5, At: day(1), Match: "x"},
	}
	if have := year.Of(f).Achievements; !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v, want %+v", have, want)
	}
}

func TestASeasonIsEightEveningsOfOneSeries(t *testing.T) {
	t.Parallel()
	var f year.Facts
	for i := range 9 {
		f.Evenings = append(f.Evenings, year.Evening{ID: fmt.Sprint("friday", i), Series: "fridays", At: day(7 * i)})
		f.Evenings = append(f.Evenings, year.Evening{ID: fmt.Sprint("cup", i), At: day(7*i + 1)})
	}
	want := []year.Achievement{
		{Kind: year.Evenings, Count: 18, Step: 2, Next: 25, At: day(0), Event: f.Evenings[0]},
		{Kind: year.Season, Count: 1, Step: 1, Next: 5, At: day(49), Event: f.Evenings[14]}, // the eighth Friday
	}
	if have := year.Of(f).Achievements; !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v, want %+v", have, want)
	}
}

func TestAchievementsHaveFourSteps(t *testing.T) {
	t.Parallel()
	for count, want := range map[int][2]int{1: {1, 5}, 4: {1, 5}, 5: {2, 25}, 24: {2, 25}, 25: {3, 100}, 99: {3, 100}, 100: {4, 0}, 150: {4, 0}} {
		var f year.Facts
		for i := range count {
			f.Evenings = append(f.Evenings, year.Evening{ID: fmt.Sprint(i), At: day(i)})
		}
		if a := year.Of(f).Achievements[0]; a.Step != want[0] || a.Next != want[1] {
			t.Errorf("%d: step %d, next at %d; want %v", count, a.Step, a.Next, want)
		}
	}
}
