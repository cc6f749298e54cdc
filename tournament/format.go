package tournament

import (
	"time"

	"chpok.org/chpok/tournament/setting"
)

// Format is a pairing system. What formats differ in is asked of it here and in package format,
// by what it means and never by name, so that a new format answers the same questions.
type Format uint8

const (
	RoundRobin Format = iota + 1
	Swiss
	KnockOut
	Arena // for a fixed time, waiting players are paired again and again
	Keizer
)

// formats is the list of formats. What each decides stands in its own file.
var formats = [...]rules{RoundRobin: roundRobin{}, Swiss: swiss{}, KnockOut: knockOut{}, Arena: arena{},
	Keizer: keizerSystem{}}

// rules is what a format decides about a tournament.
type rules interface {
	traits() traits
	tiebreaks() []string // defaults, of FIDE C.07
	defaults(s *Settings)
	bounds(s Settings) (least, most int) // players
	// faults finds faults of settings that only this format has, and foreign such settings in
	// another format.
	faults(s Settings, f *setting.Faults)
	foreign(s Settings, f *setting.Faults)
	rounds(t *Table) int // with the entries so far
	// late returns nil, or why nobody can enter now that it has started.
	late(t *Tournament, isStaff bool, now time.Time) error
	// back returns nil, or why somebody who left by themselves after the start cannot come back by
	// themselves: when others have got something by it.
	back(t *Table, e Entry) error
	// edits returns nil, or why a kind of change to a pairing is not possible.
	edits(k EditKind) error
}

// traits is what others ask of a format. The zero value is paired by score.
type traits struct {
	name    string
	table   bool   // see HasTable
	bracket bool   // see HasBracket
	meetAll bool   // see MeetsAll
	endless bool   // see InRounds
	late    bool   // see LateEntries
	order   bool   // see HasOwnOrder
	again   bool   // see MeetsAgain
	teams   bool   // see MayHaveTeams
	report  string // see ReportSystem
	reports string // the same of teams
}

// usual is what most formats decide.
type usual struct{}

func (usual) traits() traits                                { return traits{} }
func (usual) tiebreaks() []string                           { return nil }
func (usual) defaults(*Settings)                            {}
func (usual) bounds(Settings) (least, most int)             { return MinPlayers, MaxPlayers }
func (usual) faults(Settings, *setting.Faults)              {}
func (usual) foreign(Settings, *setting.Faults)             {}
func (usual) rounds(t *Table) int                           { return t.Settings.Rounds }
func (usual) late(_ *Tournament, _ bool, _ time.Time) error { return ErrStarted }
func (usual) edits(EditKind) error                          { return nil }

// back is possible until they have missed a board, for which the opponent has points.
func (usual) back(t *Table, e Entry) error {
	for _, r := range t.Rounds[min(e.Until, len(t.Rounds)):] {
		_, sits := r.BoardOf(e.ID)
		if n, _ := r.MatchOf(e.ID); sits || n > 0 {
			return ErrMissedBoard
		}
	}
	return nil
}

// rules returns what the format decides.
func (f Format) rules() rules {
	if f == 0 || int(f) >= len(formats) {
		return usual{}
	}
	return formats[f]
}

func (f Format) String() string { return f.rules().traits().name }

// ParseFormat reads "round-robin", "swiss", "knock-out", "arena" or "keizer".
func ParseFormat(s string) (Format, error) {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = Format(i).String()
	}
	return parseName[Format]("format", names, s)
}

// Formats returns all formats, in the order of their list.
func Formats() (list []Format) {
	for f := 1; f < len(formats); f++ {
		list = append(list, Format(f))
	}
	return list
}

// HasTable reports whether the format itself determines who meets whom, so that absent players
// forfeit instead of being left out, nobody enters late and no two can be kept apart.
func (f Format) HasTable() bool { return f.rules().traits().table }

// HasBracket reports whether players meet in contests whose winners advance, so that the result is
// a place and not a number of points, and how many rounds there are depends on level contests.
func (f Format) HasBracket() bool { return f.rules().traits().bracket }

// MeetsAll reports whether everybody meets everybody, so that a crosstable is the table, and the
// results of somebody who leaves early can be left out.
func (f Format) MeetsAll() bool { return f.rules().traits().meetAll }

// InRounds reports whether rounds follow one another. Otherwise a single round stays open for
// Settings.Window, and boards are added to it for whoever waits.
func (f Format) InRounds() bool { return !f.rules().traits().endless }

// PairsByScore reports whether each round is paired anew by the scores of those who are there: they
// may enter late, ask for byes and be kept apart, and a correction overtakes pairings.
func (f Format) PairsByScore() bool { return f.InRounds() && !f.HasTable() }

// HasOwnOrder reports whether something else than points and tie-breaks orders players: places,
// sheets or values.
func (f Format) HasOwnOrder() bool { return f.rules().traits().order }

// MeetsAgain reports whether the same players may meet several times in a long event.
func (f Format) MeetsAgain() bool { return f.rules().traits().again }

// ReportSystem is the code of the pairing system in reports (TRF 192) where FIDE has none and no report holds what it pairs by;
// empty otherwise.
func (f Format) ReportSystem(teams bool) string {
	if teams {
		return f.rules().traits().reports
	}
	return f.rules().traits().report
}

// LateEntries reports whether people can enter after the start.
func (f Format) LateEntries() bool { return f.rules().traits().late }

// DefaultTiebreaks returns the default tie-breaks of a format: FIDE's recommendation for
// round robins, and for a Swiss the Buchholz part of that for events without consistent
// ratings. Tie-breaks by rating are left out, because club events have unrated players
// (C.07, 10). Formats without tie-breaks have none: see packages contest and arena. Those
// of teams are of their own, then how strong the opponents were where opponents differ (C.07, 11 to 13).
func DefaultTiebreaks(f Format, teams bool) []string {
	switch {
	case !teams || f.HasOwnOrder():
		return f.rules().tiebreaks()
	case f.MeetsAll():
		return []string{"EDEBB"}
	}
	return []string{"EMGSB/C1", "MPvGP", "BH:MP/C1"}
}

// LeastPlayers returns how many players it takes to start.
func (s Settings) LeastPlayers() int {
	least, _ := s.Format.rules().bounds(s)
	return least
}

// MostPlayers returns the most players of the format.
func (s Settings) MostPlayers() int {
	_, most := s.Format.rules().bounds(s)
	return most
}

// formatFaults finds faults of the format, of what only it has, and of what only another has.
func (s Settings) formatFaults(f *setting.Faults) {
	if s.Format.String() == "" {
		f.Add("format", "missing", "the format is round-robin, swiss, knock-out, arena or keizer")
	}
	if s.Format.HasOwnOrder() && len(s.Tiebreaks) > 0 {
		f.Add("tiebreaks", "unsuitable", "the format has an order of its own and no tie-breaks")
	}
	for i := range formats {
		if Format(i) == s.Format {
			s.Format.rules().faults(s, f)
		} else {
			Format(i).rules().foreign(s, f)
		}
	}
}
