package web

import (
	"fmt"
	"slices"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

func TestBothLanguagesTellTheSameRulesInTheSameOrder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rules", "faq"} {
		outline := func(l lang.Lang) (out []string) {
			for _, b := range longText(name, l) {
				number := b.Number
				out = append(out, fmt.Sprint(b.Kind, " ", number))
			}
			return out
		}
		uk, en := outline(lang.Ukrainian), outline(lang.English)
		if !slices.Equal(uk, en) {
			t.Errorf("%s:\n%v\n%v", name, uk, en)
		}
	}
}

func TestTheRulesPageShowsEveryDecisionOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for _, b := range longText("rules", lang.Ukrainian) {
		if b.Kind == templates.TextDecision {
			seen[b.Anchor]++
		}
	}
	for n := 1; n <= 30; n++ {
		if seen[fmt.Sprint("d", n)] != 1 {
			t.Errorf("D%d stands there %d times", n, seen[fmt.Sprint("d", n)])
		}
	}
	if len(seen) != 30 {
		t.Errorf("%d decisions", len(seen))
	}
}

func TestEveryFigureOfTheRulesIsDrawn(t *testing.T) {
	t.Parallel()
	v := viewRules(lang.Printer{Lang: lang.English})
	tables := []string{"points", "endings", "actions", "features", "ranks", "example"}
	for _, b := range v.Blocks {
		if b.Kind == templates.TextFigure && !slices.Contains(tables, b.Number) && len(v.Figures[b.Number]) == 0 {
			t.Errorf("@%s is nothing", b.Number)
		}
	}
	if len(v.Features) != 16 || v.Features[15].Number != "7.16" {
		t.Errorf("features: %+v", v.Features)
	}
}

func TestInlineMarks(t *testing.T) {
	t.Parallel()
	got := parseLine("5.2 A *raise* of `k` chips")
	want := []templates.TextSpan{{Text: "A "}, {Text: "raise", Strong: true}, {Text: " of "}, {Text: "k", Code: true}, {Text: " chips"}}
	if got.Anchor != "s5-2" || got.Number != "5.2" || !slices.Equal(got.Spans, want) {
		t.Errorf("%+v", got)
	}
}

func TestTheBiddingExampleFollowsTheRulesToItsEnd(t *testing.T) {
	t.Parallel()
	for step := range exampleSteps {
		s, err := exampleAt(step)
		if err != nil {
			t.Fatal(err)
		}
		_, pending := s.Pending()
		if next := step + 1; next < len(exampleSteps) && pending != (exampleSteps[next].draw.Target != 0) {
			t.Errorf("step %d: a draw is pending: %v, but the next step is %+v", step, pending, exampleSteps[next])
		}
		for _, l := range lang.All {
			if v := viewExample(lang.Printer{Lang: l}, step); len(v.Targets) != bidding.Targets || v.IsOver != (step >= len(exampleSteps)-2) {
				t.Errorf("step %d in %s: over %v", step, l, v.IsOver)
			}
		}
	}
	s, err := exampleAt(len(exampleSteps) - 1)
	if err != nil {
		t.Fatal(err)
	}
	// What the last text says: Olha has White, 5+3, ten files, two kings.
	white, _ := s.White()
	tc, _ := s.Time()
	if white != bidding.First || tc.String() != "5+3" || s.Row() != "RNBKKBNRPP" || s.Features().Width != 10 {
		t.Errorf("%v %v %v %d", white, tc, s.Row(), s.Features().Width)
	}
}
