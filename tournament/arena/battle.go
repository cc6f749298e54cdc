package arena

import (
	"cmp"
	"slices"

	"chpok.org/chpok/tournament"
)

// TeamLine is the line of a team in the table of a battle.
type TeamLine struct {
	Rank        int // shared by equal teams
	Team        int // by its place in Battle.Teams, from 1
	Score       int // of the leaders
	Next        int // the score of the player after them, which breaks ties
	Performance int // the mean of those of the leaders who have one, rounded; 0: none has
	Players     int // who have entered and not left
	Members     []Line
	Leaders     int // how many of Members count, which are in the order of the table
}

// BattleOf returns the table of the teams of a battle: by the scores of their best players, then the score of the next, then the
// mean performance. Who was disqualified counts for nobody.
func BattleOf(t *tournament.Table) []TeamLine {
	lines := make([]TeamLine, len(t.Battle.Teams))
	for i := range lines {
		lines[i].Team = i + 1
	}
	for _, e := range t.Entries {
		if e.Camp > 0 && e.Camp <= len(lines) && e.Status == tournament.Active {
			lines[e.Camp-1].Players++
		}
	}
	for _, l := range TableOf(t) {
		if e := t.Entries[l.ID-1]; e.Camp > 0 && e.Camp <= len(lines) && !e.Expelled {
			lines[e.Camp-1].Members = append(lines[e.Camp-1].Members, l)
		}
	}
	for i := range lines {
		lines[i].count(t.Battle.LeadersOf())
	}
	slices.SortStableFunc(lines, orderTeams)
	for i := range lines {
		lines[i].Rank = i + 1
		if i > 0 && orderTeams(lines[i-1], lines[i]) == 0 {
			lines[i].Rank = lines[i-1].Rank
		}
	}
	return lines
}

// count adds up what the first members of a team have.
func (l *TeamLine) count(leaders int) {
	l.Leaders = min(leaders, len(l.Members))
	sum, rated := 0, 0
	for _, m := range l.Members[:l.Leaders] {
		l.Score += m.Score
		if m.Performance > 0 {
			sum, rated = sum+m.Performance, rated+1
		}
	}
	if rated > 0 {
		l.Performance = (sum + rated/2) / rated
	}
	if l.Leaders < len(l.Members) {
		l.Next = l.Members[l.Leaders].Score
	}
}

func orderTeams(a, b TeamLine) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Next, a.Next), cmp.Compare(b.Performance, a.Performance))
}
