package picture

import (
	"image"
	"image/color"
	"slices"
	"strconv"

	"chpok.org/chpok/engine/board"
)

// Match is what a picture shows of a match at one moment. Texts are cut to the room they
// have.
type Match struct {
	Position     board.Position
	Last         []board.Square // the squares of the last move
	AsBlack      bool           // seen from Black's side
	Bids         []Bid          // during the bidding, instead of the board
	Upper, Lower Side
	Share        float64 // Lower's share of the bar of points; 0: no bar
	Event        string
	Headline     string // what is going on, or the result
	Caption      string // the last move
	Rules        string
	Site         string
}

// Side is one player of a match.
type Side struct {
	Name, Rating string
	HasColor     bool
	Color        board.Color
	Points       string // during the bidding the chips left
}

// Bid is a target of the bidding with both stakes.
type Bid struct {
	Title, Stands string
	Row           board.Row // drawn instead of what stands, if there is one
	Upper, Lower  int
}

// drawBoard draws the board with its upper left corner at a point.
func (c *canvas) drawBoard(at image.Point, square int, m Match, names bool) {
	for rank := range board.Ranks {
		for file := range m.Position.Width() {
			c.drawSquare(at, square, m, board.Sq(file, rank), names)
		}
	}
}

// area returns the rectangle of a square of the board.
func (m Match) area(at image.Point, square int, s board.Square) image.Rectangle {
	x, y := s.File(), board.Ranks-1-s.Rank()
	if m.AsBlack {
		x, y = m.Position.Width()-1-x, board.Ranks-1-y
	}
	return image.Rect(0, 0, square, square).Add(at).Add(image.Pt(x*square, y*square))
}

func (m Match) isLast(s board.Square) bool { return slices.Contains(m.Last, s) }

// drawSquare draws one square; names labels files and ranks at the edges.
func (c *canvas) drawSquare(at image.Point, square int, m Match, s board.Square, names bool) {
	area, isDark := m.area(at, square, s), (s.File()+s.Rank())%2 == 0
	ground := c.lightSquare
	switch last := m.isLast(s); {
	case last && isDark:
		ground = c.darkLast
	case last:
		ground = c.lightLast
	case isDark:
		ground = c.darkSquare
	}
	c.fill(area, ground)
	if names {
		st := style{size: square / 5, bold: true, color: c.darkSquare}
		if isDark {
			st.color = c.lightSquare
		}
		if area.Min.X == at.X {
			c.write(area.Min.X+square/20, area.Min.Y+square/20+st.size*3/4, st, strconv.Itoa(s.Rank()+1), square)
		}
		if area.Max.Y == at.Y+board.Ranks*square {
			c.writeRight(area.Max.X-square/20, area.Max.Y-square/20, st, string(rune('a'+s.File())), square)
		}
	}
	if piece := m.Position.At(s); !piece.IsEmpty() {
		inset := square * 3 / 100
		c.stamp(area.Min.X+inset, area.Min.Y+inset, tileKey{piece: piece, size: square - 2*inset})
	}
}

// drawBids draws the four targets with the stakes of both players.
func (c *canvas) drawBids(area image.Rectangle, m Match) {
	c.fill(area, c.surface)
	row := area.Dy() / max(len(m.Bids), 1)
	title, stands := style{size: row / 4, bold: true, color: c.ink}, style{size: row / 6, color: c.dim}
	chip, edge := row*2/5, row/6
	for i, b := range m.Bids {
		y := area.Min.Y + i*row
		if i > 0 {
			c.fill(image.Rect(area.Min.X+edge, y, area.Max.X-edge, y+2), c.hairline)
		}
		room := area.Dx() - 2*chip - 4*edge
		c.write(area.Min.X+edge, y+row/2-row/20, title, b.Title, room)
		if b.Row == "" {
			c.write(area.Min.X+edge, y+row*3/4, stands, b.Stands, room)
		} else {
			c.drawRow(image.Pt(area.Min.X+edge, y+row*5/8), min(row*5/16, room/len(b.Row)), b.Row)
		}
		c.drawStake(area.Max.X-2*chip-2*edge, y+(row-chip)/2, chip, b.Upper, tileKey{size: chip, fill: c.foe})
		c.drawStake(area.Max.X-chip-edge, y+(row-chip)/2, chip, b.Lower, tileKey{size: chip, fill: c.mine})
	}
}

