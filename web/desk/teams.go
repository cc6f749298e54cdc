package desk

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// forfeitMatch decides that teams forfeit their match, or lifts that.
func (s control) forfeitMatch(c echo.Context) error {
	round, err1 := strconv.Atoi(c.Param("round"))
	n, err2 := strconv.Atoi(c.Param("match"))
	lost, known := words.LostBy[c.FormValue("lost")]
	if err1 != nil || err2 != nil || !known {
		return page.ErrBadRequest
	}
	id := tournament.ID(c.Param("id"))
	err := s.Arbiter.Desk.ForfeitMatch(c.Request().Context(), page.Viewer(c), id, tournament.MatchForfeit{Round: round, Match: n, Lost: lost,
		Why: reasonOf(c)})
	if err != nil {
		return err
	}
	return s.Redirect(c, ControlURL(id), "flash.saved")
}

// reseat puts another player of the same team at a board, or nobody: seat names the board, who leaves it and who comes.
func (s control) reseat(c echo.Context) error {
	var board int
	var out, in tournament.EntryID
	if n, err := fmt.Sscanf(c.FormValue("seat"), "%d-%d-%d", &board, &out, &in); err != nil || n != 3 {
		return page.ErrBadRequest
	}
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Desk.Reseat(c.Request().Context(), page.Viewer(c), id, board, out, in, reasonOf(c)); err != nil {
		return err
	}
	return s.Redirect(c, ControlURL(id), "flash.saved")
}

// deskMatches renders the matches of teams of a round; nil if players meet.
func (s control) deskMatches(c echo.Context, t *tournament.Tournament, r tournament.Round) (list []deskview.DeskMatch, err error) {
	if len(r.Teams) == 0 {
		return nil, nil
	}
	p, v := s.Printer(c), page.Viewer(c)
	handed, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[tournament.EntryID]store.TeamLineUp, error) {
		return tx.TeamLineUps(t.ID, r.Number)
	})
	due, _ := t.BoardsDueAt()
	for i, m := range r.Teams {
		d := deskview.DeskMatch{Number: words.Itoa(i + 1), Names: [2]string{nameOf(p, t, m.First), nameOf(p, t, m.Second)}}
		score := t.ScoreOf(r, i+1)
		switch {
		case m.OpenedAt.IsZero():
			d.Note = p.T("teams.desk.awaited", "Time", p.When(due))
		default:
			d.Score = words.ScoreText(p, score[0].Games) + " : " + words.ScoreText(p, score[1].Games)
		}
		for _, seat := range match.Seats {
			team := m.TeamAt(seat)
			if n, err := t.LineUpFor(v, team); err != nil || n != r.Number {
				continue
			}
			key := "teams.desk.hand-in"
			if _, is := handed[team]; is {
				key = "teams.desk.handed-in"
			}
			d.LineUps = append(d.LineUps, templates.Link{Text: p.T(key, "Team", nameOf(p, t, team)), URL: words.TeamURL(t.ID, team) + "#line-up"})
		}
		if m.IsForfeited() {
			d.Note = forfeitText(p, t, m)
		}
		if t.May(v, tournament.ActForfeitMatch) {
			d.Forfeit = fmt.Sprint(words.RoundURL(t.ID, r.Number), "/matches/", i+1, "/forfeit")
			d.Lost = []templates.Choice{{Value: "first", Text: d.Names[0]}, {Value: "second", Text: d.Names[1]},
				{Value: "both", Text: p.T("teams.desk.both")}, {Value: "none", Text: p.T("teams.desk.neither")}}
		}
		if t.May(v, tournament.ActRepair) && !m.IsForfeited() {
			d.Seats, d.Reseat = seatChoices(p, t, r, i+1), words.TournamentURL(t.ID)+"/reseat"
		}
		list = append(list, d)
	}
	return list, err
}

// forfeitText says which teams forfeit a match.
func forfeitText(p lang.Printer, t *tournament.Tournament, m tournament.TeamPairing) string {
	var who []string
	for _, seat := range match.Seats {
		if m.Lost[seat.Index()] {
			who = append(who, nameOf(p, t, m.TeamAt(seat)))
		}
	}
	return strings.TrimSpace(p.T("teams.desk.forfeited", "Teams", strings.Join(who, ", ")) + " " + m.Why)
}

// seatChoices are the players of a match who can leave a board that is not over, and who can come for them: reserves, or nobody.
func seatChoices(p lang.Printer, t *tournament.Tournament, r tournament.Round, n int) (list []templates.Choice) {
	boards := r.BoardsOf(n)
	sits := map[tournament.EntryID]bool{}
	for _, b := range boards {
		sits[b.First], sits[b.Second] = true, true
	}
	for k, b := range boards {
		if isGap := b.Match == "" && b.Result.By == "" && b.Result.Reason == match.Forfeit; !b.Result.IsPending() && !isGap {
			continue
		}
		for _, seat := range match.Seats {
			out := b.EntryAt(seat)
			team := t.SideOf(out)
			add := func(in tournament.EntryID, name string) {
				list = append(list, templates.Choice{Value: fmt.Sprint(b.Board, "-", out, "-", in),
					Text: p.T("teams.desk.for", "Board", k+1, "Out", seatedName(p, t, out), "In", name)})
			}
			for _, e := range t.Roster(team) {
				if !sits[e.ID] {
					add(e.ID, words.EntryName(p, e))
				}
			}
			if out != team {
				add(team, p.T("teams.desk.nobody"))
			}
		}
	}
	return list
}

// seatedName names who sits at a board; a team stands where nobody does.
func seatedName(p lang.Printer, t *tournament.Tournament, id tournament.EntryID) string {
	if e, err := t.Entry(id); err == nil && t.IsTeam(e) {
		return p.T("teams.desk.nobody-of", "Team", words.EntryName(p, e))
	}
	return nameOf(p, t, id)
}
