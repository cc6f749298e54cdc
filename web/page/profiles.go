package page

import (
	"slices"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// ProfileFacts holds what a viewer may see of an account's profile.
type ProfileFacts struct {
	Profile  player.Profile // only what they may see
	relation player.Relation
	last     time.Time // last visit; zero: hidden
	follows  bool      // the viewer follows the account
}

// Read reads the facts.
func (f *ProfileFacts) Read(tx *store.Tx, v player.Viewer, of player.ID) (err error) {
	if f.Profile, err = tx.Profile(of); err != nil {
		return err
	}
	if f.relation, err = tx.Relation(v, of); err != nil {
		return err
	}
	if privacy := f.Profile.Privacy; !privacy.Profile.MaySee(f.relation) {
		f.Profile = player.Profile{Privacy: privacy}
	}
	if v.HasAccount() {
		if f.follows, err = tx.Follows(v.ID, of); err != nil {
			return err
		}
	}
	if f.Profile.Privacy.Online.MaySee(f.relation) {
		f.last, err = tx.LastHere(of)
	}
	return err
}

// SeesHistory reports whether the viewer may see the rating history.
func (f *ProfileFacts) SeesHistory() bool { return f.Profile.Privacy.History.MaySee(f.relation) }

// ViewAbout returns the part of a player's page about themselves.
func ViewAbout(p lang.Printer, v player.Viewer, x player.Player, f ProfileFacts, now time.Time) templates.ProfileAbout {
	about := templates.ProfileAbout{
		Name: f.Profile.Name, Text: Paragraphs(f.Profile.About), Links: f.Profile.Links, Country: Country(p, f.Profile.Country),
		MayChallenge: x.Bot || f.Profile.Privacy.Challenge.Admits(f.relation), HidesHistory: !f.SeesHistory(),
		MayBlock:  v.IsSignedIn() && !v.Is(x.ID) && !x.Bot,
		MayFollow: !f.follows && v.MayFollow(x, f.Profile.Privacy, f.relation) == nil, Follows: f.follows,
	}
	if !f.last.IsZero() {
		about.Last = p.T("place.last-here", "Ago", p.Ago(f.last))
	}
	return about
}

// Countries returns all countries as choices, in the viewer's alphabetical order after an empty one.
func Countries(p lang.Printer, chosen string) []templates.Choice {
	var list []templates.Choice
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			region, err := language.ParseRegion(code)
			if err != nil || region.String() != code || !region.IsCountry() {
				continue
			}
			list = append(list, templates.Choice{Value: code, Text: Country(p, code), Chosen: code == chosen})
		}
	}
	slices.SortStableFunc(list, func(x, y templates.Choice) int { return p.Compare(x.Text, y.Text) })
	return append([]templates.Choice{{Text: "–"}}, list...)
}

// Country returns the name of a country in the viewer's language; empty for an invalid code.
func Country(p lang.Printer, code string) string {
	region, err := language.ParseRegion(code)
	if err != nil {
		return ""
	}
	return display.Regions(language.Make(string(p.Lang))).Name(region)
}
