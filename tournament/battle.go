package tournament

import (
	"slices"
	"strings"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// Battle makes teams meet in an arena: nobody is paired with their own, and a team has the scores of its best players. The zero
// value: everybody for themselves.
type Battle struct {
	Teams   []string `json:"teams,omitempty"`   // their names; an entry has the place of its own here, from 1 (Entry.Camp)
	Leaders int      `json:"leaders,omitempty"` // how many players of a team count; 0: DefaultLeaders
}

// Bounds of a battle.
const (
	MinBattleTeams = 2
	MaxBattleTeams = 20
	MaxLeaders     = 20
	DefaultLeaders = 5
)

// ErrNoCamp is returned when somebody chooses a team that does not fight.
var ErrNoCamp = refusal.Invalid("battle.error.team", "tournament: no such team in the battle")

// IsBattle reports whether teams meet in an arena.
func (s Settings) IsBattle() bool { return len(s.Battle.Teams) > 0 }

// LeadersOf returns how many players of a team count.
func (b Battle) LeadersOf() int {
	if b.Leaders == 0 {
		return DefaultLeaders
	}
	return b.Leaders
}

// NameOf returns the name of a team by its place from 1; empty: there is none.
func (b Battle) NameOf(camp int) string {
	if camp < 1 || camp > len(b.Teams) {
		return ""
	}
	return b.Teams[camp-1]
}

// Camp returns the place from 1 of the team with a name that reads the same, as names of people do; 0: none.
func (b Battle) Camp(name string) int {
	key := fold.Key(name)
	return 1 + slices.IndexFunc(b.Teams, func(n string) bool {
		return strings.EqualFold(n, strings.TrimSpace(name)) || key != "" && fold.Key(n) == key
	})
}

// battleFaults finds faults of Battle.
func (s Settings) battleFaults(f *setting.Faults) {
	b := s.Battle
	switch {
	case len(b.Teams) == 0 && b.Leaders == 0:
		return
	case s.Format.InRounds():
		f.Add("battle_teams", "unsuitable", "only an arena can be a battle of teams")
		return
	case len(b.Teams) < MinBattleTeams || len(b.Teams) > MaxBattleTeams:
		f.Add("battle_teams", "range", "a battle has %d…%d teams, not %d", MinBattleTeams, MaxBattleTeams, len(b.Teams))
	}
	for i, name := range b.Teams {
		if name == "" || player.Tidy(name) != name || len([]rune(name)) > MaxNameLength || b.Camp(name) != i+1 {
			f.Add("battle_teams", "order", "each team has a name of its own in one line")
			break
		}
	}
	f.Between("battle_leaders", b.Leaders, MaxLeaders)
}

// campFor returns the team that a new entry fights for: the one chosen or, of those with the fewest players, the first. It is 0 where
// there is no battle. Whoever comes back has the team of before once there are numbers.
func (t *Table) campFor(c Candidate) (int, error) {
	if !t.IsBattle() || c.Camp < 0 || c.Camp > len(t.Battle.Teams) {
		if c.Camp != 0 {
			return 0, ErrNoCamp
		}
		return 0, nil
	}
	if old, again := t.EntryOf(c.Player); again && old.Number > 0 && old.Camp > 0 {
		return old.Camp, nil
	}
	if c.Camp > 0 {
		return c.Camp, nil
	}
	sizes := make([]int, len(t.Battle.Teams))
	for _, e := range t.Entries {
		if e.isIn() && e.Camp > 0 && e.Camp <= len(sizes) {
			sizes[e.Camp-1]++
		}
	}
	return 1 + slices.Index(sizes, slices.Min(sizes)), nil
}

// keepsCamps reports whether all entries have their team under other settings.
func (l Entries) keepsCamps(b Battle) bool {
	return !slices.ContainsFunc(l, func(e Entry) bool { return e.isIn() && (e.Camp > len(b.Teams) || e.Camp == 0 && len(b.Teams) > 0) })
}
