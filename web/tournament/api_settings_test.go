package tournament

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

// fullSettings are settings of which no part has its zero value, whether they
// go together or not.
func fullSettings() tournament.Settings {
	at := time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC)
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Club, s.About, s.Double, s.Pace, s.Break, s.Times = "Cup", "Our club", "Bring a clock", true, tournament.Times,
		time.Hour, tournament.Moments{at, at.Add(time.Hour)}
	s.Zone = "Europe/Kyiv"
	s.Lateness, s.Claims, s.Numbering, s.Acceleration, s.Capacity = 7*time.Minute, match.Manual, tournament.Lots, tournament.Baku, 40
	s.Envelope.Chips, s.Tie, s.Losers = 9, []contest.Step{contest.Points, contest.Seed}, contest.ForPlaces
	s.Points = tournament.PointSystem{Win: 30, Draw: 11, Loss: 1, ForfeitWin: 31, ForfeitLoss: -1, FullBye: 21, HalfBye: 12,
		ZeroBye: 2, PairBye: 22}
	s.Rated, s.Handicap, s.ClubID, s.MembersOnly = true, true, "club1", true
	s.Teams = tournament.Teams{Boards: 4, Reserves: 2, ByGames: true, Points: tournament.TeamPoints{Win: 30, Draw: 15, Loss: 5}, Least: 3,
		LineUps: 10 * time.Minute, Preferences: tournament.NoPreferences}
	s.Battle = tournament.Battle{Teams: []string{"Lions", "Bears"}, Leaders: 3}
	s.Window, s.BidTime, s.Legs, s.Groups, s.DrawUnmet = 90*time.Minute, 36*time.Hour, 4, 3, true
	s.CallStops, s.OnClaim, s.Until, s.Firm, s.HonourNoShows = true, true, at.Add(9*time.Hour), true, true
	s.CheckIn = tournament.CheckIn{Scope: tournament.ForRound, Opens: time.Hour, Closes: time.Minute, Misses: 2}
	s.Policy = fairplay.Preset(fairplay.Verified).ForPrizes()
	s.Report = tournament.ReportHead{City: "Lviv", Federation: "UKR", Chief: "Daria Tkach", Deputies: []string{"Ivan Bondar"}, TimeControl: "5+3"}
	s.Review, s.Leave, s.Expulsion = true, tournament.LeaveKeep, tournament.LeaveAnnul
	s.Entry = tournament.EntryRules{
		Opens: at.Add(-time.Hour), Closes: at, Code: "chess", Approval: true, LateUntil: 3, LateBye: tournament.HalfBye,
		ByeLimit: 2, HalfByes: 1, HalfUntil: 4,
		Conditions: setting.Conditions{MinRating: 1000, MaxRating: 2000, MinGames: 3, MinAgeDays: 4, List: []player.Handle{"anna"}},
	}
	return s
}

// zeros names the parts that have their zero value. What an envelope or a policy
// is made of, their own tests know.
func zeros(v reflect.Value, path string) (list []string) {
	if v.Kind() == reflect.Struct && !strings.HasSuffix(path, ".Envelope") && !strings.HasSuffix(path, ".Policy") &&
		path != ".Prizes" && v.Type() != reflect.TypeFor[time.Time]() {
		for i := range v.NumField() {
			list = append(list, zeros(v.Field(i), path+"."+v.Type().Field(i).Name)...)
		}
		return list
	}
	if v.IsZero() && path != ".Prizes" { // PUT /tournaments/ID/prizes writes them
		list = append(list, path)
	}
	return list
}

// What programs leave out is as in the form: a round lasts an evening at most.
func TestAProgramThatNamesNoLimitsGetsThoseOfTheForm(t *testing.T) {
	t.Parallel()
	filled := tournament.DefaultSettings(tournament.Swiss)
	filled.Envelope = form.EnvelopeNamed("")
	got, err := readSettings(apiSettings{page.RawBody{Raw: []byte(`{"name":"Cup","format":"swiss"}`)}})
	if err != nil || got.WorstRound() != filled.WorstRound() || got.WorstRound() > 4*time.Hour {
		t.Errorf("a round of %v, want %v; %v", got.WorstRound(), filled.WorstRound(), err)
	}
}

// readBack reads over settings what programs are shown of others.
func readBack(t *testing.T, shown, over tournament.Settings) (tournament.Settings, error) {
	t.Helper()
	raw, err := json.Marshal(form.Tournament.Write(&shown))
	if err != nil {
		t.Fatal(err)
	}
	err = form.Tournament.Parse(raw, &over)
	return over, err
}

// A setting that programs can neither read nor write fails here.
func TestProgramsReadAndWriteEverySetting(t *testing.T) {
	t.Parallel()
	full := fullSettings()
	if left := zeros(reflect.ValueOf(full), ""); len(left) > 0 {
		t.Fatalf("fullSettings says nothing of %v", left)
	}
	back, err := readBack(t, full, tournament.DefaultSettings(tournament.Swiss))
	if diff := cmp.Diff(full, back); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, format := range []tournament.Format{tournament.RoundRobin, tournament.Swiss, tournament.KnockOut, tournament.Arena} {
		usual := tournament.DefaultSettings(format)
		back, err := readBack(t, usual, tournament.Settings{})
		usual.Policy = fairplay.Preset(fairplay.Open)
		if diff := cmp.Diff(usual, back); err != nil || diff != "" {
			t.Errorf("%v: %v\n%s", format, err, diff)
		}
	}
}
