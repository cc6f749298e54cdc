package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

func TestStaffDecideWhichProgramsAreTold(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	id := n.evening(n.viewer("Olena").Player, n.player("danylo"))
	owner := n.player("Olena").ID
	n.write(func(tx *store.Tx) error { return tx.AddClub(club.New("dragons", "Dragons", "", owner, n.clock.Now())) })
	for _, at := range []string{"/tournaments/" + string(id), "/clubs/dragons"} {
		page := n.host.post(at+"/webhooks", "do", "add", "url", "ftp://example.org/x")
		if page.status != http.StatusUnprocessableEntity || !strings.Contains(page.body, `value="ftp://example.org/x"`) {
			t.Errorf("%s: a wrong address: %d", at, page.status)
		}
		for range notice.MaxHooks {
			n.host.post(at+"/webhooks", "do", "add", "url", "https://example.org/chpok").want(http.StatusOK)
		}
		if page := n.host.post(at+"/webhooks", "do", "add", "url", "https://example.org/more"); page.status != http.StatusConflict {
			t.Errorf("%s: one too many: %d", at, page.status)
		}
		kind, of, _ := strings.Cut(strings.TrimPrefix(at, "/"), "/")
		topic := notice.TopicOf(strings.TrimSuffix(kind, "s"), of)
		var hooks []notice.Hook
		n.write(func(tx *store.Tx) (err error) {
			hooks, err = tx.Hooks(topic)
			return err
		})
		if len(hooks) != notice.MaxHooks {
			t.Fatalf("%d hooks of %s", len(hooks), topic)
		}
		h := hooks[0]
		page = n.host.get(at + "/webhooks").says(h.Secret)
		if len(regexp.MustCompile(`whsec_`).FindAllString(page.body, -1)) != notice.MaxHooks {
			t.Errorf("%s: not every secret is shown", at)
		}
		n.host.post(at+"/webhooks", "do", "try", "hook", h.ID).want(http.StatusOK).says("trial").says("on its way")
		n.host.post(at+"/webhooks", "do", "rotate", "hook", h.ID).want(http.StatusOK).saysNot(h.Secret)
		for _, other := range []*browser{n.as(n.player("danylo"), lang.English), n.browser(lang.English)} {
			if page := other.get(at + "/webhooks"); page.status == http.StatusOK && strings.Contains(page.body, "whsec_") {
				t.Errorf("%s is shown to others", at)
			}
			if page := other.post(at+"/webhooks", "do", "drop", "hook", h.ID); page.status == http.StatusOK && !strings.Contains(page.body, "sign-in") {
				t.Errorf("%s: dropped by others: %d", at, page.status)
			}
		}
		n.host.post(at+"/webhooks", "do", "drop", "hook", hooks[1].ID).want(http.StatusOK)
		for _, wrong := range [][]string{{"do", "drop", "hook", "none"}, {"do", "again", "hook", h.ID, "topic", "x", "seq", "9"}} {
			if page := n.host.post(at+"/webhooks", wrong...); page.status != http.StatusNotFound {
				t.Errorf("%s: %v: %d", at, wrong, page.status)
			}
		}
		if page := n.host.post(at+"/webhooks", "do", "dance", "hook", h.ID); page.status != http.StatusBadRequest {
			t.Errorf("%s: an act that there is not: %d", at, page.status)
		}
		n.write(func(tx *store.Tx) (err error) {
			hooks, err = tx.Hooks(topic)
			return err
		})
		if len(hooks) != notice.MaxHooks-1 || hooks[0].ID != h.ID {
			t.Errorf("%s: %d hooks are left", at, len(hooks))
		}
	}
}
