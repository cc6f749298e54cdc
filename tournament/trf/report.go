// Package trf reads and writes tournament report files, TRF16 and TRF-2026 with the
// in-tournament extensions of pairing programs, and converts them from and to the Field
// that pairing systems and tie-breaks use. It refuses a file with any malformed line,
// naming all of them, never corrects a result, and keeps lines that it does not
// understand.
package trf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// The largest numbers of a player and of a round in a report.
const (
	MaxNumber = 9999
	MaxRounds = 999
)

// Report is one tournament report file.
type Report struct {
	Lines     []Line // the file in order; none in a new report
	Players   []Player
	Rounds    int // rounds planned (142, XXR); 0: unknown
	Opening   match.Seat
	Points    tournament.PointSystem
	Forbidden []tournament.Forbidden
	Teams     *Teams    // nil: an individual event
	Warnings  []Problem // oddities that are no errors
}

// Line is one line of the file: its text, or the place of a decoded record.
type Line struct {
	Code string // the first three characters; empty for a shorter line
	Text string // the whole line; empty for decoded records

	player int // 1 + index in Players of a 001 record
}

// Player is one 001 record. Texts are without padding.
type Player struct {
	tournament.ReportPlayer
	Number    int
	Name      string
	Rating    int // 0: unrated
	Points    tournament.Score
	HasPoints bool // the points column is not blank
	Rank      int  // 0: blank
	Rounds    []tournament.RoundResult
	Virtual   []tournament.Score // acceleration points by round (250, XXA)
}

// Problem is one line that cannot be read, or is odd. Line 0 is the whole file.
type Problem struct {
	Line   int
	Reason string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Reason
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Reason)
}

// SyntaxError lists every malformed line of a file in order.
type SyntaxError struct{ Problems []Problem }

func (e *SyntaxError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.String()
	}
	return strings.Join(texts, "\n")
}

// Header returns the text of the first line with that code, such as "012" for the name of
// the tournament, or nothing.
func (r *Report) Header(code string) string {
	if texts := r.Headers(code); len(texts) > 0 {
		return texts[0]
	}
	return ""
}

// Headers returns the texts of all lines with that code, such as "112" for the deputies of the chief arbiter.
func (r *Report) Headers(code string) (texts []string) {
	for _, l := range r.Lines {
		if l.Code == code {
			texts = append(texts, strings.TrimSpace(l.Text[min(len(l.Text), 3):]))
		}
	}
	return texts
}

// Day reads the day that a header names (042, 052); the zero time if it names none.
func (r *Report) Day(code string) time.Time {
	for _, layout := range []string{"2006/01/02", "2006-01-02", "2006.01.02"} {
		if day, err := time.Parse(layout, r.Header(code)); err == nil {
			return day
		}
	}
	return time.Time{}
}

// SetHeader replaces the text of the first line with that code, or adds the line before
// the players.
func (r *Report) SetHeader(code, text string) {
	line := Line{Code: code, Text: code + " " + text}
	find := func(code string) int { return slices.IndexFunc(r.Lines, func(l Line) bool { return l.Code == code }) }
	if i := find(code); i >= 0 {
		r.Lines[i] = line
		return
	}
	at := find("001")
	if at < 0 {
		at = len(r.Lines)
	}
	r.Lines = slices.Insert(r.Lines, at, line)
}

// SetDates writes the days of the rounds: record 132, each day above the column of its
// round.
func (r *Report) SetDates(days []time.Time) {
	if len(days) == 0 {
		return
	}
	text := strings.Repeat(" ", firstRoundColumn-1-len("132 "))
	for _, day := range days {
		text += fmt.Sprintf("%-*s", roundWidth, day.Format("06/01/02"))
	}
	r.SetHeader("132", strings.TrimRight(text, " "))
}

// Dates returns the days of record 132 from the first round on; unreadable ones are zero.
func (r *Report) Dates() (days []time.Time) {
	for _, l := range r.Lines {
		for at := firstRoundColumn - 1; l.Code == "132" && at < len(l.Text); at += roundWidth {
			day, err := time.Parse("06/01/02", strings.TrimSpace(l.Text[at:min(at+roundWidth, len(l.Text))]))
			if err != nil {
				day = time.Time{}
			}
			days = append(days, day)
		}
	}
	return days
}

