package web

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/passkey"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/tournament"
)

func (s *Server) checkInRoutes() []route {
	return []route{
		{get, "/matches/:id/check-in", s.checkInPage, signedIn},
		{post, "/matches/:id/check-in/options", s.checkInOptions, signedIn},
		{post, "/matches/:id/check-in", s.checkIn, signedIn},
		{post, "/matches/:id/check-in/code", s.checkInByCode, signedIn},
		{post, "/matches/:id/check-in/issue", s.issueCode, signedIn},
		{post, "/matches/:id/mid-check/options", s.midCheckOptions, signedIn},
		{post, "/matches/:id/mid-check", s.passMidCheck, signedIn},
		{get, "/tournaments/:id/fair-play/check-ins", s.checkInsPage, signedIn},
	}
}

// checkInURL is where a player checks in to a match, and an arbiter gives codes.
func checkInURL(id match.ID) string { return matchURL(id) + "/check-in" }

// doorForms is what the page of a check-in shows besides what is stored.
type doorForms struct {
	refused, code error
	issued        string // a code just given, to whom and until when
	to, until     string
}

func (s *Server) checkInPage(c echo.Context) error { return s.showCheckIn(c, doorForms{}) }

func (s *Server) showCheckIn(c echo.Context, f doorForms) error {
	p, ctx, id := s.printer(c), c.Request().Context(), match.ID(c.Param("id"))
	door, err := s.arbiter.DoorOf(ctx, viewer(c), id)
	if err != nil {
		return err
	}
	names, err := s.atDoor(c, door)
	if err != nil {
		return err
	}
	v := accountview.DoorView{
		URL: checkInURL(id), Match: templates.Link{Text: names[door.Head.Players[0]] + " – " + names[door.Head.Players[1]], URL: matchURL(id)},
		IsPlayer: door.Seat.Valid(), HasKey: door.Keys > 0, Synced: door.Synced, IsOver: door.Head.Status == match.Over,
		Lacks: unmetLines(p, door.Lacks), Minutes: p.Int(door.Policy.CheckIn.Within / 60),
		Code:    templates.Field{Name: "code", Label: p.T("passkey.code"), Hint: p.T("passkey.code-hint"), Max: 12, Autocomplete: "one-time-code", Required: true, Value: shorten(c.FormValue("code"), 20)},
		Trouble: s.doorTrouble(c, f.refused),
		Lines:   pageLines(p, door.Pages, names),
	}
	v.Code.Error = s.doorTrouble(c, f.code)
	if _, err := s.passkeys(c); err != nil {
		v.NoName = p.T("passkey.error.no-name")
	}
	if page, ok := fairplay.PageOf(door.Pages, door.Seat); ok {
		v.Page, v.Since = base64.RawURLEncoding.EncodeToString(page.Key), p.Moment(page.At)
	}
	if door.MayCode && !v.IsOver {
		v.Issue = &accountview.IssueForm{Code: f.issued, To: f.to, Until: f.until}
		for i, of := range door.Head.Players {
			v.Issue.Seats = append(v.Issue.Seats, templates.Choice{Value: match.Seat(i + 1).String(), Text: names[of]})
		}
	}
	status := http.StatusOK
	if refused := errors.Join(f.refused, f.code); refused != nil {
		status, _, _ = explain(refused)
	}
	sh := s.shell(c, p.T("passkey.check-in.title"))
	sh.Path, sh.Styles, sh.Scripts = v.URL, []string{"fairplay.css"}, []string{"passkeys.js"}
	c.Response().Header().Set("Cache-Control", "no-store")
	return s.render(c, status, accountview.DoorPage(sh, v))
}

// atDoor are the handles of all whom the page of a check-in names.
func (s *Server) atDoor(c echo.Context, door arbiter.Door) (map[player.ID]string, error) {
	ids := door.Head.Players[:]
	for _, page := range door.Pages {
		if page.By != "" {
			ids = append(ids, page.By)
		}
	}
	return s.namesOf(c.Request().Context(), ids...)
}

// pageLines are the check-ins of a match in words.
func pageLines(p lang.Printer, pages []fairplay.Page, names map[player.ID]string) []accountview.PageLine {
	var lines []accountview.PageLine
	last := map[match.Seat]string{}
	for _, page := range pages {
		line := accountview.PageLine{Player: names[page.Player], When: p.DateTime(page.At), Stamp: p.Stamp(page.At)}
		line.Means = p.T("passkey.means." + string(page.Means))
		if page.By != "" {
			line.Means = p.T("passkey.means.code-of", "Name", names[page.By])
		}
		switch before, again := last[page.Seat]; {
		case again && before != page.Session:
			line.Note = p.T("passkey.again.elsewhere")
		case again:
			line.Note = p.T("passkey.again.here")
		}
		last[page.Seat] = page.Session
		lines = append(lines, line)
	}
	return lines
}

// doorTrouble is a refusal at the door of a match in words; empty for other errors.
func (s *Server) doorTrouble(c echo.Context, err error) string {
	p := s.printer(c)
	var unmet *fairplay.UnmetError
	if errors.As(err, &unmet) {
		text := p.T("passkey.error.unmet")
		for _, line := range unmetLines(p, unmet) {
			text += " " + line.Text + ". " + line.Remedy
		}
		return text
	}
	if errors.Is(err, arbiter.ErrNoPasskey) {
		return p.T("passkey.error.none-here")
	}
	if text := s.passkeyTrouble(c, err); text != "" {
		return text
	}
	return s.formError(c, err, arbiter.ErrCode, arbiter.ErrNoCheckIn, arbiter.ErrOneDevice, arbiter.ErrMidCheckOver, arbiter.ErrTakenOver, fairplay.ErrPageKey, match.ErrOver)
}

