package tournament_test

import (
	"errors"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

func TestTheClubsPeopleHaveDutiesInItsTournaments(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.ClubID = "dragon" })
	for _, role := range club.Roles {
		tour.ClubStaff = append(tour.ClubStaff, club.Membership{Club: "dragon", Player: player.ID(role.String()), Role: role})
	}
	tour.ClubStaff = append(tour.ClubStaff,
		club.Membership{Club: "dragon", Player: "reads", Role: club.Arbiter}, club.Membership{Club: "lion", Player: "lion", Role: club.Owner})
	tour.Staff = append(tour.Staff, tournament.Member{Player: "reads", Duty: tournament.Reader}, tournament.Member{Player: "owner", Duty: tournament.Results})
	for _, test := range []struct {
		name string
		who  player.ID
		want tournament.Duty
	}{
		{"an owner of the club owns the tournament, whatever else he was given", "owner", tournament.Owner},
		{"an arbiter of the club is one", "arbiter", tournament.Arbiter},
		{"the greater duty counts", "reads", tournament.Arbiter},
		{"an organizer of the club has what he was given", "organizer", 0},
		{"a member plays", "member", 0},
		{"another club's owner is nobody here", "lion", 0},
	} {
		if got := tour.DutyOf(signedIn(test.who, player.Plain)); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	if got := tour.DutyOf(boss); got != tournament.Operator {
		t.Errorf("who operates the site: %v", got)
	}
}

func TestMembersOnly(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.ClubID, s.MembersOnly = "dragon", true })
	for _, test := range []struct {
		name string
		by   player.Viewer
		c    tournament.Candidate
		want error
	}{
		{"a member enters", signedIn("a", player.Plain), tournament.Candidate{Player: "a", Name: "a", Clubs: []club.ID{"lion", "dragon"}}, nil},
		{"a member of another club does not", signedIn("b", player.Plain), tournament.Candidate{Player: "b", Name: "b", Clubs: []club.ID{"lion"}}, setting.ErrUnmet},
		{"nor is he entered without a reason", host, tournament.Candidate{Player: "b", Name: "b"}, setting.ErrUnmet},
		{"for a guest without an account the organizer answers", host, tournament.Candidate{Name: "guest"}, nil},
	} {
		if _, err := tour.Entering(test.by, test.c, start); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.MembersOnly = "Friday", true
	if s.Validate() == nil {
		t.Error("members of no club")
	}
}
