package match_test

import (
	"errors"
	"strings"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// boardGame returns a game at the start of its board phase, with First as White.
func boardGame(t testing.TB, claims match.Claims, row board.Row, features string) match.Game {
	t.Helper()
	f, err := board.ParseFeatures([]byte(features))
	if err != nil {
		t.Fatal(err)
	}
	g, err := match.NewGame(match.Rules{Chips: 2, Claims: claims, Defaults: f})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []match.Event{
		match.BidPlaced{Seat: first, Bid: bidding.Bid{Target: bidding.White, Chips: 2}},
		match.BidPlaced{Seat: second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}},
		match.BidPlaced{Seat: second, Bid: bidding.Bid{Target: bidding.HomeRow, Chips: 1, HasOutcome: true, Row: row}},
	} {
		if g, err = g.Do(e); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// moves plays the words of a text in turn. "undo", "flag" and "resign" belong to the player to
// act, "A:win", "B:draw" and "B:resign" to the player they name.
func moves(t testing.TB, g match.Game, text string) match.Game {
	t.Helper()
	for i, word := range strings.Fields(text) {
		next, err := g.Do(actOf(t, g, word))
		if err != nil {
			t.Fatalf("%d. %s: %v", i+1, word, err)
		}
		g = next
	}
	return g
}

func actOf(t testing.TB, g match.Game, word string) match.Event {
	t.Helper()
	by, _ := g.Turn()
	if letter, rest, ok := strings.Cut(word, ":"); ok {
		by, _ = match.FirstIsA.Seat(letter)
		word = rest
	}
	switch word {
	case "undo":
		return match.Undone{Seat: by}
	case "flag":
		return match.FlagFell{Seat: by}
	case "resign":
		return match.Resigned{Seat: by}
	case "win", "draw":
		return match.Claimed{Seat: by, Win: word == "win"}
	}
	a, err := board.ParseAction(word)
	if err != nil {
		t.Fatal(err)
	}
	return match.Played{Seat: by, Action: a}
}

// skips returns skips by both players.
func skips(n int) string { return strings.Repeat("-- -- ", n) }

func TestHowAGameEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		claims   match.Claims
		row      board.Row
		features string
		moves    string
		outcome  match.Outcome
		reason   match.Reason
		points   [2]int
	}{
		{"an unchanged level score draws after Black's 20th move", match.Automatic, "RNBQKBNR", `{"skipMoves":true}`,
			skips(20), match.Draw, match.ClaimDraw, [2]int{0, 0}},
		{"an unchanged lead wins after Black's 20th move", match.Automatic, "RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1}}`,
			"e2e4 -- " + skips(19), match.FirstWins, match.ClaimWin, [2]int{1, 0}},
		// The step of move 2 falls for White, so Black's 20 steps begin with it.
		{"the streak begins anew when the lead changes", match.Automatic, "RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1,"N":2}}`,
			"e2e4 -- -- b8c6 " + skips(19), match.SecondWins, match.ClaimWin, [2]int{1, 2}},
		{"a level score after a lead needs 20 steps without change", match.Automatic, "RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1}}`,
			"e2e4 -- -- e7e5 " + skips(20), match.Draw, match.ClaimDraw, [2]int{1, 1}},
		{"the move limit goes before a claim", match.Automatic, "RNBQKBNR", `{"skipMoves":true,"moveLimit":20}`,
			skips(20), match.Draw, match.MoveLimit, [2]int{0, 0}},
		{"the move limit ends by points", match.Automatic, "RNBQKBNR", `{"skipMoves":true,"moveLimit":10,"movePoints":{"P":1}}`,
			"-- e7e5 " + skips(9), match.SecondWins, match.MoveLimit, [2]int{0, 1}},
		{"an end by kings goes before the move limit", match.Automatic, "RNBQKBNR", `{"skipMoves":true,"moveLimit":10}`,
			"e2e4 e7e5 " + skips(5) + "-- d8g5 -- g5g3 -- g3f2 -- f2e1", match.SecondWins, match.KingsCaptured,
			[2]int{0, 2 + 3 + 4 + 1000}}, // e5 and g5 are relative rank 4, g3 is 6, f2 is 7, e1 is 8
		{"a flag costs 5000 points", match.Automatic, "RNBQKBNR", `{}`, "e2e4 flag", match.FirstWins, match.FlagBoard, [2]int{0, -5000}},
		{"a removed own king counts for the opponent", match.Automatic, "RNBQKBNR", `{"removeOwn":true}`,
			"-e1", match.SecondWins, match.KingsCaptured, [2]int{0, 1000}},
		{"a king on the hill counts all the opponent's kings", match.Automatic, "RNBQKBKR", `{"skipMoves":true,"kingOfTheHill":true}`,
			"e2e3 -- e1e2 -- e2d3 -- d3d4 -- d4d5", match.FirstWins, match.KingOfTheHill, [2]int{2001, 0}},
		{"a king that runs home ends the game", match.Automatic, "KNBQNBNR", `{"skipMoves":true,"kingsRun":true,"removeOwn":true}`,
			"a2a4 -- a1a2 -- a2b3 -- b3c4 -- c4b5 -- b5c6 -- c6b7 -- b7c8", match.FirstWins, match.KingsRun,
			[2]int{1 + 2 + 3 + 4 + 1000, 0}},
		{"a resignation out of turn", match.Automatic, "RNBQKBNR", `{}`, "e2e4 A:resign", match.SecondWins, match.Resignation, [2]int{0, 0}},
		{"a manual claim of a win, out of turn", match.Manual, "RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1}}`,
			"e2e4 -- " + skips(25) + "-- A:win", match.FirstWins, match.ClaimWin, [2]int{1, 0}},
		{"a draw claim holds for an unchanged lead too", match.Manual, "RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1}}`,
			"e2e4 -- " + skips(20) + "B:draw", match.Draw, match.ClaimDraw, [2]int{1, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := moves(t, boardGame(t, tt.claims, tt.row, tt.features), tt.moves)
			want := match.Result{Outcome: tt.outcome, Reason: tt.reason, Points: tt.points}
			if have := g.Result(); have != want {
				t.Errorf("have %+v, want %+v; %s", have, want, g.Position().CFEN())
			}
			if s := g.Sources(); s[0].Total() != tt.points[0] || s[1].Total() != tt.points[1] {
				t.Errorf("sources %+v do not add up", s)
			}
			if _, err := g.Do(match.Resigned{Seat: first}); !errors.Is(err, match.ErrOver) {
				t.Errorf("after the end: %v", err)
			}
		})
	}
}

