package tournament

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) bracket(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if t.Format != tournament.KnockOut || t.Status < tournament.Running {
		return store.ErrNotFound
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("tournament.tab.bracket"), "bracket")
	sh.Wide, sh.Styles = true, append(sh.Styles, "bracket.css")
	sh.Scripts = append(sh.Scripts, "bracket.js")
	return s.Render(c, http.StatusOK, tournamentview.BracketPage(sh, s.bracketView(c, t)))
}

func (s pages) bracketView(c echo.Context, t *tournament.Tournament) tournamentview.BracketView {
	p := s.Printer(c)
	view := tournamentview.BracketView{Head: s.TournamentHead(c, t, "/bracket"), Tie: words.TieText(p, t.Tie)}
	if t.Origin != nil {
		view.Seeds = words.TournamentURL(t.ID) + "/origin"
	}
	if t.Losers.IsDouble() {
		view.Final = p.T("bracket.rule." + string(t.Losers))
	}
	if t.Format != tournament.KnockOut {
		return view
	}
	mine, _ := t.EntryOf(page.Viewer(c).ID)
	view.Body = bracketBody(p, t, mine.Number)
	return view
}

// bracketBody is a bracket as whoever has the number mine sees it; 0: as all do.
func bracketBody(p lang.Printer, t *tournament.Tournament, mine int) tournamentview.BracketBody {
	lines := bracketLines{p: p, t: t, b: t.Bracket(len(t.Rounds)), entries: map[int]tournament.Entry{}, boards: map[int]last{}, mine: mine}
	for _, e := range t.Entries {
		if e.Number > 0 {
			lines.entries[e.Number] = e
		}
	}
	for _, r := range t.Rounds {
		for _, b := range r.Pairings {
			lines.boards[b.Contest] = last{r.Number, b}
		}
	}
	return lines.body()
}

// last is the board on which a contest was played last.
type last struct {
	round int
	board tournament.Pairing
}

// bracketLines write a bracket.
type bracketLines struct {
	p       lang.Printer
	t       *tournament.Tournament
	b       contest.Bracket
	entries map[int]tournament.Entry // by number
	boards  map[int]last             // by contest
	mine    int                      // the viewer's number; 0: they do not play
}

func (l bracketLines) body() (body tournamentview.BracketBody) {
	trees := map[string]int{}
	columns := map[string]int{}
	for _, s := range l.b.States {
		if s.Part == contest.Reset && (s.By == contest.Needless || s.Status == contest.Waiting) {
			continue
		}
		box := l.box(s)
		if s.IsThird() {
			body.Third = &box
			continue
		}
		title := words.PartText(l.p, l.t, s.Contest)
		if _, there := trees[title]; !there {
			trees[title] = len(body.Trees)
			body.Trees = append(body.Trees, tournamentview.BracketTree{Title: title})
		}
		tree, level := &body.Trees[trees[title]], words.LevelText(l.p, l.t, s.Contest)
		if s.Part == contest.GrandFinal || s.Part == contest.Reset {
			level = title
		}
		if _, there := columns[title+level]; !there {
			columns[title+level] = len(tree.Rounds)
			tree.Rounds = append(tree.Rounds, tournamentview.BracketRound{Title: level,
				ID: "stage-" + words.Itoa(trees[title]+1) + "-" + words.Itoa(s.Level)})
		}
		r := &tree.Rounds[columns[title+level]]
		r.Boxes = append(r.Boxes, box)
		r.IsNow = r.IsNow || s.Status == contest.Due || s.Status == contest.Playing
	}
	body.Trees = slices.DeleteFunc(body.Trees, tournamentview.BracketTree.IsEmpty)
	for i := range body.Trees {
		rounds := body.Trees[i].Rounds
		for k := range rounds[:len(rounds)-1] {
			rounds[k].Straight = len(rounds[k].Boxes) == len(rounds[k+1].Boxes)
		}
	}
	return body
}

// box is one contest.
func (l bracketLines) box(s contest.State) tournamentview.BracketBox {
	box := tournamentview.BracketBox{IsWaiting: s.Status == contest.Waiting || s.Status == contest.Due, IsLive: s.Status == contest.Playing}
	shown := len(s.Legs) > 0
	for k, number := range s.Sides {
		side := tournamentview.BracketSide{Won: s.Status == contest.Over && number != 0 && s.Winner == number,
			Lost: s.Status == contest.Over && number != 0 && s.Winner != number, IsMe: number != 0 && number == l.mine}
		switch e := l.entries[number]; {
		case number != 0:
			side.Seed, side.Name = words.Itoa(number), e.Name
			box.IsMine = box.IsMine || side.IsMe
			if shown && s.By != contest.ByForfeit {
				side.Score = words.ScoreText(l.p, tournament.Score(5*s.Score[k]))
			}
		case s.Known[k]:
			side.Name, side.Unknown = l.p.T("bracket.nobody"), true
		default:
			side.Name, side.Unknown = l.awaited(s.Slots[k]), true
		}
		box.Sides[k] = side
	}
	box.Note, box.IsEmpty = l.note(s), s.By == contest.ByNobody && s.Sides == [2]int{}
	if at, met := l.boards[s.At]; met && shown {
		if box.URL = words.RoundURL(l.t.ID, at.round); at.board.Match != "" {
			box.URL = words.MatchURL(at.board.Match)
		}
	}
	return box
}

// awaited is who may come to a side: two names, where they are known.
func (l bracketLines) awaited(slot contest.Slot) string {
	of := l.b.States[slot.Of]
	var names []string
	for _, number := range of.Sides {
		if number != 0 {
			names = append(names, l.entries[number].Name)
		}
	}
	if len(names) < 2 {
		return l.p.T("bracket.unknown")
	}
	return l.p.T("bracket.either", "A", names[0], "B", names[1])
}

// note is what is to be said of a contest besides its score.
func (l bracketLines) note(s contest.State) string {
	switch {
	case s.Status == contest.Playing && s.Tie:
		return l.p.T("bracket.tie-break")
	case s.Status == contest.Playing:
		return l.p.T("bracket.playing")
	case s.Status == contest.Due && s.Sealed:
		return l.p.T("bracket.sealed")
	case s.Status == contest.Due && s.Tie:
		return l.p.T("bracket.level")
	case s.Status == contest.Over && s.By > contest.ByScore && s.Sides != [2]int{}:
		return l.p.T("bracket.by." + s.By.String())
	}
	return ""
}
