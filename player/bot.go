package player

import (
	"time"

	"chpok.org/chpok/refusal"
)

// BotRules are what the person who answers for a bot lets it play. Matches with bots are never rated.
type BotRules struct {
	From    Audience      `json:"from"`              // who may challenge it, as they stand to that person
	Ratings [2]int        `json:"ratings"`           // of those who may, lowest and highest; 0: no bound
	Longest time.Duration `json:"longest,omitempty"` // a match may last at most so long; 0: any
	AtOnce  int           `json:"atOnce"`            // matches at once
}

// MostAtOnce is how many matches a bot may play at once.
const MostAtOnce = 16

// DefaultBotRules are the rules of bots that have none of their own.
func DefaultBotRules() BotRules { return BotRules{From: Everyone, AtOnce: 4} }

// The refusals of a bot's rules and by them.
var (
	ErrBotRules = refusal.Invalid("bots.error.rules", "bot: its rules mean nothing")
	ErrBotAway  = refusal.Forbidden("bots.error.from", "bot: it does not play this player")
	ErrBotLevel = refusal.Forbidden("bots.error.level", "bot: it plays others by rating")
	ErrBotLong  = refusal.Invalid("bots.error.long", "bot: the match may last too long")
	ErrBotBusy  = refusal.Conflict("bots.error.busy", "bot: it plays as many matches as it may at once")
)

// Check returns nil, or why these rules cannot be stored.
func (b BotRules) Check() error {
	low, high := b.Ratings[0], b.Ratings[1]
	if b.AtOnce < 1 || b.AtOnce > MostAtOnce || low < 0 || high < 0 || high > 0 && low > high || b.Longest < 0 {
		return ErrBotRules
	}
	if b.From != Everyone && b.From != Members && b.From != Clubs && b.From != Nobody {
		return ErrBotRules
	}
	return nil
}

// Asked is a challenge to a bot as its rules see it.
type Asked struct {
	By      Relation      // of the challenger to the person who answers for the bot
	Rating  int           // of the challenger; 0: none
	Longest time.Duration // how long the match may last
	Running int           // how many the bot plays
}

// Admit returns nil, or why the rules refuse a challenge. The one who answers for the bot may try it at any level.
func (b BotRules) Admit(a Asked) error {
	low, high := b.Ratings[0], b.Ratings[1]
	switch {
	case !b.From.Admits(a.By):
		return ErrBotAway
	case !a.By.Self && (a.Rating < low || high > 0 && (a.Rating == 0 || a.Rating > high)):
		return refusal.Case(ErrBotLevel, "bot: it plays others by rating", "Low", low, "High", high)
	}
	return b.Own(a.Longest, a.Running)
}

// Own returns nil, or why the rules keep the bot from one more match that may last so long.
func (b BotRules) Own(longest time.Duration, running int) error {
	switch {
	case b.Longest > 0 && longest > b.Longest:
		return refusal.Case(ErrBotLong, "bot: the match may last "+longest.String()+", it plays up to "+b.Longest.String(), "Time", b.Longest)
	case running >= b.AtOnce:
		return refusal.Case(ErrBotBusy, "bot: it plays as many matches as it may at once", "Count", b.AtOnce)
	}
	return nil
}
