package web

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
)

func (s *Server) adminRoutes() []route {
	return []route{
		{get, "/admin", s.admin, player.Viewer.MayOperate},
		{post, "/admin/sign-up", s.setSignUp, player.Viewer.MayOperate},
		{post, "/admin/role", s.setRole, player.Viewer.MayOperate},
		{post, "/admin/link", s.issueLink, player.Viewer.MayOperate},
	}
}

// pageSize is how many lines a long list shows at once.
const pageSize = 50

// pageOf is the page a list is asked for, from 1.
func pageOf(c echo.Context) int {
	n, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil || n < 1 || n > 1_000_000 {
		return 1
	}
	return n
}

// paging leads through a list of so many lines; every address keeps the rest of
// the query.
func paging(c echo.Context, total int) templates.Paging { return pagingBy(c, total, pageSize) }

// pagingBy is paging with another number of lines on a page.
func pagingBy(c echo.Context, total, size int) templates.Paging {
	page, pages := pageOf(c), (total+size-1)/size
	at := func(n int) string {
		q := c.Request().URL.Query()
		q.Set("page", strconv.Itoa(n))
		return c.Request().URL.Path + "?" + q.Encode()
	}
	out := templates.Paging{Page: page, Pages: pages}
	if page > 1 {
		out.Previous = at(min(page-1, max(pages, 1)))
	}
	if page < pages {
		out.Next = at(page + 1)
	}
	return out
}

func (s *Server) admin(c echo.Context) error {
	p, v := s.printer(c), viewer(c)
	search := shorten(c.QueryParam("q"), 40)
	var found []player.Player
	var total int
	var signUp string
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if signUp, err = tx.Setting(settingSignUp, "open"); err != nil {
			return err
		}
		found, total, err = tx.FindPlayers(store.PlayerQuery{Search: search, All: true, Limit: pageSize, Offset: (pageOf(c) - 1) * pageSize})
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.AdminView{SignUpOpen: signUp == "open", Search: search, Total: p.N("player.count", total), Paging: paging(c, total)}
	for _, x := range found {
		view.Accounts = append(view.Accounts, accountLine(p, v, x))
	}
	return s.render(c, http.StatusOK, accountview.AdminPage(s.shell(c, p.T("admin.title")), view))
}

func accountLine(p lang.Printer, v player.Viewer, x player.Player) accountview.AccountLine {
	line := accountview.AccountLine{
		ID: string(x.ID), Handle: string(x.Handle), URL: playerURL(x.Handle), Bot: x.Bot, Since: p.Date(x.Created), Role: p.T("player.role." + x.Role.String()),
		MayLink: v.MayIssueSignInLink(x),
	}
	for _, r := range player.Roles {
		if v.MaySetRole(x, r) {
			line.Roles = append(line.Roles, templates.Choice{Value: r.String(), Text: p.T("player.role." + r.String()), Chosen: r == x.Role})
		}
	}
	return line
}

func (s *Server) setSignUp(c echo.Context) error {
	value := "closed"
	if c.FormValue("sign-up") == "open" {
		value = "open"
	}
	if err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.SetSetting(settingSignUp, value) }); err != nil {
		return err
	}
	return s.redirect(c, "/admin", "flash.saved")
}

func (s *Server) setRole(c echo.Context) error {
	role, err := player.ParseRole(c.FormValue("role"))
	if err != nil {
		return err
	}
	err = s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		of, err := tx.Player(player.ID(c.FormValue("id")))
		if err != nil {
			return err
		}
		if !viewer(c).MaySetRole(of, role) {
			return errForbidden
		}
		return tx.SetRole(of.ID, role)
	})
	if err != nil {
		return err
	}
	s.log.Info("role set", "player", c.FormValue("id"), "role", role.String(), "by", string(viewer(c).ID))
	return s.redirect(c, localPath(c.FormValue("return")), "flash.saved")
}

// issueLink helps an account in whose password is forgotten; the link is shown
// to the operator once, who passes it on.
func (s *Server) issueLink(c echo.Context) error {
	p, now := s.printer(c), s.now()
	var of player.Player
	var secret player.Secret
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		if of, err = tx.Player(player.ID(c.FormValue("id"))); err != nil {
			return err
		}
		if !viewer(c).MayIssueSignInLink(of) {
			return errForbidden
		}
		secret, err = tx.CreateSignInLink(of.ID, now.Add(player.SignInLinkLife))
		return err
	})
	if err != nil {
		return err
	}
	s.log.Info("sign-in link issued", "player", string(of.ID), "by", string(viewer(c).ID))
	return s.render(c, http.StatusOK, accountview.IssuedLinkPage(s.shell(c, p.T("admin.link")), accountview.IssuedLinkView{
		Handle: string(of.Handle), URL: s.address(c, SignInLinkPath(secret)), Until: p.DateTime(now.Add(player.SignInLinkLife)),
	}))
}
