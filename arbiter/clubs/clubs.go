package clubs

import (
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
func (a *Office) change(ctx context.Context, by player.Viewer, id club.ID, part, act string, f func(*club.Roster, time.Time) error) error {
	return a.InTurn(ctx, string(id), func() error {
		before, err := store.Get(ctx, a.Store, func(tx *store.Tx) (club.Roster, error) { return tx.Roster(id) })
		if err != nil {
			return err
		}
		after := before.Clone()
		refused := f(&after, a.Now())
		if refused != nil && by.Shown == 0 {
			return refused
		}
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			return a.OfClub(tx, kernel.ClubStep{By: by, Club: id, Part: part, Act: act}, func() error {
				if refused != nil {
					return refused
				}
				if err := tx.SaveClub(before, after); err != nil {
					return err
				}
				return a.Notify(tx, kernel.ClubNotices(before, after, by, a.Now())...)
			})
		})
	})
}

// person is the part of a club that is somebody's place in it.
func person(id player.ID) string { return "player/" + string(id) }

// Change replaces a club's name, text and way of joining; store.ErrTaken when another has
// the name.
func (a *Office) Change(ctx context.Context, by player.Viewer, id club.ID, name, text string, joining club.Joining) error {
	return a.change(ctx, by, id, "settings", "settings", func(r *club.Roster, _ time.Time) error {
		if err := r.Change(by, name, text, joining); err != nil {
			return err
		}
		if joining == club.ByCode && r.Code == "" {
			r.Code = club.NewCode(rand.IntN)
		}
		return nil
	})
}

// NewCode replaces a club's invitation code.
func (a *Office) NewCode(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.change(ctx, by, id, "code", "code", func(r *club.Roster, _ time.Time) error { return r.SetCode(by, club.NewCode(rand.IntN)) })
}

// Join takes the viewer into a club, or notes their request to join: true when they are
// in. Members stay members.
func (a *Office) Join(ctx context.Context, by player.Viewer, id club.ID, code, note string) (joined bool, err error) {
	err = a.change(ctx, by, id, person(by.ID), "join", func(r *club.Roster, now time.Time) (err error) {
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
	return a.change(ctx, by, id, person(by.ID), "unask", func(r *club.Roster, _ time.Time) error { return r.Unask(by) })
}

// AnswerRequest admits somebody who has asked, or declines.
func (a *Office) AnswerRequest(ctx context.Context, by player.Viewer, id club.ID, of player.ID, admit bool) error {
	act := map[bool]string{true: "admit", false: "decline"}[admit]
	return a.change(ctx, by, id, person(of), act, func(r *club.Roster, now time.Time) error { return r.Answer(by, of, admit, now) })
}

// SetRole gives a member another role.
func (a *Office) SetRole(ctx context.Context, by player.Viewer, id club.ID, of player.ID, role club.Role) error {
	return a.change(ctx, by, id, person(of), "role", func(r *club.Roster, _ time.Time) error { return r.SetRole(by, of, role) })
}

// Leave ends the viewer's membership.
func (a *Office) Leave(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.change(ctx, by, id, person(by.ID), "leave", func(r *club.Roster, _ time.Time) error { return r.Leave(by) })
}

// Expel ends somebody's membership.
func (a *Office) Expel(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
	return a.change(ctx, by, id, person(of), "expel", func(r *club.Roster, _ time.Time) error { return r.Expel(by, of) })
}

// Ban keeps somebody out until a moment; zero: for good.
func (a *Office) Ban(ctx context.Context, by player.Viewer, id club.ID, of player.ID, reason string, until time.Time) error {
	return a.change(ctx, by, id, person(of), "ban", func(r *club.Roster, now time.Time) error { return r.Ban(by, of, reason, until, now) })
}

// Unban lifts a ban.
func (a *Office) Unban(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
	return a.change(ctx, by, id, person(of), "unban", func(r *club.Roster, _ time.Time) error { return r.Unban(by, of) })
}

// PostNews adds a post to a club's news, or with an id changes one.
func (a *Office) PostNews(ctx context.Context, by player.Viewer, in club.ID, id club.PostID, title, text string) error {
	title, titleErr := club.ParseTitle(title)
	text, textErr := club.ParsePost(text)
	if err := errors.Join(titleErr, textErr); err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := assurance.MayInClub(tx, by, in, club.ActNews); err != nil {
			return err
		}
		if id == "" {
			return tx.AddClubPost(club.Post{ID: club.PostID(store.NewID()), Club: in, Author: by.ID, Title: title, Text: text, At: a.Now()})
		}
		return a.OfClub(tx, kernel.ClubStep{By: by, Club: in, Part: "post/" + string(id), Act: "post"}, func() error {
			post, err := tx.ClubPost(in, id)
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
