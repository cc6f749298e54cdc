package templates

import "strings"

// Part is an entry of the navigation.
type Part struct {
	URL, Key string // where it leads, and the key of its name
	Icon     string
	Current  bool
}

var (
	partHome      = Part{URL: "/", Key: "core.nav.home", Icon: "home"}
	partPlay      = Part{URL: "/play", Key: "core.nav.play", Icon: "play"}
	partWatch     = Part{URL: "/tv", Key: "core.nav.watch", Icon: "watch"}
	partEvents    = Part{URL: "/tournaments", Key: "core.nav.events", Icon: "events"}
	partCommunity = Part{URL: "/clubs", Key: "core.nav.community", Icon: "community"}
	partLearn     = Part{URL: "/learn", Key: "core.nav.learn", Icon: "learn"}
)

// partOf says under which entry of the navigation a section stands.
var partOf = map[string]string{
	"home": "core.nav.home", "play": "core.nav.play", "watch": "core.nav.watch",
	"tournaments": "core.nav.events", "ladders": "core.nav.events",
	"clubs": "core.nav.community", "players": "core.nav.community",
	"rules": "core.nav.learn", "learn": "core.nav.learn", "me": "core.nav.me-short",
}

// lists are the pages that share an entry of the navigation.
var lists = [][]Part{
	{{URL: "/tournaments", Key: "core.nav.tournaments"}, {URL: "/ladders", Key: "core.nav.ladders"}},
	{{URL: "/clubs", Key: "core.nav.clubs"}, {URL: "/players", Key: "core.nav.players"}},
}

// Parts are the entries of the navigation.
func (s Shell) Parts() []Part {
	return s.marked(partPlay, partWatch, partEvents, partCommunity, partLearn)
}

// Bar are the entries of a phone's navigation.
func (s Shell) Bar() []Part {
	if s.Viewer.Handle == "" || s.Viewer.Guest {
		return s.marked(partHome, partWatch, partPlay, partEvents, partLearn)
	}
	return s.marked(partHome, partWatch, partPlay, partEvents, Part{URL: s.Viewer.URL, Key: "core.nav.me-short", Icon: "me"})
}

func (s Shell) marked(parts ...Part) []Part {
	for i, p := range parts {
		parts[i].Current = partOf[s.Section] == p.Key
	}
	return parts
}

// Siblings are the lists beside this page, when it is one of several; nothing on every other page.
func (s Shell) Siblings() []Part {
	path, _, _ := strings.Cut(s.Path, "?")
	for _, group := range lists {
		for i, p := range group {
			if p.URL != path {
				continue
			}
			marked := append([]Part(nil), group...)
			marked[i].Current = true
			return marked
		}
	}
	return nil
}
