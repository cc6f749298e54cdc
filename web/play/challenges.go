package play

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/challenges"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	playview "chpok.org/chpok/templates/play"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) challengeRoutes() []page.Route {
	return []page.Route{
		page.Get("/challenges/new", s.newChallengeForm, page.Players),
		page.Post("/challenges", s.guested(s.createChallenge), page.Anyone),
		page.Get("/c/:id", s.challenge, page.Anyone),
		page.Get("/c/:id/feed", s.challengeFeed, page.Anyone),
		page.Post("/c/:id/accept", s.guested(s.answerChallenge((*challenges.Office).Accept)), page.Anyone),
		page.Post("/c/:id/decline", s.answerChallenge(declined), page.Players),
		page.Post("/c/:id/withdraw", s.answerChallenge((*challenges.Office).Withdraw), page.Players),
		page.Get("/matches/:id/rematch", s.toRematch, page.Players),
		page.Post("/matches/:id/rematch", s.rematch, page.Players),
		page.Post("/matches/:id/opponent", s.playAnother, page.Players),
	}
}

func (s pages) newChallengeForm(c echo.Context) error {
	usual := form.UsualProposal()
	v := form.Challenge.Values(s.Printer(c), usual, usual)
	v.Set("who", "link")
	v.Set("preset", "evening")
	if to := words.Shorten(c.QueryParam("to"), 40); to != "" {
		v.Set("who", "player")
		v.Set("handle", to)
	}
	return s.showChallengeForm(c, v, nil)
}

// readChallengeForm reads the form of a challenge. Words that the form does not offer are a bad request.
func readChallengeForm(p lang.Printer, v url.Values) (form.Proposal, error) {
	r, in, usual := form.FormReader{Printer: p, Values: v}, form.UsualProposal(), form.UsualProposal()
	form.Challenge.Read(&r, &in, &usual)
	switch v.Get("who") {
	case "player":
	case "bot":
		in.To = words.Shorten(v.Get("bot"), 40)
	default:
		in.To = ""
	}
	var err error
	for _, problem := range r.Problems {
		if problem.Why == "missing" {
			return in, page.ErrBadRequest
		}
		err = setting.ErrSettings
	}
	return in, err
}

func (s pages) createChallenge(c echo.Context) error {
	v, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	in, err := readChallengeForm(s.Printer(c), v)
	if errors.Is(err, setting.ErrSettings) {
		return s.showChallengeForm(c, v, err)
	}
	if err != nil {
		return err
	}
	if err := s.AcceptFairPlayText(c); err != nil {
		return err
	}
	if v.Get("who") != "link" && in.To == "" {
		return s.showChallengeForm(c, v, kernel.ErrNoPlayer)
	}
	made, err := s.Arbiter.Challenges.Send(c.Request().Context(), page.Viewer(c), in.To, in.Settings)
	if errors.Is(err, player.ErrGuestPlays) {
		return s.showPlay(c, err)
	}
	again := func(c echo.Context, refused error) error { return s.showChallengeForm(c, v, refused) }
	return s.Answer(c, err, again, whereTo(made), "")
}

// whereTo returns the address of the match, if there is one, else of the challenge: a rematch is asked for and answered
// where the match was.
func whereTo(x challenge.Challenge) string {
	switch {
	case x.Match != "":
		return words.MatchURL(x.Match)
	case x.Rematch != "":
		return words.MatchURL(x.Rematch)
	}
	return words.ChallengeURL(x.ID)
}

// level returns the level of a house bot; other bots come after them.
func level(x player.Player) int {
	if bot, ok := house.Named(x.Handle); ok && x.IsHouse() {
		return bot.Level
	}
	return house.Levels + 1
}

