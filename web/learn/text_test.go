package learn

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

func TestBothLanguagesTellTheSameRulesInTheSameOrder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rules", "faq"} {
		outline := func(l lang.Lang) (out []string) {
			for _, b := range words.LongText(name, l) {
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
	for _, b := range words.LongText("rules", lang.Ukrainian) {
		if b.Kind == templates.TextDecision {
			seen[b.Anchor]++
		}
	}
	for n := 1; n <= 34; n++ {
		if seen[fmt.Sprint("d", n)] != 1 {
			t.Errorf("D%d stands there %d times", n, seen[fmt.Sprint("d", n)])
		}
	}
	if len(seen) != 34 {
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

// A reading is a footnote: a mark stands where the text needs it, the words at the
// foot, and both find each other.
func TestReadingsAreFootnotesToTheirParagraphs(t *testing.T) {
	t.Parallel()
	v := viewRules(lang.Printer{Lang: lang.English})
	marked := map[string]string{}
	for _, b := range v.Blocks {
		if b.Kind == templates.TextDecision {
			t.Errorf("%s stands in the text", b.Number)
		}
		for _, n := range b.Notes {
			marked[n] = b.Anchor
		}
	}
	for _, n := range v.Readings {
		if _, ok := marked[n.Number]; !ok {
			t.Errorf("nothing leads to %s", n.Number)
		}
	}
	if marked["D8"] != "s5-4" || len(v.Readings) != 34 {
		t.Errorf("%d readings: %v", len(v.Readings), marked)
	}
	// The texts are shared: viewing them again changes nothing.
	if again := viewRules(lang.Printer{Lang: lang.English}); !slices.EqualFunc(v.Blocks, again.Blocks, func(a, b templates.TextBlock) bool { return slices.Equal(a.Notes, b.Notes) }) {
		t.Error("a second look finds other footnotes")
	}
}

func TestInlineMarks(t *testing.T) {
	t.Parallel()
	got := words.ParseLine("5.2 A *raise* of `k` chips")
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

// An envelope has 1…99 chips; whoever asks for more is told so in whatever they read.
func TestAFaultOfAnEnvelopeKeepsItsNumbersInBothLanguages(t *testing.T) {
	t.Parallel()
	settings := tournament.DefaultSettings(tournament.RoundRobin)
	settings.Name = "Evening"
	settings.Envelope.Chips = 100
	settings.Envelope.Presets = nil
	for l, want := range map[lang.Lang][2]string{
		lang.English:   {"Chips each: 100 is not within 1…99", "Time controls for the draw: at least one is needed"},
		lang.Ukrainian: {"Фішки кожного: 100\u00a0— поза межами 1…99", "Варіанти для жеребу: потрібне хоча б одне значення"},
	} {
		p := lang.Printer{Lang: l, Zone: time.UTC}
		told := form.ByInput(p, words.ProblemsOf(settings.Validate()))
		if len(told) != 2 || told[0].Field != "chips" || told[1].Field != "presets" {
			t.Fatalf("%s: %+v", l, told)
		}
		for i, problem := range told {
			if got := form.ProblemText(p, problem); got != want[i] {
				t.Errorf("%s: %q, want %q", l, got, want[i])
			}
		}
	}
}
