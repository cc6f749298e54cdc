package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// TeamPairing is a match of two teams in a round. Its boards are the pairings of the round that have its
// number, in their order. The team named first opens the bidding on odd boards.
type TeamPairing struct {
	First    EntryID   `json:"first"`
	Second   EntryID   `json:"second"`
	Contest  int       `json:"contest,omitempty"` // as Pairing.Contest
	OpenedAt time.Time `json:"openedAt,omitzero"` // when its boards opened; zero: line-ups are awaited
	Lost     [2]bool   `json:"lost,omitzero"`     // who forfeits the match, whatever was played in it
	By       player.ID `json:"by,omitempty"`      // who decided that; empty: too few players were there
	Why      string    `json:"why,omitempty"`
}

// IsForfeited reports whether the match was decided without its boards.
func (p TeamPairing) IsForfeited() bool { return p.Lost != [2]bool{} }

// TeamAt returns the team at a seat of board 1.
func (p TeamPairing) TeamAt(s match.Seat) EntryID {
	if s == match.First {
		return p.First
	}
	return p.Second
}

// SeatOf returns the seat of a team; 0: it is in another match.
func (p TeamPairing) SeatOf(team EntryID) match.Seat {
	return Pairing{First: p.First, Second: p.Second}.SeatOf(team)
}

// BoardsOf returns the boards of a match, numbered from 1.
func (r Round) BoardsOf(n int) (list []Pairing) {
	for _, p := range r.Pairings {
		if p.TeamMatch == n {
			list = append(list, p)
		}
	}
	return list
}

// Sides returns who meets whom in a round: its boards or, of teams, its matches with their numbers as boards.
func (r Round) Sides() []Pairing {
	if len(r.Teams) == 0 {
		return r.Pairings
	}
	list := make([]Pairing, 0, len(r.Teams))
	for i, p := range r.Teams {
		list = append(list, Pairing{Board: i + 1, First: p.First, Second: p.Second, Contest: p.Contest})
	}
	return list
}

// drop removes meetings of a round by their numbers (see Sides) with their boards, and numbers those that stay anew.
func (r *Round) drop(gone func(Pairing) bool) {
	r.Edited = true
	if len(r.Teams) == 0 {
		r.Pairings = slices.DeleteFunc(slices.Clone(r.Pairings), gone)
	} else {
		number, teams := map[int]int{}, []TeamPairing(nil)
		for i, p := range r.Sides() {
			if !gone(p) {
				teams = append(teams, r.Teams[i])
				number[p.Board] = len(teams)
			}
		}
		r.Teams, r.Pairings = teams, slices.DeleteFunc(slices.Clone(r.Pairings), func(p Pairing) bool { return number[p.TeamMatch] == 0 })
		for i, p := range r.Pairings {
			r.Pairings[i].TeamMatch = number[p.TeamMatch]
		}
	}
	for i := range r.Pairings {
		r.Pairings[i].Board = i + 1
	}
}

// InMatch returns the match of teams that a board belongs to and which of its boards it is, both from 1; 0, 0: players meet.
func (r Round) InMatch(board int) (n, at int) {
	if board < 1 || board > len(r.Pairings) || r.Pairings[board-1].TeamMatch == 0 {
		return 0, 0
	}
	n = r.Pairings[board-1].TeamMatch
	for at = 1; at < board && r.Pairings[board-at-1].TeamMatch == n; at++ {
	}
	return n, at
}

// MatchOf returns the match of a team with its number; 0: it has none.
func (r Round) MatchOf(team EntryID) (int, TeamPairing) {
	for i, p := range r.Teams {
		if p.SeatOf(team).Valid() {
			return i + 1, p
		}
	}
	return 0, TeamPairing{}
}

// TeamSeat returns which seat of a board in a match of teams belongs to the team at a seat of board 1.
func TeamSeat(board int, team match.Seat) match.Seat {
	if board%2 == 0 {
		return team.Other()
	}
	return team
}

// Awaited returns the matches of the latest round whose line-ups are awaited, by number.
func (l Rounds) Awaited() (list []int) {
	if len(l) == 0 {
		return nil
	}
	for i, p := range l[len(l)-1].Teams {
		if p.OpenedAt.IsZero() {
			list = append(list, i+1)
		}
	}
	return list
}

