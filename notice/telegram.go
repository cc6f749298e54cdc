package notice

import (
	"regexp"
	"strings"
	"time"

	"chpok.org/chpok/refusal"
)

const (
	// JoinWithin is how long the link that joins a chat is valid.
	JoinWithin = time.Hour
	// MaxBotToken bounds the token of a bot.
	MaxBotToken = 100
)

// ErrBotToken refuses what Telegram gives no bot as its token.
var ErrBotToken = refusal.Invalid("telegram.error.token", "notice: not the token of a bot")

var botToken = regexp.MustCompile(`^[0-9]{1,20}:[A-Za-z0-9_-]{20,80}$`)

// ParseBotToken reads the token of a bot as its owner pasted it.
func ParseBotToken(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !botToken.MatchString(text) {
		return "", ErrBotToken
	}
	return text, nil
}
