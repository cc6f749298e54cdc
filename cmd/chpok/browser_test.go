package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"chpok.org/chpok/store/storetest"
)

// chromium is the path of the first of these browsers, or "".
func chromium(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// whole are browsers with everything, shells those without windows of their own,
// which ask for two thirds of the work; they show no notifications.
var (
	whole  = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	shells = []string{"chromium-headless-shell", "chrome-headless-shell"}
)

// visitor is one person at one browser: cookies of their own, shared with nobody.
type visitor struct {
	t    *testing.T
	ctx  context.Context
	base string
	worn look // what they last looked at a page in (gallery)

	mu     sync.Mutex
	errors []string
	refuse []int // the statuses with which the site is meant to refuse
	styled bool  // the test writes styles into the page, which our policy refuses
}

// browser is Chromium, one process for all tests: each visitor has a profile of their own.
func browser(t *testing.T) context.Context {
	t.Helper()
	return sharedBrowser(t, oneBrowser)
}

// lookingBrowser is another one, for stories that walk many pages and seldom press: it
// draws them in the thread that lays them out. A thread of its own draws frames that
// nobody looks at, for a quarter of the browser's time, but drags and taps need it.
func lookingBrowser(t *testing.T) context.Context {
	t.Helper()
	if os.Getenv("CHPOK_SHOTS") != "" {
		return browser(t) // a browser that draws nothing by itself takes no pictures
	}
	return sharedBrowser(t, oneLooking)
}

func sharedBrowser(t *testing.T, one func() (context.Context, error)) context.Context {
	t.Helper()
	if chromium(slices.Concat(shells, whole)...) == "" {
		storetest.Missing(t, "Chromium")
	}
	ctx, err := one()
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

var (
	oneBrowser = startOnce()
	oneLooking = startOnce("disable-threaded-compositing")
)

func startOnce(flags ...string) func() (context.Context, error) {
	return sync.OnceValues(func() (context.Context, error) {
		ctx, stop, err := startBrowser(chromium(slices.Concat(shells, whole)...), flags...)
		if err == nil {
			stopping.Lock()
			defer stopping.Unlock()
			stops = append(stops, stop)
		}
		return ctx, err
	})
}

// stops end the browsers that were started for all.
var (
	stopping sync.Mutex
	stops    []func()
)

func stopBrowsers() {
	for _, stop := range stops {
		stop()
	}
}

// wholeBrowser is a Chromium with everything, for this test alone.
func wholeBrowser(t *testing.T) context.Context {
	t.Helper()
	path := chromium(whole...)
	if path == "" {
		storetest.Missing(t, "Chromium")
	}
	ctx, stop, err := startBrowser(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return ctx
}

func startBrowser(path string, flags ...string) (context.Context, func(), error) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-gpu-compositing", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("accept-lang", "en-US"),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("force-prefers-reduced-motion", true), chromedp.Flag("no-first-run", true))
	for _, flag := range flags {
		opts = append(opts, chromedp.Flag(flag, true))
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(alloc)
	end := func() { cancel(); stop() }
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, fmt.Errorf("start Chromium: %w", err)
	}
	return ctx, end, nil
}

// visit opens a window of its own on the site. Errors on the page's console fail the test.
func visit(t *testing.T, parent context.Context, base string, width, height int64) *visitor {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	v := &visitor{t: t, ctx: ctx, base: base}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatalf("open a window: %v", err)
	}
	messages := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m, err := range messages {
			if err != nil {
				return
			}
			if text := fmt.Sprint(m); m.Type == "error" && !strings.Contains(text, "ERR_INCOMPLETE_CHUNKED_ENCODING") && !strings.Contains(text, "ERR_CONNECTION") && !strings.Contains(text, "ERR_SOCKET_NOT_CONNECTED") && !strings.Contains(text, "ERR_INTERNET_DISCONNECTED") && !strings.Contains(text, "ERR_EMPTY_RESPONSE") && !strings.Contains(text, "error occurred when fetching the script") {
				v.mu.Lock()
				meant := v.styled && strings.Contains(text, "inline style") || slices.ContainsFunc(v.refuse, func(status int) bool { return strings.Contains(text, fmt.Sprintf("status of %d", status)) })
				if !meant && !slices.Contains(v.errors, text) {
					v.errors = append(v.errors, text)
				}
				v.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		if t.Failed() {
			v.screenshot("failed")
		}
		cancel()
		<-done
		v.mu.Lock()
		defer v.mu.Unlock()
		for _, e := range v.errors {
			t.Errorf("on the page's console: %s", e)
		}
	})
	return v
}

// within is how long a story waits for what hangs, not how long anything may take: on a
// busy machine a bot, a round or a page of a dozen boards takes a minute.
const within = 3 * time.Minute

func (v *visitor) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, within)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		v.t.Fatalf("%s: %v\non %s\n%s", what, err, v.location(), v.text("body"))
	}
}

