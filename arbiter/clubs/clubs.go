package clubs

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// Create makes a club whose first owner is the viewer. store.ErrTaken:
// another has the name.
func (a *Office) Create(ctx context.Context, by player.Viewer, name, text string) (club.ID, error) {
	if !by.MayCreateClub() {
		return "", club.ErrNotAllowed
	}
	r := club.New(club.ID(store.NewID()), name, text, by.ID, a.Now())
	return r.ID, a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddClub(r) })
}

// change reads a club with its people, lets f change it, and writes the
// difference; when another change came first, all of it again.
func (a *Office) change(ctx context.Context, by player.Viewer, id club.ID, f func(*club.Roster, time.Time) error) error {
	return a.InTurn(ctx, string(id), func(ctx context.Context) error {
		before, err := store.Get(ctx, a.Store, func(tx *store.Tx) (club.Roster, error) { return tx.Roster(id) })
		if err != nil {
			return err
		}
		after := before.Clone()
		if err := f(&after, a.Now()); err != nil {
			return err
		}
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			if err := tx.SaveClub(before, after); err != nil {
				return err
			}
			return a.Notify(tx, kernel.ClubNotices(before, after, by, a.Now())...)
		})
	})
}

// Change replaces what a club says of itself and how one joins it.
// store.ErrTaken: another has the name.
func (a *Office) Change(ctx context.Context, by player.Viewer, id club.ID, name, text string, joining club.Joining) error {
	return a.change(ctx, by, id, func(r *club.Roster, _ time.Time) error {
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
	return a.change(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.SetCode(by, club.NewCode(rand.IntN)) })
}

// Join takes the viewer into a club or notes that they ask to be in it: true
// when they are in. Who is in already stays in.
func (a *Office) Join(ctx context.Context, by player.Viewer, id club.ID, code, note string) (joined bool, err error) {
	err = a.change(ctx, by, id, func(r *club.Roster, now time.Time) (err error) {
		joined, err = r.Join(by, code, note, now)
		return err
	})
	if errors.Is(err, club.ErrMember) { // a second click
		return true, nil
	}
	return joined, err
}

// Unask takes the viewer's request to join back.
func (a *Office) Unask(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.change(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.Unask(by) })
}

// AnswerRequest admits somebody who has asked, or declines.
func (a *Office) AnswerRequest(ctx context.Context, by player.Viewer, id club.ID, of player.ID, admit bool) error {
	return a.change(ctx, by, id, func(r *club.Roster, now time.Time) error { return r.Answer(by, of, admit, now) })
}

// SetRole gives a member another role.
func (a *Office) SetRole(ctx context.Context, by player.Viewer, id club.ID, of player.ID, role club.Role) error {
	return a.change(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.SetRole(by, of, role) })
}

// Leave ends the viewer's membership.
func (a *Office) Leave(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.change(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.Leave(by) })
}

// Expel ends somebody's membership.
func (a *Office) Expel(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
	return a.change(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.Expel(by, of) })
}

// Ban keeps somebody out until a moment; zero: for good.
func (a *Office) Ban(ctx context.Context, by player.Viewer, id club.ID, of player.ID, reason string, until time.Time) error {
	return a.change(ctx, by, id, func(r *club.Roster, now time.Time) error { return r.Ban(by, of, reason, until, now) })
}

// Unban lifts a ban.
func (a *Office) Unban(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
	return a.change(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.Unban(by, of) })
}

// PostNews adds to a club's news, or with an id changes a piece of them.
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
		post, err := tx.ClubPost(in, id)
		if err != nil {
			return err
		}
		post.Title, post.Text, post.Edited = title, text, a.Now()
		return tx.SetClubPost(post)
	})
}

// DropNews deletes a piece of a club's news.
func (a *Office) DropNews(ctx context.Context, by player.Viewer, in club.ID, id club.PostID) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := assurance.MayInClub(tx, by, in, club.ActNews); err != nil {
			return err
		}
		return tx.DropClubPost(in, id)
	})
}
