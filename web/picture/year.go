package picture

import (
	"image"
	"image/color"
	"strconv"

	"chpok.org/chpok/engine/board"
)

// Year is a player's year as a card: whatever there is of it shares the room, so that three matches fill it as well as three hundred.
type Year struct {
	Site, Title, Score  string
	Wins, Draws, Losses int // all 0: no bar
	Figures             []Figure
	Best                Match  // its board alone
	About               string // the match of that board; empty: none
	Bids                YearList[YearBid]
	Rivals              YearList[Row] // Name and Value
	Feats               YearList[Feat]
	Dark                bool // in the dark scheme
}

// Figure is a number and what it counts.
type Figure struct{ Value, Label string }

// YearList is a part of a year with its title.
type YearList[T any] struct {
	Title string
	Lines []T
}

// YearBid is an outcome that the player raises to, and the chips they usually pay; Row is drawn instead of the text.
type YearBid struct {
	Chips        int
	Target, Text string
	Row          board.Row
}

// Feat is an achievement, and the piece that stands for it.
type Feat struct {
	Piece board.Kind
	Name  string
	Count int
}

// What fits on the card of a year.
const (
	yearFigures = 3
	yearLines   = 2 // of each list
)

// part is what takes a height in a column of a picture.
type part struct {
	height int
	draw   func(y int)
}

// Year renders a year as PNG.
func (s *Studio) Year(y Year) ([]byte, error) {
	const edge, gap = 48, 48
	scheme := light
	if y.Dark {
		scheme = dark
	}
	c := s.canvas(CardWidth, CardHeight, scheme)
	left, right := edge, CardWidth-edge
	if y.About != "" {
		left = c.drawBest(edge, y) + gap
	}
	c.drawMark(left, 32, 36, y.Site)
	title := c.fit(style{size: 60, bold: true, color: c.ink}, y.Title, right-left, 34)
	c.write(left, 132, title, y.Title, right-left)
	const top, bottom = 154, CardHeight - 28
	parts := c.yearParts(image.Rect(left, 0, right, 0), y)
	free := bottom - top
	for _, p := range parts {
		free -= p.height
	}
	between, at := min(free/max(len(parts)-1, 1), 44), top
	for _, p := range parts {
		p.draw(at)
		at += p.height + between
	}
	return c.png()
}

// drawBest draws the board of the year, and below it which match it was; it returns where it ends.
func (c *canvas) drawBest(left int, y Year) int {
	const most, tall, below = 440, 464, 56
	square := min(tall/board.Ranks, most/y.Best.Position.Width())
	width, height := square*y.Best.Position.Width(), square*board.Ranks
	at := image.Pt(left, (CardHeight-height-below)/2)
	c.drawBoard(at, square, y.Best, false)
	about := style{size: 24, bold: true, color: c.dim}
	for i, line := range c.wrap(c.fit(about, y.About, 2*width, 20), y.About, width, 2) {
		c.write(left, at.Y+height+36+30*i, about, line, width)
	}
	return left + width
}

// yearParts are the parts beside the board, in the columns of an area.
func (c *canvas) yearParts(area image.Rectangle, y Year) (parts []part) {
	if all := y.Wins + y.Draws + y.Losses; all > 0 {
		parts = append(parts, part{58, func(top int) { c.drawScore(area, top, y) }})
	} else {
		parts = append(parts, part{34, func(top int) { c.drawSentence(area, top, y.Score) }})
	}
	if figures := y.Figures[:min(len(y.Figures), yearFigures)]; len(figures) > 0 {
		parts = append(parts, part{76, func(top int) { c.drawFigures(area, top, figures) }})
	}
	if bids := y.Bids.Lines[:min(len(y.Bids.Lines), yearLines)]; len(bids) > 0 {
		parts = append(parts, part{32 + 50*len(bids), func(top int) {
			c.drawHead(area, top, y.Bids.Title)
			for i, b := range bids {
				c.drawYearBid(area, top+32+50*i, b)
			}
		}})
	}
	rivals, feats := y.Rivals.Lines[:min(len(y.Rivals.Lines), yearLines)], y.Feats.Lines[:min(len(y.Feats.Lines), yearLines)]
	if lines := max(len(rivals), len(feats)); lines > 0 {
		parts = append(parts, part{32 + 44*lines, func(top int) {
			half := area
			if len(rivals) > 0 && len(feats) > 0 {
				half.Max.X = area.Min.X + (area.Dx()-32)/2
			}
			if len(rivals) > 0 {
				c.drawRivals(half, top, y.Rivals.Title, rivals)
				half = half.Add(image.Pt(half.Dx()+32, 0))
			}
			if len(feats) > 0 {
				c.drawFeats(half, top, y.Feats.Title, feats)
			}
		}})
	}
	return parts
}

func (c *canvas) drawHead(area image.Rectangle, top int, title string) {
	c.write(area.Min.X, top+20, style{size: 22, bold: true, color: c.brand}, title, area.Dx())
}

