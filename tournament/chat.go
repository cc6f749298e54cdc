package tournament

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Post is one message of a tournament: an announcement of its staff, or a line
// of its chat.
type Post struct {
	No           int // in the tournament, from 1
	Tournament   ID
	By           player.ID
	At           time.Time
	Announcement bool
	Text         string
	DeletedBy    player.ID // empty: it stands
	Reports      []PostReport
	Settled      bool // staff have looked at the reports
}

// PostReport is a reader's complaint about a post.
type PostReport struct {
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
	MaxChatLength         = 400
	MaxAnnouncementLength = 2000
	MaxReportLength       = 300
)

// What the chat refuses.
var (
	ErrNoChat     = refusal.Conflict("chat.error.none", "tournament: there is no chat")
	ErrChatClosed = refusal.Conflict("chat.error.closed", "tournament: the chat is closed while a round is played")
	ErrMuted      = refusal.Conflict("chat.error.muted", "tournament: muted")
	ErrBadPost    = refusal.Invalid("chat.error.text", "tournament: a post needs a text of bounded length")
	ErrReported   = refusal.Conflict("chat.error.reported", "tournament: reported already")
)

// IsIn tells whether a mute holds.
func (m Mute) IsIn(now time.Time) bool { return m.Until.IsZero() || now.Before(m.Until) }

// SetChat lets entrants talk, or ends that.
func (t *Tournament) SetChat(by player.Viewer, open bool) error {
	if !t.May(by, ActModerate) {
		return ErrNotAllowed
	}
	t.Chat = open
	return nil
}

// MayTalk is nil or why the viewer cannot write into the chat now: it is for
// staff and for entrants, not for who only asked to enter or was thrown out. Where people are to play by themselves (verified play and
// above) it rests while a round is played.
func (t *Tournament) MayTalk(v player.Viewer, mutes []Mute, now time.Time) error {
	if t.May(v, ActAnnounce) {
		return nil
	}
	e, entered := t.EntryOf(v.ID)
	switch {
	case !t.Chat:
		return ErrNoChat
	case !entered, e.IsPrivate(), e.Expelled, e.Status == Withdrawn && e.Number == 0:
		return ErrNotAllowed
	case slices.ContainsFunc(mutes, func(m Mute) bool { return m.Player == v.ID && m.IsIn(now) }):
		return ErrMuted
	case t.Policy.OrOpen().Level >= fairplay.Verified && t.Status == Running && !t.RoundIsOver():
		return ErrChatClosed
	}
	return nil
}

// NewPost is a post by the viewer, without its number.
func (t *Tournament) NewPost(by player.Viewer, text string, announcement bool, mutes []Mute, now time.Time) (Post, error) {
	most := MaxChatLength
	if announcement {
		most = MaxAnnouncementLength
		if !t.May(by, ActAnnounce) {
			return Post{}, ErrNotAllowed
		}
	} else if err := t.MayTalk(by, mutes, now); err != nil {
		return Post{}, err
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if n := utf8.RuneCountInString(text); n == 0 || n > most || !player.IsText(text) {
		return Post{}, ErrBadPost
	}
	return Post{Tournament: t.ID, By: by.ID, At: now, Announcement: announcement, Text: text}, nil
}

// Delete takes a post away: one's own, or by staff any.
func (t *Tournament) Delete(by player.Viewer, p *Post) error {
	if !by.Is(p.By) && !t.May(by, ActModerate) {
		return ErrNotAllowed
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
		return ErrNotAllowed
	case utf8.RuneCountInString(reason) > MaxReportLength, !player.IsLine(reason):
		return ErrBadPost
	case slices.ContainsFunc(p.Reports, func(r PostReport) bool { return r.By == by.ID }):
		return ErrReported
	}
	p.Reports = append(slices.Clone(p.Reports), PostReport{by.ID, now, reason})
	p.Settled = false
	return nil
}
