package web

import "strings"

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
