package club

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
)

// Role is a member's role in a club. The zero value is no member.
type Role uint8

const (
	Member    Role = iota + 1 // belongs
	Arbiter                   // judges in the club's tournaments
	Organizer                 // admits, bans, writes the news, holds events in the club's name
	Owner                     // decides everything, and who the others are
)

// Roles are all roles, the highest first.
var Roles = []Role{Owner, Organizer, Arbiter, Member}

var roleNames = [...]string{"", "member", "arbiter", "organizer", "owner"}

func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return ""
}

// ParseRole reads the word of a role.
func ParseRole(s string) (Role, error) {
	if i := slices.Index(roleNames[:], s); i > 0 {
		return Role(i), nil
	}
	return 0, ErrRole
}

// Membership is one player in one club.
type Membership struct {
	Club   ID
	Player player.ID
	Role   Role
	Joined time.Time
}

// Act is something done in a club's name or to its people.
type Act uint8

const (
	ActChange Act = iota + 1 // name, text, how one joins
	ActRoles                 // give roles
	ActAdmit                 // answer requests, know and change the code
	ActExpel                 // expel members, ban, lift bans
	ActNews                  // write, change and delete news
	ActHold                  // tournaments, club matches, ladders and series in the club's name
	ActLineUp                // name who plays for the club
	ActDirect                // run what the club holds as if it were one's own
	ActJudge                 // act as an arbiter in the club's tournaments
	ActVouch                 // attest for the club that a member is who they are
)

// acts is who may do what. Judging goes with directing: see tournament's duties.
var acts = map[Act][]Role{
	ActChange: {Owner},
	ActRoles:  {Owner},
	ActAdmit:  {Owner, Organizer},
	ActExpel:  {Owner, Organizer},
	ActNews:   {Owner, Organizer},
	ActHold:   {Owner, Organizer},
	ActLineUp: {Owner, Organizer},
	ActDirect: {Owner},
	ActJudge:  {Owner, Arbiter},
	ActVouch:  {Owner},
}

// May reports whether a viewer with this role in the club (zero: none) may do an act.
// Operators of the site may do everything but vouch, for which a club speaks itself.
func May(v player.Viewer, in Role, act Act) bool {
	return v.MayOperate() && act != ActVouch || v.IsSignedIn() && !v.AsPlayer && Allows(in, act)
}

// Allows reports whether a role (zero: none) allows an act.
func Allows(r Role, act Act) bool { return slices.Contains(acts[act], r) }
