package main

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"strconv"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/board"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/web/picture"
)

// piecesCmd draws the pieces of the site's sprite for package picture, so that no site has to know how to draw curves.
type piecesCmd struct{}

// Run writes web/picture/pieces.png: a row for each color, a piece after the other.
func (c *piecesCmd) Run(ctx context.Context, std cli.IO) error {
	var sprite strings.Builder
	if err := boardview.PieceSprite().Render(ctx, &sprite); err != nil {
		return err
	}
	pieces, err := readPieces(sprite.String())
	if err != nil {
		return err
	}
	return png.Encode(std.Out, sheet(pieces))
}

// sheet puts the pieces in the places where package picture looks for them.
func sheet(pieces map[board.Kind]drawing) image.Image {
	const size = picture.PieceSize
	all := image.NewRGBA(image.Rect(0, 0, len(picture.Pieces)*size, len(inks)*size))
	for row, of := range inks {
		for column, kind := range picture.Pieces {
			tile := pieces[kind].tile(of, size)
			draw.Draw(all, tile.Bounds().Add(image.Pt(column*size, row*size)), tile, image.Point{}, draw.Src)
		}
	}
	return all
}

// inks are the colors of web/static/css/tokens.css in the light scheme, by color of the pieces.
var inks = [2]ink{
	{fill: hex(0xffffff), line: hex(0x14211e), detail: hex(0x14211e)},
	{fill: hex(0x22302c), line: hex(0x14211e), detail: hex(0xe6ead9)},
}

func hex(rgb uint32) color.RGBA {
	return color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}

// drawing is a piece of the sprite: shapes on top of each other in a box of 100 × 100.
type drawing []shape

type shape struct {
	path rasterx.Path
	look look
}

// look is how a class of the sprite is painted (web/static/css/board.css); nil: not
// painted.
type look struct {
	fill, line func(ink) color.Color
	width      float64
}

// ink holds the colors of one side's pieces.
type ink struct{ fill, line, detail color.Color }

var (
	fillOf   = func(i ink) color.Color { return i.fill }
	lineOf   = func(i ink) color.Color { return i.line }
	detailOf = func(i ink) color.Color { return i.detail }

	looks = map[string]look{
		"pc-f":      {fill: fillOf, line: lineOf, width: 4},
		"pc-f pc-l": {fill: fillOf, line: lineOf, width: 8},
		"pc-d":      {line: detailOf, width: 3.5},
		"pc-e":      {fill: detailOf},
		"pc-x":      {line: lineOf, width: 11},
		"pc-y":      {line: fillOf, width: 4.5},
	}
)

// readPieces reads the pieces of the site's sprite, a symbol "pc-K" for each kind.
func readPieces(sprite string) (map[board.Kind]drawing, error) {
	pieces := map[board.Kind]drawing{}
	var kind board.Kind
	d := xml.NewDecoder(strings.NewReader(sprite))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("pieces: sprite: %w", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		at := attributes(e)
		switch e.Name.Local {
		case "symbol":
			letter, _ := strings.CutPrefix(at["id"], "pc-")
			if len(letter) != 1 {
				return nil, fmt.Errorf("pieces: symbol %q is no piece", at["id"])
			}
			if kind, ok = board.ParseKind(letter[0]); !ok {
				return nil, fmt.Errorf("pieces: symbol %q is no piece", at["id"])
			}
		case "path", "circle":
			s, err := readShape(e.Name.Local, at)
			if err != nil {
				return nil, err
			}
			pieces[kind] = append(pieces[kind], s)
		}
	}
	for _, k := range picture.Pieces {
		if len(pieces[k]) == 0 {
			return nil, fmt.Errorf("pieces: the sprite has no %s", k)
		}
	}
	return pieces, nil
}

func attributes(e xml.StartElement) map[string]string {
	at := make(map[string]string, len(e.Attr))
	for _, a := range e.Attr {
		at[a.Name.Local] = a.Value
	}
	return at
}

func readShape(name string, at map[string]string) (s shape, err error) {
	known := false
	if s.look, known = looks[at["class"]]; !known {
		return s, fmt.Errorf("pieces: class %q of the sprite is not known here", at["class"])
	}
	if name == "path" {
		var c oksvg.PathCursor
		err = c.CompilePath(at["d"])
		s.path = c.Path
		return s, err
	}
	var n [3]float64
	for i, key := range [...]string{"cx", "cy", "r"} {
		if n[i], err = strconv.ParseFloat(at[key], 64); err != nil {
			return s, fmt.Errorf("pieces: circle: %w", err)
		}
	}
	rasterx.AddCircle(n[0], n[1], n[2], &s.path)
	return s, nil
}

// tile renders a piece on a transparent square of size pixels.
func (d drawing) tile(of ink, size int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	scale := float64(size) / 100
	m := rasterx.Identity.Scale(scale, scale)
	scanner := rasterx.NewScannerGV(size, size, img, img.Bounds())
	for _, s := range d {
		if s.look.fill != nil {
			f := rasterx.NewFiller(size, size, scanner)
			f.SetColor(s.look.fill(of))
			s.path.AddTo(&rasterx.MatrixAdder{Adder: f, M: m})
			f.Draw()
			f.Clear()
		}
		if s.look.line != nil {
			l := rasterx.NewStroker(size, size, scanner)
			l.SetColor(s.look.line(of))
			l.SetStroke(fixed.Int26_6(s.look.width*scale*64), 4<<6, rasterx.RoundCap, nil, rasterx.RoundGap, rasterx.Round)
			s.path.AddTo(&rasterx.MatrixAdder{Adder: l, M: m})
			l.Draw()
			l.Clear()
		}
	}
	return img
}