func (c *canvas) drawSentence(area image.Rectangle, top int, text string) {
	c.write(area.Min.X, top+24, c.fit(style{size: 26, color: c.dim}, text, area.Dx(), 18), text, area.Dx())
}

// drawScore draws the score as a sentence over a bar.
func (c *canvas) drawScore(area image.Rectangle, top int, y Year) {
	c.drawSentence(area, top, y.Score)
	all, x, done := y.Wins+y.Draws+y.Losses, area.Min.X, 0
	for _, of := range []struct {
		n    int
		fill color.RGBA
	}{{y.Wins, c.mine}, {y.Draws, c.line}, {y.Losses, c.foe}} {
		done += of.n
		end := area.Min.X + area.Dx()*done/all
		c.fill(image.Rect(x, top+42, end, top+56), of.fill)
		x = end
	}
}

func (c *canvas) drawFigures(area image.Rectangle, top int, figures []Figure) {
	room := area.Dx() / len(figures)
	for i, f := range figures {
		x := area.Min.X + i*room
		c.write(x, top+38, style{size: 42, bold: true, color: c.ink}, f.Value, room-16)
		label := c.fit(style{size: 22, color: c.dim}, f.Label, room-16, 16)
		c.write(x, top+68, label, f.Label, room-16)
	}
}

// drawYearBid draws a chip with the number of them, then what is bid for.
func (c *canvas) drawYearBid(area image.Rectangle, top int, b YearBid) {
	const size = 44
	c.drawChip(image.Pt(area.Min.X, top), size, strconv.Itoa(b.Chips))
	x, y := area.Min.X+size+16, top+size/2+9
	if b.Row != "" {
		name := style{size: 26, bold: true, color: c.ink}
		x = c.write(x, y, name, b.Target, area.Max.X-x) + 16
		square := min(36, (area.Max.X-x)/len(b.Row))
		c.drawRow(image.Pt(x, top+(size-square)/2), square, b.Row)
		return
	}
	name, text := style{size: 26, bold: true, color: c.ink}, b.Target+": "+b.Text
	if c.width(c.fit(name, text, area.Max.X-x, 20), text) > area.Max.X-x {
		text = b.Text // long ones speak for themselves
	}
	name = c.fit(name, text, area.Max.X-x, 18)
	c.write(x, y, name, text, area.Max.X-x)
}

// drawChip draws a chip from above: notches at the rim, a number on the face.
func (c *canvas) drawChip(at image.Point, size int, text string) {
	notch := func(x0, y0, x1, y1 int) image.Rectangle {
		return image.Rect(x0*size/32, y0*size/32, x1*size/32, y1*size/32).Add(at)
	}
	c.stamp(at.X, at.Y, tileKey{size: size, fill: c.mine})
	for _, r := range []image.Rectangle{notch(13, 0, 19, 5), notch(13, 27, 19, 32), notch(0, 13, 5, 19), notch(27, 13, 32, 19)} {
		c.fill(r, c.paper)
	}
	face := size * 11 / 16
	c.stamp(at.X+(size-face)/2, at.Y+(size-face)/2, tileKey{size: face, fill: c.paper})
	number := style{size: size * 7 / 16, bold: true, color: c.mine}
	c.write(at.X+(size-c.width(number, text))/2, at.Y+size/2+number.size*3/8, number, text, size)
}

func (c *canvas) drawRivals(area image.Rectangle, top int, title string, rivals []Row) {
	c.drawHead(area, top, title)
	for i, r := range rivals {
		y := top + 32 + 44*i + 29
		end := c.writeRight(area.Max.X, y, style{size: 24, bold: true, color: c.dim}, r.Value, area.Dx()/2) - 16
		name := c.fit(style{size: 26, bold: true, color: c.ink}, r.Name, end-area.Min.X, 18)
		c.write(area.Min.X, y, name, r.Name, end-area.Min.X)
	}
}

func (c *canvas) drawFeats(area image.Rectangle, top int, title string, feats []Feat) {
	const tile = 40
	c.drawHead(area, top, title)
	for i, f := range feats {
		y := top + 32 + 44*i
		square := image.Rect(0, 0, tile, tile).Add(image.Pt(area.Min.X, y))
		c.fill(square, c.darkSquare)
		c.stamp(square.Min.X, square.Min.Y, tileKey{piece: board.NewPiece(board.White, f.Piece), size: tile})
		x, end := square.Max.X+12, area.Max.X
		if f.Count > 1 {
			end = c.writeRight(end, y+30, style{size: 24, bold: true, color: c.chipDeep}, "×"+strconv.Itoa(f.Count), 100) - 12
		}
		name := c.fit(style{size: 24, bold: true, color: c.ink}, f.Name, end-x, 20)
		lines, base := []string{f.Name}, y+29
		if c.width(name, f.Name) > end-x {
			name.size, base = 18, y+17
			lines = c.wrap(name, f.Name, end-x, 2)
		}
		for i, line := range lines {
			c.write(x, base+20*i, name, line, end-x)
		}
	}
}
