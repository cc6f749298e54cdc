package player

import (
	"errors"
	"slices"
	"strings"

	"chpok.org/chpok/refusal"
)

// Scope is a permission of a token.
type Scope string

const (
	ScopeRead      Scope = "read"       // everything the account may see
	ScopeChallenge Scope = "challenge"  // arrange one's own matches: challenges, entries, joining clubs and ladders
	ScopeOrganize  Scope = "organize"   // hold events: tournaments, ladders and their players, calls of the arbiter
	ScopeAccount   Scope = "account"    // keep the account: profile, settings, notices, whom it follows and blocks, its bots
	ScopeOperate   Scope = "operate"    // run the site: roles, sign-up, its name, its mail
	ScopeBoardPlay Scope = "board:play" // move for a person: an electronic board, a program that only relays
	ScopeBotPlay   Scope = "bot:play"   // move for a bot

	// ScopePlay is what an operation needs that either of the last two allows. No token has it by this name.
	ScopePlay Scope = "play"
)

// Scopes is every scope, in the order in which lists show them.
var Scopes = []Scope{ScopeRead, ScopeChallenge, ScopeOrganize, ScopeAccount, ScopeOperate, ScopeBoardPlay, ScopeBotPlay}

// The refusals of a token.
var (
	ErrScope = refusal.Invalid("account.error.scope",
		"token scope: read, challenge, organize, account, operate, board:play or bot:play, at least one")
	ErrScopePerson = refusal.Invalid("account.error.scope-person", "token scope: bot:play is for bot accounts")
	ErrScopeBot    = refusal.Invalid("account.error.scope-bot", "token scope: board:play is for people; a bot has bot:play")
)

// ParseScopes reads scopes by their words. Empty: all that a token of the account can
// have, so that a plain token can play.
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

// MostScopes are all scopes that a token of the account can have.
func (p Player) MostScopes() []Scope {
	if p.Bot {
		return []Scope{ScopeRead, ScopeChallenge, ScopeBotPlay}
	}
	list := []Scope{ScopeRead, ScopeChallenge, ScopeOrganize, ScopeAccount, ScopeBoardPlay}
	if p.Role >= Operator {
		list = append(list, ScopeOperate)
	}
	return list
}

// Has reports whether a token has a scope.
func (t Token) Has(s Scope) bool { return slices.Contains(t.Scopes, s) }

// MayMove reports whether a token may act in matches.
func (t Token) MayMove() bool { return t.Has(ScopeBoardPlay) || t.Has(ScopeBotPlay) }

// MostBots is how many bots one person may maintain.
const MostBots = 5

// The refusals of a bot.
var (
	ErrManyBots   = refusal.Invalid("account.error.many-bots", "bot: a person can run at most five bots")
	ErrHasPlayed  = errors.New("bot: an account that has played cannot become a bot")
	ErrMaintainer = refusal.Forbidden("error.forbidden", "bot: a person answers for it")
)

// IsHouse tells the house's bots from those that a maintainer's program plays.
func (p Player) IsHouse() bool { return p.Bot && p.Maintainer == "" }

// NewBot is a bot maintained by the viewer; has is how many they have already.
func (v Viewer) NewBot(id ID, handle Handle, has int) (Player, error) {
	switch {
	case !v.IsSignedIn() || v.Bot:
		return Player{}, ErrMaintainer
	case has >= MostBots:
		return Player{}, ErrManyBots
	}
	return Player{ID: id, Handle: handle, Role: Plain, Bot: true, Maintainer: v.ID}, nil
}

// BecomeBot turns a person's account that has played no match into a bot, for good.
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

// MayManage reports whether the viewer manages the tokens of an account: their own, and
// those of their bots.
func (v Viewer) MayManage(of Player) bool {
	return v.IsSignedIn() && (v.Is(of.ID) || of.Bot && of.Maintainer == v.ID)
}
