package club

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/clubs"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	clubview "chpok.org/chpok/templates/club"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

var errClubTaken = refusal.Invalid("club.error.taken", "web: a club of that name exists")

func (s pages) clubRoutes() []page.Route {
	return []page.Route{
		page.Get("/clubs", s.clubs, page.Anyone),
		page.Get("/clubs/new", s.newClubForm, player.Viewer.MayCreateClub),
		page.Post("/clubs", s.createClub, player.Viewer.MayCreateClub),
		page.Get("/clubs/:id", s.club, page.Anyone),
		page.Get("/clubs/:id/edit", s.editClubForm, page.SignedIn),
		page.Post("/clubs/:id", s.editClub, page.SignedIn),
		page.Post("/clubs/:id/join", s.joinClub, page.SignedIn),
		page.Post("/clubs/:id/unask", s.unaskClub, page.SignedIn),
		page.Post("/clubs/:id/leave", s.leaveClub, page.SignedIn),

		// club_people.go: requests, roles, bans
		page.Get("/clubs/:id/people", s.clubPeople, page.SignedIn),
		page.Post("/clubs/:id/requests", s.answerClubRequest, page.SignedIn),
		page.Post("/clubs/:id/roles", s.setClubRole, page.SignedIn),
		page.Post("/clubs/:id/expel", s.expelMember, page.SignedIn),
		page.Post("/clubs/:id/bans", s.banFromClub, page.SignedIn),
		page.Post("/clubs/:id/unban", s.unbanFromClub, page.SignedIn),
		page.Post("/clubs/:id/code", s.newClubCode, page.SignedIn),

		// club_news.go
		page.Get("/clubs/:id/news", s.clubNews, page.Anyone),
		page.Get("/clubs/:id/news/new", s.newPostForm, page.SignedIn),
		page.Post("/clubs/:id/news", s.postNews, page.SignedIn),
		page.Get("/clubs/:id/news/:post", s.editPostForm, page.SignedIn),
		page.Post("/clubs/:id/news/:post", s.postNews, page.SignedIn),
		page.Post("/clubs/:id/news/:post/delete", s.deletePost, page.SignedIn),
	}
}

func (s pages) clubs(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	var shows []string
	if v.IsSignedIn() {
		shows = []string{"mine"}
	}
	view := clubview.ClubsView{MayCreate: v.MayCreateClub(), Filter: page.Filter(c, p, p.T("list.search.clubs"), shows...)}
	var list []club.Club
	var members map[club.ID]int
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if list, members, err = tx.Clubs(); err != nil || !view.Filter.IsOn() {
			return err
		}
		list, err = filteredClubs(tx, v, view.Filter, list)
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b club.Club) int { return p.Compare(a.Name, b.Name) })
	for _, x := range list {
		first, _, _ := strings.Cut(x.Text, "\n")
		view.Clubs = append(view.Clubs, clubview.ClubCard{URL: words.ClubURL(x.ID), Name: x.Name, Text: first,
			Members: p.N("club.members-count", members[x.ID])})
	}
	sh := s.Shell(c, p.T("core.nav.clubs"))
	sh.Section = "clubs"
	return s.Render(c, http.StatusOK, clubview.ClubsPage(sh, view))
}

// filteredClubs returns the clubs of a list that match a filter.
func filteredClubs(tx *store.Tx, v player.Viewer, f templates.Filter, list []club.Club) ([]club.Club, error) {
	keep := map[club.ID]int{}
	if f.Search != "" {
		found, err := tx.FindClubs(f.Search, len(list))
		if err != nil {
			return nil, err
		}
		for _, x := range found {
			keep[x.ID]++
		}
	}
	if f.Show == "mine" {
		mine, err := tx.Memberships(v.ID)
		if err != nil {
			return nil, err
		}
		for _, m := range mine {
			keep[m.Club]++
		}
	}
	asked := 1
	if f.Search != "" && f.Show != "" {
		asked = 2
	}
	return slices.DeleteFunc(list, func(x club.Club) bool { return keep[x.ID] < asked }), nil
}

func (s pages) newClubForm(c echo.Context) error {
	return s.showClubForm(c, club.Club{}, nil)
}

