package main

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"chpok.org/chpok/tournament"
)

// TestWhatIsTypedOutlivesThePage: two organizers change one event. Whoever is second comes back to the form from the page
// that says so, with all they wrote in it and what the other has changed beside it; and the answer to one form of a page
// leaves what is being written in another where it is.
func TestWhatIsTypedOutlivesThePage(t *testing.T) {
	t.Parallel()
	window := browser(t)
	file, links := demoFile(t)
	var slow sync.RWMutex // while it is locked, no desk comes
	var isWritten atomic.Bool
	site := newTwinBehind(t, file, func(to http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery == "written" {
				isWritten.Store(true)
			}
			if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/desk") {
				slow.RLock()
				defer slow.RUnlock()
			}
			to.ServeHTTP(w, r)
		})
	})
	id, path := site.evening("Petro Hrytsak", "Zoia Kravets", "Ostap Hai", "Nadia Vovk")
	if _, err := site.db.ExecContext(t.Context(), "UPDATE players SET role = 'operator' WHERE handle = 'Taras'"); err != nil {
		t.Fatal(err)
	}
	olena := visit(t, window, site.base, 1280, 900).as(links["Olena"])
	taras := visit(t, window, site.base, 390, 844).as(links["Taras"])

	const send = ".tournament-form > .actions button"
	const name = "The Friday of the whole club"
	olena.open(path + "/edit")
	olena.fill("form[action='"+path+"'] [name=name]", name)
	olena.click(send)
	olena.until("wait for the event", `!location.pathname.endsWith("/edit")`)
	taras.open(path + "/edit")
	taras.fill("form[action='"+path+"'] [name=about]", "We begin\nat nine.")
	olena.open(path + "/edit")
	olena.fill("form[action='"+path+"'] [name=club]", "Hall 7")
	olena.click(send)
	olena.until("wait for the event", `!location.pathname.endsWith("/edit")`)
	back := "a[data-typed]:not([hidden])"
	taras.isRefused(http.StatusConflict, func() {
		taras.click(send)
		taras.waitFor(back)
	})
	taras.screenshot("1-somebody-was-first")
	if list := eval[[]string](taras, `[...document.querySelectorAll(".typed blockquote")].filter((e) => e.checkVisibility()).map((e) => e.textContent)`); len(list) != 1 || list[0] != "We begin\nat nine." {
		t.Errorf("what was typed, and only that: %q", list)
	}
	taras.click(back)
	taras.until("wait for the form as it was left", `location.pathname.endsWith("/edit") && document.querySelector("[name=name]")?.value === "`+name+`" &&
		document.querySelector("[name=about]")?.value === "We begin\nat nine." && document.querySelector("[name=club]")?.value === "Hall 7"`)
	if is := site.tournament(id); is.Name != name || is.About != "" {
		t.Errorf("sent already: %q, %q", is.Name, is.About)
	}
	taras.screenshot("2-with-what-was-typed")
	taras.click(send)
	taras.until("wait for the event", `!location.pathname.endsWith("/edit")`)
	if is := site.tournament(id); is.Name != name || is.Club != "Hall 7" || is.About != "We begin\nat nine." {
		t.Errorf("saved: %q, %q", is.Name, is.About)
	}
	taras.open(path + "/edit")
	taras.until("wait for the form", settled)
	if left := eval[string](taras, `document.querySelector("[name=about]").defaultValue + sessionStorage.getItem("chpok.typed")`); left != "We begin\nat nine.null" {
		t.Errorf("left over: %s", left)
	}

	// On a slow line the desk is a while in coming anew, after a result and after a step: what is pressed and written meanwhile
	// holds.
	for range 3 {
		olena.open(path + "/desk")
		olena.waitFor("#next-button, #desk-round li.is-open")
		if eval[bool](olena, `!!document.querySelector("#desk-round li.is-open")`) {
			break
		}
		olena.click("#next-button")
		olena.until("wait for its answer", nothingWaits)
	}
	olena.waitFor("#tap-1-1")
	slowly := func(press func()) {
		slow.Lock()
		defer slow.Unlock()
		press()
	}
	slowly(func() {
		olena.do("press, and press the next as soon as the first is written down", chromedp.Evaluate[chromedp.Void](`{
			document.addEventListener("outbox:here", () => {
				document.getElementById("tap-5-2").click();
				document.getElementById("pause_reason").value = "The lamp";
			}, { once: true });
			globalThis.before = true;
			document.getElementById("tap-1-1").click(); }`))
		await(t, "the result of board 2", func() bool { return site.deeds(id, tournament.ActResult) == 2 })
	})
	olena.until("wait for the desk with what was written", nothingWaits+` && globalThis.before && !document.querySelector("#desk-round li.is-open") &&
		document.getElementById("pause_reason")?.value === "The lamp"`)
	slowly(func() {
		olena.do("press the next step, and write while the desk is being left", chromedp.Evaluate[chromedp.Void](`{
			const look = setInterval(() => {
				if (!document.body.hasAttribute("data-sends") || sessionStorage.getItem("chpok.outbox") !== "[]") return;
				clearInterval(look);
				document.getElementById("pause_reason").value = "The lamp again";
				fetch("/healthz?written");
			}, 10);
			document.getElementById("next-button").click(); }`))
		await(t, "what is written meanwhile", isWritten.Load)
	})
	olena.until("wait for the desk with what was written meanwhile", nothingWaits+` && !globalThis.before && document.getElementById("pause_reason")?.value === "The lamp again"`)
}
