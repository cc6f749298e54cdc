package kernel

import (
	"slices"

	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// mostLeagues bounds how many leagues of a club are asked about a player.
const mostLeagues = 1000

// oneTeam returns nil, or league.ErrMate if a change gives a team of a league's division a player who plays for a team of another
// division of the same season.
func oneTeam(tx *store.Tx, before, after *tournament.Tournament) error {
	if !after.HasTeams() || after.ClubID == "" || after.Status.IsOver() {
		return nil
	}
	var fresh []tournament.Entry
	for _, e := range after.Players() {
		old, err := before.Entry(e.ID)
		if e.Player != "" && e.Status == tournament.Active && (err != nil || old.Status != tournament.Active) {
			fresh = append(fresh, e)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	list, _, err := tx.Leagues(store.LeagueQuery{Club: after.ClubID, Limit: mostLeagues})
	if err != nil {
		return err
	}
	for _, l := range list {
		divisions := l.Now().Divisions
		here := slices.IndexFunc(divisions, func(d league.Division) bool { return d.Tournament == after.ID })
		for i, d := range divisions {
			if here < 0 || i == here {
				continue
			}
			t, err := tx.Tournament(d.Tournament)
			if err != nil {
				return err
			}
			for _, e := range fresh {
				other, entered := t.EntryOf(e.Player)
				team, _ := t.Entry(other.Team)
				if entered && other.Status == tournament.Active && team.Status == tournament.Active {
					return league.ErrMate
				}
			}
		}
	}
	return nil
}
