package picture

import (
	"bytes"
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/font/opentype"

	"chpok.org/chpok/engine/board"
)

// Studio renders pictures. It is safe for concurrent use.
type Studio struct {
	pieces        *image.RGBA // as in the file
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

// Pieces are the kinds in the order of the file, where each is a square of PieceSize pixels, White's in the first row.
var Pieces = [...]board.Kind{board.King, board.Queen, board.Rook, board.Bishop, board.Knight, board.Dragon, board.Pawn}

// PieceSize is at least twice what any picture needs.
const PieceSize = 192

//go:generate sh -c "go run ../../cmd/chpok-lab pieces > pieces.new && mv pieces.new pieces.png"
//go:embed pieces.png
var piecesFile []byte

// Open returns the studio of this process: what it has drawn once, it keeps.
var Open = sync.OnceValues(furnish)

func furnish() (*Studio, error) {
	file, err := png.Decode(bytes.NewReader(piecesFile))
	if err != nil {
		return nil, fmt.Errorf("picture: pieces: %w", err)
	}
	s := &Studio{pieces: image.NewRGBA(file.Bounds()), tiles: map[tileKey]*image.RGBA{}}
	draw.Draw(s.pieces, file.Bounds(), file, image.Point{}, draw.Src)
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
			t = s.piece(key.piece, key.size)
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

// piece renders a piece on a transparent square.
func (s *Studio) piece(p board.Piece, size int) *image.RGBA {
	at := image.Pt(slices.Index(Pieces[:], p.Kind()), int(p.Color())).Mul(PieceSize)
	to := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.BiLinear.Scale(to, to.Bounds(), s.pieces, image.Rectangle{at, at.Add(image.Pt(PieceSize, PieceSize))}, draw.Src, nil)
	return to
}

// disc renders a filled circle.
func disc(size int, fill color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	middle := float64(size)/2 - 0.5
	for y := range size {
		for x := range size {
			inside := middle + 0.5 - math.Hypot(float64(x)-middle, float64(y)-middle) // by about as much is the pixel covered
			covered := uint16(255 * min(1, max(0, inside)))
			img.SetRGBA(x, y, color.RGBA{uint8(uint16(fill.R) * covered / 255), uint8(uint16(fill.G) * covered / 255),
				uint8(uint16(fill.B) * covered / 255), uint8(covered)})
		}
	}
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
