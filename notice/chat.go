package notice

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// chatActs are what chats read of: pairings, the end of a round and of an event, and a challenge on a ladder that is over.
var chatActs = map[string][]string{
	OfTournament: {string(tournament.ActPair), string(tournament.ActPublish), string(tournament.ActRecord), string(tournament.ActResult),
		string(tournament.ActConclude), string(tournament.ActFinish)},
	OfLadder: {string(ladder.ChallengeEnded)},
}

// IsForChats reports whether chats may read of an act on a topic of a kind.
func IsForChats(kind, act string) bool { return slices.Contains(chatActs[kind], act) }

const telegramScheme = "telegram:"

// TelegramGroup returns what stands for the address of a group on Telegram.
func TelegramGroup(chat int64) string { return telegramScheme + strconv.FormatInt(chat, 10) }

// Group returns the chat of a group on Telegram; false: the hook is none.
func (h Hook) Group() (chat int64, is bool) {
	text, is := strings.CutPrefix(h.URL, telegramScheme)
	chat, err := strconv.ParseInt(text, 10, 64)
	return chat, is && err == nil
}

// IsDiscord reports whether an address is the webhook of a channel on Discord.
func IsDiscord(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && strings.HasPrefix(u.Path, "/api/webhooks/") &&
		slices.Contains([]string{"discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"}, u.Host)
}

// News is what a chat reads.
type News struct {
	Title, Text  string // Text empty: there is nothing to tell
	URL, Picture string // page, and its picture
}
