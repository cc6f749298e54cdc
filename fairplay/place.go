package fairplay

import "strings"

// Place is where somebody's play is reviewed together: a tournament, or a season of a ladder or of the site's rated
// challenges. It begins as the addresses of its pages do: "tournaments/ID", "ladders/ID/SEASON", "challenges/SEASON".
// Empty: nowhere, as of a match that counts for nothing.
type Place string

// PlaceKind is what a place is.
type PlaceKind string

const (
	InTournament PlaceKind = "tournaments"
	OnLadder     PlaceKind = "ladders"
	InChallenges PlaceKind = "challenges"
)

// TournamentPlace returns the place of a tournament's matches.
func TournamentPlace(id string) Place { return Place(string(InTournament) + "/" + id) }

// LadderPlace returns the place of the matches that a ladder opens in a season.
func LadderPlace(id, season string) Place { return Place(string(OnLadder) + "/" + id + "/" + season) }

// ChallengePlace returns the place of the rated challenges of a season.
func ChallengePlace(season string) Place { return Place(string(InChallenges) + "/" + season) }

// Parts returns what a place is made of: its kind, the id of the tournament or ladder, and the season outside of
// tournaments. ok is false for what is no place.
func (p Place) Parts() (kind PlaceKind, id, season string, ok bool) {
	parts := strings.Split(string(p), "/")
	for _, part := range parts {
		if part == "" {
			return "", "", "", false
		}
	}
	switch kind = PlaceKind(parts[0]); {
	case kind == InTournament && len(parts) == 2:
		return kind, parts[1], "", true
	case kind == OnLadder && len(parts) == 3:
		return kind, parts[1], parts[2], true
	case kind == InChallenges && len(parts) == 2:
		return kind, "", parts[1], true
	}
	return "", "", "", false
}

// Tournament returns the id of the tournament; empty for other places.
func (p Place) Tournament() string {
	if kind, id, _, _ := p.Parts(); kind == InTournament {
		return id
	}
	return ""
}
