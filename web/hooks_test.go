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
	"chpok.org/chpok/tournament/ladder"
)

func TestStaffDecideWhichProgramsAreTold(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	id := n.evening(n.viewer("Olena").Player, n.player("danylo"))
	owner := n.player("Olena").ID
	stairs := ladder.DefaultSettings()
	stairs.Name = "Stairs"
	l, err := ladder.New("stairs", owner, stairs, n.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	n.write(func(tx *store.Tx) error { return tx.AddClub(club.New("dragons", "Dragons", "", owner, n.clock.Now())) })
	n.write(func(tx *store.Tx) error { return tx.AddLadder(l) })
	n.host.get("/ladders/stairs").says("/ladders/stairs/webhooks")
	n.as(n.player("danylo"), lang.English).get("/ladders/stairs").saysNot("/webhooks")
	for _, at := range []string{"/tournaments/" + string(id), "/clubs/dragons", "/ladders/stairs"} {
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
			page := other.post(at+"/webhooks", "do", "drop", "hook", h.ID)
			if page.status == http.StatusOK && !strings.Contains(page.body, "sign-in") {
				t.Errorf("%s: dropped by others: %d", at, page.status)
			}
		}
		n.host.post(at+"/webhooks", "do", "drop", "hook", hooks[1].ID).want(http.StatusOK)
		for _, wrong := range [][]string{{"do", "drop", "hook", "none"}, {"do", "again", "hook", h.ID, "message", "none"}} {
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

func TestProgramsDecideWhichProgramsAreTold(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	id := string(n.evening(n.viewer("Olena").Player, n.player("danylo")))
	host, other := n.program(n.player("Olena")), n.program(n.player("danylo"))
	type told struct {
		ID, Type string
		Tries    int
		Due      *string
	}
	var hook struct {
		ID, URL, Secret string
		Rotated         *string
		Messages        []told
	}
	host.ask("POST", "/webhooks", `{"of":"tournament","id":"`+id+`","url":"https://example.org/chpok"}`, http.StatusCreated, &hook)
	at, secret := "/webhooks/"+hook.ID, hook.Secret
	host.ask("POST", at, `{"do":"try"}`, http.StatusOK, &hook)
	if len(hook.Messages) != 1 || hook.Messages[0].Type != "trial" || hook.Messages[0].Due == nil || hook.Rotated != nil {
		t.Errorf("after a trial: %+v", hook)
	}
	host.ask("POST", at, `{"do":"again","message":"`+hook.Messages[0].ID+`"}`, http.StatusOK, &hook)
	host.ask("POST", at, `{"do":"again","message":"msg_none"}`, http.StatusNotFound, nil)
	host.tells("POST", at, `{"do":"again"}`, http.StatusBadRequest, `"field":"message"`)
	host.ask("POST", at, `{"do":"rotate"}`, http.StatusOK, &hook)
	if hook.Secret == secret || hook.Rotated == nil {
		t.Errorf("after a new secret: %+v", hook)
	}
	wrong := `{"of":"tournament","id":"` + id + `","url":"ftp://example.org"}`
	if code := host.refused("/webhooks", wrong, http.StatusUnprocessableEntity); code != "url" {
		t.Errorf("a wrong address: %s", code)
	}
	host.ask("POST", "/webhooks", `{"of":"ladder","id":"none","url":"https://example.org"}`, http.StatusNotFound, nil)
	other.ask("GET", "/webhooks?of=tournament&id="+id, "", http.StatusForbidden, nil)
	other.ask("POST", at, `{"do":"try"}`, http.StatusForbidden, nil)
	other.ask("DELETE", at, "", http.StatusForbidden, nil)
	host.ask("DELETE", at, "", http.StatusNoContent, nil)
	var list struct{ Hooks []any }
	host.ask("GET", "/webhooks?of=tournament&id="+id, "", http.StatusOK, &list)
	if len(list.Hooks) != 0 {
		t.Errorf("after removing it: %+v", list)
	}
}
