package store

import (
	"cmp"
	"slices"

	"gorm.io/gorm"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
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

func (tx *Tx) clubOf(r clubRow) club.Club {
	joining, _ := club.ParseJoining(r.Joining) // the schema lets no other word in
	return club.Club{ID: club.ID(r.ID), Name: r.Name, Text: r.About, Joining: joining,
		Code: tx.unsealed("club", r.Code), Created: at(r.CreatedAt), Version: r.Version}
}

func (tx *Tx) rowOfClub(c club.Club) clubRow {
	return clubRow{string(c.ID), c.Name, club.NameKey(c.Name), c.Text, c.Joining.String(), tx.sealed("club", c.Code), ms(c.Created), c.Version}
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
	return findOne(tx.db.Where("id = ?", string(id)), tx.clubOf, "club %s", id)
}

// ClubNames are the names of those clubs that exist.
func (tx *Tx) ClubNames(ids ...club.ID) (map[club.ID]string, error) {
	return byID(ids, func(some []string) *gorm.DB { return tx.db.Select("id", "name").Where("id IN ?", some) },
		func(r clubRow) (club.ID, string) { return club.ID(r.ID), r.Name }, "club names")
}

// Clubs are all clubs, in no order that a language would recognize, and their numbers of
// members.
func (tx *Tx) Clubs() ([]club.Club, map[club.ID]int, error) {
	clubs, err := findAll(tx.db.Order("name_key"), tx.clubOf, "clubs")
	if err != nil {
		return nil, nil, err
	}
	members, err := tx.counts("count members", "SELECT club_id AS id, COUNT(*) AS n FROM club_members GROUP BY club_id")
	if err != nil {
		return nil, nil, err
	}
	byClub := make(map[club.ID]int, len(members))
	for id, n := range members {
		byClub[club.ID(id)] = n
	}
	return clubs, byClub, nil
}

// Members are the members of a club, the highest role first, then by time of joining.
func (tx *Tx) Members(id club.ID) ([]club.Membership, error) {
	return tx.memberships("club_id = ?", string(id))
}

// Memberships are the clubs of one player, the highest role first.
func (tx *Tx) Memberships(of player.ID) ([]club.Membership, error) {
	return tx.memberships("player_id = ?", string(of))
}

// ClubRole is a player's role in a club, zero for none.
func (tx *Tx) ClubRole(of player.ID, in club.ID) (club.Role, error) {
	list, err := findAll(tx.db.Where("player_id = ? AND club_id = ?", string(of), string(in)), memberRow.membership, "club role")
	if len(list) == 0 {
		return 0, err
	}
	return list[0].Role, err
}

// clubStaff are the members of a club with a role above member; nil without any.
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
	out, err := findAll(tx.db.Where(where, arg).Order("joined_at, player_id, club_id"), memberRow.membership, "memberships")
	slices.SortStableFunc(out, func(a, b club.Membership) int { return cmp.Compare(b.Role, a.Role) })
	return out, err
}

// HostingClubs are the clubs that have announced tournaments, the busiest first.
func (tx *Tx) HostingClubs(limit int) ([]club.Club, error) {
	return findAll(tx.db.Raw(`SELECT `+columnsOf("c", clubRow{})+` FROM clubs c JOIN (SELECT club_id, COUNT(*) AS n FROM tournaments
		WHERE club_id IS NOT NULL AND status > `+eventDraft+` AND rehearsal = '' GROUP BY club_id) h
		ON h.club_id = c.id ORDER BY h.n DESC, c.name_key LIMIT ?`, limit), tx.clubOf, "hosting clubs")
}
