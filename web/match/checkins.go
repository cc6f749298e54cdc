package match

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/passkey"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s checkIns) checkInRoutes() []page.Route {
	return []page.Route{
		page.Get("/matches/:id/check-in", s.checkInPage, page.SignedIn),
		page.Post("/matches/:id/check-in/options", s.checkInOptions, page.SignedIn),
		page.Post("/matches/:id/check-in", s.checkIn, page.SignedIn),
		page.Post("/matches/:id/check-in/code", s.checkInByCode, page.SignedIn),
		page.Post("/matches/:id/check-in/issue", s.issueCode, page.SignedIn),
		page.Post("/matches/:id/mid-check/options", pages{Site: s.Site}.midCheckOptions, page.SignedIn),
		page.Post("/matches/:id/mid-check", pages{Site: s.Site}.passMidCheck, page.SignedIn),
		page.Get("/tournaments/:id/fair-play/check-ins", s.checkInsPage, page.SignedIn),
	}
}

// doorForms is what the page of a check-in shows about its forms.
type doorForms struct {
	refused, code error
	issued        string // a new code
	to, until     string // whom it is for and when it ends
}

func (s checkIns) checkInPage(c echo.Context) error { return s.showCheckIn(c, doorForms{}) }

func (s checkIns) showCheckIn(c echo.Context, f doorForms) error {
	p, ctx, id := s.Printer(c), c.Request().Context(), match.ID(c.Param("id"))
	door, err := s.Arbiter.Seats.DoorOf(ctx, page.Viewer(c), id)
	if err != nil {
		return err
	}
	names, err := s.atDoor(c, door)
	if err != nil {
		return err
	}
	v := accountview.DoorView{
		URL: words.CheckInURL(id), Match: templates.Link{Text: names[door.Head.Players[0]] + " – " + names[door.Head.Players[1]],
			URL: words.MatchURL(id)},
		IsPlayer: door.Seat.Valid(), HasKey: door.Keys > 0, Synced: door.Synced, IsOver: door.Head.Status == match.Over,
		Lacks: form.UnmetLines(p, door.Lacks), Minutes: p.Int(door.Policy.CheckIn.Within / 60),
		Code: templates.Field{Name: "code", Label: p.T("passkey.code"), Hint: p.T("passkey.code-hint"), Max: 12,
			Autocomplete: "one-time-code", Required: true, Value: words.Shorten(c.FormValue("code"), 20)},
		Trouble: s.DoorTrouble(c, f.refused),
		Lines:   pageLines(p, door.Pages, names),
	}
	v.Code.Error = s.DoorTrouble(c, f.code)
	if _, err := s.Passkeys(c); err != nil {
		v.NoName = p.T("passkey.error.no-name")
	}
	if page, ok := fairplay.PageOf(door.Pages, door.Seat); ok {
		v.Page, v.Since = base64.RawURLEncoding.EncodeToString(page.Key), p.On(page.At)
	}
	if door.MayCode && !v.IsOver {
		v.Issue = &accountview.IssueForm{Code: f.issued, To: f.to, Until: f.until}
		for i, of := range door.Head.Players {
			v.Issue.Seats = append(v.Issue.Seats, templates.Choice{Value: match.Seat(i + 1).String(), Text: names[of]})
		}
	}
	sh := s.Shell(c, p.T("passkey.check-in.title"))
	sh.Path, sh.Styles, sh.Scripts = v.URL, []string{"fairplay.css"}, []string{"passkeys.js"}
	c.Response().Header().Set("Cache-Control", "no-store")
	return s.Render(c, page.StatusOf(errors.Join(f.refused, f.code)), accountview.DoorPage(sh, v))
}

// atDoor returns the handles of the players that the page of a check-in names.
func (s checkIns) atDoor(c echo.Context, door seats.Door) (map[player.ID]string, error) {
	ids := door.Head.Players[:]
	for _, page := range door.Pages {
		if page.By != "" {
			ids = append(ids, page.By)
		}
	}
	return s.NamesOf(c.Request().Context(), ids...)
}

