// Package tiebreak orders players or teams with equal scores by FIDE C.07 in the edition in
// force since March 1, 2026, and explains every value. It knows no drawing of lots, and refuses
// unknown codes and modifiers.
package tiebreak

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/tournament"
)

// Kind is one kind of tie-break.
type Kind struct {
	Code      string // as in records 202 and 212 of TRF-2026
	Name      string // English name in the handbook
	Article   string // of C.07; empty for our own
	Modifiers string // letters allowed after a slash: C M P F L R U K, and N for a number
	Lower     bool   // a lower value is better
	Teams     bool   // only teams have it
	Scores    bool   // teams have it by match points and by game points

	// One of the two computes it: the value of one player, or the values of players who are still tied.
	of    func(*event, int, Code) (Value, Explanation)
	among func(*event, []int, Code) (map[int]Value, map[int]Explanation)

	offered []string // modifiers under which it can be chosen by name; "" is the plain one
}

// plain offers a tie-break without modifiers.
var plain = []string{""}

// The tie-breaks by boards, which also end an extended direct encounter.
var (
	bc = Kind{Code: "BC", Name: "Board Count", Article: "12.1", Lower: true, Teams: true,
		among: (*event).boardCount, offered: plain}
	tbr = Kind{Code: "TBR", Name: "Top Board Results", Article: "12.2", Teams: true, among: (*event).topBoards, offered: plain}
	bbe = Kind{Code: "BBE", Name: "Bottom Board Elimination", Article: "12.3", Teams: true,
		among: (*event).bottomBoards, offered: plain}
)

// kinds lists the tie-breaks in the order of the handbook. A row is all that a tie-break
// needs here; its name for readers is a text.
var kinds = []Kind{
	{Code: "PTS", Name: "Points", Article: "4", Scores: true, of: rounds((*event).points)},
	{Code: "DE", Name: "Direct Encounter", Article: "6", Modifiers: "P", Lower: true, Scores: true,
		among: (*event).directEncounter, offered: plain},
	{Code: "WIN", Name: "Number of Wins", Article: "7.1", Scores: true, of: count((*event).isWorthAWin), offered: plain},
	{Code: "WON", Name: "Number of Games Won", Article: "7.2", of: count((*event).isWon), offered: plain},
	{Code: "BPG", Name: "Number of Games Played with Black", Article: "7.3", of: count((*event).isBlack), offered: plain},
	{Code: "BWG", Name: "Number of Games Won with Black", Article: "7.4", of: count((*event).isWonWithBlack), offered: plain},
	{Code: "PS", Name: "Progressive Scores", Article: "7.5", Modifiers: "CM", Scores: true, of: (*event).progressive, offered: plain},
	{Code: "REP", Name: "Rounds one Elected to Play", Article: "7.6", of: count((*event).isElected), offered: plain},
	{Code: "STD", Name: "Standard Points", Article: "7.7", Scores: true, of: rounds((*event).standardPoint), offered: plain},
	{Code: "TPN", Name: "Tournament Pairing Number", Article: "7.8", Modifiers: "R", Lower: true, of: (*event).pairingNumber, offered: plain},
	{Code: "BH", Name: "Buchholz", Article: "8.1", Modifiers: "CMP", Scores: true, of: (*event).buchholz,
		offered: []string{"", "/C1", "/C2", "/M1"}},
	{Code: "AOB", Name: "Average of Opponents' Buchholz", Article: "8.2", Modifiers: "PF", Scores: true,
		of: (*event).averageBuchholz, offered: plain},
	{Code: "FB", Name: "Fore Buchholz", Article: "8.3", Modifiers: "CMP", Scores: true, of: (*event).buchholz, offered: plain},
	{Code: "SB", Name: "Sonneborn-Berger", Article: "9.1", Modifiers: "CMP", Scores: true, of: (*event).sonnebornBerger,
		offered: []string{"", "/C1"}},
	{Code: "KS", Name: "Koya System", Article: "9.2", Modifiers: "L", Scores: true, of: (*event).koya, offered: plain},
	{Code: "ARO", Name: "Average Rating of Opponents", Article: "10.1", Modifiers: "CMU", of: (*event).averageRating, offered: plain},
	{Code: "TPR", Name: "Tournament Performance Rating", Article: "10.2", Modifiers: "U", of: (*event).performance, offered: plain},
	{Code: "PTP", Name: "Perfect Tournament Performance", Article: "10.3", Modifiers: "U", of: (*event).perfect, offered: plain},
	{Code: "APRO", Name: "Average Performance Rating of Opponents", Article: "10.4", Modifiers: "U",
		of: (*event).averagePerformance, offered: plain},
	{Code: "APPO", Name: "Average Perfect Performance of Opponents", Article: "10.5", Modifiers: "U",
		of: (*event).averagePerformance, offered: plain},
	{Code: "RTNG", Name: "Rating", Article: "10.6", Modifiers: "RU", of: (*event).ratingItself, offered: plain},
	{Code: "CPD", Name: "Capped Point Difference", Modifiers: "N", of: (*event).difference, offered: plain},

	bc, tbr, bbe,
	{Code: "MPvGP", Name: "Match Points or Game Points", Article: "13.1", Teams: true, of: (*event).secondary, offered: plain},
	{Code: "EMMSB", Name: "Extended Sonneborn-Berger, MP by MP", Article: "13.2.1", Modifiers: "CMP", Teams: true,
		of: extended(MatchPoints, MatchPoints), offered: []string{"", "/C1"}},
	{Code: "EMGSB", Name: "Extended Sonneborn-Berger, MP by GP", Article: "13.2.2", Modifiers: "CMP", Teams: true,
		of: extended(MatchPoints, GamePoints), offered: []string{"", "/C1"}},
	{Code: "EGMSB", Name: "Extended Sonneborn-Berger, GP by MP", Article: "13.2.3", Modifiers: "CMP", Teams: true,
		of: extended(GamePoints, MatchPoints), offered: []string{"", "/C1"}},
	{Code: "EGGSB", Name: "Extended Sonneborn-Berger, GP by GP", Article: "13.2.4", Modifiers: "CMP", Teams: true,
		of: extended(GamePoints, GamePoints), offered: []string{"", "/C1"}},
	{Code: "EDE", Name: "Extended Direct Encounter", Article: "13.3", Modifiers: "P", Lower: true, Teams: true,
		among: extendedEncounter(), offered: plain},
	{Code: "EDEBT", Name: "Extended Direct Encounter, then BC, TBR", Article: "13.3.2", Modifiers: "P", Lower: true, Teams: true,
		among: extendedEncounter(bc, tbr), offered: plain},
	{Code: "EDEBB", Name: "Extended Direct Encounter, then BC, BBE", Article: "13.3.2", Modifiers: "P", Lower: true, Teams: true,
		among: extendedEncounter(bc, bbe), offered: plain},
	{Code: "EDET", Name: "Extended Direct Encounter, then TBR", Article: "13.3.2", Modifiers: "P", Lower: true, Teams: true,
		among: extendedEncounter(tbr), offered: plain},
	{Code: "EDEB", Name: "Extended Direct Encounter, then BBE", Article: "13.3.2", Modifiers: "P", Lower: true, Teams: true,
		among: extendedEncounter(bbe), offered: plain},
	{Code: "SSSC", Name: "Scores and Schedule Strength Combination", Article: "13.4", Modifiers: "KF", Teams: true,
		of: (*event).scheduleStrength, offered: []string{"", "/F"}},
}

