package store

import (
	"encoding/json"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
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

func (r chatPostRow) post() (p venue.Post, err error) {
	p = venue.Post{
		No: r.No, Tournament: tournament.ID(r.TournamentID), By: player.ID(r.ByID), At: at(r.At), Announcement: r.Announcement, Text: r.Text,
		DeletedBy: player.ID(r.DeletedBy), Settled: r.Settled,
	}
	if r.Reports != "" {
		err = json.Unmarshal([]byte(r.Reports), &p.Reports)
	}
	return p, err
}

func rowOfChatPost(p venue.Post) (chatPostRow, error) {
	r := chatPostRow{string(p.Tournament), p.No, string(p.By), ms(p.At), p.Announcement, p.Text, string(p.DeletedBy), "", p.Settled}
	if len(p.Reports) == 0 {
		return r, nil
	}
	reports, err := json.Marshal(p.Reports)
	r.Reports = string(reports)
	return r, err
}

// Posts are the newest posts of a tournament, the newest first. Deleted ones are
// included: the reader decides who may see them.
func (tx *Tx) Posts(id tournament.ID, announcements bool, limit int) ([]venue.Post, error) {
	return tx.posts(id, limit, "announcement = ?", announcements)
}

// ReportedPosts are the posts that wait for staff, the newest first.
func (tx *Tx) ReportedPosts(id tournament.ID, limit int) ([]venue.Post, error) {
	return tx.posts(id, limit, "reports <> '' AND settled = ?", false)
}

func (tx *Tx) posts(id tournament.ID, limit int, where string, arg any) ([]venue.Post, error) {
	return parseAll(tx.db.Where("tournament_id = ?", string(id)).Where(where, arg).Order("no DESC").Limit(limit), chatPostRow.post,
		"posts of %s", id)
}

// Post is one post of a tournament.
func (tx *Tx) Post(id tournament.ID, no int) (venue.Post, error) {
	return parseOne(tx.db.Where("tournament_id = ? AND no = ?", string(id), no), chatPostRow.post, "post %d of %s", no, id)
}

// AddPost gives a post the next number and stores it, ErrConflict if another came first.
func (tx *Tx) AddPost(p venue.Post) (venue.Post, error) {
	last, err := scan[int](tx.db.Raw("SELECT COALESCE(MAX(no), 0) FROM tournament_posts WHERE tournament_id = ?", string(p.Tournament)),
		"add post")
	if err != nil {
		return p, err
	}
	p.No = last + 1
	return p, wrap(guarded(tx.db.Exec(`INSERT INTO tournament_posts (tournament_id, no, by_id, at, announcement, text, settled)
		VALUES (?, ?, ?, ?, ?, ?, FALSE)
		ON CONFLICT (tournament_id, no) DO NOTHING`,
		string(p.Tournament), p.No, string(p.By), ms(p.At), p.Announcement, p.Text)), "add post")
}

// SavePost stores the deletion, reports and settlement of a post.
func (tx *Tx) SavePost(p venue.Post) error {
	row, err := rowOfChatPost(p)
	if err == nil {
		err = guarded(tx.db.Model(&chatPostRow{}).Where("tournament_id = ? AND no = ?", row.TournamentID, row.No).
			Select("deleted_by", "reports", "settled").Updates(&row))
	}
	return wrap(err, "save post")
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

// Mutes are all mutes of a tournament, including those that are over.
func (tx *Tx) Mutes(id tournament.ID) ([]venue.Mute, error) {
	return findAll(tx.db.Where("tournament_id = ?", string(id)).Order("at"), func(r muteRow) venue.Mute {
		return venue.Mute{Player: player.ID(r.PlayerID), By: player.ID(r.ByID), At: at(r.At), Until: at(r.UntilAt), Reason: r.Reason}
	}, "mutes of %s", id)
}

// SaveMute mutes a player or changes until when.
func (tx *Tx) SaveMute(id tournament.ID, m venue.Mute) error {
	row := muteRow{string(id), string(m.Player), string(m.By), ms(m.At), ms(m.Until), m.Reason}
	return wrap(tx.db.Save(&row).Error, "mute")
}

// DropMute ends a mute, ErrNotFound without one.
func (tx *Tx) DropMute(id tournament.ID, p player.ID) error {
	return wrap(existing(tx.db.Where("tournament_id = ? AND player_id = ?", string(id), string(p)).Delete(&muteRow{})), "unmute")
}
