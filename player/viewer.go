package player

// Viewer is whoever asks: an account that signed in, or, as the zero value, a visitor.
// Every permission of the site is one of its methods, or a method of the thing concerned
// that takes a Viewer (club.Club, tournament.Tournament).
type Viewer struct {
	Player
	Shown int64 // version of the tournament that they saw when they acted; 0: they act on it as it is
	// AsPlayer is that a program acts for them that they let do what concerns themselves, and not what they may do for others: as
	// staff, for a club or for the site.
	AsPlayer bool
}

// IsSignedIn tells accounts from visitors.
func (v Viewer) IsSignedIn() bool { return v.ID != "" }

// Is reports whether the viewer is that player.
func (v Viewer) Is(id ID) bool { return v.IsSignedIn() && v.ID == id }

// MayOperate: change the site's settings, the list of accounts and roles.
func (v Viewer) MayOperate() bool { return v.IsSignedIn() && v.Role >= Operator && !v.AsPlayer }

// MayCreateTournament: organizers and operators.
func (v Viewer) MayCreateTournament() bool {
	return v.IsSignedIn() && v.Role >= Organizer && !v.AsPlayer
}

// MayCreateClub: organizers and operators.
func (v Viewer) MayCreateClub() bool { return v.IsSignedIn() && v.Role >= Organizer && !v.AsPlayer }

// MayPlay: enter tournaments and play matches; the house plays for bots.
func (v Viewer) MayPlay() bool { return v.IsSignedIn() }

// MaySetRole reports whether the viewer may give an account a role. Nobody changes their
// own, so a site never loses its last operator; bots only play.
func (v Viewer) MaySetRole(of Player, role Role) bool {
	return v.MayOperate() && !v.Is(of.ID) && !of.Bot && role.String() != ""
}

// MaySetUp reports whether a visitor may create the first operator of a site
// that has none.
func MaySetUp(operators int) bool { return operators == 0 }

// MaySignUp reports whether the viewer may create an account for themselves. A guest keeps
// everything they have played.
func (v Viewer) MaySignUp(open bool) bool { return v.MayClaim() || open && !v.HasAccount() }

// MayClaim reports whether the viewer came in at a door and may make the account their own:
// choose a handle and a password, and keep everything they have played.
func (v Viewer) MayClaim() bool { return v.Unclaimed }

// MayIssueSignInLink reports whether the viewer may make a link that signs somebody else in
// once: how an operator helps those who forgot their password.
func (v Viewer) MayIssueSignInLink(of Player) bool { return v.MayOperate() && !of.Bot }
