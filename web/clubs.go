package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	clubview "chpok.org/chpok/templates/club"
)

var errClubTaken = refusal.Invalid("club.error.taken", "web: a club of that name exists")

func (s *Server) clubRoutes() []route {
	return []route{
		{get, "/clubs", s.clubs, anyone},
		{get, "/clubs/new", s.newClubForm, player.Viewer.MayCreateClub},
		{post, "/clubs", s.createClub, player.Viewer.MayCreateClub},
		{get, "/clubs/:id", s.club, anyone},
		{get, "/clubs/:id/edit", s.editClubForm, signedIn},
		{post, "/clubs/:id", s.editClub, signedIn},
		{post, "/clubs/:id/join", s.joinClub, signedIn},
		{post, "/clubs/:id/unask", s.unaskClub, signedIn},
		{post, "/clubs/:id/leave", s.leaveClub, signedIn},

		// club_people.go: who comes in, who is what, who stays out
		{get, "/clubs/:id/people", s.clubPeople, signedIn},
		{post, "/clubs/:id/requests", s.answerClubRequest, signedIn},
		{post, "/clubs/:id/roles", s.setClubRole, signedIn},
		{post, "/clubs/:id/expel", s.expelMember, signedIn},
		{post, "/clubs/:id/bans", s.banFromClub, signedIn},
		{post, "/clubs/:id/unban", s.unbanFromClub, signedIn},
		{post, "/clubs/:id/code", s.newClubCode, signedIn},

		// club_news.go
		{get, "/clubs/:id/news", s.clubNews, anyone},
		{get, "/clubs/:id/news/new", s.newPostForm, signedIn},
		{post, "/clubs/:id/news", s.postNews, signedIn},
		{get, "/clubs/:id/news/:post", s.editPostForm, signedIn},
		{post, "/clubs/:id/news/:post", s.postNews, signedIn},
		{post, "/clubs/:id/news/:post/delete", s.deletePost, signedIn},
	}
}

func (s *Server) clubs(c echo.Context) error {
	p := s.printer(c)
	var list []club.Club
	var members map[club.ID]int
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		list, members, err = tx.Clubs()
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b club.Club) int { return p.Compare(a.Name, b.Name) })
	view := clubview.ClubsView{MayCreate: viewer(c).MayCreateClub()}
	for _, x := range list {
		first, _, _ := strings.Cut(x.Text, "\n")
		view.Clubs = append(view.Clubs, clubview.ClubCard{URL: clubURL(x.ID), Name: x.Name, Text: first, Members: p.N("club.members-count", members[x.ID])})
	}
	sh := s.shell(c, p.T("core.nav.clubs"))
	sh.Section = "clubs"
	return s.render(c, http.StatusOK, clubview.ClubsPage(sh, view))
}

func (s *Server) newClubForm(c echo.Context) error {
	return s.showClubForm(c, club.Club{}, nil)
}

func (s *Server) showClubForm(c echo.Context, x club.Club, refused error) error {
	p := s.printer(c)
	view := clubview.ClubFormView{
		Action: "/clubs", Title: p.T("club.new"), Back: templates.Link{Text: p.T("core.nav.clubs"), URL: "/clubs"},
		Name:      templates.Field{Name: "name", Label: p.T("club.name"), Value: x.Name, Max: 60, Required: true, Autocomplete: "off", Error: s.formError(c, refused, club.ErrName, errClubTaken)},
		Text:      x.Text,
		TextError: s.formError(c, refused, club.ErrText),
	}
	if x.ID != "" {
		view.Action, view.Title = clubURL(x.ID), p.T("club.edit.title")
		view.Back = templates.Link{Text: x.Name, URL: clubURL(x.ID)}
		for _, j := range club.Joinings {
			view.Joinings = append(view.Joinings, templates.Choice{Value: j.String(), Text: p.T("club.joining." + j.String()), Chosen: j == x.Joining})
		}
	}
	status := http.StatusOK
	if refused != nil {
		status, _, _ = explain(refused)
	}
	sh := s.shell(c, view.Title)
	sh.Section, sh.Styles = "clubs", []string{"tournament.css"}
	return s.render(c, status, clubview.ClubFormPage(sh, view))
}

