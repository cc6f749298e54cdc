package page

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/words"
)

// EntryOfPath is the entry that an address names.
func EntryOfPath(c echo.Context) (tournament.ID, tournament.EntryID, error) {
	n, err := strconv.Atoi(c.Param("entry"))
	if err != nil {
		return "", 0, store.ErrNotFound
	}
	return tournament.ID(c.Param("id")), tournament.EntryID(n), nil
}

func (s *Site) APIPrizes(c echo.Context) error {
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

// APISetPrizes replaces the fund; nothing in it: there are no prizes.
func (s *Site) APISetPrizes(c echo.Context) error {
	var in prize.Fund
	if err := ReadJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.Arbiter.SetPrizes(c.Request().Context(), Viewer(c), tournament.ID(c.Param("id")), in); err != nil {
		return err
	}
	return s.APIPrizes(c)
}

// APIDeclareBorn notes the year an entry says it was born in; 0 takes it back.
func (s *Site) APIDeclareBorn(c echo.Context) error {
	var in struct {
		Year int `json:"year"`
	}
	id, entry, err := EntryOfPath(c)
	if err == nil {
		err = ReadJSON(c, &in, false)
	}
	if err == nil {
		err = s.Arbiter.DeclareBorn(c.Request().Context(), Viewer(c), id, entry, in.Year)
	}
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// PrizeFact is what the first page says of the prizes: all of them, and those of
// the first places; nil: there are none.
func (s *Site) PrizeFact(c echo.Context, t *tournament.Tournament) *templates.TournamentFact {
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
