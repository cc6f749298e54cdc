package store

import (
	"fmt"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
)

type clubRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	NameKey   string
	About     string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
}

func (clubRow) TableName() string { return "clubs" }

func (r clubRow) club() club.Club {
	return club.Club{ID: club.ID(r.ID), Name: r.Name, Text: r.About, Created: at(r.CreatedAt)}
}

type memberRow struct {
	ClubID   string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	Role     string
	JoinedAt int64
}

func (memberRow) TableName() string { return "club_members" }

func (r memberRow) membership() club.Membership {
	role, _ := club.ParseRole(r.Role) // the schema lets no other word in
	return club.Membership{Club: club.ID(r.ClubID), Player: player.ID(r.PlayerID), Role: role, Joined: at(r.JoinedAt)}
}

// Club finds a club, ErrNotFound without one.
func (tx *Tx) Club(id club.ID) (club.Club, error) {
	var row clubRow
	if err := tx.db.Where("id = ?", string(id)).Take(&row).Error; err != nil {
		return club.Club{}, fmt.Errorf("store: club %s: %w", id, err)
	}
	return row.club(), nil
}

// Clubs are all, in no order that a language would recognise, with the number of members of each.
func (tx *Tx) Clubs() ([]club.Club, map[club.ID]int, error) {
	var rows []clubRow
	if err := tx.db.Order("name_key").Find(&rows).Error; err != nil {
		return nil, nil, fmt.Errorf("store: clubs: %w", err)
	}
	var counts []struct {
		ClubID string
		N      int
	}
	if err := tx.db.Model(&memberRow{}).Select("club_id, COUNT(*) AS n").Group("club_id").Scan(&counts).Error; err != nil {
		return nil, nil, fmt.Errorf("store: count members: %w", err)
	}
	out, members := make([]club.Club, len(rows)), make(map[club.ID]int, len(counts))
	for i, r := range rows {
		out[i] = r.club()
	}
	for _, c := range counts {
		members[club.ID(c.ClubID)] = c.N
	}
	return out, members, nil
}

// Members are all of a club, heads first, then by time of joining.
func (tx *Tx) Members(id club.ID) ([]club.Membership, error) {
	return tx.memberships("club_id = ?", string(id))
}

// Memberships are the clubs of one player.
func (tx *Tx) Memberships(of player.ID) ([]club.Membership, error) {
	return tx.memberships("player_id = ?", string(of))
}

func (tx *Tx) memberships(where, arg string) ([]club.Membership, error) {
	var rows []memberRow
	if err := tx.db.Where(where, arg).Order("role, joined_at, player_id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: memberships: %w", err)
	}
	out := make([]club.Membership, len(rows))
	for i, r := range rows {
		out[i] = r.membership()
	}
	return out, nil
}

// AddClub creates a club, ErrTaken when the name is in use.
func (tx *Tx) AddClub(c club.Club) error {
	row := clubRow{string(c.ID), c.Name, club.NameKey(c.Name), c.Text, ms(c.Created)}
	if err := tx.db.Create(&row).Error; err != nil {
		return fmt.Errorf("store: add club: %w", err)
	}
	return nil
}

// SetClub changes a club's name and text.
func (tx *Tx) SetClub(c club.Club) error {
	r := tx.db.Model(&clubRow{}).Where("id = ?", string(c.ID)).Updates(map[string]any{"name": c.Name, "name_key": club.NameKey(c.Name), "about": c.Text})
	if r.Error == nil && r.RowsAffected == 0 {
		r.Error = ErrNotFound
	}
	if r.Error != nil {
		return fmt.Errorf("store: set club: %w", r.Error)
	}
	return nil
}

// SetMember makes somebody a member, or gives a member another role.
func (tx *Tx) SetMember(m club.Membership) error {
	err := tx.db.Exec(`INSERT INTO club_members (club_id, player_id, role, joined_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (club_id, player_id) DO UPDATE SET role = excluded.role`, string(m.Club), string(m.Player), m.Role.String(), ms(m.Joined)).Error
	if err != nil {
		return fmt.Errorf("store: set member: %w", err)
	}
	return nil
}

// DropMember ends a membership; of one that does not exist nothing is left to end.
func (tx *Tx) DropMember(id club.ID, of player.ID) error {
	if err := tx.db.Exec("DELETE FROM club_members WHERE club_id = ? AND player_id = ?", string(id), string(of)).Error; err != nil {
		return fmt.Errorf("store: drop member: %w", err)
	}
	return nil
}
