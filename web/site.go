package web

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	homeview "chpok.org/chpok/templates/home"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/account"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/play"
	"chpok.org/chpok/web/words"
)

func (s *Server) siteRoutes() []page.Route {
	return []page.Route{
		page.Get("/site", s.sitePage, player.Viewer.MayOperate),
		page.Post("/site/face", s.setFace, player.Viewer.MayOperate),
		page.Post("/site/mail", s.setMailbox, player.Viewer.MayOperate),
		page.Post("/site/telegram", s.setBot, player.Viewer.MayOperate),
		page.Post("/site/telegram/drop", s.dropBot, player.Viewer.MayOperate),
		page.Post("/site/skip", s.skipStep, player.Viewer.MayOperate),
	}
}

const (
	settingSkipped = "setup-skipped" // names of steps, separated by spaces
	maxSiteName    = 40
)

// siteMarks are the marks that a site can have: Chpok's own or a piece.
var siteMarks = []string{"", "K", "Q", "R", "B", "N", "D", "P"}

// setupNames are the steps of the setup, in order.
var setupNames = []string{"account", "face", "bots", "mail", "telegram", "club", "event"}

var (
	errSiteName = refusal.Invalid("home.error.site-name", "web: a site's name has 1 to 40 letters")
	errMailbox  = refusal.Invalid("home.error.mailbox", "web: no mail server can be reached like that")
)

func (s *Server) setFace(c echo.Context) error {
	switch err := s.saveFace(c.Request().Context(), page.Viewer(c), c.FormValue("name"), c.FormValue("mark")); {
	case errors.Is(err, errSiteName):
		return s.showSite(c, err)
	case err != nil:
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "flash.saved")
}

func (s *Server) saveFace(ctx context.Context, by player.Viewer, name, mark string) error {
	face := page.Face{Name: player.Tidy(name), Mark: mark}
	if !slices.Contains(siteMarks, face.Mark) {
		return page.ErrBadRequest
	}
	if n := len([]rune(face.Name)); n == 0 || n > maxSiteName || !player.IsLine(face.Name) {
		return errSiteName
	}
	return s.SetFace(ctx, by, face)
}

// mailboxIn is what is asked for of a mail server: HOST, HOST:PORT or a URL as on the command line.
type mailboxIn struct {
	Server string `json:"server" doc:"host, host:port or smtps://user:secret@host:465" example:"mail.example.org:587" min:"1" max:"200"`
	User   string `json:"user,omitempty" doc:"for a host without an address" example:"chpok" max:"200"`
	Secret string `json:"secret,omitempty" doc:"their password; it is kept sealed and never shown" example:"correct horse" max:"200"`
	From   string `json:"from" doc:"sender of the letters; a test goes there" example:"chpok@example.org" max:"254"`
}

func (in mailboxIn) box(base string) courier.Mailbox {
	server := strings.TrimSpace(words.Shorten(in.Server, 200))
	if !strings.Contains(server, "://") && server != "" {
		u := url.URL{Scheme: "smtp", Host: server}
		if strings.HasSuffix(server, ":465") {
			u.Scheme = "smtps"
		}
		if user := strings.TrimSpace(words.Shorten(in.User, 200)); user != "" {
			u.User = url.UserPassword(user, words.Shorten(in.Secret, 200))
		}
		server = u.String()
	}
	return courier.Mailbox{Server: server, From: strings.TrimSpace(words.Shorten(in.From, 254)), Base: base}
}

func (s *Server) setMailbox(c echo.Context) error {
	err := s.saveMailbox(c, mailboxIn{c.FormValue("server"), c.FormValue("user"), c.FormValue("secret"), c.FormValue("from")})
	switch {
	case errors.Is(err, notice.ErrAddress), errors.Is(err, errMailbox):
		return s.showSite(c, err)
	case err != nil:
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "flash.mail-tried")
}

