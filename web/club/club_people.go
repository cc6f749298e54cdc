package club

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	clubview "chpok.org/chpok/templates/club"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// clubActs are the lines of the table of roles.
var clubActs = []struct {
	word string
	act  club.Act
}{
	{"change", club.ActChange}, {"roles", club.ActRoles}, {"admit", club.ActAdmit}, {"expel", club.ActExpel}, {"news", club.ActNews},
	{"hold", club.ActHold}, {"line-up", club.ActLineUp}, {"direct", club.ActDirect}, {"judge", club.ActJudge}, {"vouch", club.ActVouch},
}

func (s pages) clubPeople(c echo.Context) error { return s.showClubPeople(c, nil) }

// showClubPeople renders the desk; refused is the refusal of a ban, if any.
func (s pages) showClubPeople(c echo.Context, refused error) error {
	p, v := s.Printer(c), page.Viewer(c)
	r, err := s.rosterFor(c, club.ActAdmit)
	if err != nil {
		return err
	}
	var who map[player.ID]player.Player
	var ratings map[player.ID]store.Rating
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		who, ratings, err = clubAccounts(tx, r, nil)
		return err
	})
	if err != nil {
		return err
	}
	view := viewClubPeople(p, v, r, who, ratings)
	view.Ban = clubview.ClubBanForm{
		Handle: templates.Field{Name: "handle", Label: p.T("club.bans.handle"), Value: words.Shorten(c.FormValue("handle"), 40), Required: true,
			Autocomplete: "off",
			Error:        s.FormError(c, refused, kernel.ErrNoPlayer, club.ErrNotAllowed)},
		Reason: templates.Field{Name: "reason", Label: p.T("club.bans.reason"), Hint: p.T("club.bans.reason-hint"),
			Value: words.Shorten(c.FormValue("reason"), 400), Max: club.MaxReason, Required: true, Autocomplete: "off",
			Error: s.FormError(c, refused, club.ErrReason)},
		Until: templates.Field{Name: "until", Label: p.T("club.bans.until-label"), Hint: p.T("club.bans.until-hint"),
			Value: words.Shorten(c.FormValue("until"), 20), Type: "date",
			Error: s.FormError(c, refused, club.ErrUntil)},
	}
	if errors.Is(refused, club.ErrNotAllowed) {
		view.Ban.Handle.Error = p.T("club.error.rank")
	}
	status := http.StatusOK
	if refused != nil {
		status = http.StatusUnprocessableEntity
	}
	sh := s.Shell(c, p.T("club.people")+" · "+r.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css", "tournament.css"}
	return s.Render(c, status, clubview.ClubPeoplePage(sh, view))
}

func viewClubPeople(p lang.Printer, v player.Viewer, r club.Roster, who map[player.ID]player.Player,
	ratings map[player.ID]store.Rating) clubview.ClubPeopleView {
	view := clubview.ClubPeopleView{
		Club: templates.Link{Text: r.Name, URL: words.ClubURL(r.ID)}, Code: r.Code, CodeOpens: r.Joining == club.ByCode,
		MayCode: r.May(v, club.ActAdmit), MayExpel: r.May(v, club.ActExpel),
	}
	for _, q := range r.Requests {
		view.Requests = append(view.Requests, clubview.ClubRequestLine{PlayerLine: words.PlayerLine(p, who[q.Player], ratings[q.Player]),
			Handle: string(who[q.Player].Handle), At: p.When(q.At), Note: q.Note})
	}
	for _, m := range r.Members {
		line := clubview.ClubMemberLine{ClubMember: clubMember(p, v, m, who, ratings), Role: p.T("club.role." + m.Role.String()),
			MayExpel: r.MayExpel(v, m.Player)}
		for _, role := range club.Roles {
			if who[m.Player].Bot || r.MaySetRole(v, m.Player, role) != nil {
				continue
			}
			line.Roles = append(line.Roles, templates.Choice{Value: role.String(), Text: p.T("club.role." + role.String()), Chosen: role == m.Role})
		}
		if len(line.Roles) == 1 { // the last owner stays one
			line.Roles = nil
		}
		view.Members = append(view.Members, line)
	}
	for _, b := range r.Bans {
		x := who[b.Player]
		view.Bans = append(view.Bans, clubview.ClubBanLine{
			Handle: string(x.Handle), URL: words.PlayerURL(x.Handle), Reason: b.Reason, By: string(who[b.By].Handle),
			Until: banEnd(p, b),
		})
	}
	for _, role := range club.Roles {
		view.RoleNames = append(view.RoleNames, p.T("club.role."+role.String()))
	}
	for _, a := range clubActs {
		line := clubview.ClubActLine{Name: p.T("club.act." + a.word)}
		for _, role := range club.Roles {
			line.May = append(line.May, club.Allows(role, a.act))
		}
		view.Acts = append(view.Acts, line)
	}
	return view
}

