package event

import (
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// ClubChoices offers the clubs in whose name the viewer may hold events, and the chosen one.
func (s Frame) ClubChoices(c echo.Context, chosen string) ([]templates.Choice, error) {
	p := s.Printer(c)
	list := []templates.Choice{{Text: p.T("club.hold-none"), Chosen: chosen == ""}}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, err := words.HeldClubs(tx, page.Viewer(c))
		if err != nil {
			return err
		}
		if chosen != "" && !slices.ContainsFunc(clubs, func(x club.Club) bool { return string(x.ID) == chosen }) {
			of, err := tx.Club(club.ID(chosen))
			if err != nil {
				return err
			}
			clubs = append(clubs, of)
		}
		for _, x := range clubs {
			list = append(list, templates.Choice{Value: string(x.ID), Text: x.Name, Chosen: string(x.ID) == chosen})
		}
		return nil
	})
	return list, err
}

// MayHold returns nil, or why the viewer can hold no tournaments.
func (s Frame) MayHold(c echo.Context) error {
	if page.Viewer(c).MayCreateTournament() {
		return nil
	}
	return s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, err := words.HeldClubs(tx, page.Viewer(c))
		if err == nil && len(clubs) == 0 {
			err = page.ErrForbidden
		}
		return err
	})
}
