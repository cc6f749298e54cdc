package challenge_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/challenge"
)

var (
	ana     = player.Player{ID: "ana", Handle: "ana", Role: player.Plain}
	bob     = player.Player{ID: "bob", Handle: "bob", Role: player.Plain}
	cyn     = player.Player{ID: "cyn", Handle: "cyn", Role: player.Plain}
	bot     = player.Player{ID: "bot", Handle: "bot", Role: player.Plain, Bot: true}
	visitor = player.Player{}

	began = time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)
)

func as(p player.Player) player.Viewer { return player.Viewer{Player: p} }

func settings(rated bool) challenge.Settings {
	s := challenge.DefaultSettings()
	s.Rated = rated
	return s
}

func TestWhoMayChallengeWhom(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		by, to player.Player
		rated  bool
		open   int
		want   error
	}{
		{"a player may challenge another one", ana, bob, false, 0, nil},
		{"and rated, too", ana, bob, true, 0, nil},
		{"or whoever has the link", ana, visitor, false, 0, nil},
		{"a visitor may not", visitor, bob, false, 0, challenge.ErrNotAllowed},
		{"a bot never asks", bot, bob, false, 0, challenge.ErrNotAllowed},
		{"nobody plays against himself", ana, ana, false, 0, challenge.ErrSelf},
		{"a house bot may be asked", ana, bot, false, 0, nil},
		{"but not for the rating", ana, bot, true, 0, challenge.ErrBotRated},
		{"the twentieth is allowed", ana, bob, false, 19, nil},
		{"the twenty-first is not", ana, bob, false, 20, challenge.ErrTooMany},
		{"a bot answers at once, so it does not matter how many wait", ana, bot, false, 20, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, err := challenge.New(challenge.Offer{ID: "c", By: as(test.by), Settings: settings(test.rated), Open: test.open}, test.to, began)
			if !errors.Is(err, test.want) {
				t.Fatalf("%v, want %v", err, test.want)
			}
			if err != nil {
				return
			}
			if c.Status != challenge.Open || c.ByLink != (test.to.ID == "") || c.Opponent != test.to.ID {
				t.Errorf("%+v", c)
			}
			// Rules 5.3: the challenger bids first.
			if seats := c.Seats(); seats != [2]player.ID{test.by.ID, test.to.ID} {
				t.Errorf("seats %v", seats)
			}
			if waits := c.Settings.Lateness == challenge.HouseLateness; waits != test.to.Bot {
				t.Errorf("lateness %v against %s", c.Settings.Lateness, test.to.Handle)
			}
		})
	}
}

func TestWhoMayAnswer(t *testing.T) {
	t.Parallel()
	const accept, decline, withdraw = "accept", "decline", "withdraw"
	tests := []struct {
		name   string
		to     player.Player // the zero player: by link
		act    string
		by     player.Player
		after  time.Duration
		want   error
		status challenge.Status
	}{
		{"the player it is for accepts", bob, accept, bob, time.Hour, nil, challenge.Accepted},
		{"at the last moment", bob, accept, bob, 24*time.Hour - time.Millisecond, nil, challenge.Accepted},
		{"a moment later it is over", bob, accept, bob, 24 * time.Hour, challenge.ErrExpired, challenge.Expired},
		{"nobody else accepts it", bob, accept, cyn, time.Hour, challenge.ErrNotForYou, challenge.Open},
		{"the challenger cannot accept himself", bob, accept, ana, time.Hour, challenge.ErrSelf, challenge.Open},
		{"a visitor has to sign in", bob, accept, visitor, time.Hour, challenge.ErrNotAllowed, challenge.Open},
		{"anybody accepts by link", visitor, accept, cyn, time.Hour, nil, challenge.Accepted},
		{"but a visitor", visitor, accept, visitor, time.Hour, challenge.ErrNotAllowed, challenge.Open},
		{"nor oneself", visitor, accept, ana, time.Hour, challenge.ErrSelf, challenge.Open},
		{"the player it is for declines", bob, decline, bob, time.Hour, nil, challenge.Declined},
		{"nobody declines for him", bob, decline, cyn, time.Hour, challenge.ErrNotForYou, challenge.Open},
		{"a challenge by link is nobody's to decline", visitor, decline, cyn, time.Hour, challenge.ErrNotForYou, challenge.Open},
		{"the challenger withdraws", bob, withdraw, ana, time.Hour, nil, challenge.Withdrawn},
		{"nobody withdraws for him", bob, withdraw, bob, time.Hour, challenge.ErrNotAllowed, challenge.Open},
		{"what is over cannot be withdrawn", bob, withdraw, ana, 25 * time.Hour, challenge.ErrExpired, challenge.Expired},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, err := challenge.New(challenge.Offer{ID: "c", By: as(ana), Settings: settings(false)}, test.to, began)
			if err != nil {
				t.Fatal(err)
			}
			now := began.Add(test.after)
			switch test.act {
			case accept:
				err = c.Accept(as(test.by), "m", now)
			case decline:
				err = c.Decline(as(test.by), "", now)
			case withdraw:
				err = c.Withdraw(as(test.by), now)
			}
			if !errors.Is(err, test.want) || c.StatusAt(now) != test.status {
				t.Fatalf("%v and %v, want %v and %v", err, c.StatusAt(now), test.want, test.status)
			}
			if (c.Match != "") != (test.status == challenge.Accepted) {
				t.Errorf("match %q", c.Match)
			}
			if test.status == challenge.Accepted && c.Seats() != [2]player.ID{"ana", test.by.ID} {
				t.Errorf("seats %v", c.Seats())
			}
		})
	}
}