// BoardsDueAt returns when the boards of the latest round open at the latest. It reports false if no line-up is
// awaited.
func (t *Table) BoardsDueAt() (time.Time, bool) {
	if t.Status != Running || len(t.Awaited()) == 0 {
		return time.Time{}, false
	}
	return t.Rounds[len(t.Rounds)-1].OpenedAt.Add(t.Teams.LineUps), true
}

// LineUps are whom teams have named for a round, in board order.
type LineUps map[EntryID][]EntryID

// LineUpFor returns the round for which the viewer can name the players of a team now, or why there is none: the open one while a
// line-up is awaited, otherwise the next one, which may be named before it begins, the first one too. Captains name them, and so do staff who act for no
// other team.
func (t *Tournament) LineUpFor(by player.Viewer, team EntryID) (round int, err error) {
	i, next := t.index(team), len(t.Rounds)+1
	switch {
	case i < 0 || !t.IsTeam(t.Entries[i]):
		return 0, ErrNoTeam
	case !t.IsCaptain(by, team) && (!t.May(by, ActRepair) || slices.Contains(t.rivals(team), by.ID)):
		return 0, ErrNotAllowed
	case t.Status != Running && t.Status != Registration:
		return 0, ErrNotRunning
	case t.IsAwaited(team):
		return next - 1, nil
	case t.Entries[i].Status != Active, t.Status == Running && next > t.Settings.Rounds:
		return 0, ErrNotAwaited
	}
	return next, nil
}

// IsAwaited reports whether the line-up of a team is awaited for the open round.
func (l Rounds) IsAwaited(team EntryID) bool {
	return slices.ContainsFunc(l.Awaited(), func(n int) bool { return l[len(l)-1].Teams[n-1].SeatOf(team).Valid() })
}

// CheckLineUp returns nil, or ErrLineUpOrder unless a line-up is players of the team who are in, in board order: leaving
// players out moves up those behind them, so that what is empty are the last boards.
func (t *Table) CheckLineUp(team EntryID, players []EntryID) error {
	roster := t.Roster(team)
	if len(players) < 1 || len(players) > t.Teams.Boards {
		return ErrLineUpOrder
	}
	for _, id := range players {
		i := slices.IndexFunc(roster, func(e Entry) bool { return e.ID == id })
		if i < 0 {
			return ErrLineUpOrder
		}
		roster = roster[i+1:]
	}
	return nil
}

// lineUp returns who sits down for a team in a round: the players that were named, or else the first of the
// roster, without those who are out, and nobody if the team has left.
func (t *Table) lineUp(round int, team EntryID, named []EntryID) (list []EntryID) {
	if e := t.Entries[t.index(team)]; e.Status != Active || !t.sitsDown(e, round) { // it may leave while its line-up is awaited
		return nil
	}
	for _, e := range t.Roster(team) {
		if _, out := e.askedBye(round); out || named != nil && !slices.Contains(named, e.ID) {
			continue
		}
		list = append(list, e.ID)
	}
	return list[:min(len(list), t.Teams.Boards)]
}

// OpenTeamMatch opens the boards of a match of the latest round. named holds the line-ups that were handed in, by
// team. At a board where nobody sits stands the team itself, and who sits opposite wins by forfeit. A team without
// Teams.LeastPresent players forfeits the match. It returns the boards it adds.
func (t *Tournament) OpenTeamMatch(n int, named LineUps, newID func() match.ID, now time.Time) ([]Pairing, error) {
	switch {
	case t.Status != Running:
		return nil, ErrNotRunning
	case !slices.Contains(t.Awaited(), n):
		return nil, ErrNotAwaited
	}
	t.Rounds = slices.Clone(t.Rounds)
	r := &t.Rounds[len(t.Rounds)-1]
	r.Teams = slices.Clone(r.Teams)
	return t.openTeamMatch(r, n, named, newID, now), nil
}

