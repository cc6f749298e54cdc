package board

// Lookup tables of the geometry, written once. They know ten files; narrower
// boards mask what they give.
var (
	boards      = buildBoards()
	hills       = buildHills()
	corners     = buildCorners()
	knightLeaps = buildLeaps([][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})
	kingSteps   = buildLeaps([][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}})
	dragonLeaps = buildLeaps([][2]int{{0, 2}, {2, 0}, {0, -2}, {-2, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}})
	sideSteps   = buildLeaps([][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}})
	lines       = buildLines()
	rankSlides  = buildRankSlides()
)

// homes are the squares of relative rank 1, births those of 1 and 2, by colour.
var (
	homes  = [2]Bitboard{{lo: 0xffff}, {hi: 0xffff << 48}}
	births = [2]Bitboard{{lo: 0xffffffff}, {hi: 0xffffffff << 32}}
)

// rankPoints are the points for a move that ends on a rank, by colour (Rules 2).
var rankPoints = [2][Ranks]int32{{4: 1, 5: 2, 6: 3, 7: 4}, {3: 1, 2: 2, 1: 3, 0: 4}}

// line is the squares of one file and two diagonals through a square, without it;
// and the square itself, as it is and upside down.
type line struct{ file, rising, falling, here, mirror Bitboard }

func buildBoards() (masks [MaxWidth + 1]Bitboard) {
	for width := range masks {
		for file := range width {
			for rank := range Ranks {
				masks[width] = masks[width].Or(bit(Sq(file, rank)))
			}
		}
	}
	return masks
}

// buildHills gives the opponent's centre, by width and colour (Rules 7.6).
func buildHills() (hills [MaxWidth + 1][2]Bitboard) {
	for width := MinWidth; width <= MaxWidth; width++ {
		for _, file := range [2]int{(width - 1) / 2, width / 2} { // the same for odd widths
			hills[width][White] = hills[width][White].Or(bit(Sq(file, 4)))
			hills[width][Black] = hills[width][Black].Or(bit(Sq(file, 3)))
		}
	}
	return hills
}

func buildCorners() (corners [MaxWidth + 1]Bitboard) {
	for width := MinWidth; width <= MaxWidth; width++ {
		for _, s := range [4]Square{Sq(0, 0), Sq(width-1, 0), Sq(0, 7), Sq(width-1, 7)} {
			corners[width] = corners[width].Or(bit(s))
		}
	}
	return corners
}

func buildLeaps(steps [][2]int) (leaps [Squares]Bitboard) {
	for s := range leaps {
		for _, step := range steps {
			file, rank := s&15+step[0], s>>4+step[1]
			if file >= 0 && file < MaxWidth && rank >= 0 && rank < Ranks {
				leaps[s] = leaps[s].Or(bit(Sq(file, rank)))
			}
		}
	}
	return leaps
}

func buildLines() (lines [Squares]line) {
	for s := range lines {
		lines[s].here, lines[s].mirror = bit(Square(s)), bit(Square(s)).reverse()
		for rank := range Ranks {
			up := rank - s>>4
			if up == 0 {
				continue
			}
			l := &lines[s]
			for _, ray := range []struct {
				set  *Bitboard
				file int
			}{{&l.file, s & 15}, {&l.rising, s&15 + up}, {&l.falling, s&15 - up}} {
				if ray.file >= 0 && ray.file < MaxWidth {
					*ray.set = ray.set.Or(bit(Sq(ray.file, rank)))
				}
			}
		}
	}
	return lines
}

// buildRankSlides gives the squares of a rank that a rook sees, by its file and
// the occupation of the inner files b…i: what stands on a or j stops nothing.
func buildRankSlides() (slides [16][256]uint16) {
	for file := range MaxWidth {
		for inner := range slides[file] {
			occupied := inner << 1
			for _, step := range [2]int{1, -1} {
				for f := file + step; f >= 0 && f < MaxWidth; f += step {
					slides[file][inner] |= 1 << f
					if occupied>>f&1 != 0 {
						break
					}
				}
			}
		}
	}
	return slides
}

// slide is what a slider on s sees along a line that has at most one square on
// each rank: subtracting the slider from the occupation borrows up to the first
// piece beyond it, and the same upside down.
func (l *line) slide(occupied, along Bitboard) Bitboard {
	o := occupied.And(along)
	forward := o.minus(l.here)
	backward := o.reverse().minus(l.mirror).reverse()
	return forward.xor(backward).And(along)
}

func rankSlide(s Square, occupied Bitboard) Bitboard {
	word := occupied.lo
	if s >= 64 {
		word = occupied.hi
	}
	shift := s & 0x30
	seen := uint64(rankSlides[s&15][word>>(shift+1)&255]) << shift
	if s >= 64 {
		return Bitboard{0, seen}
	}
	return Bitboard{seen, 0}
}

func rookSlides(s Square, occupied Bitboard) Bitboard {
	l := &lines[s]
	return l.slide(occupied, l.file).Or(rankSlide(s, occupied))
}

func bishopSlides(s Square, occupied Bitboard) Bitboard {
	l := &lines[s]
	return l.slide(occupied, l.rising).Or(l.slide(occupied, l.falling))
}
