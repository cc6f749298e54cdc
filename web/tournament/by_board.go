package tournament

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// scorers returns the tournament of the address and what the players of its teams scored.
func (s pages) scorers(c echo.Context) (*tournament.Tournament, []format.Scorer, error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return nil, nil, err
	}
	if !t.HasTeams() || t.Status < tournament.Running {
		return nil, nil, store.ErrNotFound
	}
	list, err := format.Scorers(t)
	return t, list, err
}

// byBoard shows the players of teams by board, the best first.
func (s pages) byBoard(c echo.Context) error {
	t, list, err := s.scorers(c)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	view := tournamentview.ByBoardView{Head: s.TournamentHead(c, t, "/by-board"), Caption: event.Caption(p, t, p.T("teams.by-board")),
		Switch: tableSwitch(p, t, "/by-board"), CSV: words.TournamentURL(t.ID) + "/by-board.csv"}
	for _, x := range list {
		title := p.T("teams.reserves")
		if x.Board <= t.Teams.Boards {
			title = p.T("teams.board-n", "N", x.Board)
		}
		if n := len(view.Boards); n == 0 || view.Boards[n-1].Title != title {
			view.Boards = append(view.Boards, tournamentview.BoardScorers{Title: title})
		}
		line := tournamentview.ScorerLine{Rank: words.NumberText(x.Rank), Team: templates.Link{Text: x.Team.Name, URL: words.EntryURL(t.ID, x.Team.ID)},
			RosterLine: eventview.RosterLine{Player: words.StandingRef(t, x.Entry), Points: words.ScoreText(p, x.Points),
				Games: words.Itoa(x.Games), Performance: words.ValueText(p, x.Performance), IsMe: v.Is(x.Entry.Player)}}
		last := &view.Boards[len(view.Boards)-1]
		last.Lines = append(last.Lines, line)
	}
	return s.Render(c, http.StatusOK, tournamentview.ByBoardPage(s.TournamentShell(c, t, p.T("teams.by-board"), ""), view))
}

func (s pages) byBoardCSV(c echo.Context) error {
	t, list, err := s.scorers(c)
	if err != nil {
		return err
	}
	rows := [][]string{{"board", "rank", "player", "team", "rating", "points", "games", "performance"}}
	for _, x := range list {
		performance := ""
		if x.Performance.Defined {
			performance = x.Performance.String()
		}
		rows = append(rows, []string{words.Itoa(x.Board), words.NumberText(x.Rank), x.Entry.Name, x.Team.Name, words.NumberText(x.Entry.Rating),
			scoreNumber(x.Points), words.Itoa(x.Games), performance})
	}
	return page.SendCSV(c, s.Printer(c).Event(t.Name), "by-board.csv", rows)
}