// DefaultCap is the most that one match adds to or subtracts from CPD: a king is worth a
// thousand points, and no single capture should decide a tournament.
const DefaultCap = 100

// Code is a tie-break with its modifiers.
type Code struct {
	Kind
	Low, High int  // values cut at the bottom and the top (Cn, Mn)
	Forfeits  bool // P: forfeits count as played
	Fore      bool // F: opponents' Fore Buchholz instead of Buchholz
	Reverse   bool // R: reversed
	Limit     int  // L: shift of the Koya limit in half points
	Unrated   int  // U: rating of unrated players; 0: they are left out
	Cap       int  // limit per match of CPD
	Factor    int  // K: what SSSC divides by; 0: by 13.4.2.b
	Of        Score
}

// String returns the code as it is written, such as "BH/C1/P".
func (c Code) String() string {
	var b strings.Builder
	b.WriteString(c.Kind.Code)
	b.WriteString(c.Of.suffix())
	switch {
	case c.High > 0:
		fmt.Fprintf(&b, "/M%d", c.High)
	case c.Low > 0:
		fmt.Fprintf(&b, "/C%d", c.Low)
	}
	if c.Limit != 0 {
		fmt.Fprintf(&b, "/L%+d", c.Limit)
	}
	if c.Cap != 0 && c.Cap != DefaultCap {
		fmt.Fprintf(&b, "/%d", c.Cap)
	}
	for _, flag := range []struct {
		set  bool
		text string
	}{{c.Forfeits, "/P"}, {c.Fore, "/F"}, {c.Reverse, "/R"}, {c.Unrated > 0, "/U" + strconv.Itoa(c.Unrated)},
		{c.Factor > 0, "/K" + strconv.Itoa(c.Factor)}} {
		if flag.set {
			b.WriteString(flag.text)
		}
	}
	return b.String()
}

// Parse reads a code for players such as "BH/C1", "SB" or "KS/L+1", ignoring case. The handbook's
// hyphen ("BH-C1") is accepted, too.
func Parse(text string) (Code, error) { return parse(text, false) }

