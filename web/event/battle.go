package event

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/web/words"
)

// BattleLines renders the teams of a battle with the players who count; none where there is no battle.
func BattleLines(p lang.Printer, v player.Viewer, t *tournament.Tournament) (list []eventview.BattleLine) {
	if !t.IsBattle() {
		return nil
	}
	own, _ := t.EntryOf(v.ID)
	for _, l := range arena.BattleOf(&t.Table) {
		line := eventview.BattleLine{Rank: words.Itoa(l.Rank), Score: p.Int(l.Score), Players: p.Int(l.Players), IsMine: own.Camp == l.Team,
			Team: templates.Link{Text: t.Battle.NameOf(l.Team), URL: words.BattleTeamURL(t.ID, l.Team)}}
		for _, m := range l.Members[:l.Leaders] {
			if m.Games == 0 {
				continue
			}
			e, _ := t.Entry(tournament.EntryID(m.ID)) // they are in the table
			ref := words.EntryRefOf(t, e)
			ref.Score = p.Int(m.Score)
			line.Leaders = append(line.Leaders, ref)
		}
		list = append(list, line)
	}
	return list
}
