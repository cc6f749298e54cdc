package account

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/web/page"
)

func (s profiles) profileRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/profile", s.profileForm, page.SignedIn),
		page.Post("/settings/profile", s.saveProfile, page.SignedIn),
		page.Post("/settings/blocks", s.block, page.SignedIn),
		page.Post("/settings/blocks/drop", s.unblock, page.SignedIn),
	}
}

func (s profiles) profileForm(c echo.Context) error {
	x, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (player.Profile, error) {
		return tx.Profile(page.Viewer(c).ID)
	})
	if err != nil {
		return err
	}
	return s.showProfileForm(c, x, nil)
}

func (s profiles) showProfileForm(c echo.Context, x player.Profile, refused error) error {
	p, v := s.Printer(c), page.Viewer(c)
	var blocked map[player.ID]player.Player
	var order []player.ID
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if order, err = tx.Blocked(v.ID); err != nil {
			return err
		}
		blocked, err = tx.Players(order...)
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.ProfileFormView{
		Name: templates.Field{Name: "name", Label: p.T("place.name"), Hint: p.T("place.name-hint"), Value: x.Name, Max: player.MaxProfileName,
			Autocomplete: "name", Error: s.FormError(c, refused, player.ErrProfileName)},
		FIDE: templates.Field{Name: "fide", Label: p.T("place.fide"), Hint: p.T("place.fide-hint"), Value: x.FIDE, Max: player.MaxProfileFIDE,
			Autocomplete: "off", Error: s.FormError(c, refused, player.ErrProfileFIDE)},
		Countries: page.Countries(p, x.Country), CountryError: s.FormError(c, refused, player.ErrProfileCountry),
		About: x.About, AboutError: s.FormError(c, refused, player.ErrProfileAbout),
		Links: strings.Join(x.Links, "\n"), LinksError: s.FormError(c, refused, player.ErrProfileLinks), Hidden: x.Privacy.Hidden,
	}
	for _, a := range []struct {
		name   string
		chosen player.Audience
	}{{"see-profile", x.Privacy.Profile}, {"see-history", x.Privacy.History}, {"see-online", x.Privacy.Online},
		{"may-challenge", x.Privacy.Challenge}, {"may-follow", x.Privacy.Follow}} {
		choice := accountview.AudienceChoice{Name: a.name, Label: p.T("place.privacy." + a.name)}
		for _, audience := range player.Audiences {
			choice.Choices = append(choice.Choices, templates.Choice{Value: string(audience), Text: p.T("place.audience." + string(audience)),
				Chosen: audience == a.chosen})
		}
		view.Audiences = append(view.Audiences, choice)
	}
	for _, id := range order {
		view.Blocked = append(view.Blocked, templates.Choice{Value: string(blocked[id].Handle), Text: string(blocked[id].Handle)})
	}
	sh := s.Shell(c, p.T("place.profile"))
	sh.Path, sh.Styles = "/settings/profile", []string{"settings.css"}
	return s.Render(c, page.StatusOf(refused), accountview.ProfileFormPage(sh, view))
}

func (s profiles) saveProfile(c echo.Context) error {
	value := func(name string) string {
		return strings.TrimSpace(strings.ReplaceAll(c.FormValue(name), "\r\n", "\n"))
	}
	x := player.Profile{
		Name: value("name"), About: value("about"), Country: strings.ToUpper(value("country")), FIDE: value("fide"),
		Links: strings.Fields(value("links")),
		Privacy: player.Privacy{
			Profile: player.Audience(value("see-profile")), History: player.Audience(value("see-history")),
			Online:    player.Audience(value("see-online")),
			Challenge: player.Audience(value("may-challenge")), Follow: player.Audience(cmp.Or(value("may-follow"), string(player.Everyone))),
			Hidden: value("hidden") != "",
		},
	}
	err := s.save(c, x)
	if slices.ContainsFunc(profileErrors, func(shown error) bool { return errors.Is(err, shown) }) {
		return s.showProfileForm(c, x, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, "/settings/profile", "flash.saved")
}

// profileErrors are the refusals that the form shows.
var profileErrors = []error{player.ErrProfileName, player.ErrProfileCountry, player.ErrProfileAbout,
	player.ErrProfileFIDE, player.ErrProfileLinks}

// save checks the viewer's profile and saves it. A country that is no longer listed may stay.
func (s profiles) save(c echo.Context, x player.Profile) error {
	x.Name = player.Tidy(x.Name)
	if err := x.Check(); errors.Is(err, player.ErrAudience) {
		return page.ErrBadRequest
	} else if err != nil {
		return err
	}
	isListed := x.Country == "" || page.Country(s.Printer(c), x.Country) != ""
	return s.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		was, err := tx.Profile(page.Viewer(c).ID)
		switch {
		case err != nil:
			return err
		case !isListed && x.Country != was.Country:
			return player.ErrProfileCountry
		}
		return tx.SetProfile(page.Viewer(c).ID, x)
	})
}

func (s profiles) block(c echo.Context) error {
	if err := s.setBlocked(c.Request().Context(), page.Viewer(c), c.FormValue("player"), true); err != nil {
		return err
	}
	return s.Redirect(c, "/settings/profile", "flash.blocked")
}

func (s profiles) unblock(c echo.Context) error {
	if err := s.setBlocked(c.Request().Context(), page.Viewer(c), c.FormValue("player"), false); err != nil {
		return err
	}
	return s.Redirect(c, "/settings/profile", "flash.saved")
}

// setBlocked blocks a player for the viewer, or ends that.
func (s profiles) setBlocked(ctx context.Context, by player.Viewer, handle string, blocked bool) error {
	who, err := s.Arbiter.Account(ctx, handle)
	switch {
	case err != nil:
		return err
	case by.Is(who.ID):
		return page.ErrBadRequest
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if blocked {
			return tx.Block(by.ID, who.ID, s.Now())
		}
		return tx.Unblock(by.ID, who.ID)
	})
}
