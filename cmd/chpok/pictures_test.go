package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"chpok.org/chpok/store/storetest"
)

// pictures is the folder for the pictures of the documentation (make pictures);
// empty: none are taken.
func pictures() string { return os.Getenv("CHPOK_PICTURES") }

// TestPicturesOfAMatch takes those of the README: a match of the demo, some moves
// after its bidding.
func TestPicturesOfAMatch(t *testing.T) {
	if pictures() == "" {
		t.Skip("make pictures takes them")
	}
	t.Parallel()
	window := browser(t)
	server, _ := startProgram(t, "demo", "--addr", "127.0.0.1:0")
	v := visit(t, window, server.base, 1280, 900)
	v.open("/")
	board := ""
	await(t, "a match of two bots", func() bool { // the next round opens a moment after the start
		board = eval[string](v, `fetch("/api/v1/tournaments").then(r => r.json()).then(l => l.tournaments.find(t => t.status == "running").id)
			.then(id => fetch("/api/v1/tournaments/" + id)).then(r => r.json())
			.then(t => t.rounds.at(-1).pairings.find(p => !p.result && p.bots[0] && p.bots[1])?.match ?? "")`)
		return board != ""
	})
	for name, l := range map[string]look{"match.png": {1280, 900, "en", "light"}, "match-phone.png": {390, 844, "uk", "dark"}} {
		v.wear(l)
		v.open("/matches/" + board)
		for range 3 { // a bot thinks for two seconds
			await(t, "another move", movesMore(v, 5))
		}
		v.picture(name, chromedp.CaptureScreenshot())
	}
}

// boards is set by make boards, which photographs matches on boards of every width in windows of every kind.
func boards() string { return os.Getenv("CHPOK_BOARDS") }

// TestBoardsOfEveryWidthFitWindowsOfEveryKind looks at matches on 6, 8 and 10 files: at every bid, at the board and at the result.
func TestBoardsOfEveryWidthFitWindowsOfEveryKind(t *testing.T) {
	if boards() == "" {
		t.Skip("make boards takes the pictures; eight files are looked at always, see TestTwoBrowsersPlayAWholeMatch")
	}
	t.Parallel()
	window := browser(t)
	for _, width := range []int{6, 8, 10} {
		t.Run(fmt.Sprint(width), func(t *testing.T) { fitsEverywhere(t, window, width) })
	}
}

// fitsEverywhere goes through a match on so many files, on a site of its own: nobody is called away to another.
func fitsEverywhere(t *testing.T, window context.Context, width int) {
	t.Helper()
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	clients := trio(t, dsn, server.base)
	id, first, second := openMatch(t, clients, map[string]any{"chips": 1,
		"defaults": map[string]any{"width": width, "pawnsBack": true, "skipMoves": true, "kingOfTheHill": true, "undos": 1}})
	play := func(c *client, command map[string]any) {
		if _, err := c.send(id, c.match(id).Seq, command); err != nil {
			t.Fatal(err)
		}
	}
	v := visit(t, window, server.base, 1280, 900)
	v.signIn(dsn, first.name)
	for _, target := range []string{"white", "time", "homeRow", "features"} {
		v.open("/matches/" + id)
		v.click("#raise-" + target + " > summary")
		v.fits("bidding " + target)
	}
	play(first, map[string]any{"bid": map[string]any{"target": "white", "chips": 1}})
	play(second, map[string]any{"bid": map[string]any{"target": "time", "chips": 1, "minutes": 15, "increment": 10}})
	for i, act := range []string{"e2e4", "d7d5", "e4d5", "c7c6", "d5c6", "b7c6"} {
		play([]*client{first, second}[i%2], map[string]any{"act": act})
	}
	v.open("/matches/" + id)
	v.waitPiece("c6", "bP")
	v.fits("board")
	play(second, map[string]any{"act": "resign"})
	v.waitFor("#m-state[data-status='over'] .result")
	v.fits("over")
}

// movesMore tells whether so many plies have been played since it was made.
func movesMore(v *visitor, n int) func() bool {
	plies := func() int { return eval[int](v, `document.querySelectorAll("#m-log .move").length`) }
	from := plies()
	return func() bool { return plies() >= from+n }
}

// picture writes one of the documentation's, in as many colours as fit a palette.
func (v *visitor) picture(name string, taken chromedp.Action[[]byte]) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, within)
	defer cancel()
	raw, err := chromedp.Run(ctx, taken)
	if err == nil {
		raw, err = fewColours(raw)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(pictures(), name), raw, 0o644)
	}
	if err != nil {
		v.t.Errorf("picture %s: %v", name, err)
	}
}

// fewColours writes a PNG again with its 256 most frequent colours: flat areas
// stay as they are, the edges of letters hardly change, and it is a third as long.
func fewColours(raw []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	area := full.Bounds()
	often := map[color.RGBA]int{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			often[color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)]++
		}
	}
	colours := make([]color.RGBA, 0, len(often))
	for c := range often {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(often[b], often[a]), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	var palette color.Palette
	for _, c := range colours[:min(len(colours), 256)] {
		palette = append(palette, c)
	}
	small := image.NewPaletted(area, palette)
	draw.Draw(small, area, full, area.Min, draw.Src)
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small)
	return out.Bytes(), err
}
