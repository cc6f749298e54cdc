// Package trf reads and writes tournament report files, TRF16 and TRF-2026
// with the in-tournament extensions of pairing programs, and turns them into
// the Field that pairing systems and tie-breaks work on. It refuses a file
// with any malformed line, naming every one of them, and it never corrects a
// result: what it does not understand it keeps as it stands.
package trf

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// MaxNumber is the largest player number and MaxRounds the largest round a report can name.
const (
	MaxNumber = 9999
	MaxRounds = 999
)

// Report is one tournament report file.
type Report struct {
	Lines     []Line // the file in its order; a new report has none
	Players   []Player
	Rounds    int // rounds planned (142, XXR); 0: not said
	Opening   match.Seat
	Points    tournament.PointSystem
	Forbidden []tournament.Forbidden
	Warnings  []Problem // oddities that do not stop the reading
}

// Line is one line of the file: a text header or an unknown line with its
// text, or the place where a decoded record stands.
type Line struct {
	Code string // the first three characters; empty for a shorter line
	Text string // the whole line; empty for decoded records

	player int // 1 + index in Players of a 001 record
}

// Player is one 001 record. Texts are as in the file, without their padding.
type Player struct {
	Number     int
	Sex        string
	Title      string
	Name       string
	Rating     int // 0: unrated
	Federation string
	FIDE       string // FIDE identity number
	Birth      string
	Points     tournament.Score
	HasPoints  bool // the points column was filled
	Rank       int  // 0: blank
	Rounds     []tournament.RoundResult
	Virtual    []tournament.Score // acceleration points by round (250, XXA)
}

// Problem is one line that cannot be read, or reads oddly. Line 0 is the file as a whole.
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

// SyntaxError names every malformed line of a file, in file order.
type SyntaxError struct{ Problems []Problem }

func (e *SyntaxError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.String()
	}
	return strings.Join(texts, "\n")
}

// Header is the text after the code of the first line with that code ("012" is
// the tournament's name), or nothing.
func (r *Report) Header(code string) string {
	for _, l := range r.Lines {
		if l.Code == code {
			return strings.TrimSpace(l.Text[min(len(l.Text), 3):])
		}
	}
	return ""
}

// SetHeader replaces the text of the first line with that code, or adds the line before the players.
func (r *Report) SetHeader(code, text string) {
	line := Line{Code: code, Text: code + " " + text}
	for i, l := range r.Lines {
		if l.Code == code {
			r.Lines[i] = line
			return
		}
	}
	at := len(r.Lines)
	for i, l := range r.Lines {
		if l.Code == "001" {
			at = i
			break
		}
	}
	r.Lines = append(r.Lines[:at:at], append([]Line{line}, r.Lines[at:]...)...)
}

// SetDates says on which days the rounds are played: record 132, every day above
// the column of its round.
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

// Dates are the days of record 132, the first round's first; one that is none is zero.
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

// EditedRound begins a comment (###) that names a round which staff have paired
// otherwise than the system; its number follows.
const EditedRound = "edited round"

// Edited are the rounds that such comments name.
func (r *Report) Edited() map[int]bool {
	rounds := map[int]bool{}
	for _, l := range r.Lines {
		text, is := strings.CutPrefix(l.Text, "### "+EditedRound+" ")
		if n, err := strconv.Atoi(strings.TrimSpace(text)); is && err == nil {
			rounds[n] = true
		}
	}
	return rounds
}

// Played is the number of rounds played: the last column in which anybody has
// an opponent or the pairing-allocated bye. Requested byes alone do not make a
// round, they are absences announced for it.
func (r *Report) Played() int {
	played := 0
	for _, p := range r.Players {
		for i, c := range p.Rounds {
			if i >= played && (c.Opponent != 0 || c.Outcome == tournament.PairingBye) {
				played = i + 1
			}
		}
	}
	return played
}

// knockOut is the system of a knock-out (192), which FIDE has no code for.
const knockOut = "CUSTOM_KNOCKOUT"

// IsKnockOut tells whether who loses is out: who meets whom is then not in the report.
func (r *Report) IsKnockOut() bool { return r.Header("192") == knockOut }

// IsRoundRobin tells whether the system (192) or else the type (092) is an all-play-all.
func (r *Report) IsRoundRobin() bool {
	for _, code := range []string{"192", "092"} {
		text := strings.ToUpper(r.Header(code))
		if text == "" {
			continue
		}
		for _, word := range []string{"BERGER", "ROUND ROBIN", "ROUND-ROBIN", "ROUNDROBIN", "ROUND_ROBIN", "ALL-PLAY-ALL"} {
			if strings.Contains(text, word) {
				return true
			}
		}
		if code == "192" {
			return false
		}
	}
	return false
}

// Field is the report as pairing systems and tie-breaks see it. Entries of a
// player beyond Field.Played are byes already asked for in later rounds.
func (r *Report) Field() tournament.Field {
	f := tournament.Field{
		Name:       r.Header("012"),
		Rounds:     r.Rounds,
		Played:     r.Played(),
		Points:     r.Points,
		Opening:    r.Opening,
		RoundRobin: r.IsRoundRobin(),
	}
	for _, p := range r.Players {
		f.Players = append(f.Players, tournament.FieldPlayer{
			Number:  p.Number,
			Name:    p.Name,
			Rating:  p.Rating,
			Rounds:  append([]tournament.RoundResult(nil), p.Rounds...),
			Virtual: append([]tournament.Score(nil), p.Virtual...),
		})
	}
	if r.IsKnockOut() {
		f.Places = map[int]int{}
		for _, p := range r.Players {
			f.Places[p.Number] = p.Rank
		}
	}
	for _, b := range r.Forbidden {
		b.Numbers = append([]int(nil), b.Numbers...)
		f.Forbidden = append(f.Forbidden, b)
	}
	if !f.Opening.Valid() {
		f.Opening = openingSeen(f.Players)
	}
	return f
}

// openingSeen infers the drawn seat from round 1: its lowest number had
// pairing number 1 there and so got that seat (FIDE C.04.3, colour rules).
func openingSeen(players []tournament.FieldPlayer) match.Seat {
	lowest, seat := 0, match.Seat(0)
	for _, p := range players {
		if len(p.Rounds) > 0 && p.Rounds[0].Seat.Valid() && (lowest == 0 || p.Number < lowest) {
			lowest, seat = p.Number, p.Rounds[0].Seat
		}
	}
	return seat
}
