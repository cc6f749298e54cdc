package account

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s admin) adminRoutes() []page.Route {
	return []page.Route{
		page.Get("/admin", s.admin, player.Viewer.MayOperate),
		page.Post("/admin/sign-up", s.setSignUp, player.Viewer.MayOperate),
		page.Post("/admin/role", s.setRole, player.Viewer.MayOperate),
		page.Post("/admin/link", s.issueLink, player.Viewer.MayOperate),
	}
}

func (s admin) admin(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	search := words.Shorten(c.QueryParam("q"), 40)
	var found []player.Player
	var total int
	var signUp bool
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if signUp, err = IsSignUpOpen(tx); err != nil {
			return err
		}
		version, err := kernel.SiteVersion(tx)
		if err != nil {
			return err
		}
		page.SetShown(c, version)
		found, total, err = tx.FindPlayers(store.PlayerQuery{Search: search, All: true, Limit: page.Size,
			Offset: (page.Number(c) - 1) * page.Size})
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.AdminView{SignUpOpen: signUp, Search: search, Total: p.N("player.count", total),
		Paging: page.Paging(c, total)}
	if view.Room, err = s.roomView(p); err != nil {
		return err
	}
	for _, x := range found {
		view.Accounts = append(view.Accounts, accountLine(p, v, x))
	}
	return s.Render(c, http.StatusOK, accountview.AdminPage(s.Shell(c, p.T("admin.title")), view))
}

// roomView returns the address of the site in the room's Wi-Fi; nil if it does not serve one.
func (s admin) roomView(p lang.Printer) (*accountview.RoomView, error) {
	if s.Config.Room == nil {
		return nil, nil
	}
	state := s.Config.Room.State()
	view := &accountview.RoomView{Link: state.Base}
	if state.Was != "" && state.Base != "" {
		view.Changed = p.T("lan.changed", "Time", p.Clock(state.Since), "Was", state.Was)
	}
	if state.Base == "" {
		return view, nil
	}
	var err error
	view.QR, err = words.QrOf(state.Base, p.T("door.qr", "Link", state.Base))
	return view, err
}

func accountLine(p lang.Printer, v player.Viewer, x player.Player) accountview.AccountLine {
	line := accountview.AccountLine{
		Handle: string(x.Handle), URL: words.PlayerURL(x.Handle), Bot: x.Bot, Since: p.Day(x.Created),
		Role:    p.T("player.role." + x.Role.String()),
		MayLink: v.MayIssueSignInLink(x),
	}
	for _, r := range player.Roles {
		if v.MaySetRole(x, r) {
			line.Roles = append(line.Roles, templates.Choice{Value: r.String(), Text: p.T("player.role." + r.String()), Chosen: r == x.Role})
		}
	}
	return line
}

func (s admin) setSignUp(c echo.Context) error {
	if err := s.openSignUp(c.Request().Context(), page.Viewer(c), c.FormValue("sign-up") == "open"); err != nil {
		return err
	}
	return s.Redirect(c, "/admin", "flash.saved")
}

func (s admin) openSignUp(ctx context.Context, by player.Viewer, open bool) error {
	value := "closed"
	if open {
		value = "open"
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		part := kernel.SiteStep{By: by, Part: "sign-up", Act: "sign-up"}
		return s.Arbiter.OfSite(tx, part, func() error { return tx.SetSetting(settingSignUp, value) })
	})
}

func (s admin) setRole(c echo.Context) error {
	if err := s.giveRole(c.Request().Context(), page.Viewer(c), c.FormValue("player"), c.FormValue("role")); err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "flash.saved")
}

// giveRole gives an account the role with a word.
func (s admin) giveRole(ctx context.Context, by player.Viewer, handle, word string) error {
	role, err := player.ParseRole(word)
	if err != nil {
		return err
	}
	named, err := s.Arbiter.Account(ctx, handle)
	if err != nil {
		return err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		of, err := tx.Player(named.ID)
		if err != nil {
			return err
		}
		if !by.MaySetRole(of, role) {
			return page.ErrForbidden
		}
		part := kernel.SiteStep{By: by, Part: "role/" + string(of.ID), Act: "role"}
		return s.Arbiter.OfSite(tx, part, func() error { return tx.SetRole(of.ID, role) })
	})
	if err != nil {
		return err
	}
	s.Log.Info("role set", "player", handle, "role", role.String(), "by", string(by.ID))
	return nil
}

// issueLink makes a sign-in link for an account whose password is forgotten. It is shown once, to the operator.
func (s admin) issueLink(c echo.Context) error {
	p, now := s.Printer(c), s.Now()
	of, err := s.Named(c, "player")
	if err != nil {
		return err
	}
	var secret player.Secret
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		if of, err = tx.Player(of.ID); err != nil {
			return err
		}
		if !page.Viewer(c).MayIssueSignInLink(of) {
			return page.ErrForbidden
		}
		secret, err = tx.CreateSignInLink(of.ID, now.Add(player.SignInLinkLife))
		return err
	})
	if err != nil {
		return err
	}
	s.Log.Info("sign-in link issued", "player", string(of.ID), "by", string(page.Viewer(c).ID))
	return s.Render(c, http.StatusOK, accountview.IssuedLinkPage(s.Shell(c, p.T("admin.link")), accountview.IssuedLinkView{
		Handle: string(of.Handle), URL: s.Address(c, SignInLinkPath(secret)), Until: p.When(now.Add(player.SignInLinkLife)),
	}))
}
