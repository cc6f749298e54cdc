package web_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

func TestAnExportHoldsEverySectionTwiceAndNoSecret(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena, taras := s.account("Olena", player.Plain), s.account("Taras", player.Plain)
	b := s.as(olena, lang.English)
	b.post("/settings/profile", with(openProfile, "about", "=1+1")...)
	b.post("/settings/blocks", "player", string(taras.Handle))
	s.paired(olena, "1")
	if file := b.get("/settings/data/export.zip"); file.status != http.StatusOK || file.header.Get("Content-Type") != "application/zip" {
		t.Fatalf("%d %s", file.status, file.header.Get("Content-Type"))
	}
	files := b.exported()
	for _, section := range store.ExportSections {
		var rows []map[string]any
		if err := json.Unmarshal([]byte(files[section.Name+".json"]), &rows); err != nil {
			t.Errorf("%s.json: %v", section.Name, err)
		}
		if !strings.HasPrefix(files[section.Name+".csv"], "\ufeff") {
			t.Errorf("%s.csv has no mark", section.Name)
		}
		lines, err := csv.NewReader(strings.NewReader(files[section.Name+".csv"])).ReadAll()
		if err != nil || len(lines) != len(rows)+1 {
			t.Errorf("%s.csv: %d lines for %d rows, %v", section.Name, len(lines), len(rows), err)
		}
	}
	if !strings.Contains(files["profile.json"], `"about": "=1+1"`) || !strings.Contains(files["profile.csv"], "'=1+1") {
		t.Error("a formula comes into a spreadsheet")
	}
	if !strings.Contains(files["account.json"], `"created_at": "2026-11-21T12:00:00Z"`) || !strings.Contains(files["blocked.csv"], "Taras") || !strings.Contains(files["notices.json"], "round-paired") {
		t.Errorf("%s\n%s", files["account.json"], files["blocked.csv"])
	}
	if page := s.browser(lang.English).get("/settings/data/export.zip"); page.status == http.StatusOK && page.header.Get("Content-Type") == "application/zip" {
		t.Error("visitors get an export")
	}
}

func TestWhoSignsInWithinTheGraceKeepsTheAccount(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	if page := b.post("/settings/data/erase", "password", "wrong"); page.status != http.StatusUnprocessableEntity || len(page.find("alert")) != 1 {
		t.Errorf("a wrong password: %d", page.status)
	}
	if page := b.post("/settings/data/erase", "password", password); page.status != http.StatusOK || !strings.Contains(page.body, "will be erased in a week") {
		t.Fatalf("%d", page.status)
	}
	if page := b.get("/settings/data"); !strings.HasPrefix(page.path, "/sign-in") {
		t.Error("she is still signed in")
	}
	s.clock.advance(6 * 24 * time.Hour)
	b.post("/sign-in", "handle", "Olena", "password", password)
	if page := b.get("/settings/data"); page.status != http.StatusOK || strings.Contains(page.body, "will be erased: ") {
		t.Errorf("%d", page.status)
	}
	var asked bool
	s.write(func(tx *store.Tx) (err error) {
		_, asked, err = tx.ErasureDue(olena.ID)
		return err
	})
	if asked {
		t.Error("not cancelled")
	}
}

func TestAnErasureTellsWhenPasswordsWereTriedTooOften(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.as(s.account("Olena", player.Plain), lang.English)
	for range 10 {
		b.post("/settings/data/erase", "password", "wrong").want(http.StatusUnprocessableEntity)
	}
	b.post("/settings/data/erase", "password", password).want(http.StatusTooManyRequests).wants("alert", "Too many")
}
