package web

import (
	"strings"

	"chpok.org/chpok/player"
)

// TournamentPosts are the addresses below a tournament that change something.
func TournamentPosts() []string {
	var list []string
	for _, r := range (&Server{}).siteMap() {
		if r.method != get && strings.HasPrefix(r.path, "/tournaments/:id") {
			list = append(list, strings.TrimPrefix(r.path, "/tournaments/:id"))
		}
	}
	return list
}

// OpenToGuests are the addresses that change something and that a guest may ask,
// but an account may, too.
func OpenToGuests() []string {
	guest := player.Viewer{Player: player.Player{ID: "guest", Role: player.Plain, Guest: true}}
	var list []string
	for _, r := range (&Server{}).siteMap() {
		if r.method != get && r.may(guest) {
			list = append(list, r.method+" "+r.path)
		}
	}
	return list
}
