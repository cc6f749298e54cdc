package player_test

import (
	"errors"
	"strings"
	"testing"

	"chpok.org/chpok/player"
)

func TestWhoIsInAnAudience(t *testing.T) {
	t.Parallel()
	visitor, member := player.Relation{}, player.Relation{SignedIn: true}
	mate, self := player.Relation{SignedIn: true, SharesClub: true}, player.Relation{Self: true, SignedIn: true}
	blocked := player.Relation{SignedIn: true, SharesClub: true, Blocked: true}
	operator := player.Relation{SignedIn: true, Operates: true}
	tests := []struct {
		audience player.Audience
		admits   string // visitor, member, club mate, himself, blocked
	}{
		{player.Everyone, "yyyyn"}, {player.Members, "nyyyn"}, {player.Clubs, "nnyyn"}, {player.Nobody, "nnnyn"}, {"", "nnnyn"},
	}
	for _, test := range tests {
		for i, r := range []player.Relation{visitor, member, mate, self, blocked} {
			if got := test.audience.Admits(r); got != (test.admits[i] == 'y') {
				t.Errorf("%s admits the %dth: %v", test.audience, i+1, got)
			}
		}
		if !test.audience.MaySee(operator) {
			t.Errorf("%s hides from the operator", test.audience)
		}
	}
	if player.Nobody.Admits(operator) {
		t.Error("an operator challenges who wants no challenges")
	}
}

func TestProfilesAreReadStrictly(t *testing.T) {
	t.Parallel()
	good := player.Profile{Name: "Олена Ґ.", About: "one\ntwo", Country: "UA", Links: []string{"https://chpok.example/x?y=1"}, Privacy: player.DefaultPrivacy()}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		spoil func(*player.Profile)
		want  error
	}{
		{"a name of two lines", func(p *player.Profile) { p.Name = "a\nb" }, player.ErrProfileName},
		{"a long name", func(p *player.Profile) { p.Name = strings.Repeat("є", 61) }, player.ErrProfileName},
		{"broken encoding", func(p *player.Profile) { p.Name = "\xff" }, player.ErrProfileName},
		{"a long text", func(p *player.Profile) { p.About = strings.Repeat("a", 2001) }, player.ErrProfileAbout},
		{"a country in words", func(p *player.Profile) { p.Country = "Ukraine" }, player.ErrProfileCountry},
		{"a country in small letters", func(p *player.Profile) { p.Country = "ua" }, player.ErrProfileCountry},
		{"a script for a link", func(p *player.Profile) { p.Links = []string{"javascript:alert(1)"} }, player.ErrProfileLinks},
		{"a password in a link", func(p *player.Profile) { p.Links = []string{"https://a:b@c.example"} }, player.ErrProfileLinks},
		{"six links", func(p *player.Profile) { p.Links = strings.Fields(strings.Repeat("https://a.example ", 6)) }, player.ErrProfileLinks},
		{"no audience", func(p *player.Profile) { p.Privacy.Online = "" }, player.ErrAudience},
	}
	for _, test := range tests {
		p := good
		test.spoil(&p)
		if err := p.Check(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