// drawRow draws White's pieces of a home row on squares, the left upper corner at a point.
func (c *canvas) drawRow(at image.Point, square int, row board.Row) {
	for file := range len(row) {
		kind, _ := board.ParseKind(row[file])
		area := image.Rect(0, 0, square, square).Add(at).Add(image.Pt(file*square, 0))
		c.fill(area, [2]color.RGBA{c.darkSquare, c.lightSquare}[file%2])
		c.stamp(area.Min.X, area.Min.Y, tileKey{piece: board.NewPiece(board.White, kind), size: square})
	}
}

// drawStake draws a chip with the number of chips staked.
func (c *canvas) drawStake(x, y, size, n int, key tileKey) {
	st, text := style{size: size * 9 / 20, bold: true, color: c.surface}, strconv.Itoa(n)
	if n == 0 {
		st.color, text = c.dim, "–"
	} else {
		c.stamp(x, y, key)
	}
	c.write(x+(size-c.width(st, text))/2, y+size/2+st.size*3/8, st, text, size)
}

// drawTug draws the bar of points.
func (c *canvas) drawTug(area image.Rectangle, share float64) {
	if share <= 0 {
		return
	}
	c.fill(area, c.foe)
	area.Max.X = area.Min.X + int(float64(area.Dx())*share+0.5)
	c.fill(area, c.mine)
}

// drawDot draws the color of a side's pieces and returns where the text after it begins.
func (c *canvas) drawDot(x, y, size int, side Side) int {
	if !side.HasColor {
		return x
	}
	c.stamp(x, y, tileKey{size: size, fill: c.ink})
	if rim := max(size/8, 2); side.Color == board.White {
		c.stamp(x+rim, y+rim, tileKey{size: size - 2*rim, fill: c.surface})
	}
	return x + size + size/2
}

// The size of link previews (Open Graph images).
const (
	CardWidth  = 1200
	CardHeight = 630
)

// Card renders a link preview of a match as PNG.
func (s *Studio) Card(m Match) ([]byte, error) {
	const margin, gap, tall = 32, 44, 566
	c := s.canvas(CardWidth, CardHeight, light)
	square := min(tall/board.Ranks, 660/m.Position.Width())
	place := image.Rect(0, 0, square*m.Position.Width(), square*board.Ranks).Add(image.Pt(margin, (CardHeight-square*board.Ranks)/2))
	if m.Bids != nil {
		place = image.Rect(margin, margin, margin+tall, margin+tall)
		c.drawBids(place, m)
	} else {
		c.drawBoard(place.Min, square, m, false)
	}
	left, right := place.Max.X+gap, CardWidth-gap
	c.drawMark(left, 44, 48, m.Site)
	c.write(left, 148, style{size: 26, color: c.dim}, m.Event, right-left)
	c.drawCardSide(left, right, 240, m.Upper, c.foe, m.Bids != nil)
	c.drawTug(image.Rect(left, 300, right, 312), m.Share)
	c.drawCardSide(left, right, 378, m.Lower, c.mine, m.Bids != nil)
	headline := style{size: 38, bold: true, color: c.ink}
	headline = c.fit(headline, m.Headline, right-left, 26)
	c.write(left, 490, headline, m.Headline, right-left)
	rules := style{size: 24, color: c.dim}
	for i, line := range c.wrap(rules, m.Rules, right-left, 3) {
		c.write(left, 532+i*32, rules, line, right-left)
	}
	return c.png()
}

// drawCardSide draws a player on a card; y is the baseline of the name.
func (c *canvas) drawCardSide(left, right, y int, side Side, own color.RGBA, chips bool) {
	end := c.drawPoints(right, y, 58, side, own, chips) - 20
	x := c.drawDot(left, y-28, 28, side)
	name := c.fit(style{size: 44, bold: true, color: c.ink}, side.Name, end-x, 19)
	c.write(x, y, name, side.Name, end-x)
	c.write(x, y+34, style{size: 24, color: c.dim}, side.Rating, end-x)
}

