package trf

import (
	"fmt"
	"slices"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// teamSection writes the records of a team event that have no place of their own, after the players.
// TRF16 has only 013, which does not hold enough; so they are those of TRF-2026 in either dialect.
func (w *writer) teamSection() {
	if w.report.Teams != nil {
		w.unplaced([]string{"teams", "byes", "acceleration", "forbidden", "line-ups", "team byes", "match forfeits", "team rounds"})
	}
}

// ofTeams writes a group that teams have otherwise than players, or that only they have.
func (w *writer) ofTeams(group string) bool {
	t := w.report.Teams
	switch group {
	case "teams":
		for _, x := range t.List {
			w.line(teamRow(x))
		}
	case "seats":
		if t.Seats != "" {
			w.line("352 " + strings.ToUpper(t.Seats))
		}
	case "match points":
		w.matchPoints()
	case "team byes":
		w.teamByes()
	case "match forfeits":
		for _, f := range t.Forfeits {
			w.line(fmt.Sprintf("330 %c%c %3d %3d %3d", sign(f.Lost[0]), sign(f.Lost[1]), f.Round, f.First, f.Second))
		}
	case "line-ups":
		for _, l := range t.LineUps {
			text := fmt.Sprintf("300 %3d %3d %3d", l.Round, l.Team, l.Opponent)
			for _, p := range l.Players {
				text += fmt.Sprintf(" %04d", p)
			}
			w.line(text)
		}
	case "byes":
		for _, x := range t.List {
			for _, b := range x.Byes {
				w.line(fmt.Sprintf("240 %c %3d %4d", letterOf[b.Kind], b.Round, x.Number))
			}
		}
	case "acceleration":
		virtual := map[int][]tournament.Score{}
		for _, x := range t.List {
			virtual[x.Number] = x.Virtual
		}
		for _, a := range accelerations(virtual) {
			w.line(fmt.Sprintf("250 %4s %4s %3d %3d %4d %4d", formatScore(a.points), formatScore(0), a.first, a.last, a.from, a.to))
		}
	case "forbidden":
		for _, f := range t.Forbidden {
			w.line(fmt.Sprintf("260 %3s %3s", nonZero(f.From), nonZero(f.To)) + listOf(" %4d", f.Numbers))
		}
	case "team rounds":
		w.teamRounds()
	default:
		return false
	}
	return true
}

func sign(lost bool) byte {
	if lost {
		return '-'
	}
	return '+'
}

// teamRow formats a 310 record. Names longer than their column are cut.
func teamRow(x Team) string {
	matchPoints, games := "", ""
	if x.HasScore {
		matchPoints, games = formatScore(x.Match), formatScore(x.Games)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "310 %3d %-32s %-5s %6s %6s %6s %3s", x.Number, fit(x.Name, TeamWidth), fit(x.Nick, 5), nonZero(x.Strength),
		matchPoints, games, nonZero(x.Rank))
	b.WriteString(" ")
	for _, p := range x.Players {
		fmt.Fprintf(&b, " %4d", p)
	}
	return strings.TrimRight(b.String(), " ")
}

// matchPoints writes nothing for 2-1-0 with a bye worth a draw, which 320 says otherwise.
func (w *writer) matchPoints() {
	p := w.report.Teams.Points
	standard := DefaultMatchPoints()
	if p.Win == standard.Win && p.Draw == standard.Draw && p.Loss == standard.Loss {
		return
	}
	w.line(fmt.Sprintf("362 TW%4s   TD%4s   TL%4s", formatScore(p.Win), formatScore(p.Draw), formatScore(p.Loss)))
}

// teamByes writes the 320 record, if there is anything to say.
func (w *writer) teamByes() {
	bye := w.report.Teams.Bye
	if !bye.Known && !slices.ContainsFunc(bye.By, func(n int) bool { return n > 0 }) {
		return
	}
	text := "320 " + strings.Repeat(" ", 9)
	if bye.Known {
		text = fmt.Sprintf("320 %4s %4s", formatScore(bye.Match), formatScore(bye.Games))
	}
	for _, n := range bye.By {
		text += fmt.Sprintf(" %03d", n)
	}
	w.line(text)
}

// byeTexts are byes in 802 records.
var byeTexts = map[tournament.Outcome]string{
	tournament.PairingBye: "PAB", tournament.FullBye: "FPB", tournament.HalfBye: "HPB", tournament.ZeroBye: "ZPB", tournament.NoRecord: "ZPB",
}

// teamRounds writes the 802 records, from which readers see the rounds of a team.
func (w *writer) teamRounds() {
	field := w.report.TeamField()
	points, games := w.report.Counted().Scored()
	for i, p := range field.Players {
		x := w.report.Teams.List[i]
		rounds := ""
		for k := range field.Played {
			c, m := p.Rounds[k], field.Teams.Matches[p.Number][k]
			opponent, seat, forfeit := byeTexts[c.Outcome], " ", " "
			if c.Opponent > 0 {
				opponent = fmt.Sprint(c.Opponent)
				seat = map[match.Seat]string{match.First: "w", match.Second: "b"}[c.Seat]
				if c.Outcome.IsForfeit() {
					forfeit = "f"
				}
			}
			rounds += fmt.Sprintf("  %3s %1s %4s%s", opponent, seat, formatScore(m.Games), forfeit)
		}
		w.line(strings.TrimRight(fmt.Sprintf("802 %3d %-5s %6s %6s", p.Number, fit(x.Nick, 5), formatScore(points[p.Number]), formatScore(games[p.Number]))+
			rounds, " "))
	}
}
