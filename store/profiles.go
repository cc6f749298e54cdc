package store

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/player"
)

type profileRow struct {
	PlayerID     string `gorm:"primaryKey"`
	Name         string
	About        string
	Country      string
	Links        string
	SeeProfile   string
	SeeHistory   string
	SeeOnline    string
	MayChallenge string
	MayFollow    string
	Hidden       bool
}

func (profileRow) TableName() string { return "profiles" }

// Profile is what an account tells about itself; with the defaults when it has
// told nothing.
func (tx *Tx) Profile(of player.ID) (player.Profile, error) {
	var r profileRow
	err := tx.db.Where("player_id = ?", string(of)).Take(&r).Error
	if errors.Is(err, ErrNotFound) {
		return player.Profile{Privacy: player.DefaultPrivacy()}, nil
	}
	if err != nil {
		return player.Profile{}, fmt.Errorf("store: profile: %w", err)
	}
	return player.Profile{
		Name: r.Name, About: r.About, Country: r.Country, Links: strings.Fields(r.Links),
		Privacy: player.Privacy{
			Profile: player.Audience(r.SeeProfile), History: player.Audience(r.SeeHistory), Online: player.Audience(r.SeeOnline),
			Challenge: player.Audience(r.MayChallenge), Follow: player.Audience(r.MayFollow), Hidden: r.Hidden,
		},
	}, nil
}

// SetProfile changes what an account tells about itself.
func (tx *Tx) SetProfile(of player.ID, p player.Profile) error {
	row := profileRow{
		PlayerID: string(of), Name: p.Name, About: p.About, Country: p.Country, Links: strings.Join(p.Links, "\n"),
		SeeProfile: string(p.Privacy.Profile), SeeHistory: string(p.Privacy.History), SeeOnline: string(p.Privacy.Online),
		MayChallenge: string(p.Privacy.Challenge), MayFollow: string(cmp.Or(p.Privacy.Follow, player.Everyone)), Hidden: p.Privacy.Hidden,
	}
	if err := tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
		return fmt.Errorf("store: set profile: %w", err)
	}
	return tx.indexPlayer(of)
}

// Relation is what a viewer is to an account.
func (tx *Tx) Relation(v player.Viewer, of player.ID) (player.Relation, error) {
	r := player.Relation{Self: v.Is(of), SignedIn: v.IsSignedIn(), Operates: v.MayOperate()}
	if !v.IsSignedIn() || r.Self {
		return r, nil
	}
	var n int64
	err := tx.db.Table("blocks").Where("player_id = ? AND blocked_id = ?", string(of), string(v.ID)).Count(&n).Error
	if err != nil {
		return r, fmt.Errorf("store: relation: %w", err)
	}
	r.Blocked = n > 0
	mine, err := tx.Memberships(v.ID)
	if err != nil {
		return r, err
	}
	theirs, err := tx.Memberships(of)
	if err != nil {
		return r, err
	}
	for _, a := range mine {
		for _, b := range theirs {
			r.SharesClub = r.SharesClub || a.Club == b.Club
		}
	}
	return r, nil
}

// LastHere is when an account last used the site, zero: in none of its sessions.
func (tx *Tx) LastHere(of player.ID) (time.Time, error) {
	var last *int64
	if err := tx.db.Raw("SELECT MAX(used_at) FROM sessions WHERE player_id = ?", string(of)).Scan(&last).Error; err != nil {
		return time.Time{}, fmt.Errorf("store: last here: %w", err)
	}
	return atOrZero(last), nil
}

// Blocked are the accounts that an account has blocked, the latest first.
func (tx *Tx) Blocked(by player.ID) ([]player.ID, error) {
	var ids []player.ID
	err := tx.db.Raw("SELECT blocked_id FROM blocks WHERE player_id = ? ORDER BY at DESC, blocked_id", string(by)).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("store: blocked: %w", err)
	}
	return ids, nil
}

// Block keeps an account from another's profile and challenges, and neither follows the
// other any more; again, nothing happens.
func (tx *Tx) Block(by, who player.ID, now time.Time) error {
	err := tx.db.Exec(`INSERT INTO blocks (player_id, blocked_id, at) VALUES (?, ?, ?)
		ON CONFLICT (player_id, blocked_id) DO NOTHING`, string(by), string(who), ms(now)).Error
	if err != nil {
		return fmt.Errorf("store: block: %w", err)
	}
	if err := tx.db.Exec("DELETE FROM follows WHERE player_id = ? AND followed_id = ? OR player_id = ? AND followed_id = ?", string(by),
		string(who), string(who), string(by)).Error; err != nil {
		return fmt.Errorf("store: block: %w", err)
	}
	return nil
}

// Unblock takes that back.
func (tx *Tx) Unblock(by, who player.ID) error {
	if err := tx.db.Exec("DELETE FROM blocks WHERE player_id = ? AND blocked_id = ?", string(by), string(who)).Error; err != nil {
		return fmt.Errorf("store: unblock: %w", err)
	}
	return nil
}