// clubForm reads what was filled in; what cannot be accepted stays as written.
func clubForm(c echo.Context) (club.Club, error) {
	x := club.Club{Name: shorten(c.FormValue("name"), 200), Text: c.FormValue("text")}
	name, nameErr := club.ParseName(x.Name)
	text, textErr := club.ParseText(x.Text)
	if err := errors.Join(nameErr, textErr); err != nil {
		return x, err
	}
	return club.Club{Name: name, Text: text}, nil
}

// heldClubs are the viewer's clubs in whose name he may hold something.
func heldClubs(tx *store.Tx, v player.Viewer) ([]club.Club, error) {
	if !v.IsSignedIn() {
		return nil, nil
	}
	memberships, err := tx.Memberships(v.ID)
	if err != nil {
		return nil, err
	}
	var out []club.Club
	for _, m := range memberships {
		if !club.May(v, m.Role, club.ActHold) {
			continue
		}
		of, err := tx.Club(m.Club)
		if err != nil {
			return nil, err
		}
		out = append(out, of)
	}
	return out, nil
}

// clubChoices are the clubs in whose name the viewer may hold something, and the
// one that is chosen already.
func (s *Server) clubChoices(c echo.Context, chosen string) ([]templates.Choice, error) {
	p := s.printer(c)
	list := []templates.Choice{{Text: p.T("club.hold-none"), Chosen: chosen == ""}}
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, err := heldClubs(tx, viewer(c))
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

// mayHold is nil or why the viewer can hold no tournament at all.
func (s *Server) mayHold(c echo.Context) error {
	if viewer(c).MayCreateTournament() {
		return nil
	}
	return s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, err := heldClubs(tx, viewer(c))
		if err == nil && len(clubs) == 0 {
			err = errForbidden
		}
		return err
	})
}

func (s *Server) createClub(c echo.Context) error {
	x, err := clubForm(c)
	if err != nil {
		return s.showClubForm(c, x, err)
	}
	id, err := s.arbiter.CreateClub(c.Request().Context(), viewer(c), x.Name, x.Text)
	if errors.Is(err, store.ErrTaken) {
		return s.showClubForm(c, x, errClubTaken)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, clubURL(id), "flash.club-created")
}

func (s *Server) editClubForm(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActChange)
	if err != nil {
		return err
	}
	return s.showClubForm(c, r.Club, nil)
}

// rosterFor is the club of the address, if the viewer may do that act in it.
func (s *Server) rosterFor(c echo.Context, act club.Act) (r club.Roster, err error) {
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		r, err = tx.Roster(club.ID(c.Param("id")))
		return err
	})
	if err == nil && !r.May(viewer(c), act) {
		err = club.ErrNotAllowed
	}
	return r, err
}

func (s *Server) editClub(c echo.Context) error {
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
		err = s.arbiter.ChangeClub(c.Request().Context(), viewer(c), x.ID, x.Name, x.Text, x.Joining)
	}
	if errors.Is(err, store.ErrTaken) {
		err = errClubTaken
	}
	if isRefusal(err) {
		return s.showClubForm(c, x, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, clubURL(x.ID), "flash.saved")
}

func (s *Server) joinClub(c echo.Context) error {
	id := club.ID(c.Param("id"))
	code := shorten(c.FormValue("code"), 40)
	if err := s.mayTry(c, code); err != nil {
		return err
	}
	joined, err := s.arbiter.JoinClub(c.Request().Context(), viewer(c), id, code, c.FormValue("note"))
	switch {
	case errors.Is(err, club.ErrCode), errors.Is(err, club.ErrNote):
		return s.showClub(c, err)
	case err != nil:
		return err
	case joined:
		return s.redirect(c, clubURL(id), "flash.club-joined")
	}
	return s.redirect(c, clubURL(id), "flash.club-asked")
}

func (s *Server) unaskClub(c echo.Context) error {
	id := club.ID(c.Param("id"))
	if err := s.arbiter.UnaskClub(c.Request().Context(), viewer(c), id); err != nil {
		return err
	}
	return s.redirect(c, clubURL(id), "flash.club-unasked")
}

func (s *Server) leaveClub(c echo.Context) error {
	if err := s.arbiter.LeaveClub(c.Request().Context(), viewer(c), club.ID(c.Param("id"))); err != nil {
		return err
	}
	return s.redirect(c, clubURL(club.ID(c.Param("id"))), "flash.club-left")
}
