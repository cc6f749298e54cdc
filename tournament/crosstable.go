package tournament

import (
	"slices"

	"chpok.org/chpok/engine/match"
)

// Field returns the field of all rounds, for standings and reports.
func (t *Table) Field() Field { return t.FieldAfter(len(t.Rounds)) }

// FieldAfter returns the field after a number of rounds, for standings and reports.
//
// A player who leaves a round robin before half of the games does not count, as if the
// others had rested in those rounds. After half of them, results stand and the rest is
// forfeited (FIDE's general regulations for competitions). Ratings count every game played.
func (t *Table) FieldAfter(rounds int) Field {
	if !t.Format.InRounds() { // see arenas.Table
		rounds = 0
	}
	f := t.field(min(rounds, len(t.Rounds)), true)
	if t.Format.HasBracket() && t.Status >= Running {
		f.Places = t.Bracket(rounds).Places()
	}
	return f
}

// ReportField returns the field of all rounds with those who left a round robin too early to
// count: reports hold every game (see Field for what counts).
func (t *Table) ReportField() Field {
	f := t.Field()
	if t.Format.MeetsAll() {
		all := t.field(len(t.Rounds), false)
		f.Players, f.Teams = all.Players, all.Teams
	}
	return f
}

// PairingField returns what the next round is paired from: all rounds so far, and for each
// player who cannot be paired an entry beyond them. A format with a table pairs everyone,
// even those who left.
func (t *Table) PairingField() Field {
	f := t.field(len(t.Rounds), false)
	switch {
	case t.Format.HasBracket():
		t.restOthers(&f)
		return f
	case t.Format.HasTable():
		return f
	}
	next := len(t.Rounds) + 1
	entries := make(map[int]Entry, len(t.Entries))
	for _, e := range t.Entries {
		entries[e.Number] = e
	}
	for i := range f.Players {
		e := entries[f.Players[i].Number]
		kind, asked := e.askedBye(next)
		if !e.TakesPart(next) || !asked && !t.hasCheckedIn(e, next) {
			kind, asked = ZeroBye, true
		}
		if asked {
			f.Players[i].Rounds = append(f.Players[i].Rounds, RoundResult{Outcome: kind})
		}
	}
	return f
}

// restOthers gives players without a board in the next round of a knock-out a bye.
func (t *Table) restOthers(f *Field) {
	due := map[int]bool{}
	boards, _ := t.BracketPairing().Pair(*f) // it never fails
	for _, b := range boards.Boards {
		due[b.First], due[b.Second] = true, true
	}
	for i, p := range f.Players {
		if !due[p.Number] {
			f.Players[i].Rounds = append(p.Rounds, RoundResult{Outcome: ZeroBye})
		}
	}
}

func (t *Table) field(played int, withoutAnnulled bool) Field {
	f := Field{
		Name: t.Name, Rounds: t.Settings.Rounds, Played: played, Points: t.sidePoints(),
		Opening: t.Opening, RoundRobin: t.Format.MeetsAll(), System: t.Format.ReportSystem(t.HasTeams()),
	}
	number := make([]int, len(t.Entries)+1) // by entry id; 0: not in the field
	place := make([]int, len(t.Entries)+1)
	for _, e := range t.Entries {
		if e.Number == 0 || withoutAnnulled && t.annulled(e) {
			continue
		}
		number[e.ID] = e.Number
		place[e.ID] = len(f.Players)
		p := FieldPlayer{Number: e.Number, Name: e.Name, Rating: e.Rating, Rounds: make([]RoundResult, played), Virtual: t.Virtual(e),
			Carried: t.Carried(e.ID)}
		for r := range played {
			p.Rounds[r].Outcome = e.LateBye
			if r+1 >= e.From {
				p.Rounds[r].Outcome = ZeroBye
			}
		}
		f.Players = append(f.Players, p)
	}
	if t.HasTeams() {
		t.asTeams(&f, played)
	}
	for r, round := range t.Rounds[:played] {
		if t.HasTeams() {
			t.addMatches(&f, r, number, place)
		}
		for _, p := range round.Pairings {
			if p.TeamMatch != 0 || number[p.First] == 0 || number[p.Second] == 0 {
				continue
			}
			for _, s := range match.Seats {
				c := RoundResult{Opponent: number[p.EntryAt(s.Other())], Seat: s, Outcome: p.Outcome(s), Odds: p.Result.Odds,
					Contest: int16(p.Contest)}
				if t.Format.HasBracket() {
					c.Came = p.Result.At
					for _, id := range p.Result.Gone {
						c.Gone = append(c.Gone, number[id])
					}
				}
				if p.Result.IsPlayed() {
					c.Difference = p.Result.Points[s.Index()] - p.Result.Points[s.Other().Index()]
				}
				f.Players[place[p.EntryAt(s)]].Rounds[r] = c
			}
		}
		for _, b := range round.Byes {
			if number[b.Entry] != 0 {
				f.Players[place[b.Entry]].Rounds[r] = RoundResult{Outcome: b.Kind}
			}
		}
	}
	if t.HasTeams() {
		f.giveGames()
	}
	slices.SortFunc(f.Players, func(a, b FieldPlayer) int { return a.Number - b.Number })
	for _, set := range t.Forbidden {
		var numbers []int
		for _, id := range set.Entries {
			if number[id] != 0 {
				numbers = append(numbers, number[id])
			}
		}
		if len(numbers) > 1 {
			f.Forbidden = append(f.Forbidden, Forbidden{numbers, set.From, set.To, set.Soft})
		}
	}
	return f
}

