package tournament

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

type (
	fundIn struct {
		event.TournamentPath
		Currency   string           `json:"currency,omitempty" doc:"ISO 4217; amounts are in its smallest unit" example:"UAH"`
		Places     []int64          `json:"places,omitempty" doc:"for the first, second …, never rising" example:"[300000,200000]"`
		Sharing    prize.Sharing    `json:"sharing,omitempty" doc:"of the prizes of places and boards among those tied on points; absent: tie-breaks decide" enum:",equal,hort" example:"hort"`
		Categories []prize.Category `json:"categories,omitempty" doc:"prizes for some of the players"`
	}
	bornIn struct {
		event.EntryPath
		Year int `json:"year" doc:"0 takes it back" example:"2010" min:"0"`
	}
)

func (s api) prizes(c echo.Context, _ event.TournamentPath) (out words.APIPrizes, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	found, err := words.APIPrizesOf(t)
	if err != nil {
		return out, err
	}
	return *found, nil
}

// setPrizes replaces the prize fund; an empty one removes the prizes.
func (s api) setPrizes(c echo.Context, in fundIn) (out words.APIPrizes, err error) {
	fund := prize.Fund{Currency: in.Currency, Places: in.Places, Sharing: in.Sharing, Categories: in.Categories}
	if err := s.Arbiter.Events.SetPrizes(c.Request().Context(), page.Viewer(c), in.ID, fund); err != nil {
		return out, err
	}
	return s.prizes(c, in.TournamentPath)
}

// declareBorn notes a player's year of birth; 0 takes it back.
func (s api) declareBorn(ctx context.Context, by player.Viewer, in bornIn) error {
	return s.Arbiter.Events.DeclareBorn(ctx, by, in.ID, in.Entry, in.Year)
}

// prizeFact sums up the prizes for the first page: the fund and the first places; nil if there are none.
func (s pages) prizeFact(c echo.Context, t *tournament.Tournament) *templates.TournamentFact {
	if t.Prizes.IsZero() {
		return nil
	}
	p := s.Printer(c)
	var first []string
	others := t.Prizes.Total()
	for _, a := range t.Prizes.Places {
		others -= a
	}
	for i, a := range t.Prizes.Places {
		if i == 3 {
			first = append(first, "…")
			break
		}
		first = append(first, words.MoneyText(p, a, t.Prizes.Currency))
	}
	if others > 0 {
		first = append(first, p.T("prize.others", "Amount", words.MoneyText(p, others, t.Prizes.Currency)))
	}
	return &templates.TournamentFact{
		Name: p.T("prize.fund"), Value: words.MoneyText(p, t.Prizes.Total(), t.Prizes.Currency), Hint: strings.Join(first, " · "),
	}
}
