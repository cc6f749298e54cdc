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

// startY is where a rank of a start board is drawn.
func startY(rank int, folded bool) string {
	if rank > 2 || !folded {
		return strconv.Itoa(8 - rank)
	}
	return decimal(4 - float64(rank) + foldHeight)
}

func startBox(width int, folded, bare bool) string {
	height := 8.0
	if folded {
		height = 4 + foldHeight
	}
	if bare {
		height--
	}
	return "0 0 " + strconv.Itoa(width) + " " + decimal(height)
}

func startDark(width int, folded, bare bool) string {
	ranks := []int{8, 7, 6, 5, 4, 3, 2, 1}
	if folded {
		ranks = []int{8, 7, 2, 1}
	}
	if bare {
		ranks = ranks[:len(ranks)-1]
	}
	var b strings.Builder
	for _, rank := range ranks {
		for file := (rank - 1) % 2; file < width; file += 2 {
			fmt.Fprintf(&b, "M%d %sh1v1h-1z", file, startY(rank, folded))
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
