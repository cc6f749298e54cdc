package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"chpok.org/chpok/ops/site"
	"chpok.org/chpok/store/storetest"
)

// TestTheEngineLooksAtAFinishedMatch: nobody asks for it, the job of a node does it, and the replay tells
// which move gave the match away. White's queen takes beside the king, Black lets it stand there. From the end of the match
// two presses lead to the better move on the board.
func TestTheEngineLooksAtAFinishedMatch(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	a, err := site.Open(t.Context(), site.Config{Database: site.Database{URL: dsn}, Addr: "127.0.0.1:0", EngineShare: 100}, site.Options{},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	serving, served := make(chan string, 1), make(chan error, 1)
	go func() { served <- a.Serve(ctx, func(base string) { serving <- base }) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	base := <-serving
	white, black, id := atBoard(t, dsn, base, "automatic")
	for i, act := range []string{"e2e4", "e7e5", "d1h5", "d7d6", "h5f7", "a7a6", "f7e8"} {
		[]*client{white, black}[i%2].sends(id, map[string]any{"act": act})
	}
	reader := newPerson(t, dsn, "anna", base)
	await(t, "what the engine says", func() bool {
		page := reader.open("/matches/" + id + "/replay?ply=6").body
		return strings.Contains(page, "A king can be taken.") && strings.Contains(page, "Accuracy")
	})
	v := visit(t, browser(t), base, 390, 844)
	v.open("/matches/" + id)
	v.click("#m-state .result-next a[href$='/replay#m-decided']")
	v.waitFor("#m-decided li .mini-arrow")
	if text := v.text("#m-decided"); !strings.Contains(text, "Move 3: a7–a6") {
		t.Error(text)
	}
	v.click("#m-decided li:has(a[href$='?ply=6']) .decided-do a")
	v.waitFor("#explorer chpok-board[data-arrows='e8f7']")
}
