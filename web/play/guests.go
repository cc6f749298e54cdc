package play

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// guested makes a visitor a guest, known by a cookie, before it calls f.
func (s pages) guested(f echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !page.Viewer(c).MayBecomeGuest() {
			return f(c)
		}
		if err := s.Count(c, page.LimitGuest, "ip "+page.Network(c)); err != nil {
			return err
		}
		guest, err := s.Arbiter.Persons.Guest(c.Request().Context())
		if err != nil {
			return err
		}
		if err := s.StartSession(c, guest); err != nil {
			return err
		}
		c.Set(page.ViewerKey, player.Viewer{Player: guest})
		return f(c)
	}
}

// playNow starts a practice match against the first bot, or redirects to the running match of a guest.
func (s pages) playNow(c echo.Context) error {
	ctx, v := c.Request().Context(), page.Viewer(c)
	if v.Guest {
		// Running matches come first.
		heads, err := store.Get(ctx, s.Store, func(tx *store.Tx) ([]store.Head, error) { return tx.MatchesOf(v.ID, 1) })
		if err != nil {
			return err
		}
		if len(heads) > 0 && heads[0].Status != match.Over {
			return s.Redirect(c, words.MatchURL(heads[0].ID), "")
		}
	}
	made, err := s.Arbiter.Challenges.Send(ctx, v, string(house.Bots()[0].Handle), challenge.Practice())
	if err != nil {
		return err
	}
	return s.Redirect(c, whereTo(made), "")
}
