package club

import (
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// PostID names one post.
type PostID string

// Post is one post of a club's news.
type Post struct {
	ID     PostID
	Club   ID
	Author player.ID
	Title  string
	Text   string // plain, in paragraphs
	At     time.Time
	Edited time.Time // zero: never
}

// The bounds of a post, in characters.
const (
	MaxTitle = 120
	MaxPost  = 8000
)

// The refusals of a post.
var (
	ErrTitle = refusal.Invalid("club.error.title", "club news: the title must be 1 to 120 characters on one line")
	ErrPost  = refusal.Invalid("club.error.post", "club news: the text must be 1 to 8000 characters")
)

// ParseTitle reads the title of a post; runs of spaces become one.
func ParseTitle(s string) (string, error) {
	s = player.Tidy(s)
	if n := utf8.RuneCountInString(s); n < 1 || n > MaxTitle || !player.IsLine(s) {
		return "", ErrTitle
	}
	return s, nil
}

// ParsePost reads the text of a post.
func ParsePost(s string) (string, error) {
	s, err := parseText(s, MaxPost, ErrPost)
	if err == nil && s == "" {
		err = ErrPost
	}
	return s, err
}
