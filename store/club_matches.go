package store

import (
	"encoding/json"
	"fmt"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// LineUp is who plays for a club, by board, while it is hidden.
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

// LineUps are those that the clubs of a match have named. They are no part of the
// tournament, whose log everybody may read, before they are laid open.
func (tx *Tx) LineUps(id tournament.ID) (map[club.ID]LineUp, error) {
	var rows []lineUpRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: line-ups of %s: %w", id, err)
	}
	out := make(map[club.ID]LineUp, len(rows))
	for _, r := range rows {
		l := LineUp{Club: club.ID(r.ClubID), By: player.ID(r.ByPlayer), At: at(r.NamedAt)}
		if err := json.Unmarshal([]byte(r.Players), &l.Players); err != nil {
			return nil, fmt.Errorf("store: line-up of %s: %w", r.ClubID, err)
		}
		out[l.Club] = l
	}
	return out, nil
}

// SetLineUp names who plays for a club, instead of what it named before.
func (tx *Tx) SetLineUp(id tournament.ID, l LineUp) error {
	players, err := json.Marshal(l.Players)
	if err == nil {
		err = tx.db.Exec(`INSERT INTO club_lineups (tournament_id, club_id, players, by_player, named_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (tournament_id, club_id)
			DO UPDATE SET players = excluded.players, by_player = excluded.by_player, named_at = excluded.named_at`,
			string(id), string(l.Club), string(players), string(l.By), ms(l.At)).Error
	}
	if err != nil {
		return fmt.Errorf("store: set line-up of %s: %w", l.Club, err)
	}
	return nil
}

// DueLineUps are the club matches whose line-ups are to be laid open by now.
func (tx *Tx) DueLineUps(now time.Time, limit int) (ids []tournament.ID, err error) {
	if err := tx.db.Table("club_matches").Where("due_at <= ?", ms(now)).Order("due_at, tournament_id").
		Limit(limit).Pluck("tournament_id", &ids).Error; err != nil {
		return nil, fmt.Errorf("store: due line-ups: %w", err)
	}
	return ids, nil
}

// saveClubMatch keeps by which clubs a club match is found, and when its line-ups
// are due.
func (tx *Tx) saveClubMatch(t *tournament.Tournament) error {
	if t.Format != tournament.ClubMatch {
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
