package player

import "chpok.org/chpok/refusal"

// MaxFollowed is how many players, and how many clubs, one account can follow.
const MaxFollowed = 300

// The refusals of following.
var (
	ErrFollow     = refusal.Forbidden("follow.error.not", "player: not to be followed")
	ErrFollowMany = refusal.Conflict("follow.error.many", "player: follows as many as one can")
)

// MayFollow is nil or why a viewer cannot follow an account: bots, guests and those who
// do not want it cannot be followed.
func (v Viewer) MayFollow(x Player, p Privacy, r Relation) error {
	if !v.HasAccount() || r.Self || x.Bot || x.Guest || !p.Follow.Admits(r) {
		return ErrFollow
	}
	return nil
}
