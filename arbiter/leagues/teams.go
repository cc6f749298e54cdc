package leagues

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// Team is a team as its captain writes it, with people by handles.
type Team struct {
	Name     string
	Club     club.ID  // of a new team: it plays for; its members alone play, and its officers act for the team
	Captains []string // none: those it has; of a new one the viewer
	Players  []string // in board order
}

// memberOf reads who is meant: a handle, a team as league.Team writes it as a member, or nothing. Nothing is the viewer or,
// in a league of teams, the one team that they act for.
func memberOf(tx *store.Tx, l *league.League, by player.Viewer, me league.Actor, who string) (league.Member, error) {
	if m := league.Member(who); m.IsTeam() {
		if l.Team(m) == nil {
			return "", league.ErrNoTeam
		}
		return m, nil
	}
	if who == "" && l.HasTeams() {
		own := slices.DeleteFunc(slices.Clone(l.Teams), func(t league.Team) bool { return !l.Speaks(me, t.Member()) })
		if len(own) != 1 {
			return "", league.ErrNoTeam
		}
		return own[0].Member(), nil
	}
	p, err := whom(tx, by, who)
	return league.Member(p.ID), err
}

// SaveTeam changes a team or, with none, enters a new one, which it returns. Players who are named by others are told.
func (a *Office) SaveTeam(ctx context.Context, by player.Viewer, id league.ID, who league.Member, w Team) (saved league.Member, err error) {
	var before, after league.Team
	_, err = a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) (err error) {
		saved, before = who, league.Team{Club: w.Club}
		if t := l.Team(who); t != nil {
			before = *t
		} else if who != "" {
			return league.ErrNoTeam
		}
		after = league.Team{Name: strings.TrimSpace(w.Name), Club: before.Club}
		if after.Club != "" {
			theirs, err := tx.Club(after.Club)
			if err != nil {
				return err
			}
			after.Name = cmp.Or(after.Name, theirs.Name)
		}
		for _, h := range w.Captains {
			p, err := kernel.PlayerByHandle(tx, h)
			if err != nil {
				return &entries.UnfitError{Handle: h, Err: err}
			}
			if p.Guest {
				return &entries.UnfitError{Handle: h, Err: player.ErrGuest}
			}
			if err := takes(tx, l, before, me, p.ID); err != nil {
				return &entries.UnfitError{Handle: h, Err: err}
			}
			after.Captains = append(after.Captains, p.ID)
		}
		if len(w.Captains) == 0 {
			after.Captains = before.Captains
		}
		if len(after.Captains) == 0 {
			after.Captains = []player.ID{by.ID}
		}
		for _, h := range w.Players {
			p, err := kernel.PlayerByHandle(tx, h)
			if err == nil {
				err = cmp.Or(takes(tx, l, before, me, p.ID), a.mayPlay(tx, l, after.Club, p, by))
			}
			if err != nil {
				return &entries.UnfitError{Handle: h, Err: err}
			}
			after.Players = append(after.Players, league.Mate{Player: p.ID})
		}
		if err := rate(tx, after.Players); err != nil {
			return err
		}
		if who != "" {
			return named(tx, l.Name(me, who, after, a.Now()))
		}
		saved, err = l.Found(me, after, a.Now())
		return named(tx, err)
	}, func(tx *store.Tx, l *league.League) error {
		var list []notice.Notice
		for _, m := range after.Players {
			if !by.Is(m.Player) && !before.Has(m.Player) {
				list = append(list, notice.Notice{To: m.Player, Kind: notice.LeagueTeam, URL: Path(l.ID),
					Key:  fmt.Sprint(l.ID, "/", l.Now().Number, "/team/", saved),
					Args: map[string]string{"League": l.Settings.Name, "Team": after.Name, "By": string(by.Handle)}})
			}
		}
		return a.Notify(tx, list...)
	})
	return saved, err
}

// mayPlay returns nil, or why somebody cannot play for a team, which is that of a club if one is named.
func (a *Office) mayPlay(tx *store.Tx, l *league.League, of club.ID, p player.Player, by player.Viewer) error {
	if p.Guest {
		return player.ErrGuest
	}
	if of != "" {
		if role, err := tx.ClubRole(p.ID, of); err != nil || role == 0 {
			return cmp.Or(err, error(tournament.ErrNotMember))
		}
	}
	standing, err := assurance.StandingOf(tx, p, a.Now())
	if err != nil {
		return err
	}
	return l.Settings.Division.Policy.OrOpen().Admit(standing, by.Is(p.ID))
}

