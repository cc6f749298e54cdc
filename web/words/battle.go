package words

import (
	"strings"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// BattleTeamURL is the page of a team of a battle, by its place in the settings from 1.
func BattleTeamURL(id tournament.ID, camp int) string {
	return TournamentURL(id) + "/battle/" + Itoa(camp)
}

// BattleFact names the teams of a battle and says who of them counts.
func BattleFact(p lang.Printer, b tournament.Battle) templates.TournamentFact {
	return templates.TournamentFact{Name: p.T("teams.teams"), Value: strings.Join(b.Teams, ", "), Hint: p.N("battle.rule", b.LeadersOf())}
}

// CampChoices offers the teams of a battle, and to leave the choice: then it is the one with the fewest players. None: there is no battle.
func CampChoices(p lang.Printer, s tournament.Settings, chosen int) (list []templates.Choice) {
	if !s.IsBattle() {
		return nil
	}
	list = append(list, templates.Choice{Value: "0", Text: p.T("battle.any"), Chosen: chosen == 0})
	for i, name := range s.Battle.Teams {
		list = append(list, templates.Choice{Value: Itoa(i + 1), Text: name, Chosen: chosen == i+1})
	}
	return list
}
