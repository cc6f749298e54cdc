package web

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

// rulers are the names of those who gave results that are not the matches' own.
func (s *Server) rulers(c echo.Context, t *tournament.Tournament) (map[player.ID]string, error) {
	var ids []player.ID
	for _, r := range t.Rounds {
		for _, b := range r.Pairings {
			if by := b.Result.By; by != "" && t.IsRuled(b) && !slices.Contains(ids, by) {
				ids = append(ids, by)
			}
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return s.namesOf(c.Request().Context(), ids...)
}

// ruledID is where a page says why a board's result is not the match's own.
func ruledID(round, board int) string { return "ruled-" + itoa(round) + "-" + itoa(board) }

// ruledIn is that place for the board of an entry in a round; empty: it is the match's own.
func ruledIn(t *tournament.Tournament, id tournament.EntryID, round int) string {
	if b, ruled := t.RuledBoard(id, round); ruled {
		return ruledID(round, b.Board)
	}
	return ""
}

// firstRuled is the first of those of an entry.
func firstRuled(t *tournament.Tournament, id tournament.EntryID) string {
	for n := range t.Rounds {
		if at := ruledIn(t, id, n+1); at != "" {
			return at
		}
	}
	return ""
}

// ruledRounds are the rounds in which an entry's result is not the match's own, for files.
func ruledRounds(t *tournament.Tournament, id tournament.EntryID) string {
	var rounds []string
	for n := range t.Rounds {
		if _, ruled := t.RuledBoard(id, n+1); ruled {
			rounds = append(rounds, itoa(n+1))
		}
	}
	return strings.Join(rounds, " ")
}

// ruledLines say it of a round, or with 0 of all rounds.
func (s *Server) ruledLines(c echo.Context, t *tournament.Tournament, round int) ([]tournamentview.RuledLine, error) {
	names, err := s.rulers(c, t)
	if err != nil {
		return nil, err
	}
	var lines []tournamentview.RuledLine
	for _, r := range t.Rounds {
		for _, b := range r.Pairings {
			if t.IsRuled(b) && (round == 0 || r.Number == round) {
				lines = append(lines, ruledLine(s.printer(c), t, r.Number, b, names))
			}
		}
	}
	return lines, nil
}

// ruledOf says it of each entry's boards.
func (s *Server) ruledOf(c echo.Context, t *tournament.Tournament) (map[tournament.EntryID][]tournamentview.RuledLine, error) {
	names, err := s.rulers(c, t)
	if err != nil {
		return nil, err
	}
	lines := map[tournament.EntryID][]tournamentview.RuledLine{}
	for _, r := range t.Rounds {
		for _, b := range r.Pairings {
			if !t.IsRuled(b) {
				continue
			}
			for _, id := range [...]tournament.EntryID{b.First, b.Second} {
				lines[id] = append(lines[id], ruledLine(s.printer(c), t, r.Number, b, names))
			}
		}
	}
	return lines, nil
}

func ruledLine(p lang.Printer, t *tournament.Tournament, round int, b tournament.Pairing, names map[player.ID]string) tournamentview.RuledLine {
	r := b.Result
	var parts []string
	switch who := names[r.By]; {
	case r.Was != tournament.Pending:
		parts = append(parts, p.T("tournament.ruled.rule"))
	case t.IsOwn(b):
		parts = append(parts, p.T("tournament.ruled.by", "Who", who+" ("+p.T("tournament.ruled.own")+")", "When", p.DateTime(r.At)))
	case who == "":
		parts = append(parts, p.DateTime(r.At))
	default:
		parts = append(parts, p.T("tournament.ruled.by", "Who", who, "When", p.DateTime(r.At)))
	}
	if r.Why != "" {
		parts = append(parts, "“"+r.Why+"”")
	}
	if before, _ := resultText(p, max(r.Stood, r.Was)); before != "" {
		parts = append(parts, p.T("tournament.ruled.before", "Result", before))
	}
	if rated, _ := resultText(p, r.Rated); rated != "" {
		parts = append(parts, p.T("tournament.ruled.rated", "Result", rated))
	}
	first, _ := t.Entry(b.First) // a pairing's entries are in the tournament
	second, _ := t.Entry(b.Second)
	text, _ := resultText(p, r.Kind)
	return tournamentview.RuledLine{ID: ruledID(round, b.Board), Text: p.T("tournament.ruled.line",
		"Round", round, "Board", b.Board, "First", first.Name, "Second", second.Name, "Result", text, "Note", strings.Join(parts, "; "))}
}

// ruledNote is the same for files; empty: the result is the match's own.
func ruledNote(t *tournament.Tournament, b tournament.Pairing, names map[player.ID]string) string {
	if !t.IsRuled(b) {
		return ""
	}
	r := b.Result
	parts := []string{r.At.UTC().Format(time.RFC3339)}
	if who := names[r.By]; who != "" {
		parts = append([]string{"by " + who}, parts...)
	}
	if r.Why != "" {
		parts = append(parts, strconv.Quote(r.Why))
	}
	if before := max(r.Stood, r.Was); before != tournament.Pending {
		parts = append(parts, "before "+before.String())
	}
	if r.Rated != tournament.Pending {
		parts = append(parts, "rated "+r.Rated.String())
	}
	return strings.Join(parts, ", ")
}
