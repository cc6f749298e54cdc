package picture

import (
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The letters of the site (web/static/font) in two weights, as outlines that Go
// can read; OFL, its text stands beside them.
//
//go:embed font/inter-450.ttf
var regularFont []byte

//go:embed font/inter-700.ttf
var boldFont []byte

// style is how a text is written.
type style struct {
	size  int
	bold  bool
	color color.Color
}

// canvas is a picture that is being made, by one goroutine.
type canvas struct {
	*image.RGBA
	studio *Studio
	faces  map[style]font.Face // without color
}

func (s *Studio) canvas(width, height int) *canvas {
	c := &canvas{image.NewRGBA(image.Rect(0, 0, width, height)), s, map[style]font.Face{}}
	c.fill(c.Bounds(), paper)
	return c
}

func (c *canvas) fill(area image.Rectangle, with color.Color) {
	draw.Draw(c, area, image.NewUniform(with), image.Point{}, draw.Src)
}

func (c *canvas) face(st style) font.Face {
	st.color = nil
	if f, known := c.faces[st]; known {
		return f
	}
	of := c.studio.regular
	if st.bold {
		of = c.studio.bold
	}
	f, err := opentype.NewFace(of, &opentype.FaceOptions{Size: float64(st.size), DPI: 72})
	if err != nil {
		panic(fmt.Errorf("picture: face of size %d: %w", st.size, err)) // sizes are constants
	}
	c.faces[st] = f
	return f
}

// width is how wide a text is.
func (c *canvas) width(st style, text string) int { return font.MeasureString(c.face(st), text).Ceil() }

// cut is a text that is at most so wide, with an ellipsis where it was longer.
func (c *canvas) cut(st style, text string, most int) string {
	if c.width(st, text) <= most {
		return text
	}
	letters := []rune(text)
	for len(letters) > 0 && c.width(st, string(letters)+"…") > most {
		letters = letters[:len(letters)-1]
	}
	return strings.TrimRight(string(letters), " ,·–") + "…"
}

// fit is the style in which a text is at most so wide, down to a least size.
func (c *canvas) fit(st style, text string, most, least int) style {
	for st.size > least && c.width(st, text) > most {
		st.size--
	}
	return st
}

// write puts one line at a baseline, cut to a width; it answers where it ends.
func (c *canvas) write(x, y int, st style, text string, most int) int {
	d := font.Drawer{Dst: c, Src: image.NewUniform(st.color), Face: c.face(st), Dot: fixed.P(x, y)}
	d.DrawString(c.cut(st, text, most))
	return d.Dot.X.Ceil()
}

// writeRight is write with the end of the line at x; it answers where it begins.
func (c *canvas) writeRight(x, y int, st style, text string, most int) int {
	text = c.cut(st, text, most)
	x -= c.width(st, text)
	c.write(x, y, st, text, most)
	return x
}

// wrap breaks a text into at most so many lines; the last one is cut. A dot
// between two parts stays with the first of them.
func (c *canvas) wrap(st style, text string, most, lines int) []string {
	var out []string
	line := ""
	for word := range strings.SplitSeq(strings.ReplaceAll(text, " ·", "\u00a0·"), " ") {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && c.width(st, longer) > most && len(out) < lines-1 {
			out = append(out, line)
			longer = word
		}
		line = longer
	}
	return append(out, c.cut(st, line, most))
}