func (s pages) showChallengeForm(c echo.Context, v url.Values, refused error) error {
	p := s.Printer(c)
	bots, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]player.Player, error) { return tx.Bots() })
	if err != nil {
		return err
	}
	slices.SortStableFunc(bots, func(a, b player.Player) int { return cmp.Compare(level(a), level(b)) })
	view := viewChallengeForm(p, v, bots)
	policyWrong := ""
	if _, err := form.ReadPolicy(v, fairplay.Policy{}); err != nil {
		policyWrong = form.PolicyTrouble(p, err)
	}
	view.Policy = form.PolicyFields(p, fairplay.Preset(fairplay.Open), v, policyWrong)
	if accepted, err := s.AcceptedText(c, p); err != nil {
		return err
	} else if accepted == "" {
		view.Policy.Accept = words.FairPlayHash(p.Lang)
	}
	status := http.StatusOK
	if refused != nil {
		status, view.Trouble = page.RefusalStatus(p, refused)
		var unmet *fairplay.UnmetError
		if errors.As(refused, &unmet) { // each demand with what helps
			view.Trouble = p.T(page.KeyOf(refused))
			for _, line := range form.UnmetLines(p, unmet) {
				view.Trouble += " " + line.Text + ": " + line.Remedy
			}
		}
	}
	sh := s.Shell(c, p.T("challenge.new"))
	sh.Styles = []string{"challenge.css"}
	return s.Render(c, status, playview.ChallengeFormPage(sh, view))
}

// directChallenge is a challenge with its players.
type directChallenge struct {
	challenge.Challenge
	who   map[player.ID]player.Player
	usual time.Duration // usual wait in the lobby; 0 if unknown or not in the lobby
}

func (s pages) readChallenge(ctx context.Context, id challenge.ID) (f directChallenge, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		if f.Challenge, err = tx.Challenge(id); err != nil {
			return err
		}
		if f.who, err = tx.Players(f.Challenger, f.Opponent); err != nil || f.Settings.Lobby == "" {
			return err
		}
		waits, err := tx.LobbyWaits(waitsCounted)
		f.usual = challenge.Typical(waits)
		return err
	})
	return f, err
}

func (s pages) challenge(c echo.Context) error { return s.showChallenge(c, nil) }

func (s pages) showChallenge(c echo.Context, refused error) error {
	f, err := s.readChallenge(c.Request().Context(), challenge.ID(c.Param("id")))
	if err != nil {
		return err
	}
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	view := viewChallenge(p, v, f, now)
	status := f.StatusAt(now)
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		view.FairPlay, err = s.CardFor(tx, p, v, f.Settings.Policy.OrOpen(), words.ChallengeURL(f.ID), f.MayAccept(v, now) == nil)
		return err
	})
	if err != nil {
		return err
	}
	if view.State.Waits && f.Rematch == "" { // a rematch needs no link: the opponent sees it on the page of the match
		if view.Share, err = shareView(p, f, s.Address(c, words.ChallengeURL(f.ID))); err != nil {
			return err
		}
	}
	if status == challenge.Open && f.Rematch == "" && !v.Is(f.Challenger) {
		if view.Invite, err = s.invite(c.Request().Context(), p, v, f); err != nil {
			return err
		}
	}
	sh := s.Shell(c, view.Title)
	sh.Path, sh.Styles = words.ChallengeURL(f.ID), []string{"board.css", "challenge.css"}
	sh.NoIndex = true // it is for those who were given the link
	sh.Card = s.LinkCard(c, p, templates.Card{Title: view.Title, Text: p.T("challenge.what"), URL: sh.Path,
		Picture: sh.Path + "/picture.png"})
	if status == challenge.Open {
		sh.Scripts = []string{"challenge.js", "live.js"}
		sh.Feed = words.ChallengeURL(f.ID) + "/feed?last=" + strconv.Itoa(int(status))
		sh.KeepFeed = view.State.Waits
	}
	code := http.StatusOK
	if refused != nil {
		code, sh.Flash = page.RefusalStatus(p, refused)
	}
	return s.Render(c, code, playview.ChallengePage(sh, view))
}

