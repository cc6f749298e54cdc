package tournament_test

import (
	"errors"
	"strings"
	"testing"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
)

// variants are ways to write one name.
var variants = []string{
	"Дар'я Іваненко", "Дар’я Іваненко", "Дарʼя Іваненко", "Дар`я Іваненко", "  Дар'я   Іваненко ", "Дар'я\u00a0Іваненко", "дар'я іваненко",
	"Іваненко Дар'я", "Дар'я І\u200bваненко", "Дар'я Іва\u00adненко", "Дap'я Iвaненкo", "\u202aДар'я Іваненко\u202c",
}

func TestOneNameEntersOnceHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	for _, first := range variants {
		tour := newTournament(t, tournament.Swiss, nil)
		if _, err := tour.Register(host, tournament.Candidate{Name: first}, start); err != nil {
			t.Fatalf("%q: %v", first, err)
		}
		for _, again := range variants {
			if _, err := tour.Register(host, tournament.Candidate{Name: again}, start); !errors.Is(err, tournament.ErrNamesake) {
				t.Errorf("%q beside %q: %v", again, first, err)
			}
		}
		if _, err := tour.Register(host, tournament.Candidate{Name: variants[0], Another: true}, start); err != nil {
			t.Errorf("another person of the name: %v", err)
		}
	}
	for name, want := range map[string]error{
		"Я": club.ErrGuestName, "<b>Дар'я</b>": club.ErrGuestNameSigns, strings.Repeat("я", 101): club.ErrGuestNameLong,
	} {
		tour := newTournament(t, tournament.Swiss, nil)
		if _, err := tour.Register(host, tournament.Candidate{Name: name}, start); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
}

// TestAnAccountMayPlayOverTheBoard: a name on a paper list is somebody with an account, who
// sits at a table until they say that they play here.
func TestAnAccountMayPlayOverTheBoard(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	for _, c := range []tournament.Candidate{{Player: "p1", Name: "Anna One", OverTheBoard: true}, {Player: "p2", Name: "p2"}, {Player: "p3", Name: "p3"}} {
		if _, err := tour.Register(host, c, start); err != nil {
			t.Fatal(err)
		}
	}
	match := func(first, second tournament.EntryID) string {
		p := tournament.Pairing{First: first, Second: second}
		tour.NameMatch(&p, ids())
		return string(p.Match)
	}
	if match(1, 2) != "" || match(2, 1) != "" || match(2, 3) == "" {
		t.Error("who sits at a table has a match here")
	}
	if err := tour.PlayHere(player.Viewer{Player: player.Player{ID: "p9"}}); !errors.Is(err, tournament.ErrNoEntry) {
		t.Errorf("somebody who has not entered: %v", err)
	}
	if err := tour.PlayHere(player.Viewer{Player: player.Player{ID: "p1"}}); err != nil || match(1, 2) == "" {
		t.Errorf("they play here: %v", err)
	}
	if err := tour.CorrectEntry(host, 2, tournament.Particulars{Name: "p2", OverTheBoard: true}); err != nil || match(1, 2) != "" {
		t.Errorf("staff seat 2 at a table: %v", err)
	}
	arena := newTournament(t, tournament.Arena, nil)
	if e, err := arena.Register(host, tournament.Candidate{Player: "p1", Name: "p1", OverTheBoard: true}, start); err != nil || e.OverTheBoard {
		t.Errorf("nobody waits for an arena's pairing at a table: %+v, %v", e, err)
	}
}

