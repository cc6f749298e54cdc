package arbiter

import (
	"context"
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// ChatTopic wakes whoever reads a tournament's posts. Its seq says only that
// something is new.
func ChatTopic(id tournament.ID) string { return "chat." + string(id) }

// announceUntil is how long the notice of an announcement is of use.
const announceUntil = 3 * 24 * time.Hour

// noticeTextMax is how much of an announcement its notice quotes, in characters.
const noticeTextMax = 300

// MayTalk is nil or why the viewer cannot write into the chat of a tournament now:
// the errors of Tournament.MayTalk. What a running match was opened with counts,
// even where the next round will demand less.
func MayTalk(tx *store.Tx, t *tournament.Tournament, by player.Viewer, mutes []tournament.Mute, now time.Time) error {
	if err := t.MayTalk(by, mutes, now); err != nil || t.May(by, tournament.ActAnnounce) || len(t.Rounds) == 0 {
		return err
	}
	var ids []match.ID
	for _, p := range t.Rounds[len(t.Rounds)-1].Pairings {
		if p.Match != "" && p.Result.IsPending() {
			ids = append(ids, p.Match)
		}
	}
	heads, err := tx.Matches(ids)
	for _, h := range heads {
		if h.Level >= fairplay.Verified {
			return tournament.ErrChatClosed
		}
	}
	return err
}

// Post writes into the chat of a tournament. Errors: those of MayTalk,
// tournament.ErrBadPost.
func (a *Arbiter) Post(ctx context.Context, by player.Viewer, id tournament.ID, text string) error {
	return a.ofPosts(ctx, by, id, "", "", func(tx *store.Tx, t *tournament.Tournament) error {
		mutes, err := tx.Mutes(id)
		if err != nil {
			return err
		}
		if err := MayTalk(tx, t, by, mutes, a.now()); err != nil {
			return err
		}
		p, err := t.NewPost(by, text, false, mutes, a.now())
		if err != nil {
			return err
		}
		_, err = tx.AddPost(p)
		return err
	})
}

// Announce tells everybody in a tournament something, as its staff.
func (a *Arbiter) Announce(ctx context.Context, by player.Viewer, id tournament.ID, text string) error {
	return a.ofPosts(ctx, by, id, tournament.ActAnnounce, text, func(tx *store.Tx, t *tournament.Tournament) error {
		p, err := t.NewPost(by, text, true, nil, a.now())
		if err != nil {
			return err
		}
		if p, err = tx.AddPost(p); err != nil {
			return err
		}
		quoted := []rune(p.Text)
		if len(quoted) > noticeTextMax {
			quoted = append(quoted[:noticeTextMax-1:noticeTextMax-1], '…')
		}
		var list []notice.Notice
		for _, e := range t.Entries {
			if e.Status == tournament.Active && e.Player != by.ID {
				list = append(list, notice.Notice{
					To: e.Player, Kind: notice.Announcement, Key: fmt.Sprintf("%s/%d", id, p.No), URL: "/tournaments/" + string(id) + "/chat",
					Args: map[string]string{"From": t.Name, "Text": string(quoted)}, Until: p.At.Add(announceUntil),
				})
			}
		}
		return a.Notify(tx, list...)
	})
}

// DeletePost takes a post away: one's own, or as staff any.
func (a *Arbiter) DeletePost(ctx context.Context, by player.Viewer, id tournament.ID, no int) error {
	return a.changePost(ctx, by, id, no, func(t *tournament.Tournament, p *tournament.Post) (tournament.Act, error) {
		if by.Is(p.By) {
			return "", t.Delete(by, p)
		}
		return tournament.ActModerate, t.Delete(by, p)
	})
}

// ReportPost is a reader's complaint.
func (a *Arbiter) ReportPost(ctx context.Context, by player.Viewer, id tournament.ID, no int, reason string) error {
	return a.changePost(ctx, by, id, no, func(t *tournament.Tournament, p *tournament.Post) (tournament.Act, error) {
		if !t.MaySee(by) {
			return "", store.ErrNotFound
		}
		return "", p.Report(by, reason, a.now())
	})
}

// SettlePost lets a reported post stand.
func (a *Arbiter) SettlePost(ctx context.Context, by player.Viewer, id tournament.ID, no int) error {
	return a.changePost(ctx, by, id, no, func(t *tournament.Tournament, p *tournament.Post) (tournament.Act, error) {
		if !t.May(by, tournament.ActModerate) {
			return "", tournament.ErrNotAllowed
		}
		p.Settled = true
		return tournament.ActModerate, nil
	})
}

// Mute keeps a player out of the chat for a while; zero: for good.
func (a *Arbiter) Mute(ctx context.Context, by player.Viewer, id tournament.ID, who player.ID, d time.Duration, reason string) error {
	return a.ofPosts(ctx, by, id, tournament.ActModerate, reason, func(tx *store.Tx, t *tournament.Tournament) error {
		if !t.May(by, tournament.ActModerate) || t.DutyOf(player.Viewer{Player: player.Player{ID: who}}) != 0 {
			return tournament.ErrNotAllowed
		}
		m := tournament.Mute{Player: who, By: by.ID, At: a.now(), Reason: reason}
		if d > 0 {
			m.Until = m.At.Add(d)
		}
		return tx.SaveMute(id, m)
	})
}

// Unmute lets them talk again.
func (a *Arbiter) Unmute(ctx context.Context, by player.Viewer, id tournament.ID, who player.ID) error {
	return a.ofPosts(ctx, by, id, tournament.ActModerate, "", func(tx *store.Tx, t *tournament.Tournament) error {
		if !t.May(by, tournament.ActModerate) {
			return tournament.ErrNotAllowed
		}
		return tx.DropMute(id, who)
	})
}

// SetChat opens or ends the chat of a tournament.
func (a *Arbiter) SetChat(ctx context.Context, by player.Viewer, id tournament.ID, open bool) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActModerate}, func(t *tournament.Tournament) error { return t.SetChat(by, open) })
	if err == nil {
		a.live.Nudge(ChatTopic(id), 0)
	}
	return err
}

