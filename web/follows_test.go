package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
)

func TestOneFollowsAndUnfollowsWithOneTap(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna, visitor := n.as(n.players["anna"], lang.English), n.browser(lang.English)
	anna.get("/following").want(http.StatusOK).wants("link", "Find players").wants("link", "Find clubs")
	visitor.get("/players/clara").want(http.StatusOK).wantsNo("button", "Follow")
	anna.get("/players/anna").want(http.StatusOK).wantsNo("button", "Follow")
	club := n.host.post("/clubs", "name", "Dragons", "joining", "open").want(http.StatusOK).path

	anna.get("/players/clara").wants("button", "Follow").wantsNo("button", "Unfollow")
	anna.post("/players/clara/follow").want(http.StatusOK).wants("button", "Unfollow")
	anna.get(club).wants("button", "Follow")
	anna.post(club+"/follow").want(http.StatusOK).wants("button", "Unfollow")

	// clara enters, and plays in round 1, in which the first of three rests: that one's tournament and match are what she finds.
	path := n.create("name", "Friday cup")
	for _, handle := range []string{"borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	feed := anna.get("/following").want(http.StatusOK).wants("link", "Friday cup").wants("link", "clara").wants("link", "Dragons")
	if !strings.Contains(feed.body, "with clara") || !strings.Contains(feed.body, "Nobody you follow is playing right now.") {
		t.Error("the page does not say who plays in it")
	}
	next := anna.hear("/following/feed", "swap")
	if said := next(); !strings.Contains(said, "Nobody you follow is playing right now.") {
		t.Errorf("before the start the open page hears %q", said)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	if said := next(); !strings.Contains(said, "clara") {
		t.Errorf("when a friend begins the open page hears %q", said)
	}
	anna.get("/following").want(http.StatusOK).wants("link", "clara")
	anna.get("/").want(http.StatusOK).wants("heading", "Friends playing now")
	if body := anna.get("/players/clara").want(http.StatusOK).body; strings.Contains(body, "your turn") {
		t.Error("a friend's turn is called hers")
	}
	n.as(n.players["danylo"], lang.English).get("/").want(http.StatusOK).wantsNo("heading", "Friends playing now")

	anna.post("/players/clara/unfollow", "back", "/following").want(http.StatusOK).wantsNo("link", "clara")
	anna.post(club+"/unfollow").want(http.StatusOK).wants("button", "Follow")
	if page := anna.get("/following"); !strings.Contains(page.body, "You’re not following anyone yet") {
		t.Error("she still follows somebody")
	}

	// Who does not want it cannot be followed, and settings say so.
	clara := n.as(n.players["clara"], lang.English)
	clara.post("/settings/profile", append(openProfile, "may-follow", "nobody")...).want(http.StatusOK)
	anna.get("/players/clara").want(http.StatusOK).wantsNo("button", "Follow")
	anna.post("/players/clara/follow").want(http.StatusForbidden)
}