// pageKey is the public key that the page has made.
func pageKey(c echo.Context) ([]byte, error) {
	raw, err := base64.RawURLEncoding.DecodeString(c.FormValue("key"))
	if err != nil {
		return nil, fairplay.ErrPageKey
	}
	return raw, nil
}

func (s *Server) checkInOptions(c echo.Context) error {
	return s.deviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		key, err := pageKey(c)
		if err != nil {
			return nil, err
		}
		challenge, keys, err := s.arbiter.BeginCheckIn(c.Request().Context(), viewer(c), match.ID(c.Param("id")), sessionID(c), key)
		if err != nil {
			return nil, err
		}
		return site.Request(keys, challenge)
	})
}

func (s *Server) checkIn(c echo.Context) error {
	id := match.ID(c.Param("id"))
	site, err := s.passkeys(c)
	if err == nil {
		err = s.arbiter.CheckPageIn(c.Request().Context(), site, viewer(c), id, sessionID(c), []byte(c.FormValue("answer")))
	}
	if s.doorTrouble(c, err) != "" {
		return s.showCheckIn(c, doorForms{refused: err})
	}
	if err != nil {
		return err
	}
	return s.redirect(c, matchURL(id), "flash.checked-in")
}

func (s *Server) checkInByCode(c echo.Context) error {
	id, v := match.ID(c.Param("id")), viewer(c)
	key, err := pageKey(c)
	if err == nil {
		err = s.count(c, limitSignIn, "code "+string(v.ID))
	}
	if err == nil {
		err = s.arbiter.CheckInByCode(c.Request().Context(), v, id, sessionID(c), key, shorten(c.FormValue("code"), 20))
	}
	if s.doorTrouble(c, err) != "" {
		return s.showCheckIn(c, doorForms{code: err})
	}
	if err != nil {
		return err
	}
	return s.redirect(c, matchURL(id), "flash.checked-in")
}

// issueCode answers with the page itself: the code is shown this once.
func (s *Server) issueCode(c echo.Context) error {
	p, id := s.printer(c), match.ID(c.Param("id"))
	seat := match.First
	if c.FormValue("seat") == match.Second.String() {
		seat = match.Second
	}
	code, until, err := s.arbiter.IssueCode(c.Request().Context(), viewer(c), id, seat)
	if err != nil {
		return err
	}
	door, err := s.arbiter.DoorOf(c.Request().Context(), viewer(c), id)
	if err != nil {
		return err
	}
	names, err := s.atDoor(c, door)
	if err != nil {
		return err
	}
	return s.showCheckIn(c, doorForms{issued: code[:4] + " " + code[4:], to: names[door.Head.Players[seat.Index()]], until: p.Moment(until)})
}

// checkInsPage is who has checked in to the matches of the last round, for staff.
func (s *Server) checkInsPage(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	p := s.printer(c)
	if !t.May(viewer(c), tournament.ActWatch) {
		return errForbidden
	}
	view := accountview.PagesView{Head: s.tournamentHead(c, t, "/fair-play")}
	if len(t.Rounds) > 0 {
		round := t.Rounds[len(t.Rounds)-1]
		view.Round = p.Int(round.Number)
		for _, b := range round.Pairings {
			if b.Match == "" {
				continue
			}
			door, err := s.arbiter.DoorOf(c.Request().Context(), viewer(c), b.Match)
			if errors.Is(err, arbiter.ErrNoCheckIn) {
				continue
			}
			if err != nil {
				return err
			}
			names, err := s.atDoor(c, door)
			if err != nil {
				return err
			}
			line := accountview.PageBoard{Board: itoa(b.Board), URL: checkInURL(b.Match), MayCode: door.MayCode && door.Head.Status != match.Over}
			for i, of := range door.Head.Players {
				one := accountview.PageSide{Name: names[of], State: p.T("passkey.state.none")}
				if page, ok := fairplay.PageOf(door.Pages, match.Seat(i+1)); ok {
					one.Is, one.State = true, p.T("passkey.state."+string(page.Means), "When", p.Moment(page.At))
				}
				line.Sides = append(line.Sides, one)
			}
			line.Pages = pageLines(p, door.Pages, names)
			view.Boards = append(view.Boards, line)
		}
	}
	sh := s.tournamentShell(c, t, p.T("passkey.check-ins.title"), "fair-play")
	sh.Feed, sh.Styles = "", append(sh.Styles, "fairplay.css")
	return s.render(c, http.StatusOK, accountview.PagesPage(sh, view))
}

// checkInNote is what a match page says to a player about his check-in; nil where
// none is demanded of him, or the match is over.
func (s *Server) checkInNote(tx *store.Tx, p lang.Printer, view live.View, you match.Seat) (*matchview.CheckInNote, error) {
	head := view.Head
	if !you.Valid() || head.Level <= fairplay.Open || head.Status == match.Over {
		return nil, nil
	}
	with, known, err := arbiter.AssuranceOf(tx, head)
	if err != nil || !known || with.Policy.Moves != fairplay.Signed || with.Waives(you, fairplay.DemandCheckIn) {
		return nil, err
	}
	pages, err := tx.Pages(head.ID)
	if err != nil {
		return nil, err
	}
	n := &matchview.CheckInNote{URL: checkInURL(head.ID), Lost: p.T("passkey.lost")}
	page, ok := fairplay.PageOf(pages, you)
	switch {
	case !ok:
		n.Needed = p.T("passkey.needed")
	case view.State.Status() == match.Waiting && !view.State.IsReady(you) && !with.Policy.Fresh(page.At, s.now()):
		n.Needed = p.T("passkey.error.old")
	default:
		n.Page = base64.RawURLEncoding.EncodeToString(page.Key)
		n.Chain, err = fairplay.Chain(view.State.History())
	}
	return n, err
}
