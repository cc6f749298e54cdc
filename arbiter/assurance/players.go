package assurance

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// Meets is nil, player.ErrGuestPlays, or a *fairplay.UnmetError.
func (a *Office) Meets(tx *store.Tx, by player.Viewer, p fairplay.Policy) error {
	if err := mayBegin(tx, by.Player); err != nil {
		return err
	}
	standing, err := StandingOf(tx, by.Player, a.Now())
	if err != nil {
		return err
	}
	return p.OrOpen().Admit(standing, true)
}

// MayInClub is nil or why the viewer may not do an act in a club.
func MayInClub(tx *store.Tx, by player.Viewer, in club.ID, act club.Act) error {
	if _, err := tx.Club(in); err != nil {
		return err
	}
	role, err := tx.ClubRole(by.ID, in)
	if err == nil && !club.May(by, role, act) {
		err = club.ErrNotAllowed
	}
	return err
}

// mayBegin is nil, or player.ErrGuestPlays for a guest who plays already.
func mayBegin(tx *store.Tx, p player.Player) error {
	if !p.Guest {
		return nil
	}
	heads, err := tx.MatchesOf(p.ID, 1) // running ones come first
	if err != nil {
		return err
	}
	running := 0
	if len(heads) > 0 && heads[0].Status != match.Over {
		running = 1
	}
	if !p.MayBegin(running) {
		return player.ErrGuestPlays
	}
	return nil
}

// LadderActor is the viewer as an actor on a ladder.
func LadderActor(tx *store.Tx, by player.Viewer, l *ladder.Ladder) (ladder.Actor, error) {
	role, err := tx.ClubRole(by.ID, l.Settings.Club)
	if err != nil {
		return ladder.Actor{}, err
	}
	others, err := ladderJudges(tx, l, club.ActHold)
	return ladder.Actor{Player: by.ID, Directs: l.MayDirect(by, role), Others: others}, err
}

// ladderJudges are those who run a ladder, and those whose role in its club allows an act.
func ladderJudges(tx *store.Tx, l *ladder.Ladder, a club.Act) ([]player.ID, error) {
	ids := []player.ID{l.Organizer}
	if l.Settings.Club == "" {
		return ids, nil
	}
	members, err := tx.Members(l.Settings.Club)
	for _, m := range members {
		if m.Player != l.Organizer && (club.Allows(m.Role, a) || club.Allows(m.Role, club.ActHold)) {
			ids = append(ids, m.Player)
		}
	}
	return ids, err
}

// TeamOf is the team of a club, by whose name it goes, with those who name its players.
func TeamOf(tx *store.Tx, id club.ID) (of tournament.TeamOf, err error) {
	c, err := tx.Club(id)
	if err != nil {
		return of, err
	}
	of = tournament.TeamOf{Name: c.Name, Club: c.Name, ClubID: id}
	members, err := tx.Members(id)
	for _, m := range members {
		if club.Allows(m.Role, club.ActLineUp) {
			of.Officers = append(of.Officers, m.Player)
		}
	}
	return of, err
}

// WatchedBy are the players of a tournament whom its arbiters have decided to watch.
func WatchedBy(tx *store.Tx, id tournament.ID) (map[player.ID]bool, error) {
	reviews, err := tx.ReviewsIn(id.Place())
	watched := map[player.ID]bool{}
	for _, r := range reviews {
		if r.Stands(review.DecideSupervise) {
			watched[r.Player] = true
		}
	}
	return watched, err
}
