package club_test

import (
	"errors"
	"strings"
	"testing"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
)

func TestNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in, want string
		err            error
	}{
		{"letters of any alphabet", "Шаховий клуб «Дракон»", "Шаховий клуб «Дракон»", nil},
		{"runs of spaces become one", "  Клуб   Лева\n", "Клуб Лева", nil},
		{"two characters are too few", "Га", "", club.ErrName},
		{"sixty-one are too many", strings.Repeat("к", 61), "", club.ErrName},
		{"control characters", "Клуб\x00", "", club.ErrName},
		{"broken encoding", "Club\xff", "", club.ErrName},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := club.ParseName(test.in)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestWhoMaySpeakForAClub(t *testing.T) {
	t.Parallel()
	visitor := player.Viewer{}
	plain := player.Viewer{Player: player.Player{ID: "p", Role: player.Plain}}
	operator := player.Viewer{Player: player.Player{ID: "o", Role: player.Operator}}
	tests := []struct {
		name       string
		viewer     player.Viewer
		in         club.Role
		edit, join bool
	}{
		{"a visitor", visitor, 0, false, false},
		{"an account outside", plain, 0, false, true},
		{"a member", plain, club.Member, false, false},
		{"a head", plain, club.Head, true, false},
		{"an operator outside", operator, 0, true, true},
	}
	for _, test := range tests {
		if got := club.MayEdit(test.viewer, test.in); got != test.edit {
			t.Errorf("%s edits: %v", test.name, got)
		}
		if got := club.MayJoin(test.viewer, test.in); got != test.join {
			t.Errorf("%s joins: %v", test.name, got)
		}
	}
}

func TestTheLastHeadStays(t *testing.T) {
	t.Parallel()
	if err := club.Leave(club.Head, 1); !errors.Is(err, club.ErrLastHead) {
		t.Errorf("the only head left: %v", err)
	}
	if err := errors.Join(club.Leave(club.Head, 2), club.Leave(club.Member, 1)); err != nil {
		t.Error(err)
	}
}
