package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	playview "chpok.org/chpok/templates/play"
	"chpok.org/chpok/tournament/challenge"
)

func (s *Server) challengeRoutes() []route {
	return []route{
		{get, "/challenges/new", s.newChallengeForm, players},
		{post, "/challenges", s.guested(s.createChallenge), anyone},
		{get, "/c/:id", s.challenge, anyone},
		{get, "/c/:id/feed", s.challengeFeed, anyone},
		{post, "/c/:id/accept", s.guested(s.answerChallenge((*arbiter.Arbiter).AcceptChallenge)), anyone},
		{post, "/c/:id/decline", s.answerChallenge((*arbiter.Arbiter).DeclineChallenge), players},
		{post, "/c/:id/withdraw", s.answerChallenge((*arbiter.Arbiter).WithdrawChallenge), players},
		{get, "/matches/:id/rematch", s.rematchForm, players},
		{post, "/matches/:id/rematch", s.rematch, players},
	}
}

// challengeURL is a challenge's page, short because people pass it on.
func challengeURL(id challenge.ID) string { return "/c/" + string(id) }

func (s *Server) newChallengeForm(c echo.Context) error {
	in := challengeInput{
		Who: "link", To: shorten(c.QueryParam("to"), 40), Preset: "evening", Lateness: challenge.DefaultLateness, Life: challenge.DefaultLife,
	}
	if in.To != "" {
		in.Who = "player"
	}
	return s.showChallengeForm(c, in, nil)
}

// challengeInput is the form of a new challenge as it was filled in.
type challengeInput struct {
	Who, To, Bot, Preset, Claims string
	Rated, Handicap              bool
	Lateness, Life               time.Duration
	filled                       url.Values
}

func readChallengeForm(c echo.Context) challengeInput {
	minutes := func(name string) time.Duration { return time.Duration(atoiOr(c.FormValue(name), 0)) * time.Minute }
	filled, err := c.FormParams()
	if err != nil {
		filled = url.Values{} // then nothing below is there either
	}
	return challengeInput{
		filled: filled,
		Who:    c.FormValue("who"), To: shorten(c.FormValue("handle"), 40), Bot: shorten(c.FormValue("bot"), 40), Preset: c.FormValue("preset"),
		Claims: c.FormValue("claims"), Rated: c.FormValue("rated") != "", Handicap: c.FormValue("handicap") != "", Lateness: minutes("lateness"), Life: minutes("life"),
	}
}

// to is the handle of the opponent, empty for whoever has the link.
func (in challengeInput) to() string {
	switch in.Who {
	case "player":
		return in.To
	case "bot":
		return in.Bot
	}
	return ""
}

// settings are what the form says; a preset that is not there is refused.
func (in challengeInput) settings() (challenge.Settings, error) {
	settings := challenge.DefaultSettings()
	claims, err := match.ParseClaims(in.Claims)
	if err != nil {
		return settings, errBadRequest
	}
	settings.Claims, settings.Rated, settings.Lateness, settings.Life = claims, in.Rated, in.Lateness, in.Life
	settings.Handicap = in.Handicap
	if settings.Policy, err = readPolicy(in.filled, fairplay.Policy{}); err != nil {
		return settings, err
	}
	for _, p := range challenge.Presets() {
		if p.Name == in.Preset {
			settings.Envelope = p.Envelope
			return settings, nil
		}
	}
	return settings, errBadRequest
}

var (
	errNoPlayer          = refusal.Invalid("challenge.error.no-player", "web: no such player")
	errChallengeSettings = refusal.Invalid("challenge.error.settings", "web: settings of a challenge are not possible")
)

func (s *Server) createChallenge(c echo.Context) error {
	in := readChallengeForm(c)
	settings, err := in.settings()
	var loose *fairplay.PolicyError
	if errors.As(err, &loose) {
		return s.showChallengeForm(c, in, errChallengeSettings)
	}
	if err != nil {
		return err
	}
	if err := s.acceptFairPlayText(c); err != nil {
		return err
	}
	if in.Who != "link" && in.to() == "" {
		return s.showChallengeForm(c, in, errNoPlayer)
	}
	made, err := s.arbiter.Challenge(c.Request().Context(), viewer(c), in.to(), settings)
	var faults *challenge.SettingsError
	switch {
	case errors.As(err, &faults):
		err = errChallengeSettings
	case errors.Is(err, store.ErrNotFound):
		err = errNoPlayer
	}
	if errors.Is(err, player.ErrGuestPlays) {
		return s.showPlay(c, err)
	}
	if err != nil && isRefusal(err) {
		return s.showChallengeForm(c, in, err)
	}
	if err != nil {
		return err
	}
	return s.toChallenge(c, made)
}

// toChallenge leads to the match, if there is one, else to the challenge.
func (s *Server) toChallenge(c echo.Context, x challenge.Challenge) error {
	if x.Match != "" {
		return s.redirect(c, matchURL(x.Match), "")
	}
	return s.redirect(c, challengeURL(x.ID), "")
}

func (s *Server) showChallengeForm(c echo.Context, in challengeInput, refused error) error {
	p := s.printer(c)
	var bots []player.Player
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		bots, err = tx.Bots()
		return err
	})
	if err != nil {
		return err
	}
	view := viewChallengeForm(p, in, bots)
	policyWrong := ""
	if _, err := readPolicy(in.filled, fairplay.Policy{}); err != nil {
		policyWrong = policyTrouble(p, err.(*fairplay.PolicyError)) // it is nothing else
	}
	view.Policy = policyFields(p, fairplay.Preset(fairplay.Open), in.filled, policyWrong)
	if accepted, err := s.acceptedText(c, p); err != nil {
		return err
	} else if accepted == "" {
		view.Policy.Accept = fairplay.TextHash()
	}
	status := http.StatusOK
	if refused != nil {
		code, key, _ := explain(refused)
		status, view.Trouble = code, p.T(key)
		var unmet *fairplay.UnmetError
		if errors.As(refused, &unmet) {
			for _, line := range unmetLines(p, unmet) {
				view.Trouble += " " + line.Text + ": " + line.Remedy
			}
		}
	}
	sh := s.shell(c, p.T("challenge.new"))
	sh.Styles = []string{"challenge.css"}
	return s.render(c, status, playview.ChallengeFormPage(sh, view))
}

