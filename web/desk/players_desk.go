package desk

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/roster"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s players) rosterRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/players", s.playersDesk, page.SignedIn),
		page.Get("/tournaments/:id/players/add", s.rosterForm, page.SignedIn),
		page.Post("/tournaments/:id/players/add", s.enterRoster, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/accept", s.acceptEntry, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/refuse", s.refuseEntry, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/byes", s.giveBye, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/board", s.fixBoard, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/correct", s.correctEntry, page.SignedIn),
		page.Post("/tournaments/:id/registration/close", s.closeRegistration, page.SignedIn),
	}
}

func (s players) playersDesk(c echo.Context) error { return s.showPlayersDesk(c, nil) }

// showRefusedEntry shows the desk with why an entry was not made: at its form, if there is one.
func (s players) showRefusedEntry(c echo.Context, refused error) error {
	return s.showDesk(c, refused, true, 0)
}

// showPlayersDesk shows the desk; refused is why the last thing was not done.
func (s players) showPlayersDesk(c echo.Context, refused error) error {
	return s.showDesk(c, refused, false, 0)
}

// showDesk shows the desk with why the last thing was not done: at the form of a new entry, at that of a correction
// (of an entry), or above all.
func (s players) showDesk(c echo.Context, refused error, isEntry bool, corrected tournament.EntryID) error {
	t, err := s.TournamentFor(c, tournament.ActDesk)
	if err != nil {
		return err
	}
	view, err := s.playersDeskView(c, t)
	if err != nil {
		return err
	}
	status, why := page.RefusalStatus(s.Printer(c), refused)
	form := view.CorrectionOf(words.Itoa(int(corrected)))
	switch {
	case isEntry && view.Add != nil:
		s.FillAddForm(c, view.Add, refused)
	case form != nil:
		form.Problem, form.MayBeAnother = why, errors.Is(refused, tournament.ErrNamesake)
		form.Name, form.Rating = words.Shorten(c.FormValue("name"), 300), words.Shorten(c.FormValue("rating"), 10)
		form.Club, form.Reason = words.Shorten(c.FormValue("club"), 300), words.Shorten(c.FormValue("reason"), tournament.MaxReason)
		form.OverTheBoard = c.FormValue("over-the-board") != ""
	default:
		view.Problem = why
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("entry.desk"), "players")
	sh.Styles = append(sh.Styles, "desk.css")
	return s.Render(c, status, deskview.PlayersDeskPage(sh, view))
}

// atDesk runs f for the entry of the address and shows the desk.
func (s players) atDesk(c echo.Context, f func(context.Context, player.Viewer, tournament.ID, tournament.EntryID) error) error {
	id, entry, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	if err := f(c.Request().Context(), page.Viewer(c), id, entry); err != nil {
		if _, isTold := page.InPlace(err, http.StatusForbidden, http.StatusNotFound); isTold {
			return s.showPlayersDesk(c, err)
		}
		return err
	}
	return s.Redirect(c, words.PlayersURL(id), "flash.saved")
}

func (s players) acceptEntry(c echo.Context) error {
	return s.atDesk(c, func(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
		return s.Arbiter.Entries.Accept(ctx, by, id, e, c.FormValue("reason"))
	})
}

func (s players) refuseEntry(c echo.Context) error {
	return s.atDesk(c, func(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
		return s.Arbiter.Entries.Refuse(ctx, by, id, e, c.FormValue("reason"))
	})
}

func (s players) giveBye(c echo.Context) error {
	round, err := strconv.Atoi(c.FormValue("round"))
	kind, known := words.ByeKind(c.FormValue("kind"))
	if err != nil || !known {
		return page.ErrBadRequest
	}
	return s.atDesk(c, func(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
		return s.Arbiter.Entries.AskBye(ctx, by, id, entries.Bye{Entry: e, Round: round, Kind: kind})
	})
}

// fixBoard gives the entry of the address a fixed board; blank takes it away.
func (s players) fixBoard(c echo.Context) error {
	board := 0
	if text := strings.TrimSpace(c.FormValue("board")); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return s.showPlayersDesk(c, tournament.ErrFixedBoard)
		}
		board = n
	}
	return s.atDesk(c, func(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID) error {
		return s.Arbiter.Entries.FixBoard(ctx, by, id, e, board)
	})
}

