package board_test

import (
	"fmt"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/board"
)

// mailbox is a second opinion on the rules: letters on a grid and loops from
// square to square, written from the text of the rules and sharing nothing
// with the package but Features. It reads and writes CFEN by itself.
type mailbox struct {
	f         board.Features
	cell      [8][10]byte // letter by rank and file, 0 empty
	black     bool        // to move
	epFile    int         // of the square passed over, −1 for none
	epRank    int
	castlings [2]int // White's, Black's
	births    [2]int
	points    [2]int
	number    int
	end       string
}

// mbAction is an action: m move, O castling, P birth, x removal, s skip.
type mbAction struct {
	sort                             byte
	fromFile, fromRank, file, toRank int8
	promotion                        byte // lower case
}

func (a mbAction) String() string {
	name := func(file, rank int8) string { return string([]byte{'a' + byte(file), '1' + byte(rank)}) }
	switch a.sort {
	case 'O':
		return "O" + name(a.fromFile, a.fromRank) + name(a.file, a.toRank)
	case 'P':
		return "P@" + name(a.file, a.toRank)
	case 'x':
		return "-" + name(a.file, a.toRank)
	case 's':
		return "--"
	}
	text := name(a.fromFile, a.fromRank) + name(a.file, a.toRank)
	if a.promotion != 0 {
		text += string(a.promotion)
	}
	return text
}

func newMailbox(f board.Features, cfen string) *mailbox {
	fields := strings.Fields(cfen)
	m := &mailbox{f: f, black: fields[1] == "b", epFile: -1}
	for i, row := range strings.Split(fields[0], "/") {
		file := 0
		for len(row) > 0 {
			if strings.HasPrefix(row, "10") {
				file, row = file+10, row[2:]
				continue
			}
			if row[0] >= '1' && row[0] <= '9' {
				file += int(row[0] - '0')
			} else {
				m.cell[7-i][file] = row[0]
				file++
			}
			row = row[1:]
		}
	}
	if fields[2] != "-" {
		m.epFile, m.epRank = int(fields[2][0]-'a'), int(fields[2][1]-'1')
	}
	fmt.Sscanf(fields[3], "%d/%d", &m.castlings[0], &m.castlings[1])
	fmt.Sscanf(fields[4], "%d/%d", &m.births[0], &m.births[1])
	fmt.Sscanf(fields[5], "%d/%d", &m.points[0], &m.points[1])
	m.number, _ = strconv.Atoi(fields[6])
	return m
}

func (m *mailbox) cfen() string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		run := 0
		for file := 0; file <= m.f.Width; file++ {
			if file < m.f.Width && m.cell[rank][file] == 0 {
				run++
				continue
			}
			if run > 0 {
				fmt.Fprint(&b, run)
				run = 0
			}
			if file < m.f.Width {
				b.WriteByte(m.cell[rank][file])
			}
		}
		if rank > 0 {
			b.WriteByte('/')
		}
	}
	turn, ep := "w", "-"
	if m.black {
		turn = "b"
	}
	if m.epFile >= 0 {
		ep = fmt.Sprintf("%c%d", 'a'+m.epFile, m.epRank+1)
	}
	fmt.Fprintf(&b, " %s %s %d/%d %d/%d %d/%d %d", turn, ep, m.castlings[0], m.castlings[1],
		m.births[0], m.births[1], m.points[0], m.points[1], m.number)
	return b.String()
}

func (m *mailbox) side() int {
	if m.black {
		return 1
	}
	return 0
}

// relative is a rank seen from the player to move, from 0.
func (m *mailbox) relative(rank int) int {
	if m.black {
		return 7 - rank
	}
	return rank
}

func (m *mailbox) inside(file, rank int) bool {
	return file >= 0 && file < m.f.Width && rank >= 0 && rank < 8
}

func isBlackLetter(letter byte) bool { return letter >= 'a' }

// own tells whether the player to move has a piece there.
func (m *mailbox) own(file, rank int) bool {
	letter := m.cell[rank][file]
	return letter != 0 && isBlackLetter(letter) == m.black
}

func (m *mailbox) foe(file, rank int) bool {
	letter := m.cell[rank][file]
	return letter != 0 && isBlackLetter(letter) != m.black
}

