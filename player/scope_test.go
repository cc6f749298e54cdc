package player_test

import (
	"errors"
	"slices"
	"testing"

	"chpok.org/chpok/player"
)

func TestScopesByKindOfAccount(t *testing.T) {
	t.Parallel()
	human, bot, boss := player.Player{ID: "h"}, player.Player{ID: "b", Bot: true}, player.Player{ID: "o", Role: player.Operator}
	for _, test := range []struct {
		name  string
		of    player.Player
		words []string
		want  []player.Scope
		err   error
	}{
		{"a person's default", human, nil, []player.Scope{"read", "challenge", "organize", "account", "board:play"}, nil},
		{"an operator's default", boss, nil, []player.Scope{"read", "challenge", "organize", "account", "board:play", "operate"}, nil},
		{"a bot's default", bot, nil, []player.Scope{"read", "challenge", "bot:play"}, nil},
		{"fewer", human, []string{"read"}, []player.Scope{"read"}, nil},
		{"twice is once", human, []string{"read", "read"}, []player.Scope{"read"}, nil},
		{"a person is no bot", human, []string{"read", "bot:play"}, nil, player.ErrScopePerson},
		{"a bot has no board", bot, []string{"board:play"}, nil, player.ErrScopeBot},
		{"no such scope", human, []string{"admin"}, nil, player.ErrScope},
	} {
		got, err := test.of.ParseScopes(test.words)
		if !errors.Is(err, test.err) || err == nil && !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
}

func TestWhoMakesABotOfWhat(t *testing.T) {
	t.Parallel()
	human, bot := player.Player{ID: "h", Role: player.Plain}, player.Player{ID: "b", Bot: true, Role: player.Plain}
	if _, err := (player.Viewer{Player: human}).NewBot("x", "x", player.MostBots); !errors.Is(err, player.ErrManyBots) {
		t.Errorf("a sixth: %v", err)
	}
	if _, err := (player.Viewer{Player: bot}).NewBot("x", "x", 0); !errors.Is(err, player.ErrMaintainer) {
		t.Errorf("a bot answers for a bot: %v", err)
	}
	made, err := (player.Viewer{Player: human}).NewBot("x", "x", 0)
	if err != nil || !made.Bot || made.Maintainer != "h" || made.IsHouse() || !(player.Viewer{Player: human}).MayManage(made) {
		t.Errorf("%+v, %v", made, err)
	}
	if (player.Viewer{Player: player.Player{ID: "other"}}).MayManage(made) {
		t.Error("anybody manages it")
	}
	for _, test := range []struct {
		name    string
		of, by  player.Player
		matches int
		want    error
	}{
		{"before the first match", human, player.Player{ID: "m"}, 0, nil},
		{"after it", human, player.Player{ID: "m"}, 1, player.ErrHasPlayed},
		{"a bot already", bot, player.Player{ID: "m"}, 0, player.ErrHasPlayed},
		{"by himself", human, human, 0, player.ErrMaintainer},
		{"by a bot", human, bot, 0, player.ErrMaintainer},
	} {
		if _, err := test.of.BecomeBot(test.by, test.matches); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}