// correctEntry corrects what was written of the entry of the address.
func (s players) correctEntry(c echo.Context) error {
	id, entry, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	rating, err := ratingOf(c)
	if err == nil {
		x := tournament.Particulars{Name: words.Shorten(c.FormValue("name"), 300), Club: words.Shorten(c.FormValue("club"), 300), Rating: rating,
			OverTheBoard: c.FormValue("over-the-board") != "", Another: c.FormValue("another") != ""}
		reason := strings.TrimSpace(words.Shorten(c.FormValue("reason"), tournament.MaxReason))
		err = s.Arbiter.Entries.CorrectEntry(c.Request().Context(), kernel.For(page.Viewer(c), reason), id, entry, x)
	}
	if _, isTold := page.InPlace(err, http.StatusForbidden, http.StatusNotFound); isTold {
		return s.showDesk(c, err, false, entry)
	} else if err != nil {
		return err
	}
	return s.Redirect(c, words.PlayersURL(id), "flash.saved")
}

// ratingOf reads the rating of a form as tables have it; blank: none.
func ratingOf(c echo.Context) (int, error) {
	text := strings.TrimSpace(c.FormValue("rating"))
	if text == "" {
		return 0, nil
	}
	n, err := roster.Rating(text)
	if err != nil {
		return 0, tournament.ErrBadRating
	}
	return n, nil
}

func (s players) closeRegistration(c echo.Context) error {
	return s.Do(c, s.Arbiter.Rounds.CloseRegistration, "flash.saved")
}

func (s players) rosterForm(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActEnter)
	if err != nil {
		return err
	}
	return s.showRoster(c, t, rosterForm{})
}

// enterRoster previews a list of players, or enters it.
func (s players) enterRoster(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActEnter)
	if err != nil {
		return err
	}
	brought, err := page.BroughtText(c, "list", words.MaxRoster)
	if refused, _ := page.Of(err); refused != nil {
		return s.showRoster(c, t, rosterForm{problem: refused.Code})
	} else if err != nil {
		return err
	}
	text := brought.Text
	reason := strings.TrimSpace(words.Shorten(c.FormValue("reason"), tournament.MaxReason))
	listed := entries.Listed{Lines: roster.Read(text), Reason: reason, Play: c.FormValue("play") != "",
		Another: map[int]bool{}}
	if form, err := c.FormParams(); err == nil {
		for _, line := range form["another"] {
			if n, err := strconv.Atoi(line); err == nil {
				listed.Another[n] = true
			}
		}
	}
	if len(listed.Lines) == 0 {
		return s.showRoster(c, t, rosterForm{brought: brought, reason: reason, problem: "entry.bulk.empty"})
	}
	act := s.Arbiter.Entries.Plan
	if c.FormValue("do") == "add" {
		act = s.Arbiter.Entries.RegisterAll
	}
	list, err := act(c.Request().Context(), page.Viewer(c), t.ID, listed)
	if err != nil {
		return err
	}
	if c.FormValue("do") != "add" {
		return s.showRoster(c, t, rosterForm{brought: brought, reason: reason, list: list})
	}
	entered, in := 0, 0
	var left []int // lines that could not be entered stay in the form
	var rest []entries.Planned
	for _, p := range list {
		if p.Err == nil || errors.Is(p.Err, tournament.ErrEntered) {
			if p.Err == nil {
				entered++
			} else {
				in++
			}
			continue
		}
		rest, left = append(rest, p), append(left, p.Number)
	}
	if entered == 0 {
		return s.showRoster(c, t, rosterForm{brought: brought, reason: reason, list: list, problem: "entry.bulk.nobody"})
	}
	if len(rest) > 0 && t.Status <= tournament.Running {
		text, anew := roster.Left(text, left)
		for i, p := range rest {
			rest[i].Number = anew[p.Number]
		}
		return s.showRoster(c, t, rosterForm{brought: page.Brought{Text: text}, reason: reason, list: rest,
			problem: "entry.bulk.partly"})
	}
	told := page.Counted("flash.entry-list", entered)
	if in > 0 {
		told += "~" + page.Counted("flash.entry-in", in)
	}
	if listed.Play {
		return s.Redirect(c, words.DoorDeskURL(t.ID), told)
	}
	return s.Redirect(c, words.PlayersURL(t.ID), told)
}

