package desk

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/player"
	deskview "chpok.org/chpok/templates/desk"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// deskRoutes are what staff do from the desks.
func (s control) deskRoutes() []page.Route {
	return []page.Route{
		page.Post("/tournaments/:id/entries", s.addEntry, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/withdraw", s.withdrawEntry, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/readmit", s.readmitEntry, page.SignedIn),
		page.Post("/tournaments/:id/registration", s.openRegistration, page.SignedIn),
		page.Post("/tournaments/:id/start", s.startTournament, page.SignedIn),
		page.Post("/tournaments/:id/groups/step", s.stepGroups, page.SignedIn), // groups.go
		page.Post("/tournaments/:id/rounds", s.openRound, page.SignedIn),
		page.Post("/tournaments/:id/results", s.enterResult, page.SignedIn),
		page.Post("/tournaments/:id/results/undo", s.takeResultBack, page.SignedIn),
		page.Post("/tournaments/:id/finish", s.finishTournament, page.SignedIn),
		page.Post("/tournaments/:id/reseat", s.reseat, page.SignedIn), // teams.go
	}
}

// addEntry enters a player by handle, or a guest by name.
func (s control) addEntry(c echo.Context) error {
	ctx, by, id := c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))
	guest := strings.TrimSpace(words.Shorten(c.FormValue("guest"), 300))
	var err error
	if guest != "" {
		var rating int
		if rating, err = ratingOf(c); err == nil {
			_, err = s.Arbiter.Entries.RegisterGuest(ctx, by, id, tournament.Candidate{
				Name: guest, Reason: strings.TrimSpace(words.Shorten(c.FormValue("reason"), tournament.MaxReason)),
				Club: words.Shorten(c.FormValue("club"), 300), Rating: rating, Another: c.FormValue("another") != "",
			})
		}
	} else {
		handle := c.FormValue("handle")
		if handle == "" {
			return players(s).showRefusedEntry(c, kernel.ErrNoPlayer)
		}
		_, err = s.Arbiter.Entries.Register(ctx, by, id, entries.Application{Handle: handle, OverTheBoard: c.FormValue("over-the-board") != "",
			Camp: words.AtoiOr(c.FormValue("camp"), 0), Reason: strings.TrimSpace(words.Shorten(c.FormValue("reason"), tournament.MaxReason))})
	}
	if err != nil {
		if _, isTold := page.InPlace(err, http.StatusForbidden); isTold {
			return players(s).showRefusedEntry(c, err)
		}
		return err
	}
	return s.Redirect(c, words.PlayersURL(id)+"#add", "")
}

// ofEntry runs f for the entry of the address.
func (s control) ofEntry(c echo.Context, f func(context.Context, player.Viewer, tournament.ID, tournament.EntryID) error) error {
	_, entry, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	return s.Do(c, func(ctx context.Context, by player.Viewer, id tournament.ID) error { return f(ctx, by, id, entry) }, "")
}

// withdrawEntry withdraws an entry; the players' desk then offers to undo it.
func (s control) withdrawEntry(c echo.Context) error {
	id, entry, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	if c.FormValue("back") != "players" {
		return s.ofEntry(c, s.Arbiter.Entries.Withdraw)
	}
	if err := s.Arbiter.Entries.Withdraw(c.Request().Context(), page.Viewer(c), id, entry); err != nil {
		return err
	}
	return s.Redirect(c, words.WithQuery(words.PlayersURL(id), "withdrawn", words.Itoa(int(entry))), "")
}
func (s control) readmitEntry(c echo.Context) error { return s.ofEntry(c, s.Arbiter.Entries.Readmit) }
func (s control) openRegistration(c echo.Context) error {
	return s.doAtDesk(c, "", s.Arbiter.Rounds.OpenRegistration)
}
func (s control) startTournament(c echo.Context) error {
	return s.doAtDesk(c, "", s.Arbiter.Rounds.Start)
}
func (s control) finishTournament(c echo.Context) error {
	return s.doAtDesk(c, "", s.Arbiter.Rounds.Finish)
}

