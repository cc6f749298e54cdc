package stage_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/tournament/stage"
)

// unusual are settings of which none is what a round robin starts with.
func unusual() tournament.Settings {
	at := time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC)
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Club, s.About, s.Zone, s.Double, s.Rounds = "Cup", "Our club", "Bring a clock", "Europe/Kyiv", true, 7
	s.Tie, s.Losers, s.Legs, s.Groups, s.Window = []contest.Step{contest.Seed}, contest.ForPlaces, 4, 3, time.Hour
	s.DrawUnmet, s.BidTime = true, 24*time.Hour
	s.Pace, s.Break, s.Times, s.Lateness, s.Claims = tournament.Manual, time.Hour, tournament.Moments{at}, 7*time.Minute, match.Manual
	s.Envelope.Chips, s.Points.Win, s.Tiebreaks = 9, 30, []string{"WIN"}
	s.Numbering, s.Acceleration, s.Capacity, s.Rated, s.Handicap = tournament.Lots, tournament.Baku, 40, false, true
	s.ClubID, s.MembersOnly = "club1", true
	s.Teams, s.Battle = tournament.Teams{Boards: 4}, tournament.Battle{Teams: []string{"Lions", "Bears"}}
	s.CallStops, s.OnClaim, s.Until, s.Firm, s.HonourNoShows = true, true, at, true, false
	s.CheckIn = tournament.CheckIn{Scope: tournament.ForRound, Opens: time.Hour}
	s.Policy, s.Review, s.Leave, s.Expulsion = fairplay.Preset(fairplay.Verified), true, tournament.LeaveKeep, tournament.LeaveAnnul
	s.Report = tournament.ReportHead{City: "Lviv", Deputies: []string{"Ivan Bondar"}}
	s.Entry.Code, s.Prizes = "chess", prize.Fund{Currency: "UAH"}
	return s
}

// Whoever adds a setting decides here whether a later stage keeps it.
func TestTheNextStageCarriesOnWhatIsOfTheEventAndNotOfTheStage(t *testing.T) {
	t.Parallel()
	kept := []string{"Club", "Zone", "Pace", "Break", "Lateness", "Claims", "Envelope", "Points", "Rated", "Handicap", "ClubID",
		"CallStops", "OnClaim", "Policy", "Review", "HonourNoShows", "Leave", "Expulsion", "Report", "Teams"}
	own := []string{"Name", "Format", "Numbering", "Capacity"} // given to it
	before, usual := unusual(), tournament.DefaultSettings(tournament.RoundRobin)
	usual.Tiebreaks = tournament.DefaultTiebreaks(tournament.RoundRobin, true) // those of teams, as it is one of teams
	next := stage.Next(before, tournament.RoundRobin, "Final", 8)
	if next.Name != "Final" || next.Format != tournament.RoundRobin || next.Numbering != tournament.Given || next.Capacity != 8 {
		t.Errorf("%q, a %v for %d numbered by %v", next.Name, next.Format, next.Capacity, next.Numbering)
	}
	for i, field := range reflect.VisibleFields(reflect.TypeFor[tournament.Settings]()) {
		was, is, starts := reflect.ValueOf(before).Field(i).Interface(), reflect.ValueOf(next).Field(i).Interface(),
			reflect.ValueOf(usual).Field(i).Interface()
		want := starts
		switch {
		case reflect.DeepEqual(was, starts):
			t.Errorf("%s is the usual one, which shows nothing", field.Name)
		case slices.Contains(own, field.Name):
			continue
		case slices.Contains(kept, field.Name):
			want = was
		}
		if !reflect.DeepEqual(is, want) {
			t.Errorf("%s: %v, want %v", field.Name, is, want)
		}
	}
	before.Leave, before.Expulsion = tournament.LeaveAnnul, tournament.LeaveForfeits
	if next := stage.Next(before, tournament.KnockOut, "Final", 8); next.Leave != tournament.LeaveUsual || next.Expulsion != tournament.LeaveUsual {
		t.Errorf("a knock-out with %v and %v", next.Leave, next.Expulsion)
	}
	before.Pace = tournament.Times // of rounds of the first stage
	if pace := stage.Next(before, tournament.RoundRobin, "Final", 8).Pace; pace != usual.Pace {
		t.Errorf("pace %v, want the usual one", pace)
	}
}
