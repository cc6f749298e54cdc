package form

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/setting"
)

// back reads over settings what programs are shown of others.
func back[S any](t *testing.T, table Table[S], shown, over S) (S, map[string]any) {
	t.Helper()
	raw, err := json.Marshal(table.Write(&shown))
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Parse(raw, &over); err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(raw, &keys); err != nil {
		t.Fatal(err)
	}
	return over, keys
}

func TestProgramsReadAndWriteEverySettingOfALadder(t *testing.T) {
	t.Parallel()
	full := ladder.Settings{
		Name: "Club", About: "Up and up", Club: "club1", MembersOnly: true, Placement: ladder.ByRating, Climb: ladder.Swap, Places: 2,
		Percent: 3, FirstFree: true, Outgoing: 4, Incoming: 5, Reply: time.Hour, Schedule: 2 * time.Hour, Play: 3 * time.Hour,
		Dispute: 4 * time.Hour, Rest: 5 * time.Hour, Inactivity: 6 * time.Hour, Notice: 7 * time.Hour, Sink: 6, Credit: 8 * time.Hour,
		Vacation: 9 * time.Hour, Rated: true, Lateness: 10 * time.Minute, BidTime: 90 * time.Minute, Claims: match.Manual,
		Envelope: EnvelopeNamed("quick"), Policy: fairplay.Preset(fairplay.Verified),
	}
	got, keys := back(t, Ladder, full, ladder.Settings{})
	if diff := cmp.Diff(full, got); diff != "" {
		t.Error(diff)
	}
	if keys["reply"] != 3.6e6 || keys["claims"] != "manual" || keys["idle"] != 21.6e6 { // an hour, six hours in milliseconds
		t.Errorf("programs are shown %v", keys)
	}
}

func TestProgramsReadAndWriteEverySettingOfAChallenge(t *testing.T) {
	t.Parallel()
	full := Proposal{To: "anna", Rematch: "m1", Settings: challenge.Settings{
		Envelope: EnvelopeNamed("quick"), Claims: match.Manual, Lateness: 90 * time.Second, Rated: true, Handicap: true, Life: time.Hour,
		Policy: fairplay.Preset(fairplay.Declared),
	}}
	got, keys := back(t, Challenge, full, UsualProposal())
	if diff := cmp.Diff(full, got); diff != "" {
		t.Error(diff)
	}
	if keys["to"] != "anna" || keys["lateness"] != 90_000.0 || keys["expires"] != 3_600_000.0 || keys["envelope"] == nil {
		t.Errorf("programs are shown %v", keys)
	}
}

func TestWhatAProgramLeavesOutStaysAndWhatIsStrangeIsNamed(t *testing.T) {
	t.Parallel()
	over := tournament.DefaultSettings(tournament.Swiss)
	over.CheckIn.Misses, over.Entry.Code = 2, "chess"
	if err := Tournament.Parse([]byte(`{"rounds":7,"checkIn":{"scope":"event"},"points":{"draw":0.4},"until":null}`), &over); err != nil {
		t.Fatal(err)
	}
	if over.Rounds != 7 || over.CheckIn.Scope != tournament.ForEvent || over.CheckIn.Misses != 2 || over.Entry.Code != "chess" ||
		over.Points.Draw != 4 || over.Points.Win != 10 {
		t.Errorf("%+v", over)
	}
	for body, want := range map[string]string{
		`{"round":7}`:              `unknown field "round"`,
		`{"entry":{"codes":"x"}}`:  `unknown field "entry.codes"`,
		`{"rounds":"7"}`:           `rounds: json: cannot unmarshal string into Go value of type int`,
		`{"points":{"draw":0.45}}`: `points are whole tenths, such as 0.5`,
		`{"pace":"slow"}`:          `pace is one of auto, manual, times, rolling, arranged, correspondence, not "slow"`,
	} {
		err := Tournament.Parse([]byte(body), &over)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
		if meaningless := body[2:6] == "poin" || body[2:6] == "pace"; errors.Is(err, setting.ErrSettings) != meaningless {
			t.Errorf("%s: %T", body, err)
		}
	}
}