// invite returns what an invited reader sees first. Readers without a match are shown where they learn to play.
func (s pages) invite(ctx context.Context, p lang.Printer, v player.Viewer, f directChallenge) (*playview.InviteView, error) {
	fresh := true
	if v.IsSignedIn() {
		played, err := store.Get(ctx, s.Store, func(tx *store.Tx) ([]store.Head, error) { return tx.MatchesOf(v.ID, 1) })
		if err != nil {
			return nil, err
		}
		fresh = len(played) == 0
	}
	start, name := board.DefaultFeatures(), f.name(p, f.Challenger)
	return &playview.InviteView{Name: name, Initial: scene.Initial(name), New: fresh,
		Board: scene.StartBoard(p, start, board.StandardRow(start.Width), false)}, nil
}

// challengeFeed streams the answer to the page, and takes the challenger to the match.
func (s pages) challengeFeed(c echo.Context) error {
	id := challenge.ID(c.Param("id"))
	p, v := s.Printer(c), page.Viewer(c)
	return s.Follow(c, page.LivePage{Topics: []string{challenges.Topic(id)},
		Look: func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
			f, err := s.readChallenge(ctx, id)
			if err != nil {
				return page.Snapshot{}, err
			}
			now := s.Now()
			view := viewChallenge(p, v, f, now)
			status := f.StatusAt(now)
			g := page.Snapshot{ETag: strconv.Itoa(int(status)), Over: status != challenge.Open}
			g.Fragments = []page.Fragment{{ID: "state", What: playview.ChallengeStateFragment(view.State), ETag: g.ETag}}
			if view.State.Plays && v.Is(f.Challenger) { // accepting has taken the opponent there
				data, err := json.Marshal(map[string]string{"url": view.State.Match})
				if err != nil {
					return g, err
				}
				g.Events = []page.Frame{{Event: "match", Data: string(data)}}
			}
			return g, nil
		}})
}

type answer func(*challenges.Office, context.Context, player.Viewer, challenge.ID) (challenge.Challenge, error)

// answerChallenge returns the handler of a way to close a challenge.
func (s pages) answerChallenge(do answer) echo.HandlerFunc {
	return func(c echo.Context) error {
		closed, err := do(s.Arbiter.Challenges, c.Request().Context(), page.Viewer(c), challenge.ID(c.Param("id")))
		switch {
		case err == nil:
			return s.Redirect(c, whereTo(closed), "")
		case strings.HasPrefix(page.KeyOf(err), "challenge."), errors.Is(err, fairplay.ErrUnmet), errors.Is(err, challenges.ErrOtherUnmet):
			return s.showChallenge(c, err)
		}
		return err
	}
}

// declined declines a challenge without telling why.
func declined(o *challenges.Office, ctx context.Context, by player.Viewer, id challenge.ID) (challenge.Challenge, error) {
	return o.Decline(ctx, by, id, "")
}

// toRematch redirects to the rematch that is offered or played, else to the match, where one can be offered.
func (s pages) toRematch(c echo.Context) error {
	id := match.ID(c.Param("id"))
	var of, offered challenge.Challenge
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if of, err = tx.ChallengeOf(id); err != nil {
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
	if v := page.Viewer(c); !v.Is(of.Challenger) && !v.Is(of.Opponent) {
		return challenge.ErrNotPlayed
	}
	if status := offered.StatusAt(s.Now()); status == challenge.Open || status == challenge.Accepted {
		return s.Redirect(c, whereTo(offered), "")
	}
	return s.Redirect(c, words.MatchURL(id), "")
}

func (s pages) rematch(c echo.Context) error {
	made, err := s.Arbiter.Challenges.Rematch(c.Request().Context(), page.Viewer(c), match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	return s.Redirect(c, whereTo(made), "")
}

// playAnother leads on from a finished match to another opponent on the same terms.
func (s pages) playAnother(c echo.Context) error {
	made, err := s.Arbiter.Challenges.PlayAnother(c.Request().Context(), page.Viewer(c), match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	return s.Redirect(c, whereTo(made), "")
}
