package store

import (
	"fmt"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
)

type clubPostRow struct {
	ID       string `gorm:"primaryKey"`
	ClubID   string
	AuthorID string
	Title    string
	Body     string
	PostedAt int64
	EditedAt int64
}

func (clubPostRow) TableName() string { return "club_posts" }

func (r clubPostRow) post() club.Post {
	return club.Post{
		ID: club.PostID(r.ID), Club: club.ID(r.ClubID), Author: player.ID(r.AuthorID),
		Title: r.Title, Text: r.Body, At: at(r.PostedAt), Edited: at(r.EditedAt),
	}
}

func rowOfPost(p club.Post) clubPostRow {
	return clubPostRow{string(p.ID), string(p.Club), string(p.Author), p.Title, p.Text, ms(p.At), ms(p.Edited)}
}

// ClubPosts is one page of a club's news, the newest first, and how many there are.
func (tx *Tx) ClubPosts(of club.ID, limit, offset int) ([]club.Post, int, error) {
	db := tx.db.Model(&clubPostRow{}).Where("club_id = ?", string(of))
	var total int64
	if err := db.Count(&total).Error; err != nil {
		return nil, 0, fmt.Errorf("store: count club posts: %w", err)
	}
	var rows []clubPostRow
	if err := db.Order("posted_at DESC, id").Limit(limit).Offset(offset).Find(&rows).Error; err != nil {
		return nil, 0, fmt.Errorf("store: club posts: %w", err)
	}
	out := make([]club.Post, len(rows))
	for i, r := range rows {
		out[i] = r.post()
	}
	return out, int(total), nil
}

// ClubPost is one piece of a club's news.
func (tx *Tx) ClubPost(of club.ID, id club.PostID) (club.Post, error) {
	var row clubPostRow
	if err := tx.db.Where("club_id = ? AND id = ?", string(of), string(id)).Take(&row).Error; err != nil {
		return club.Post{}, fmt.Errorf("store: club post %s: %w", id, err)
	}
	return row.post(), nil
}

// AddClubPost adds a piece of news.
func (tx *Tx) AddClubPost(p club.Post) error {
	row := rowOfPost(p)
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add club post: %w", err)
	}
	return nil
}

// SetClubPost changes what a piece of news says.
func (tx *Tx) SetClubPost(p club.Post) error {
	r := tx.db.Model(&clubPostRow{}).Where("id = ?", string(p.ID)).
		Updates(map[string]any{"title": p.Title, "body": p.Text, "edited_at": ms(p.Edited)})
	if r.Error == nil && r.RowsAffected == 0 {
		r.Error = ErrNotFound
	}
	if r.Error != nil {
		return fmt.Errorf("store: set club post: %w", r.Error)
	}
	return nil
}

// DropClubPost deletes a piece of news; of one that does not exist nothing is left to delete.
func (tx *Tx) DropClubPost(of club.ID, id club.PostID) error {
	if err := tx.db.Where("club_id = ? AND id = ?", string(of), string(id)).Delete(&clubPostRow{}).Error; err != nil {
		return fmt.Errorf("store: drop club post: %w", err)
	}
	return nil
}
