package trf

import (
	"slices"
	"strings"

	"chpok.org/chpok/tournament"
)

// MaxTeam is the largest pairing number of a team in a report.
const MaxTeam = 999

// Teams is what a report of a team event holds beside its players.
type Teams struct {
	List      []Team
	Points    tournament.PointSystem // match points (362, 320)
	Bye       TeamBye
	Seats     string // of the boards of the team named first, such as "wbwb" (352); empty: w and b in turn
	LineUps   []LineUp
	Forfeits  []Forfeit
	Forbidden []tournament.Forbidden // teams that must not meet (260)
}

// Team is one 310 record, or an older 013.
type Team struct {
	Number   int // tournament pairing number (TPN)
	Name     string
	Nick     string // up to five letters
	Strength int    // 0: blank
	Match    tournament.Score
	Games    tournament.Score
	HasScore bool // the columns of the points are not blank
	Rank     int  // 0: blank
	Players  []int
	Byes     []AskedBye         // 240
	Virtual  []tournament.Score // acceleration by round, in points of the score that teams are paired by (250)
}

// AskedBye is a bye that a team asked for.
type AskedBye struct {
	Round int
	Kind  tournament.Outcome
}

// TeamBye is the 320 record: the pairing-allocated byes.
type TeamBye struct {
	Match, Games tournament.Score
	Known        bool  // the record gives both
	By           []int // team by round, from the first; 0: none
}

// LineUp is one 300 record: the players of a team by board where they differ from the order of
// its 310 record; 0: nobody sat there.
type LineUp struct {
	Round, Team, Opponent int
	Players               []int
}

// Forfeit is one 330 record: a match decided without what was played in it.
type Forfeit struct {
	Round         int
	First, Second int     // teams
	Lost          [2]bool // who forfeits: the first, the second, or both
}

// DefaultMatchPoints are two for a won match and one for a drawn one; a bye is worth a draw (FIDE C.04.6, 1.4).
func DefaultMatchPoints() tournament.PointSystem {
	return tournament.PointSystem{Win: 20, Draw: 10, ForfeitWin: 20, FullBye: 20, HalfBye: 10, PairBye: 10}
}

// index finds teams by their numbers.
func (t *Teams) index() map[int]int {
	index := make(map[int]int, len(t.List))
	for i, x := range t.List {
		index[x.Number] = i
	}
	return index
}

// team310 reads a 310 record.
func (r *reader) team310(text string) {
	line := spaced([]rune(text))
	var x Team
	var ok bool
	if x.Number, ok = r.number("team", cut(line, 5, 7), 1, MaxTeam); !ok {
		return
	}
	x.Name, x.Nick = cut(line, 9, 40), cut(line, 42, 46)
	x.Strength, _ = r.number("strength", cut(line, 48, 53), 0, 999999)
	match, games := cut(line, 55, 60), cut(line, 62, 67)
	if match != "" || games != "" {
		var a, b bool
		x.Match, a = parseScore(match)
		x.Games, b = parseScore(games)
		if x.HasScore = a && b; !x.HasScore {
			r.problem("points %q and %q of a team are not two scores", match, games)
		}
	}
	x.Rank, _ = r.number("rank", cut(line, 69, 71), 0, MaxTeam)
	x.Players = r.roster(line, 74)
	r.addTeam(x)
}

// team013 reads a 013 record, whose teams are numbered in their order.
func (r *reader) team013(text string) {
	line := spaced([]rune(text))
	r.addTeam(Team{Number: len(r.report.Teams.List) + 1, Name: cut(line, 5, 36), Players: r.roster(line, 37)})
}

// roster reads the numbers of players from a column on.
func (r *reader) roster(line []rune, from int) (list []int) {
	for _, text := range strings.Fields(cut(line, from, len(line))) {
		if n, ok := r.number("player", text, 1, MaxNumber); ok {
			list = append(list, n)
		}
	}
	return list
}

// addTeam adds a team whose players are in no other.
func (r *reader) addTeam(x Team) {
	t := r.report.Teams
	if _, twice := t.index()[x.Number]; twice {
		r.problem("team %d has two records", x.Number)
		return
	}
	for i, n := range x.Players {
		if slices.Contains(x.Players[:i], n) {
			r.problem("player %d is in team %d twice", n, x.Number)
		}
		for _, o := range t.List {
			if slices.Contains(o.Players, n) {
				r.problem("player %d is in the teams %d and %d", n, o.Number, x.Number)
			}
		}
	}
	t.List = append(t.List, x)
	r.postpone(x.Players, func(*Player) {})
}

// postponeTeams is postpone for teams.
func (r *reader) postponeTeams(list []int, do func(*Team)) {
	line := r.line
	r.later = append(r.later, func(map[int]int) {
		r.line = line
		t := r.report.Teams
		index := t.index()
		for _, n := range list {
			if i, known := index[n]; known {
				do(&t.List[i])
			} else {
				r.problem("team %d is not in the file", n)
			}
		}
	})
}

// teamBye reads the 320 record.
func (r *reader) teamBye(body string) {
	bye := &r.report.Teams.Bye
	match, games := column(body, 5, 8), column(body, 10, 13)
	var a, b bool
	bye.Match, a = parseScore(match)
	bye.Games, b = parseScore(games)
	switch bye.Known = a && b; {
	case bye.Known:
		r.report.Teams.Points.PairBye, r.pointed["TP"] = bye.Match, true
	case match+games != "":
		r.problem("points %q and %q of a bye are not two scores", match, games)
	}
	for at := 15; at-4 < len(body); at += 4 {
		text := column(body, at, at+2)
		if text == "" {
			text = "0"
		}
		n, ok := r.number("team", text, 0, MaxTeam)
		bye.By = append(bye.By, n)
		if ok && n > 0 {
			r.postponeTeams([]int{n}, func(*Team) {})
		}
	}
}