// directChallenge is a challenge with its people.
type directChallenge struct {
	challenge.Challenge
	who map[player.ID]player.Player
}

func (s *Server) readChallenge(ctx context.Context, id challenge.ID) (f directChallenge, err error) {
	err = s.store.Read(ctx, func(tx *store.Tx) error {
		if f.Challenge, err = tx.Challenge(id); err != nil {
			return err
		}
		f.who, err = tx.Players(f.Challenger, f.Opponent)
		return err
	})
	return f, err
}

func (s *Server) challenge(c echo.Context) error { return s.showChallenge(c, nil) }

func (s *Server) showChallenge(c echo.Context, refused error) error {
	f, err := s.readChallenge(c.Request().Context(), challenge.ID(c.Param("id")))
	if err != nil {
		return err
	}
	p, v, now := s.printer(c), viewer(c), s.now()
	view := viewChallenge(p, v, f, now)
	status := f.StatusAt(now)
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		view.FairPlay, err = s.cardFor(tx, p, v, f.Settings.Policy.OrOpen(), challengeURL(f.ID), f.MayAccept(v, now) == nil)
		return err
	})
	if err != nil {
		return err
	}
	if view.State.Waits {
		if view.Share, err = shareView(p, f, s.address(c, challengeURL(f.ID))); err != nil {
			return err
		}
	}
	sh := s.shell(c, view.Title)
	sh.Path, sh.Styles = challengeURL(f.ID), []string{"challenge.css"}
	if status == challenge.Open {
		sh.Scripts = []string{"challenge.js"}
		sh.Feed = challengeURL(f.ID) + "/feed?last=" + strconv.Itoa(int(status))
		sh.KeepFeed = view.State.Waits
	}
	code := http.StatusOK
	if refused != nil {
		code, sh.Flash = refusalStatus(p, refused)
	}
	return s.render(c, code, playview.ChallengePage(sh, view))
}

// challengeFeed tells the page of the answer, and the players of their match.
func (s *Server) challengeFeed(c echo.Context) error {
	id := challenge.ID(c.Param("id"))
	p, v := s.printer(c), viewer(c)
	return s.follow(c, livePage{topics: []string{arbiter.ChallengeTopic(id)}, look: func(ctx context.Context, _ []live.Nudge) (glance, error) {
		f, err := s.readChallenge(ctx, id)
		if err != nil {
			return glance{}, err
		}
		now := s.now()
		view := viewChallenge(p, v, f, now)
		status := f.StatusAt(now)
		g := glance{mark: strconv.Itoa(int(status)), over: status != challenge.Open}
		g.pieces = []piece{{id: "state", what: playview.ChallengeStateFragment(view.State), mark: g.mark}}
		if view.State.Plays && v.Is(f.Challenger) { // who accepted is on their way by that
			data, err := json.Marshal(map[string]string{"url": view.State.Match})
			if err != nil {
				return g, err
			}
			g.told = []frame{{Event: "match", Data: string(data)}}
		}
		return g, nil
	}})
}

type answer func(*arbiter.Arbiter, context.Context, player.Viewer, challenge.ID) (challenge.Challenge, error)

// answerChallenge is the handler of one way to close a challenge.
func (s *Server) answerChallenge(do answer) echo.HandlerFunc {
	return func(c echo.Context) error {
		closed, err := do(s.arbiter, c.Request().Context(), viewer(c), challenge.ID(c.Param("id")))
		switch {
		case err == nil:
			return s.toChallenge(c, closed)
		case strings.HasPrefix(keyOf(err), "challenge."), errors.Is(err, fairplay.ErrUnmet), errors.Is(err, arbiter.ErrOtherUnmet):
			return s.showChallenge(c, err)
		}
		return err
	}
}

// keyOf is the key of the text that explains an error.
func keyOf(err error) string {
	_, key, _ := explain(err)
	return key
}

// rematchForm shows what a rematch would be; where one is offered or played
// already, it leads there.
func (s *Server) rematchForm(c echo.Context) error {
	id := match.ID(c.Param("id"))
	var f directChallenge
	var offered challenge.Challenge
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if f.Challenge, err = tx.ChallengeOf(id); err != nil {
			return err
		}
		if f.who, err = tx.Players(f.Challenger, f.Opponent); err != nil {
			return err
		}
		if offered, err = tx.RematchOf(id); errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	v, now := viewer(c), s.now()
	if !v.Is(f.Challenger) && !v.Is(f.Opponent) {
		return challenge.ErrNotPlayed
	}
	if status := offered.StatusAt(now); status == challenge.Open || status == challenge.Accepted {
		return s.toChallenge(c, offered)
	}
	p := s.printer(c)
	view := viewRematch(p, f)
	view.Action, view.Back = matchURL(id)+"/rematch", matchURL(id)
	sh := s.shell(c, view.Title)
	sh.Styles = []string{"challenge.css"}
	return s.render(c, http.StatusOK, playview.RematchPage(sh, view))
}

func (s *Server) rematch(c echo.Context) error {
	made, err := s.arbiter.Rematch(c.Request().Context(), viewer(c), match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	return s.toChallenge(c, made)
}
