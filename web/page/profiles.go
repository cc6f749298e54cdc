package page

import (
	"slices"
	"strings"
	"time"

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
		FIDE:         f.Profile.FIDE,
		MayChallenge: x.Bot || f.Profile.Privacy.Challenge.Admits(f.relation), HidesHistory: !f.SeesHistory(),
		MayBlock:  v.IsSignedIn() && !v.Is(x.ID) && !x.Bot,
		MayFollow: !f.follows && v.MayFollow(x, f.Profile.Privacy, f.relation) == nil, Follows: f.follows,
	}
	if !f.last.IsZero() {
		about.Last = p.T("place.last-here", "Ago", p.Ago(f.last))
	}
	return about
}

// countries are the codes of the countries there are people from (ISO 3166-1, and XK); country.json has their names.
const countries = "AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF " +
	"CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF " +
	"GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR " +
	"KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC " +
	"NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI " +
	"SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN " +
	"VU WF WS XK YE YT ZA ZM ZW"

// Countries returns all countries as choices, in the viewer's alphabetical order after an empty one. A chosen code that is
// no longer among them stays one.
func Countries(p lang.Printer, chosen string) []templates.Choice {
	var list []templates.Choice
	codes := strings.Fields(countries)
	if chosen != "" && !slices.Contains(codes, chosen) {
		list = append(list, templates.Choice{Value: chosen, Text: chosen, Chosen: true})
	}
	for _, code := range codes {
		list = append(list, templates.Choice{Value: code, Text: Country(p, code), Chosen: code == chosen})
	}
	slices.SortStableFunc(list, func(x, y templates.Choice) int { return p.Compare(x.Text, y.Text) })
	return append([]templates.Choice{{Text: "–"}}, list...)
}

// Country returns the name of a country in the viewer's language; empty for an invalid code.
func Country(p lang.Printer, code string) string {
	if !p.Has("country." + code) {
		return ""
	}
	return p.T("country." + code)
}
