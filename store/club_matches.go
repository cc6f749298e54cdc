package store

import (
	"encoding/json"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
)

// LineUp is a club's hidden line-up, by board.
type LineUp struct {
	Club    club.ID
	Players []player.ID
	By      player.ID
	At      time.Time
}

type lineUpRow struct {
	TournamentID string `gorm:"primaryKey"`
	ClubID       string `gorm:"primaryKey"`
	Players      string
	ByPlayer     string
	NamedAt      int64
}

func (lineUpRow) TableName() string { return "club_lineups" }

// LineUps are the line-ups the clubs of a match have named. Until they are revealed they
// stay out of the tournament, whose log is public.
func (tx *Tx) LineUps(id tournament.ID) (map[club.ID]LineUp, error) {
	var rows []lineUpRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Find(&rows).Error; err != nil {
		return nil, wrap(err, "line-ups of %s", id)
	}
	out := make(map[club.ID]LineUp, len(rows))
	for _, r := range rows {
		l := LineUp{Club: club.ID(r.ClubID), By: player.ID(r.ByPlayer), At: at(r.NamedAt)}
		if err := json.Unmarshal([]byte(r.Players), &l.Players); err != nil {
			return nil, wrap(err, "line-up of %s", r.ClubID)
		}
		out[l.Club] = l
	}
	return out, nil
}

// SetLineUp stores a club's line-up in place of the one before.
func (tx *Tx) SetLineUp(id tournament.ID, l LineUp) error {
	players, err := json.Marshal(l.Players)
	if err == nil {
		err = tx.db.Exec(`INSERT INTO club_lineups (tournament_id, club_id, players, by_player, named_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (tournament_id, club_id)
			DO UPDATE SET players = excluded.players, by_player = excluded.by_player, named_at = excluded.named_at`,
			string(id), string(l.Club), string(players), string(l.By), ms(l.At)).Error
	}
	return wrap(err, "set line-up of %s", l.Club)
}

// LineUpsToOpen are the matches with a line-up of a club that is not revealed yet.
func (tx *Tx) LineUpsToOpen(of club.ID) ([]tournament.ID, error) {
	return pluck[tournament.ID](tx.db.Table("club_lineups").Joins("JOIN club_matches m ON m.tournament_id = club_lineups.tournament_id").
		Where("club_lineups.club_id = ? AND m.due_at IS NOT NULL", string(of)).Order("m.due_at, m.tournament_id"),
		"m.tournament_id", "line-ups to open")
}

// DueLineUps are the club matches whose line-ups are due to be revealed.
func (tx *Tx) DueLineUps(now time.Time, limit int) ([]tournament.ID, error) {
	return pluck[tournament.ID](tx.db.Table("club_matches").Where("due_at <= ?", ms(now)).Order("due_at, tournament_id").Limit(limit),
		"tournament_id", "due line-ups")
}

// saveClubMatch stores which clubs a club match is found by, and when its line-ups are
// due.
func (tx *Tx) saveClubMatch(t *tournament.Tournament) error {
	if !t.Format.HasLineUps() {
		return nil
	}
	var due *int64
	if at, waits := t.LineUpsDueAt(); waits {
		due = msOrNull(at)
	}
	return tx.db.Exec(`INSERT INTO club_matches (tournament_id, home_id, guest_id, due_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (tournament_id) DO UPDATE SET home_id = excluded.home_id, guest_id = excluded.guest_id, due_at = excluded.due_at`,
		string(t.ID), string(t.ClubID), string(t.OpponentID), due).Error
}