// takes returns nil, or tournament.ErrTakesStaff if naming somebody for a team would keep one of those who run the league from deciding
// about it: they become a party by their own will alone.
func takes(tx *store.Tx, l *league.League, t league.Team, me league.Actor, who player.ID) error {
	if me.Directs || who == me.Player || slices.Contains(t.Captains, who) || t.Has(who) {
		return nil
	}
	role, err := tx.ClubRole(who, l.Club)
	if err == nil && club.Allows(role, club.ActHold) {
		err = tournament.ErrTakesStaff
	}
	return err
}

// rate looks up the ratings of players.
func rate(tx *store.Tx, list []league.Mate) (err error) {
	for i, m := range list {
		if list[i].Rating, err = ratings.ListedRating(tx, m.Player); err != nil {
			return err
		}
	}
	return nil
}

// named lets an error of the rulebook name a player by their handle.
func named(tx *store.Tx, err error) error {
	var unfit *league.UnfitError
	if !errors.As(err, &unfit) {
		return err
	}
	p, readErr := tx.Player(unfit.Player)
	if readErr != nil {
		return readErr
	}
	return &entries.UnfitError{Handle: string(p.Handle), Err: unfit.Err}
}

// comesAgain judges and rates the players of a team that enters another season, without those whose accounts are erased.
func (a *Office) comesAgain(tx *store.Tx, l *league.League, who league.Member, by player.Viewer) error {
	t := l.Team(who)
	var list []league.Mate
	for _, m := range t.Players {
		p, err := tx.Player(m.Player)
		if err != nil {
			return err
		}
		if p.Handle.IsGhost() {
			continue
		}
		list = append(list, m)
		if err := a.mayPlay(tx, l, t.Club, p, by); err != nil {
			return &entries.UnfitError{Handle: string(p.Handle), Err: err}
		}
	}
	if err := rate(tx, list); err != nil {
		return err
	}
	l.Keep(who, t.Captains, list)
	return nil
}

// Decline takes the viewer off the players of a team that is in no division yet.
func (a *Office) Decline(ctx context.Context, by player.Viewer, id league.ID, who league.Member) error {
	_, err := a.change(ctx, by, id, func(_ *store.Tx, l *league.League, me league.Actor) error {
		return l.Decline(me, who, a.Now())
	}, nil)
	return err
}

// enterTeam enters a team whom the league has placed, with its players in board order.
func (a *Office) enterTeam(tx *store.Tx, t *tournament.Tournament, team *league.Team) (tournament.Entry, error) {
	of, err := tournament.TeamOf{}, error(nil)
	if team.Club != "" {
		if of, err = assurance.TeamOf(tx, team.Club); err != nil {
			return tournament.Entry{}, err
		}
	}
	officers := of.Officers
	// The club has said yes in the league: whoever enters its team here does it in the name of those officers.
	of.Name, of.Captains, of.Officers = team.Name, team.Captains, append(slices.Clone(officers), t.Organizer)
	for _, m := range team.Players {
		c, err := a.placed(tx, t, m.Player)
		if err != nil {
			return tournament.Entry{}, err
		}
		of.Players = append(of.Players, c)
	}
	e, err := t.EnterTeam(kernel.Plainly(t.Organizer), of, a.Now())
	if err != nil {
		return e, &entries.UnfitError{Handle: team.Name, Err: err} // which team it is
	}
	t.Entries[e.ID-1].Officers = officers
	return e, nil
}

// KeepTeams lets a league know who plays for its teams in the divisions that are played, where that is changed. read reads their
// tournaments.
func KeepTeams(l *league.League, read func(tournament.ID) (*tournament.Tournament, error)) error {
	x := l.Now()
	if x.State != league.Placed && x.State != league.Running {
		return nil
	}
	for _, d := range x.Divisions {
		if len(d.Entries) == 0 {
			continue
		}
		t, err := read(d.Tournament)
		if err != nil {
			return err
		}
		for who, id := range d.Entries {
			var list []league.Mate
			for _, e := range t.Roster(id) {
				if e.Player != "" {
					list = append(list, league.Mate{Player: e.Player, Rating: e.Rating})
				}
			}
			if e, err := t.Entry(id); err == nil && len(list) > 0 && len(e.Captains) > 0 {
				l.Keep(who, e.Captains, list)
			}
		}
	}
	return nil
}
