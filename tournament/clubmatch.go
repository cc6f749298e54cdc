package tournament

import (
	"cmp"
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// Side is one of the two clubs of a club match. The zero value is neither.
type Side uint8

const (
	HomeSide  Side = iota + 1 // the club that holds the match
	GuestSide                 // its opponent
)

// Sides lists both sides.
var Sides = []Side{HomeSide, GuestSide}

// Other returns the opponent's side.
func (s Side) Other() Side { return HomeSide + GuestSide - s }

// MaxBoards limits the boards of a club match.
const MaxBoards = 50

// Refusals of club matches.
var (
	ErrLineUp    = refusal.Conflict("clubmatch.error.line-up", "tournament: the clubs choose the players of a club match")
	ErrLaidOpen  = refusal.Conflict("clubmatch.error.laid-open", "tournament: the line-ups are published")
	ErrNoLineUps = refusal.Conflict("clubmatch.error.no-line-ups", "tournament: the line-ups are not published yet")
)

// clubMatch is a match between two clubs.
type clubMatch struct{ usual }

func (clubMatch) traits() traits {
	return traits{name: "club-match", table: true, lineUps: true, report: "CUSTOM_CLUB_MATCH"}
}

// bounds returns that one player is enough: the other boards are forfeited.
func (clubMatch) bounds(Settings) (least, most int) { return 1, MaxPlayers }

func (clubMatch) rounds(t *Table) int { return t.meetings() }

func (clubMatch) edits(k EditKind) error { return swapsOnly(k) }

func (clubMatch) foreign(s Settings, f *setting.Faults) {
	if s.OpponentID != "" || s.Boards != 0 || !s.LineUpsBy.IsZero() {
		f.Add("opponentId", "unsuitable", "only a club match has an opponent, boards and line-ups")
	}
}

func (clubMatch) faults(s Settings, f *setting.Faults) {
	if s.ClubID == "" || s.OpponentID == "" || s.ClubID == s.OpponentID {
		f.Add("opponentId", "missing", "a club match is between two clubs")
	}
	if s.Boards < 1 || s.Boards > MaxBoards {
		f.Add("boards", "range", "a club match has 1…%d boards, not %d", MaxBoards, s.Boards)
	}
	if s.LineUpsBy.IsZero() {
		f.Add("lineUpsBy", "missing", "line-ups need a deadline")
	}
	if s.Numbering != ByRating && s.Numbering != Given {
		f.Add("numbering", "unsuitable", "boards are ordered by rating or by the captains")
	}
}

// LineUpsDueAt returns when the line-ups are published at the latest. It reports false if they
// are, or if this is not a club match.
func (t *Tournament) LineUpsDueAt() (time.Time, bool) {
	return t.LineUpsBy, t.Format.HasLineUps() && t.Status < Running && t.LineUpsAt.IsZero()
}

// MayPlay returns nil, or why a player cannot play for their club: a *fairplay.UnmetError or
// player.ErrBarred.
func (t *Tournament) MayPlay(c Candidate) error {
	if t.HonourNoShows && c.Barred {
		return player.ErrBarred
	}
	return t.Admits(c.Standing, false)
}

// LayOpen publishes the line-ups: it makes them entries, board by board. If a club named too
// few players, its last boards are empty: withdrawn entries, whose opponents win by forfeit.
func (t *Tournament) LayOpen(lineUps [2][]Candidate, now time.Time) error {
	switch {
	case !t.Format.HasLineUps():
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

// IsEmptyBoard reports whether an entry stands for a player that a club did not name.
func (e Entry) IsEmptyBoard() bool { return e.Side != 0 && e.Player == "" && e.Status == Withdrawn }

// numberBoards gives board k of the home club the number 2k-1, and that of its opponent 2k.
func (l Entries) numberBoards() {
	board := map[Side]int{}
	for i, e := range l {
		board[e.Side]++
		l[i].Number = 2*board[e.Side] - 2 + int(e.Side)
	}
}