func (a *Arbiter) changePost(ctx context.Context, by player.Viewer, id tournament.ID, no int,
	f func(*tournament.Tournament, *tournament.Post) (tournament.Act, error)) error {
	var done tournament.Act
	err := a.ofTournament(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (noted act, err error) {
		p, err := tx.Post(id, no)
		if err != nil {
			return act{}, err
		}
		if done, err = f(t, &p); err != nil {
			return act{}, err
		}
		return act{By: by, Act: done, Reason: p.Text}, tx.SavePost(p)
	})
	return a.posted(ctx, id, done, err)
}

// ofPosts does something to the posts of a tournament; an act of staff is noted
// in the log.
func (a *Arbiter) ofPosts(ctx context.Context, by player.Viewer, id tournament.ID, noted tournament.Act, reason string,
	f func(*store.Tx, *tournament.Tournament) error) error {
	err := a.ofTournament(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (act, error) {
		if !t.MaySee(by) {
			return act{}, store.ErrNotFound
		}
		return act{By: by, Act: noted, Reason: reason}, f(tx, t)
	})
	return a.posted(ctx, id, noted, err)
}

// ofTournament does something beside a tournament and notes it in its log, if
// the act has a name; when another change came first, all of it again.
func (a *Arbiter) ofTournament(ctx context.Context, id tournament.ID, f func(*store.Tx, *tournament.Tournament) (act, error)) error {
	return a.inTurn(ctx, string(id), func(ctx context.Context) error {
		return a.store.Write(ctx, func(tx *store.Tx) error {
			t, err := tx.Tournament(id)
			if err != nil {
				return err
			}
			d, err := f(tx, t)
			if err != nil || d.Act == "" {
				return err
			}
			return tx.SaveTournament(t, t.Clone(), d.deed(t, a.now()))
		})
	})
}

func (a *Arbiter) posted(ctx context.Context, id tournament.ID, noted tournament.Act, err error) error {
	if err != nil {
		return err
	}
	a.live.Nudge(ChatTopic(id), 0)
	if noted != "" {
		return a.nudgeByID(ctx, id)
	}
	return nil
}