// forfeit reads a 330 record.
func (r *reader) forfeit(body string) {
	lost, known := map[string][2]bool{"+-": {false, true}, "-+": {true, false}, "--": {true, true}}[column(body, 5, 6)]
	if !known {
		r.problem("forfeit %q is none of +-, -+, --", column(body, 5, 6))
	}
	x := Forfeit{Lost: lost}
	var a, b, c bool
	x.Round, a = r.number("round", column(body, 8, 10), 1, MaxRounds)
	x.First, b = r.number("team", column(body, 12, 14), 1, MaxTeam)
	x.Second, c = r.number("team", column(body, 16, 18), 1, MaxTeam)
	if known && a && b && c {
		r.report.Teams.Forfeits = append(r.report.Teams.Forfeits, x)
		r.postponeTeams([]int{x.First, x.Second}, func(*Team) {})
	}
}

// lineUp reads a 300 record.
func (r *reader) lineUp(body string) {
	var x LineUp
	var a, b, c bool
	x.Round, a = r.number("round", column(body, 5, 7), 1, MaxRounds)
	x.Team, b = r.number("team", column(body, 9, 11), 1, MaxTeam)
	x.Opponent, c = r.number("team", column(body, 13, 15), 1, MaxTeam)
	for at := 17; at-4 < len(body); at += 5 {
		n, ok := r.number("player", column(body, at, at+3), 0, MaxNumber)
		if !ok {
			return
		}
		x.Players = append(x.Players, n)
	}
	if !a || !b || !c {
		return
	}
	r.report.Teams.LineUps = append(r.report.Teams.LineUps, x)
	r.postponeTeams([]int{x.Opponent}, func(*Team) {})
	r.postponeTeams([]int{x.Team}, func(t *Team) {
		for _, n := range x.Players {
			if n > 0 && !slices.Contains(t.Players, n) {
				r.problem("player %d is not in team %d", n, t.Number)
			}
		}
	})
}

// seats352 reads the seats of the boards.
func (r *reader) seats352(body string) {
	text := strings.ToLower(strings.TrimSpace(body))
	if text == "" || strings.Trim(text, "wb") != "" {
		r.problem("seats %q are not W and B by board", strings.TrimSpace(body))
		return
	}
	r.report.Teams.Seats = text
}

// points362 reads a 362 record: a symbol in columns 5–6, its value in 7–10, and so on every
// 9 columns. TW, TD and TL are won, drawn and lost matches; other programs write W, D, L, and P and A as in 162.
func (r *reader) points362(body string) {
	ps := &r.report.Teams.Points
	for at := 5; at-4 < len(body); at += 9 {
		symbol, value := strings.ToUpper(column(body, at, at+1)), column(body, at+2, at+5)
		switch strings.TrimPrefix(symbol, "T") {
		case "W":
			r.worth("TW", value, &ps.Win, &ps.ForfeitWin, &ps.FullBye)
		case "D":
			r.worth("TD", value, &ps.Draw, &ps.HalfBye)
			if !r.pointed["TP"] {
				ps.PairBye = ps.Draw
			}
		case "L":
			r.worth("TL", value, &ps.Loss, &ps.ForfeitLoss)
		case "P":
			r.worth("TP", value, &ps.PairBye)
		case "A":
			r.worth("TA", value, &ps.ZeroBye)
		case "":
		default:
			r.problem("match points of %q, which is none of TW TD TL", symbol)
		}
	}
}

// teamTypes are what record 192 says of seat preferences.
var teamTypes = map[tournament.SeatPreferences]string{tournament.TypeA: "_TYPEA", tournament.TypeB: "_TYPEB", tournament.NoPreferences: ""}

// TeamCode returns the system for record 192: FIDE_TEAM, the type of seat preferences, if there are any, and the scores.
func TeamCode(rules tournament.TeamRules) string {
	first, second := "_MP", "_GP"
	if rules.ByGames {
		first, second = second, first
	}
	if rules.OneScore {
		second = ""
	}
	return "FIDE_TEAM" + teamTypes[rules.Preferences] + first + second
}

// TeamRules reads what TeamCode writes. FIDE_TEAM alone is FIDE_TEAM_TYPEA_MP_GP; where only scores are named there are no
// preferences.
func (r *Report) TeamRules() (rules tournament.TeamRules) {
	code := strings.TrimSuffix(strings.ToUpper(r.Header("192")), "_BAKU")
	switch {
	case strings.HasSuffix(code, "_GP_MP"):
		rules.ByGames = true
	case strings.HasSuffix(code, "_MP_GP"):
	case strings.HasSuffix(code, "_GP"):
		rules.ByGames, rules.OneScore = true, true
	case strings.HasSuffix(code, "_MP"):
		rules.OneScore = true
	}
	switch {
	case strings.Contains(code, "_TYPEB"):
		rules.Preferences = tournament.TypeB
	case strings.HasPrefix(code, "FIDE_TEAM_") && !strings.Contains(code, "_TYPEA"):
		rules.Preferences = tournament.NoPreferences
	}
	return rules
}
