package words

import (
	"net/url"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/league"
)

// ChallengeURL returns the address of a challenge; it is short because people pass it on.
func ChallengeURL(id challenge.ID) string { return "/c/" + string(id) }

// CheckInURL returns the page where players check in to a match and arbiters give out codes.
func CheckInURL(id match.ID) string { return MatchURL(id) + "/check-in" }

// BoardURL returns the page that corrects the result of a board.
func BoardURL(id tournament.ID, round, board int) string {
	return RoundURL(id, round) + "/boards/" + Itoa(board)
}

// LadderURL returns the page of a ladder.
func LadderURL(id ladder.ID) string { return "/ladders/" + string(id) }

// LessonURL returns the address of a lesson, from 1.
func LessonURL(number int) string { return "/learn/" + Itoa(number) }

// LeagueURL returns the page of a league.
func LeagueURL(id league.ID) string { return "/leagues/" + string(id) }

// FixtureURL returns the page on which two players arrange their match.
func FixtureURL(id tournament.ID, round, board int) string {
	return TournamentURL(id) + "/fixtures/" + Itoa(round) + "/" + Itoa(board)
}

// MatchURL returns the page of a match.
func MatchURL(id match.ID) string { return "/matches/" + string(id) }

// DeskURL returns the pairing desk.
func DeskURL(id tournament.ID) string { return TournamentURL(id) + "/pairings" }

// PlayerURL returns the page of an account.
func PlayerURL(h player.Handle) string { return "/players/" + url.PathEscape(string(h)) }

// TournamentURL returns the first page of a tournament.
func TournamentURL(id tournament.ID) string { return "/tournaments/" + string(id) }

// ClubURL returns the page of a club.
func ClubURL(id club.ID) string { return "/clubs/" + string(id) }

// PlayersURL returns the players' desk.
func PlayersURL(id tournament.ID) string { return TournamentURL(id) + "/players" }

// PrizesURL returns the prizes of a tournament.
func PrizesURL(id tournament.ID) string { return TournamentURL(id) + "/prizes" }

// TournamentFeedURL returns the stream that updates one of a tournament's pages, from a place on.
func TournamentFeedURL(t *tournament.Tournament, part, at string) string {
	return TournamentURL(t.ID) + "/feed?" + url.Values{"part": {part}, "last": {at}}.Encode()
}

// RoundURL returns the page of a round.
func RoundURL(id tournament.ID, n int) string { return TournamentURL(id) + "/rounds/" + Itoa(n) }

// TeamMatchURL returns the page of a match of teams.
func TeamMatchURL(id tournament.ID, round, n int) string {
	return RoundURL(id, round) + "/matches/" + Itoa(n)
}

// ForfeitURL returns the page on which staff decide that teams forfeit their match.
func ForfeitURL(id tournament.ID, round, n int) string {
	return TeamMatchURL(id, round, n) + "/forfeit"
}

// EntryURL returns the page of an entry.
func EntryURL(id tournament.ID, e tournament.EntryID) string {
	return TournamentURL(id) + "/entries/" + Itoa(int(e))
}

// TeamURL returns the page on which captains and staff make up a team.
func TeamURL(id tournament.ID, e tournament.EntryID) string {
	return TournamentURL(id) + "/teams/" + Itoa(int(e))
}

// DoorDeskURL returns the staff's page about the door.
func DoorDeskURL(id tournament.ID) string { return TournamentURL(id) + "/door" }