func (s pages) showClubForm(c echo.Context, x club.Club, refused error) error {
	p := s.Printer(c)
	view := clubview.ClubFormView{
		Action: "/clubs", Title: p.T("club.new"), Back: templates.Link{Text: p.T("core.nav.clubs"), URL: "/clubs"},
		Name: templates.Field{Name: "name", Label: p.T("club.name"), Value: x.Name, Max: 60, Required: true, Autocomplete: "off",
			Error: s.FormError(c, refused, club.ErrName, errClubTaken)},
		Text:      x.Text,
		TextError: s.FormError(c, refused, club.ErrText),
	}
	if x.ID != "" {
		view.Action, view.Title = words.ClubURL(x.ID), p.T("club.edit.title")
		view.Back = templates.Link{Text: x.Name, URL: words.ClubURL(x.ID)}
		for _, j := range club.Joinings {
			view.Joinings = append(view.Joinings, templates.Choice{Value: j.String(), Text: p.T("club.joining." + j.String()),
				Chosen: j == x.Joining})
		}
	}
	sh := s.Shell(c, view.Title)
	sh.Section, sh.Styles = "clubs", []string{"tournament.css"}
	return s.Render(c, page.StatusOf(refused), clubview.ClubFormPage(sh, view))
}

// clubForm reads the form of a club; a refused text stays as written.
func clubForm(c echo.Context) (club.Club, error) {
	x := club.Club{Name: words.Shorten(c.FormValue("name"), 200), Text: c.FormValue("text")}
	parsed, err := parseClub(x.Name, x.Text)
	if err != nil {
		return x, err
	}
	return parsed, nil
}

// parseClub reads what a club says of itself.
func parseClub(name, text string) (club.Club, error) {
	name, nameErr := club.ParseName(name)
	text, textErr := club.ParseText(text)
	return club.Club{Name: name, Text: text}, errors.Join(nameErr, textErr)
}

// ofTaken says of what another has already that it is the name.
func ofTaken(err error) error {
	if errors.Is(err, store.ErrTaken) {
		return errClubTaken
	}
	return err
}

func (s pages) createClub(c echo.Context) error {
	x, err := clubForm(c)
	var id club.ID
	if err == nil {
		id, err = s.Arbiter.Clubs.Create(c.Request().Context(), page.Viewer(c), x.Name, x.Text)
	}
	return s.afterClubForm(c, x, err, id, "flash.club-created")
}

// afterClubForm redirects to the club, or shows the refused form.
func (s pages) afterClubForm(c echo.Context, x club.Club, err error, id club.ID, flash string) error {
	again := func(c echo.Context, refused error) error { return s.showClubForm(c, x, refused) }
	return s.Answer(c, ofTaken(err), again, words.ClubURL(id), flash)
}

func (s pages) editClubForm(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActChange)
	if err != nil {
		return err
	}
	return s.showClubForm(c, r.Club, nil)
}

// rosterFor returns the club of the address; club.ErrNotAllowed if the viewer may not act in it.
func (s pages) rosterFor(c echo.Context, act club.Act) (r club.Roster, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		r, err = tx.Roster(club.ID(c.Param("id")))
		return err
	})
	if err == nil && !r.May(page.Viewer(c), act) {
		err = club.ErrNotAllowed
	}
	page.SetShown(c, r.Version)
	return r, err
}

func (s pages) editClub(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActChange)
	if err != nil {
		return err
	}
	x, err := clubForm(c)
	x.ID = r.ID
	if x.Joining, _ = club.ParseJoining(c.FormValue("joining")); x.Joining == 0 {
		x.Joining = r.Joining
	}
	if err == nil {
		err = s.Arbiter.Clubs.Change(c.Request().Context(), page.Viewer(c), x.ID, clubs.Settings{Name: x.Name, Text: x.Text, Joining: x.Joining})
	}
	return s.afterClubForm(c, x, err, x.ID, "flash.saved")
}

func (s pages) joinClub(c echo.Context) error {
	id := club.ID(c.Param("id"))
	code := words.Shorten(c.FormValue("code"), 40)
	if err := s.MayTry(c, code); err != nil {
		return err
	}
	joined, err := s.Arbiter.Clubs.Join(c.Request().Context(), page.Viewer(c), id, code, c.FormValue("note"))
	switch {
	case errors.Is(err, club.ErrCode), errors.Is(err, club.ErrNote):
		return s.showClub(c, err)
	case err != nil:
		return err
	case joined:
		return s.Redirect(c, words.ClubURL(id), "flash.club-joined")
	}
	return s.Redirect(c, words.ClubURL(id), "flash.club-asked")
}

func (s pages) unaskClub(c echo.Context) error {
	id := club.ID(c.Param("id"))
	if err := s.Arbiter.Clubs.Unask(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.ClubURL(id), "flash.club-unasked")
}

func (s pages) leaveClub(c echo.Context) error {
	if err := s.Arbiter.Clubs.Leave(c.Request().Context(), page.Viewer(c), club.ID(c.Param("id"))); err != nil {
		return err
	}
	return s.Redirect(c, words.ClubURL(club.ID(c.Param("id"))), "flash.club-left")
}
