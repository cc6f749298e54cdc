package player

import (
	"errors"
	"net/url"
	"strings"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// Profile is what an account tells about itself beyond its handle, and to whom.
type Profile struct {
	Name    string // as people call them; empty: only by the handle
	About   string
	Country string   // ISO 3166, two capital letters; empty: not told
	FIDE    string   // their number in FIDE's lists; empty: not told
	Links   []string // addresses, shown as they are
	Privacy Privacy
}

// Audience is who may see or do something of somebody's.
type Audience string

const (
	Everyone Audience = "everyone"
	Members  Audience = "members" // of the site: whoever is signed in
	Clubs    Audience = "clubs"   // those who share a club with them
	Nobody   Audience = "nobody"  // but themselves
)

// Audiences are all audiences, the widest first.
var Audiences = []Audience{Everyone, Members, Clubs, Nobody}

// Privacy is who may see or do what.
type Privacy struct {
	Profile   Audience // name, text, country and links
	History   Audience // the rating history; the rating itself is in every list
	Online    Audience // when they were last here
	Challenge Audience // who may challenge them to a friendly match
	Follow    Audience // who hears when they play
	Hidden    bool     // search engines are asked to leave their page out
}

// DefaultPrivacy is the privacy of accounts that chose nothing.
func DefaultPrivacy() Privacy {
	return Privacy{Profile: Everyone, History: Everyone, Online: Members, Challenge: Everyone, Follow: Everyone}
}

// Relation is how the asker stands to an account.
type Relation struct {
	Self       bool
	SignedIn   bool
	SharesClub bool
	Blocked    bool // the account has blocked the asker
	Operates   bool // the asker runs the site: sees everything, but challenges like anybody
}

// Admits reports whether the asker is in this audience.
func (a Audience) Admits(r Relation) bool {
	switch {
	case r.Self:
		return true
	case r.Blocked:
		return false
	case a == Everyone:
		return true
	case a == Members:
		return r.SignedIn
	case a == Clubs:
		return r.SharesClub
	}
	return false
}

// MaySee is Admits for what operators always see.
func (a Audience) MaySee(r Relation) bool { return r.Operates || a.Admits(r) }

// The bounds of a profile, in characters.
const (
	MaxProfileName  = 60
	MaxProfileAbout = 2000
	MaxProfileLinks = 5
	MaxProfileLink  = 200
	MaxProfileFIDE  = 11 // as reports have room for
)

// The refusals of a profile.
var (
	ErrProfileName    = refusal.Invalid("place.error.name", "profile: a name is one line of at most 60 characters")
	ErrProfileAbout   = refusal.Invalid("place.error.about", "profile: a text of at most 2000 characters")
	ErrProfileCountry = refusal.Invalid("place.error.country", "profile: a country is two capital letters")
	ErrProfileFIDE    = refusal.Invalid("place.error.fide", "profile: a FIDE ID has at most 11 digits and nothing else")
	ErrProfileLinks   = refusal.Invalid("place.error.links", "profile: at most 5 addresses that begin with https:// or http://, one a line")
	ErrAudience       = errors.New("profile: no such audience")
)

// Check is nil or why the profile cannot be stored.
func (p Profile) Check() error {
	switch {
	case utf8.RuneCountInString(p.Name) > MaxProfileName || !IsLine(p.Name):
		return ErrProfileName
	case utf8.RuneCountInString(p.About) > MaxProfileAbout || !IsText(p.About):
		return ErrProfileAbout
	case p.Country != "" && (len(p.Country) != 2 || strings.Trim(p.Country, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != ""):
		return ErrProfileCountry
	case len(p.FIDE) > MaxProfileFIDE || strings.Trim(p.FIDE, "0123456789") != "":
		return ErrProfileFIDE
	case len(p.Links) > MaxProfileLinks:
		return ErrProfileLinks
	}
	for _, link := range p.Links {
		u, err := url.Parse(link)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil ||
			len(link) > MaxProfileLink || !IsLine(link) {
			return ErrProfileLinks
		}
	}
	for _, a := range []Audience{p.Privacy.Profile, p.Privacy.History, p.Privacy.Online, p.Privacy.Challenge, p.Privacy.Follow} {
		if a != Everyone && a != Members && a != Clubs && a != Nobody {
			return ErrAudience
		}
	}
	return nil
}
