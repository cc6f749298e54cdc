package picture

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"slices"

	"chpok.org/chpok/engine/board"
)

// Limits of an animation: pixels per square, frames, bytes.
const (
	animationSquare = 48
	AnimationFrames = 240
	animationBytes  = 4 << 20
)

// In hundredths of a second: the longest and shortest time of a frame, the time of the
// last one, and the target for all others together.
const (
	frameSlow, frameFast = 90, 25
	frameLast            = 400
	framesTogether       = 9000
)

// Animation renders a match moment by moment as an endless GIF. Frames beyond
// AnimationFrames are dropped evenly; the last one stays.
func (s *Studio) Animation(moments []Match) ([]byte, error) {
	moments = thinned(moments)
	if len(moments) == 0 {
		return nil, errors.New("picture: an animation of nothing")
	}
	f, p := frameOf(moments[0], animationSquare), s.palette()
	c := s.canvas(f.size.X, f.size.Y, light)
	now, before := image.NewPaletted(c.Bounds(), p.colors), image.NewPaletted(c.Bounds(), p.colors)
	out := gif.GIF{Config: image.Config{ColorModel: p.colors, Width: f.size.X, Height: f.size.Y}}
	delay := min(max(framesTogether/len(moments), frameFast), frameSlow)
	for i, m := range moments {
		var changed []image.Rectangle
		if i == 0 {
			f.draw(c, m)
			changed = append(changed, c.Bounds())
		} else {
			changed = f.redraw(c, moments[i-1], m)
		}
		var area image.Rectangle
		for _, r := range changed {
			p.translate(now, c.RGBA, r)
			area = area.Union(r)
		}
		if area.Empty() {
			area = image.Rect(0, 0, 1, 1)
		}
		out.Image = append(out.Image, difference(before, now, area, i == 0))
		out.Delay = append(out.Delay, delay)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
		copy(before.Pix, now.Pix)
	}
	out.Delay[len(out.Delay)-1] = frameLast
	b := bounded{most: animationBytes}
	if err := gif.EncodeAll(&b, &out); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return b.Bytes(), nil
}

// thinned picks at most AnimationFrames moments, the last among them.
func thinned(moments []Match) []Match {
	step := (len(moments) + AnimationFrames - 1) / AnimationFrames
	if step <= 1 {
		return moments
	}
	var out []Match
	for i := (len(moments) - 1) % step; i < len(moments); i += step {
		out = append(out, moments[i])
	}
	return out
}

// redraw draws only what differs from before and returns where.
func (f frame) redraw(c *canvas, before, m Match) (changed []image.Rectangle) {
	part := func(differs bool, area image.Rectangle, draw func()) {
		if differs {
			draw()
			changed = append(changed, area)
		}
	}
	part(before.Upper != m.Upper, f.upper, func() { f.drawStrip(c, f.upper, m.Upper, c.foe, m.Bids != nil) })
	part(before.Lower != m.Lower, f.lower, func() { f.drawStrip(c, f.lower, m.Lower, c.mine, m.Bids != nil) })
	part(before.Caption != m.Caption, f.below, func() { f.drawBelow(c, m) })
	if before.Bids != nil || m.Bids != nil || before.AsBlack != m.AsBlack {
		part(true, f.main, func() { f.drawMain(c, m) })
		return changed
	}
	for rank := range board.Ranks {
		for file := range m.Position.Width() {
			s := board.Sq(file, rank)
			differs := before.Position.At(s) != m.Position.At(s) || before.isLast(s) != m.isLast(s)
			part(differs, m.area(f.main.Min, f.square, s), func() { c.drawSquare(f.main.Min, f.square, m, s, true) })
		}
	}
	return changed
}