func (s control) openRound(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Rounds.Open(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, ControlURL(id), "")
}

func (s control) enterResult(c echo.Context) error {
	round, board, err := deskBoard(c)
	if err != nil {
		return err
	}
	kind, err := tournament.ParseResultKind(c.FormValue("result"))
	if err != nil {
		return page.ErrBadRequest
	}
	id := tournament.ID(c.Param("id"))
	first, err := strconv.Atoi(cmp.Or(c.FormValue("first"), "0")) // a desk left open may have an old list; other forms do not say it
	if err != nil {
		return page.ErrBadRequest
	}
	err = s.Arbiter.Rounds.EnterResult(c.Request().Context(), page.Viewer(c), id,
		rounds.Seen{Round: round, Board: board, First: tournament.EntryID(first)}, kind)
	if err != nil {
		return err
	}
	return s.backToDesk(c, "entered", round, board)
}

func (s control) takeResultBack(c echo.Context) error {
	round, board, err := deskBoard(c)
	if err != nil {
		return err
	}
	id := tournament.ID(c.Param("id"))
	err = s.Arbiter.Rounds.TakeResultBack(c.Request().Context(), page.Viewer(c), id, round, board)
	if page.IsRefusal(err) || errors.Is(err, kernel.ErrOvertaken) { // the desk says what stands
		return s.backToDesk(c, "kept", round, board)
	}
	if err != nil {
		return err
	}
	return s.backToDesk(c, "", 0, 0)
}

// deskBoard reads the round and the board of a form.
func deskBoard(c echo.Context) (round, board int, err error) {
	round, err1 := strconv.Atoi(c.FormValue("round"))
	board, err2 := strconv.Atoi(c.FormValue("board"))
	if err1 != nil || err2 != nil {
		return 0, 0, page.ErrBadRequest
	}
	return round, board, nil
}

// deskFragments returns the fragments of a page that staff keep open.
func (s control) deskFragments(c echo.Context, t *tournament.Tournament, part string) ([]page.Fragment, error) {
	act := tournament.ActDesk
	if part == "calls" {
		act = tournament.ActCalls
	}
	if !t.May(page.Viewer(c), act) {
		return nil, page.ErrForbidden
	}
	switch part {
	case "desk":
		body, err := s.controlBody(c, t)
		pieces := event.WithHead(s.TournamentHead(c, t, "/desk"),
			page.Fragment{ID: "next", What: deskview.NextFragment(body.Next), Apart: true},
			page.Fragment{ID: "desk-round", What: deskview.DeskRoundFragment(body.Round), Apart: true},
			page.Fragment{ID: "desk-groups", What: deskview.DeskGroupsFragment(body.Groups), Apart: true},
			page.Fragment{ID: "desk-calls", What: deskview.DeskCallsFragment(body.Calls), Apart: true},
			page.Fragment{ID: "control", What: deskview.ControlFragment(body), Apart: true})
		var present *eventview.CheckInList
		if t.May(page.Viewer(c), tournament.ActCheckIn) {
			present = event.CheckInList(s.Printer(c), t)
		}
		people := page.Fragment{ID: "desk-people", What: deskview.DeskPeopleFragment(body.Entries, present), Apart: true}
		return append(pieces, people), err
	case "dry-run":
		body, err := s.dryRunBody(c, t)
		return event.WithHead(s.TournamentHead(c, t, "/dry-run"), page.Fragment{ID: "dry-run", What: deskview.DryRunFragment(body),
			Apart: true}), err
	case "boards":
		view, err := s.boardsView(c, boardsShown(t))
		return event.WithHead(view.Head, page.Fragment{ID: "boards", What: deskview.BoardsFragment(view.Body), ETag: boardsMark(view.Body),
			Apart: true}), err
	case "calls":
		view, err := s.callsView(c, t)
		return event.WithHead(view.Head, page.Fragment{ID: "calls", What: deskview.CallsFragment(view.Body), Apart: true}), err
	}
	return nil, page.ErrBadRequest
}
