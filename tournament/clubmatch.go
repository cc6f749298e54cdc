package tournament

import (
	"cmp"
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// Side is one of the two clubs of a club match. The zero value: neither.
type Side uint8

const (
	HomeSide  Side = iota + 1 // of the club in whose name the match is held
	GuestSide                 // of its opponent
)

// Sides are both.
var Sides = []Side{HomeSide, GuestSide}

// Other is the opponent's side.
func (s Side) Other() Side { return HomeSide + GuestSide - s }

// MaxBoards is the size of the largest club match.
const MaxBoards = 50

// What a club match refuses.
var (
	ErrLineUp    = refusal.Conflict("clubmatch.error.line-up", "tournament: in a club match the clubs name who plays")
	ErrLaidOpen  = refusal.Conflict("clubmatch.error.laid-open", "tournament: the line-ups are laid open")
	ErrNoLineUps = refusal.Conflict("clubmatch.error.no-line-ups", "tournament: the line-ups are not laid open yet")
)

// HasTable reports whether the format itself says who meets whom, so that who is not
// there forfeits instead of being left out.
func (f Format) HasTable() bool { return f == RoundRobin || f == ClubMatch || f == KnockOut }

// clubMatchProblems are the faults of what only a club match has.
func (s Settings) clubMatchProblems(f *setting.Faults) {
	if s.Format != ClubMatch {
		if s.OpponentID != "" || s.Boards != 0 || !s.LineUpsBy.IsZero() {
			f.Add("opponentId", "unsuitable", "only a club match has an opponent, boards and line-ups")
		}
		return
	}
	if s.ClubID == "" || s.OpponentID == "" || s.ClubID == s.OpponentID {
		f.Add("opponentId", "missing", "a club match is between two clubs")
	}
	if s.Boards < 1 || s.Boards > MaxBoards {
		f.Add("boards", "range", "a club match has 1…%d boards, not %d", MaxBoards, s.Boards)
	}
	if s.LineUpsBy.IsZero() {
		f.Add("lineUpsBy", "missing", "line-ups need a time by which they are named")
	}
	if s.Numbering != ByRating && s.Numbering != Given {
		f.Add("numbering", "unsuitable", "boards are ordered by rating or as the captains say")
	}
}

// LineUpsDueAt is when the line-ups are laid open at the latest; false: they are,
// or this is no club match.
func (t *Course) LineUpsDueAt() (time.Time, bool) {
	return t.LineUpsBy, t.Format == ClubMatch && t.Status < Running && t.LineUpsAt.IsZero()
}

// MayPlay is nil or why somebody whom their club names does not come in: the
// demands of fair play (*fairplay.UnmetError), player.ErrBarred.
func (t *Tournament) MayPlay(c Candidate) error {
	if t.HonourNoShows && c.Barred {
		return player.ErrBarred
	}
	return t.Admits(c.Standing, false)
}

// LayOpen makes the line-ups entries, board by board. Where a club has named too
// few the last boards stay empty: an entry that is withdrawn from the start, so
// that whoever sits opposite wins by forfeit.
func (t *Course) LayOpen(lineUps [2][]Candidate, now time.Time) error {
	switch {
	case t.Format != ClubMatch:
		return ErrLineUp
	case t.Status >= Running:
		return ErrStarted
	case !t.LineUpsAt.IsZero():
		return ErrLaidOpen
	}
	t.LineUpsAt = now
	t.Entries = slices.Clone(t.Entries)
	for i, side := range Sides {
		list := slices.Clone(lineUps[i][:min(len(lineUps[i]), t.Boards)])
		if t.Numbering == ByRating {
			slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(b.Rating, a.Rating) })
		}
		for k := range t.Boards {
			e := Entry{ID: EntryID(len(t.Entries) + 1), Name: "—", Status: Withdrawn, From: 1, Side: side, EnteredAt: now}
			if k < len(list) {
				c := list[k]
				e.Player, e.Name, e.Club, e.Rating, e.Bot, e.Status = c.Player, c.Name, c.Club, max(0, c.Rating), c.Bot, Active
			}
			t.Entries = append(t.Entries, e)
		}
	}
	return nil
}

// IsEmptyBoard tells an entry that stands for nobody.
func (e Entry) IsEmptyBoard() bool { return e.Side != 0 && e.Player == "" && e.Status == Withdrawn }

// numberBoards gives board k of the home club number 2k-1, that of its opponent 2k.
func (l Entries) numberBoards() {
	board := map[Side]int{}
	for i, e := range l {
		board[e.Side]++
		l[i].Number = 2*board[e.Side] - 2 + int(e.Side)
	}
}
