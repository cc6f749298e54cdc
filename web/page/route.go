package page

import (
	"net/http"

	"chpok.org/chpok/player"
)

// Access is who may ask at all; what an account may do to a thing is asked of
// the domain by the handler.
type Access func(player.Viewer) bool

func Anyone(player.Viewer) bool { return true }

func SignedIn(v player.Viewer) bool { return v.HasAccount() }

func Players(v player.Viewer) bool { return v.MayPlay() } // guests too

// Open tells whether a token's scopes are enough for an address of the API: to
// read for what changes nothing, to play for matches, else to arrange them.
func (r Route) Open(t player.Token) bool {
	switch {
	case r.Method == http.MethodGet:
		return t.Has(player.ScopeRead)
	case r.Path == "/api/v1/matches/:id/commands":
		return t.MayMove()
	case r.Path == "/api/v1/analyse":
		return t.Has(player.ScopeRead)
	}
	return t.Has(player.ScopeChallenge)
}