// ParseForTeams reads a code for teams such as "EMGSB/C1" or "BH:MP/C1". Without MP or GP it is by
// the primary score.
func ParseForTeams(text string) (Code, error) { return parse(text, true) }

func parse(text string, teams bool) (Code, error) {
	name, modifiers := strings.TrimSpace(text), []string(nil)
	if i := strings.IndexAny(name, "/-"); i >= 0 {
		name, modifiers = name[:i], strings.Split(strings.ToUpper(name[i+1:]), "/")
	}
	name, by, hasScore := strings.Cut(name, ":")
	at := slices.IndexFunc(kinds, func(k Kind) bool { return strings.EqualFold(k.Code, name) })
	if at < 0 || kinds[at].Teams && !teams || kinds[at].Article == "" && teams {
		return Code{}, fmt.Errorf("unknown tie-break %q", text)
	}
	c := Code{Kind: kinds[at]}
	if hasScore {
		c.Of = scoreNamed(strings.ToUpper(by))
		if !teams || !c.Scores || c.Of == PrimaryScore {
			return Code{}, fmt.Errorf("tie-break %q: there is no %s by %q", text, c.Kind.Code, by)
		}
	}
	if c.Kind.Code == "CPD" {
		c.Cap = DefaultCap
	}
	for _, modifier := range modifiers {
		if !c.modify(modifier) {
			return Code{}, fmt.Errorf("tie-break %q: modifier %q does not apply to %s", text, modifier, c.Kind.Code)
		}
	}
	return c, nil
}

// modify applies one modifier and reports whether it is known, allowed for the kind, and
// not repeated.
func (c *Code) modify(text string) bool {
	if text == "" {
		return false
	}
	letter, number := text[0], 0
	if letter >= '0' && letter <= '9' {
		letter, text = 'N', "N"+text
	}
	if !strings.ContainsRune(c.Modifiers, rune(letter)) {
		return false
	}
	if len(text) > 1 {
		n, err := strconv.Atoi(text[1:])
		if err != nil || n < -99 || n > 9999 {
			return false
		}
		number = n
	}
	plain := len(text) == 1
	switch letter {
	case 'C':
		if c.Low > 0 || number < 1 || number > 99 {
			return false
		}
		c.Low = number
	case 'M':
		if c.Low > 0 || number < 1 || number > 99 {
			return false
		}
		c.Low, c.High = number, number
	case 'P':
		c.Forfeits = true
		return plain
	case 'F':
		c.Fore = true
		return plain
	case 'R':
		c.Reverse = true
		return plain
	case 'L':
		c.Limit = number
		return number != 0 && number <= 99
	case 'U':
		c.Unrated = number
		return number > 0
	case 'N':
		c.Cap = number
		return number > 0
	case 'K':
		c.Factor = number
		return number > 0
	}
	return true
}

// ParseList reads codes for players separated by commas.
func ParseList(text string) ([]Code, error) { return parseList(text, false) }

// ParseListForTeams reads codes for teams separated by commas.
func ParseListForTeams(text string) ([]Code, error) { return parseList(text, true) }

func parseList(text string, teams bool) ([]Code, error) {
	var list []Code
	for _, word := range strings.Split(text, ",") {
		if strings.TrimSpace(word) == "" {
			continue
		}
		c, err := parse(word, teams)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// Offered returns the codes that players can choose by name: those of the default lists first, the
// others in the order of the handbook.
func Offered() []string {
	codes := slices.Concat(tournament.DefaultTiebreaks(tournament.Swiss, false), tournament.DefaultTiebreaks(tournament.RoundRobin, false))
	return offered(codes, func(k Kind) bool { return !k.Teams })
}

// OfferedToTeams returns the codes that teams can choose by name, their own first.
func OfferedToTeams() []string {
	var codes []string
	for _, k := range slices.Backward(kinds) {
		if k.Teams {
			codes = slices.Concat(k.codes(), codes)
		}
	}
	return offered(codes, func(k Kind) bool { return k.Scores })
}

// codes returns the codes under which a kind can be chosen.
func (k Kind) codes() (list []string) {
	for _, modifier := range k.offered {
		list = append(list, k.Code+modifier)
	}
	return list
}

func offered(first []string, is func(Kind) bool) []string {
	codes := slices.Clone(first)
	for _, k := range kinds {
		if is(k) {
			codes = append(codes, k.codes()...)
		}
	}
	var list []string
	for _, code := range codes {
		if !slices.Contains(list, code) {
			list = append(list, code)
		}
	}
	return list
}

// IsLowerBetter reports whether lower values are better.
func (c Code) IsLowerBetter() bool { return c.Lower != c.Reverse }
