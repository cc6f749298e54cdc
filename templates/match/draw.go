package match

import (
	"fmt"
	"strconv"
	"strings"
)

// foldHeight is what the folded empty ranks of a start board take, in squares.
const foldHeight = 0.3

func numbered(t string, n int) string { return strings.ReplaceAll(t, "{n}", strconv.Itoa(n)) }

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 32) }

// StartView is a start position of a home row to be drawn.
type StartView struct {
	Row    string
	Folded bool // without its empty ranks
	Bare   bool // without its first rank
	Turned bool // as Black sees it
}

// x is where a file is drawn, from 0.
func (v StartView) x(file int) string {
	if v.Turned {
		file = len(v.Row) - 1 - file
	}
	return strconv.Itoa(file)
}

// y is where a rank is drawn.
func (v StartView) y(rank int) string {
	if v.Turned {
		rank = 9 - rank
	}
	if rank > 2 || !v.Folded {
		return strconv.Itoa(8 - rank)
	}
	return decimal(4 - float64(rank) + foldHeight)
}

func (v StartView) box() string {
	height := 8.0
	if v.Folded {
		height = 4 + foldHeight
	}
	if v.Bare {
		height--
	}
	return "0 0 " + strconv.Itoa(len(v.Row)) + " " + decimal(height)
}

func (v StartView) dark() string {
	ranks := []int{8, 7, 6, 5, 4, 3, 2, 1}
	if v.Folded {
		ranks = []int{8, 7, 2, 1}
	}
	if v.Bare {
		ranks = ranks[:len(ranks)-1]
	}
	var b strings.Builder
	for _, rank := range ranks {
		for file := (rank - 1) % 2; file < len(v.Row); file += 2 {
			fmt.Fprintf(&b, "M%s %sh1v1h-1z", v.x(file), v.y(rank))
		}
	}
	return b.String()
}

// foldLine stands where the empty ranks are folded away.
func foldLine(width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M0 2h%dv.3h-%dz", width, width)
	for file := range width {
		fmt.Fprintf(&b, "M%d 2.3l.5-.24l.5.24", file)
	}
	return b.String()
}
