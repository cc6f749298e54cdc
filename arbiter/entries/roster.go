package entries

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/roster"
)

// Planned is the outcome of one line of a list of players.
type Planned struct {
	roster.Line
	Candidate tournament.Candidate
	Status    tournament.EntryStatus // Active or Waiting
	Err       error                  // why the line enters nobody
}

// errNobodyEntered stops a change that would change nothing.
var errNobodyEntered = errors.New("arbiter: nobody on the list can be entered")

// Listed is a list of players as it was sent.
type Listed struct {
	Lines  []roster.Line
	Reason string // given by staff if somebody does not meet a condition
	// Play makes an account for every name without one, to play here; otherwise their
	// results are entered by hand.
	Play bool
}

// Plan is what entering a list would do now, line by line.
func (a *Office) Plan(ctx context.Context, by player.Viewer, id tournament.ID, l Listed) ([]Planned, error) {
	list, err := a.resolve(ctx, l)
	if err != nil {
		return nil, err
	}
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	return list, a.enterAll(t, by, list)
}

// RegisterAll enters everybody on a list who can be, in one change, and returns the
// outcome of each line.
func (a *Office) RegisterAll(ctx context.Context, by player.Viewer, id tournament.ID, l Listed) ([]Planned, error) {
	list, err := a.resolve(ctx, l)
	var made map[player.ID]player.Player
	if err == nil && l.Play {
		made, err = a.newcomers(ctx, list)
	}
	if err != nil {
		return nil, err
	}
	change := kernel.Change{Act: kernel.Step{By: by, Act: tournament.ActEnter, Reason: l.Reason}}
	change.Judge = func(_ context.Context, t *tournament.Tournament) error {
		if err := a.enterAll(t, by, list); err != nil {
			return err
		}
		if !slices.ContainsFunc(list, func(p Planned) bool { return p.Err == nil }) {
			return errNobodyEntered
		}
		return nil
	}
	change.Also = func(tx *store.Tx, t *tournament.Tournament) error {
		for _, l := range list {
			p, isNew := made[l.Candidate.Player]
			if !isNew || l.Err != nil {
				continue
			}
			if err := a.addGuest(tx, p, guestOf(p, t, l.Name)); err != nil {
				return err
			}
		}
		return nil
	}
	_, err = a.Apply(ctx, id, change)
	if errors.Is(err, errNobodyEntered) {
		err = nil
	}
	return list, err
}

// resolve finds the accounts of a list.
func (a *Office) resolve(ctx context.Context, listed Listed) ([]Planned, error) {
	list := make([]Planned, len(listed.Lines))
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		var players []player.Player
		var of []int // places in the list
		for i, l := range listed.Lines {
			list[i] = Planned{Line: l, Err: l.Err}
			list[i].Candidate = tournament.Candidate{
				Name: l.Name, Club: l.Club, Rating: l.Rating, Reason: listed.Reason, Standing: fairplay.Standing{Human: true},
			}
			if l.Err != nil || l.Handle == "" {
				continue
			}
			p, err := tx.PlayerByHandle(l.Handle)
			switch {
			case errors.Is(err, store.ErrNotFound) && listed.Play && l.Alone != "":
				list[i].Handle, list[i].Name, list[i].Candidate.Name = "", l.Alone, l.Alone
			case errors.Is(err, store.ErrNotFound):
				list[i].Err = err
			case err != nil:
				return err
			default:
				players, of = append(players, p), append(of, i)
			}
		}
		candidates, err := Candidates(tx, a.Now(), players...)
		for k, c := range candidates {
			c.Reason = listed.Reason
			list[of[k]].Candidate = c
		}
		return err
	})
	return list, err
}

// enterAll enters a list into a tournament, each line as the rulebook allows. A guest
// with the name of one who has entered is taken for the same person.
func (a *Office) enterAll(t *tournament.Tournament, by player.Viewer, list []Planned) error {
	if !t.May(by, tournament.ActEnter) {
		return tournament.ErrNotAllowed
	}
	for i := range list {
		p := &list[i]
		if p.Line.Err != nil || errors.Is(p.Err, store.ErrNotFound) {
			continue
		}
		p.Err = nil
		if p.Handle == "" && slices.ContainsFunc(t.Entries, func(e tournament.Entry) bool {
			return (e.IsGuest() || p.Candidate.Player != "") && e.Status != tournament.Withdrawn && strings.EqualFold(e.Name, p.Name)
		}) {
			p.Err = tournament.ErrEntered
			continue
		}
		e, err := t.Register(by, p.Candidate, a.Now())
		p.Status, p.Err = e.Status, err
	}
	return nil
}