var (
	mbKnight  = [][2]int{{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}
	mbCross   = [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	mbSlant   = [][2]int{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}
	mbDragon  = [][2]int{{2, 0}, {-2, 0}, {0, 2}, {0, -2}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}
	mbPromote = []byte("kqrbdn")
)

func (m *mailbox) actions(list []mbAction) []mbAction {
	if m.end != "" {
		return list
	}
	for rank := range 8 {
		for file := range m.f.Width {
			if !m.own(file, rank) {
				continue
			}
			leap := func(steps [][2]int, mayTakeOwn bool) {
				for _, s := range steps {
					if to, up := file+s[0], rank+s[1]; m.inside(to, up) && (mayTakeOwn || !m.own(to, up)) {
						list = append(list, mbAction{'m', int8(file), int8(rank), int8(to), int8(up), 0})
					}
				}
			}
			ride := func(steps [][2]int) {
				for _, s := range steps {
					for to, up := file+s[0], rank+s[1]; m.inside(to, up) && !m.own(to, up); to, up = to+s[0], up+s[1] {
						list = append(list, mbAction{'m', int8(file), int8(rank), int8(to), int8(up), 0})
						if m.foe(to, up) {
							break
						}
					}
				}
			}
			switch m.cell[rank][file] | 0x20 {
			case 'p':
				list = m.pawn(list, file, rank)
			case 'n':
				leap(mbKnight, false)
			case 'b':
				ride(mbSlant)
				if m.f.CornerBishops && (file == 0 || file == m.f.Width-1) && (rank == 0 || rank == 7) {
					leap(mbCross, false)
				}
			case 'r':
				ride(mbCross)
			case 'q':
				ride(mbCross)
				ride(mbSlant)
				if m.f.MightyQueens {
					leap(mbKnight, false)
				}
			case 'd':
				leap(mbDragon, false)
			case 'k':
				leap(mbCross, m.f.FierceKings)
				leap(mbSlant, m.f.FierceKings)
				if m.castlings[m.side()] > 0 && m.relative(rank) == 0 {
					list = m.castle(list, file, rank)
				}
			}
			if m.f.RemoveOwn {
				list = append(list, mbAction{'x', 0, 0, int8(file), int8(rank), 0})
			}
		}
	}
	if m.births[m.side()] > 0 {
		for rank := range 8 {
			for file := range m.f.Width {
				if m.relative(rank) < 2 && m.cell[rank][file] == 0 {
					list = append(list, mbAction{'P', 0, 0, int8(file), int8(rank), 0})
				}
			}
		}
	}
	if m.f.SkipMoves {
		list = append(list, mbAction{sort: 's'})
	}
	return list
}

func (m *mailbox) pawn(list []mbAction, file, rank int) []mbAction {
	ahead := 1
	if m.black {
		ahead = -1
	}
	step := func(to, up int) {
		a := mbAction{'m', int8(file), int8(rank), int8(to), int8(up), 0}
		if m.relative(up) != 7 {
			list = append(list, a)
			return
		}
		for _, a.promotion = range mbPromote {
			if a.promotion != 'k' || !m.f.NoKingPromotion {
				list = append(list, a)
			}
		}
	}
	if up := rank + ahead; m.inside(file, up) {
		if m.cell[up][file] == 0 {
			step(file, up)
			if m.relative(rank) == 1 && m.cell[up+ahead][file] == 0 {
				step(file, up+ahead)
			}
		}
		for _, to := range [2]int{file - 1, file + 1} {
			if m.inside(to, up) && (m.foe(to, up) || to == m.epFile && up == m.epRank) {
				step(to, up)
			}
		}
	}
	if up := rank - ahead; m.f.PawnsBack && m.inside(file, up) && m.cell[up][file] == 0 {
		step(file, up)
	}
	return list
}

func (m *mailbox) castle(list []mbAction, file, rank int) []mbAction {
	for _, toward := range [2]int{-1, 1} {
		to := file + toward
		for m.inside(to, rank) && m.cell[rank][to] == 0 {
			to += toward
		}
		if m.inside(to, rank) && m.own(to, rank) && m.cell[rank][to]|0x20 == 'r' {
			list = append(list, mbAction{'O', int8(file), int8(rank), int8(to), int8(rank), 0})
		}
	}
	return list
}

// kings counts the kings of a side.
func (m *mailbox) kings(black bool) (n int) {
	for rank := range 8 {
		for file := range m.f.Width {
			if letter := m.cell[rank][file]; letter|0x20 == 'k' && isBlackLetter(letter) == black {
				n++
			}
		}
	}
	return n
}

func (m *mailbox) after(a mbAction) *mailbox {
	next := *m
	next.do(a)
	return &next
}

func (m *mailbox) do(a mbAction) {
	us := m.side()
	epFile, epRank := m.epFile, m.epRank
	m.epFile, m.epRank = -1, 0
	file, rank := int(a.file), int(a.toRank)
	switch a.sort {
	case 'm':
		m.move(a, epFile, epRank)
	case 'O':
		king, rook := m.cell[rank][a.fromFile], m.cell[rank][file]
		toward := 1
		if file < int(a.fromFile) {
			toward = -1
		}
		m.cell[rank][a.fromFile], m.cell[rank][file] = 0, 0
		if file == int(a.fromFile)+toward {
			m.cell[rank][file], m.cell[rank][a.fromFile] = king, rook
		} else {
			m.cell[rank][int(a.fromFile)+toward] = rook
			m.cell[rank][int(a.fromFile)+2*toward] = king
		}
		m.castlings[us]--
		m.points[us] += m.f.MovePoints[board.King]
	case 'P':
		m.births[us]--
		m.cell[rank][file] = "Pp"[us]
	case 'x':
		letter := m.cell[rank][file]
		m.cell[rank][file] = 0
		if letter|0x20 == 'k' {
			m.points[1-us] += 1000
			if m.kings(m.black) == 0 {
				m.end = "kings-captured"
			}
		}
	}
	m.black = !m.black
	m.number += us
}

func (m *mailbox) move(a mbAction, epFile, epRank int) {
	us := m.side()
	file, rank := int(a.file), int(a.toRank)
	letter := m.cell[a.fromRank][a.fromFile]
	kind, _ := board.ParseKind(letter &^ 0x20)
	foes := m.kings(!m.black)
	taken := byte(0)
	if m.foe(file, rank) {
		taken = m.cell[rank][file] | 0x20
	}
	m.cell[a.fromRank][a.fromFile] = 0
	m.cell[rank][file] = letter
	m.points[us] += m.f.MovePoints[kind]
	if m.relative(rank) >= 4 {
		m.points[us] += m.relative(rank) - 3
	}
	if letter|0x20 == 'p' {
		switch {
		case a.promotion != 0:
			m.cell[rank][file] = a.promotion
			if !m.black {
				m.cell[rank][file] = a.promotion &^ 0x20
			}
		case file == epFile && rank == epRank && file != int(a.fromFile):
			m.cell[a.fromRank][file] = 0
		case (rank-int(a.fromRank) == 2 || int(a.fromRank)-rank == 2) && !m.f.NoEnPassant:
			m.epFile, m.epRank = file, (rank+int(a.fromRank))/2
		}
	}
	if letter|0x20 == 'k' {
		middle := 2*file == m.f.Width-1 || m.f.Width%2 == 0 && (file == m.f.Width/2 || file == m.f.Width/2-1)
		switch {
		case m.f.KingOfTheHill && middle && m.relative(rank) == 4:
			m.end = "king-of-the-hill"
		case m.f.KingsRun && m.relative(rank) == 7:
			m.end = "kings-run"
		}
	}
	switch {
	case m.end != "":
		m.points[us] += 1000 * foes
	case taken == 'k':
		m.points[us] += 1000
		if foes == 1 {
			m.end = "kings-captured"
		}
	}
}

func (m *mailbox) perft(depth int, room []mbAction) uint64 {
	list := m.actions(room)
	if depth == 1 {
		return uint64(len(list))
	}
	nodes := uint64(0)
	var next mailbox
	for _, a := range list {
		next = *m
		next.do(a)
		nodes += next.perft(depth-1, list[len(list):])
	}
	return nodes
}
