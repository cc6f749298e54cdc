package trf

import (
	"cmp"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// teamBoard is one board of a match, as the team sees it.
type teamBoard struct {
	player  int // 0: nobody
	seat    match.Seat
	outcome tournament.Outcome
}

// Boards returns on how many boards the teams play: as the seats say, or else as the longest match.
func (r *Report) Boards() int {
	n := len(r.Teams.Seats)
	if n > 0 {
		return n
	}
	teamOf, cells := r.teamOf(), r.cells()
	for _, t := range r.Teams.List {
		for round := range r.Played() {
			sat := 0
			for _, p := range t.Players {
				if c := cellOf(cells, p, round); c.Opponent > 0 && teamOf[c.Opponent] > 0 || c.isUnopposed() {
					sat++
				}
			}
			n = max(n, sat)
		}
	}
	for _, l := range r.Teams.LineUps {
		n = max(n, len(l.Players))
	}
	return n
}

// seatOn returns the seat on a board (from 0) of the team that is named first.
func (t *Teams) seatOn(board int) match.Seat {
	switch {
	case board < len(t.Seats) && t.Seats[board] == 'b', board >= len(t.Seats) && board%2 == 1:
		return match.Second
	}
	return match.First
}

type playerCell struct{ tournament.RoundResult }

// isUnopposed reports whether nobody sat opposite: a forfeit without an opponent.
func (c playerCell) isUnopposed() bool { return c.Opponent == 0 && c.Outcome.IsForfeit() }

func (r *Report) teamOf() map[int]int {
	teamOf := map[int]int{}
	for _, t := range r.Teams.List {
		for _, p := range t.Players {
			teamOf[p] = t.Number
		}
	}
	return teamOf
}

func (r *Report) cells() map[int][]tournament.RoundResult {
	cells := make(map[int][]tournament.RoundResult, len(r.Players))
	for _, p := range r.Players {
		cells[p.Number] = p.Rounds
	}
	return cells
}

func cellOf(cells map[int][]tournament.RoundResult, player, round int) (c playerCell) {
	if list := cells[player]; round < len(list) {
		c.RoundResult = list[round]
	}
	return c
}

// played returns the last round of which a record names a match or the pairing-allocated bye.
func (t *Teams) played() (played int) {
	for i, n := range t.Bye.By {
		if n > 0 {
			played = max(played, i+1)
		}
	}
	for _, f := range t.Forfeits {
		played = max(played, f.Round)
	}
	for _, l := range t.LineUps {
		played = max(played, l.Round)
	}
	return played
}

// TeamField returns the report of a team event for pairing systems and tie-breaks. The games of a
// round between two teams are their match. The team whose seats are those of record 352 is First. A
// match of forfeits alone is a forfeit.
func (r *Report) TeamField() tournament.Field {
	f := tournament.Field{
		Name: r.Header("012"), Rounds: r.Rounds, Played: r.Played(), Points: r.Teams.Points, Opening: r.Opening,
		RoundRobin: r.IsRoundRobin(), Forbidden: cloneForbidden(r.Teams.Forbidden), System: r.System(),
	}
	m := newMatcher(r)
	matches := map[int][]tournament.TeamMatch{}
	f.Teams = &tournament.TeamEvent{TeamRules: r.TeamRules(), Boards: m.boards, Game: r.Points, Matches: matches}
	for _, t := range r.Teams.List {
		p := tournament.FieldPlayer{Number: t.Number, Name: t.Name, Rating: t.Strength, Virtual: slices.Clone(t.Virtual)}
		for round := range f.Played {
			cell, x := m.round(t, round)
			p.Rounds, matches[t.Number] = append(p.Rounds, cell), append(matches[t.Number], x)
		}
		for _, b := range t.Byes { // of rounds to come
			if b.Round > f.Played {
				for len(p.Rounds) < b.Round {
					p.Rounds = append(p.Rounds, tournament.RoundResult{})
				}
				p.Rounds[b.Round-1].Outcome = b.Kind
			}
		}
		f.Players = append(f.Players, p)
		if f.System != "" {
			if f.Places == nil {
				f.Places = map[int]int{}
			}
			f.Places[t.Number] = t.Rank
		}
	}
	if !f.Opening.Valid() {
		f.Opening = openingSeen(f.Players)
	}
	return f
}

// matcher finds the matches of a report.
type matcher struct {
	r        *Report
	teamOf   map[int]int // by player
	cells    map[int][]tournament.RoundResult
	index    map[int]int          // in the list of teams, by number
	lineUps  map[teamRound]LineUp // of the team
	matches  map[teamRound]int    // opponent that a record names
	forfeits map[teamRound]forfeited
	boards   int
}

// forfeited is a match decided by forfeit, as one of its teams sees it.
type forfeited struct {
	opponent int
	seat     match.Seat
	isWon    bool
}

// teamRound is a round, from 0, of a team.
type teamRound struct{ team, round int }

func newMatcher(r *Report) matcher {
	m := matcher{r: r, teamOf: r.teamOf(), cells: r.cells(), index: r.Teams.index(), lineUps: map[teamRound]LineUp{},
		matches: map[teamRound]int{}, forfeits: map[teamRound]forfeited{}, boards: r.Boards()}
	name := func(team, opponent, round int) {
		if _, twice := m.matches[teamRound{team, round}]; !twice {
			m.matches[teamRound{team, round}] = opponent
		}
	}
	for _, f := range r.Teams.Forfeits {
		name(f.First, f.Second, f.Round-1)
		name(f.Second, f.First, f.Round-1)
		m.forfeits[teamRound{f.First, f.Round - 1}] = forfeited{f.Second, match.First, !f.Lost[0]}
		m.forfeits[teamRound{f.Second, f.Round - 1}] = forfeited{f.First, match.Second, !f.Lost[1]}
	}
	for _, l := range r.Teams.LineUps {
		name(l.Team, l.Opponent, l.Round-1)
		name(l.Opponent, l.Team, l.Round-1)
		m.lineUps[teamRound{l.Team, l.Round - 1}] = l
	}
	return m
}

// round returns what a round (from 0) gave a team.
func (m matcher) round(t Team, round int) (cell tournament.RoundResult, x tournament.TeamMatch) {
	teams := m.r.Teams
	if round < len(teams.Bye.By) && teams.Bye.By[round] == t.Number {
		return tournament.RoundResult{Outcome: tournament.PairingBye}, tournament.TeamMatch{Games: m.byeGames()}
	}
	if cell.Opponent = m.opponent(t, round); cell.Opponent == 0 {
		for _, b := range t.Byes {
			if b.Round == round+1 {
				cell.Outcome = b.Kind
			}
		}
		return cell, tournament.TeamMatch{Games: m.onAll(cell.Outcome)}
	}
	boards := m.seated(t, round)
	theirs := m.seated(teams.List[m.index[cell.Opponent]], round)
	var other tournament.Score
	open := false
	for _, b := range boards {
		x.Boards = append(x.Boards, b.outcome)
		x.Games += m.r.Points.Of(b.outcome)
		x.Played = x.Played || b.outcome.IsPlayed()
		open = open || b.outcome == tournament.Unfinished
	}
	for _, b := range theirs {
		other += m.r.Points.Of(b.outcome)
	}
	cell.Seat = m.r.Teams.seat(boards, theirs)
	if f := m.forfeits[teamRound{t.Number, round}]; f.opponent == cell.Opponent {
		cell.Seat = cmp.Or(cell.Seat, f.seat)
		return m.decided(cell, x, f.isWon)
	}
	cell.Outcome = tournament.MatchOutcome(x.Games, other, x.Played, open)
	return cell, x
}

// decided applies a 330 record: the boards of who is there are won by forfeit, whatever was played.
func (m matcher) decided(cell tournament.RoundResult, x tournament.TeamMatch, isWon bool) (
	tournament.RoundResult, tournament.TeamMatch,
) {
	cell.Outcome = tournament.ForfeitLoss
	if isWon {
		cell.Outcome = tournament.ForfeitWin
	}
	x.Games, x.Boards = m.onAll(cell.Outcome), slices.Repeat([]tournament.Outcome{cell.Outcome}, m.boards)
	return cell, x
}

// opponent returns the team that a team met in a round; 0: none.
func (m matcher) opponent(t Team, round int) int {
	for _, p := range t.Players {
		if o := m.teamOf[cellOf(m.cells, p, round).Opponent]; o > 0 && o != t.Number {
			return o
		}
	}
	return m.matches[teamRound{t.Number, round}]
}

// order returns the players of a team by board: of a 300 record, or those of the roster who have a board.
func (m matcher) order(t Team, round int) []int {
	if l, is := m.lineUps[teamRound{t.Number, round}]; is {
		return l.Players
	}
	var list []int
	for _, p := range t.Players {
		if c := cellOf(m.cells, p, round); c.Opponent > 0 || c.isUnopposed() {
			list = append(list, p)
		}
	}
	return list
}

// seated returns the boards of a team in a round.
func (m matcher) seated(t Team, round int) (list []teamBoard) {
	players, theirs := m.order(t, round), m.facing(t, round)
	if _, ours := m.lineUps[teamRound{t.Number, round}]; !ours {
		players = m.across(players, theirs, round)
	}
	for _, p := range players {
		b := teamBoard{player: p}
		if p > 0 {
			c := cellOf(m.cells, p, round)
			b.seat, b.outcome = c.Seat, c.Outcome
		}
		list = append(list, b)
	}
	for i, o := range theirs { // nobody sat here, but somebody opposite
		if i < len(list) && list[i].player == 0 && o > 0 {
			list[i].outcome = tournament.ForfeitLoss
		}
	}
	return list
}

// facing returns the players of the opponent by board.
func (m matcher) facing(t Team, round int) []int {
	opponent := m.opponent(t, round)
	if opponent == 0 {
		return nil
	}
	return m.order(m.r.Teams.List[m.index[opponent]], round)
}

// across puts players opposite to those of the other team, who sit in their order: a board without
// anybody stays empty on this side. Whoever sits opposite nobody comes where nobody sits.
func (m matcher) across(players, theirs []int, round int) []int {
	list, left := make([]int, len(theirs)), slices.Clone(players)
	for i, o := range theirs {
		if o == 0 {
			continue
		}
		p := cellOf(m.cells, o, round).Opponent
		if k := slices.Index(left, p); k >= 0 {
			list[i], left = p, slices.Delete(left, k, k+1)
		}
	}
	for i, o := range theirs {
		if o == 0 && len(left) > 0 {
			list[i], left = left[0], left[1:]
		}
	}
	return append(list, left...)
}

// seat returns the seat of a team: First if it sits on its boards as the team named first does; 0: no board tells.
func (t *Teams) seat(ours, theirs []teamBoard) match.Seat {
	for i := range max(len(ours), len(theirs)) {
		var seat match.Seat
		switch {
		case i < len(ours) && ours[i].seat.Valid():
			seat = ours[i].seat
		case i < len(theirs) && theirs[i].seat.Valid():
			seat = theirs[i].seat.Other()
		default:
			continue
		}
		if seat == t.seatOn(i) {
			return match.First
		}
		return match.Second
	}
	return 0
}

// byeGames returns the game points of the pairing-allocated bye: as the 320 record says, or those of a drawn match.
func (m matcher) byeGames() tournament.Score {
	if m.r.Teams.Bye.Known {
		return m.r.Teams.Bye.Games
	}
	return m.onAll(tournament.HalfBye)
}

// onAll returns the game points of an outcome that all boards of a team have: a bye it asked for, or a forfeit.
func (m matcher) onAll(o tournament.Outcome) tournament.Score {
	return tournament.Score(m.boards) * m.r.Points.Of(o)
}
