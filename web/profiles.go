package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
)

func (s *Server) profileRoutes() []route {
	return []route{
		{get, "/settings/profile", s.profileForm, signedIn},
		{post, "/settings/profile", s.saveProfile, signedIn},
		{post, "/settings/blocks", s.block, signedIn},
		{post, "/settings/blocks/drop", s.unblock, signedIn},
	}
}

// profileFacts is what of an account's profile a viewer may see.
type profileFacts struct {
	profile  player.Profile // without what is not for him
	relation player.Relation
	last     time.Time // zero: not for him
}

func (f *profileFacts) read(tx *store.Tx, v player.Viewer, of player.ID) (err error) {
	if f.profile, err = tx.Profile(of); err != nil {
		return err
	}
	if f.relation, err = tx.Relation(v, of); err != nil {
		return err
	}
	if privacy := f.profile.Privacy; !privacy.Profile.MaySee(f.relation) {
		f.profile = player.Profile{Privacy: privacy}
	}
	if f.profile.Privacy.Online.MaySee(f.relation) {
		f.last, err = tx.LastHere(of)
	}
	return err
}

// seesHistory tells whether the viewer may see how the rating went.
func (f *profileFacts) seesHistory() bool { return f.profile.Privacy.History.MaySee(f.relation) }

func viewAbout(p lang.Printer, v player.Viewer, x player.Player, f profileFacts, now time.Time) ratingview.ProfileAbout {
	about := ratingview.ProfileAbout{
		Name: f.profile.Name, Text: paragraphs(f.profile.About), Links: f.profile.Links, Country: country(p, f.profile.Country),
		MayChallenge: !x.Bot && f.profile.Privacy.Challenge.Admits(f.relation) || x.Bot, HidesHistory: !f.seesHistory(),
		MayBlock: v.IsSignedIn() && !v.Is(x.ID) && !x.Bot, ID: string(x.ID),
	}
	if !f.last.IsZero() {
		about.Last = p.T("place.last-here", "Ago", p.Ago(f.last, now))
	}
	return about
}

// country names a country in the viewer's language.
func country(p lang.Printer, code string) string {
	region, err := language.ParseRegion(code)
	if err != nil {
		return ""
	}
	return display.Regions(language.Make(string(p.Lang))).Name(region)
}

func (s *Server) profileForm(c echo.Context) error {
	var x player.Profile
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		x, err = tx.Profile(viewer(c).ID)
		return err
	})
	if err != nil {
		return err
	}
	return s.showProfileForm(c, x, nil)
}

func (s *Server) showProfileForm(c echo.Context, x player.Profile, refused error) error {
	p, v := s.printer(c), viewer(c)
	var blocked map[player.ID]player.Player
	var order []player.ID
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
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
		Name:    templates.Field{Name: "name", Label: p.T("place.name"), Hint: p.T("place.name-hint"), Value: x.Name, Max: player.MaxProfileName, Autocomplete: "name", Error: s.formError(c, refused, player.ErrProfileName)},
		Country: templates.Field{Name: "country", Label: p.T("place.country"), Hint: p.T("place.country-hint"), Value: x.Country, Max: 2, Autocomplete: "country", Error: s.formError(c, refused, player.ErrProfileCountry)},
		About:   x.About, AboutError: s.formError(c, refused, player.ErrProfileAbout),
		Links: strings.Join(x.Links, "\n"), LinksError: s.formError(c, refused, player.ErrProfileLinks), Hidden: x.Privacy.Hidden,
	}
	for _, a := range []struct {
		name   string
		chosen player.Audience
	}{{"see-profile", x.Privacy.Profile}, {"see-history", x.Privacy.History}, {"see-online", x.Privacy.Online}, {"may-challenge", x.Privacy.Challenge}} {
		choice := accountview.AudienceChoice{Name: a.name, Label: p.T("place.privacy." + a.name)}
		for _, audience := range player.Audiences {
			choice.Choices = append(choice.Choices, templates.Choice{Value: string(audience), Text: p.T("place.audience." + string(audience)), Chosen: audience == a.chosen})
		}
		view.Audiences = append(view.Audiences, choice)
	}
	for _, id := range order {
		view.Blocked = append(view.Blocked, templates.Choice{Value: string(id), Text: string(blocked[id].Handle)})
	}
	status := http.StatusOK
	if refused != nil {
		status, _, _ = explain(refused)
	}
	sh := s.shell(c, p.T("place.profile"))
	sh.Path, sh.Styles = "/settings/profile", []string{"settings.css"}
	return s.render(c, status, accountview.ProfileFormPage(sh, view))
}

func (s *Server) saveProfile(c echo.Context) error {
	value := func(name string) string {
		return strings.TrimSpace(strings.ReplaceAll(c.FormValue(name), "\r\n", "\n"))
	}
	x := player.Profile{
		Name: value("name"), About: value("about"), Country: strings.ToUpper(value("country")), Links: strings.Fields(value("links")),
		Privacy: player.Privacy{
			Profile: player.Audience(value("see-profile")), History: player.Audience(value("see-history")), Online: player.Audience(value("see-online")),
			Challenge: player.Audience(value("may-challenge")), Hidden: value("hidden") != "",
		},
	}
	if err := x.Check(); err != nil {
		if errors.Is(err, player.ErrAudience) {
			return errBadRequest
		}
		return s.showProfileForm(c, x, err)
	}
	if x.Country != "" && country(s.printer(c), x.Country) == "" {
		return s.showProfileForm(c, x, player.ErrProfileCountry)
	}
	if err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.SetProfile(viewer(c).ID, x) }); err != nil {
		return err
	}
	return s.redirect(c, "/settings/profile", "flash.saved")
}

func (s *Server) block(c echo.Context) error {
	v, who := viewer(c), player.ID(c.FormValue("player"))
	if v.Is(who) {
		return errBadRequest
	}
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		if _, err := tx.Player(who); err != nil {
			return err
		}
		return tx.Block(v.ID, who, s.now())
	})
	if err != nil {
		return err
	}
	return s.redirect(c, "/settings/profile", "flash.blocked")
}

func (s *Server) unblock(c echo.Context) error {
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.Unblock(viewer(c).ID, player.ID(c.FormValue("player"))) })
	if err != nil {
		return err
	}
	return s.redirect(c, "/settings/profile", "flash.saved")
}
