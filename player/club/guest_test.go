package club_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
)

func TestNamesAtTheDoorBecomeHandles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]player.Handle{
		"Дарина Ткач":           "DarynaTkach",
		"Юрій Щербань":          "YuriiShcherban",
		"Згурський":             "Zghurskyi", // зг is zgh, й at the end is i
		"Łukasz Żuk":            "LukaszZuk",
		"Ян":                    "Yan",
		"李雷":                    "Player",
		"Maksymilian Kowalczyk": "MaksymilianKowal",
	} {
		if got := club.GuestHandle(name, 1); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := club.GuestHandle("Guest", 2); got != "PlayerGuest-2" {
		t.Errorf("somebody called Guest is %s", got)
	}
	for name, want := range map[string]player.Handle{"g u e s t": "PlayerGUEST-2", "De Leted": "PlayerDeLeted-2"} {
		if got := club.GuestHandle(name, 2); got != want { // Guest-2 and Deleted-2 are the site's own, however written
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := club.GuestHandle("Дарина Ткач", 3); got != "DarynaTkach-3" {
		t.Errorf("the third is %s", got)
	}
}

// TestEveryNameGivesAHandle that accounts can have, however many share it.
func TestEveryNameGivesAHandle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		name, err := club.ParseGuestName(rapid.String().Draw(rt, "name"))
		if err != nil {
			if !errors.Is(err, club.ErrGuestName) && !errors.Is(err, club.ErrGuestNameLong) && !errors.Is(err, club.ErrGuestNameSigns) {
				rt.Fatal(err)
			}
			return
		}
		if _, err := player.ParseNewHandle(string(club.GuestHandle(name, rapid.IntRange(1, 999).Draw(rt, "n")))); err != nil {
			rt.Fatalf("%q: %v", name, err)
		}
	})
}

func TestNamesThatMayMeanTheSamePerson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, known string
		alike, same  bool
	}{
		{"Дарина Ткач", "Ткач Дарина", true, true},
		{"Daryna Tkach", "Дарина Ткач", true, true},
		{"Дар", "Дарина Ткач", true, false},
		{"ткач", "Дарина Ткач", true, false},
		{"Дарына Ткач", "Дарина Ткач", true, true}, // и and ы are both y
		{"Дарина Ткачук", "Дарина Ткач", true, false},
		{"Да", "Дарина Ткач", false, false}, // three letters at least
		{"Марко Лис", "Дарина Ткач", false, false},
		{"李雷", "王芳", false, false}, // letters that no handle can have tell people apart, too
		{"ნინო ლომიძე", "Ткач Дарина", false, false},
		{"ნინო ლომიძე", "ლომიძე ნინო", true, true},
	} {
		if got := club.AlikeNames(c.typed, c.known); got != c.alike {
			t.Errorf("%q and %q alike: %v", c.typed, c.known, got)
		}
		if got := club.SameName(c.typed, c.known); got != c.same {
			t.Errorf("%q and %q the same: %v", c.typed, c.known, got)
		}
	}
}
