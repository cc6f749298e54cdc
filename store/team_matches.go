package store

import (
	"encoding/json"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
)

type teamMatchRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Number       int    `gorm:"primaryKey;autoIncrement:false"`
	FirstEntry   int
	SecondEntry  int
	Contest      int
	OpenedAt     int64
	Lost         uint8
	ByPlayer     string
	Why          string
}

func (teamMatchRow) TableName() string { return "team_matches" }

func (r teamMatchRow) pairing() tournament.TeamPairing {
	return tournament.TeamPairing{First: tournament.EntryID(r.FirstEntry), Second: tournament.EntryID(r.SecondEntry),
		Contest: r.Contest, OpenedAt: at(r.OpenedAt), Lost: [2]bool{r.Lost&1 != 0, r.Lost&2 != 0}, By: player.ID(r.ByPlayer), Why: r.Why}
}

func rowOfTeamMatch(id tournament.ID, round, n int, p tournament.TeamPairing) teamMatchRow {
	row := teamMatchRow{TournamentID: string(id), Round: round, Number: n, FirstEntry: int(p.First), SecondEntry: int(p.Second),
		Contest: p.Contest, OpenedAt: ms(p.OpenedAt), ByPlayer: string(p.By), Why: p.Why}
	for i, lost := range p.Lost {
		if lost {
			row.Lost |= 1 << i
		}
	}
	return row
}

// teamMatches adds the matches of teams to the rounds of a tournament.
func (tx *Tx) teamMatches(id tournament.ID, rounds []tournament.Round) error {
	var rows []teamMatchRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Order("round, number").Find(&rows).Error; err != nil {
		return wrap(err, "matches of teams of %s", id)
	}
	for _, r := range rows {
		rounds[r.Round-1].Teams = append(rounds[r.Round-1].Teams, r.pairing())
	}
	return nil
}

// saveTeamMatches writes the matches of a round that differ.
func (tx *Tx) saveTeamMatches(id tournament.ID, before, after tournament.Round) error {
	if len(before.Teams) > len(after.Teams) { // teams of a knock-out that meet in another round have named nobody for this one
		var gone []int
		for _, p := range before.Teams {
			if n, _ := after.MatchOf(p.First); n == 0 {
				gone = append(gone, int(p.First), int(p.Second))
			}
		}
		if err := tx.dropTeamMatches(id, after.Number, gone); err != nil {
			return err
		}
		before.Teams = nil
	}
	var fresh []teamMatchRow
	for i, p := range after.Teams {
		row := rowOfTeamMatch(id, after.Number, i+1, p)
		switch {
		case i >= len(before.Teams):
			fresh = append(fresh, row)
		case before.Teams[i] != p:
			if err := guarded(tx.db.Model(&teamMatchRow{}).
				Where("tournament_id = ? AND round = ? AND number = ?", row.TournamentID, row.Round, row.Number).
				Select("*").Updates(&row)); err != nil {
				return err
			}
		}
	}
	return tx.db.CreateInBatches(fresh, 100).Error
}

// dropTeamMatches deletes the matches of a round, and the line-ups of some teams; nil: of all.
func (tx *Tx) dropTeamMatches(id tournament.ID, round int, teams []int) error {
	where := "tournament_id = ? AND round = ?"
	if err := tx.db.Where(where, string(id), round).Delete(&teamMatchRow{}).Error; err != nil {
		return err
	}
	lineUps := tx.db.Where(where, string(id), round)
	if teams != nil {
		lineUps = lineUps.Where("team IN ?", teams)
	}
	return lineUps.Delete(&teamLineUpRow{}).Error
}

// TeamLineUp is whom a team has named for a round, in board order.
type TeamLineUp struct {
	Team    tournament.EntryID
	Players []tournament.EntryID
	By      player.ID
	At      time.Time
}

type teamLineUpRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Team         int    `gorm:"primaryKey;autoIncrement:false"`
	Players      string
	ByPlayer     string
	NamedAt      int64
}

func (teamLineUpRow) TableName() string { return "line_ups" }

// TeamLineUps returns whom teams have named for a round. Until the boards of a match open, no other team may see it.
func (tx *Tx) TeamLineUps(id tournament.ID, round int) (map[tournament.EntryID]TeamLineUp, error) {
	var rows []teamLineUpRow
	if err := tx.db.Where("tournament_id = ? AND round = ?", string(id), round).Find(&rows).Error; err != nil {
		return nil, wrap(err, "line-ups of %s", id)
	}
	out := make(map[tournament.EntryID]TeamLineUp, len(rows))
	for _, r := range rows {
		l := TeamLineUp{Team: tournament.EntryID(r.Team), By: player.ID(r.ByPlayer), At: at(r.NamedAt)}
		if err := json.Unmarshal([]byte(r.Players), &l.Players); err != nil {
			return nil, wrap(err, "line-up of team %d of %s", r.Team, id)
		}
		out[l.Team] = l
	}
	return out, nil
}

// TeamRef names a team of a tournament.
type TeamRef struct {
	Tournament tournament.ID
	Team       tournament.EntryID
}

// TeamsWith are the teams of a club that somebody plays for, in tournaments that are not over.
func (tx *Tx) TeamsWith(id player.ID, of club.ID) (list []TeamRef, err error) {
	err = tx.db.Raw(`SELECT t.tournament_id AS tournament, t.id AS team FROM entries t
		JOIN entries e ON e.tournament_id = t.tournament_id AND e.team = t.id AND e.player_id = ? AND e.status = `+entryActive+`
		JOIN tournaments x ON x.id = t.tournament_id AND x.status <= `+eventRunning+`
		WHERE t.club_id = ? ORDER BY x.created_at, t.id`, string(id), string(of)).Scan(&list).Error
	return list, wrap(err, "teams with a player")
}

// SetTeamLineUp stores whom a team has named for a round in place of those before.
func (tx *Tx) SetTeamLineUp(id tournament.ID, round int, l TeamLineUp) error {
	players, err := json.Marshal(l.Players)
	if err == nil {
		err = tx.db.Exec(`INSERT INTO line_ups (tournament_id, round, team, players, by_player, named_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (tournament_id, round, team)
			DO UPDATE SET players = excluded.players, by_player = excluded.by_player, named_at = excluded.named_at`,
			string(id), round, int(l.Team), string(players), string(l.By), ms(l.At)).Error
	}
	return wrap(err, "set line-up of team %d", l.Team)
}
