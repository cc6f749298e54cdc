package desk

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// matchOf returns the match of teams of the address.
func matchOf(c echo.Context, t *tournament.Tournament) (round, n int, err error) {
	if round, err = page.RoundOf(c, t); err != nil {
		return 0, 0, err
	}
	n, err = strconv.Atoi(c.Param("match"))
	if err != nil || n < 1 || n > len(t.Rounds[round-1].Teams) {
		return 0, 0, store.ErrNotFound
	}
	return round, n, nil
}

// forfeit decides that teams forfeit their match, or lifts that.
func (s record) forfeit(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActForfeitMatch)
	if err != nil {
		return err
	}
	round, n, err := matchOf(c, t)
	if err != nil {
		return err
	}
	lost, known := words.LostBy[c.FormValue("lost")]
	if !known {
		return page.ErrBadRequest
	}
	err = s.Arbiter.Desk.ForfeitMatch(c.Request().Context(), page.Viewer(c), t.ID, forfeitOf(t, round, n, lost, reasonOf(c)))
	return s.Answer(c, err, s.showForfeit, words.TeamMatchURL(t.ID, round, n), "flash.saved")
}

// forfeitOf is the decision of a form: a bracket follows, as the preview shows.
func forfeitOf(t *tournament.Tournament, round, n int, lost [2]bool, why string) tournament.MatchForfeit {
	return tournament.MatchForfeit{Round: round, Match: n, Lost: lost, Why: why, Replay: usualReach(t) == tournament.Replay}
}

func (s record) forfeiture(c echo.Context) error { return s.showForfeit(c, nil) }

// showForfeit shows who may forfeit a match of teams, of whichever round, and what follows from the choice.
func (s record) showForfeit(c echo.Context, refused error) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	round, n, err := matchOf(c, t)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	r := t.Rounds[round-1]
	m, score := r.Teams[n-1], t.ScoreOf(r, n)
	names := [2]string{words.NameOf(p, t, m.First), words.NameOf(p, t, m.Second)}
	view := deskview.CorrectionView{
		Head: s.TournamentHead(c, t, "/results"), Title: p.T("teams.desk.forfeit-of", "Round", round, "Match", n),
		BackURL: words.TeamMatchURL(t.ID, round, n), BackText: names[0] + " – " + names[1],
		Facts: []templates.TournamentFact{words.Fact(names[0]+" – "+names[1], "–")},
	}
	if !m.OpenedAt.IsZero() {
		view.Facts[0].Value = words.GamesText(p, score[0], score[1])
	}
	if m.IsForfeited() {
		view.Facts[0].Hint = forfeitText(p, t, m)
	}
	word := c.FormValue("lost")
	lost, chosen := words.LostBy[word]
	switch {
	case !t.May(v, tournament.ActForfeitMatch):
		view.Problem = p.T("desk.may-not")
	case t.Status == tournament.Finalized:
		view.Problem = p.T("desk.error.finalized")
	default:
		view.Ask = &deskview.CorrectionForm{Action: words.ForfeitURL(t.ID, round, n), Title: p.T("teams.desk.forfeit"), Name: "lost"}
		for _, x := range []templates.Choice{{Value: "first", Text: names[0]}, {Value: "second", Text: names[1]},
			{Value: "both", Text: p.T("teams.desk.both")}, {Value: "none", Text: p.T("teams.desk.neither")}} {
			if x.Chosen = chosen && x.Value == word; m.IsForfeited() || x.Value != "none" {
				view.Ask.Results = append(view.Ask.Results, x)
			}
		}
		if !chosen {
			break
		}
		why := words.Shorten(c.FormValue("reason"), tournament.MaxReason)
		after := t.Clone()
		err := s.Arbiter.Desk.TryForfeitMatch(c.Request().Context(), after, v, forfeitOf(t, round, n, lost, why))
		if err != nil {
			if refused == nil {
				refused = err
			}
			break
		}
		effect, err := tables.Compare(t, after, round)
		if err != nil {
			return err
		}
		if view.Effect, err = s.effectView(c, t, after, effect); err != nil {
			return err
		}
		view.Step = &deskview.StepView{
			ID: "forfeit", Title: p.T("teams.desk.forfeit.step"), Button: p.T("teams.desk.forfeit.do"), IsDanger: true,
			What: []string{p.T("teams.desk.forfeit.what")}, Action: words.WithQuery(words.ForfeitURL(t.ID, round, n), "lost", word),
			Reason: templates.Field{Name: "reason", Label: p.T("desk.reason"), Hint: p.T("teams.desk.reason-public"), Max: tournament.MaxReason,
				Required: true, Value: why},
		}
		if word == "none" {
			view.Step.What, view.Step.IsDanger = []string{p.T("teams.desk.forfeit.lift")}, false
		}
		if told := draftAfter(p, t, after); told != "" {
			view.Step.What = append(view.Step.What, told)
		}
	}
	status := http.StatusOK
	if refused != nil {
		var isKnown bool
		if status, isKnown = page.InPlace(refused); !isKnown {
			return refused
		}
		view.Problem = page.TextOf(p, refused)
	}
	return s.Render(c, status, deskview.CorrectionPage(s.DeskShell(c, t, view.Title), view))
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
		d := deskview.DeskMatch{Number: words.Itoa(i + 1), Names: [2]string{words.NameOf(p, t, m.First), words.NameOf(p, t, m.Second)}}
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
			d.LineUps = append(d.LineUps, templates.Link{Text: p.T(key, "Team", words.NameOf(p, t, team)), URL: words.TeamURL(t.ID, team) + "#line-up"})
		}
		if m.IsForfeited() {
			d.Note = forfeitText(p, t, m)
		}
		if t.May(v, tournament.ActForfeitMatch) {
			d.Forfeit = words.ForfeitURL(t.ID, r.Number, i+1)
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
			who = append(who, words.NameOf(p, t, m.TeamAt(seat)))
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
	return words.NameOf(p, t, id)
}