// Virtual returns an entry's virtual points by round in an accelerated Swiss (FIDE C.04.7).
// Half of the rounds, rounded up, are accelerated. In the first half of these, rounded up,
// the upper group has a win's worth more, and in the rest a draw's.
func (s Settings) Virtual(e Entry) []Score {
	if s.Acceleration != Baku || !e.Fast {
		return nil
	}
	accelerated := (s.Rounds + 1) / 2
	full := (accelerated + 1) / 2
	points := make([]Score, accelerated)
	for r := range points {
		points[r] = s.sidePoints().Draw
		if r < full {
			points[r] = s.sidePoints().Win
		}
	}
	return points
}

// annulled reports whether an entry's results do not count because it left a round robin;
// see FieldAfter.
func (t *Table) annulled(e Entry) bool {
	if !t.Format.MeetsAll() || e.Status != Withdrawn || e.Number == 0 {
		return false
	}
	switch t.policyOf(e) {
	case LeaveAnnul:
		return true
	case LeaveUsual:
	default:
		return false
	}
	played, games := 0, t.players()-1
	if t.Double {
		games *= 2
	}
	for _, r := range t.Rounds {
		if slices.ContainsFunc(r.Pairings, func(p Pairing) bool { return t.SeatFor(p, e.ID).Valid() && p.Result.IsPlayed() }) {
			played++
		}
	}
	return 2*played < games
}

// IsAnnulled reports whether an entry's results do not count; see FieldAfter.
func (t *Table) IsAnnulled(id EntryID) bool {
	i := t.index(id)
	return i >= 0 && t.annulled(t.Entries[i])
}

// LeavingAnnuls reports whether an entry's results would no longer count if it left now.
func (t *Table) LeavingAnnuls(e Entry) bool {
	e.Status, e.Until = Withdrawn, len(t.Rounds)
	return t.annulled(e)
}

// players counts the entries with a number.
func (l Entries) players() int {
	n := 0
	for _, e := range l {
		if e.Number > 0 {
			n++
		}
	}
	return n
}

// Meeting is a board in a crosstable.
type Meeting struct {
	Round, Board int
	Seat         match.Seat // of the row's entry
	Match        match.ID
	Result       Result
}

// Crosstable returns each entry's meetings with each other entry.
func (t *Table) Crosstable() map[EntryID]map[EntryID][]Meeting {
	table := make(map[EntryID]map[EntryID][]Meeting, len(t.Entries))
	add := func(a, b EntryID, m Meeting) {
		if table[a] == nil {
			table[a] = map[EntryID][]Meeting{}
		}
		table[a][b] = append(table[a][b], m)
	}
	for n, p := range t.AllBoards() {
		m := Meeting{n, p.Board, match.First, p.Match, p.Result}
		add(p.First, p.Second, m)
		m.Seat = match.Second
		add(p.Second, p.First, m)
	}
	return table
}
