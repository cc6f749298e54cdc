package web

import (
	"strings"

	"chpok.org/chpok/templates/lang"
)

// device names a browser by what it says of itself, as far as that helps its
// owner to know it again: "Firefox, Linux".
func device(p lang.Printer, agent string) string {
	browser := firstOf(agent, "Edg/", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari")
	system := firstOf(agent, "Android", "Android", "iPhone", "iPhone", "iPad", "iPad", "Windows", "Windows", "Mac OS", "macOS", "Linux", "Linux")
	switch {
	case browser == "" && system == "":
		return p.T("settings.device-unknown")
	case browser == "" || system == "":
		return browser + system
	}
	return browser + ", " + system
}

// firstOf is the name after the first mark that a text contains; marks and
// names take turns.
func firstOf(text string, pairs ...string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if strings.Contains(text, pairs[i]) {
			return pairs[i+1]
		}
	}
	return ""
}
