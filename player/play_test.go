package player_test

import (
	"errors"
	"slices"
	"testing"

	"chpok.org/chpok/player"
)

func TestHowSomebodyLikesToPlayIsWhatIsNotAsUsual(t *testing.T) {
	t.Parallel()
	p, err := player.Play("").With("board", "walnut")
	if err != nil || p != "board=walnut" {
		t.Fatalf("%q, %v", p, err)
	}
	if p, err = p.With("zoom", "80"); err != nil || p != "board=walnut&zoom=80" || p.Of("zoom") != "80" || p.Of("volume") != "60" {
		t.Fatalf("%q, %v", p, err)
	}
	if p, err = p.With("board", "sage"); err != nil || p != "zoom=80" {
		t.Errorf("as usual again: %q, %v", p, err)
	}
	for _, wrong := range [][2]string{{"board", "glass"}, {"colour", "red"}, {"zoom", "81"}, {"sound", ""}} {
		if got, err := p.With(wrong[0], wrong[1]); !errors.Is(err, player.ErrComfort) || got != p {
			t.Errorf("%v: %q, %v", wrong, got, err)
		}
	}
}

func TestABrowserCannotMakeUpSettings(t *testing.T) {
	t.Parallel()
	if got := player.ParsePlay("board=glass&zoom=80&evil=1&sound=off&coords=on;%zz"); got != "sound=off&zoom=80" {
		t.Errorf("%q", got)
	}
}

func TestEveryComfortIsUsuallyOneOfItsValues(t *testing.T) {
	t.Parallel()
	for _, c := range player.Comforts {
		if !slices.Contains(c.Values, c.Usual) || player.Play("").Of(c.Name) != c.Usual {
			t.Errorf("%s: %q of %v", c.Name, c.Usual, c.Values)
		}
	}
}