// saveMailbox keeps a mail server only if it accepts a test letter.
func (s *Server) saveMailbox(c echo.Context, in mailboxIn) error {
	if s.Mail == nil || s.Mail.IsConfigured() {
		return account.ErrMailOff
	}
	if err := s.Count(c, account.LimitMail, string(page.Viewer(c).ID)); err != nil {
		return err
	}
	box := in.box(s.Address(c, ""))
	to, err := notice.ParseAddress(box.From)
	if err != nil {
		return err
	}
	if err := s.Mail.Try(c.Request().Context(), box, string(to), s.Printer(c)); err != nil {
		s.Log.Warn("mail server refused", "request", page.RequestID(c), "err", err)
		return errors.Join(errMailbox, err)
	}
	return s.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		part := kernel.SiteStep{By: page.Viewer(c), Part: "mail", Act: "mail"}
		return s.Arbiter.OfSite(tx, part, func() error { return box.Save(tx) })
	})
}

func (s *Server) skipStep(c echo.Context) error {
	if err := s.skip(c.Request().Context(), c.FormValue("step")); err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "")
}

// skip marks a step of the setup as skipped.
func (s *Server) skip(ctx context.Context, step string) error {
	if !slices.Contains(setupNames, step) {
		return page.ErrBadRequest
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		text, err := tx.Setting(settingSkipped, "")
		if skipped := strings.Fields(text); err == nil && !slices.Contains(skipped, step) {
			err = tx.SetSetting(settingSkipped, strings.Join(append(skipped, step), " "))
		}
		return err
	})
}

func (s *Server) sitePage(c echo.Context) error { return s.showSite(c, nil) }

// showSite renders all steps of the setup. refused, if not nil, is the reason to refuse the form just sent.
func (s *Server) showSite(c echo.Context, refused error) error {
	p, v := s.Printer(c), page.Viewer(c)
	view, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (homeview.SetupView, error) { return s.setupView(tx, p, v) })
	if err != nil {
		return err
	}
	view.Return = "/site"
	status := page.StatusOf(refused)
	if refused != nil {
		view.Shown = page.ShownBefore(c, view.Shown)
		view.Face.Name.Error = s.FormError(c, refused, errSiteName)
		view.Mail.Server.Value, view.Mail.User.Value, view.Mail.From.Value = c.FormValue("server"), c.FormValue("user"), c.FormValue("from")
		view.Mail.Server.Error = s.FormError(c, refused, errMailbox)
		view.Mail.From.Error = s.FormError(c, refused, notice.ErrAddress)
		if why, ok := serverSaid(refused); ok {
			view.Mail.Server.Error += " " + why
		}
		view.Bot.Error = s.FormError(c, refused, notice.ErrBotToken, errBotUnknown, errBotUnreachable)
		view.OpenOf(refusedStep(refused))
	}
	sh := s.Shell(c, p.T("home.setup"))
	sh.Path, sh.Styles = "/site", []string{"board.css", "home.css"}
	return s.Render(c, status, homeview.SitePage(sh, view))
}

func refusedStep(err error) string {
	switch {
	case errors.Is(err, errSiteName):
		return "face"
	case errors.Is(err, notice.ErrBotToken), errors.Is(err, errBotUnknown), errors.Is(err, errBotUnreachable):
		return "telegram"
	}
	return "mail"
}

// serverSaid returns what a mail server answered, from the error of setMailbox.
func serverSaid(refused error) (string, bool) {
	if !errors.Is(refused, errMailbox) {
		return "", false
	}
	said := strings.TrimPrefix(refused.Error(), errMailbox.Error()+"\n")
	return words.Shorten(said, 200), true
}

