package words

import (
	"net/url"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/ladder"
)

// ChallengeURL is a challenge's page, short because people pass it on.
func ChallengeURL(id challenge.ID) string { return "/c/" + string(id) }

// CheckInURL is where a player checks in to a match, and an arbiter gives codes.
func CheckInURL(id match.ID) string { return MatchURL(id) + "/check-in" }

func BoardURL(id tournament.ID, round, board int) string {
	return RoundURL(id, round) + "/boards/" + Itoa(board)
}

func LadderURL(id ladder.ID) string { return "/ladders/" + string(id) }

// MatchURL is a match's page.
func MatchURL(id match.ID) string { return "/matches/" + string(id) }

func DeskURL(id tournament.ID) string { return TournamentURL(id) + "/pairings" }

// PlayerURL is an account's page.
func PlayerURL(h player.Handle) string { return "/players/" + url.PathEscape(string(h)) }

func TournamentURL(id tournament.ID) string { return "/tournaments/" + string(id) }

func ClubURL(id club.ID) string { return "/clubs/" + string(id) }

func PlayersURL(id tournament.ID) string { return TournamentURL(id) + "/players" }

func PrizesURL(id tournament.ID) string { return TournamentURL(id) + "/prizes" }

// TournamentFeedURL is the stream of a part of a tournament's pages from a place on.
func TournamentFeedURL(t *tournament.Tournament, part, at string) string {
	return TournamentURL(t.ID) + "/feed?" + url.Values{"part": {part}, "last": {at}}.Encode()
}

func RoundURL(id tournament.ID, n int) string { return TournamentURL(id) + "/rounds/" + Itoa(n) }

func EntryURL(id tournament.ID, e tournament.EntryID) string {
	return TournamentURL(id) + "/entries/" + Itoa(int(e))
}

func DoorDeskURL(id tournament.ID) string { return TournamentURL(id) + "/door" }
