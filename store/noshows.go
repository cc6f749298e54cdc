package store

import (
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

type noShowRow struct {
	ID           string `gorm:"primaryKey"`
	PlayerID     string
	TournamentID string
	Round        int
	Board        int
	MatchID      string
	At           int64
	Appeal       string
	AppealedAt   int64
	Verdict      uint8
	Answer       string
	DecidedBy    string
	DecidedAt    int64
}

func (noShowRow) TableName() string { return "no_shows" }

func (r noShowRow) noShow() player.NoShow {
	return player.NoShow{
		ID: r.ID, Player: player.ID(r.PlayerID), Tournament: r.TournamentID, Round: r.Round, Board: r.Board, Match: r.MatchID, At: at(r.At),
		Appeal: r.Appeal, AppealedAt: at(r.AppealedAt), Verdict: player.Verdict(r.Verdict), Answer: r.Answer,
		DecidedBy: player.ID(r.DecidedBy), DecidedAt: at(r.DecidedAt),
	}
}

// AddNoShow notes that a player did not come to a match; of one match it is
// noted once.
func (tx *Tx) AddNoShow(n player.NoShow) error {
	row := noShowRow{ID: n.ID, PlayerID: string(n.Player), TournamentID: n.Tournament, Round: n.Round,
		Board: n.Board, MatchID: n.Match, At: ms(n.At)}
	conflict := clause.OnConflict{Columns: []clause.Column{{Name: "match_id"}, {Name: "player_id"}}, DoNothing: true}
	if err := tx.db.Clauses(conflict).Create(&row).Error; err != nil {
		return fmt.Errorf("store: add no-show: %w", err)
	}
	return nil
}

// DropNoShows forgets those of a match whose result turned out to be another.
func (tx *Tx) DropNoShows(id match.ID) error {
	if err := tx.db.Where("match_id = ?", string(id)).Delete(&noShowRow{}).Error; err != nil {
		return fmt.Errorf("store: drop no-shows of match %s: %w", id, err)
	}
	return nil
}

// NoShow is one of them.
func (tx *Tx) NoShow(id string) (player.NoShow, error) {
	var row noShowRow
	if err := tx.db.Where("id = ?", id).Take(&row).Error; err != nil {
		return player.NoShow{}, fmt.Errorf("store: no-show %s: %w", id, err)
	}
	return row.noShow(), nil
}

// NoShowsOf are a player's since a moment, the newest first.
func (tx *Tx) NoShowsOf(id player.ID, since time.Time) ([]player.NoShow, error) {
	return tx.noShows("player_id = ? AND at >= ?", string(id), ms(since))
}

// NoShowsIn are those of a tournament, the newest first.
func (tx *Tx) NoShowsIn(id tournament.ID) ([]player.NoShow, error) {
	return tx.noShows("tournament_id = ?", string(id))
}

func (tx *Tx) noShows(where string, args ...any) ([]player.NoShow, error) {
	var rows []noShowRow
	if err := tx.db.Where(where, args...).Order("at DESC, id").Limit(500).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: no-shows: %w", err)
	}
	list := make([]player.NoShow, len(rows))
	for i, r := range rows {
		list[i] = r.noShow()
	}
	return list, nil
}

// SaveAppeal writes a player's appeal. ErrConflict: there is one already.
func (tx *Tx) SaveAppeal(n player.NoShow) error {
	err := guarded(tx.db.Model(&noShowRow{}).Where("id = ? AND appeal = ''", n.ID).
		Updates(map[string]any{"appeal": n.Appeal, "appealed_at": ms(n.AppealedAt)}))
	if err != nil {
		return fmt.Errorf("store: appeal of %s: %w", n.ID, err)
	}
	return nil
}

// SaveVerdict writes what became of an appeal.
func (tx *Tx) SaveVerdict(n player.NoShow) error {
	err := guarded(tx.db.Model(&noShowRow{}).Where("id = ?", n.ID).Updates(map[string]any{
		"verdict": uint8(n.Verdict), "answer": n.Answer, "decided_by": string(n.DecidedBy), "decided_at": ms(n.DecidedAt),
	}))
	if err != nil {
		return fmt.Errorf("store: verdict on %s: %w", n.ID, err)
	}
	return nil
}

// PlayedSince is when a player's matches ended that were played, after a moment.
func (tx *Tx) PlayedSince(id player.ID, since time.Time) ([]time.Time, error) {
	var ends []int64
	for _, side := range []string{"first_player", "second_player"} {
		var part []int64
		err := tx.db.Model(&matchRow{}).Where(side+" = ? AND status = 3 AND outcome <> ? AND reason <> ? AND last_at > ?",
			string(id), uint8(match.Void), string(match.Forfeit), ms(since)).
			Order("last_at").Limit(200).Pluck("last_at", &part).Error
		if err != nil {
			return nil, fmt.Errorf("store: matches played by %s: %w", id, err)
		}
		ends = append(ends, part...)
	}
	times := make([]time.Time, len(ends))
	for i, n := range ends {
		times[i] = at(n)
	}
	return times, nil
}
