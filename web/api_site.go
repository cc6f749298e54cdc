package web

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/account"
	"chpok.org/chpok/web/page"
)

// siteChapter returns what programs can do for the site itself.
func (s *Server) siteChapter() page.Chapter {
	return page.Chapter{Name: "Site", Text: "What operators decide about the site.", Operations: slices.Concat([]*page.Operation{
		page.Op("GET /site", player.ScopeOperate, s.siteNow, "How the site is set up", "And what is left to do."),
		page.Act("PUT /site/face", player.ScopeOperate, s.apiFace, "Name the site", "Every page shows the name and the mark."),
		page.Op("PUT /site/mail", player.ScopeOperate, s.apiMail, "Say through which server the site mails",
			"It is kept only if it accepts a test letter. 404: the server’s command line says it already."),
		page.Op("PUT /site/telegram", player.ScopeOperate, s.apiBot, "Give the site a bot on Telegram",
			"It is kept once Telegram has said who it is. The one before writes to nobody any more."),
		page.Act("DELETE /site/telegram", player.ScopeOperate, s.apiDropBot, "Take the site’s bot on Telegram away",
			"All who connected it are told nothing there any more."),
		page.Act("POST /site/skip", player.ScopeOperate, s.apiSkip, "Skip a step of the setup", "It is shown no more."),
	}, account.AdminOperations(s.Site))}
}

// setupStep is a step of the setup by its name.
type setupStep string

// DescribeAPI lists them.
func (setupStep) DescribeAPI() (string, page.Schema) {
	var names []any
	for _, name := range setupNames {
		names = append(names, name)
	}
	return "SetupStep", page.Schema{"type": "string", "enum": names}
}

type (
	noInput struct{}
	apiSite struct {
		Name    string        `json:"name" doc:"empty: none was chosen" example:"Chpok in Lviv"`
		Mark    string        `json:"mark" doc:"letter of a piece; empty: Chpok’s own mark" enum:",K,Q,R,B,N,D,P" example:"N"`
		SignUp  bool          `json:"signUp" doc:"everybody may make an account"`
		Steps   []apiSiteStep `json:"steps" doc:"of the setup, in order"`
		Version int64         `json:"version" doc:"of what the staff of the site keep, for shown" example:"12"`
	}
	apiSiteStep struct {
		Step    setupStep `json:"step" doc:"which" example:"mail"`
		Done    bool      `json:"done" doc:"it is done"`
		Skipped bool      `json:"skipped" doc:"somebody skipped it"`
	}
	faceIn struct {
		Name string `json:"name" doc:"one line" example:"Chpok in Lviv" min:"1" max:"40"`
		Mark string `json:"mark" doc:"letter of a piece; empty: Chpok’s own mark" enum:",K,Q,R,B,N,D,P" example:"N"`
	}
	botIn struct {
		Token string `json:"token" doc:"as @BotFather gave it; it is kept sealed and never shown" example:"123456789:AAF5m0gKUNfkf3yEnOtARealTokenOfABot" min:"1" max:"200"`
	}
	apiSiteBot struct {
		Bot string `json:"bot" doc:"its name on Telegram" example:"chpok_bot"`
	}
	skipIn struct {
		Step setupStep `json:"step" doc:"which" example:"mail"`
	}
)

func (s *Server) siteNow(c echo.Context, _ noInput) (out apiSite, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		face, _, err := page.ReadFace(tx)
		if err != nil {
			return err
		}
		setup, err := s.setupView(tx, s.Printer(c), page.Viewer(c))
		if err != nil {
			return err
		}
		out = apiSite{Name: face.Name, Mark: face.Mark, Version: setup.Shown}
		for _, x := range setup.Steps {
			out.Steps = append(out.Steps, apiSiteStep{setupStep(x.Name), x.Done, x.Skipped})
		}
		out.SignUp, err = account.IsSignUpOpen(tx)
		return err
	})
	return out, err
}

func (s *Server) apiFace(ctx context.Context, by player.Viewer, in faceIn) error {
	return s.saveFace(ctx, by, in.Name, in.Mark)
}

func (s *Server) apiMail(c echo.Context, in mailboxIn) (page.None, error) {
	err := s.saveMailbox(c, in)
	if said, is := serverSaid(err); is {
		err = refusal.Told(errMailbox, "", "the mail server refused the letter: "+said)
	}
	return page.None{}, err
}

func (s *Server) apiBot(c echo.Context, in botIn) (apiSiteBot, error) {
	bot, err := s.giveBot(c, in.Token)
	return apiSiteBot{bot.Name}, err
}

func (s *Server) apiDropBot(ctx context.Context, by player.Viewer, _ noInput) error {
	return s.saveBot(ctx, by, telegram.Account{})
}

func (s *Server) apiSkip(ctx context.Context, _ player.Viewer, in skipIn) error {
	return s.skip(ctx, string(in.Step))
}
