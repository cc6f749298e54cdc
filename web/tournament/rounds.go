package tournament

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/store"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// seenRound returns the tournament and the round of the address.
func (s pages) seenRound(c echo.Context) (t *tournament.Tournament, n int, err error) {
	if t, err = s.SeenTournament(c); err != nil {
		return nil, 0, err
	}
	n, err = page.RoundOf(c, t)
	return t, n, err
}

func (s pages) round(c echo.Context) error {
	t, n, err := s.seenRound(c)
	if err != nil {
		return err
	}
	return s.showRound(c, t, n, 0)
}

// teamMatch shows a match of teams: the page of its round with nothing else.
func (s pages) teamMatch(c echo.Context) error {
	t, n, err := s.seenRound(c)
	if err != nil {
		return err
	}
	of, err := strconv.Atoi(c.Param("match"))
	if err != nil || of < 1 || of > len(t.Rounds[n-1].Teams) {
		return store.ErrNotFound
	}
	return s.showRound(c, t, n, of)
}

func (s pages) showRound(c echo.Context, t *tournament.Tournament, n, of int) error {
	view, err := s.RoundView(c, t, n, of)
	if err != nil {
		return err
	}
	part := words.RoundPart(n, of)
	sh := s.TournamentShell(c, t, view.Body.Title, part)
	sh.Styles, sh.Scripts = append(sh.Styles, "board.css", "live.css"), append(sh.Scripts, "live.js")
	if c.QueryParam("why") != "" && format.Explains(t.Settings) {
		sh.Feed = "" // the feed would remove the reasons
		if err := s.explainRound(c, t, n, &view.Body); err != nil {
			return err
		}
	}
	if view.Live, err = s.rendered(c, &sh, t, part, event.WithHead(view.Head, roundFragments(view.Body)...)); err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, eventview.RoundPage(sh, view))
}

// roundInput sends the report from which the round was paired; pairing it again gives the same round.
func (s pages) roundInput(c echo.Context) error {
	t, n, err := s.seenRound(c)
	if err != nil {
		return err
	}
	input, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (string, error) { return tx.RoundInput(t.ID, n) })
	if err != nil {
		return err
	}
	if input == "" {
		return store.ErrNotFound
	}
	// Comments say which engine and which seed paired it.
	head := "### engine " + t.Rounds[n-1].Engine + "\n"
	if t.Seed != "" {
		head += "### seed " + t.Seed + "\n"
	}
	return page.SendFile(c, s.Printer(c).Event(t.Name), "round-"+words.Itoa(n)+".trf", "text/plain; charset=utf-8", []byte(head+input))
}

// explainRound adds to every board why it was paired, from the report of the round.
func (s pages) explainRound(c echo.Context, t *tournament.Tournament, n int, body *eventview.RoundBody) error {
	paired, field, err := s.pairedFrom(c, t, n)
	if err != nil || len(paired.Boards) == 0 {
		return err
	}
	list, err := format.Explain(&t.Table, field, paired)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	names := map[int]string{}
	for _, x := range field.Players {
		names[x.Number] = x.Name
	}
	for i, e := range list {
		why := words.ReasonsText(p, e.Reasons, names)
		switch {
		case e.Second == 0:
			for j := range body.Byes {
				if body.Byes[j].Player.Name == names[e.First] {
					body.Byes[j].Why = why
				}
			}
		case t.HasTeams():
			for j, m := range body.Matches {
				if m.First.Number == words.Itoa(e.First) && m.Second.Number == words.Itoa(e.Second) {
					body.Matches[j].Why = why
				}
			}
		case i < len(body.Boards):
			body.Boards[i].Why = why
		}
	}
	return nil
}

// pairedFrom returns a round by numbers and the field it was paired from: that of the kept report or, after
// edits by hand, the current results. An imported round has no boards.
func (s pages) pairedFrom(c echo.Context, t *tournament.Tournament, n int) (p tournament.RoundPairing, f tournament.Field, err error) {
	if r := t.Rounds[n-1]; r.Edited {
		f, p = swiss.Before(t.FieldAfter(n), n-1)
		p.Boards = p.Boards[:0]
		meet := func(a, b tournament.EntryID) {
			first, _ := t.Entry(a) // a pairing's entries are in the tournament
			second, _ := t.Entry(b)
			p.Boards = append(p.Boards, tournament.Board{First: first.Number, Second: second.Number})
		}
		for _, m := range r.Teams {
			meet(m.First, m.Second)
		}
		for _, b := range r.Pairings {
			if b.TeamMatch == 0 {
				meet(b.First, b.Second)
			}
		}
		return p, f, nil
	}
	input, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (string, error) { return tx.RoundInput(t.ID, n) })
	if err != nil || input == "" {
		return p, f, err
	}
	return tables.Repeat(input)
}
