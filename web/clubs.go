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
		{post, "/clubs/:id/heads", s.setClubRole, signedIn},
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

// clubFacts is a club with its people, as a transaction finds them.
type clubFacts struct {
	club    club.Club
	members []club.Membership
}

func readClub(tx *store.Tx, id string) (f clubFacts, err error) {
	if f.club, err = tx.Club(club.ID(id)); err != nil {
		return f, err
	}
	f.members, err = tx.Members(f.club.ID)
	return f, err
}

// roleOf is somebody's place in the club, zero for none.
func (f clubFacts) roleOf(id player.ID) club.Role {
	for _, m := range f.members {
		if m.Player == id {
			return m.Role
		}
	}
	return 0
}

func (f clubFacts) heads() (n int) {
	for _, m := range f.members {
		if m.Role == club.Head {
			n++
		}
	}
	return n
}

// clubTournaments is how many tournaments are looked through for a club's own.
const clubTournaments = 300

func (s *Server) club(c echo.Context) error {
	p, v, now := s.printer(c), viewer(c), s.now()
	var f clubFacts
	var who map[player.ID]player.Player
	var ratings map[player.ID]store.Rating
	var tournaments []store.TournamentLine
	var ladders []store.LadderLine
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if f, err = readClub(tx, c.Param("id")); err != nil {
			return err
		}
		ids := make([]player.ID, len(f.members))
		for i, m := range f.members {
			ids[i] = m.Player
		}
		if who, err = tx.Players(ids...); err != nil {
			return err
		}
		if ratings, err = tx.Ratings(ids...); err != nil {
			return err
		}
		if ladders, _, err = tx.Ladders(store.LadderQuery{Club: f.club.ID, For: v.ID, Limit: pageSize}); err != nil {
			return err
		}
		tournaments, _, err = tx.Tournaments(store.TournamentQuery{Limit: clubTournaments})
		return err
	})
	if err != nil {
		return err
	}
	role := f.roleOf(v.ID)
	view := templates.ClubView{
		Name: f.club.Name, URL: clubURL(f.club.ID), Paragraphs: paragraphs(f.club.Text), Since: p.Date(f.club.Created), Count: p.N("club.members-count", len(f.members)),
		MayEdit: club.MayEdit(v, role), MayJoin: club.MayJoin(v, role), MayLeave: role != 0 && club.Leave(role, f.heads()) == nil, IsMember: role != 0,
	}
	for _, m := range f.members {
		line := templates.ClubMember{PlayerLine: playerLine(p, who[m.Player], ratings[m.Player]), ID: string(m.Player), IsHead: m.Role == club.Head}
		line.IsMe = v.Is(m.Player)
		line.Since = p.Date(m.Joined)
		line.MayDemote = view.MayEdit && line.IsHead && f.heads() > 1
		line.MayPromote = view.MayEdit && !line.IsHead && !line.Bot
		view.Members = append(view.Members, line)
	}
	for _, l := range ladders {
		view.Ladders = append(view.Ladders, ladderCard(p, l))
	}
	for _, t := range tournaments {
		if club.NameKey(t.Club) == club.NameKey(f.club.Name) {
			view.Tournaments = append(view.Tournaments, tournamentLine(p, t, now))
		}
	}
	sh := s.shell(c, f.club.Name)
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

func (s *Server) createClub(c echo.Context) error {
	x, err := clubForm(c)
	if err != nil {
		return s.showClubForm(c, x, err)
	}
	x.ID, x.Created = club.ID(store.NewID()), s.now()
	err = s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		if err := tx.AddClub(x); err != nil {
			return err
		}
		return tx.SetMember(club.Membership{Club: x.ID, Player: viewer(c).ID, Role: club.Head, Joined: x.Created})
	})
	if errors.Is(err, store.ErrTaken) {
		return s.showClubForm(c, club.Club{Name: x.Name, Text: x.Text}, errClubTaken)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, clubURL(x.ID), "flash.club-created")
}

func (s *Server) editClubForm(c echo.Context) error {
	var f clubFacts
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		f, err = readClub(tx, c.Param("id"))
		return err
	})
	if err != nil {
		return err
	}
	if v := viewer(c); !club.MayEdit(v, f.roleOf(v.ID)) {
		return errForbidden
	}
	return s.showClubForm(c, f.club, nil)
}

func (s *Server) editClub(c echo.Context) error {
	x, formErr := clubForm(c)
	x.ID = club.ID(c.Param("id"))
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		f, err := readClub(tx, c.Param("id"))
		if err != nil {
			return err
		}
		if v := viewer(c); !club.MayEdit(v, f.roleOf(v.ID)) {
			return errForbidden
		}
		if formErr != nil {
			return formErr
		}
		return tx.SetClub(x)
	})
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
	v := viewer(c)
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		f, err := readClub(tx, c.Param("id"))
		if err != nil || f.roleOf(v.ID) != 0 { // a second click
			return err
		}
		if !club.MayJoin(v, 0) {
			return errForbidden
		}
		return tx.SetMember(club.Membership{Club: f.club.ID, Player: v.ID, Role: club.Member, Joined: s.now()})
	})
	if err != nil {
		return err
	}
	return s.redirect(c, clubURL(club.ID(c.Param("id"))), "flash.club-joined")
}

func (s *Server) leaveClub(c echo.Context) error {
	v := viewer(c)
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		f, err := readClub(tx, c.Param("id"))
		if err != nil {
			return err
		}
		if err := club.Leave(f.roleOf(v.ID), f.heads()); err != nil {
			return err
		}
		return tx.DropMember(f.club.ID, v.ID)
	})
	if err != nil {
		return err
	}
	return s.redirect(c, clubURL(club.ID(c.Param("id"))), "flash.club-left")
}

// setClubRole makes a member a head, or a head a member again.
func (s *Server) setClubRole(c echo.Context) error {
	v := viewer(c)
	role, err := club.ParseRole(c.FormValue("role"))
	if err != nil {
		return err
	}
	err = s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		f, err := readClub(tx, c.Param("id"))
		if err != nil {
			return err
		}
		of := player.ID(c.FormValue("player"))
		was := f.roleOf(of)
		switch {
		case !club.MayEdit(v, f.roleOf(v.ID)):
			return errForbidden
		case was == 0:
			return store.ErrNotFound
		case role == club.Member:
			if err := club.Leave(was, f.heads()); err != nil {
				return err
			}
		}
		return tx.SetMember(club.Membership{Club: f.club.ID, Player: of, Role: role, Joined: s.now()})
	})
	if err != nil {
		return err
	}
	return s.redirect(c, clubURL(club.ID(c.Param("id"))), "flash.saved")
}
