package store

import (
	"cmp"
	"fmt"
	"slices"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
)

type clubRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	NameKey   string
	About     string
	Joining   string
	Code      string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	Version   int64
}

func (clubRow) TableName() string { return "clubs" }

func (r clubRow) club() club.Club {
	joining, _ := club.ParseJoining(r.Joining) // the schema lets no other word in
	return club.Club{ID: club.ID(r.ID), Name: r.Name, Text: r.About, Joining: joining,
		Code: r.Code, Created: at(r.CreatedAt), Version: r.Version}
}

func rowOfClub(c club.Club) clubRow {
	return clubRow{string(c.ID), c.Name, club.NameKey(c.Name), c.Text, c.Joining.String(), c.Code, ms(c.Created), c.Version}
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

// ClubNames are the names of those clubs that exist.
func (tx *Tx) ClubNames(ids ...club.ID) (map[club.ID]string, error) {
	var rows []clubRow
	if err := tx.db.Select("id", "name").Where("id IN ?", texts(ids)).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: club names: %w", err)
	}
	names := make(map[club.ID]string, len(rows))
	for _, r := range rows {
		names[club.ID(r.ID)] = r.Name
	}
	return names, nil
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

// Members are all of a club, the highest role first, then by time of joining.
func (tx *Tx) Members(id club.ID) ([]club.Membership, error) {
	return tx.memberships("club_id = ?", string(id))
}

// Memberships are the clubs of one player, those they decide in first.
func (tx *Tx) Memberships(of player.ID) ([]club.Membership, error) {
	return tx.memberships("player_id = ?", string(of))
}

// clubStaff are the members of a club who are more than members.
func (tx *Tx) clubStaff(id club.ID) ([]club.Membership, error) {
	if id == "" {
		return nil, nil
	}
	members, err := tx.memberships("role <> 'member' AND club_id = ?", string(id))
	if len(members) == 0 {
		return nil, err
	}
	return members, err
}

func (tx *Tx) memberships(where, arg string) ([]club.Membership, error) {
	var rows []memberRow
	if err := tx.db.Where(where, arg).Order("joined_at, player_id, club_id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: memberships: %w", err)
	}
	out := make([]club.Membership, len(rows))
	for i, r := range rows {
		out[i] = r.membership()
	}
	slices.SortStableFunc(out, func(a, b club.Membership) int { return cmp.Compare(b.Role, a.Role) })
	return out, nil
}

// HostingClubs are those that have announced tournaments, the busiest first.
func (tx *Tx) HostingClubs(limit int) ([]club.Club, error) {
	var rows []clubRow
	err := tx.db.Raw(`SELECT `+columnsOf("c", clubRow{})+` FROM clubs c JOIN (SELECT club_id, COUNT(*) AS n FROM tournaments
		WHERE club_id IS NOT NULL AND status > 1 AND rehearsal = '' GROUP BY club_id) h
		ON h.club_id = c.id ORDER BY h.n DESC, c.name_key LIMIT ?`, limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: hosting clubs: %w", err)
	}
	list := make([]club.Club, len(rows))
	for i, r := range rows {
		list[i] = r.club()
	}
	return list, nil
}
