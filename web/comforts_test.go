package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

func TestABrowserKeepsHowItsVisitorLikesToPlay(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	b, other := s.browser(lang.English), s.browser(lang.English)
	if page := b.get("/rules"); page.named("data-board", "sage") == nil || !strings.Contains(page.body, "M50 8v24M41 16h18") {
		t.Error("the usual board and pieces are not those of the page")
	}
	b.post("/preferences/play", "board", "walnut", "pieces", "letters", "sound", "off", "return", "/rules").want(http.StatusOK)
	page := b.get("/rules")
	if page.named("data-board", "walnut") == nil || page.named("data-sound", "off") == nil || strings.Contains(page.body,
		"M50 8v24M41 16h18") {
		t.Error("not as chosen")
	}
	faces := regexp.MustCompile(`(?s)<svg class="face .*?</svg>`)
	if faced := faces.FindAllString(b.get("/play").body, -1); len(faced) == 0 || !slices.Equal(faced, faces.FindAllString(other.get("/play").body, -1)) {
		t.Errorf("%d bots, whose faces are not those they have for everybody", len(faced))
	}
	if other.get("/rules").named("data-board", "walnut") != nil {
		t.Error("another visitor is given the page of this one")
	}
	b.post("/preferences/play", "board", "glass").want(http.StatusUnprocessableEntity)
	b.post("/preferences/play", "colour", "red").want(http.StatusUnprocessableEntity)
}

func TestAnAccountKeepsHowItLikesToPlay(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	here, there := c.first, c.as(c.olena, lang.English)
	here.post("/preferences/play", "zoom", "80", "confirm", "off", "confirm", "on").want(http.StatusOK)
	c.write(func(tx *store.Tx) error {
		p, err := tx.Player(c.olena.ID)
		if p.Settings.Play != "confirm=on&zoom=80" {
			t.Errorf("kept %q", p.Settings.Play)
		}
		return err
	})
	for _, path := range []string{c.url(), "/settings"} {
		page := there.get(path).want(http.StatusOK)
		if page.named("data-zoom", "80") == nil {
			t.Errorf("%s is not as chosen in another browser", path)
		}
		for _, x := range player.Comforts {
			if control := page.named("name", x.Name); control == nil {
				t.Errorf("%s has no control of %s", path, x.Name)
			}
		}
	}
	// What else the settings page saves takes nothing of it away.
	there.post("/settings", "lang", "en", "theme", "dark", "zone", "").want(http.StatusOK)
	if page := here.get("/rules"); page.named("data-zoom", "80") == nil || page.named("data-theme", "dark") == nil {
		t.Error("saving the appearance has changed how one plays")
	}
}

func TestEveryPieceSetIsWholeAndSaysItsLicense(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	b := s.browser(lang.English)
	static, _ := attr(b.get("/rules").named("data-board", "sage").LastChild, "data-static")
	for _, set := range []string{"carved", "plain", "letters"} {
		file := b.get(static + "/img/pieces/" + set + ".svg").want(http.StatusOK)
		if file.header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(file.body, "SPDX-License-Identifier: AGPL-3.0-or-later") {
			t.Errorf("%s: %s", set, file.header.Get("Content-Type"))
		}
		for _, letter := range "KQRBNDP" {
			if strings.Count(file.body, `<symbol id="pc-`+string(letter)+`"`) != 1 {
				t.Errorf("%s has no %c", set, letter)
			}
		}
	}
	b.get(static + "/img/pieces/glass.svg").want(http.StatusNotFound)
}