// rosterForm is a list of players as brought, read and judged.
type rosterForm struct {
	brought page.Brought
	reason  string
	list    []entries.Planned
	problem string // key of its text
}

func (s players) showRoster(c echo.Context, t *tournament.Tournament, x rosterForm) error {
	p := s.Printer(c)
	view := deskview.RosterView{
		Head: s.TournamentHead(c, t, "/players"), URL: words.TournamentURL(t.ID), Text: x.brought.Text,
		Encoding: x.brought.View(p), MayPlay: t.Settings.HasDoor(),
		Play: c.FormValue("play") != "",
		Reason: templates.Field{Name: "reason", Label: p.T("entry.override"), Hint: p.T("entry.override-hint"), Value: x.reason,
			Max: tournament.MaxReason, Autocomplete: "off"},
	}
	status := http.StatusOK
	if x.problem != "" {
		view.Problem = p.T(x.problem)
		if x.problem != "entry.bulk.partly" {
			status = http.StatusUnprocessableEntity
		}
	}
	added, waiting, bad := 0, 0, 0
	for _, l := range x.list {
		row := deskview.RosterLine{Number: words.Itoa(l.Number), Name: words.RosterName(l), Rating: words.NumberText(l.Candidate.Rating),
			Club: l.Candidate.Club, Good: l.Err == nil, Another: l.Candidate.Another}
		if l.IsSame() {
			row.Same = p.T("entry.bulk.same", "Handle", string(l.Known[0].Handle)) + " · " + words.KnownText(p, l.Known[0])
		}
		switch {
		case l.Err == nil && l.Status == tournament.Waiting:
			waiting++
			row.Does = p.T("entry.bulk.waits")
		case l.Err == nil:
			added++
			row.Does = p.T("entry.bulk.adds")
		case errors.Is(l.Err, tournament.ErrEntered):
			row.Good, row.Does = true, p.T("entry.bulk.is-in")
		default:
			bad++
			row.Does, row.Why = p.T("entry.bulk.bad", "Line", l.Number), rosterProblem(p, t, l)
		}
		view.Failing = view.Failing || errors.Is(l.Err, setting.ErrUnmet) || x.reason != ""
		view.Lines = append(view.Lines, row)
	}
	if added+waiting > 0 {
		view.Do = p.N("entry.bulk.do", added+waiting)
	}
	for _, of := range []struct {
		key string
		n   int
	}{{"added", added}, {"waiting", waiting}, {"in", len(x.list) - added - waiting - bad}, {"bad", bad}} {
		if of.n > 0 {
			view.Summary = append(view.Summary, p.N("entry.bulk.sum."+of.key, of.n))
		}
	}
	return s.Render(c, status, deskview.RosterPage(s.TournamentShell(c, t, p.T("entry.bulk"), ""), view))
}

func rosterProblem(p lang.Printer, t *tournament.Tournament, l entries.Planned) string {
	var unmet *fairplay.UnmetError
	var conditions *setting.Unmet
	switch {
	case errors.Is(l.Err, roster.ErrReport):
		return page.TextOf(p, l.Err) + ": " + l.Text
	case errors.Is(l.Err, entries.ErrWhich):
		text := p.T("entry.line.which")
		for _, k := range l.Known {
			text += " @" + string(k.Handle) + " (" + words.KnownText(p, k) + ")"
		}
		return text
	case errors.As(l.Err, &unmet):
		return form.DemandTexts(p, unmet)
	case errors.As(l.Err, &conditions):
		text := ""
		for _, line := range form.ConditionLines(p, t, nil, conditions.Failed) {
			text += line.Text + ". "
		}
		return strings.TrimSpace(text)
	}
	return page.TextOf(p, l.Err)
}
