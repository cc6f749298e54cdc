package event

import (
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// Rulers are the names of those who gave results that are not the matches' own.
func (s Frame) Rulers(c echo.Context, t *tournament.Tournament) (map[player.ID]string, error) {
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
	return s.NamesOf(c.Request().Context(), ids...)
}

// RuledLines say it of a round, or with 0 of all rounds.
func (s Frame) RuledLines(c echo.Context, t *tournament.Tournament, round int) ([]templates.RuledLine, error) {
	names, err := s.Rulers(c, t)
	if err != nil {
		return nil, err
	}
	var lines []templates.RuledLine
	for _, r := range t.Rounds {
		for _, b := range r.Pairings {
			if t.IsRuled(b) && (round == 0 || r.Number == round) {
				lines = append(lines, words.RuledLine(s.Printer(c), t, r.Number, b, names))
			}
		}
	}
	return lines, nil
}

// RuledOf says it of each entry's boards.
func (s Frame) RuledOf(c echo.Context, t *tournament.Tournament) (map[tournament.EntryID][]templates.RuledLine, error) {
	names, err := s.Rulers(c, t)
	if err != nil {
		return nil, err
	}
	lines := map[tournament.EntryID][]templates.RuledLine{}
	for _, r := range t.Rounds {
		for _, b := range r.Pairings {
			if !t.IsRuled(b) {
				continue
			}
			for _, id := range [...]tournament.EntryID{b.First, b.Second} {
				lines[id] = append(lines[id], words.RuledLine(s.Printer(c), t, r.Number, b, names))
			}
		}
	}
	return lines, nil
}
