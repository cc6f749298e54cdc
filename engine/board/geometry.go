package board

// Lookup tables, built once for ten files; narrower boards mask what they give.
var (
	boards  = buildBoards()
	hills   = buildHills()
	corners = buildCorners()
	leaps   = [kinds][Squares]Bitboard{
		Knight: buildLeaps([][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}),
		King:   buildLeaps([][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}),
		Dragon: buildLeaps([][2]int{{0, 2}, {2, 0}, {0, -2}, {-2, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}),
	}
	sideSteps  = buildLeaps([][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}})
	pawnLeaps  = [2][Squares]Bitboard{buildLeaps([][2]int{{-1, 1}, {1, 1}}), buildLeaps([][2]int{{-1, -1}, {1, -1}})}
	lines      = buildLines()
	rankSlides = buildRankSlides()
	fileSlides = buildFileSlides()
)

// homes are the squares of relative rank 1, births those of ranks 1 and 2, by color.
var (
	homes  = [2]Bitboard{{lo: 0xffff}, {hi: 0xffff << 48}}
	births = [2]Bitboard{{lo: 0xffffffff}, {hi: 0xffffffff << 32}}
)

// rankPoints are the points for a move that ends on a rank, by color (Rules 2).
var rankPoints = [2][Ranks]int32{{4: 1, 5: 2, 6: 3, 7: 4}, {3: 1, 2: 2, 1: 3, 0: 4}}

// line holds the file and the two diagonals through a square, without the square itself.
type line struct{ file, rising, falling Bitboard }

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

// buildHills returns the squares of the opponent's center, by width and color (Rules 7.6).
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

// buildRankSlides returns what a rook sees along its rank, by its file and the occupied
// ones among the inner files b…i: a piece on a or j blocks nothing.
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

// buildFileSlides returns what a rook sees along file a, by its rank and the occupied
// ones among ranks 2…7.
func buildFileSlides() (slides [Ranks][64]Bitboard) {
	for rank := range Ranks {
		for inner := range slides[rank] {
			occupied := inner << 1
			for _, step := range [2]int{1, -1} {
				for r := rank + step; r >= 0 && r < Ranks; r += step {
					slides[rank][inner] = slides[rank][inner].Or(bit(Sq(0, r)))
					if occupied>>r&1 != 0 {
						break
					}
				}
			}
		}
	}
	return slides
}

// A rank takes a lane of 16 bits. Multiplying by lanes puts the sum of a word's four
// lanes into the top one, and copies a single lane into all four.
const lanes = 1<<48 | 1<<32 | 1<<16 | 1

// diagonal returns what a slider sees along a diagonal. Its squares are all on different
// files, so its occupation can be gathered, looked up as if it were a rank's, and spread
// out again.
func diagonal(s Square, occupied, along Bitboard) Bitboard {
	files := (occupied.lo&along.lo | occupied.hi&along.hi) * lanes >> 48
	seen := uint64(rankSlides[s&15][files>>1&255]) * lanes
	return Bitboard{seen & along.lo, seen & along.hi}
}

// fileSlide returns what a slider sees along its file. The product has the file's square
// on rank r in bit 48+r.
func fileSlide(s Square, occupied Bitboard) Bitboard {
	file := s & 15
	ranks := (occupied.lo>>file&lanes | occupied.hi>>file&lanes<<4) * (1<<48 | 1<<33 | 1<<18 | 1<<3) >> 48
	seen := &fileSlides[s>>4&7][ranks>>1&63]
	return Bitboard{seen.lo << file, seen.hi << file}
}

func rankSlide(s Square, occupied Bitboard) Bitboard {
	hi := -uint64(s >> 6 & 1) // all ones for ranks 5…8
	word := occupied.lo ^ (occupied.lo^occupied.hi)&hi
	shift := s & 0x30
	seen := uint64(rankSlides[s&15][word>>(shift+1)&255]) << shift
	return Bitboard{seen &^ hi, seen & hi}
}

func rookSlides(s Square, occupied Bitboard) Bitboard {
	return fileSlide(s, occupied).Or(rankSlide(s, occupied))
}

func bishopSlides(s Square, occupied Bitboard) Bitboard {
	l := &lines[s]
	return diagonal(s, occupied, l.rising).Or(diagonal(s, occupied, l.falling))
}
