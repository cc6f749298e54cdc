package board

import "fmt"

// Ranks is the number of ranks of every board; MinWidth and MaxWidth bound its files
// (Rules 1).
const (
	Ranks    = 8
	MinWidth = 6
	MaxWidth = 10
)

// Square is rank·16 + file, both from 0: e4 is the same number at every width, and the
// six unused columns absorb what would wrap around.
type Square uint8

// Squares is one more than the highest square number.
const Squares = 128

// Sq returns the square of a file (0…9) and a rank (0…7).
func Sq(file, rank int) Square { return Square(rank<<4 | file) }

// ParseSquare reads a square's name, "a1" to "j8".
func ParseSquare(s string) (Square, error) {
	if len(s) == 2 {
		file, rank := int(s[0])-'a', int(s[1])-'1'
		if file >= 0 && file < MaxWidth && rank >= 0 && rank < Ranks {
			return Sq(file, rank), nil
		}
	}
	return 0, fmt.Errorf("%q is not a square", s)
}

// File returns 0 for file a.
func (s Square) File() int { return int(s & 15) }

// Rank returns 0 for rank 1.
func (s Square) Rank() int { return int(s >> 4) }

// String returns the square's name.
func (s Square) String() string {
	return string([]byte{'a' + byte(s&15), '1' + byte(s>>4)})
}

func (s Square) append(b []byte) []byte { return append(b, 'a'+byte(s&15), '1'+byte(s>>4)) }

// relativeRank counts ranks from the player's own home row, from 0.
func (s Square) relativeRank(c Color) int { return int(s>>4) ^ int(-c&7) }

func (s Square) onBoard(width int) bool { return s.File() < width && s.Rank() < Ranks }
