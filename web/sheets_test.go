package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// TestTablesOnPagesAreThereAsCSV follows the link below each table that an operation lists, as whoever sees the page.
func TestTablesOnPagesAreThereAsCSV(t *testing.T) {
	t.Parallel()
	s := newLadder(t)
	s.write(func(tx *store.Tx) error {
		return tx.AddClub(club.New("dragons", "Dragons", "", s.host.ID, s.clock.Now()))
	})
	link := regexp.MustCompile(`href="(/api/[^"]*csv=[^"]*)"`)
	host := s.as(s.host, lang.English)
	for path, of := range map[string][]string{s.url: {"ana", "bob", "cyn"}, "/clubs/dragons/people": {"Olena"}} {
		shown := host.get(path).want(http.StatusOK).wants("link", "Download (CSV)")
		found := link.FindStringSubmatch(shown.body)
		if found == nil {
			t.Fatal(path, "has no such link")
		}
		sheet := host.get(found[1]).want(http.StatusOK)
		lines := strings.Split(strings.TrimSpace(sheet.body), "\n")
		if len(lines) != 1+len(of) {
			t.Errorf("%s: %d lines in\n%s", found[1], len(lines), sheet.body)
		}
		for i, who := range of {
			if i+1 < len(lines) && !strings.Contains(lines[i+1], who) {
				t.Errorf("%s: %q, want %s", found[1], lines[i+1], who)
			}
		}
	}
}
