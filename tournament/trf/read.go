package trf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// ErrEmpty refuses a text without players, which is no report.
var ErrEmpty = refusal.Invalid("intake.error.empty", "trf: no tournament report (TRF): no line 001 names a player")

// TeamError refuses the report of a team event where only individual ones are understood; it names
// the record and line that told.
type TeamError struct {
	Record string
	Line   int
}

func (e *TeamError) Error() string {
	return fmt.Sprintf("line %d: record %s is one of a team event; only individual events are read here", e.Line, e.Record)
}

// teamRecords are the records that only team events have: teams (013, 310), their byes (320),
// line-ups (300) and results (330, 801, 802), and how they score (352, 362).
var teamRecords = []string{"013", "300", "310", "320", "330", "352", "362", "801", "802"}

// teamRecord finds the first record of a team event; 082 tells of one if it counts any team.
func teamRecord(lines []string) *TeamError {
	for i, text := range lines {
		code := text[:min(len(text), 3)]
		number, err := strconv.Atoi(strings.TrimSpace(text[min(len(text), 3):]))
		if slices.Contains(teamRecords, code) || code == "082" && err == nil && number > 0 {
			return &TeamError{code, i + 1}
		}
	}
	return nil
}

// Read reads the report of an individual event, which package intake has made text. The error is a
// *SyntaxError that names every malformed line, ErrEmpty, or a *TeamError.
func Read(report string) (*Report, error) {
	if err := teamRecord(split(report)); err != nil {
		return nil, err
	}
	return read(report, false)
}

// ReadAny is Read for an individual or a team event: of the latter Report.Teams is not nil.
func ReadAny(report string) (*Report, error) { return read(report, teamRecord(split(report)) != nil) }

func read(report string, isTeams bool) (*Report, error) {
	r := &reader{
		report:  &Report{Points: tournament.StandardPoints()},
		lineOf:  map[int]int{},
		pointed: map[string]bool{},
	}
	if isTeams {
		r.old = !slices.ContainsFunc(split(report), func(l string) bool { return strings.HasPrefix(l, "310") })
		r.report.Teams = &Teams{Points: DefaultMatchPoints()}
	}
	for i, text := range split(report) {
		r.line = i + 1
		r.read(text)
	}
	r.finish()
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
		return nil, &SyntaxError{r.problems}
	}
	if len(r.report.Players) == 0 {
		return nil, ErrEmpty
	}
	return r.report, nil
}