func (t *Table) openTeamMatch(r *Round, n int, named LineUps, newID func() match.ID, now time.Time) (boards []Pairing) {
	m := &r.Teams[n-1]
	var lists [2][]EntryID
	for _, s := range match.Seats {
		list := t.lineUp(r.Number, m.TeamAt(s), named[m.TeamAt(s)])
		if lists[s.Index()] = list; !m.IsForfeited() || m.By == "" {
			m.Lost[s.Index()] = len(list) < t.Teams.LeastPresent()
		}
	}
	m.OpenedAt = now
	for k := range t.Teams.Boards {
		p := Pairing{Board: len(r.Pairings) + 1, TeamMatch: n}
		var there [2]bool // by seat at the board
		for _, s := range match.Seats {
			id, seat := m.TeamAt(s), TeamSeat(k+1, s)
			there[seat.Index()] = m.IsForfeited() && !m.Lost[s.Index()] // every board is forfeited
			if k < len(lists[s.Index()]) {
				id = lists[s.Index()][k]
				there[seat.Index()] = !m.Lost[s.Index()]
			}
			if seat == match.First {
				p.First = id
			} else {
				p.Second = id
			}
		}
		if p.Result = absent(!there[0], !there[1], now); p.Result.IsPending() {
			t.NameMatch(&p, newID)
		} else {
			p.Result.Gone = t.Gone()
		}
		r.Pairings = append(r.Pairings, p)
		boards = append(boards, p)
	}
	return boards
}

// UsualLineUp returns whom a team probably sends to a round: those of its last match who are free, then the first of its roster.
func (t *Table) UsualLineUp(team EntryID, round int) []EntryID {
	return t.usual(team, func(e Entry) bool { _, out := e.askedBye(round); return !out })
}

// ProbableLineUp is UsualLineUp as everybody may know it: who cannot play in the round is nobody's business outside of the team.
func (t *Table) ProbableLineUp(team EntryID) []EntryID {
	return t.usual(team, func(Entry) bool { return true })
}

// usual returns those of a team's last match who can sit down and, for the boards left, others of its roster, all in its order.
func (t *Table) usual(team EntryID, can func(Entry) bool) []EntryID {
	var free, list []EntryID
	for _, e := range t.Roster(team) {
		if can(e) {
			free = append(free, e.ID)
		}
	}
	for _, r := range slices.Backward(t.Rounds) {
		n, m := r.MatchOf(team)
		if n == 0 || m.OpenedAt.IsZero() {
			continue
		}
		for k, p := range r.BoardsOf(n) {
			if id := p.EntryAt(TeamSeat(k+1, m.SeatOf(team))); slices.Contains(free, id) {
				list = append(list, id)
			}
		}
		break
	}
	for _, id := range free {
		if len(list) < t.Teams.Boards && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return slices.DeleteFunc(free, func(id EntryID) bool { return !slices.Contains(list, id) })
}

// absent returns the result of a board whose players are not both there; pending if they are.
func absent(first, second bool, now time.Time) Result {
	r := Result{Reason: match.Forfeit, At: now}
	switch {
	case first && second:
		r.Kind = DoubleForfeit
	case first:
		r.Kind = SecondByForfeit
	case second:
		r.Kind = FirstByForfeit
	default:
		return Result{}
	}
	return r
}

// MatchForfeit is the decision that teams forfeit a match of a round; nobody: it is lifted.
type MatchForfeit struct {
	Round, Match int
	Lost         [2]bool // by the seats on board 1
	Why          string
	Replay       bool // knock-out: matches of teams that should not have met are taken back
}

// ForfeitMatch decides that one or both teams of a match forfeit it: all its boards become
// forfeits, and what was played stays for ratings and stands again if nobody does later. It returns the matches that are
// no longer played. If isPlaying reports that one is in play, it fails with ErrBeingPlayed: the arbiter has to end it first.
// In a knock-out it fails with ErrGoesOn if others play on already and Replay is not set.
func (t *Tournament) ForfeitMatch(by player.Viewer, x MatchForfeit, isPlaying func(match.ID) bool, now time.Time) (void []match.ID, err error) {
	switch {
	case !t.May(by, ActForfeitMatch):
		return nil, ErrNotAllowed
	case t.Status == Finalized:
		return nil, ErrFinalized
	case t.Status != Running && t.Status != Finished:
		return nil, ErrNotRunning
	case x.Round < 1 || x.Round > len(t.Rounds) || x.Match < 1 || x.Match > len(t.Rounds[x.Round-1].Teams):
		return nil, ErrNoBoard
	}
	c := t.Clone()
	r := &c.Rounds[x.Round-1]
	m := &r.Teams[x.Match-1]
	m.Lost, m.By, m.Why = x.Lost, by.ID, x.Why
	if x.Lost == [2]bool{} {
		m.By, m.Why = "", ""
	}
	if m.OpenedAt.IsZero() {
		*t = *c // it opens with that
		return nil, nil
	}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		if p.TeamMatch == x.Match && (c.isEmptySeat(p.First) || c.isEmptySeat(p.Second)) { // as it stands without a decision
			p.Result.Kind, p.Result.Was = absent(c.isEmptySeat(p.First), c.isEmptySeat(p.Second), now).Kind, Pending
		}
		if p.TeamMatch != x.Match || !p.Result.IsPending() || x.Lost == [2]bool{} {
			continue
		}
		if p.Match != "" && isPlaying(p.Match) {
			return nil, ErrBeingPlayed
		}
		if p.Match != "" {
			void = append(void, p.Match)
		}
		first, second := c.lostBy(*m, *p)
		p.Result = absent(first, second, now)
		p.Result.By = by.ID
	}
	c.decideNow(x.Round, Pairing{TeamMatch: x.Match})
	c.judgeLeavers()
	reach := FromNow
	if x.Replay {
		reach = Replay
	}
	if err := c.advance(reach); err != nil {
		return nil, err
	}
	*t = *c
	return void, nil
}