// peopleAct calls do for the player of the form and redirects to the desk.
func (s pages) peopleAct(c echo.Context, do func(context.Context, player.Viewer, club.ID, player.ID) error) error {
	id := club.ID(c.Param("id"))
	of, err := s.Named(c, "player")
	if err == nil {
		err = do(c.Request().Context(), page.Viewer(c), id, of.ID)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.ClubURL(id)+"/people", "flash.saved")
}

func (s pages) answerClubRequest(c echo.Context) error {
	answer := c.FormValue("answer")
	if !slices.Contains([]string{"accept", "decline"}, answer) {
		return page.ErrBadRequest
	}
	return s.peopleAct(c, func(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
		return s.Arbiter.Clubs.AnswerRequest(ctx, by, id, of, answer == "accept")
	})
}

// setClubRole gives a member another role. Viewers who change their own return to the club's page, as they may have
// lost the desk.
func (s pages) setClubRole(c echo.Context) error {
	role, err := club.ParseRole(c.FormValue("role"))
	if err != nil {
		return err
	}
	id := club.ID(c.Param("id"))
	of, err := s.Named(c, "player")
	if err == nil {
		err = s.Arbiter.Clubs.SetRole(c.Request().Context(), page.Viewer(c), id, of.ID, role)
	}
	if err != nil {
		return err
	}
	if page.Viewer(c).Is(of.ID) {
		return s.Redirect(c, words.ClubURL(id), "flash.saved")
	}
	return s.Redirect(c, words.ClubURL(id)+"/people", "flash.saved")
}

func (s pages) expelMember(c echo.Context) error { return s.peopleAct(c, s.Arbiter.Clubs.Expel) }

func (s pages) unbanFromClub(c echo.Context) error { return s.peopleAct(c, s.Arbiter.Clubs.Unban) }

// banFromClub bans the player of a handle, until the end of a day or for good.
func (s pages) banFromClub(c echo.Context) error {
	until, err := s.endOfDay(c, "until")
	if err != nil {
		return s.showClubPeople(c, err)
	}
	of, err := s.Named(c, "handle")
	if err == nil {
		err = s.Arbiter.Clubs.Ban(c.Request().Context(), page.Viewer(c), club.ID(c.Param("id")),
			club.Ban{Player: of.ID, Reason: c.FormValue("reason"), Until: until})
	}
	for _, refused := range []error{kernel.ErrNoPlayer, club.ErrReason, club.ErrUntil, club.ErrNotAllowed} {
		if errors.Is(err, refused) {
			return s.showClubPeople(c, refused)
		}
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.ClubURL(club.ID(c.Param("id")))+"/people", "flash.saved")
}

// endOfDay returns the end of a day in the viewer's zone; zero if the field is empty.
func (s pages) endOfDay(c echo.Context, name string) (time.Time, error) {
	text := strings.TrimSpace(c.FormValue(name))
	if text == "" {
		return time.Time{}, nil
	}
	zone := s.Printer(c).Zone
	day, err := civil.ReadDay(text, zone)
	if err != nil {
		return time.Time{}, club.ErrUntil
	}
	return civil.AddDays(day, 1, zone), nil
}

func (s pages) newClubCode(c echo.Context) error {
	id := club.ID(c.Param("id"))
	if err := s.Arbiter.Clubs.NewCode(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.ClubURL(id)+"/people", "flash.saved")
}
