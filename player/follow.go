package player

import "chpok.org/chpok/refusal"

// MaxFollowed is how many players, and how many clubs, one account follows.
const MaxFollowed = 300

// What following is refused for.
var (
	ErrFollow     = refusal.Forbidden("follow.error.not", "player: not to be followed")
	ErrFollowMany = refusal.Conflict("follow.error.many", "player: follows as many as one can")
)

// MayFollow is nil or why a viewer does not follow an account: programs and guests
// are not followed, nor who does not want it.
func (v Viewer) MayFollow(x Player, p Privacy, r Relation) error {
	if !v.HasAccount() || r.Self || x.Bot || x.Guest || !p.Follow.Admits(r) {
		return ErrFollow
	}
	return nil
}
