package club

import (
	"slices"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/fold"
)

// Request is somebody who wants to join.
type Request struct {
	Player player.ID
	Note   string // their message
	At     time.Time
}

// Ban keeps somebody out.
type Ban struct {
	Player player.ID
	By     player.ID
	Reason string
	At     time.Time
	Until  time.Time // zero: for good
}

// Holds reports whether the ban still applies.
func (b Ban) Holds(now time.Time) bool { return b.Until.IsZero() || now.Before(b.Until) }

// Roster is a club with everybody related to it. Methods that change it change the value
// they are called on, or nothing if they fail.
type Roster struct {
	Club
	Members  []Membership
	Requests []Request
	Bans     []Ban
}

// New is a club with its first owner.
func New(id ID, name, text string, founder player.ID, now time.Time) Roster {
	return Roster{
		Club:    Club{ID: id, Name: name, Text: text, Joining: Open, Created: now},
		Members: []Membership{{Club: id, Player: founder, Role: Owner, Joined: now}},
	}
}

// Clone shares nothing with the original.
func (r Roster) Clone() Roster {
	r.Members, r.Requests, r.Bans = slices.Clone(r.Members), slices.Clone(r.Requests), slices.Clone(r.Bans)
	return r
}

// RoleOf is a player's role in the club, zero for none.
func (r *Roster) RoleOf(id player.ID) Role {
	if i := r.member(id); i >= 0 {
		return r.Members[i].Role
	}
	return 0
}

// May reports whether the viewer may do an act in this club.
func (r *Roster) May(v player.Viewer, act Act) bool { return May(v, r.RoleOf(v.ID), act) }

// BanOf is the ban that keeps somebody out now.
func (r *Roster) BanOf(id player.ID, now time.Time) (Ban, bool) {
	if i := r.ban(id); i >= 0 && r.Bans[i].Holds(now) {
		return r.Bans[i], true
	}
	return Ban{}, false
}

// HasAsked reports whether somebody waits to be admitted.
func (r *Roster) HasAsked(id player.ID) bool { return r.request(id) >= 0 }

// MayJoin is nil or why the viewer cannot join at all.
func (r *Roster) MayJoin(v player.Viewer, now time.Time) error {
	switch _, banned := r.BanOf(v.ID, now); {
	case !v.HasAccount():
		return ErrNotAllowed
	case v.Bot:
		return ErrBot
	case r.RoleOf(v.ID) != 0:
		return ErrMember
	case banned:
		return ErrBanned
	}
	return nil
}

// Join admits the viewer or notes their request: true when they are a member now. The
// code is compared without case and hyphens.
func (r *Roster) Join(v player.Viewer, code, note string, now time.Time) (bool, error) {
	if err := r.MayJoin(v, now); err != nil {
		return false, err
	}
	note, err := parseText(note, MaxNote, ErrNote)
	switch {
	case err != nil:
		return false, err
	case r.Joining == ByCode && (r.Code == "" || fold.Code(code) != fold.Code(r.Code)):
		return false, ErrCode
	case r.Joining == ByRequest:
		if i := r.request(v.ID); i >= 0 {
			r.Requests[i].Note = note
		} else {
			r.Requests = append(r.Requests, Request{Player: v.ID, Note: note, At: now})
		}
		return false, nil
	}
	r.admit(v.ID, now)
	return true, nil
}

// Unask withdraws the viewer's own request.
func (r *Roster) Unask(v player.Viewer) error {
	if !r.HasAsked(v.ID) {
		return ErrNoRequest
	}
	r.drop(v.ID)
	return nil
}

// Answer admits somebody who has asked, or declines; those declined may ask again.
func (r *Roster) Answer(by player.Viewer, id player.ID, admit bool, now time.Time) error {
	switch {
	case !r.May(by, ActAdmit):
		return ErrNotAllowed
	case !r.HasAsked(id):
		return ErrNoRequest
	}
	if admit {
		r.admit(id, now)
	} else {
		r.drop(id)
	}
	return nil
}

// SetRole gives a member another role.
func (r *Roster) SetRole(by player.Viewer, id player.ID, role Role) error {
	if err := r.MaySetRole(by, id, role); err != nil {
		return err
	}
	r.Members[r.member(id)].Role = role
	return nil
}

// MaySetRole returns nil, or why SetRole refuses.
func (r *Roster) MaySetRole(by player.Viewer, id player.ID, role Role) error {
	switch {
	case !r.May(by, ActRoles):
		return ErrNotAllowed
	case r.member(id) < 0:
		return ErrNoMember
	case !slices.Contains(Roles, role):
		return ErrRole
	case role != Owner && r.isLastOwner(id):
		return ErrLastOwner
	}
	return nil
}

