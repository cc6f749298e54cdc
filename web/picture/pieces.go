package picture

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"strconv"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"

	"chpok.org/chpok/engine/board"
)

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
			return nil, fmt.Errorf("picture: sprite: %w", err)
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
				return nil, fmt.Errorf("picture: symbol %q is no piece", at["id"])
			}
			if kind, ok = board.ParseKind(letter[0]); !ok {
				return nil, fmt.Errorf("picture: symbol %q is no piece", at["id"])
			}
		case "path", "circle":
			s, err := readShape(e.Name.Local, at)
			if err != nil {
				return nil, err
			}
			pieces[kind] = append(pieces[kind], s)
		}
	}
	for _, k := range kinds {
		if len(pieces[k]) == 0 {
			return nil, fmt.Errorf("picture: the sprite has no %s", k)
		}
	}
	return pieces, nil
}

var kinds = [...]board.Kind{board.King, board.Queen, board.Rook, board.Bishop, board.Knight, board.Dragon, board.Pawn}

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
		return s, fmt.Errorf("picture: class %q of the sprite is not known here", at["class"])
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
			return s, fmt.Errorf("picture: circle: %w", err)
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
