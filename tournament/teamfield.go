package tournament

import (
	"slices"

	"chpok.org/chpok/engine/match"
)

// MatchOutcome returns the outcome of a match of teams for the one with the first game points. A match in which
// nobody played is a forfeit, unless both have points of it.
func MatchOutcome(mine, theirs Score, isPlayed, isOpen bool) Outcome {
	switch {
	case isOpen:
		return Unfinished
	case mine > theirs && isPlayed:
		return Win
	case mine > theirs:
		return ForfeitWin
	case mine == theirs && (isPlayed || mine > 0):
		return Draw
	case isPlayed:
		return Loss
	}
	return ForfeitLoss
}

// TeamScore is what a match of teams has given one of them so far.
type TeamScore struct {
	TeamMatch
	Outcome Outcome
}

// ScoreOf returns what a match of a round has given both teams, by their seats on board 1. It is the one place where boards
// become the result of a match.
func (t *Table) ScoreOf(r Round, n int) (scores [2]TeamScore) {
	m, isOpen := r.Teams[n-1], false
	if m.OpenedAt.IsZero() {
		scores[0].Outcome, scores[1].Outcome = Unfinished, Unfinished
		return scores
	}
	for k, p := range r.BoardsOf(n) {
		isOpen = isOpen || p.Result.IsPending()
		// Boards that the forfeit of their match overruled were played. Those of who left are forfeits, as of players.
		wasPlayed := p.Result.IsPlayed() || m.IsForfeited() && p.Result.Was >= FirstWins && p.Result.Was <= Drawn
		for _, s := range match.Seats {
			x, o := &scores[s.Index()], p.Outcome(TeamSeat(k+1, s))
			x.Boards, x.Games, x.Played = append(x.Boards, o), x.Games+t.Points.Of(o), x.Played || wasPlayed
		}
	}
	for _, s := range match.Seats {
		x := &scores[s.Index()]
		switch x.Outcome = MatchOutcome(x.Games, scores[s.Other().Index()].Games, x.Played, isOpen); {
		case !m.IsForfeited():
		case m.Lost[s.Index()]:
			x.Outcome = ForfeitLoss
		default:
			x.Outcome = ForfeitWin
		}
	}
	return scores
}

// addMatches fills in what the matches of a round, from 0, gave the teams of a field.
func (t *Table) addMatches(f *Field, r int, number, place []int) {
	round := t.Rounds[r]
	for i, m := range round.Teams {
		if number[m.First] == 0 || number[m.Second] == 0 {
			continue
		}
		scores, last, odds := t.ScoreOf(round, i+1), Result{}, match.Seat(0)
		if t.Format.HasBracket() {
			last, odds = round.lastOf(i + 1)
		}
		for _, s := range match.Seats {
			x, team := scores[s.Index()], m.TeamAt(s)
			c := RoundResult{Opponent: number[m.TeamAt(s.Other())], Seat: s, Outcome: x.Outcome, Contest: int16(m.Contest),
				Odds: odds, Came: last.At}
			for _, id := range last.Gone {
				c.Gone = append(c.Gone, number[id])
			}
			f.Players[place[team]].Rounds[r] = c
			f.Teams.Matches[number[team]][r] = x.TeamMatch
		}
	}
}

// lastOf returns the result of a match of teams that came last, and for which of them, by the seat on board 1, the first lot
// was that was drawn there; 0: none was.
func (r Round) lastOf(n int) (last Result, odds match.Seat) {
	for k, p := range r.BoardsOf(n) {
		if last.IsPending() || p.Result.At.After(last.At) {
			last = p.Result
		}
		if p.Result.Odds.Valid() && !odds.Valid() {
			odds = TeamSeat(k+1, p.Result.Odds)
		}
	}
	return last, odds
}

// asTeams makes a field without rounds one of teams.
func (t *Table) asTeams(f *Field, played int) {
	f.Teams = &TeamEvent{TeamRules: TeamRules{ByGames: t.Teams.ByGames, Preferences: t.Teams.Preferences},
		Boards: t.Teams.Boards, Game: t.Points, Matches: map[int][]TeamMatch{}}
	for _, p := range f.Players {
		f.Teams.Matches[p.Number] = make([]TeamMatch, played)
	}
}

// giveGames gives teams the game points of byes: those of the same outcome on every board.
func (f *Field) giveGames() {
	for _, p := range f.Players {
		for r, c := range p.Rounds[:min(len(p.Rounds), f.Played)] {
			o := c.Outcome
			if o == PairingBye {
				o = HalfBye // a bye is a drawn match (FIDE C.04.6, 1.4)
			}
			if c.Opponent == 0 {
				f.Teams.Matches[p.Number][r].Games = Score(f.Teams.Boards) * f.Teams.Game.Of(o)
			}
		}
	}
}

// Scored returns the match points and the game points that the rounds of a field of teams gave them, by number.
func (f Field) Scored() (points, games map[int]Score) {
	points, games = map[int]Score{}, map[int]Score{}
	for _, p := range f.Players {
		for r, c := range p.Rounds[:min(len(p.Rounds), f.Played)] {
			points[p.Number] += f.Points.Of(c.Outcome)
			games[p.Number] += f.Teams.Matches[p.Number][r].Games
		}
	}
	return points, games
}

// PlayerField returns the field of those who sat at boards, for reports, board prizes and their own table: the players of
// teams by team and board order, numbered in that order, and which entry has which number. A game that the forfeit of a
// match overruled counts as it was played.
func (t *Table) PlayerField() (Field, map[EntryID]int) {
	teams := t.Sides()
	slices.SortStableFunc(teams, func(a, b Entry) int { return a.Number - b.Number })
	f := Field{Name: t.Name, Rounds: t.Settings.Rounds, Played: len(t.Rounds), Points: t.Points, Opening: t.Opening,
		RoundRobin: t.Format.MeetsAll()}
	number := map[EntryID]int{}
	for _, team := range teams {
		if team.Number == 0 {
			continue
		}
		members := t.where(func(e Entry) bool { return e.Team == team.ID && (e.Status == Active || t.HasSat(e.ID)) })
		slices.SortFunc(members, func(a, b Entry) int {
			if a.Place != b.Place {
				return a.Place - b.Place
			}
			return int(a.ID - b.ID)
		})
		for _, e := range members {
			f.Players = append(f.Players, FieldPlayer{Number: len(f.Players) + 1, Name: e.Name, Rating: e.Rating,
				Rounds: make([]RoundResult, len(t.Rounds))})
			number[e.ID] = len(f.Players)
		}
	}
	for n, p := range t.AllBoards() {
		for _, s := range match.Seats {
			if at := number[p.EntryAt(s)]; at > 0 {
				isOverruled := p.TeamMatch > 0 && t.Rounds[n-1].Teams[p.TeamMatch-1].IsForfeited()
				f.Players[at-1].Rounds[n-1] = cellOf(*p, s, number[p.EntryAt(s.Other())], isOverruled)
			}
		}
	}
	return f, number
}

// cellOf returns what a board gave whoever has a seat there, as it was played if it is overruled.
func cellOf(p Pairing, s match.Seat, opponent int, isOverruled bool) RoundResult {
	if isOverruled && p.Result.Was != Pending {
		p.Result.Kind = p.Result.Was
	}
	c := RoundResult{Opponent: opponent, Seat: s, Outcome: p.Outcome(s)}
	if p.Result.IsPlayed() {
		c.Difference = p.Result.Points[s.Index()] - p.Result.Points[s.Other().Index()]
	}
	return c
}
