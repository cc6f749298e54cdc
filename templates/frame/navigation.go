package frame

import (
	"slices"
	"strings"

	"chpok.org/chpok/templates"
)

// part is an entry of the navigation.
type part struct {
	URL, Key string // where it leads, and the key of its name
	Icon     string
	Current  bool
}

var (
	partHome      = part{URL: "/", Key: "core.nav.home", Icon: "home"}
	partPlay      = part{URL: "/play", Key: "core.nav.play", Icon: "play"}
	partWatch     = part{URL: "/tv", Key: "core.nav.watch", Icon: "watch"}
	partEvents    = part{URL: "/tournaments", Key: "core.nav.events", Icon: "events"}
	partCommunity = part{URL: "/clubs", Key: "core.nav.community", Icon: "community"}
	partLearn     = part{URL: "/learn", Key: "core.nav.learn", Icon: "learn"}
)

// partOf says under which entry of the navigation a section stands.
var partOf = map[string]string{
	"home": "core.nav.home", "play": "core.nav.play", "watch": "core.nav.watch",
	"tournaments": "core.nav.events", "ladders": "core.nav.events", "leagues": "core.nav.events",
	"clubs": "core.nav.community", "players": "core.nav.community",
	"rules": "core.nav.learn", "learn": "core.nav.learn",
}

// lists are the pages that share an entry of the navigation.
var lists = [][]part{
	{{URL: "/tournaments", Key: "core.nav.tournaments"}, {URL: "/ladders", Key: "core.nav.ladders"}, {URL: "/leagues", Key: "core.nav.leagues"}},
	{{URL: "/clubs", Key: "core.nav.clubs"}, {URL: "/players", Key: "core.nav.players"}, {URL: "/ratings", Key: "player.ratings"}},
}

// parts are the entries of the navigation.
func parts(s templates.Shell) []part {
	return marked(s, partPlay, partWatch, partEvents, partCommunity, partLearn)
}

// bar are the entries of a phone's navigation; one's own page stands in the menu above.
func bar(s templates.Shell) []part {
	return marked(s, partHome, partWatch, partPlay, partEvents, partLearn)
}

func marked(s templates.Shell, parts ...part) []part {
	for i, p := range parts {
		parts[i].Current = partOf[s.Section] == p.Key
	}
	return parts
}

// siblingsOf are the lists beside this page, when it is one of several; nothing on every other page.
func siblingsOf(s templates.Shell) []part {
	path, _, _ := strings.Cut(s.Path, "?")
	for _, group := range lists {
		for i, p := range group {
			if p.URL != path {
				continue
			}
			here := slices.Clone(group)
			here[i].Current = true
			return here
		}
	}
	return nil
}
