package store

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
)

type profileRow struct {
	PlayerID     string `gorm:"primaryKey"`
	Name         string
	About        string
	Country      string
	FIDE         string `gorm:"column:fide"`
	Links        string
	SeeProfile   string
	SeeHistory   string
	SeeOnline    string
	MayChallenge string
	MayFollow    string
	Hidden       bool
}

func (profileRow) TableName() string { return "profiles" }

func (r profileRow) profile() player.Profile {
	return player.Profile{
		Name: r.Name, About: r.About, Country: r.Country, FIDE: r.FIDE, Links: strings.Fields(r.Links),
		Privacy: player.Privacy{
			Profile: player.Audience(r.SeeProfile), History: player.Audience(r.SeeHistory), Online: player.Audience(r.SeeOnline),
			Challenge: player.Audience(r.MayChallenge), Follow: player.Audience(r.MayFollow), Hidden: r.Hidden,
		},
	}
}

// Profile is what an account tells about itself, with defaults when it has told nothing.
func (tx *Tx) Profile(of player.ID) (player.Profile, error) {
	p, err := findOne(tx.db.Where("player_id = ?", string(of)), profileRow.profile, "profile")
	if errors.Is(err, ErrNotFound) {
		return player.Profile{Privacy: player.DefaultPrivacy()}, nil
	}
	return p, err
}

// SetProfile changes what an account tells about itself.
func (tx *Tx) SetProfile(of player.ID, p player.Profile) error {
	row := profileRow{
		PlayerID: string(of), Name: p.Name, About: p.About, Country: p.Country, FIDE: p.FIDE, Links: strings.Join(p.Links, "\n"),
		SeeProfile: string(p.Privacy.Profile), SeeHistory: string(p.Privacy.History), SeeOnline: string(p.Privacy.Online),
		MayChallenge: string(p.Privacy.Challenge), MayFollow: string(cmp.Or(p.Privacy.Follow, player.Everyone)), Hidden: p.Privacy.Hidden,
	}
	if err := tx.db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
		return wrap(err, "set profile")
	}
	return tx.indexPlayer(of)
}

// Person is what a list from elsewhere may call an account: the name by which a guest came in, or what its owner tells.
type Person struct {
	Player     player.ID
	Name, FIDE string
}

type personRow struct{ PlayerID, Name, Fide string }

func (r personRow) person() Person { return Person{player.ID(r.PlayerID), r.Name, r.Fide} }

// PeopleOf are those a club knows by name, as far as they let clubs know it, and its guests; without a club: all of the site.
func (tx *Tx) PeopleOf(of club.ID) ([]Person, error) {
	guests := tx.db.Table("club_guests").Select("player_id", "name", "'' AS fide")
	told := tx.db.Table("profiles").Select("player_id", "name", "fide").Where("(name <> '' OR fide <> '')")
	if of != "" {
		guests = guests.Where("club_id = ?", string(of))
		told = told.Where("see_profile <> ? AND player_id IN (SELECT player_id FROM club_members WHERE club_id = ?)",
			string(player.Nobody), string(of))
	}
	list, err := findAll(guests, personRow.person, "guests by name")
	if err != nil {
		return nil, err
	}
	more, err := findAll(told, personRow.person, "accounts by name")
	return append(list, more...), err
}

// Relation is how a viewer stands to an account.
func (tx *Tx) Relation(v player.Viewer, of player.ID) (player.Relation, error) {
	r := player.Relation{Self: v.Is(of), SignedIn: v.IsSignedIn(), Operates: v.MayOperate()}
	if !v.IsSignedIn() || r.Self {
		return r, nil
	}
	var err error
	r.Blocked, err = exists(tx.db.Table("blocks").Where("player_id = ? AND blocked_id = ?", string(of), string(v.ID)), "relation")
	if err != nil {
		return r, err
	}
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

// LastHere is when an account last used the site, the zero time without a session.
func (tx *Tx) LastHere(of player.ID) (time.Time, error) {
	last, err := scan[*int64](tx.db.Raw("SELECT MAX(used_at) FROM sessions WHERE player_id = ?", string(of)), "last here")
	return atOrZero(last), err
}

// Blocked are the accounts an account has blocked, the latest first.
func (tx *Tx) Blocked(by player.ID) ([]player.ID, error) {
	return pluck[player.ID](tx.db.Table("blocks").Where("player_id = ?", string(by)).Order("at DESC, blocked_id"), "blocked_id", "blocked")
}

// Block keeps an account from another's profile and challenges, and ends their following
// each other; a repetition changes nothing.
func (tx *Tx) Block(by, who player.ID, now time.Time) error {
	err := tx.db.Exec(`INSERT INTO blocks (player_id, blocked_id, at) VALUES (?, ?, ?)
		ON CONFLICT (player_id, blocked_id) DO NOTHING`, string(by), string(who), ms(now)).Error
	if err != nil {
		return wrap(err, "block")
	}
	return wrap(tx.db.Exec("DELETE FROM follows WHERE player_id = ? AND followed_id = ? OR player_id = ? AND followed_id = ?", string(by),
		string(who), string(who), string(by)).Error, "block")
}

// Unblock undoes Block.
func (tx *Tx) Unblock(by, who player.ID) error {
	return wrap(tx.db.Exec("DELETE FROM blocks WHERE player_id = ? AND blocked_id = ?", string(by), string(who)).Error, "unblock")
}
