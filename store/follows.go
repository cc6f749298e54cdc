package store

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
)

// stillFollows is the SQL condition under which a follower (row f) still hears of the
// account they follow: it neither blocks them nor has closed itself to followers.
const stillFollows = `NOT EXISTS (SELECT 1 FROM blocks b WHERE b.player_id = f.followed_id AND b.blocked_id = f.player_id)
	AND CASE COALESCE((SELECT pr.may_follow FROM profiles pr WHERE pr.player_id = f.followed_id), 'everyone')
		WHEN 'nobody' THEN FALSE
		WHEN 'clubs' THEN EXISTS (SELECT 1 FROM club_members x JOIN club_members y ON y.club_id = x.club_id
			WHERE x.player_id = f.player_id AND y.player_id = f.followed_id)
		ELSE TRUE END`

// Follow notes that one account follows another; a repetition changes nothing.
func (tx *Tx) Follow(by, who player.ID, now time.Time) error {
	return tx.follow("follows", "followed_id", by, string(who), now)
}

// FollowClub notes that an account follows a club; a repetition changes nothing.
func (tx *Tx) FollowClub(by player.ID, id club.ID, now time.Time) error {
	return tx.follow("club_follows", "club_id", by, string(id), now)
}

// follow adds a row as long as there is room, else player.ErrFollowMany.
func (tx *Tx) follow(table, column string, by player.ID, what string, now time.Time) error {
	n, err := count(tx.db.Table(table).Where("player_id = ?", string(by)), "follow")
	if err != nil {
		return err
	}
	if n >= player.MaxFollowed {
		return player.ErrFollowMany
	}
	return wrap(tx.db.Exec("INSERT INTO "+table+" (player_id, "+column+", at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
		string(by), what, ms(now)).Error, "follow")
}

// Unfollow undoes Follow.
func (tx *Tx) Unfollow(by, who player.ID) error {
	return tx.unfollow("DELETE FROM follows WHERE player_id = ? AND followed_id = ?", by, string(who))
}

// UnfollowClub undoes FollowClub.
func (tx *Tx) UnfollowClub(by player.ID, id club.ID) error {
	return tx.unfollow("DELETE FROM club_follows WHERE player_id = ? AND club_id = ?", by, string(id))
}

func (tx *Tx) unfollow(query string, by player.ID, what string) error {
	return wrap(tx.db.Exec(query, string(by), what).Error, "unfollow")
}

// Followed are the accounts and the clubs an account follows, the latest first.
func (tx *Tx) Followed(by player.ID) (people []player.ID, clubs []club.ID, err error) {
	if err = tx.db.Raw("SELECT followed_id FROM follows WHERE player_id = ? ORDER BY at DESC, followed_id",
		string(by)).Scan(&people).Error; err == nil {
		err = tx.db.Raw("SELECT club_id FROM club_follows WHERE player_id = ? ORDER BY at DESC, club_id", string(by)).Scan(&clubs).Error
	}
	if err != nil {
		return nil, nil, wrap(err, "followed")
	}
	return people, clubs, nil
}

// ClubFollowers are the accounts that follow a club.
func (tx *Tx) ClubFollowers(id club.ID) ([]player.ID, error) {
	return pluck[player.ID](tx.db.Table("club_follows").Where("club_id = ?", string(id)).Order("player_id"), "player_id", "club followers")
}

// FriendsMatches are matches of the accounts somebody follows, the latest first, that are
// running or whose end watchers have not seen yet.
func (tx *Tx) FriendsMatches(of player.ID, now time.Time, limit int) ([]Head, error) {
	const theirs = ` AND first_player <> ? AND second_player <> ? AND EXISTS (SELECT 1 FROM follows f WHERE f.player_id = ?
		AND (f.followed_id = matches.first_player OR f.followed_id = matches.second_player) AND ` + stillFollows + ")"
	running, err := tx.publicMatches("opened_at DESC, id", limit, "status < "+matchOver+" AND status > "+matchWaiting+theirs,
		string(of), string(of), string(of))
	if err != nil {
		return nil, err
	}
	ended, err := tx.publicMatches("opened_at DESC, id", limit,
		"status = "+matchOver+" AND last_at > ? AND last_at + feed_seconds * 1000 > ?"+theirs,
		ms(now.Add(-longestDelay)), ms(now), string(of), string(of), string(of))
	if err != nil {
		return nil, err
	}
	all := append(running, ended...)
	slices.SortStableFunc(all, func(a, b Head) int { return b.OpenedAt.Compare(a.OpenedAt) })
	return all[:min(len(all), limit)], nil
}

// Played is a match of an account that a follower has not been told of today.
type Played struct {
	Follower, Followed player.ID
	Match              match.ID
}

// FriendsToTell are followers of accounts that have begun to play since a moment, unless
// they were told of that account under a key that ends in this day.
func (tx *Tx) FriendsToTell(since time.Time, kind, day string, limit int) ([]Played, error) {
	return scan[[]Played](tx.db.Raw(`SELECT f.player_id AS follower, f.followed_id AS followed, matches.id AS match FROM matches
		JOIN follows f ON f.followed_id = matches.first_player OR f.followed_id = matches.second_player
		WHERE matches.status < `+matchOver+` AND matches.status > `+matchWaiting+` AND matches.opened_at > ?
			AND f.player_id <> matches.first_player AND f.player_id <> matches.second_player AND `+public+` AND `+stillFollows+`
		AND NOT EXISTS (SELECT 1 FROM notices n WHERE n.player_id = f.player_id AND n.kind = ? AND n.about = f.followed_id || '/' || ?)
		ORDER BY matches.opened_at, matches.id, f.player_id LIMIT ?`, ms(since), kind, day, limit), "friends to tell")
}

// FriendsIn are, by tournament, the handles of the accounts somebody follows that have
// entered it.
func (tx *Tx) FriendsIn(of player.ID, ids []tournament.ID) (map[tournament.ID][]string, error) {
	var rows []struct{ ID, Handle string }
	err := tx.db.Raw(`SELECT e.tournament_id AS id, p.handle FROM follows f JOIN entries e ON e.player_id = f.followed_id
		JOIN players p ON p.id = f.followed_id
		WHERE f.player_id = ? AND e.tournament_id IN ? AND e.status = ? AND `+stillFollows+` ORDER BY p.handle_key`,
		string(of), texts(ids), uint8(tournament.Active)).Scan(&rows).Error
	if err != nil {
		return nil, wrap(err, "friends in tournaments")
	}
	in := map[tournament.ID][]string{}
	for _, r := range rows {
		in[tournament.ID(r.ID)] = append(in[tournament.ID(r.ID)], r.Handle)
	}
	return in, nil
}

// Follows reports whether one account follows another.
func (tx *Tx) Follows(by, who player.ID) (bool, error) {
	return exists(tx.db.Table("follows").Where("player_id = ? AND followed_id = ?", string(by), string(who)), "follows")
}