// open goes to an address, and once more if the page left by itself at that moment, as a player's page does when their
// next board opens.
func (v *visitor) open(path string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, within)
	defer cancel()
	err := chromedp.Do(ctx, chromedp.Navigate(v.base+path))
	if err != nil && strings.Contains(err.Error(), "ERR_ABORTED") {
		err = chromedp.Do(ctx, chromedp.Navigate(v.base+path))
	}
	if err != nil {
		v.t.Fatalf("open %s: %v\non %s\n%s", path, err, v.location(), v.text("body"))
	}
}

// visible is, in the page, the first such element, once it takes up room.
const visible = `((selector) => { const e = document.querySelector(selector); return e && (e.offsetWidth || e.offsetHeight || e.getClientRects().length) && e; })(%q)`

// settled says, in the page, that its scripts are there, and that no form is on its way, whose answer takes the next press with
// it: also one that the feed has put another in place of, and that leaves the page just now.
const settled = `document.readyState === "complete" && !document.querySelector("form[aria-busy=true]:not(.unsent), body[data-sends]")`

func (v *visitor) waitFor(selector string) {
	v.t.Helper()
	v.until("wait for "+selector, fmt.Sprintf(visible, selector))
}

// until waits for an expression to be true in the page, or in one that takes its place. The page itself looks again and
// again: a question from here takes three answers of the browser, and cost more than what the page did meanwhile.
func (v *visitor) until(what, expression string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, within)
	defer cancel()
	look := fmt.Sprintf(`new Promise((done, fail) => {
		const look = () => { try { (%s) ? done(true) : setTimeout(look, 20); } catch (e) { fail(e); } };
		look(); })`, expression)
	for {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](look, chromedp.EvalAwaitPromise))
		var thrown *chromedp.ExceptionError
		if err == nil {
			return
		}
		if ctx.Err() != nil || errors.As(err, &thrown) {
			v.t.Fatalf("%s: %v\non %s\n%s", what, err, v.location(), v.text("body"))
		}
	}
}

// click presses the middle of an element once it stands still, and again when the press fell on something else,
// because the element moved or a fragment of the feed has just taken its place.
func (v *visitor) click(selector string) {
	v.t.Helper()
	v.press(selector, "center") // where no bar that sticks to an edge lies over it
}

func (v *visitor) press(selector, block string) {
	v.t.Helper()
	await(v.t, "the press of "+selector, func() bool {
		v.until("wait for "+selector, settled+" && "+fmt.Sprintf(visible, selector))
		at := v.stands(selector, block)
		if len(at) == 0 {
			return false
		}
		v.do("press "+selector, chromedp.MouseClickXY(at[0], at[1]))
		ctx, cancel := context.WithTimeout(v.ctx, within)
		defer cancel()
		missed, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("window.pressed === false"))
		return err != nil || !missed // a press that led to another page left nothing there
	})
}

// middle is where a pointer goes to be on the first such element.
func (v *visitor) middle(selector string) (x, y float64) {
	v.t.Helper()
	v.waitFor(selector)
	at := v.stands(selector, "nearest")
	if len(at) == 0 {
		v.t.Fatalf("%s has gone\non %s", selector, v.location())
	}
	return at[0], at[1]
}