// lostBy returns who forfeits a board because their team forfeits the match.
func (l Entries) lostBy(m TeamPairing, p Pairing) (first, second bool) {
	return m.Lost[m.SeatOf(l.SideOf(p.First)).Index()], m.Lost[m.SeatOf(l.SideOf(p.Second)).Index()]
}

// Reseat puts another player of the same team, who does not sit at the match, at a board of the latest round before its
// first bid, or nobody: the team itself. It returns the matches that are no longer played and the boards that have new ones.
func (t *Tournament) Reseat(by player.Viewer, board int, out, in EntryID, begun func(match.ID) bool, newID func() match.ID, now time.Time) (
	void []match.ID, changed []Pairing, err error) {
	c := t.Clone()
	p, err := c.pairing(len(t.Rounds), board)
	switch {
	case !t.May(by, ActRepair):
		return nil, nil, ErrNotAllowed
	case t.Status != Running:
		return nil, nil, ErrNotRunning
	case err != nil:
		return nil, nil, err
	case p.TeamMatch == 0:
		return nil, nil, ErrNoTeams
	}
	r := &c.Rounds[len(t.Rounds)-1]
	team, seat, i := c.SideOf(out), p.SeatOf(out), c.index(in)
	isGap := p.Result.By == "" && p.Match == "" && p.Result.Reason == match.Forfeit // nobody sat down at it
	switch {
	case !seat.Valid():
		return nil, nil, ErrMoved
	case i < 0 || in == out || in != team && (c.Entries[i].Team != team || c.Entries[i].Status != Active):
		return nil, nil, ErrNoEntry
	case r.Teams[p.TeamMatch-1].IsForfeited(), !p.Result.IsPending() && !isGap, p.Match != "" && begun(p.Match):
		return nil, nil, ErrBeingPlayed
	case in != team && slices.ContainsFunc(r.BoardsOf(p.TeamMatch), func(q Pairing) bool { return q.SeatOf(in).Valid() }):
		return nil, nil, ErrSeated
	}
	if p.Match != "" {
		void = append(void, p.Match)
	}
	if seat == match.First {
		p.First = in
	} else {
		p.Second = in
	}
	p.Match = ""
	p.Result = absent(c.IsTeam(c.Entries[c.index(p.First)]), c.IsTeam(c.Entries[c.index(p.Second)]), now)
	if p.Result.IsPending() {
		c.NameMatch(p, newID)
	}
	r.Edited = true
	changed = append(changed, *p)
	*t = *c
	return void, changed, nil
}