func split(text string) []string {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// reader collects one report. Records about players wait until all players are known.
type reader struct {
	report   *Report
	line     int
	problems []Problem
	lines    []int       // line of every 001 record, by index
	lineOf   map[int]int // line of the first record with a number
	pointed  map[string]bool
	byRank   bool // "XXC rank" was given
	rankLine int
	old      bool // 013 names the teams: there is no 310
	later    []func(index map[int]int)
}

func (r *reader) problem(format string, args ...any) {
	r.problems = append(r.problems, Problem{r.line, fmt.Sprintf(format, args...)})
}

func (r *reader) warn(format string, args ...any) {
	r.report.Warnings = append(r.report.Warnings, Problem{r.line, fmt.Sprintf(format, args...)})
}

// read dispatches one line; lines with unknown codes are kept as text.
func (r *reader) read(text string) {
	code := ""
	if len(text) >= 3 {
		code = text[:3]
	}
	body := ""
	if code != "" {
		body = strings.TrimRight(text[3:], " \t")
	}
	place := Line{Code: code}
	switch code {
	case "001":
		r.player(text)
		place.player = len(r.report.Players)
	case "142", "XXR":
		r.rounds(body)
	case "152":
		r.opening(strings.TrimSpace(body))
	case "XXC":
		r.configuration(body)
	case "162":
		r.points162(body)
	case "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU":
		r.pointsBB(code, body)
	case "XXS":
		r.pointsXXS(body)
	case "310":
		r.team310(text)
	case "013":
		if r.old {
			r.team013(text)
		} else {
			place.Text = text
		}
	case "320":
		r.teamBye(body)
	case "330":
		r.forfeit(body)
	case "300":
		r.lineUp(body)
	case "352":
		r.seats352(body)
	case "362":
		r.points362(body)
	case "802":
		// It repeats what other records say, and is written anew.
	case "240":
		r.byes(body)
	case "XXZ":
		r.absent(body)
	case "250":
		r.acceleration(body)
	case "XXA":
		r.virtual(body)
	case "260":
		r.forbidden(body)
	case "XXP":
		r.forbiddenAlways(body)
	default:
		place.Text = text
	}
	r.report.Lines = append(r.report.Lines, place)
}

// finish does what needs all lines: records about players, consistency of both sides of
// every pairing, and points.
func (r *reader) finish() {
	index := map[int]int{}
	for i, p := range r.report.Players {
		if _, twice := index[p.Number]; !twice {
			index[p.Number] = i
		}
	}
	for _, do := range r.later {
		do(index)
	}
	for i := range r.report.Players {
		p := &r.report.Players[i]
		for len(p.Rounds) > 0 && p.Rounds[len(p.Rounds)-1].IsBlank() {
			p.Rounds = p.Rounds[:len(p.Rounds)-1]
		}
		for len(p.Virtual) > 0 && p.Virtual[len(p.Virtual)-1] == 0 {
			p.Virtual = p.Virtual[:len(p.Virtual)-1]
		}
	}
	r.defaultPoints()
	r.checkPairings(index)
	r.checkRank()
	if len(r.problems) == 0 {
		r.checkPoints()
	}
}

// checkPairings checks that both sides of a pairing agree.
func (r *reader) checkPairings(index map[int]int) {
	for at, p := range r.report.Players {
		r.line = r.lines[at]
		for i, c := range p.Rounds {
			if c.Opponent == 0 {
				continue
			}
			o, known := index[c.Opponent]
			if !known {
				r.problem("round %d: opponent %d is not in the file", i+1, c.Opponent)
				continue
			}
			if c.Opponent == p.Number {
				r.problem("round %d: player %d meets themself", i+1, p.Number)
				continue
			}
			var back tournament.RoundResult
			if other := r.report.Players[o]; i < len(other.Rounds) {
				back = other.Rounds[i]
			}
			switch {
			case back.Opponent != p.Number:
				r.problem("round %d: opponent %d does not name %d as their opponent", i+1, c.Opponent, p.Number)
			case c.Seat == back.Seat && c.Seat.Valid():
				r.problem("round %d: %d and %d have the same color", i+1, p.Number, c.Opponent)
			case p.Number < c.Opponent && !agree(c.Outcome, back.Outcome):
				r.problem("round %d: the results of %d and %d do not fit together", i+1, p.Number, c.Opponent)
			}
		}
	}
}

// agree reports whether the results of two opponents fit together: any over-the-board
// results but two wins (an arbiter may take points from both), forfeits with forfeits,
// open results with open results.
func agree(a, b tournament.Outcome) bool {
	won := func(o tournament.Outcome) bool { return o == tournament.Win || o == tournament.WinUnrated }
	switch {
	case a.IsPlayed():
		return b.IsPlayed() && !(won(a) && won(b))
	case a.IsForfeit():
		return b == tournament.ForfeitLoss || (b == tournament.ForfeitWin && a == tournament.ForfeitLoss)
	}
	return a == b
}

// checkRank refuses "XXC rank" where it would change anything: numbers are the initial
// ranking here.
func (r *reader) checkRank() {
	if !r.byRank {
		return
	}
	players := slices.Clone(r.report.Players)
	slices.SortFunc(players, func(a, b Player) int { return cmp.Compare(a.Number, b.Number) })
	if !slices.IsSortedFunc(players, func(a, b Player) int { return cmp.Compare(a.Rank, b.Rank) }) {
		r.line = r.rankLine
		r.problem("XXC rank: the ranks differ from the numbers; renumber the players by rank")
	}
}

// checkPoints compares the points column with the results. Programs write it with or
// without the byes of the next round and the acceleration.
func (r *reader) checkPoints() {
	played, annulled := r.report.Played(), r.report.Commented(AnnulledPlayer)
	if r.report.Teams != nil { // of teams, the numbers are theirs, and their players have what they played
		annulled = nil
	}
	for at, p := range r.report.Players {
		if !p.HasPoints || annulled[p.Number] {
			continue
		}
		var until, all, virtual tournament.Score
		for i, c := range p.Rounds {
			if annulled[c.Opponent] {
				c.Outcome = tournament.ZeroBye
			}
			all += r.report.Points.Of(c.Outcome)
			if i < played {
				until = all
			}
		}
		for i, v := range p.Virtual {
			if i <= played {
				virtual = v
			}
		}
		if s := p.Points; s != until && s != all && s != until+virtual && s != all+virtual {
			r.line = r.lines[at]
			r.warn("points of %d are %s, the results give %s", p.Number, formatScore(s), formatScore(until))
		}
	}
}

func (r *reader) rounds(body string) {
	n, err := strconv.Atoi(strings.TrimSpace(body))
	switch {
	case err != nil || n < 1 || n > MaxRounds:
		r.problem("number of rounds %q is not in 1..%d", strings.TrimSpace(body), MaxRounds)
	case r.report.Rounds != 0 && r.report.Rounds != n:
		r.problem("%d rounds, but an earlier line says %d", n, r.report.Rounds)
	default:
		r.report.Rounds = n
	}
}

func (r *reader) opening(text string) {
	var seat match.Seat
	switch strings.ToUpper(text) {
	case "W", "WHITE1":
		seat = match.First
	case "B", "BLACK1":
		seat = match.Second
	default:
		r.problem("initial color %q is neither white nor black", text)
		return
	}
	if r.report.Opening.Valid() && r.report.Opening != seat {
		r.problem("initial color %s contradicts an earlier line", text)
		return
	}
	r.report.Opening = seat
}

func (r *reader) configuration(body string) {
	for _, word := range strings.Fields(body) {
		if word == "rank" {
			r.byRank, r.rankLine = true, r.line
			continue
		}
		r.opening(word)
	}
}
