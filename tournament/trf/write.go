package trf

import (
	"bufio"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// Dialect is the edition whose records a file is written with.
type Dialect int

const (
	TRF16   Dialect = iota // with the in-tournament extensions XXR XXC BB. XXA XXP
	TRF2026                // 142 152 162 240 250 260
)

// Write writes the report: what was read stands where it stood, unknown lines
// unchanged; decoded records are written anew in the dialect asked for. Reading
// the result gives the same players, results and settings. Lines end with LF.
func (r *Report) Write(out io.Writer, d Dialect) error {
	w := &writer{report: r, dialect: d, played: r.Played(), out: bufio.NewWriter(out), done: map[string]bool{}}
	lines := r.Lines
	if !r.placesPlayers() {
		// A report made in memory: its texts, then the settings, then the players.
		for i := range r.Players {
			lines = append(lines[:len(lines):len(lines)], Line{Code: "001", player: i + 1})
		}
	}
	for _, l := range lines {
		group := groupOf(l.Code)
		switch {
		case group == "":
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
	if err := w.out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func (r *Report) placesPlayers() bool {
	for _, l := range r.Lines {
		if l.player > 0 {
			return true
		}
	}
	return false
}

// groupOf names the setting a record carries, in either dialect; empty for text.
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

// line ignores write errors: bufio keeps the first for Flush.
func (w *writer) line(text string) {
	w.out.WriteString(text)
	w.out.WriteByte('\n')
}

// settings writes every group that had no place of its own before this point;
// those that stand later in the file are written there.
func (w *writer) settings() {
	if w.done["settings"] {
		return
	}
	w.done["settings"] = true
	placed := map[string]bool{}
	for _, l := range w.report.Lines {
		placed[groupOf(l.Code)] = true
	}
	for _, group := range []string{"rounds", "opening", "points", "byes", "acceleration", "forbidden"} {
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

// points writes nothing for 1-½-0, else the shortest record that says it all.
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

// byes writes the byes of rounds to come as 240 records, by round and kind.
func (w *writer) byes() {
	type key struct {
		round int
		kind  tournament.Outcome
	}
	lists := map[key][]int{}
	var keys []key
	for _, p := range w.report.Players {
		for i := w.played; i < len(p.Rounds); i++ {
			if kind := p.Rounds[i].Outcome; kind.IsBye() {
				k := key{i + 1, kind}
				if lists[k] == nil {
					keys = append(keys, k)
				}
				lists[k] = append(lists[k], p.Number)
			}
		}
	}
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].round != keys[j].round {
			return keys[i].round < keys[j].round
		}
		return keys[i].kind < keys[j].kind
	})
	for _, k := range keys {
		w.line(fmt.Sprintf("240 %c %3d", letterOf[k.kind], k.round) + listOf(lists[k]))
	}
}

func listOf(numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, " %4d", n)
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

// acceleration writes 250 records for runs of neighbouring numbers.
func (w *writer) acceleration() {
	type record struct {
		stretch
		from, to int
	}
	players := append([]Player(nil), w.report.Players...)
	sort.Slice(players, func(i, j int) bool { return players[i].Number < players[j].Number })
	var records []record
	open := map[stretch]int{} // index of the record whose run the previous player continued
	for _, p := range players {
		next := map[stretch]int{}
		for _, s := range stretches(p.Virtual) {
			i, continues := open[s]
			if continues {
				records[i].to = p.Number
			} else {
				i = len(records)
				records = append(records, record{s, p.Number, p.Number})
			}
			next[s] = i
		}
		open = next
	}
	sort.SliceStable(records, func(i, j int) bool { return records[i].first < records[j].first })
	for _, a := range records {
		w.line(fmt.Sprintf("250      %4s %3d %3d %4d %4d", formatScore(a.points), a.first, a.last, a.from, a.to))
	}
}

func (w *writer) virtual() {
	for _, p := range w.report.Players {
		if len(p.Virtual) == 0 {
			continue
		}
		var b strings.Builder
		for _, v := range p.Virtual {
			fmt.Fprintf(&b, " %4s", formatScore(v))
		}
		w.line(fmt.Sprintf("XXA %4d", p.Number) + b.String())
	}
}

// forbidden keeps the 260 record where rounds are named, which XXP cannot say.
func (w *writer) forbidden() {
	blank := func(round int) string {
		if round == 0 {
			return ""
		}
		return strconv.Itoa(round)
	}
	for _, f := range w.report.Forbidden {
		if w.dialect == TRF16 && f.From == 0 && f.To == 0 {
			w.line("XXP" + strings.TrimRight(shortList(f.Numbers), " "))
			continue
		}
		w.line(fmt.Sprintf("260 %3s %3s", blank(f.From), blank(f.To)) + listOf(f.Numbers))
	}
}

func shortList(numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(" " + strconv.Itoa(n))
	}
	return b.String()
}
