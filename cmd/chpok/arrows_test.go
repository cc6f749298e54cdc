package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/store/storetest"
)

// steps wants an arrow to show the position of so many moves ago, and End to come back to the present one, with no square
// of the board left in the arrow's way.
func (v *visitor) steps(after, square, piece string) {
	v.t.Helper()
	v.keys(kb.ArrowLeft)
	if !eval[bool](v, `new Promise((done) => { let n = 0; const look = () => document.querySelector("chpok-board[viewing]") ? done(true) : n++ > 100 ? done(false) : setTimeout(look, 20); look(); })`) {
		v.t.Errorf("%s: an arrow steps through no moves, its square is %s", after, v.focused("dataset.sq"))
		return
	}
	v.waitFor("chpok-board[viewing] [data-sq='" + square + "'][data-pc='" + piece + "']")
	v.keys(kb.End)
	v.waitFor("chpok-board:not([viewing])")
}

// TestArrowsStepThroughMovesUnlessTheBoardIsPlayedByKeys: whoever moves by mouse looks back by arrow keys, also after news of
// the match has put another board in place, which gets the focus back at a moment when keys were pressed last; whoever
// comes to the board by keys walks over its squares, until the mouse is taken again.
func TestArrowsStepThroughMovesUnlessTheBoardIsPlayedByKeys(t *testing.T) {
	t.Parallel()
	window, dsn := browser(t), storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	_, black, id := atBoard(t, dsn, server.base, "manual")
	v := visit(t, window, server.base, 1366, 768)
	v.signIn(dsn, "anna")
	v.open("/matches/" + id)
	v.clickMove("e2", "e4")
	v.waitFor("#m-state:not([data-turn])")
	v.steps("a move by clicks", "e2", "wP")
	black.sends(id, map[string]any{"act": "e7e5"})
	v.waitPiece("e5", "bP")
	v.steps("the answer to a move by clicks", "e7", "bP")
	v.dragMove("g1", "f3")
	v.waitFor("#m-state:not([data-turn])")
	v.steps("a move by drag", "g1", "wN")
	black.sends(id, map[string]any{"act": "b8c6"})
	v.waitPiece("c6", "bN")
	v.steps("the answer to a move by drag", "b8", "bN")

	v.click(".moves [data-ply='2']") // the list of moves
	v.waitFor("chpok-board[viewing]")
	v.keys(kb.ArrowLeft)
	v.waitPiece("e7", "bP")
	v.keys(kb.End)
	v.waitFor("chpok-board:not([viewing])")

	v.do("to the board by keys", chromedp.Focus(chromedp.CSS("[data-sq][tabindex='0']")))
	v.keys(kb.ArrowUp)
	if at := v.focused("dataset.sq"); at != "g2" {
		t.Errorf("up from g1 leads to %s", at)
	}
	v.dragMove("g2", "g3")
	v.waitFor("#m-state:not([data-turn])")
	v.steps("keys, then a drag from their square", "g2", "wP")

	v.keys("?")
	v.waitFor("#keys:popover-open")
	v.keys(kb.Escape)
	v.waitFor("body:not(:has(#keys:popover-open))")
	v.types(",", "Slash") // where a Ukrainian layout has it
	v.waitFor("#keys:popover-open")
}
