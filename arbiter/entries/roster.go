package entries

import (
	"context"
	"errors"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
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
	// Known holds the people of the event's club who have that name. One alone is who the
	// line means, unless it is said to be another.
	Known []Known
}

// IsSame reports whether the line enters somebody whom the club knows by that name.
func (p Planned) IsSame() bool {
	return p.Handle == "" && len(p.Known) == 1 && p.Candidate.Player == p.Known[0].Player
}

// errNobodyEntered stops a change that would change nothing.
var errNobodyEntered = errors.New("arbiter: nobody on the list can be entered")

// Listed is a list of players as it was sent.
type Listed struct {
	Lines  []roster.Line
	Reason string // given by staff if somebody does not meet a condition
	// Play has everybody named play here, and makes an account for whom nobody knows;
	// otherwise the results of names are entered by hand, those of known people too.
	Play bool
	// Another holds the numbers of the lines whose people are others than those known by
	// the name.
	Another map[int]bool
	Team    tournament.EntryID // whom they join, in board order; 0: whom each line names, in an event of teams
}

var (
	// ErrTwice refuses the second line of one name.
	ErrTwice = refusal.Conflict("entry.line.twice", "arbiter: the name stands twice on the list")
	// ErrWhich refuses a name that several known people have.
	ErrWhich = refusal.Conflict("entry.line.which", "arbiter: several people of that name are known here: name the handle")
)

// Plan is what entering a list would do now, line by line.
func (a *Office) Plan(ctx context.Context, by player.Viewer, id tournament.ID, l Listed) ([]Planned, error) {
	list, err := a.resolve(ctx, id, l)
	if err != nil {
		return nil, err
	}
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	return list, a.enterAll(t, by, l.Team, list)
}

// RegisterAll enters everybody on a list who can be, in one change, and returns the
// outcome of each line.
func (a *Office) RegisterAll(ctx context.Context, by player.Viewer, id tournament.ID, l Listed) ([]Planned, error) {
	list, err := a.resolve(ctx, id, l)
	var made map[player.ID]player.Player
	if err == nil && l.Play {
		made, err = a.newcomers(ctx, list)
	}
	if err != nil {
		return nil, err
	}
	change := kernel.Change{Step: kernel.Step{By: by, Act: tournament.ActEnter, Reason: l.Reason}}
	change.Judge = func(t *tournament.Tournament) error {
		if err := a.enterAll(t, by, l.Team, list); err != nil {
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
func (a *Office) resolve(ctx context.Context, id tournament.ID, listed Listed) ([]Planned, error) {
	list := make([]Planned, len(listed.Lines))
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		var players []player.Player
		var of []int // places in the list
		t, err := tx.Tournament(id)
		if err != nil {
			return err
		}
		people, err := peopleOf(tx, t)
		if err != nil {
			return err
		}
		for i, l := range listed.Lines {
			list[i] = Planned{Line: l, Err: l.Err}
			list[i].Candidate = tournament.Candidate{
				Name: l.Name, Club: l.Club, Rating: l.Rating, Reason: listed.Reason, Standing: fairplay.Standing{Human: true},
				Another: listed.Another[l.Number], Report: l.Report,
			}
			if l.Err != nil {
				continue
			}
			if l.Handle == "" {
				if who, err := list[i].recognize(tx, t, people); err != nil {
					return err
				} else if who != nil {
					players, of = append(players, *who), append(of, i)
				}
				continue
			}
			p, err := kernel.PlayerByHandle(tx, string(l.Handle))
			switch {
			case errors.Is(err, kernel.ErrNoPlayer) && listed.Play && l.Alone != "":
				list[i].Handle, list[i].Name, list[i].Candidate.Name = "", l.Alone, l.Alone
				if who, err := list[i].recognize(tx, t, people); err != nil {
					return err
				} else if who != nil {
					players, of = append(players, *who), append(of, i)
				}
			case errors.Is(err, kernel.ErrNoPlayer):
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
			if known := list[of[k]].Known; len(known) == 1 {
				// A name on a paper list is who they are; only Play says where they play.
				c.Name, c.OverTheBoard = known[0].Name, !listed.Play
			}
			list[of[k]].Candidate = c
		}
		return err
	})
	return list, err
}

// recognize finds the people of the name of a line, and who it means if that is clear.
func (p *Planned) recognize(tx *store.Tx, t *tournament.Tournament, people map[string][]Known) (*player.Player, error) {
	if p.Candidate.Another {
		return nil, nil
	}
	p.Known = people[fold.Key(p.Name)]
	if len(p.Known) == 0 {
		return nil, nil
	}
	if err := tellApart(tx, t, p.Known); err != nil {
		return nil, err
	}
	switch len(p.Known) {
	case 1:
		who, err := tx.Player(p.Known[0].Player)
		return &who, err
	}
	p.Err = ErrWhich
	return nil, nil
}

// enterAll enters a list into a tournament, each line as the rulebook allows. A guest
// with the name of one who has entered is taken for the same person.
func (a *Office) enterAll(t *tournament.Tournament, by player.Viewer, team tournament.EntryID, list []Planned) error {
	if !t.May(by, tournament.ActEnter) {
		return tournament.ErrNotAllowed
	}
	here := map[string]bool{} // names that this list has entered
	for i := range list {
		p := &list[i]
		if p.Line.Err != nil || errors.Is(p.Err, kernel.ErrNoPlayer) || errors.Is(p.Err, ErrWhich) {
			continue
		}
		key := "@" + p.Handle.Key()
		if p.Handle == "" {
			key = fold.Key(p.Name)
		}
		switch {
		case p.Candidate.Another:
		case here[key]:
			p.Err = ErrTwice
			continue
		case p.Handle == "" && !p.IsSame() && isIn(t, p.Name):
			p.Err = tournament.ErrEntered
			continue
		}
		p.Candidate.Camp = t.Battle.Camp(p.Line.Club)
		enter := t.Register
		if t.HasTeams() || team != 0 {
			enter = func(by player.Viewer, _ tournament.Candidate, _ time.Time) (tournament.Entry, error) {
				return a.enterMate(t, by, team, p)
			}
		}
		e, err := enter(by, p.Candidate, a.Now())
		p.Status, p.Err = e.Status, err
		here[key] = err == nil
	}
	return nil
}