// difference returns an area of a frame, transparent where nothing changed.
func difference(before, now *image.Paletted, area image.Rectangle, whole bool) *image.Paletted {
	out := image.NewPaletted(area, now.Palette)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		old, fresh := before.Pix[before.PixOffset(area.Min.X, y):], now.Pix[now.PixOffset(area.Min.X, y):]
		row := out.Pix[out.PixOffset(area.Min.X, y):]
		for x := range area.Dx() {
			if whole || old[x] != fresh[x] {
				row[x] = fresh[x]
			}
		}
	}
	return out
}

// palette holds the colors of all animations; the first is transparent.
type palette struct {
	colors color.Palette
	index  map[color.RGBA]uint8 // for the colors of the samples
}

// makePalette takes the most frequent colors of a board with every piece on both colors
// of squares, and of a bidding; the others map to the nearest of them.
func (s *Studio) makePalette() *palette {
	often := map[color.RGBA]int{}
	for _, m := range s.samples() {
		f := frameOf(m, animationSquare)
		c := s.canvas(f.size.X, f.size.Y, light)
		f.draw(c, m)
		for i := 0; i < len(c.Pix); i += 4 {
			often[color.RGBA{c.Pix[i], c.Pix[i+1], c.Pix[i+2], 255}]++
		}
	}
	seen := make([]color.RGBA, 0, len(often))
	for c := range often {
		seen = append(seen, c)
	}
	slices.SortFunc(seen, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(often[b], often[a]), cmp.Compare(rgb(a), rgb(b)))
	})
	p := &palette{colors: color.Palette{color.RGBA{}}, index: map[color.RGBA]uint8{}}
	for _, c := range seen[:min(len(seen), 255)] {
		p.colors = append(p.colors, c)
	}
	for c := range often {
		p.index[c] = p.nearest(c)
	}
	return p
}

func rgb(c color.RGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

func (p *palette) nearest(c color.RGBA) uint8 { return uint8(p.colors[1:].Index(c) + 1) }

// translate copies an area in the palette's colors.
func (p *palette) translate(to *image.Paletted, from *image.RGBA, area image.Rectangle) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		i, j := from.PixOffset(area.Min.X, y), to.PixOffset(area.Min.X, y)
		var last color.RGBA
		var index uint8
		for range area.Dx() {
			c := color.RGBA{from.Pix[i], from.Pix[i+1], from.Pix[i+2], 255}
			if index == 0 || c != last {
				known := false
				if index, known = p.index[c]; !known {
					index = p.nearest(c)
				}
				last = c
			}
			to.Pix[j] = index
			i, j = i+4, j+1
		}
	}
}

// samples are moments that use every color.
func (s *Studio) samples() []Match {
	setup := board.Setup{Features: board.DefaultFeatures(), FullMove: 1}
	setup.Features.Width = board.MaxWidth
	var all []board.Square
	for rank := range board.Ranks {
		for file := range board.MaxWidth {
			at := board.Sq(file, rank)
			all = append(all, at)
			setup.Pieces[at] = board.NewPiece(board.Color(rank/4), Pieces[(file+3*rank)%len(Pieces)])
		}
	}
	full, err := board.New(setup)
	if err != nil {
		panic(fmt.Errorf("picture: sample: %w", err))
	}
	m := Match{
		Position: full, Caption: "12. Ng1–f3", Site: "Chpok",
		Upper: Side{Name: "Black", Rating: "1500", HasColor: true, Color: board.Black, Points: "12"},
		Lower: Side{Name: "White", Rating: "1500", HasColor: true, Points: "3"},
	}
	marked, bids := m, m
	marked.Last = all
	bids.Bids = []Bid{{"White", "White", "", 1, 2}, {"Time", "5+3", "", 0, 4}, {"Row", "", "RNBQKBNR", 3, 0}, {"Features", "even", "", 5, 5}}
	return []Match{m, marked, bids}
}

// bounded is a buffer of limited size.
type bounded struct {
	bytes.Buffer
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, errors.New("picture: an animation of too many bytes")
	}
	return b.Buffer.Write(p)
}
