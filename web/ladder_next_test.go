package web_test

import (
	"net/http"
	"testing"

	"chpok.org/chpok/templates/lang"
)

// ana, bob and cyn stand in this order, and each reaches one place up.
func TestALadderLeadsWithTheBestChallengeOpenToTheViewer(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	cyn := s.browserOf("cyn")
	cyn.get(s.url).want(http.StatusOK).wants("heading", "Beat bob for place 2").wants("button", "Challenge bob")
	s.browserOf("ana").get(s.url).want(http.StatusOK).wantsNo("heading", "Beat")
	s.browser(lang.English).get(s.url).want(http.StatusOK).wantsNo("heading", "Beat")
	cyn.post(s.url+"/challenges", "player", "bob").want(http.StatusOK)
	s.browserOf("bob").get("/").want(http.StatusOK).wants("heading", "cyn challenges you on the ladder").wants("link", "Answer")
	cyn.get("/").want(http.StatusOK).wants("heading", "Ready for your first match?")
	for _, handle := range []string{"cyn", "bob"} {
		s.browserOf(handle).get(s.url).want(http.StatusOK).wantsNo("heading", "Beat").wants("link", "Open the challenge")
	}
}
