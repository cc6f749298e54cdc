package store

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
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

// ClubPosts is one page of a club's news, the newest first, and the number of all posts.
func (tx *Tx) ClubPosts(of club.ID, limit, offset int) ([]club.Post, int, error) {
	db := tx.db.Model(&clubPostRow{}).Where("club_id = ?", string(of))
	total, err := count(db, "count club posts")
	if err != nil {
		return nil, 0, err
	}
	posts, err := findAll(db.Order("posted_at DESC, id").Limit(limit).Offset(offset), clubPostRow.post, "club posts")
	return posts, total, err
}

// ClubPost is one post of a club's news.
func (tx *Tx) ClubPost(of club.ID, id club.PostID) (club.Post, error) {
	return findOne(tx.db.Where("club_id = ? AND id = ?", string(of), string(id)), clubPostRow.post, "club post %s", id)
}

// AddClubPost stores a post.
func (tx *Tx) AddClubPost(p club.Post) error {
	row := rowOfPost(p)
	return wrap(tx.db.Create(&row).Error, "add club post")
}

// SetClubPost changes the title and text of a post.
func (tx *Tx) SetClubPost(p club.Post) error {
	return wrap(existing(tx.db.Model(&clubPostRow{}).Where("id = ?", string(p.ID)).
		Updates(map[string]any{"title": p.Title, "body": p.Text, "edited_at": ms(p.Edited)})), "set club post")
}

// DropClubPost deletes a post, if it exists.
func (tx *Tx) DropClubPost(of club.ID, id club.PostID) error {
	return wrap(tx.db.Where("club_id = ? AND id = ?", string(of), string(id)).Delete(&clubPostRow{}).Error, "drop club post")
}
