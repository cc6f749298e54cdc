package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"

	"chpok.org/chpok/cmd/chpok-lab/load"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/store/storetest"
)

// seen is the window as it is drawn.
func (v *visitor) seen() image.Image {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, within)
	defer cancel()
	raw, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		v.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		v.t.Fatal(err)
	}
	return img
}

// alike counts the pixels of the window that have nearly some color.
func (v *visitor) alike(r, g, b int) (n int) {
	v.t.Helper()
	img := v.seen()
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r1, g1, b1, _ := img.At(x, y).RGBA()
			if max(abs(int(r1>>8)-r), abs(int(g1>>8)-g), abs(int(b1>>8)-b)) <= 4 {
				n++
			}
		}
	}
	return n
}

func abs(n int) int { return max(n, -n) }

// TestAMatchIsFollowedInsideAnotherSitesPage: what is played is seen in the window
// of a page of another origin that frames it.
func TestAMatchIsFollowedInsideAnotherSitesPage(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	clients := trio(t, dsn, server.base)
	id, first, second := openMatch(t, clients, map[string]any{"chips": 1})
	html := fmt.Sprintf(`<iframe src="%s/embed/matches/%s?lang=en" width="420" height="590"></iframe>`, server.base, id)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html><title>Elsewhere</title><h1>Elsewhere</h1>%s", html)
	}))
	t.Cleanup(other.Close)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) // another site, not only another port
	v := visit(t, window, elsewhere, 900, 700)
	v.open("/")
	// Light squares, and the two of a move from light to light, as tokens.css has them.
	board, marked := func() int { return v.alike(0xee, 0xf0, 0xe2) }, func() int { return v.alike(231, 205, 124) }
	if board() > 1000 || marked() > 100 {
		t.Error("there is a board while they bid")
	}
	send := func(c *client, command map[string]any) {
		t.Helper()
		if _, err := c.send(id, c.match(id).Seq, command); err != nil {
			t.Fatal(err)
		}
	}
	send(first, map[string]any{"bid": map[string]any{"target": "white", "chips": 1}})
	send(second, map[string]any{"bid": map[string]any{"target": "time", "chips": 1, "minutes": 5, "increment": 3}})
	send(first, map[string]any{"act": "e2e4"})
	await(t, "the move inside the other site's page", func() bool { return board() > 1000 && marked() > 1000 })
	v.screenshot("elsewhere")
	for _, theme := range []string{"", "&theme=light"} {
		v.isDrawnOverNothing(server.base + "/embed/matches/" + id + "?overlay=1" + theme)
	}
}

// isDrawnOverNothing checks the very pixels of an overlay: beside its plates there are none, and on them there are.
func (v *visitor) isDrawnOverNothing(address string) {
	v.t.Helper()
	v.do("open "+address, chromedp.Navigate(address))
	over := func(ground *cdp.RGBA) {
		if _, err := chromedp.Call(v.ctx, emulation.SetDefaultBackgroundColorOverride,
			emulation.SetDefaultBackgroundColorOverrideParams{Color: ground}); err != nil {
			v.t.Fatal(err)
		}
	}
	over(&cdp.RGBA{A: 1e-6}) // 0 is taken for none
	picture := v.seen()
	over(nil)
	clear, opaque, all := 0, 0, picture.Bounds()
	for y := all.Min.Y; y < all.Max.Y; y++ {
		for x := all.Min.X; x < all.Max.X; x++ {
			switch _, _, _, alpha := picture.At(x, y).RGBA(); alpha {
			case 0:
				clear++
			case 0xffff:
				opaque++
			}
		}
	}
	if _, _, _, corner := picture.At(all.Max.X-1, all.Max.Y-1).RGBA(); corner != 0 || clear < all.Dx()*all.Dy()/10 || opaque == 0 {
		v.t.Errorf("%s: of %v pixels the film shows through %d, %d hide it, and the lower right one has alpha %d of 65535",
			address, all, clear, opaque, corner)
	}
}

// TestSixtyFourBoardsLeaveTheBrowserItsRest measures, when CHPOK_MEASURE is set,
// what the page of all matches costs a browser: 64 matches of which each, once
// the bidding is over, is moved in every four seconds. It prints the share of one
// core of all of the browser's processes, and of the page's own, by the browser's
// own count, with what the machine did besides.
func TestSixtyFourBoardsLeaveTheBrowserItsRest(t *testing.T) {
	if os.Getenv("CHPOK_MEASURE") == "" {
		t.Skip("make watching measures it")
	}
	const lasts = 30 * time.Second
	window := browser(t)
	ctx := t.Context()
	round, err := load.Begin(ctx, load.Command{
		Database: storetest.SQLiteDSN(t), Server: program(t), Boards: 64, Rate: 16, Part: lasts,
	}, cli.IO{Out: os.Stderr, Err: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer round.Stop()
	if _, err := round.Move(ctx); err != nil { // the bidding
		t.Fatal(err)
	}
	for _, size := range [][2]int64{{1366, 768}, {1920, 3200}} {
		v := visit(t, window, round.Base(), size[0], size[1])
		v.open("/tv")
		await(t, "all boards", func() bool { return eval[int](v, `document.querySelectorAll(".live-card:not([hidden])").length`) == 63 })
		before := busy(t, v)
		moves, err := round.Move(ctx)
		if err != nil {
			t.Fatal(err)
		}
		after := busy(t, v)
		machine, err := os.ReadFile("/proc/loadavg")
		if err != nil {
			t.Log(err) // told where it is known
		}
		share := func(kind string) float64 { return 100 * (after[kind] - before[kind]) / lasts.Seconds() }
		t.Logf("%d×%d: browser %.1f %% of a core, of it pages %.1f %%, GPU process %.1f %%; %d streams, %d moves, load of the machine %.4s",
			size[0], size[1], share(""), share("renderer"), share("GPU"),
			eval[int](v, `performance.getEntriesByType("resource").filter(r => r.name.includes("/feed")).length`), moves, machine)
		if share("") > 10 && size[1] < 1000 { // nobody sees all of them at once
			t.Errorf("%.1f %% of a core", share(""))
		}
		v.screenshot(fmt.Sprint("boards-", size[0]))
		v.open("/rules")
	}
}

// busy are the seconds of a core that the browser has used so far, by kind of
// process and, with no name, all together.
func busy(t *testing.T, v *visitor) map[string]float64 {
	t.Helper()
	got, err := chromedp.CallBrowser(v.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]float64{}
	for _, p := range got.ProcessInfo {
		used[p.Type] += p.CPUTime
		used[""] += p.CPUTime
	}
	return used
}
