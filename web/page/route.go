package page

import (
	"net/http"

	"chpok.org/chpok/player"
)

// Access reports whether a viewer may use a route at all. The rulebooks decide what they may do there.
type Access func(player.Viewer) bool

// Anyone admits all viewers.
func Anyone(player.Viewer) bool { return true }

// SignedIn admits viewers with an account.
func SignedIn(v player.Viewer) bool { return v.HasAccount() }

// Players admits viewers who may play, guests too.
func Players(v player.Viewer) bool { return v.MayPlay() }

// Open reports whether a token's scopes suffice for a route. Of pages a token reads what it may read; their forms take one
// that may do everything but play.
func (r Route) Open(t player.Token) bool {
	switch {
	case r.IsAPI && r.Scope == Everyone:
		return true
	case r.IsAPI && r.Scope == player.ScopePlay:
		return t.MayMove()
	case r.IsAPI:
		return t.Has(r.Scope)
	case r.Method == http.MethodGet:
		return t.Has(player.ScopeRead)
	}
	return t.Has(player.ScopeChallenge) && t.Has(player.ScopeOrganize)
}
