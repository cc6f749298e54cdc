package event

import (
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// Rulers returns the names of those who gave results that differ from the matches'.
func (s Frame) Rulers(c echo.Context, t *tournament.Tournament) (map[player.ID]string, error) {
	var ids []player.ID
	for _, b := range t.Rounds.AllBoards() {
		if by := b.Result.By; by != "" && t.IsRuled(*b) && !slices.Contains(ids, by) {
			ids = append(ids, by)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return s.NamesOf(c.Request().Context(), ids...)
}

// RuledLines explains the ruled results of a round, and of one match of teams in it; 0 means all.
func (s Frame) RuledLines(c echo.Context, t *tournament.Tournament, round, of int) ([]templates.RuledLine, error) {
	names, err := s.Rulers(c, t)
	if err != nil {
		return nil, err
	}
	var lines []templates.RuledLine
	for n, b := range t.Rounds.AllBoards() {
		if t.IsRuled(*b) && (round == 0 || n == round) && (of == 0 || b.TeamMatch == of) {
			lines = append(lines, words.RuledLine(s.Printer(c), t, n, *b, names))
		}
	}
	return lines, nil
}

// RuledOf explains the ruled results by entry.
func (s Frame) RuledOf(c echo.Context, t *tournament.Tournament) (map[tournament.EntryID][]templates.RuledLine, error) {
	names, err := s.Rulers(c, t)
	if err != nil {
		return nil, err
	}
	lines := map[tournament.EntryID][]templates.RuledLine{}
	for n, b := range t.Rounds.AllBoards() {
		if t.IsRuled(*b) {
			line := words.RuledLine(s.Printer(c), t, n, *b, names)
			lines[b.First], lines[b.Second] = append(lines[b.First], line), append(lines[b.Second], line)
		}
	}
	return lines, nil
}
