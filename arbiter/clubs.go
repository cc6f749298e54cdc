package arbiter

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// CreateClub makes a club whose first owner is the viewer. store.ErrTaken:
// another has the name.
func (a *Arbiter) CreateClub(ctx context.Context, by player.Viewer, name, text string) (club.ID, error) {
	if !by.MayCreateClub() {
		return "", club.ErrNotAllowed
	}
	r := club.New(club.ID(store.NewID()), name, text, by.ID, a.now())
	return r.ID, a.store.Write(ctx, func(tx *store.Tx) error { return tx.AddClub(r) })
}

// changeClub reads a club with its people, lets f change it, and writes the
// difference; when another change came first, all of it again.
func (a *Arbiter) changeClub(ctx context.Context, by player.Viewer, id club.ID, f func(*club.Roster, time.Time) error) error {
	return a.inTurn(ctx, string(id), func(ctx context.Context) error {
		var before club.Roster
		err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
			before, err = tx.Roster(id)
			return err
		})
		if err != nil {
			return err
		}
		after := before.Clone()
		if err := f(&after, a.now()); err != nil {
			return err
		}
		return a.store.Write(ctx, func(tx *store.Tx) error {
			if err := tx.SaveClub(before, after); err != nil {
				return err
			}
			return a.Notify(tx, clubNotices(before, after, by, a.now())...)
		})
	})
}

// ChangeClub replaces what a club says of itself and how one joins it.
// store.ErrTaken: another has the name.
func (a *Arbiter) ChangeClub(ctx context.Context, by player.Viewer, id club.ID, name, text string, joining club.Joining) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, _ time.Time) error {
		if err := r.Change(by, name, text, joining); err != nil {
			return err
		}
		if joining == club.ByCode && r.Code == "" {
			r.Code = club.NewCode(rand.IntN)
		}
		return nil
	})
}

// NewClubCode replaces a club's invitation code.
func (a *Arbiter) NewClubCode(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.SetCode(by, club.NewCode(rand.IntN)) })
}

// JoinClub takes the viewer into a club or notes that they ask to be in it: true
// when they are in. Who is in already stays in.
func (a *Arbiter) JoinClub(ctx context.Context, by player.Viewer, id club.ID, code, note string) (joined bool, err error) {
	err = a.changeClub(ctx, by, id, func(r *club.Roster, now time.Time) (err error) {
		joined, err = r.Join(by, code, note, now)
		return err
	})
	if errors.Is(err, club.ErrMember) { // a second click
		return true, nil
	}
	return joined, err
}

// UnaskClub takes the viewer's request to join back.
func (a *Arbiter) UnaskClub(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.Unask(by) })
}

// AnswerRequest admits somebody who has asked, or declines.
func (a *Arbiter) AnswerRequest(ctx context.Context, by player.Viewer, id club.ID, of player.ID, admit bool) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, now time.Time) error { return r.Answer(by, of, admit, now) })
}

// SetClubRole gives a member another role.
func (a *Arbiter) SetClubRole(ctx context.Context, by player.Viewer, id club.ID, of player.ID, role club.Role) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.SetRole(by, of, role) })
}

// LeaveClub ends the viewer's membership.
func (a *Arbiter) LeaveClub(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.Leave(by) })
}

// ExpelMember ends somebody's membership.
func (a *Arbiter) ExpelMember(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.Expel(by, of) })
}

// BanFromClub keeps somebody out until a moment; zero: for good.
func (a *Arbiter) BanFromClub(ctx context.Context, by player.Viewer, id club.ID, of player.ID, reason string, until time.Time) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, now time.Time) error { return r.Ban(by, of, reason, until, now) })
}

// UnbanFromClub lifts a ban.
func (a *Arbiter) UnbanFromClub(ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
	return a.changeClub(ctx, by, id, func(r *club.Roster, _ time.Time) error { return r.Unban(by, of) })
}

// PostNews adds to a club's news, or with an id changes a piece of them.
func (a *Arbiter) PostNews(ctx context.Context, by player.Viewer, in club.ID, id club.PostID, title, text string) error {
	title, titleErr := club.ParseTitle(title)
	text, textErr := club.ParsePost(text)
	if err := errors.Join(titleErr, textErr); err != nil {
		return err
	}
	return a.store.Write(ctx, func(tx *store.Tx) error {
		if err := mayInClub(tx, by, in, club.ActNews); err != nil {
			return err
		}
		if id == "" {
			return tx.AddClubPost(club.Post{ID: club.PostID(store.NewID()), Club: in, Author: by.ID, Title: title, Text: text, At: a.now()})
		}
		post, err := tx.ClubPost(in, id)
		if err != nil {
			return err
		}
		post.Title, post.Text, post.Edited = title, text, a.now()
		return tx.SetClubPost(post)
	})
}

// DropNews deletes a piece of a club's news.
func (a *Arbiter) DropNews(ctx context.Context, by player.Viewer, in club.ID, id club.PostID) error {
	return a.store.Write(ctx, func(tx *store.Tx) error {
		if err := mayInClub(tx, by, in, club.ActNews); err != nil {
			return err
		}
		return tx.DropClubPost(in, id)
	})
}

// mayInClub is nil or why the viewer may not do an act in a club.
func mayInClub(tx *store.Tx, by player.Viewer, in club.ID, act club.Act) error {
	if _, err := tx.Club(in); err != nil {
		return err
	}
	role, err := ClubRole(tx, by.ID, in)
	if err == nil && !club.May(by, role, act) {
		err = club.ErrNotAllowed
	}
	return err
}

// ClubRole is a player's place in a club, zero for none.
func ClubRole(tx *store.Tx, of player.ID, in club.ID) (club.Role, error) {
	if of == "" || in == "" {
		return 0, nil
	}
	memberships, err := tx.Memberships(of)
	for _, m := range memberships {
		if m.Club == in {
			return m.Role, err
		}
	}
	return 0, err
}
