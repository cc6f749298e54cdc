package player_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/player"
)

func TestABotIsChallengedByTheRulesOfWhoAnswersForIt(t *testing.T) {
	t.Parallel()
	rules := player.BotRules{From: player.Clubs, Ratings: [2]int{1200, 1600}, Longest: time.Hour, AtOnce: 2}
	mate, hour := player.Relation{SignedIn: true, SharesClub: true}, time.Hour
	for name, x := range map[string]struct {
		asked player.Asked
		want  error
	}{
		"within all of them":                {player.Asked{mate, 1200, hour, 1}, nil},
		"at the upper end":                  {player.Asked{mate, 1600, hour, 0}, nil},
		"by a stranger":                     {player.Asked{player.Relation{SignedIn: true}, 1400, hour, 0}, player.ErrBotAway},
		"by somebody who was blocked":       {player.Asked{player.Relation{SharesClub: true, Blocked: true}, 1400, hour, 0}, player.ErrBotAway},
		"by somebody weaker":                {player.Asked{mate, 1199, hour, 0}, player.ErrBotLevel},
		"by somebody stronger":              {player.Asked{mate, 1601, hour, 0}, player.ErrBotLevel},
		"by somebody without a rating":      {player.Asked{mate, 0, hour, 0}, player.ErrBotLevel},
		"for longer":                        {player.Asked{mate, 1400, hour + time.Second, 0}, player.ErrBotLong},
		"while it plays two":                {player.Asked{mate, 1400, hour, 2}, player.ErrBotBusy},
		"by who answers for it, unrated":    {player.Asked{player.Relation{Self: true}, 0, hour, 1}, nil},
		"by who answers for it, for longer": {player.Asked{player.Relation{Self: true}, 0, 2 * hour, 1}, player.ErrBotLong},
	} {
		if err := rules.Admit(x.asked); !errors.Is(err, x.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := player.DefaultBotRules().Admit(player.Asked{By: player.Relation{}, Longest: 100 * hour}); err != nil {
		t.Errorf("without rules: %v", err)
	}
}

func TestRulesOfABotThatMeanNothingAreRefused(t *testing.T) {
	t.Parallel()
	for _, x := range []player.BotRules{
		{From: player.Everyone}, {From: player.Everyone, AtOnce: 17}, {From: "friends", AtOnce: 1},
		{From: player.Everyone, AtOnce: 1, Ratings: [2]int{1500, 1400}}, {From: player.Everyone, AtOnce: 1, Longest: -1},
	} {
		if x.Check() == nil {
			t.Errorf("%+v", x)
		}
	}
	if err := player.DefaultBotRules().Check(); err != nil {
		t.Error(err)
	}
	if err := (player.BotRules{From: player.Nobody, Ratings: [2]int{1500, 0}, AtOnce: 16}).Check(); err != nil {
		t.Error(err)
	}
}
