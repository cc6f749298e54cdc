package tournament

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) apiPrizes(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	out, err := words.APIPrizesOf(t)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// apiSetPrizes replaces the prize fund; an empty one removes the prizes.
func (s api) apiSetPrizes(c echo.Context) error {
	var in prize.Fund
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.Arbiter.Events.SetPrizes(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), in); err != nil {
		return err
	}
	return s.apiPrizes(c)
}

// apiDeclareBorn notes a player's year of birth; 0 takes it back.
func (s api) apiDeclareBorn(c echo.Context) error {
	var in struct {
		Year int `json:"year"`
	}
	id, entry, err := page.EntryOfPath(c)
	if err == nil {
		err = page.ReadJSON(c, &in, false)
	}
	if err == nil {
		err = s.Arbiter.Events.DeclareBorn(c.Request().Context(), page.Viewer(c), id, entry, in.Year)
	}
	return page.NoContent(c, err)
}

// prizeFact sums up the prizes for the first page: the fund and the first places; nil if there are none.
func (s pages) prizeFact(c echo.Context, t *tournament.Tournament) *templates.TournamentFact {
	if t.Prizes.IsZero() {
		return nil
	}
	p := s.Printer(c)
	var first []string
	for i, a := range t.Prizes.Places {
		if i == 3 {
			first = append(first, "…")
			break
		}
		first = append(first, words.MoneyText(p, a, t.Prizes.Currency))
	}
	return &templates.TournamentFact{
		Name: p.T("prize.fund"), Value: words.MoneyText(p, t.Prizes.Total(), t.Prizes.Currency), Hint: strings.Join(first, " · "),
	}
}
