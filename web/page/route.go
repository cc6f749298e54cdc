package page

import "chpok.org/chpok/player"

// Access reports whether a viewer may use a route at all. The rulebooks decide what they may do there.
type Access func(player.Viewer) bool

// Anyone admits all viewers.
func Anyone(player.Viewer) bool { return true }

// SignedIn admits viewers with an account.
func SignedIn(v player.Viewer) bool { return v.HasAccount() }

// Players admits viewers who may play, guests too.
func Players(v player.Viewer) bool { return v.MayPlay() }

// Open reports whether a token's scopes suffice for a route; tokens are for programs, so that pages know none.
func (r Route) Open(t player.Token) bool {
	switch {
	case !r.IsAPI || r.Scope == Everyone:
		return true
	case r.Scope == player.ScopePlay:
		return t.MayMove()
	}
	return t.Has(r.Scope)
}
