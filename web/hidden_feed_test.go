package web_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
)

// TestTheFeedOfAHiddenTournamentEnds for who watched it: what comes after is for
// staff.
func TestTheFeedOfAHiddenTournamentEnds(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, n.http.URL+path+"/feed", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := n.browser(lang.English).client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	swaps := 0
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "event: swap") {
			continue
		}
		if swaps++; swaps > 1 {
			t.Fatal("a hidden tournament is told of")
		}
		n.host.post(path+"/life/hide", "reason", "too early").want(http.StatusOK)
	}
	if swaps != 1 {
		t.Errorf("told of %d times before", swaps)
	}
}
