package store

import (
	"encoding/json"
	"fmt"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/talk"
)

type chatPostRow struct {
	TournamentID string `gorm:"primaryKey"`
	No           int    `gorm:"primaryKey;autoIncrement:false"`
	ByID         string
	At           int64
	Announcement bool
	Text         string
	DeletedBy    string
	Reports      string
	Settled      bool
}

func (chatPostRow) TableName() string { return "tournament_posts" }

func (r chatPostRow) post() (talk.Post, error) {
	p := talk.Post{
		No: r.No, Tournament: tournament.ID(r.TournamentID), By: player.ID(r.ByID), At: at(r.At), Announcement: r.Announcement, Text: r.Text,
		DeletedBy: player.ID(r.DeletedBy), Settled: r.Settled,
	}
	if r.Reports == "" {
		return p, nil
	}
	return p, json.Unmarshal([]byte(r.Reports), &p.Reports)
}

func rowOfChatPost(p talk.Post) (chatPostRow, error) {
	r := chatPostRow{string(p.Tournament), p.No, string(p.By), ms(p.At), p.Announcement, p.Text, string(p.DeletedBy), "", p.Settled}
	if len(p.Reports) == 0 {
		return r, nil
	}
	reports, err := json.Marshal(p.Reports)
	r.Reports = string(reports)
	return r, err
}

// Posts are the newest of a tournament, the newest first. Deleted ones are among
// them: who may read what was deleted is for the reader to say.
func (tx *Tx) Posts(id tournament.ID, announcements bool, limit int) ([]talk.Post, error) {
	return tx.posts(id, limit, "announcement = ?", announcements)
}

// ReportedPosts are those that wait for staff, the newest first.
func (tx *Tx) ReportedPosts(id tournament.ID, limit int) ([]talk.Post, error) {
	return tx.posts(id, limit, "reports <> '' AND settled = ?", false)
}

func (tx *Tx) posts(id tournament.ID, limit int, where string, arg any) ([]talk.Post, error) {
	var rows []chatPostRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Where(where, arg).Order("no DESC").Limit(limit).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: posts of %s: %w", id, err)
	}
	posts := make([]talk.Post, len(rows))
	for i, r := range rows {
		p, err := r.post()
		if err != nil {
			return nil, fmt.Errorf("store: post %d of %s: %w", r.No, id, err)
		}
		posts[i] = p
	}
	return posts, nil
}

// Post is one of them.
func (tx *Tx) Post(id tournament.ID, no int) (talk.Post, error) {
	var row chatPostRow
	if err := tx.db.Where("tournament_id = ? AND no = ?", string(id), no).Take(&row).Error; err != nil {
		return talk.Post{}, fmt.Errorf("store: post %d of %s: %w", no, id, err)
	}
	return row.post()
}

// AddPost gives a post the next number and stores it. ErrConflict: another came
// first.
func (tx *Tx) AddPost(p talk.Post) (talk.Post, error) {
	var last int
	if err := tx.db.Raw("SELECT COALESCE(MAX(no), 0) FROM tournament_posts WHERE tournament_id = ?", string(p.Tournament)).
		Scan(&last).Error; err != nil {
		return p, fmt.Errorf("store: add post: %w", err)
	}
	p.No = last + 1
	row, err := rowOfChatPost(p)
	if err != nil {
		return p, fmt.Errorf("store: add post: %w", err)
	}
	result := tx.db.Exec(`INSERT INTO tournament_posts (tournament_id, no, by_id, at, announcement, text, settled)
		VALUES (?, ?, ?, ?, ?, ?, FALSE)
		ON CONFLICT (tournament_id, no) DO NOTHING`, row.TournamentID, row.No, row.ByID, row.At, row.Announcement, row.Text)
	if err := guarded(result); err != nil {
		return p, fmt.Errorf("store: add post: %w", err)
	}
	return p, nil
}

// SavePost writes what became of a post.
func (tx *Tx) SavePost(p talk.Post) error {
	row, err := rowOfChatPost(p)
	if err == nil {
		err = guarded(tx.db.Model(&chatPostRow{}).Where("tournament_id = ? AND no = ?", row.TournamentID, row.No).
			Select("deleted_by", "reports", "settled").Updates(&row))
	}
	if err != nil {
		return fmt.Errorf("store: save post: %w", err)
	}
	return nil
}

type muteRow struct {
	TournamentID string `gorm:"primaryKey"`
	PlayerID     string `gorm:"primaryKey"`
	ByID         string
	At           int64
	UntilAt      int64
	Reason       string
}

func (muteRow) TableName() string { return "tournament_mutes" }

// Mutes are those of a tournament, those that are over among them.
func (tx *Tx) Mutes(id tournament.ID) ([]talk.Mute, error) {
	var rows []muteRow
	if err := tx.db.Where("tournament_id = ?", string(id)).Order("at").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: mutes of %s: %w", id, err)
	}
	mutes := make([]talk.Mute, len(rows))
	for i, r := range rows {
		mutes[i] = talk.Mute{Player: player.ID(r.PlayerID), By: player.ID(r.ByID), At: at(r.At), Until: at(r.UntilAt), Reason: r.Reason}
	}
	return mutes, nil
}

// SaveMute mutes somebody, or changes until when.
func (tx *Tx) SaveMute(id tournament.ID, m talk.Mute) error {
	row := muteRow{string(id), string(m.Player), string(m.By), ms(m.At), ms(m.Until), m.Reason}
	if err := tx.db.Save(&row).Error; err != nil {
		return fmt.Errorf("store: mute: %w", err)
	}
	return nil
}

// DropMute lets somebody talk again.
func (tx *Tx) DropMute(id tournament.ID, p player.ID) error {
	if err := guarded(tx.db.Where("tournament_id = ? AND player_id = ?", string(id), string(p)).Delete(&muteRow{})); err != nil {
		return fmt.Errorf("store: unmute: %w", err)
	}
	return nil
}
