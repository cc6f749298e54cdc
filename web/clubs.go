package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
)

var errClubTaken = errors.New("web: a club of that name exists")

func (s *Server) clubRoutes() []route {
	return []route{
		{get, "/clubs", s.clubs, anyone},
		{get, "/clubs/new", s.newClubForm, player.Viewer.MayCreateClub},
		{post, "/clubs", s.createClub, player.Viewer.MayCreateClub},
		{get, "/clubs/:id", s.club, anyone},
		{get, "/clubs/:id/edit", s.editClubForm, signedIn},
		{post, "/clubs/:id", s.editClub, signedIn},
		{post, "/clubs/:id/join", s.joinClub, signedIn},
		{post, "/clubs/:id/leave", s.leaveClub, signedIn},
		{post, "/clubs/:id/roles", s.setClubRole, signedIn},
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
	view := templates.ClubsView{MayCreate: viewer(c).MayCreateClub()}
	for _, x := range list {
		first, _, _ := strings.Cut(x.Text, "\n")
		view.Clubs = append(view.Clubs, templates.ClubCard{URL: clubURL(x.ID), Name: x.Name, Text: first, Members: p.N("club.members-count", members[x.ID])})
	}
	sh := s.shell(c, p.T("core.nav.clubs"))
	sh.Section = "clubs"
	return s.render(c, http.StatusOK, templates.ClubsPage(sh, view))
}

// clubTournaments is how many tournaments are looked through for a club's own.
const clubTournaments = 300

func (s *Server) club(c echo.Context) error {
	p, v, now := s.printer(c), viewer(c), s.now()
	var f club.Roster
	var who map[player.ID]player.Player
	var ratings map[player.ID]store.Rating
	var tournaments []store.TournamentLine
	var ladders []store.LadderLine
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if f, err = tx.Roster(club.ID(c.Param("id"))); err != nil {
			return err
		}
		ids := make([]player.ID, len(f.Members))
		for i, m := range f.Members {
			ids[i] = m.Player
		}
		if who, err = tx.Players(ids...); err != nil {
			return err
		}
		if ratings, err = tx.Ratings(ids...); err != nil {
			return err
		}
		if ladders, _, err = tx.Ladders(store.LadderQuery{Club: f.ID, For: v.ID, Limit: pageSize}); err != nil {
			return err
		}
		tournaments, _, err = tx.Tournaments(store.TournamentQuery{Limit: clubTournaments})
		return err
	})
	if err != nil {
		return err
	}
	role := f.RoleOf(v.ID)
	view := templates.ClubView{
		Name: f.Name, URL: clubURL(f.ID), Paragraphs: paragraphs(f.Text), Since: p.Date(f.Created), Count: p.N("club.members-count", len(f.Members)),
		MayEdit: f.May(v, club.ActChange), MayJoin: f.MayJoin(v, now) == nil, MayLeave: role != 0, IsMember: role != 0,
	}
	for _, m := range f.Members {
		line := templates.ClubMember{PlayerLine: playerLine(p, who[m.Player], ratings[m.Player]), ID: string(m.Player), IsOwner: m.Role == club.Owner}
		line.IsMe = v.Is(m.Player)
		line.Since = p.Date(m.Joined)
		line.MayDemote = view.MayEdit && line.IsOwner
		line.MayPromote = view.MayEdit && !line.IsOwner && !line.Bot
		view.Members = append(view.Members, line)
	}
	for _, l := range ladders {
		view.Ladders = append(view.Ladders, ladderCard(p, l))
	}
	for _, t := range tournaments {
		if club.NameKey(t.Club) == club.NameKey(f.Name) {
			view.Tournaments = append(view.Tournaments, tournamentLine(p, t, now))
		}
	}
	sh := s.shell(c, f.Name)
	sh.Section = "clubs"
	return s.render(c, http.StatusOK, templates.ClubPage(sh, view))
}

// paragraphs splits a plain text at its empty lines.
func paragraphs(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func (s *Server) newClubForm(c echo.Context) error {
	return s.showClubForm(c, club.Club{}, nil)
}

func (s *Server) showClubForm(c echo.Context, x club.Club, refused error) error {
	p := s.printer(c)
	view := templates.ClubFormView{
		Action: "/clubs", Title: p.T("club.new"),
		Name:      templates.Field{Name: "name", Label: p.T("club.name"), Value: x.Name, Max: 60, Required: true, Autocomplete: "off", Error: s.formError(c, refused, club.ErrName, errClubTaken)},
		Text:      x.Text,
		TextError: s.formError(c, refused, club.ErrText),
	}
	if x.ID != "" {
		view.Action, view.Title = clubURL(x.ID), p.T("club.edit")
	}
	status := http.StatusOK
	if refused != nil {
		status, _, _ = explain(refused)
	}
	sh := s.shell(c, view.Title)
	sh.Section = "clubs"
	return s.render(c, status, templates.ClubFormPage(sh, view))
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
	x.ID, x.Joining = r.ID, r.Joining
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
	if _, err := s.arbiter.JoinClub(c.Request().Context(), viewer(c), club.ID(c.Param("id")), "", ""); err != nil {
		return err
	}
	return s.redirect(c, clubURL(club.ID(c.Param("id"))), "flash.club-joined")
}

func (s *Server) leaveClub(c echo.Context) error {
	if err := s.arbiter.LeaveClub(c.Request().Context(), viewer(c), club.ID(c.Param("id"))); err != nil {
		return err
	}
	return s.redirect(c, clubURL(club.ID(c.Param("id"))), "flash.club-left")
}

// setClubRole gives a member another role.
func (s *Server) setClubRole(c echo.Context) error {
	role, err := club.ParseRole(c.FormValue("role"))
	if err != nil {
		return err
	}
	id := club.ID(c.Param("id"))
	if err := s.arbiter.SetClubRole(c.Request().Context(), viewer(c), id, player.ID(c.FormValue("player")), role); err != nil {
		return err
	}
	return s.redirect(c, clubURL(id), "flash.saved")
}