// Comments (###) that name a round or a player.
const (
	EditedRound    = "edited round"    // staff paired it differently from the system
	OvertakenRound = "overtaken round" // a result or number it was paired from was corrected since
	AnnulledPlayer = "annulled"        // left a round robin too early: their games do not count; of teams, the team
)

// Commented returns the numbers that comments of a kind name.
func (r *Report) Commented(kind string) map[int]bool {
	named := map[int]bool{}
	for _, l := range r.Lines {
		text, is := strings.CutPrefix(l.Text, "### "+kind+" ")
		if n, err := strconv.Atoi(strings.TrimSpace(text)); is && err == nil {
			named[n] = true
		}
	}
	return named
}

// Counted is Field, or TeamField, without what does not count, for standings: as if the others had
// rested against players or teams whose results are annulled.
func (r *Report) Counted() tournament.Field {
	f, annulled := r.Field(), r.Commented(AnnulledPlayer)
	if r.Teams != nil {
		f = r.TeamField()
	}
	f.Players = slices.DeleteFunc(f.Players, func(p tournament.FieldPlayer) bool { return annulled[p.Number] })
	for _, p := range f.Players {
		for i, c := range p.Rounds {
			if annulled[c.Opponent] {
				p.Rounds[i] = tournament.RoundResult{Outcome: tournament.ZeroBye}
				if f.Teams != nil {
					f.Teams.Matches[p.Number][i] = tournament.TeamMatch{}
				}
			}
		}
	}
	return f
}

// Played returns the number of rounds played: the last column in which anybody has an
// opponent, a seat or the pairing-allocated bye, or the last in which a record of teams names
// a match or that bye. Requested byes alone are announced absences, not a round.
func (r *Report) Played() int {
	played := 0
	for _, p := range r.Players {
		for i, c := range p.Rounds {
			if i >= played && (c.Opponent != 0 || c.Seat.Valid() || c.Outcome == tournament.PairingBye) {
				played = i + 1
			}
		}
	}
	if r.Teams != nil {
		played = max(played, r.Teams.played())
	}
	return played
}

// System is the system (192) if it is one of ours that no report holds enough of to pair again; empty otherwise.
func (r *Report) System() string {
	code := r.Header("192")
	if code != "" && slices.ContainsFunc(tournament.Formats(), func(f tournament.Format) bool { return f.ReportSystem(r.Teams != nil) == code }) {
		return code
	}
	return ""
}

// IsRoundRobin reports whether the system (192), or else the type (092), is a round robin.
func (r *Report) IsRoundRobin() bool {
	text := strings.ToUpper(cmp.Or(r.Header("192"), r.Header("092")))
	return slices.ContainsFunc([]string{"BERGER", "ROUND ROBIN", "ROUND-ROBIN", "ROUNDROBIN", "ROUND_ROBIN", "ALL-PLAY-ALL"},
		func(word string) bool { return strings.Contains(text, word) })
}

// Field returns the report for pairing systems and tie-breaks. Rounds of a player beyond
// Field.Played are byes requested in advance.
func (r *Report) Field() tournament.Field {
	f := tournament.Field{
		Name:       r.Header("012"),
		Rounds:     r.Rounds,
		Played:     r.Played(),
		Points:     r.Points,
		Opening:    r.Opening,
		RoundRobin: r.IsRoundRobin(),
		System:     r.System(),
	}
	for _, p := range r.Players {
		f.Players = append(f.Players, tournament.FieldPlayer{
			Number:  p.Number,
			Name:    p.Name,
			Rating:  p.Rating,
			Rounds:  slices.Clone(p.Rounds),
			Virtual: slices.Clone(p.Virtual),
		})
	}
	if f.System != "" {
		f.Places = map[int]int{}
		for _, p := range r.Players {
			f.Places[p.Number] = p.Rank
		}
	}
	f.Forbidden = cloneForbidden(r.Forbidden)
	if !f.Opening.Valid() {
		f.Opening = openingSeen(f.Players)
	}
	return f
}

// openingSeen infers the drawn seat from round 1, whose lowest number has pairing number
// 1 and so that seat (FIDE C.04.3, color rules).
func openingSeen(players []tournament.FieldPlayer) match.Seat {
	lowest, seat := 0, match.Seat(0)
	for _, p := range players {
		if len(p.Rounds) > 0 && p.Rounds[0].Seat.Valid() && (lowest == 0 || p.Number < lowest) {
			lowest, seat = p.Number, p.Rounds[0].Seat
		}
	}
	return seat
}
