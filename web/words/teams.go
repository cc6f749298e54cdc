package words

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// IsMine returns what tells a viewer's own entries: themselves, their team, and teams that they are a captain of.
func IsMine(t *tournament.Tournament, v player.Viewer) func(tournament.Entry) bool {
	own, entered := t.EntryOf(v.ID)
	return func(e tournament.Entry) bool {
		return e.IsOwn(v) || entered && own.Team != 0 && own.Team == e.ID
	}
}

// AwaitedText says of how many matches of the last of some rounds line-ups are awaited; empty: of none.
func AwaitedText(p lang.Printer, rounds []tournament.Round) string {
	if n := len(tournament.Rounds(rounds).Awaited()); n > 0 {
		return p.N("schedule.block.line-ups", n)
	}
	return ""
}

// SeatRef returns who sits at a board: nobody where a team has no player there.
func SeatRef(p lang.Printer, t *tournament.Tournament, e tournament.Entry) templates.EntryRef {
	if t.IsTeam(e) {
		return templates.EntryRef{Name: p.T("teams.nobody")}
	}
	return EntryRefOf(t, e)
}

// SeatName is the name of SeatRef.
func SeatName(p lang.Printer, t *tournament.Tournament, e tournament.Entry) string {
	if t.IsTeam(e) {
		return p.T("teams.nobody")
	}
	return EntryName(p, e)
}

// ScoreHeads names the score that orders a table, and of teams the other one; empty: there is none, or places come from a bracket.
func ScoreHeads(p lang.Printer, s tournament.Settings) (score, other templates.TournamentFact) {
	matches, games := Fact(p.T("teams.mp"), p.T("teams.match-points")), Fact(p.T("teams.gp"), p.T("teams.game-points"))
	switch {
	case !s.HasTeams() || s.Format.HasBracket():
		return Fact(p.T("tournament.score"), ""), templates.TournamentFact{}
	case s.Teams.ByGames:
		return games, matches
	}
	return matches, games
}

// GamesText renders the game points of a match of teams, those of one first.
func GamesText(p lang.Printer, mine, theirs tournament.TeamScore) string {
	return ScoreText(p, mine.Games) + " : " + ScoreText(p, theirs.Games)
}

// SidesText counts the players of an event, or its teams.
func SidesText(p lang.Printer, s tournament.Settings, n int) string {
	if s.HasTeams() {
		return p.N("teams.count", n)
	}
	return p.N("player.count", n)
}
