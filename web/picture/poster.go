package picture

import (
	"image"

	"chpok.org/chpok/engine/board"
)

// Poster is a card of whatever is no match: a tournament, a player, the site.
type Poster struct {
	Site  string
	Title string
	Big   string   // a number beside the title, such as a rating
	Lines []string // one fact each
	Table []Row    // the leaders
}

// Row is one row of the table.
type Row struct{ Rank, Name, Value string }

// What fits on a poster.
const (
	PosterLines = 3
	PosterRows  = 5
)

// strip lists the pieces at the bottom of a poster.
var strip = [...]board.Kind{
	board.Rook, board.Knight, board.Bishop, board.Queen, board.King, board.Dragon,
	board.Dragon, board.King, board.Queen, board.Bishop, board.Knight, board.Rook,
}

// Poster renders a poster as PNG.
func (s *Studio) Poster(p Poster) ([]byte, error) {
	const left, right, square = 64, CardWidth - 64, CardWidth / len(strip)
	c := s.canvas(CardWidth, CardHeight, light)
	c.drawMark(left, 48, 44, p.Site)
	title := style{size: 72, bold: true, color: c.ink}
	end := right
	if p.Big != "" {
		end = c.writeRight(right, 206, style{size: 72, bold: true, color: c.chipDeep}, p.Big, 400) - 32
	}
	middle := end
	if len(p.Table) > 0 {
		middle = left + (right-left)*9/20
		title.size = 56
	}
	y := 206
	title = c.fit(title, p.Title, (middle-left)*2, 40)
	for _, line := range c.wrap(title, p.Title, middle-left, 2) {
		c.write(left, y, title, line, middle-left)
		y += title.size * 6 / 5
	}
	text := style{size: 36, color: c.dim}
	if len(p.Table) > 0 {
		text.size = 30
	}
	y += 8
	for _, line := range p.Lines[:min(len(p.Lines), PosterLines)] {
		for _, part := range c.wrap(text, line, middle-left, 2) {
			if y < CardHeight-square-16 {
				c.write(left, y, text, part, middle-left)
			}
			y += text.size * 7 / 5
		}
	}
	c.drawTable(middle+64, right, p.Table)
	for i, kind := range strip {
		m, color := board.Sq(i, 0), board.White
		if i >= len(strip)/2 {
			color = board.Black
		}
		ground := c.lightSquare
		if m.File()%2 == 0 {
			ground = c.darkSquare
		}
		area := image.Rect(i*square, CardHeight-square, (i+1)*square, CardHeight)
		c.fill(area, ground)
		c.stamp(area.Min.X+3, area.Min.Y+3, tileKey{piece: board.NewPiece(color, kind), size: square - 6})
	}
	return c.png()
}

func (c *canvas) drawTable(left, right int, rows []Row) {
	name, value := style{size: 32, bold: true, color: c.ink}, style{size: 32, bold: true, color: c.chipDeep}
	for i, r := range rows[:min(len(rows), PosterRows)] {
		y := 180 + i*64
		if i > 0 {
			c.fill(image.Rect(left, y-42, right, y-40), c.hairline)
		}
		c.write(left, y, style{size: 28, color: c.dim}, r.Rank, 52)
		end := c.writeRight(right, y, value, r.Value, 160) - 24
		c.write(left+60, y, name, r.Name, end-left-60)
	}
}
