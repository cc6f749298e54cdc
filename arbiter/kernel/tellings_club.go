package kernel

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

func clubPath(id club.ID) string { return "/clubs/" + string(id) }

// requestKey starts the keys of what is told of a request to join.
func requestKey(id club.ID, of player.ID) string { return string(id) + "/" + string(of) }

// EndRequests settles what those who may admit were told of requests that are answered or taken back.
func (a *Kernel) EndRequests(tx *store.Tx, before, after club.Roster) error {
	for _, q := range before.Requests {
		if !after.HasAsked(q.Player) {
			if err := tx.EndNotices(notice.AdmissionMatter, requestKey(after.ID, q.Player), a.Now()); err != nil {
				return err
			}
		}
	}
	return nil
}

// ClubNotices are what a change of a club means to people: those who may admit hear of a
// new request, and those who asked hear the answer.
func ClubNotices(before, after club.Roster, by player.Viewer, now time.Time) []notice.Notice {
	var list []notice.Notice
	key := fmt.Sprint(after.ID, "/", before.Version+1)
	add := func(to player.ID, kind notice.Kind, url, key string, args map[string]string) {
		args["Club"] = after.Name
		list = append(list, notice.Notice{To: to, Kind: kind, Key: key, URL: url, Args: args})
	}
	for _, q := range after.Requests {
		if before.HasAsked(q.Player) {
			continue
		}
		for _, m := range after.Members {
			if club.Allows(m.Role, club.ActAdmit) {
				add(m.Player, notice.ClubRequest, clubPath(after.ID)+"/people", requestKey(after.ID, q.Player)+fmt.Sprint("/", before.Version+1),
					map[string]string{"By": string(by.Handle)})
			}
		}
	}
	for _, q := range before.Requests {
		isIn := slices.ContainsFunc(after.Members, func(m club.Membership) bool { return m.Player == q.Player })
		switch {
		case by.Is(q.Player) || after.HasAsked(q.Player):
		case isIn:
			add(q.Player, notice.ClubAccepted, clubPath(after.ID), key, map[string]string{})
		default:
			add(q.Player, notice.ClubRefused, clubPath(after.ID), key, map[string]string{})
		}
	}
	return list
}

// TellTeams tells those who act for a club's teams of which somebody was who has left the club.
func (a *Kernel) TellTeams(tx *store.Tx, before, after club.Roster) error {
	left := slices.DeleteFunc(slices.Clone(before.Members), func(m club.Membership) bool { return after.RoleOf(m.Player) != 0 })
	if len(left) == 0 {
		return nil
	}
	for _, m := range left {
		if err := a.tellTeams(tx, after, m.Player); err != nil {
			return err
		}
	}
	return nil
}

// tellTeams tells those who act for a club's teams of which somebody was who has left the club, that they do not sit down.
func (a *Kernel) tellTeams(tx *store.Tx, of club.Roster, who player.ID) error {
	teams, err := tx.TeamsWith(who, of.ID)
	if err != nil || len(teams) == 0 {
		return err
	}
	players, err := tx.Players(who)
	if err != nil {
		return err
	}
	name := cmp.Or(string(players[who].Handle), "—") // erased since
	var list []notice.Notice
	for _, x := range teams {
		t, err := tx.Tournament(x.Tournament)
		if err != nil {
			return err
		}
		team, err := t.Entry(x.Team)
		if err != nil {
			return err
		}
		for _, to := range team.Heads() {
			list = append(list, notice.Notice{To: to, Kind: notice.ClubTeam, Key: fmt.Sprint(t.ID, "/left/", who, "/", of.Version),
				URL: TeamPath(t.ID, team.ID), Args: map[string]string{"Club": of.Name, "Tournament": t.Name, "Player": name, "Case": "left"}})
		}
	}
	return a.Notify(tx, list...)
}

// tellClubFollowers tells the followers of a club that it has announced an event.
func (a *Kernel) tellClubFollowers(tx *store.Tx, before, after *tournament.Tournament, by player.Viewer) error {
	isFresh := before.Status <= tournament.Draft && after.Status == tournament.Registration
	if !isFresh || after.ClubID == "" || after.Rehearsal != "" {
		return nil
	}
	ids, err := tx.ClubFollowers(after.ClubID)
	if err != nil || len(ids) == 0 {
		return err
	}
	of, err := tx.Club(after.ClubID)
	if err != nil {
		return err
	}
	var list []notice.Notice
	for _, id := range ids {
		if !by.Is(id) {
			list = append(list, notice.Notice{
				To: id, Kind: notice.FollowedClub, Key: string(after.ID), URL: TournamentPath(after.ID), When: after.StartsAt(),
				Zone: after.Zone, Args: map[string]string{"Club": of.Name, "Tournament": after.Name},
			})
		}
	}
	return a.Notify(tx, list...)
}
