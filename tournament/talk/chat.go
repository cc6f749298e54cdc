// Package talk decides who may write at a tournament, and what: announcements of
// its staff, the chat of who has entered, complaints about a post. It refuses who
// is muted, and a chat while a round is played by people who are to play by
// themselves.
package talk

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// Post is one message of a tournament: an announcement of its staff, or a line
// of its chat.
type Post struct {
	No           int // in the tournament, from 1
	Tournament   tournament.ID
	By           player.ID
	At           time.Time
	Announcement bool
	Text         string
	DeletedBy    player.ID // empty: it stands
	Reports      []Complaint
	Settled      bool // staff have looked at the reports
}

// Complaint is a reader's complaint about a post.
type Complaint struct {
	By     player.ID
	At     time.Time
	Reason string
}

// Mute keeps somebody out of a tournament's chat.
type Mute struct {
	Player player.ID
	By     player.ID
	At     time.Time
	Until  time.Time // zero: for good
	Reason string
}

// Bounds of posts, in characters.
const (
	MaxLength       = 400
	MaxAnnouncement = 2000
	MaxReason       = 300
)

// What the chat refuses.
var (
	ErrNone     = refusal.Conflict("chat.error.none", "tournament: there is no chat")
	ErrClosed   = refusal.Conflict("chat.error.closed", "tournament: the chat is closed while a round is played")
	ErrMuted    = refusal.Conflict("chat.error.muted", "tournament: muted")
	ErrBadPost  = refusal.Invalid("chat.error.text", "tournament: a post needs a text of bounded length")
	ErrReported = refusal.Conflict("chat.error.reported", "tournament: reported already")
)

// IsIn tells whether a mute holds.
func (m Mute) IsIn(now time.Time) bool { return m.Until.IsZero() || now.Before(m.Until) }

// SetOpen lets entrants talk, or ends that.
func SetOpen(t *tournament.Tournament, by player.Viewer, open bool) error {
	if !t.May(by, tournament.ActModerate) {
		return tournament.ErrNotAllowed
	}
	t.Chat = open
	return nil
}

// May is nil or why the viewer cannot write into the chat now: it is for
// staff and for entrants, not for who only asked to enter or was thrown out. Where people are to play by themselves (verified play and
// above) it rests while a round is played.
func May(t *tournament.Tournament, v player.Viewer, mutes []Mute, now time.Time) error {
	if t.May(v, tournament.ActAnnounce) {
		return nil
	}
	e, entered := t.EntryOf(v.ID)
	switch {
	case !t.Chat:
		return ErrNone
	case !entered, e.IsPrivate(), e.Expelled, e.Status == tournament.Withdrawn && e.Number == 0:
		return tournament.ErrNotAllowed
	case slices.ContainsFunc(mutes, func(m Mute) bool { return m.Player == v.ID && m.IsIn(now) }):
		return ErrMuted
	case t.Policy.OrOpen().Level >= fairplay.Verified && t.Status == tournament.Running && !t.RoundIsOver():
		return ErrClosed
	}
	return nil
}

// New is a post by the viewer, without its number.
func New(t *tournament.Tournament, by player.Viewer, text string, announcement bool, mutes []Mute, now time.Time) (Post, error) {
	most := MaxLength
	if announcement {
		most = MaxAnnouncement
		if !t.May(by, tournament.ActAnnounce) {
			return Post{}, tournament.ErrNotAllowed
		}
	} else if err := May(t, by, mutes, now); err != nil {
		return Post{}, err
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if n := utf8.RuneCountInString(text); n == 0 || n > most || !player.IsText(text) {
		return Post{}, ErrBadPost
	}
	return Post{Tournament: t.ID, By: by.ID, At: now, Announcement: announcement, Text: text}, nil
}

// Delete takes a post away: one's own, or by staff any.
func (p *Post) Delete(t *tournament.Tournament, by player.Viewer) error {
	if !by.Is(p.By) && !t.May(by, tournament.ActModerate) {
		return tournament.ErrNotAllowed
	}
	p.DeletedBy, p.Settled = by.ID, true
	return nil
}

// Report notes a complaint, one of each reader; somebody's own posts and those
// of staff's announcements are not reported here.
func (p *Post) Report(by player.Viewer, reason string, now time.Time) error {
	reason = strings.TrimSpace(reason)
	switch {
	case !by.IsSignedIn(), by.Is(p.By), p.Announcement, p.DeletedBy != "":
		return tournament.ErrNotAllowed
	case utf8.RuneCountInString(reason) > MaxReason, !player.IsLine(reason):
		return ErrBadPost
	case slices.ContainsFunc(p.Reports, func(r Complaint) bool { return r.By == by.ID }):
		return ErrReported
	}
	p.Reports = append(slices.Clone(p.Reports), Complaint{by.ID, now, reason})
	p.Settled = false
	return nil
}
