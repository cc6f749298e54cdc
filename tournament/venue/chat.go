package venue

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

// Post is a message in a tournament: an announcement by staff, or a line of the chat.
type Post struct {
	No           int // number in the tournament, from 1
	Tournament   tournament.ID
	By           player.ID
	At           time.Time
	Announcement bool
	Text         string
	DeletedBy    player.ID // empty: not deleted
	Reports      []Complaint
	Settled      bool // staff have handled the reports
}

// Complaint is a reader's complaint about a post.
type Complaint struct {
	By     player.ID
	At     time.Time
	Reason string
}

// Mute keeps somebody from writing in the chat of a tournament.
type Mute struct {
	Player player.ID
	By     player.ID
	At     time.Time
	Until  time.Time // zero: forever
	Reason string
}

// Limits of posts, in characters.
const (
	MaxPost         = 400
	MaxAnnouncement = 2000
	MaxReason       = 300
)

// The refusals of the chat.
var (
	ErrNoChat     = refusal.Conflict("chat.error.none", "tournament: there is no chat")
	ErrChatClosed = refusal.Conflict("chat.error.closed", "tournament: the chat is closed while a round is played")
	ErrMuted      = refusal.Conflict("chat.error.muted", "tournament: muted")
	ErrBadPost    = refusal.Invalid("chat.error.text", "tournament: a post needs a text of bounded length")
	ErrReported   = refusal.Conflict("chat.error.reported", "tournament: reported already")
)

// IsIn reports whether a mute is in force.
func (m Mute) IsIn(now time.Time) bool { return m.Until.IsZero() || now.Before(m.Until) }

// OpenChat opens or closes the chat for entrants.
func OpenChat(t *tournament.Tournament, by player.Viewer, open bool) error {
	if !t.May(by, tournament.ActModerate) {
		return tournament.ErrNotAllowed
	}
	t.Chat = open
	return nil
}

// MayPost returns nil, or why the viewer cannot write in the chat now. It is for staff and
// entrants, not for people who only requested to enter or were expelled. In verified play
// and above it is closed during rounds.
func MayPost(t *tournament.Tournament, v player.Viewer, mutes []Mute, now time.Time) error {
	if t.May(v, tournament.ActAnnounce) {
		return nil
	}
	e, entered := t.EntryOf(v.ID)
	switch {
	case !t.Chat:
		return ErrNoChat
	case !entered, e.IsPrivate(), e.Expelled, e.Status == tournament.Withdrawn && e.Number == 0:
		return tournament.ErrNotAllowed
	case slices.ContainsFunc(mutes, func(m Mute) bool { return m.Player == v.ID && m.IsIn(now) }):
		return ErrMuted
	case t.Policy.OrOpen().Level >= fairplay.Verified && t.Status == tournament.Running && !t.RoundIsOver():
		return ErrChatClosed
	}
	return nil
}

// NewPost returns a post by the viewer, without its number.
func NewPost(t *tournament.Tournament, by player.Viewer, text string, mutes []Mute, now time.Time) (Post, error) {
	if err := MayPost(t, by, mutes, now); err != nil {
		return Post{}, err
	}
	return Post{Tournament: t.ID, By: by.ID, At: now}.saying(text, MaxPost)
}

// NewAnnouncement returns an announcement by the viewer, without its number.
func NewAnnouncement(t *tournament.Tournament, by player.Viewer, text string, now time.Time) (Post, error) {
	if !t.May(by, tournament.ActAnnounce) {
		return Post{}, tournament.ErrNotAllowed
	}
	return Post{Tournament: t.ID, By: by.ID, At: now, Announcement: true}.saying(text, MaxAnnouncement)
}

func (p Post) saying(text string, most int) (Post, error) {
	p.Text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if n := utf8.RuneCountInString(p.Text); n == 0 || n > most || !player.IsText(p.Text) {
		return Post{}, ErrBadPost
	}
	return p, nil
}

// Delete deletes a post: authors their own, staff any.
func (p *Post) Delete(t *tournament.Tournament, by player.Viewer) error {
	if !by.Is(p.By) && !t.May(by, tournament.ActModerate) {
		return tournament.ErrNotAllowed
	}
	p.DeletedBy, p.Settled = by.ID, true
	return nil
}

// Report adds a complaint, at most one per reader. Nobody can report their own posts or
// announcements.
func (p *Post) Report(by player.Viewer, reason string, now time.Time) error {
	reason = player.Tidy(reason)
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
