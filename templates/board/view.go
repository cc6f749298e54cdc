package board

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// BoardView is a board of 8 ranks one can play on, or look back through.
// Squares run from rank 8 to rank 1, each from file a.
type BoardView struct {
	N       string // changes with every position, so that the page knows a new one
	Width   int    // 6…10
	AsBlack bool   // seen from Black's side
	Label   string
	Squares []SquareView
	Side    string // colour of the viewer's pieces, "w" or "b"; empty for watchers
	Legal   string // action texts (Rules 9) the viewer may play now, one space apart
	Last    string // the two squares of the last move, "e2e4"; empty without one
	Arrows  string // good moves to point at, as in Last, the best first and one space apart
	Words   string // JSON: texts the board says by itself, and names of pieces
}

// SquareView is one square: its name, the piece on it ("wK", or empty) and how
// a screen reader reads both.
type SquareView struct {
	Name      string
	Piece     string
	Label     string
	Last      bool
	Goal      bool // a king that comes here ends the game (Rules 7.6, 7.7)
	TheirGoal bool // the goal is the opponent’s only
}

// MiniBoardView is a small still board for lists and previews.
type MiniBoardView struct {
	Width   int
	AsBlack bool
	Label   string
	Pieces  []MiniPiece
	Last    []MiniSquare
	Arrow   []MiniSquare // from one to the other
}

// MiniPiece is a piece on a file and a rank, both from 0.
type MiniPiece struct {
	Code       string
	File, Rank int
}

// MiniSquare is a square by file and rank, both from 0.
type MiniSquare struct{ File, Rank int }

// arrow returns the path of the arrow, with its head.
func (v MiniBoardView) arrow() string {
	at := func(s MiniSquare) (x, y float64) {
		fmt.Sscan(v.x(s.File)+" "+v.y(s.Rank), &x, &y)
		return x + 0.5, y + 0.5
	}
	x1, y1 := at(v.Arrow[0])
	x2, y2 := at(v.Arrow[1])
	length := math.Hypot(x2-x1, y2-y1)
	if length == 0 {
		return ""
	}
	dx, dy := (x2-x1)/length, (y2-y1)/length
	return fmt.Sprintf("M%.2f %.2fL%.2f %.2fM%.2f %.2fL%.2f %.2fL%.2f %.2f", x1, y1, x2, y2,
		x2-0.7*dx-0.45*dy, y2-0.7*dy+0.45*dx, x2, y2, x2-0.7*dx+0.45*dy, y2-0.7*dy-0.45*dx)
}

func (v MiniBoardView) x(file int) string {
	if v.AsBlack {
		file = v.Width - 1 - file
	}
	return strconv.Itoa(file)
}

func (v MiniBoardView) y(rank int) string {
	if v.AsBlack {
		return strconv.Itoa(rank)
	}
	return strconv.Itoa(7 - rank)
}

func (v MiniBoardView) box() string { return fmt.Sprintf("0 0 %d 8", v.Width) }

// dark is the outline of the dark squares; a1 is one of them.
func (v MiniBoardView) dark() string {
	var b strings.Builder
	for rank := range 8 {
		for file := range v.Width {
			if (file+rank)%2 == 0 {
				fmt.Fprintf(&b, "M%s %sh1v1h-1z", v.x(file), v.y(rank))
			}
		}
	}
	return b.String()
}

func (v SquareView) classes(file, rank, width int) string {
	c := "sq light"
	if (file+rank)%2 == 0 {
		c = "sq dark"
	}
	if v.Last {
		c += " last"
	}
	if v.Goal {
		c += " goal"
		if v.TheirGoal {
			c += " theirs"
		}
	}
	if file == 0 {
		c += " edge-a"
	}
	if file == width-1 {
		c += " edge-z"
	}
	if rank == 0 {
		c += " edge-1"
	}
	if rank == 7 {
		c += " edge-8"
	}
	return c
}

func (v BoardView) gridClass() string {
	c := "board w" + strconv.Itoa(v.Width)
	if v.AsBlack {
		c += " as-black"
	}
	return c
}

// stackStep is how far apart chips of a stack lie: closer, the more there are.
func stackStep(n int) float64 {
	if n <= 8 {
		return 4.6
	}
	return 32.2 / float64(n-1)
}

func stackTotal(n int) float64 { return 14 + stackStep(n)*float64(max(n-1, 0)) }

func stackBox(n int) string    { return "0 0 30 " + decimal(stackTotal(n)) }
func stackHeight(n int) string { return decimal(stackTotal(n)) }
func stackY(i, n int) string   { return decimal(stackStep(n) * float64(n-1-i)) }

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 32) }

// LiveView is a match in small as it stands for watchers: players, points and
// clocks around its board or, in the bidding, around its four targets.
type LiveView struct {
	ID       string // of its place on the page
	URL      string // empty: nothing stands here
	Title    string
	Seq, Now int64
	Status   string   // bidding, playing or over
	Them, Us LiveSide // Us stands below
	IsTurned bool     // Us came second
	Board    MiniBoardView
	Bids     []LiveBid // in the bidding, in place of the board
	Share    string    // of the bar of points that is Us's; empty: there is none
	Where    string    // the event, or that it is casual
	Line     string    // what happened last, or how it ended
	Later    string    // how much later it is shown; empty: as it happens
	Watchers int
	For      []LiveFor // what was bid for, and the features in force
	Frames   string    // JSON: the moves of a match that replays by itself
	Due      bool      // waits for the viewer, who plays in it
	Says     string    // whose turn it is, to who plays in it
}

// LiveFor is something a match is played for: an outcome with the chips that won it, or a feature.
type LiveFor struct {
	Chips int
	Who   string // me or foe: whose chips they were
	Text  string
}

// LiveSide is a player of a match in small.
type LiveSide struct {
	Name, Rating string
	Colour       string // w, b, or empty in the bidding
	Who          string // me or foe: whose chips they are
	Points, Gain string // Gain is what the last move scored
	Purse        string // chips that are left, in the bidding
	Outcome      string // won, lost, drawn or empty
	Clock        *LiveClock
}

// LiveClock is a clock; the page counts one with a deadline down by itself.
type LiveClock struct {
	Text                string
	Left, Deadline, Low int64
}

// LiveBid is a target with both stakes.
type LiveBid struct {
	Title, Stands string
	Row           string // it stands at this row
	Them, Us      int
}

func itoa64(n int64) string { return strconv.FormatInt(n, 10) }

// stripDark is the dark squares of a row.
func stripDark(width int) string {
	var b strings.Builder
	for file := 0; file < width; file += 2 {
		fmt.Fprintf(&b, "M%d 0h1v1h-1z", file)
	}
	return b.String()
}
