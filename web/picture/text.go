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

// The font of the site (web/static/font) in two weights as TrueType; its license (OFL) is
// beside them.
//
//go:embed font/inter-450.ttf
var regularFont []byte

//go:embed font/inter-700.ttf
var boldFont []byte

// style is the style of a text.
type style struct {
	size  int
	bold  bool
	color color.Color
}

// canvas is a picture that is being made, by one goroutine.
type canvas struct {
	*image.RGBA
	colors
	studio *Studio
	faces  map[style]font.Face // by style without color
}

// canvas is a picture being drawn by one goroutine.
func (s *Studio) canvas(width, height int, scheme colors) *canvas {
	c := &canvas{image.NewRGBA(image.Rect(0, 0, width, height)), scheme, s, map[style]font.Face{}}
	c.fill(c.Bounds(), c.paper)
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

// width returns the width of a text.
func (c *canvas) width(st style, text string) int { return font.MeasureString(c.face(st), text).Ceil() }

// cut shortens a text to a width, with an ellipsis.
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

// fit returns the largest style down to size least in which a text has at most that
// width.
func (c *canvas) fit(st style, text string, most, least int) style {
	for st.size > least && c.width(st, text) > most {
		st.size--
	}
	return st
}

// write draws one line at a baseline, cut to a width, and returns where it ends.
func (c *canvas) write(x, y int, st style, text string, most int) int {
	d := font.Drawer{Dst: c, Src: image.NewUniform(st.color), Face: c.face(st), Dot: fixed.P(x, y)}
	d.DrawString(c.cut(st, text, most))
	return d.Dot.X.Ceil()
}

// writeRight is like write, right-aligned at x; it returns where the line begins.
func (c *canvas) writeRight(x, y int, st style, text string, most int) int {
	text = c.cut(st, text, most)
	x -= c.width(st, text)
	c.write(x, y, st, text, most)
	return x
}

// wrap breaks a text into at most that many lines and cuts the last one. A middle dot
// stays with the word before it.
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