// pageLines returns the check-ins of a match as lines of a list.
func pageLines(p lang.Printer, pages []fairplay.Page, names map[player.ID]string) []accountview.PageLine {
	var lines []accountview.PageLine
	last := map[match.Seat]string{}
	for _, page := range pages {
		line := accountview.PageLine{Player: names[page.Player], When: p.On(page.At), Stamp: p.Stamp(page.At)}
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

// pageKey returns the public key that the page has made.
func pageKey(c echo.Context) ([]byte, error) {
	raw, err := base64.RawURLEncoding.DecodeString(c.FormValue("key"))
	if err != nil {
		return nil, fairplay.ErrPageKey
	}
	return raw, nil
}

func (s checkIns) checkInOptions(c echo.Context) error {
	return s.DeviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		key, err := pageKey(c)
		if err != nil {
			return nil, err
		}
		challenge, keys, err := s.Arbiter.Seats.BeginCheckIn(c.Request().Context(), page.Viewer(c), match.ID(c.Param("id")), page.SessionID(c),
			key)
		if err != nil {
			return nil, err
		}
		return site.Request(keys, challenge)
	})
}

func (s checkIns) checkIn(c echo.Context) error {
	id := match.ID(c.Param("id"))
	site, err := s.Passkeys(c)
	if err == nil {
		err = s.Arbiter.Seats.CheckPageIn(c.Request().Context(), page.Viewer(c), id, page.Said(c, site))
	}
	if s.DoorTrouble(c, err) != "" {
		return s.showCheckIn(c, doorForms{refused: err})
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.MatchURL(id), "flash.checked-in")
}

func (s checkIns) checkInByCode(c echo.Context) error {
	id, v := match.ID(c.Param("id")), page.Viewer(c)
	key, err := pageKey(c)
	if err == nil {
		err = s.Count(c, page.LimitSignIn, "code "+string(v.ID))
	}
	if err == nil {
		err = s.Arbiter.Seats.CheckInByCode(c.Request().Context(), v, id, fairplay.Page{Session: page.SessionID(c), Key: key},
			words.Shorten(c.FormValue("code"), 20))
	}
	if s.DoorTrouble(c, err) != "" {
		return s.showCheckIn(c, doorForms{code: err})
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.MatchURL(id), "flash.checked-in")
}

// issueCode renders the page itself, because the code is shown only once.
func (s checkIns) issueCode(c echo.Context) error {
	p, id := s.Printer(c), match.ID(c.Param("id"))
	seat := cmp.Or(seatNamed(c.FormValue("seat")), match.First)
	code, until, err := s.Arbiter.Seats.IssueCode(c.Request().Context(), page.Viewer(c), id, seat)
	if err != nil {
		return err
	}
	door, err := s.Arbiter.Seats.DoorOf(c.Request().Context(), page.Viewer(c), id)
	if err != nil {
		return err
	}
	names, err := s.atDoor(c, door)
	if err != nil {
		return err
	}
	return s.showCheckIn(c, doorForms{issued: code[:4] + " " + code[4:], to: names[door.Head.Players[seat.Index()]], until: p.When(until)})
}

// checkInsPage shows staff who has checked in to the matches of the last round.
func (s checkIns) checkInsPage(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	if !t.May(page.Viewer(c), tournament.ActWatch) {
		return page.ErrForbidden
	}
	view := accountview.PagesView{Head: s.TournamentHead(c, t, "/fair-play")}
	if rounds := t.Rounds.Open(); len(rounds) > 0 {
		view.Round = p.Int(rounds[len(rounds)-1].Number)
		for round, b := range tournament.Rounds(rounds).AllBoards() {
			if b.Match == "" {
				continue
			}
			door, err := s.Arbiter.Seats.DoorOf(c.Request().Context(), page.Viewer(c), b.Match)
			if errors.Is(err, seats.ErrNoCheckIn) {
				continue
			}
			if err != nil {
				return err
			}
			names, err := s.atDoor(c, door)
			if err != nil {
				return err
			}
			line := accountview.PageBoard{Board: words.BoardLabel(t, round, b.Board), URL: words.CheckInURL(b.Match), MayCode: door.MayCode &&
				door.Head.Status != match.Over}
			for i, of := range door.Head.Players {
				one := accountview.PageSide{Name: names[of], State: p.T("passkey.state.none")}
				if page, ok := fairplay.PageOf(door.Pages, match.Seat(i+1)); ok {
					one.Is, one.State = true, p.T("passkey.state."+string(page.Means), "When", p.On(page.At))
				}
				line.Sides = append(line.Sides, one)
			}
			line.Pages = pageLines(p, door.Pages, names)
			view.Boards = append(view.Boards, line)
		}
	}
	sh := s.TournamentShell(c, t, p.T("passkey.check-ins.title"), "fair-play")
	sh.Feed, sh.Styles = "", append(sh.Styles, "fairplay.css")
	return s.Render(c, http.StatusOK, accountview.PagesPage(sh, view))
}
