package fairplay

import (
	"crypto/ed25519"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/web/page"
)

func (s pages) fairPlayRoutes() []page.Route {
	return []page.Route{
		page.Get("/fair-play", s.fairPlay, page.Anyone),
		page.Post("/fair-play", s.acceptFairPlay, page.SignedIn),
		page.Get("/fair-play/key", s.fairPlayKey, page.Anyone),
		page.Get("/fair-play/me", s.myFairPlay, page.SignedIn),
		page.Get("/tournaments/:id/fair-play", s.tournamentFairPlay, page.SignedIn),
		page.Post("/tournaments/:id/fair-play", s.setTournamentPolicy, page.SignedIn),
		page.Post("/tournaments/:id/fair-play/admit", s.admitEntry, page.SignedIn),
		page.Post("/tournaments/:id/fair-play/venue", s.setVenue, page.SignedIn),
	}
}

// fairPlayKey sends the public key of all that the site signs.
func (s pages) fairPlayKey(c echo.Context) error {
	key, err := s.Arbiter.SiteKey(c.Request().Context())
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, fairplay.KeyText(key.Public().(ed25519.PublicKey))+"\n")
}

func (s pages) acceptFairPlay(c echo.Context) error {
	if err := s.AcceptFairPlayText(c); err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "")
}