// Leave ends the viewer's membership.
func (r *Roster) Leave(v player.Viewer) error {
	if err := r.MayLeave(v); err != nil {
		return err
	}
	r.remove(v.ID)
	return nil
}

// MayLeave returns nil, or why Leave refuses.
func (r *Roster) MayLeave(v player.Viewer) error {
	switch {
	case r.RoleOf(v.ID) == 0:
		return ErrNoMember
	case r.isLastOwner(v.ID):
		return ErrLastOwner
	}
	return nil
}

// MayExpel reports whether the viewer may expel a player: owners anybody who is not an
// owner, organizers anybody below themselves.
func (r *Roster) MayExpel(by player.Viewer, id player.ID) bool {
	least := r.RoleOf(by.ID)
	if by.MayOperate() {
		least = Owner
	}
	return r.May(by, ActExpel) && !by.Is(id) && r.RoleOf(id) < least
}

// Expel ends somebody's membership; they may return.
func (r *Roster) Expel(by player.Viewer, id player.ID) error {
	switch {
	case !r.May(by, ActExpel):
		return ErrNotAllowed
	case r.RoleOf(id) == 0:
		return ErrNoMember
	case !r.MayExpel(by, id):
		return ErrNotAllowed
	}
	r.remove(id)
	return nil
}

// Ban keeps somebody out until a moment (zero: for good) and ends their ties to the club.
// A second ban replaces the first.
func (r *Roster) Ban(by player.Viewer, id player.ID, reason string, until, now time.Time) error {
	reason = player.Tidy(reason)
	switch n := utf8.RuneCountInString(reason); {
	case !r.MayExpel(by, id):
		return ErrNotAllowed
	case n < 1 || n > MaxReason || !player.IsLine(reason):
		return ErrReason
	case !until.IsZero() && !until.After(now):
		return ErrUntil
	}
	r.remove(id)
	r.drop(id)
	r.lift(id)
	r.Bans = append(r.Bans, Ban{Player: id, By: by.ID, Reason: reason, At: now, Until: until})
	return nil
}

// Unban lifts a ban.
func (r *Roster) Unban(by player.Viewer, id player.ID) error {
	switch {
	case !r.May(by, ActExpel):
		return ErrNotAllowed
	case r.ban(id) < 0:
		return ErrNoBan
	}
	r.lift(id)
	return nil
}

// Change replaces the club's name, description and way of joining. Those who have asked
// to join wait on for an answer even if nobody has to ask any longer.
func (r *Roster) Change(by player.Viewer, name, text string, joining Joining) error {
	switch {
	case !r.May(by, ActChange):
		return ErrNotAllowed
	case !slices.Contains(Joinings, joining):
		return ErrJoining
	}
	r.Name, r.Text, r.Joining = name, text, joining
	return nil
}

// SetCode replaces the code; the old one becomes invalid.
func (r *Roster) SetCode(by player.Viewer, code string) error {
	if !r.May(by, ActAdmit) {
		return ErrNotAllowed
	}
	r.Code = code
	return nil
}

func (r *Roster) isLastOwner(id player.ID) bool {
	return r.RoleOf(id) == Owner && !slices.ContainsFunc(r.Members, func(m Membership) bool { return m.Role == Owner && m.Player != id })
}

func (r *Roster) admit(id player.ID, now time.Time) {
	r.drop(id)
	r.lift(id)
	if r.member(id) < 0 {
		r.Members = append(r.Members, Membership{Club: r.ID, Player: id, Role: Member, Joined: now})
	}
}

func (r *Roster) member(id player.ID) int {
	return slices.IndexFunc(r.Members, func(m Membership) bool { return m.Player == id })
}

func (r *Roster) request(id player.ID) int {
	return slices.IndexFunc(r.Requests, func(q Request) bool { return q.Player == id })
}

func (r *Roster) ban(id player.ID) int {
	return slices.IndexFunc(r.Bans, func(b Ban) bool { return b.Player == id })
}

func (r *Roster) remove(id player.ID) {
	r.Members = slices.DeleteFunc(r.Members, func(m Membership) bool { return m.Player == id })
}

func (r *Roster) drop(id player.ID) {
	r.Requests = slices.DeleteFunc(r.Requests, func(q Request) bool { return q.Player == id })
}

func (r *Roster) lift(id player.ID) {
	r.Bans = slices.DeleteFunc(r.Bans, func(b Ban) bool { return b.Player == id })
}
