package tournament

import (
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// FieldError names every player or round of a field that a tournament cannot
// go on from.
type FieldError struct{ Problems []string }

func (e *FieldError) Error() string {
	return fmt.Sprintf("the report cannot be gone on from: %s", join(e.Problems))
}

func join(list []string) string {
	text := ""
	for i, s := range list {
		if i > 0 {
			text += "; "
		}
		text += s
	}
	return text
}

// Resume is a running tournament with the players, rounds and results of a
// field, everybody a guest. Boards without a result wait for one by hand.
func Resume(id ID, organizer player.ID, s Settings, f Field, now time.Time) (*Tournament, error) {
	s.Numbering = Given
	s.Points = f.Points
	t, err := New(id, organizer, s, now)
	if err != nil {
		return nil, err
	}
	r := resuming{t: t, field: f, ids: map[int]EntryID{}}
	r.entries(now)
	for n := range f.Played {
		r.round(n, now)
	}
	r.forbidden()
	r.acceleration()
	if len(f.Players) < MinPlayers {
		r.fault("too few players: %d", len(f.Players))
	}
	if t.Format == RoundRobin {
		n := len(f.Players)
		if t.Settings.Rounds = n - 1 + n%2; t.Double {
			t.Settings.Rounds *= 2
		}
	}
	if f.Played > t.Settings.Rounds {
		r.fault("%d rounds are played, more than %d", f.Played, t.Settings.Rounds)
	}
	if len(r.problems) > 0 {
		return nil, &FieldError{r.problems}
	}
	t.Status, t.StartedAt, t.Opening = Running, now, f.Opening
	if !t.Opening.Valid() {
		t.Opening = match.First
	}
	t.Conclude(now)
	return t, nil
}

// Redate puts the rounds of a tournament that goes on from a report on the days on
// which they were played, as far as those are known and past.
func (t *Course) Redate(days []time.Time, now time.Time) {
	for i := range t.Rounds {
		if i < len(days) && !days[i].IsZero() && !days[i].After(now) {
			t.Rounds[i].OpenedAt = days[i]
		}
	}
	if len(t.Rounds) > 0 {
		t.StartedAt = t.Rounds[0].OpenedAt
	}
}

type resuming struct {
	t        *Tournament
	field    Field
	ids      map[int]EntryID // by number
	problems []string
}

func (r *resuming) fault(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

func (r *resuming) entries(now time.Time) {
	players := slices.Clone(r.field.Players)
	slices.SortFunc(players, func(a, b FieldPlayer) int { return a.Number - b.Number })
	for i, p := range players {
		e := Entry{ID: EntryID(i + 1), Name: p.Name, Rating: p.Rating, Status: Active, Number: p.Number, From: 1, EnteredAt: now}
		for n, c := range p.Rounds {
			switch {
			case c.Outcome == NoRecord && e.From == n+1 && n < r.field.Played:
				e.From++
			case n >= r.field.Played && (c.Outcome == HalfBye || c.Outcome == ZeroBye):
				e.Byes = append(e.Byes, AskedBye{n + 1, c.Outcome})
			}
		}
		for n := len(p.Rounds); n < r.field.Played && e.From == n+1; n++ {
			e.From++
		}
		r.ids[p.Number] = e.ID
		r.t.Entries = append(r.t.Entries, e)
	}
}

// round reads one column of the crosstable. Boards stand in the order of the
// higher number on them.
func (r *resuming) round(n int, now time.Time) {
	round := Round{Number: n + 1, OpenedAt: now, Engine: "imported"}
	for _, p := range r.field.Players {
		c := RoundResult{}
		if n < len(p.Rounds) {
			c = p.Rounds[n]
		}
		switch {
		case c.Opponent == 0 && c.Outcome.IsBye():
			round.Byes = append(round.Byes, Bye{r.ids[p.Number], c.Outcome})
		case c.Opponent == 0 && (c.Outcome == NoRecord || c.Outcome == Unfinished):
		case c.Opponent == 0:
			round.Byes = append(round.Byes, Bye{r.ids[p.Number], byeWorth(c.Outcome)})
		case c.Seat == match.First:
			r.pairing(&round, p.Number, c)
		}
	}
	round.sortByes()
	slices.SortFunc(round.Pairings, func(a, b Pairing) int { return int(min(a.First, a.Second) - min(b.First, b.Second)) })
	for i := range round.Pairings {
		round.Pairings[i].Board = i + 1
	}
	r.t.Rounds = append(r.t.Rounds, round)
}

// byeWorth is the bye that gives what a result without an opponent gave.
func byeWorth(o Outcome) Outcome {
	switch o {
	case Win, WinUnrated, ForfeitWin:
		return FullBye
	case Draw, DrawUnrated:
		return HalfBye
	}
	return ZeroBye
}

func (r *resuming) pairing(round *Round, number int, c RoundResult) {
	var other RoundResult
	if i := slices.IndexFunc(r.field.Players, func(p FieldPlayer) bool { return p.Number == c.Opponent }); i >= 0 {
		if o := r.field.Players[i]; round.Number <= len(o.Rounds) {
			other = o.Rounds[round.Number-1]
		}
	}
	if other.Opponent != number || other.Seat != match.Second {
		r.fault("round %d: %d has met %d, but not the other way round", round.Number, number, c.Opponent)
		return
	}
	kind, known := kindOf(c.Outcome, other.Outcome)
	if !known {
		r.fault("round %d: the results of %d and %d do not belong together", round.Number, number, c.Opponent)
		return
	}
	p := Pairing{First: r.ids[number], Second: r.ids[c.Opponent], Result: Result{Kind: kind}}
	if kind != Pending {
		p.Result.Reason, p.Result.At = match.Adjudicated, round.OpenedAt
		if kind >= FirstByForfeit {
			p.Result.Reason = match.Forfeit
		}
	}
	round.Pairings = append(round.Pairings, p)
}

// kindOf is the result that gives the two seats these outcomes.
func kindOf(first, second Outcome) (ResultKind, bool) {
	plain := func(o Outcome) Outcome {
		switch o {
		case WinUnrated:
			return Win
		case DrawUnrated:
			return Draw
		case LossUnrated:
			return Loss
		}
		return o
	}
	first, second = plain(first), plain(second)
	for kind := Pending; kind <= DoubleForfeit; kind++ {
		if r := (Result{Kind: kind}); r.Outcome(match.First) == first && r.Outcome(match.Second) == second {
			return kind, true
		}
	}
	return Pending, false
}

func (r *resuming) forbidden() {
	for _, f := range r.field.Forbidden {
		set := ForbiddenEntries{From: f.From, To: f.To}
		for _, n := range f.Numbers {
			if id, known := r.ids[n]; known {
				set.Entries = append(set.Entries, id)
			}
		}
		r.t.Forbidden = append(r.t.Forbidden, set)
	}
}

// acceleration takes virtual points over where they are those of the Baku system.
func (r *resuming) acceleration() {
	for _, p := range r.field.Players {
		if slices.ContainsFunc(p.Virtual, func(s Score) bool { return s != 0 }) {
			r.t.Acceleration = Baku
			r.t.Entries[r.t.index(r.ids[p.Number])].Fast = true
		}
	}
	if r.t.Acceleration == NoAcceleration {
		return
	}
	for _, p := range r.field.Players {
		want := r.t.virtual(r.t.Entries[r.t.index(r.ids[p.Number])])
		for n := range max(len(want), len(p.Virtual)) {
			if scoreAt(want, n) != scoreAt(p.Virtual, n) {
				r.fault("number %d: the virtual points are not those of the Baku system", p.Number)
				break
			}
		}
	}
}

func scoreAt(list []Score, i int) Score {
	if i < len(list) {
		return list[i]
	}
	return 0
}
