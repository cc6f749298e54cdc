package desk

import (
	"testing"
	"time"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

func TestEveryPageOfTheDeskCallsAHouseBotByItsNameInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	p := lang.Printer{Lang: lang.Ukrainian, Zone: time.UTC}
	tour := &tournament.Tournament{}
	tour.Entries = tournament.Entries{{ID: 1, Name: "Kin", Number: 1, Bot: true}, {ID: 2, Name: "Olena", Number: 2}}
	b := tournament.Pairing{Board: 1, First: 1, Second: 2}
	if got, want := resultButton(p, tour, b, tournament.FirstWins), p.T("desk.wins", "Name", "Кінь"); got != want {
		t.Errorf("the button: %q, want %q", got, want)
	}
	if got := boardFacts(p, tour, b, nil)[0].Name; got != "Кінь – Olena" {
		t.Errorf("the board: %q", got)
	}
	everybody := func(tournament.Entry) bool { return true }
	if got, want := entryChoices(p, tour, everybody)[0], (templates.Choice{Value: "1", Text: "1. Кінь"}); got != want {
		t.Errorf("the choice: %+v", got)
	}
}
