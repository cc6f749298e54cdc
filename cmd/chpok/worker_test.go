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
	window := wholeBrowser(t)
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

// TestTheServiceWorkerKeepsItsSubscription hands the worker's text what browsers tell it of: an address that has changed
// reaches the site, and Safari, which takes the permission back, is shown every message.
func TestTheServiceWorkerKeepsItsSubscription(t *testing.T) {
	t.Parallel()
	window := browser(t)
	server := startNode(t, storetest.SQLiteDSN(t))
	v := visit(t, window, server.base, 390, 844)
	v.open("/rules")
	text := eval[string](v, `fetch("/sw.js").then(r => r.text())`)
	run := func(agent, event string) []string {
		return eval[[]string](v, fmt.Sprintf(`(async () => {
			const did = [], heard = {}, waits = [];
			const addEventListener = (name, f) => { heard[name] = f; }, navigator = { userAgent: %q }, caches = {};
			const fetch = async (path, { body }) => did.push(path + " " + body);
			const made = (at) => ({ endpoint: at, options: "same", toJSON: () => ({ endpoint: at, keys: { p256dh: "p", auth: "a" } }) });
			const clients = { matchAll: async () => [{ visibilityState: "visible" }] };
			const registration = { showNotification: async (title) => did.push("show " + title),
				pushManager: { subscribe: async (options) => made("again-" + options) } };
			%s
			heard%s
			await Promise.all(waits);
			return did;
		})()`, agent, text, event))
	}
	const chrome, safari = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36", "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15"
	const push = `.push({ data: { json: () => ({ title: "Go" }) }, waitUntil: (p) => waits.push(p) });`
	const change = `.pushsubscriptionchange({ oldSubscription: made("old"), newSubscription: %s, waitUntil: (p) => waits.push(p) });`
	for _, c := range []struct {
		agent, event string
		want         []string
	}{
		{chrome, push, []string{}},
		{safari, push, []string{"show Go"}},
		{chrome, fmt.Sprintf(change, `made("new")`), []string{"/settings/push endpoint=new&key=p&auth=a", "/settings/push/drop endpoint=old"}},
		{chrome, fmt.Sprintf(change, "null"), []string{"/settings/push endpoint=again-same&key=p&auth=a", "/settings/push/drop endpoint=old"}},
	} {
		if did := run(c.agent, c.event); !slices.Equal(did, c.want) {
			t.Errorf("%s in %s: %q, want %q", c.event, c.agent, did, c.want)
		}
	}
}

// TestNotificationsFollowTheKeysOfTheSite: a subscription by keys that the site has no more is replaced where they are settled.
func TestNotificationsFollowTheKeysOfTheSite(t *testing.T) {
	t.Parallel()
	window, dsn := browser(t), storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	newPlayer(t, dsn, "anna", "player")
	v := visit(t, window, server.base, 390, 844)
	v.signIn(dsn, "anna")
	v.open("/settings/notices")
	asked := func(key string) []string { // of the site's own script, where the browser has subscribed by some key
		return eval[[]string](v, fmt.Sprintf(`(async () => {
			const did = [], key = Uint8Array.from(atob(%s.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0)).buffer;
			const made = (endpoint, key) => ({ endpoint, options: { applicationServerKey: key }, getKey: () => new ArrayBuffer(1),
				unsubscribe: async () => did.push("unsubscribe " + endpoint) });
			const pushManager = { getSubscription: async () => made("old", key), subscribe: async () => made("new", key) };
			Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: { ready: Promise.resolve({ pushManager }) } });
			const real = window.fetch;
			window.fetch = async (path, { body }) => { did.push(path + " " + body.get("endpoint")); return new Response(null, { status: 204 }); };
			await import(document.querySelector("script[src*='push.js']").src + "?" + Math.random());
			for (let i = 0; i < 20; i++) await new Promise(r => setTimeout(r));
			window.fetch = real;
			return did;
		})()`, key))
	}
	if did := asked(`document.getElementById("push").dataset.key`); !slices.Equal(did, []string{"/settings/push old"}) {
		t.Errorf("by the site's key: %q", did)
	}
	want := []string{"unsubscribe old", "/settings/push/drop old", "/settings/push new"}
	if did := asked(`"AAAA"`); !slices.Equal(did, want) {
		t.Errorf("by another key: %q, want %q", did, want)
	}
}