func TestARematchSwapsTheSeats(t *testing.T) {
	t.Parallel()
	played := challenge.Played{Match: "m", Players: [2]player.Player{ana, bob}, IsOver: true}
	tests := []struct {
		name  string
		by    player.Player
		of    challenge.Played
		rated bool
		want  error
	}{
		{"whoever bid first may ask", ana, played, true, nil},
		{"so may the other one", bob, played, false, nil},
		{"nobody else", cyn, played, false, challenge.ErrNotPlayed},
		{"no visitor", visitor, played, false, challenge.ErrNotPlayed},
		{"not before the end", ana, challenge.Played{Match: "m", Players: played.Players}, false, challenge.ErrNotOver},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, err := challenge.NewRematch(challenge.Offer{ID: "c", By: as(test.by), Settings: settings(test.rated)}, test.of, began)
			if !errors.Is(err, test.want) {
				t.Fatalf("%v, want %v", err, test.want)
			}
			if err != nil {
				return
			}
			if c.Seats() != [2]player.ID{"bob", "ana"} || c.Rematch != "m" || c.Challenger != test.by.ID || c.Settings.Rated != test.rated {
				t.Errorf("%+v", c)
			}
			if want := began.Add(challenge.RematchLife); !c.Expires.Equal(want) {
				t.Errorf("expires %v, want %v", c.Expires, want)
			}
		})
	}
}

func TestSettingsNameTheirFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*challenge.Settings)
		faults int
	}{
		{"the usual ones have none", func(*challenge.Settings) {}, 0},
		{"a week is the longest", func(s *challenge.Settings) { s.Life = 7 * 24 * time.Hour }, 0},
		{"longer is not possible", func(s *challenge.Settings) { s.Life = 7*24*time.Hour + time.Second }, 1},
		{"nor shorter than five minutes", func(s *challenge.Settings) { s.Life = 4 * time.Minute }, 1},
		{"an envelope must be possible", func(s *challenge.Settings) { s.Envelope.Chips, s.Life = 0, 0 }, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := challenge.DefaultSettings()
			test.change(&s)
			var found *refusal.Error
			if errors.As(s.Validate(), &found); found == nil && test.faults > 0 || found != nil && len(found.Faults) != test.faults {
				t.Errorf("%v", found)
			}
		})
	}
}

func TestEveryPresetIsPossibleAndTheFirstOnesRise(t *testing.T) {
	t.Parallel()
	before := time.Duration(0)
	for i, p := range challenge.Presets() {
		s := challenge.DefaultSettings()
		s.Envelope = p.Envelope
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if i < 4 && s.WorstCase() <= before { // those after them are chosen for something else
			t.Errorf("%s lasts %v, the one before %v", p.Name, s.WorstCase(), before)
		}
		before = s.WorstCase()
	}
	// 6 chips: 20:00 of bids, and 5:00 for a newcomer. At most 5+3 and 40 moves and an undo of each
	// player: 5 s + 2 × (5:00 + 41 × 3 s) = 14:11. And five minutes of waiting.
	s := challenge.DefaultSettings()
	s.Envelope = challenge.Presets()[0].Envelope
	if want := 25*time.Minute + 14*time.Minute + 11*time.Second + 5*time.Minute; s.WorstCase() != want {
		t.Errorf("%v, want %v", s.WorstCase(), want)
	}
}

// TestAChallengeIsAnsweredOnce: whatever is tried and when, at most one thing
// happens to a challenge, before its time is over, and a match means accepted.
func TestAChallengeIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	people := []player.Player{ana, bob, cyn, visitor}
	rapid.Check(t, func(t *rapid.T) {
		c, err := challenge.New(challenge.Offer{ID: "c", By: as(ana), Settings: settings(rapid.Bool().Draw(t, "rated"))}, rapid.SampledFrom([]player.Player{bob, visitor}).Draw(t, "to"), began)
		if err != nil {
			t.Fatal(err)
		}
		now, answers := began, 0
		for range rapid.IntRange(1, 12).Draw(t, "acts") {
			now = now.Add(time.Duration(rapid.IntRange(0, 10*3600).Draw(t, "seconds")) * time.Second)
			before, by := c, as(rapid.SampledFrom(people).Draw(t, "by"))
			var err error
			switch rapid.IntRange(0, 3).Draw(t, "act") {
			case 0:
				err = c.Accept(by, match.ID("m"), now)
			case 1:
				err = c.Decline(by, "", now)
			case 2:
				err = c.Withdraw(by, now)
			case 3:
				if !c.Expire(now) {
					err = challenge.ErrClosed
				}
			}
			if err != nil {
				if c.Status != before.Status || c.Match != before.Match || c.Opponent != before.Opponent {
					t.Fatal("a refusal has changed it")
				}
				continue
			}
			answers++
			if (c.Status == challenge.Expired) != !now.Before(c.Expires) || !c.Closed.Equal(now) {
				t.Fatalf("%v at %v, expires %v", c.Status, now, c.Expires)
			}
		}
		if answers > 1 || (answers == 1) != (c.Status != challenge.Open) || (c.Match != "") != (c.Status == challenge.Accepted) {
			t.Fatalf("%d answers: %+v", answers, c)
		}
		if seats := c.Seats(); c.Status == challenge.Accepted && (seats[0] != "ana" || seats[1] == "" || seats[1] == "ana") {
			t.Fatalf("seats %v", seats)
		}
	})
}
