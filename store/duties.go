package store

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
)

// Waiting is a duty that waits for a player: so many items in a tournament or club with a
// name.
type Waiting struct {
	ID, Name string
	Count    int
}

func (tx *Tx) waiting(what, query string, args ...any) ([]Waiting, error) {
	return scan[[]Waiting](tx.db.Raw(query, args...), "%s", what)
}

// StaffInvitations are the tournaments a player is invited to help run.
func (tx *Tx) StaffInvitations(of player.ID) ([]Waiting, error) {
	return tx.waiting("staff invitations",
		`SELECT t.id, t.name, 1 AS count FROM tournament_staff s JOIN tournaments t ON t.id = s.tournament_id
		WHERE s.player_id = ? AND s.invited ORDER BY t.name, t.id`, string(of))
}

// CallsToAnswer are open calls in tournaments where a player is an owner or arbiter.
func (tx *Tx) CallsToAnswer(of player.ID) ([]Waiting, error) {
	return tx.waiting("calls to answer",
		`SELECT t.id, t.name, COUNT(*) AS count FROM match_calls c JOIN tournaments t ON t.id = c.tournament_id
		JOIN tournament_staff s ON s.tournament_id = t.id WHERE s.player_id = ? AND NOT s.invited AND s.duty IN (?, ?) AND c.resolved_at = 0
		GROUP BY t.id, t.name ORDER BY t.name, t.id`, string(of), uint8(tournament.Owner), uint8(tournament.Arbiter))
}

// HasActiveEntry reports whether a player takes part in a tournament.
func (tx *Tx) HasActiveEntry(id tournament.ID, who player.ID) (bool, error) {
	return exists(tx.db.Table("entries").Where("tournament_id = ? AND player_id = ? AND status = "+entryActive, string(id), string(who)),
		"entry of %s", id)
}

// IsStaff reports whether somebody helps run a tournament.
func (tx *Tx) IsStaff(id tournament.ID, who player.ID) (bool, error) {
	return exists(tx.db.Model(&staffRow{}).Where("tournament_id = ? AND player_id = ? AND NOT invited", string(id), string(who)), "staff of %s", id)
}

// StaffedTournaments are the upcoming and running tournaments a player helps run.
func (tx *Tx) StaffedTournaments(of player.ID, limit int) ([]tournament.ID, error) {
	return scan[[]tournament.ID](tx.db.Raw(`SELECT t.id FROM tournament_staff s JOIN tournaments t ON t.id = s.tournament_id
		WHERE s.player_id = ? AND NOT s.invited AND t.status IN (?, ?) ORDER BY t.status DESC, t.created_at DESC, t.id LIMIT ?`,
		string(of), uint8(tournament.Registration), uint8(tournament.Running), limit), "staffed tournaments")
}

// WaitingRequests are requests to join clubs in which a player has one of these roles.
func (tx *Tx) WaitingRequests(of player.ID, roles []club.Role) ([]Waiting, error) {
	words := make([]string, len(roles))
	for i, r := range roles {
		words[i] = r.String()
	}
	return tx.waiting("waiting requests", `SELECT c.id, c.name, COUNT(*) AS count FROM club_requests r JOIN clubs c ON c.id = r.club_id
		JOIN club_members m ON m.club_id = c.id WHERE m.player_id = ? AND m.role IN ? GROUP BY c.id, c.name
		ORDER BY c.name, c.id`, string(of), words)
}
