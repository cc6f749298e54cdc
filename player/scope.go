package player

import (
	"errors"
	"slices"
	"strings"

	"chpok.org/chpok/refusal"
)

// Scope is one thing that a token may do for its account.
type Scope string

const (
	ScopeRead      Scope = "read"       // everything the account may see
	ScopeChallenge Scope = "challenge"  // arrange matches: challenges, entries, ladders, tournaments
	ScopeBoardPlay Scope = "board:play" // move for a person: an electronic board, a program that only passes on
	ScopeBotPlay   Scope = "bot:play"   // move for a bot
)

// Scopes is every scope, in the order in which lists show them.
var Scopes = []Scope{ScopeRead, ScopeChallenge, ScopeBoardPlay, ScopeBotPlay}

// Why a token is not made.
var (
	ErrScope       = refusal.Invalid("account.error.scope", "token scope: read, challenge, board:play or bot:play, at least one")
	ErrScopePerson = refusal.Invalid("account.error.scope-person", "token scope: bot:play is for bot accounts")
	ErrScopeBot    = refusal.Invalid("account.error.scope-bot", "token scope: board:play is for people; a bot has bot:play")
)

// ParseScopes reads scopes by their words. Empty: what a token of that account
// could do at the most, so that a plain token plays.
func (p Player) ParseScopes(words []string) ([]Scope, error) {
	var list []Scope
	for _, word := range words {
		if scope := Scope(strings.TrimSpace(word)); !slices.Contains(Scopes, scope) {
			return nil, ErrScope
		} else if !slices.Contains(list, scope) {
			list = append(list, scope)
		}
	}
	if len(words) == 0 {
		list = p.MostScopes()
	}
	switch {
	case !p.Bot && slices.Contains(list, ScopeBotPlay):
		return nil, ErrScopePerson
	case p.Bot && slices.Contains(list, ScopeBoardPlay):
		return nil, ErrScopeBot
	}
	return list, nil
}

// MostScopes is everything that a token of the account can be made for.
func (p Player) MostScopes() []Scope {
	if p.Bot {
		return []Scope{ScopeRead, ScopeChallenge, ScopeBotPlay}
	}
	return []Scope{ScopeRead, ScopeChallenge, ScopeBoardPlay}
}

// Has tells whether a token may do that.
func (t Token) Has(s Scope) bool { return slices.Contains(t.Scopes, s) }

// MayMove tells whether a token may act in matches.
func (t Token) MayMove() bool { return t.Has(ScopeBoardPlay) || t.Has(ScopeBotPlay) }

// MostBots is how many bots one person may answer for.
const MostBots = 5

// Why there is no such bot.
var (
	ErrManyBots   = refusal.Invalid("account.error.many-bots", "bot: a person can run at most five bots")
	ErrHasPlayed  = errors.New("bot: an account that has played cannot become a bot")
	ErrMaintainer = refusal.Forbidden("error.forbidden", "bot: a person answers for it")
)

// IsHouse tells a bot that the house plays from one that its maintainer's
// program plays.
func (p Player) IsHouse() bool { return p.Bot && p.Maintainer == "" }

// NewBot is a bot that the viewer answers for; has is how many they have already.
func (v Viewer) NewBot(id ID, handle Handle, has int) (Player, error) {
	switch {
	case !v.IsSignedIn() || v.Bot:
		return Player{}, ErrMaintainer
	case has >= MostBots:
		return Player{}, ErrManyBots
	}
	return Player{ID: id, Handle: handle, Role: Plain, Bot: true, Maintainer: v.ID}, nil
}

// BecomeBot makes a bot of a person's account that has played no match; there is
// no way back.
func (p Player) BecomeBot(maintainer Player, matches int) (Player, error) {
	switch {
	case p.Bot || matches > 0 || p.Role != Plain:
		return p, ErrHasPlayed
	case maintainer.Bot || maintainer.ID == "" || maintainer.ID == p.ID:
		return p, ErrMaintainer
	}
	p.Bot, p.Maintainer = true, maintainer.ID
	return p, nil
}

// MayManage tells whether the viewer makes and ends the tokens of an account:
// their own, and those of the bots they answer for.
func (v Viewer) MayManage(of Player) bool {
	return v.IsSignedIn() && (v.Is(of.ID) || of.Bot && of.Maintainer == v.ID)
}
