package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"chpok.org/chpok/store/storetest"
)

// TestTheServiceWorkerShowsWhatIsPushedWhereNoPageSaysIt hands messages to the site's own worker in a browser, as a push
// service would: it is silent while a page is in view, and shows what comes when there is none.
func TestTheServiceWorkerShowsWhatIsPushedWhereNoPageSaysIt(t *testing.T) {
	t.Parallel()
	window := browser(t)
	server := startNode(t, storetest.SQLiteDSN(t))
	v := visit(t, window, server.base, 390, 844)
	_, err := chromedp.CallBrowser(v.ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
		Permission: &cdpbrowser.PermissionDescriptor{Name: "notifications"}, Setting: "granted", Origin: server.base,
		BrowserContextID: chromedp.FromContext(v.ctx).BrowserContextID,
	})
	if err == nil {
		_, err = chromedp.Call(v.ctx, serviceworker.Enable, cdp.Empty{})
	}
	if err != nil {
		t.Fatal(err)
	}
	push := func(title string) {
		data, _ := json.Marshal(map[string]string{"title": title, "body": "Go", "url": "/play", "tag": title})
		_, err := chromedp.Call(v.ctx, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{
			Origin: server.base, RegistrationID: "0", Data: string(data), // the only one of this window
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	shown := func() []string {
		return eval[[]string](v, `navigator.serviceWorker.ready.then(r => r.getNotifications())
			.then(all => all.map(n => [n.title, n.body, n.data].join(" ")))`)
	}
	v.open("/rules")
	eval[bool](v, `navigator.serviceWorker.ready.then(() => true)`)
	push("seen")
	v.do("leave", chromedp.Navigate("about:blank"))
	push("missed")
	v.open("/rules")
	await(t, "what was missed", func() bool { return slices.Equal(shown(), []string{"missed Go /play"}) })
}

// TestANotificationLeadsToThePageItMeans: to the one that is open, else to a new one; other pages stay where they are.
func TestANotificationLeadsToThePageItMeans(t *testing.T) {
	t.Parallel()
	window := browser(t)
	server := startNode(t, storetest.SQLiteDSN(t))
	v := visit(t, window, server.base, 390, 844)
	v.open("/rules")
	text := eval[string](v, `fetch("/sw.js").then(r => r.text())`)
	click := func(open string) []string {
		return eval[[]string](v, fmt.Sprintf(`(async () => {
			const did = [], heard = {}, waits = [];
			const addEventListener = (name, f) => { heard[name] = f; };
			const registration = {}, caches = {};
			const clients = {
				matchAll: async ({ includeUncontrolled }) => includeUncontrolled ? %s.map(path => ({ url: location.origin + path, focus: async () => did.push("focus " + path) })) : [],
				openWindow: async (url) => did.push("open " + url.replace(location.origin, "")),
			};
			%s
			heard.notificationclick({ notification: { data: "/matches/7", close: () => did.push("close") }, waitUntil: (p) => waits.push(p) });
			await Promise.all(waits);
			return did;
		})()`, open, text))
	}
	for open, want := range map[string][]string{
		`["/rules", "/matches/7"]`: {"close", "focus /matches/7"},
		`["/matches/8"]`:           {"close", "open /matches/7"},
		`[]`:                       {"close", "open /matches/7"},
	} {
		if did := click(open); !slices.Equal(did, want) {
			t.Errorf("with %s: %q, want %q", open, did, want)
		}
	}
}