// stands is the middle of an element, scrolled to and at rest on a page whose scripts are there; nothing if it has gone.
// From now on the page notes whether it is pressed.
func (v *visitor) stands(selector, block string) []float64 {
	v.t.Helper()
	return eval[[]float64](v, fmt.Sprintf(`(async () => {
		const selector = %q, moment = () => new Promise((go) => setTimeout(go, 20));
		while (document.readyState !== "complete") await moment(); // who presses has seen the page with what its scripts do
		document.querySelector(selector)?.scrollIntoView({block: %q});
		const place = () => { const r = document.querySelector(selector)?.getBoundingClientRect(); return r ? [r.x + r.width / 2, r.y + r.height / 2] : []; };
		let before, now = place();
		do { before = now; await moment(); now = place(); } while (String(before) !== String(now));
		window.pressed = false;
		addEventListener("click", (e) => { window.pressed ||= e.composedPath().some((x) => x.matches?.(selector)) }, true);
		return now })()`, selector, block))
}

func (v *visitor) fill(selector, value string) {
	v.t.Helper()
	v.until("fill "+selector, fmt.Sprintf(`(() => { const e = `+visible+`; if (!e || !(`+settled+`)) return false; e.value = %q;
		return e.dispatchEvent(new Event("input", {bubbles: true})), e.dispatchEvent(new Event("change", {bubbles: true})), true; })()`, selector, value))
}

func (v *visitor) keys(keys string) {
	v.t.Helper()
	v.do("press keys", chromedp.KeyEvent(keys))
}

func (v *visitor) location() string {
	ctx, cancel := context.WithTimeout(v.ctx, within)
	defer cancel()
	s, _ := chromedp.Run(ctx, chromedp.Location())
	return s
}

// text is what the first such element shows, or "".
func (v *visitor) text(selector string) string {
	return eval[string](v, fmt.Sprintf("(document.querySelector(%q)||{innerText:''}).innerText", selector))
}

// eval runs an expression in the page, and once more where another page has just taken its place.
func eval[T any](v *visitor, expression string) T {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, within)
	defer cancel()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil && strings.Contains(err.Error(), "navigated") {
		out, err = chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	}
	if err != nil {
		v.t.Errorf("evaluate %s: %v", expression, err)
	}
	return out
}

// isRefused does something that the site refuses with a status, and says so on the page.
func (v *visitor) isRefused(status int, what func()) {
	v.t.Helper()
	v.mu.Lock()
	v.refuse = []int{status}
	v.mu.Unlock()
	what()
}

// screenshot writes a picture of the window to the folder CHPOK_SHOTS, if that is set.
func (v *visitor) screenshot(name string) {
	if dir := os.Getenv("CHPOK_SHOTS"); dir != "" {
		v.write(filepath.Join(dir, shotName(v.t, name)), chromedp.CaptureScreenshot())
	}
}

// shotName is the file of a test's picture.
func shotName(t *testing.T, name string) string {
	return strings.NewReplacer("/", "-", " ", "-").Replace(t.Name()+"-"+name) + ".png"
}

// wholePage writes a picture of all of a page, as if the window were as high.
func (v *visitor) wholePage(name string) {
	v.t.Helper()
	if os.Getenv("CHPOK_SHOTS") == "" {
		return
	}
	size := eval[[]int64](v, `[innerWidth, document.documentElement.scrollHeight, innerHeight]`)
	v.do("show all of the page", chromedp.EmulateViewport(size[0], max(size[1], 200)))
	v.screenshot(name)
	v.do("show a part of the page", chromedp.EmulateViewport(size[0], size[2]))
}

func (v *visitor) write(path string, taken chromedp.Action[[]byte]) {
	ctx, cancel := context.WithTimeout(v.ctx, within)
	defer cancel()
	png, err := chromedp.Run(ctx, taken)
	if err == nil {
		err = os.WriteFile(path, png, 0o644)
	}
	if err != nil {
		v.t.Logf("picture %s: %v", path, err)
	}
}
