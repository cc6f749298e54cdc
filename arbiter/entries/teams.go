package entries

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// ErrTeamless refuses a line of a list of teams that names no team.
var ErrTeamless = refusal.Invalid("entry.line.team", "arbiter: the line says no team")

// TeamApplication is a team that is to enter, with the handles of its captains; none: the viewer, unless they are staff.
type TeamApplication struct {
	Name, Club string
	ClubID     club.ID // it plays for, by whose name it goes if it has none; empty: none of the site
	Captains   []string
	Code       string // as typed by the viewer
	Plays      bool   // the viewer is its first player
}

// EnterTeam enters a team; its other players join it. store.ErrNotFound without such a tournament.
func (a *Office) EnterTeam(ctx context.Context, by player.Viewer, id tournament.ID, w TeamApplication) (e tournament.Entry, err error) {
	of := tournament.TeamOf{Name: w.Name, Club: w.Club, ClubID: w.ClubID, Code: w.Code}
	if of.Captains, err = a.captains(ctx, w.Captains); err != nil {
		return e, err
	}
	if w.ClubID != "" {
		theirs, err := store.Get(ctx, a.Store, func(tx *store.Tx) (tournament.TeamOf, error) { return assurance.TeamOf(tx, w.ClubID) })
		if err != nil {
			return e, err
		}
		of.Name, of.Club, of.Officers = cmp.Or(strings.TrimSpace(of.Name), theirs.Name), theirs.Club, theirs.Officers
	}
	if w.Plays {
		c, err := a.mate(ctx, by, "")
		if err != nil {
			return e, err
		}
		of.Players = []tournament.Candidate{c}
	}
	err = a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActEnter}, func(t *tournament.Tournament) error {
		if len(w.Captains) == 0 && !t.May(by, tournament.ActEnter) {
			of.Captains = []player.ID{by.ID}
		}
		e, err = t.EnterTeam(by, of, a.Now())
		return err
	})
	return e, err
}

// AnswerInvitation accepts or declines, for a club, that its team plays; see tournament.AnswerInvitation.
func (a *Office) AnswerInvitation(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID, in bool) error {
	act := tournament.ActAccept
	if !in {
		act = tournament.ActRefuse
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: act}, func(t *tournament.Tournament) error {
		return t.AnswerInvitation(by, team, in, a.Now())
	})
}

// UnfitError names a player who cannot play for a team, and why.
type UnfitError struct {
	Handle string
	Err    error
}

func (e *UnfitError) Error() string {
	return fmt.Sprintf("arbiter: %s cannot play: %v", e.Handle, e.Err)
}
func (e *UnfitError) Unwrap() error { return e.Err }

// NameMembers adds members of its club to a team, by handles, in board order: all of them or, with an *UnfitError, nobody.
func (a *Office) NameMembers(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID, handles []string) error {
	list := make([]tournament.Candidate, len(handles))
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		for i, h := range handles {
			if list[i], err = a.mateOf(tx, by, h); err != nil {
				return &UnfitError{h, err}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActEnter}, func(t *tournament.Tournament) error {
		for i, c := range list {
			if _, err := t.JoinTeam(by, team, c, a.Now()); err != nil {
				return &UnfitError{handles[i], err}
			}
		}
		return nil
	})
}

func (a *Office) captains(ctx context.Context, handles []string) (ids []player.ID, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		ids = nil
		for _, h := range handles {
			p, err := kernel.PlayerByHandle(tx, h)
			if err != nil {
				return err
			}
			if p.Guest {
				return player.ErrGuest
			}
			ids = append(ids, p.ID)
		}
		return nil
	})
	return ids, err
}

// SetCaptains names the captains of a team by their handles.
func (a *Office) SetCaptains(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID, handles []string) error {
	ids, err := a.captains(ctx, handles)
	if err != nil {
		return err
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActParticulars}, func(t *tournament.Tournament) error {
		return t.SetCaptains(by, team, ids)
	})
}

// JoinTeam adds a player to a team: the viewer, or by staff anybody by handle, or by name without an account.
func (a *Office) JoinTeam(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID, w Application, guest tournament.Candidate) (
	e tournament.Entry, err error) {
	c := guest
	c.Player, c.Standing = "", fairplay.Standing{Human: true}
	if guest.Name == "" {
		if c, err = a.mate(ctx, by, w.Handle); err != nil {
			return e, err
		}
	}
	c.Reason, c.OverTheBoard = w.Reason, w.OverTheBoard
	err = a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActEnter, Reason: w.Reason}, func(t *tournament.Tournament) error {
		e, err = t.JoinTeam(by, team, c, a.Now())
		return err
	})
	return e, err
}

// mate is an account as it joins a team: the viewer, or whoever has a handle.
func (a *Office) mate(ctx context.Context, by player.Viewer, handle string) (tournament.Candidate, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (tournament.Candidate, error) { return a.mateOf(tx, by, handle) })
}

// mateOf is like mate.
func (a *Office) mateOf(tx *store.Tx, by player.Viewer, handle string) (tournament.Candidate, error) {
	p, err := by.Player, error(nil)
	if handle != "" {
		p, err = kernel.PlayerByHandle(tx, handle)
	}
	switch {
	case err != nil:
		return tournament.Candidate{}, err
	case p.Guest:
		return tournament.Candidate{}, player.ErrGuest
	}
	return a.named(tx, p)
}

// AcceptMate accepts a player who has asked to join a team, or turns them down.
func (a *Office) AcceptMate(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, in bool) error {
	act := tournament.ActAccept
	if !in {
		act = tournament.ActRefuse
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: act}, func(t *tournament.Tournament) error { return t.AcceptMate(by, e, in) })
}

// OrderRoster sets the board order of a team.
func (a *Office) OrderRoster(ctx context.Context, by player.Viewer, id tournament.ID, team tournament.EntryID, order []tournament.EntryID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActParticulars}, func(t *tournament.Tournament) error {
		return t.OrderRoster(by, team, order)
	})
}

// enterMate enters a line of a list into a team. If none is named, the club of the line is the team, which enters with its first
// player, its captain if they have an account. The order of lines is that of the boards.
func (a *Office) enterMate(t *tournament.Tournament, by player.Viewer, team tournament.EntryID, p *Planned) (tournament.Entry, error) {
	c, name := p.Candidate, player.Tidy(p.Line.Club)
	switch {
	case team != 0:
		return t.JoinTeam(by, team, c, a.Now())
	case name == "":
		return tournament.Entry{}, ErrTeamless
	}
	if c.Player == "" {
		c.Club = ""
	}
	for _, e := range t.Sides() {
		if fold.Key(e.Name) == fold.Key(name) && e.Status != tournament.Withdrawn && e.Status != tournament.Refused {
			return t.JoinTeam(by, e.ID, c, a.Now())
		}
	}
	of := tournament.TeamOf{Name: name, Players: []tournament.Candidate{c}}
	if c.Player != "" && !c.Bot {
		of.Captains = []player.ID{c.Player}
	}
	e, err := t.EnterTeam(by, of, a.Now())
	if err != nil {
		return e, err
	}
	return t.Roster(e.ID)[0], nil
}

// named is a player as a candidate, with their no-shows.
func (a *Office) named(tx *store.Tx, p player.Player) (tournament.Candidate, error) {
	c, err := candidate(tx, a.Now(), p)
	if err != nil {
		return c, err
	}
	record, err := a.assurance.NoShowsOf(tx, p.ID)
	c.Barred = record.Bars(a.Now())
	return c, err
}
