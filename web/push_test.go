package web_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// someKey is the public key of a browser: the base point of P-256, uncompressed.
const someKey = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"

func TestABrowserSignsUpForNotificationsUntilItsSessionEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	page := b.get("/settings/notices").want(http.StatusOK)
	if key, _ := attr(page.named("id", "push"), "data-key"); len(key) != 87 {
		t.Errorf("the site's key is %q", key)
	}
	auth := base64.RawURLEncoding.EncodeToString(make([]byte, 16))
	for _, wrong := range [][3]string{
		{"http://push.example/1", someKey, auth}, {"https://push.example/1", "AAAA", auth}, {"https://push.example/1", someKey, "AAAA"},
		{"", someKey, auth},
	} {
		b.post("/settings/push", "endpoint", wrong[0], "key", wrong[1], "auth", wrong[2]).want(http.StatusUnprocessableEntity)
	}
	devices := func() (n int) {
		s.write(func(tx *store.Tx) error {
			return tx.Export(olena.ID, func(x store.ExportTable) error {
				if x.Name == "push_devices" {
					n = len(x.Rows)
				}
				return nil
			})
		})
		return n
	}
	sign := func() {
		b.post("/settings/push", "endpoint", "https://push.example/1", "key", someKey, "auth", auth).want(http.StatusNoContent)
	}
	sign()
	sign()
	if devices() != 1 {
		t.Errorf("%d devices", devices())
	}
	b.post("/settings/push/drop", "endpoint", "https://push.example/1").want(http.StatusNoContent)
	if devices() != 0 {
		t.Error("not dropped")
	}
	sign()
	b.post("/sign-out")
	if devices() != 0 {
		t.Error("pushed to after signing out")
	}
	s.browser(lang.English).post("/settings/push", "endpoint", "https://push.example/1", "key", someKey, "auth", auth)
	if devices() != 0 {
		t.Error("a visitor has signed up for somebody")
	}
}

func TestTheSiteIsAnAppThatCanBeInstalled(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	b := s.browser(lang.Ukrainian)
	if !strings.Contains(b.get("/rules").body, `rel="manifest" href="/manifest.webmanifest"`) {
		t.Error("pages do not name the manifest")
	}
	answer := b.get("/manifest.webmanifest").want(http.StatusOK)
	var manifest struct {
		StartURL string `json:"start_url"`
		Display  string
		Icons    []struct{ Src, Sizes, Type, Purpose string }
	}
	if err := json.Unmarshal([]byte(answer.body), &manifest); err != nil || manifest.StartURL != "/" || manifest.Display != "standalone" ||
		len(manifest.Icons) != 3 {
		t.Errorf("%v: %s", err, answer.body)
	}
	for _, icon := range manifest.Icons {
		if b.get(icon.Src).want(http.StatusOK).header.Get("Content-Type") != icon.Type {
			t.Errorf("%s is no %s", icon.Src, icon.Type)
		}
	}
	worker := b.get("/sw.js").want(http.StatusOK)
	if !strings.Contains(worker.header.Get("Content-Type"), "javascript") || !strings.Contains(worker.body, `const files = "/static/`) {
		t.Error("no service worker")
	}
	// The page without a connection is nobody's, in the language that is asked for.
	signed := s.as(s.account("Olena", player.Plain), lang.Ukrainian).get("/offline?lang=en").want(http.StatusOK)
	if signed.wants("heading", "No connection"); strings.Contains(signed.body, "Olena") {
		t.Error("a browser would keep whose it was")
	}
}