func TestAnEntryIsCorrected(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	for i, c := range []tournament.Candidate{{Name: "Anna One", Rating: 1500}, {Name: "Bohdan Two", Rating: 1400}, {Name: "Cyn Three", Rating: 1300},
		{Player: "p1", Name: "p1", Rating: 1200, Standing: fairplay.Standing{Human: true}}} {
		if _, err := tour.Register(host, c, start); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := tour.CorrectEntry(host, 2, tournament.Particulars{Name: "Богдан  Два", Club: "Lion", Rating: 1450}); err != nil {
		t.Fatal(err)
	}
	if e, _ := tour.Entry(2); e.Name != "Богдан Два" || e.Club != "Lion" || e.Rating != 1450 {
		t.Errorf("%+v", e)
	}
	for name, c := range map[string]struct {
		by   player.Viewer
		id   tournament.EntryID
		x    tournament.Particulars
		want error
	}{
		"somebody's name":   {host, 3, tournament.Particulars{Name: "anna ONE"}, tournament.ErrNamesake},
		"no name":           {host, 3, tournament.Particulars{Name: " "}, club.ErrGuestName},
		"too high a rating": {host, 3, tournament.Particulars{Name: "Cyn Three", Rating: 4001}, tournament.ErrBadRating},
		"by a player":       {signedIn("p1", player.Plain), 3, tournament.Particulars{Name: "Cyn Four"}, tournament.ErrNotAllowed},
		"nobody":            {host, 9, tournament.Particulars{Name: "Cyn Four"}, tournament.ErrNoEntry},
	} {
		if err := tour.Clone().CorrectEntry(c.by, c.id, c.x); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	number := func(id tournament.EntryID) int { e, _ := tour.Entry(id); return e.Number }
	if number(1) != 1 || number(2) != 2 || number(3) != 3 {
		t.Fatal("numbers follow ratings")
	}
	if err := tour.CorrectEntry(host, 3, tournament.Particulars{Name: "Cyn Three", Rating: 1600}); err != nil {
		t.Fatal(err)
	}
	if number(3) != 1 || number(1) != 2 || number(2) != 3 {
		t.Errorf("before the fourth round numbers follow a corrected rating: %d %d %d", number(1), number(2), number(3))
	}
	if tour.Field().Players[0].Name != "Cyn Three" || tour.Field().Players[0].Rating != 1600 {
		t.Errorf("reports: %+v", tour.Field().Players[0])
	}
}

func TestNobodyCorrectsTheirOwnRating(t *testing.T) {
	t.Parallel()
	tour := playingStaff(t, tournament.Swiss)
	p1 := signedIn("p1", player.Plain)
	e, is := tour.EntryOf("p1")
	if !is {
		t.Fatal("p1 does not play")
	}
	for x, refused := range map[tournament.Particulars]bool{
		{Name: e.Name, Rating: e.Rating + 1}: true, {Name: e.Name, Rating: e.Rating, Club: "Lion"}: false,
	} {
		after := tour.Clone()
		if err := after.CorrectEntry(p1, e.ID, x); err != nil {
			t.Fatal(err)
		}
		if err := party(tour, after, p1, tournament.ActParticulars); errors.Is(err, fairplay.ErrParty) != refused {
			t.Errorf("%+v: %v", x, err)
		}
	}
}

// A draft rests on the numbers that it was paired by. Whatever changes them, the refusal says that, and no other rule.
func TestADraftOfOtherNumbersIsPairedAgain(t *testing.T) {
	t.Parallel()
	for _, f := range []tournament.Format{tournament.Swiss, tournament.Keizer} {
		for name, c := range map[string]struct {
			do    func(tour *tournament.Tournament) error
			stale error
		}{
			"a rating that moves somebody up": {func(tour *tournament.Tournament) error {
				return tour.CorrectEntry(host, 6, tournament.Particulars{Name: "Somebody else", Rating: 2400})
			}, tournament.ErrDraftNumbers},
			"a rating that moves nobody": {func(tour *tournament.Tournament) error {
				e, _ := tour.Entry(6)
				return tour.CorrectEntry(host, 6, tournament.Particulars{Name: e.Name, Rating: e.Rating + 1})
			}, nil},
			"a name and a club": {func(tour *tournament.Tournament) error {
				e, _ := tour.Entry(6)
				return tour.CorrectEntry(host, 6, tournament.Particulars{Name: "Somebody else", Club: "Lion", Rating: e.Rating})
			}, nil},
			"somebody late, above all": {func(tour *tournament.Tournament) error {
				_, err := tour.Register(host, tournament.Candidate{Name: "Late Comer", Rating: 2400}, start)
				return err
			}, tournament.ErrDraftNumbers},
		} {
			t.Run(f.String()+", "+name, func(t *testing.T) {
				t.Parallel()
				tour := newTournament(t, f, func(s *tournament.Settings) { s.Rounds, s.Review, s.Numbering = 4, true, tournament.ByRating })
				for i := range 6 {
					if _, err := tour.Register(host, tournament.Candidate{Name: "Player " + string(rune('A'+i)) + "z", Rating: 2000 - 100*i}, start); err != nil {
						t.Fatal(err)
					}
				}
				if err := tour.Start(host, lowest, start); err != nil {
					t.Fatal(err)
				}
				draft := func() {
					t.Helper()
					if err := tour.DraftNext(system(tour), host.ID, start); err != nil {
						t.Fatal(err)
					}
				}
				draft()
				if err := c.do(tour); err != nil {
					t.Fatal(err)
				}
				if err := tour.DraftStale(); !errors.Is(err, c.stale) {
					t.Errorf("%v, want %v", err, c.stale)
				}
				if c.stale != nil {
					if _, err := tour.Clone().Publish(system(tour), nil, ids(), start); err == nil || errors.Is(err, tournament.ErrDraftBroken) {
						t.Errorf("published: %v", err)
					}
					tour.Draft = nil
					draft()
				}
				if _, err := tour.Publish(system(tour), nil, ids(), start); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
