package web_test

import (
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chpok.org/chpok/player"
)

// askedInVain are operations whose example cannot be right on this site, with what keeps it.
var askedInVain = map[string]string{
	"/import/bundle":         "a bundle is too long for an example",
	"/particulars":           "the entry has an account, whose name only its owner changes",
	"/born":                  "no prize of the event asks for a year of birth",
	"/allowed":               "nobody is forbidden to meet",
	"/invitation":            "not even an operator answers for a club",
	"/attestations/issuers/": "the club of the example does not vouch here",
	"/site/telegram":         "Telegram knows no bot with the token of the example, and this site does not reach it",
	"/fair-play/text":        "the hash is that of the text, which is to be read before",
}

// typed is the text of an element as somebody copies it.
func typed(of *html.Node) (out string) {
	for e := range of.Descendants() {
		if e.Type == html.TextNode {
			out += e.Data
		}
	}
	return out
}

// TestTheCommandsOfTheAPIPageRunAsTheyStand gives each to a shell, with a token in its environment as the page says. What
// they name may not be there (404), or not in that state (409); nothing is asked wrongly, and all that everybody reads of
// this site is answered.
func TestTheCommandsOfTheAPIPageRunAsTheyStand(t *testing.T) {
	t.Parallel()
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("no curl here")
	}
	n := newClubNight(t)
	n.played()
	token := string(n.program(n.account("Boss", player.Operator)).token)
	var commands []string
	for e := range n.browser("en").get("/api").want(http.StatusOK).root.Descendants() {
		if command := typed(e); e.Type == html.ElementNode && e.Data == "code" && strings.HasPrefix(command, "curl ") {
			commands = append(commands, command)
		}
	}
	if len(commands) < 150 {
		t.Errorf("only %d commands", len(commands))
	}
	answered := 0
	for _, command := range commands {
		n.clock.advance(1 << 36) // a minute: they are not a flood
		sh := exec.CommandContext(t.Context(), "sh", "-c", `curl() { "$CURL" -s -m 5 -w '\n%{http_code}' "$@"; }; `+command)
		sh.Env = append(os.Environ(), "CHPOK_TOKEN="+token, "CURL="+curl)
		out, err := sh.Output()
		body, status := string(out), string(out[max(0, len(out)-3):])
		isStream := strings.HasPrefix(status, "200") && err != nil // it goes on until it is hung up
		switch {
		case err != nil && !isStream:
			t.Errorf("%s\n%v %s", command, err, status)
		case strings.HasPrefix(status, "2"):
			answered++
		case slices.ContainsFunc(slices.Collect(maps.Keys(askedInVain)), func(at string) bool { return strings.Contains(command, at) }):
			if !strings.HasPrefix(status, "4") {
				t.Errorf("%s\n%.300s", command, body)
			}
		case !slices.Contains([]string{"302", "303", "304", "404", "409"}, status):
			t.Errorf("%s\n%.300s", command, body)
		}
	}
	t.Logf("%d of %d commands found what they ask for", answered, len(commands))
}
