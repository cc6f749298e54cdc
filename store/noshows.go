package store

import (
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

// AddNoShow notes that a player did not come to a match; once per match.
func (tx *Tx) AddNoShow(n player.NoShow) error {
	row := noShowRow{ID: n.ID, PlayerID: string(n.Player), TournamentID: n.Tournament, Round: n.Round,
		Board: n.Board, MatchID: n.Match, At: ms(n.At)}
	conflict := clause.OnConflict{Columns: []clause.Column{{Name: "match_id"}, {Name: "player_id"}}, DoNothing: true}
	return wrap(tx.db.Clauses(conflict).Create(&row).Error, "add no-show")
}

// DropNoShows deletes those of a match whose result was changed.
func (tx *Tx) DropNoShows(id match.ID) error {
	return wrap(tx.db.Where("match_id = ?", string(id)).Delete(&noShowRow{}).Error, "drop no-shows of match %s", id)
}

// NoShow is one no-show.
func (tx *Tx) NoShow(id string) (player.NoShow, error) {
	return findOne(tx.db.Where("id = ?", id), noShowRow.noShow, "no-show %s", id)
}

// NoShowsOf are a player's no-shows since a moment, the newest first.
func (tx *Tx) NoShowsOf(id player.ID, since time.Time) ([]player.NoShow, error) {
	return tx.noShows("player_id = ? AND at >= ?", string(id), ms(since))
}

// NoShowsIn are the no-shows in a tournament, the newest first.
func (tx *Tx) NoShowsIn(id tournament.ID) ([]player.NoShow, error) {
	return tx.noShows("tournament_id = ?", string(id))
}

func (tx *Tx) noShows(where string, args ...any) ([]player.NoShow, error) {
	return findAll(tx.db.Where(where, args...).Order("at DESC, id").Limit(500), noShowRow.noShow, "no-shows")
}

// SaveAppeal stores a player's appeal, ErrConflict if there is one already.
func (tx *Tx) SaveAppeal(n player.NoShow) error {
	err := guarded(tx.db.Model(&noShowRow{}).Where("id = ? AND appeal = ''", n.ID).
		Updates(map[string]any{"appeal": n.Appeal, "appealed_at": ms(n.AppealedAt)}))
	return wrap(err, "appeal of %s", n.ID)
}

// SaveVerdict stores the decision on an appeal.
func (tx *Tx) SaveVerdict(n player.NoShow) error {
	err := guarded(tx.db.Model(&noShowRow{}).Where("id = ?", n.ID).Updates(map[string]any{
		"verdict": uint8(n.Verdict), "answer": n.Answer, "decided_by": string(n.DecidedBy), "decided_at": ms(n.DecidedAt),
	}))
	return wrap(err, "verdict on %s", n.ID)
}

// PlayedSince is when those of a player's matches ended that were played and ended after a
// moment.
func (tx *Tx) PlayedSince(id player.ID, since time.Time) ([]time.Time, error) {
	var ends []int64
	for _, side := range []string{"first_player", "second_player"} {
		part, err := pluck[int64](tx.db.Model(&matchRow{}).
			Where(side+" = ? AND status = "+matchOver+" AND outcome <> ? AND reason <> ? AND last_at > ?",
				string(id), uint8(match.Void), string(match.Forfeit), ms(since)).Order("last_at").Limit(200), "last_at", "matches played by %s", id)
		if err != nil {
			return nil, err
		}
		ends = append(ends, part...)
	}
	return moments(ends), nil
}
