package trf

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Dialect is an edition of the records.
type Dialect int

const (
	TRF16   Dialect = iota // with the extensions XXR XXC BB. XXA XXP
	TRF2026                // 142 152 162 240 250 260
)

// Write writes the report: lines that were read keep their place, and unknown lines their
// text; decoded records are written anew in the dialect. Reading the result gives the
// same players, results and settings. Lines end with LF.
func (r *Report) Write(out io.Writer, d Dialect) error {
	w := &writer{report: r, dialect: d, played: r.Played(), out: bufio.NewWriter(out), done: map[string]bool{}}
	lines := r.Lines
	if !r.placesPlayers() {
		// A report made in memory: texts, settings, players.
		for i := range r.Players {
			lines = append(lines[:len(lines):len(lines)], Line{Code: "001", player: i + 1})
		}
	}
	for _, l := range lines {
		group := groupOf(l.Code)
		switch {
		case group == "" || l.Text != "":
			w.line(l.Text)
		case group == "001":
			w.settings()
			if l.player > 0 && l.player <= len(r.Players) {
				w.line(w.player(r.Players[l.player-1]))
			}
		default:
			w.group(group)
		}
	}
	w.settings()
	w.teamSection()
	if err := w.out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func (r *Report) placesPlayers() bool {
	return slices.ContainsFunc(r.Lines, func(l Line) bool { return l.player > 0 })
}

// groupOf returns the setting of a record in either dialect; empty for text.
func groupOf(code string) string {
	switch code {
	case "001":
		return "001"
	case "142", "XXR":
		return "rounds"
	case "152", "XXC":
		return "opening"
	case "162", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU", "XXS":
		return "points"
	case "240", "XXZ":
		return "byes"
	case "250", "XXA":
		return "acceleration"
	case "260", "XXP":
		return "forbidden"
	case "310", "013":
		return "teams"
	case "352":
		return "seats"
	case "362":
		return "match points"
	case "320":
		return "team byes"
	case "330":
		return "match forfeits"
	case "300":
		return "line-ups"
	case "802":
		return "team rounds"
	}
	return ""
}

type writer struct {
	report  *Report
	dialect Dialect
	played  int
	out     *bufio.Writer
	done    map[string]bool
}

// line writes a line. Errors wait for Flush.
func (w *writer) line(text string) {
	w.out.WriteString(text)
	w.out.WriteByte('\n')
}

// settings writes every group without a place of its own; the others are written at their
// place.
func (w *writer) settings() {
	if w.done["settings"] {
		return
	}
	w.done["settings"] = true
	groups := []string{"rounds", "opening", "points", "byes", "acceleration", "forbidden"}
	if w.report.Teams != nil {
		groups = []string{"rounds", "opening", "points", "seats", "match points"}
	}
	w.unplaced(groups)
}

// unplaced writes the groups that have no place of their own.
func (w *writer) unplaced(groups []string) {
	placed := map[string]bool{}
	for _, l := range w.report.Lines {
		placed[groupOf(l.Code)] = l.Text == "" || placed[groupOf(l.Code)]
	}
	for _, group := range groups {
		if !placed[group] {
			w.group(group)
		}
	}
}

// group writes all records of one setting, once.
func (w *writer) group(group string) {
	if w.done[group] {
		return
	}
	w.done[group] = true
	r, modern := w.report, w.dialect == TRF2026
	if r.Teams != nil && w.ofTeams(group) {
		return
	}
	switch group {
	case "rounds":
		if r.Rounds > 0 {
			w.line(w.code("142", "XXR") + " " + strconv.Itoa(r.Rounds))
		}
	case "opening":
		if !r.Opening.Valid() {
			return
		}
		texts := map[match.Seat]string{match.First: "XXC white1", match.Second: "XXC black1"}
		if modern {
			texts = map[match.Seat]string{match.First: "152 W", match.Second: "152 B"}
		}
		w.line(texts[r.Opening])
	case "points":
		w.points()
	case "byes":
		if modern {
			w.byes()
		}
	case "acceleration":
		if modern {
			w.acceleration()
		} else {
			w.virtual()
		}
	case "forbidden":
		w.forbidden()
	}
}

func (w *writer) code(modern, old string) string {
	if w.dialect == TRF2026 {
		return modern
	}
	return old
}

// points writes nothing for 1-½-0, else the shortest record that is complete.
func (w *writer) points() {
	p := w.report.Points
	if p == tournament.StandardPoints() {
		return
	}
	follows := p.ForfeitWin == p.Win && p.FullBye == p.Win && p.HalfBye == p.Draw
	switch {
	case follows && w.dialect == TRF16:
		for _, v := range []struct {
			code  string
			score tournament.Score
		}{{"BBW", p.Win}, {"BBD", p.Draw}, {"BBL", p.Loss}, {"BBZ", p.ZeroBye}, {"BBF", p.ForfeitLoss}, {"BBU", p.PairBye}} {
			w.line(fmt.Sprintf("%s %4s", v.code, formatScore(v.score)))
		}
	case follows && p.ForfeitLoss == p.ZeroBye:
		w.line(fmt.Sprintf("162  W%4s    D%4s    L%4s    P%4s    A%4s", formatScore(p.Win), formatScore(p.Draw),
			formatScore(p.Loss), formatScore(p.PairBye), formatScore(p.ZeroBye)))
	default:
		w.line(fmt.Sprintf("XXS WW=%s BW=%[1]s WD=%s BD=%[2]s WL=%s BL=%[3]s ZPB=%s HPB=%s FPB=%s PAB=%s FW=%s FL=%s",
			formatScore(p.Win), formatScore(p.Draw), formatScore(p.Loss), formatScore(p.ZeroBye), formatScore(p.HalfBye),
			formatScore(p.FullBye), formatScore(p.PairBye), formatScore(p.ForfeitWin), formatScore(p.ForfeitLoss)))
	}
}

// byes writes 240 records for byes of future rounds, by round and kind.
func (w *writer) byes() {
	type key struct {
		round int
		kind  tournament.Outcome
	}
	lists := map[key][]int{}
	for _, p := range w.report.Players {
		for i := w.played; i < len(p.Rounds); i++ {
			if kind := p.Rounds[i].Outcome; kind.IsBye() {
				lists[key{i + 1, kind}] = append(lists[key{i + 1, kind}], p.Number)
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(lists), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.round, b.round), cmp.Compare(a.kind, b.kind))
	}) {
		w.line(fmt.Sprintf("240 %c %3d", letterOf[k.kind], k.round) + listOf(" %4d", lists[k]))
	}
}