func TestClaimsThatDoNotHold(t *testing.T) {
	t.Parallel()
	const lead = `{"skipMoves":true,"movePoints":{"P":1}}`
	for _, tt := range []struct {
		name   string
		claims match.Claims
		moves  string
		claim  string
		code   string
	}{
		{"a win after 19 moves of Black", match.Manual, "e2e4 -- " + skips(18), "A:win", match.InvalidClaimWin},
		{"a draw after 19 moves of Black", match.Manual, skips(19), "A:draw", match.InvalidClaimDraw},
		{"a win by who is behind", match.Manual, "e2e4 -- " + skips(25), "B:win", match.InvalidClaimWin},
		{"a win of a level score", match.Manual, skips(25), "A:win", match.InvalidClaimWin},
		{"a draw when the margin changed within 20 steps", match.Manual, "e2e4 -- " + skips(19), "A:draw", match.InvalidClaimDraw},
		{"any claim under automatic claims", match.Automatic, "e2e4 --", "A:win", match.InvalidClaimWin},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := moves(t, boardGame(t, tt.claims, "RNBQKBNR", lead), tt.moves)
			if _, err := g.Do(actOf(t, g, tt.claim)); !errors.Is(err, &match.Refusal{Code: tt.code}) {
				t.Errorf("have %v, want %s", err, tt.code)
			}
		})
	}
}

