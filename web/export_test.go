package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
)

// TournamentPosts are the addresses below a tournament that change something.
func TournamentPosts() []string {
	var list []string
	for _, r := range (&Server{}).siteMap() {
		if r.Method != http.MethodGet && strings.HasPrefix(r.Path, "/tournaments/:id") {
			list = append(list, strings.TrimPrefix(r.Path, "/tournaments/:id"))
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
		if r.Method != http.MethodGet && r.May(guest) {
			list = append(list, r.Method+" "+r.Path)
		}
	}
	return list
}

// Pages are the addresses that can be looked at.
func Pages() []string {
	var list []string
	for _, r := range (&Server{}).siteMap() {
		if r.Method == http.MethodGet {
			list = append(list, r.Path)
		}
	}
	return list
}

// AllRoutes are the methods and patterns of all addresses.
func AllRoutes() [][2]string {
	var list [][2]string
	for _, r := range (&Server{}).siteMap() {
		list = append(list, [2]string{r.Method, r.Path})
	}
	return list
}

// Route adds an address of a test's own.
func (s *Server) Route(path string, h echo.HandlerFunc) { s.echo.GET(path, h) }
