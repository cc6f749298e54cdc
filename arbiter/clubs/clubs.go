package clubs

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
)

// Create makes a club with the viewer as its owner; store.ErrTaken when another has the
// name.
func (a *Office) Create(ctx context.Context, by player.Viewer, name, text string) (club.ID, error) {
	if !by.MayCreateClub() {
		return "", club.ErrNotAllowed
	}
	r := club.New(club.ID(store.NewID()), name, text, by.ID, a.Now())
	return r.ID, a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddClub(r) })
}

// change reads a club with its people, lets f change a part of it, and writes the difference; if another change came
// first, it starts over. See kernel.OfClub.
func (a *Office) change(ctx context.Context, d kernel.ClubStep, f func(*club.Roster, time.Time) error) error {
	return a.InTurn(ctx, string(d.Club), func() error {
		before, err := store.Get(ctx, a.Store, func(tx *store.Tx) (club.Roster, error) { return tx.Roster(d.Club) })
		if err != nil {
			return err
		}
		after := before.Clone()
		refused := f(&after, a.Now())
		if refused != nil && d.By.Shown == 0 {
			return refused
		}
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			return a.OfClub(tx, d, func() error {
				if refused != nil {
					return refused
				}
				if err := tx.SaveClub(before, after); err != nil {
					return err
				}
				if err := a.EndRequests(tx, before, after); err != nil {
					return err
				}
				if err := a.TellTeams(tx, before, after); err != nil {
					return err
				}
				return a.Notify(tx, kernel.ClubNotices(before, after, d.By, a.Now())...)
			})
		})
	})
}

// person is the part of a club that is somebody's place in it.
func person(id player.ID) string { return "player/" + string(id) }

// Settings are what a club says of itself, and how people join it.
type Settings struct {
	Name, Text string
	Joining    club.Joining
}

// Change replaces a club's name, text and way of joining; store.ErrTaken when another has
// the name.
func (a *Office) Change(ctx context.Context, by player.Viewer, id club.ID, x Settings) error {
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: "settings", Act: "settings"}, func(r *club.Roster, _ time.Time) error {
		if err := r.Change(by, x.Name, x.Text, x.Joining); err != nil {
			return err
		}
		if x.Joining == club.ByCode && r.Code == "" {
			r.Code = club.NewCode(rand.IntN)
		}
		return nil
	})
}

// NewCode replaces a club's invitation code.
func (a *Office) NewCode(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: "code", Act: "code"},
		func(r *club.Roster, _ time.Time) error { return r.SetCode(by, club.NewCode(rand.IntN)) })
}

// Join takes the viewer into a club, or notes their request to join: true when they are
// in. Members stay members.
func (a *Office) Join(ctx context.Context, by player.Viewer, id club.ID, code, note string) (joined bool, err error) {
	err = a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: person(by.ID), Act: "join"}, func(r *club.Roster, now time.Time) (err error) {
		joined, err = r.Join(by, code, note, now)
		return err
	})
	if errors.Is(err, club.ErrMember) { // a second click
		return true, nil
	}
	return joined, err
}

// Unask withdraws the viewer's request to join.
func (a *Office) Unask(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: person(by.ID), Act: "unask"},
		func(r *club.Roster, _ time.Time) error { return r.Unask(by) })
}

// AnswerRequest admits somebody who has asked, or declines.
func (a *Office) AnswerRequest(ctx context.Context, by player.Viewer, id club.ID, of player.ID, admit bool) error {
	act := map[bool]string{true: "admit", false: "decline"}[admit]
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: person(of), Act: act},
		func(r *club.Roster, now time.Time) error { return r.Answer(by, of, admit, now) })
}

// SetRole gives a member another role.
func (a *Office) SetRole(ctx context.Context, by player.Viewer, id club.ID, of player.ID, role club.Role) error {
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: person(of), Act: "role"},
		func(r *club.Roster, _ time.Time) error { return r.SetRole(by, of, role) })
}

// Leave ends the viewer's membership.
func (a *Office) Leave(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: person(by.ID), Act: "leave"},
		func(r *club.Roster, _ time.Time) error { return r.Leave(by) })
}

// Expel ends somebody's membership.
func (a *Office) Expel(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: person(of), Act: "expel"},
		func(r *club.Roster, _ time.Time) error { return r.Expel(by, of) })
}

// Ban keeps somebody out until a moment; zero: for good.
func (a *Office) Ban(ctx context.Context, by player.Viewer, id club.ID, x club.Ban) error {
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: person(x.Player), Act: "ban"},
		func(r *club.Roster, now time.Time) error { return r.Ban(by, x.Player, x.Reason, x.Until, now) })
}

// Unban lifts a ban.
func (a *Office) Unban(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
	return a.change(ctx, kernel.ClubStep{By: by, Club: id, Part: person(of), Act: "unban"},
		func(r *club.Roster, _ time.Time) error { return r.Unban(by, of) })
}

// PostNews adds a post to a club's news, or with an id changes one, and returns its id.
func (a *Office) PostNews(ctx context.Context, by player.Viewer, x club.Post) (club.PostID, error) {
	title, titleErr := club.ParseTitle(x.Title)
	text, textErr := club.ParsePost(x.Text)
	if err := errors.Join(titleErr, textErr); err != nil {
		return "", err
	}
	id := cmp.Or(x.ID, club.PostID(store.NewID()))
	return id, a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := assurance.MayInClub(tx, by, x.Club, club.ActNews); err != nil {
			return err
		}
		if x.ID == "" {
			return tx.AddClubPost(club.Post{ID: id, Club: x.Club, Author: by.ID, Title: title, Text: text, At: a.Now()})
		}
		return a.OfClub(tx, kernel.ClubStep{By: by, Club: x.Club, Part: "post/" + string(x.ID), Act: "post"}, func() error {
			post, err := tx.ClubPost(x.Club, x.ID)
			if err != nil {
				return err
			}
			post.Title, post.Text, post.Edited = title, text, a.Now()
			return tx.SetClubPost(post)
		})
	})
}

// DropNews deletes a post.
func (a *Office) DropNews(ctx context.Context, by player.Viewer, in club.ID, id club.PostID) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := assurance.MayInClub(tx, by, in, club.ActNews); err != nil {
			return err
		}
		return a.OfClub(tx, kernel.ClubStep{By: by, Club: in, Part: "post/" + string(id), Act: "unpost"},
			func() error { return tx.DropClubPost(in, id) })
	})
}