func TestClaimCount(t *testing.T) {
	t.Parallel()
	g := boardGame(t, match.Automatic, "RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1}}`)
	if c := g.ClaimCount(); c != (match.ClaimCount{DrawIn: 20}) {
		t.Errorf("at the start %+v", c)
	}
	g = moves(t, g, skips(3)+"-- e7e5 "+skips(4))
	want := match.ClaimCount{Margin: -1, Rising: 4, Steady: 4, WinFor: second, WinIn: 20 - 8, DrawIn: 16}
	if c := g.ClaimCount(); c != want {
		t.Errorf("have %+v, want %+v", c, want)
	}
}

func TestUndoBringsBackTheGameBefore(t *testing.T) { // Rules 7.3, D14, D28
	t.Parallel()
	const row, features = "RNBQKRBN", `{"undos":2,"newbornPawns":true,"skipMoves":true,"movePoints":{"P":1}}`
	for _, tt := range []struct{ name, same, more, then string }{
		{"its points and move number", "e2e4 e7e5 d2d4 d7d5", "d4e5 -- undo", "d4e5"},
		{"its castlings", "e2e4 e7e5", "Oe1f1 Oe8f8 undo", "Oe1f1"},
		{"its newborn pawns", "e2e4 e7e5", "P@e2 P@e7 undo", "P@e2"},
		{"its en passant", "e2e4 a7a6 e4e5 d7d5", "a2a3 a6a5 undo", "e5d6"},
		{"for Black", "e2e4 e7e5 d2d4", "e5d4 a2a3 undo", "e5d4"},
		{"its claim samples", "e2e4 -- " + skips(17), "-- e7e5 undo", skips(1) + "-- --"},
		{"twice, by either player", "e2e4 -- " + skips(3), "a2a3 a7a6 undo b2b3 -- undo -- h7h6 -- undo", "h7h6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := moves(t, boardGame(t, match.Automatic, row, features), tt.same)
			have := moves(t, want, tt.more)
			if tt.name == "twice, by either player" {
				want = moves(t, want, "--")
			}
			if have.Position() != want.Position() || have.ClaimCount() != want.ClaimCount() || have.PlyCount() != want.PlyCount() {
				t.Errorf("have %s %+v, want %s %+v", have.Position().CFEN(), have.ClaimCount(), want.Position().CFEN(), want.ClaimCount())
			}
			after, expected := moves(t, have, tt.then), moves(t, want, tt.then)
			if after.Position() != expected.Position() || after.Result() != expected.Result() {
				t.Errorf("then have %s, want %s", after.Position().CFEN(), expected.Position().CFEN())
			}
		})
	}
}

func TestUndosThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, features, moves string
		by                    match.Seat
		code                  string
	}{
		{"without the feature", `{}`, "e2e4 e7e5", first, match.NoUndoLeft},
		{"before two moves were played", `{"undos":1}`, "e2e4", second, match.UndoTooEarly},
		{"out of turn", `{"undos":1}`, "e2e4 e7e5", second, bidding.NotYourTurn},
		{"when what was taken back leaves too few", `{"undos":2}`, "e2e4 e7e5 undo", first, match.UndoTooEarly},
		{"when none is left", `{"undos":1}`, "e2e4 e7e5 undo e2e4 e7e5", first, match.NoUndoLeft},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := moves(t, boardGame(t, match.Automatic, "RNBQKBNR", tt.features), tt.moves)
			if _, err := g.Do(match.Undone{Seat: tt.by}); !errors.Is(err, &match.Refusal{Code: tt.code}) {
				t.Errorf("have %v, want %s", err, tt.code)
			}
		})
	}
}

func TestWhatThePageShows(t *testing.T) {
	t.Parallel()
	g := moves(t, boardGame(t, match.Manual, "RNBQKBNR", `{"movePoints":{"P":1},"undos":1,"removeOwn":true}`), "e2e4 d7d5 e4d5 -a8 f1b5 d8d5")
	if have := g.Captured(); len(have[board.White]) != 1 || len(have[board.Black]) != 2 || have[board.Black][1] != board.NewPiece(board.Black, board.Rook) {
		t.Errorf("captured %v", have)
	}
	// White: two pawn moves, d5 and b5 are relative rank 5. Black: one pawn move, d5 is relative rank 4.
	want := [2]match.Sources{{Ranks: 2, Types: 2}, {Types: 1}}
	if have := g.Sources(); have != want {
		t.Errorf("sources %+v, want %+v", have, want)
	}
	plies := g.Plies()
	if last := plies[len(plies)-1]; last.Move != 3 || last.Color != board.Black || last.Piece != board.NewPiece(board.Black, board.Queen) || last.Points != [2]int{4, 1} {
		t.Errorf("the last ply %+v", last)
	}
	positions := g.Positions()
	if len(positions) != 7 || positions[6] != g.Position() || positions[0].FullMove() != 1 {
		t.Errorf("%d positions", len(positions))
	}
	if g.UndosLeft(first) != 1 || g.MayUndo(first) != nil || g.MayUndo(second) == nil {
		t.Error("the undo is First's")
	}
}