func listOf(format string, numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, format, n)
	}
	return b.String()
}

// stretch is one acceleration: the same points in consecutive rounds.
type stretch struct {
	points      tournament.Score
	first, last int
}

func stretches(virtual []tournament.Score) (list []stretch) {
	for i, v := range virtual {
		switch {
		case v == 0:
		case i > 0 && virtual[i-1] == v:
			list[len(list)-1].last = i + 1
		default:
			list = append(list, stretch{v, i + 1, i + 1})
		}
	}
	return list
}

// accelerated is the acceleration of a run of consecutive numbers.
type accelerated struct {
	stretch
	from, to int
}

// accelerations lists acceleration by runs of consecutive numbers.
func accelerations(virtual map[int][]tournament.Score) []accelerated {
	var records []accelerated
	open := map[stretch]int{} // indexes of the records that end with the previous number
	for _, number := range slices.Sorted(maps.Keys(virtual)) {
		next := map[stretch]int{}
		for _, s := range stretches(virtual[number]) {
			i, continues := open[s]
			if continues {
				records[i].to = number
			} else {
				i = len(records)
				records = append(records, accelerated{s, number, number})
			}
			next[s] = i
		}
		open = next
	}
	slices.SortStableFunc(records, func(a, b accelerated) int { return cmp.Compare(a.first, b.first) })
	return records
}

// acceleration writes 250 records.
func (w *writer) acceleration() {
	virtual := map[int][]tournament.Score{}
	for _, p := range w.report.Players {
		virtual[p.Number] = p.Virtual
	}
	for _, a := range accelerations(virtual) {
		w.line(fmt.Sprintf("250      %4s %3d %3d %4d %4d", formatScore(a.points), a.first, a.last, a.from, a.to))
	}
}

func (w *writer) virtual() {
	for _, p := range w.report.Players {
		if len(p.Virtual) == 0 {
			continue
		}
		text := fmt.Sprintf("XXA %4d", p.Number)
		for _, v := range p.Virtual {
			text += fmt.Sprintf(" %4s", formatScore(v))
		}
		w.line(text)
	}
}

// forbidden writes 260 records where rounds are named, which XXP cannot do.
func (w *writer) forbidden() {
	for _, f := range w.report.Forbidden {
		if w.dialect == TRF16 && f.From == 0 && f.To == 0 {
			w.line("XXP" + listOf(" %d", f.Numbers))
			continue
		}
		w.line(fmt.Sprintf("260 %3s %3s", nonZero(f.From), nonZero(f.To)) + listOf(" %4d", f.Numbers))
	}
}
