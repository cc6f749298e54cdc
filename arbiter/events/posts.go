package events

import (
	"context"
	"fmt"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
)

// ChatTopic wakes those who read a tournament's posts. Its nudges say only that there is
// news.
func ChatTopic(id tournament.ID) string { return "chat." + string(id) }

// announceUntil is how long the notice of an announcement is of use.
const announceUntil = 3 * 24 * time.Hour

// noticeTextMax is how many characters of an announcement its notice quotes.
const noticeTextMax = 300

// MayTalk is nil or why the viewer cannot post in a tournament's chat now: the errors of
// talk.May. The policies of running matches count, even if the next round will demand
// less.
func MayTalk(tx *store.Tx, t *tournament.Tournament, by player.Viewer, mutes []venue.Mute, now time.Time) error {
	if err := venue.MayPost(t, by, mutes, now); err != nil || t.May(by, tournament.ActAnnounce) {
		return err
	}
	var ids []match.ID
	for _, p := range t.Rounds.Pending() {
		if p.Match != "" {
			ids = append(ids, p.Match)
		}
	}
	heads, err := tx.Matches(ids)
	for _, h := range heads {
		if h.Level >= fairplay.Verified {
			return venue.ErrChatClosed
		}
	}
	return err
}

// Post posts in the chat of a tournament. Errors: those of MayTalk, and talk.ErrBadPost.
func (a *Office) Post(ctx context.Context, by player.Viewer, id tournament.ID, text string) error {
	return a.ofPosts(ctx, kernel.Step{By: by}, id, func(tx *store.Tx, t *tournament.Tournament) error {
		mutes, err := tx.Mutes(id)
		if err != nil {
			return err
		}
		if err := MayTalk(tx, t, by, mutes, a.Now()); err != nil {
			return err
		}
		p, err := venue.NewPost(t, by, text, mutes, a.Now())
		if err != nil {
			return err
		}
		_, err = tx.AddPost(p)
		return err
	})
}

// Announce tells everybody in a tournament something, on behalf of its staff.
func (a *Office) Announce(ctx context.Context, by player.Viewer, id tournament.ID, text string) error {
	return a.ofPosts(ctx, kernel.Step{By: by, Act: tournament.ActAnnounce, Reason: text}, id,
		func(tx *store.Tx, t *tournament.Tournament) error {
			p, err := venue.NewAnnouncement(t, by, text, a.Now())
			if err != nil {
				return err
			}
			if p, err = tx.AddPost(p); err != nil {
				return err
			}
			quoted := player.Excerpt(p.Text, noticeTextMax)
			var list []notice.Notice
			for _, e := range t.Entries {
				if e.Status == tournament.Active && e.Player != by.ID {
					list = append(list, notice.Notice{
						To: e.Player, Kind: notice.Announcement, Key: fmt.Sprintf("%s/%d", id, p.No), URL: "/tournaments/" + string(id) + "/chat",
						Args: map[string]string{"From": t.Name, "Text": quoted}, Until: p.At.Add(announceUntil),
					})
				}
			}
			return a.Notify(tx, list...)
		})
}

// DeletePost deletes a post: one's own, or as staff any.
func (a *Office) DeletePost(ctx context.Context, by player.Viewer, id tournament.ID, no int) error {
	return a.changePost(ctx, by, id, no, func(t *tournament.Tournament, p *venue.Post) (tournament.Act, error) {
		if by.Is(p.By) {
			return "", p.Delete(t, by)
		}
		return tournament.ActModerate, p.Delete(t, by)
	})
}

// ReportPost reports a post to staff.
func (a *Office) ReportPost(ctx context.Context, by player.Viewer, id tournament.ID, no int, reason string) error {
	return a.changePost(ctx, by, id, no, func(t *tournament.Tournament, p *venue.Post) (tournament.Act, error) {
		if !t.MaySee(by) {
			return "", store.ErrNotFound
		}
		return "", p.Report(by, reason, a.Now())
	})
}

// SettlePost keeps a reported post.
func (a *Office) SettlePost(ctx context.Context, by player.Viewer, id tournament.ID, no int) error {
	return a.changePost(ctx, by, id, no, func(t *tournament.Tournament, p *venue.Post) (tournament.Act, error) {
		if !t.May(by, tournament.ActModerate) {
			return "", tournament.ErrNotAllowed
		}
		p.Settled = true
		return tournament.ActModerate, nil
	})
}

// Mute keeps a player out of the chat for a while; zero: for good.
func (a *Office) Mute(ctx context.Context, d kernel.Step, id tournament.ID, handle string, how time.Duration) error {
	by, d := d.By, d.Doing(tournament.ActModerate)
	return a.ofPosts(ctx, d, id, func(tx *store.Tx, t *tournament.Tournament) error {
		who, err := kernel.PlayerByHandle(tx, handle)
		switch {
		case !t.May(by, tournament.ActModerate):
			return tournament.ErrNotAllowed
		case err != nil:
			return err
		case t.GivenDuty(who.ID) != 0:
			return tournament.ErrNotAllowed
		}
		if err := kernel.Unseen(tx, t, kernel.Step{By: by, Act: tournament.ActModerate}); err != nil {
			return err
		}
		m := venue.Mute{Player: who.ID, By: by.ID, At: a.Now(), Reason: d.Reason}
		if how > 0 {
			m.Until = m.At.Add(how)
		}
		return tx.SaveMute(id, m)
	})
}

// Unmute ends a mute.
func (a *Office) Unmute(ctx context.Context, by player.Viewer, id tournament.ID, handle string) error {
	return a.ofPosts(ctx, kernel.Step{By: by, Act: tournament.ActModerate}, id, func(tx *store.Tx, t *tournament.Tournament) error {
		if !t.May(by, tournament.ActModerate) {
			return tournament.ErrNotAllowed
		}
		if err := kernel.Unseen(tx, t, kernel.Step{By: by, Act: tournament.ActModerate}); err != nil {
			return err
		}
		who, err := kernel.PlayerByHandle(tx, handle)
		if err != nil {
			return err
		}
		return tx.DropMute(id, who.ID)
	})
}

// SetChat opens or closes the chat of a tournament.
func (a *Office) SetChat(ctx context.Context, by player.Viewer, id tournament.ID, open bool) error {
	err := a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActModerate}, func(t *tournament.Tournament) error {
		return venue.OpenChat(t, by, open)
	})
	if err == nil {
		a.Live.Nudge(ChatTopic(id), 0)
	}
	return err
}

func (a *Office) changePost(ctx context.Context, by player.Viewer, id tournament.ID, no int,
	f func(*tournament.Tournament, *venue.Post) (tournament.Act, error)) error {
	err := a.Beside(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (kernel.Step, error) {
		p, err := tx.Post(id, no)
		if err != nil {
			return kernel.Step{}, err
		}
		done, err := f(t, &p)
		if err != nil {
			return kernel.Step{}, err
		}
		return kernel.Step{By: by, Act: done, Reason: p.Text}, tx.SavePost(p)
	})
	return a.posted(id, err)
}

// ofPosts changes the posts of a tournament and logs acts of staff.
func (a *Office) ofPosts(ctx context.Context, d kernel.Step, id tournament.ID, f func(*store.Tx, *tournament.Tournament) error) error {
	err := a.Beside(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (kernel.Step, error) {
		if !t.MaySee(d.By) {
			return kernel.Step{}, store.ErrNotFound
		}
		return d, f(tx, t)
	})
	return a.posted(id, err)
}

func (a *Office) posted(id tournament.ID, err error) error {
	if err == nil {
		a.Live.Nudge(ChatTopic(id), 0)
	}
	return err
}