// setupView returns the steps that make a new site ready.
func (s *Server) setupView(tx *store.Tx, p lang.Printer, v player.Viewer) (homeview.SetupView, error) {
	view := homeview.SetupView{Return: "/"}
	face, named, err := page.ReadFace(tx)
	if err != nil {
		return view, err
	}
	if view.Bots, err = play.BotChoices(tx, p, ""); err != nil {
		return view, err
	}
	_, events, err := tx.Tournaments(store.TournamentQuery{Limit: 1})
	if err != nil {
		return view, err
	}
	memberships, err := tx.Memberships(v.ID)
	if err != nil {
		return view, err
	}
	mailed := false
	if s.Mail != nil {
		if mailed, err = s.Mail.IsOn(tx); err != nil {
			return view, err
		}
		view.MailFixed = s.Mail.IsConfigured()
	}
	bot, err := telegram.Of(tx)
	if err != nil {
		return view, err
	}
	trouble, err := telegram.TroubleNow(tx)
	if err != nil {
		return view, err
	}
	view.BotName = bot.Name
	skipped, err := tx.Setting(settingSkipped, "")
	if err != nil {
		return view, err
	}
	if view.Shown, err = kernel.SiteVersion(tx); err != nil {
		return view, err
	}
	done := map[string]bool{"account": true, "face": named, "bots": len(view.Bots) > 0, "mail": mailed,
		"telegram": bot.Name != "", "club": len(memberships) > 0, "event": events > 0}
	for _, name := range setupNames {
		step := homeview.SetupStep{
			Name: name, Title: p.T("home.setup." + name), Text: p.T("home.setup." + name + ".text"), Done: done[name],
			Skipped: !done[name] && slices.Contains(strings.Fields(skipped), name),
		}
		switch {
		case name == "face" && named:
			step.Text = face.Name
		case name == "bots" && len(view.Bots) > 0:
			step.Text = p.N("home.setup.bots.on", len(view.Bots))
		case name == "telegram" && trouble != "":
			step.Text = p.T("home.setup.telegram.trouble." + string(trouble))
		case name == "telegram" && step.Done:
			step.Text = p.T("home.setup.telegram.done", "Bot", bot.Name)
		case step.Done && (name == "mail" || name == "club" || name == "event"):
			step.Text = p.T("home.setup." + name + ".done")
		}
		view.Steps = append(view.Steps, step)
	}
	view.OpenOf("")
	view.Left = p.N("home.setup.left", view.ToDo())
	view.InUse = events > 0
	s.setupForms(p, face, &view)
	return view, nil
}

func (s *Server) setupForms(p lang.Printer, face page.Face, view *homeview.SetupView) {
	view.Face.Name = templates.Field{Name: "name", Label: p.T("home.setup.face.name"), Value: face.Name,
		Max: maxSiteName, Required: true, Autocomplete: "off"}
	for _, mark := range siteMarks {
		text := p.T("home.setup.face.chip")
		if mark != "" {
			text = p.T("match.kind." + mark)
		}
		view.Face.Marks = append(view.Face.Marks, templates.Choice{Value: mark, Text: text, Chosen: mark == face.Mark})
	}
	view.Mail = homeview.MailForm{
		Server: templates.Field{Name: "server", Label: p.T("home.setup.mail.server"),
			Hint: p.T("home.setup.mail.server.hint"), Max: 200, Required: true, Autocomplete: "off"},
		User:   templates.Field{Name: "user", Label: p.T("home.setup.mail.user"), Max: 200, Autocomplete: "off"},
		Secret: templates.Field{Name: "secret", Label: p.T("home.setup.mail.secret"), Type: "password", Max: 200, Autocomplete: "off"},
		From: templates.Field{Name: "from", Label: p.T("home.setup.mail.from"), Hint: p.T("home.setup.mail.from.hint"),
			Type: "email", Max: 254, Required: true, Autocomplete: "email"},
	}
	view.Bot = templates.Field{Name: "secret", ID: "bot-token", Label: p.T("home.setup.telegram.token"),
		Hint: p.T("home.setup.telegram.token.hint"), Type: "password", Max: notice.MaxBotToken, Required: true, Autocomplete: "off"}
	if s.Arbiter.KeyLiesInside() {
		view.Mail.Secret.Hint = p.T("home.setup.mail.inside")
		view.Bot.Hint += " " + p.T("home.setup.mail.inside")
	}
	view.Club = templates.Field{Name: "name", Label: p.T("home.setup.club.name"), Max: 100, Required: true, Autocomplete: "organization"}
}