// drawPoints draws the points of a side, or during the bidding its remaining chips,
// right-aligned at x, and returns where they begin.
func (c *canvas) drawPoints(x, y, size int, side Side, own color.RGBA, chips bool) int {
	st := style{size: size, bold: true, color: own}
	x = c.writeRight(x, y+size/8, st, side.Points, size*8)
	if chips {
		x -= size
		c.stamp(x, y-size*3/5, tileKey{size: size * 3 / 4, fill: own})
		c.stamp(x+size/5, y-size*2/5, tileKey{size: size * 7 / 20, fill: c.paper})
	}
	return x
}

// drawMark draws the logo and name of the site: a chip with four notches and a pawn on it (templates.Mark).
func (c *canvas) drawMark(x, y, size int, name string) {
	at := func(x0, y0, x1, y1 int) image.Rectangle {
		return image.Rect(x+x0*size/32, y+y0*size/32, x+x1*size/32, y+y1*size/32)
	}
	c.stamp(x, y, tileKey{size: size, fill: c.brand})
	for _, notch := range []image.Rectangle{at(13, 1, 19, 7), at(13, 25, 19, 31), at(1, 13, 7, 19), at(25, 13, 31, 19)} {
		c.fill(notch, c.amber)
	}
	face, pawn := at(7, 7, 25, 25), at(9, 9, 23, 23)
	c.stamp(face.Min.X, face.Min.Y, tileKey{size: face.Dx(), fill: c.white})
	c.stamp(pawn.Min.X, pawn.Min.Y, tileKey{piece: board.NewPiece(board.Black, board.Pawn), size: pawn.Dx()})
	c.write(x+size+size/4, y+size*3/4, style{size: size * 3 / 4, bold: true, color: c.brand}, name, CardWidth)
}

// stillSquare is the size of a square of a shared position, in pixels.
const stillSquare = 84

// Still renders one moment of a match as PNG.
func (s *Studio) Still(m Match) ([]byte, error) {
	f := frameOf(m, stillSquare)
	c := s.canvas(f.size.X, f.size.Y, light)
	f.draw(c, m)
	return c.png()
}

// frame is the layout of a shared moment.
type frame struct {
	square                    int
	size                      image.Point
	upper, main, lower, below image.Rectangle
}

func frameOf(m Match, square int) frame {
	width, strip := square*m.Position.Width(), square*3/4
	f := frame{square: square}
	f.upper = image.Rect(0, 0, width, strip)
	f.main = image.Rect(0, strip, width, strip+square*board.Ranks)
	f.lower = image.Rect(0, f.main.Max.Y, width, f.main.Max.Y+strip)
	f.below = image.Rect(0, f.lower.Max.Y, width, f.lower.Max.Y+square/2)
	f.size = f.below.Max
	return f
}

func (f frame) draw(c *canvas, m Match) {
	f.drawMain(c, m)
	f.drawStrip(c, f.upper, m.Upper, c.foe, m.Bids != nil)
	f.drawStrip(c, f.lower, m.Lower, c.mine, m.Bids != nil)
	f.drawBelow(c, m)
}

func (f frame) drawMain(c *canvas, m Match) {
	if m.Bids != nil {
		c.drawBids(f.main, m)
		return
	}
	c.drawBoard(f.main.Min, f.square, m, true)
}

func (f frame) drawStrip(c *canvas, area image.Rectangle, side Side, own color.RGBA, chips bool) {
	c.fill(area, c.paper)
	edge, y, size := f.square/6, area.Min.Y+f.square/2, f.square*3/8
	end := c.drawPoints(area.Max.X-edge, y-size/8, size, side, own, chips) - edge
	x := c.drawDot(edge, y-size*7/8, size*7/8, side)
	name := style{size: f.square / 3, bold: true, color: c.ink}
	x = c.write(x, y, name, side.Name, end-x) + edge
	if rating := (style{size: f.square / 4, color: c.dim}); x+c.width(rating, side.Rating) < end {
		c.write(x, y, rating, side.Rating, end-x)
	}
}

func (f frame) drawBelow(c *canvas, m Match) {
	c.fill(f.below, c.paper)
	edge, y := f.square/6, f.below.Min.Y+f.square/4
	end := c.writeRight(f.below.Max.X-edge, y, style{size: f.square * 2 / 9, bold: true, color: c.brand}, m.Site, f.below.Dx()/2) - edge
	c.write(edge, y, style{size: f.square * 2 / 9, color: c.dim}, m.Caption, end-edge)
}
