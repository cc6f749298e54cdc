package form

import (
	"errors"
	"strings"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

// ConditionLines renders the conditions of entry. who is nil for a visitor, of whom nothing is known.
func ConditionLines(p lang.Printer, t *tournament.Tournament, who *tournament.Candidate,
	list []setting.Verdict) []templates.ConditionLine {
	var lines []templates.ConditionLine
	for _, v := range list {
		l := templates.ConditionLine{Judged: who != nil, Passed: v.Passed}
		switch v.Kind {
		case setting.LeastRating, setting.MostRating:
			l.Text = p.T("entry.condition."+string(v.Kind), "Want", p.Int(v.Want))
			l.Have = p.T("entry.have.rating", "Have", p.Int(v.Have))
			if v.Have == 0 {
				l.Have = p.T("entry.have.no-rating")
			}
		case setting.Games:
			l.Text, l.Have = p.N("entry.condition.games", v.Want), p.N("entry.have.games", v.Have)
		case setting.Age:
			l.Text, l.Have = p.N("entry.condition.age", v.Want), p.N("entry.have.age", v.Have)
		case setting.Club:
			l.Text = p.T("entry.condition.club", "Club", t.Club)
		case setting.Listed:
			l.Text = p.T("entry.condition.list")
		}
		if who == nil {
			l.Have = ""
		}
		lines = append(lines, l)
	}
	if policy := t.Policy.OrOpen(); policy.Level > fairplay.Open {
		l := templates.ConditionLine{Text: p.T("entry.condition.level", "Level", LevelText(p, policy.Level)), Judged: who != nil}
		if who != nil {
			var unmet *fairplay.UnmetError
			if l.Passed = !errors.As(t.Admits(who.Standing, true), &unmet); !l.Passed {
				l.Have = DemandTexts(p, unmet)
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// DemandTexts says what a player lacks for a level.
func DemandTexts(p lang.Printer, e *fairplay.UnmetError) string {
	list := make([]string, len(e.Demands))
	for i, d := range e.Demands {
		list[i] = p.T("fairplay.demand." + string(d))
	}
	text := p.T("entry.lacks", "What", strings.Join(list, "; "))
	if len(e.Ended) > 0 {
		text += ". " + endedTexts(p, e.Ended)
	}
	return text
}
