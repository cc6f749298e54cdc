package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"github.com/srwiley/rasterx"
	"golang.org/x/image/font/opentype"

	"chpok.org/chpok/engine/board"
)

// Studio renders pictures. It is safe for concurrent use.
type Studio struct {
	pieces        map[board.Kind]drawing
	regular, bold *opentype.Font
	palette       func() *palette

	mu    sync.Mutex
	tiles map[tileKey]*image.RGBA
}

type tileKey struct {
	piece board.Piece // none for a disc
	size  int
	fill  color.RGBA // color of a disc
}

// New returns a studio; sprite is the SVG with the site's pieces.
func New(sprite string) (*Studio, error) {
	pieces, err := readPieces(sprite)
	if err != nil {
		return nil, err
	}
	s := &Studio{pieces: pieces, tiles: map[tileKey]*image.RGBA{}}
	for _, f := range []struct {
		raw  []byte
		into **opentype.Font
	}{{regularFont, &s.regular}, {boldFont, &s.bold}} {
		if *f.into, err = opentype.Parse(f.raw); err != nil {
			return nil, fmt.Errorf("picture: font: %w", err)
		}
	}
	s.palette = sync.OnceValue(s.makePalette)
	return s, nil
}

// tile returns the image of a key, rendered once: sizes are constants, so there are few.
func (s *Studio) tile(key tileKey) *image.RGBA {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tiles[key]
	if t == nil {
		if key.piece.IsEmpty() {
			t = disc(key.size, key.fill)
		} else {
			t = s.pieces[key.piece.Kind()].tile(inks[key.piece.Color()], key.size)
		}
		s.tiles[key] = t
	}
	return t
}

// stamp draws a tile.
func (c *canvas) stamp(x, y int, key tileKey) {
	t := c.studio.tile(key)
	draw.Draw(c, t.Bounds().Add(image.Pt(x, y)), t, image.Point{}, draw.Over)
}

// disc renders a filled circle.
func disc(size int, fill color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	f := rasterx.NewFiller(size, size, rasterx.NewScannerGV(size, size, img, img.Bounds()))
	f.SetColor(fill)
	rasterx.AddCircle(float64(size)/2, float64(size)/2, float64(size)/2-0.5, f)
	f.Draw()
	return img
}

// png encodes the picture.
func (c *canvas) png() ([]byte, error) {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, c.RGBA); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return b.Bytes(), nil
}
