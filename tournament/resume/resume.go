// Package resume continues a tournament from a report of the rounds played elsewhere. It
// refuses a report with contradictory results.
package resume

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// FieldError lists every player or round of a field with which a tournament cannot
// continue.
type FieldError struct {
	Problems []string
	Names    []NameFault
}

// NameFault is a name that nobody could be entered under.
type NameFault struct {
	Number int
	Name   string
	Err    error // of tournament.NameFaults
}

func (e *FieldError) Error() string {
	texts := slices.Clone(e.Problems)
	for _, x := range e.Names {
		texts = append(texts, fmt.Sprintf("number %d, %s: %v", x.Number, x.Name, x.Err))
	}
	return fmt.Sprintf("the tournament cannot continue from this report: %s", strings.Join(texts, "; "))
}

// From returns a running tournament with the players, rounds and results of a field;
// everybody is a guest, with their name as any door keeps it. Boards without a result wait for one by hand.
func From(id tournament.ID, organizer player.ID, s tournament.Settings, f tournament.Field, now time.Time) (*tournament.Tournament, error) {
	s.Numbering = tournament.Given
	s.Points = f.Points
	t, err := tournament.New(id, organizer, s, now)
	if err != nil {
		return nil, err
	}
	r := resuming{t: t, field: f, ids: map[int]tournament.EntryID{}}
	r.entries(now)
	for n := range f.Played {
		r.round(n, now)
	}
	r.forbidden()
	r.acceleration()
	if len(f.Players) < tournament.MinPlayers {
		r.fault("too few players: %d", len(f.Players))
	}
	if t.Format.MeetsAll() {
		n := len(f.Players)
		t.Settings.Rounds = n - 1 + n%2
		if t.Double {
			t.Settings.Rounds *= 2
		}
	}
	if f.Played > t.Settings.Rounds {
		r.fault("%d rounds are played, more than %d", f.Played, t.Settings.Rounds)
	}
	if len(r.problems) > 0 {
		return nil, &FieldError{Problems: r.problems}
	}
	t.Status, t.StartedAt, t.Opening = tournament.Running, now, f.Opening
	if !t.Opening.Valid() {
		t.Opening = match.First
	}
	t.Conclude(now)
	return t, nil
}

// CheckNames returns nil, or a *FieldError with the names that no other door would take. Those that read the same
// are one person's, unless another says that they are different people's.
func CheckNames(t *tournament.Tournament, another bool) error {
	var list []NameFault
	faults := t.NameFaults(another)
	for _, e := range t.Entries {
		if err := faults[e.ID]; err != nil {
			list = append(list, NameFault{e.Number, e.Name, err})
		}
	}
	if list == nil {
		return nil
	}
	return &FieldError{Names: list}
}

// Redate puts the rounds of a resumed tournament on the days on which they were played, if known and past. began
// is the day of its first round and ended that of its end, for reports that do not tell each round's.
func Redate(t *tournament.Tournament, days []time.Time, began, ended, now time.Time) {
	if at(days, 0).IsZero() {
		days = append([]time.Time{began}, days[min(1, len(days)):]...)
	}
	for i := range t.Rounds {
		if day := at(days, i); !day.IsZero() && !day.After(now) {
			t.Rounds[i].OpenedAt = day
		}
	}
	if len(t.Rounds) > 0 {
		t.StartedAt = t.Rounds[0].OpenedAt
	}
	if !t.EndedAt.IsZero() && !ended.IsZero() && !ended.Before(t.StartedAt) && !ended.After(now) {
		t.EndedAt = ended
	}
}

type resuming struct {
	t        *tournament.Tournament
	field    tournament.Field
	ids      map[int]tournament.EntryID // by number
	problems []string
}

func (r *resuming) fault(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

func (r *resuming) entries(now time.Time) {
	players := slices.Clone(r.field.Players)
	slices.SortFunc(players, func(a, b tournament.FieldPlayer) int { return cmp.Compare(a.Number, b.Number) })
	for i, p := range players {
		e := tournament.Entry{ID: tournament.EntryID(i + 1), Name: player.Tidy(p.Name), Rating: p.Rating,
			Status: tournament.Active, Number: p.Number, From: 1, EnteredAt: now}
		for n, c := range p.Rounds {
			switch {
			case c.Outcome == tournament.NoRecord && e.From == n+1 && n < r.field.Played:
				e.From++
			case n >= r.field.Played && (c.Outcome == tournament.HalfBye || c.Outcome == tournament.ZeroBye):
				e.Byes = append(e.Byes, tournament.AskedBye{Round: n + 1, Kind: c.Outcome})
			}
		}
		for n := len(p.Rounds); n < r.field.Played && e.From == n+1; n++ {
			e.From++
		}
		r.ids[p.Number] = e.ID
		r.t.Entries = append(r.t.Entries, e)
	}
}

// round reads one column of the crosstable. Boards are in the order of the lower entry on
// them.
func (r *resuming) round(n int, now time.Time) {
	round := tournament.Round{Number: n + 1, OpenedAt: now, Engine: "imported"}
	for _, p := range r.field.Players {
		switch c := at(p.Rounds, n); {
		case c.Opponent == 0 && c.Outcome.IsBye():
			round.Byes = append(round.Byes, tournament.Bye{Entry: r.ids[p.Number], Kind: c.Outcome})
		case c.Opponent == 0 && (c.Outcome == tournament.NoRecord || c.Outcome == tournament.Unfinished):
		case c.Opponent == 0:
			round.Byes = append(round.Byes, tournament.Bye{Entry: r.ids[p.Number], Kind: byeWorth(c.Outcome)})
		case c.Seat == match.First:
			r.pairing(&round, p.Number, c)
		}
	}
	round.SortByes()
	slices.SortFunc(round.Pairings, func(a, b tournament.Pairing) int { return int(min(a.First, a.Second) - min(b.First, b.Second)) })
	for i := range round.Pairings {
		round.Pairings[i].Board = i + 1
	}
	r.t.Rounds = append(r.t.Rounds, round)
}

// byeWorth returns the bye worth as much as a result without an opponent.
func byeWorth(o tournament.Outcome) tournament.Outcome {
	switch o {
	case tournament.Win, tournament.WinUnrated, tournament.ForfeitWin:
		return tournament.FullBye
	case tournament.Draw, tournament.DrawUnrated:
		return tournament.HalfBye
	}
	return tournament.ZeroBye
}

func (r *resuming) pairing(round *tournament.Round, number int, c tournament.RoundResult) {
	var other tournament.RoundResult
	if i := slices.IndexFunc(r.field.Players, func(p tournament.FieldPlayer) bool { return p.Number == c.Opponent }); i >= 0 {
		other = at(r.field.Players[i].Rounds, round.Number-1)
	}
	if other.Opponent != number || other.Seat != match.Second {
		r.fault("round %d: %d has met %d, but not vice versa", round.Number, number, c.Opponent)
		return
	}
	kind, known := kindOf(c.Outcome, other.Outcome)
	if !known {
		r.fault("round %d: the results of %d and %d do not fit together", round.Number, number, c.Opponent)
		return
	}
	p := tournament.Pairing{First: r.ids[number], Second: r.ids[c.Opponent], Result: tournament.Result{Kind: kind}}
	if kind != tournament.Pending {
		p.Result.Reason, p.Result.At = match.Adjudicated, round.OpenedAt
		switch {
		case kind >= tournament.FirstByForfeit:
			p.Result.Reason = match.Forfeit
		case c.Outcome >= tournament.WinUnrated && c.Outcome <= tournament.LossUnrated:
			p.Result.Reason = tournament.CarriedOver
		}
	}
	round.Pairings = append(round.Pairings, p)
}

// kindOf returns the result that gives the two seats these outcomes.
func kindOf(first, second tournament.Outcome) (tournament.ResultKind, bool) {
	plain := func(o tournament.Outcome) tournament.Outcome {
		switch o {
		case tournament.WinUnrated:
			return tournament.Win
		case tournament.DrawUnrated:
			return tournament.Draw
		case tournament.LossUnrated:
			return tournament.Loss
		}
		return o
	}
	first, second = plain(first), plain(second)
	for kind := tournament.Pending; kind <= tournament.DoubleForfeit; kind++ {
		if r := (tournament.Result{Kind: kind}); r.Outcome(match.First) == first && r.Outcome(match.Second) == second {
			return kind, true
		}
	}
	return tournament.Pending, false
}

func (r *resuming) forbidden() {
	for _, f := range r.field.Forbidden {
		set := tournament.ForbiddenEntries{From: f.From, To: f.To}
		for _, n := range f.Numbers {
			if id, known := r.ids[n]; known {
				set.Entries = append(set.Entries, id)
			}
		}
		r.t.Forbidden = append(r.t.Forbidden, set)
	}
}

// acceleration adopts virtual points if they are those of the Baku system.
func (r *resuming) acceleration() {
	for _, p := range r.field.Players {
		if slices.ContainsFunc(p.Virtual, func(s tournament.Score) bool { return s != 0 }) {
			r.t.Acceleration = tournament.Baku
			r.t.Entries[r.ids[p.Number]-1].Fast = true
		}
	}
	if r.t.Acceleration == tournament.NoAcceleration {
		return
	}
	for _, p := range r.field.Players {
		want := r.t.Virtual(r.t.Entries[r.ids[p.Number]-1])
		for n := range max(len(want), len(p.Virtual)) {
			if at(want, n) != at(p.Virtual, n) {
				r.fault("number %d: the virtual points are not those of the Baku system", p.Number)
				break
			}
		}
	}
}

// at returns an element; the zero value beyond the end.
func at[T any](list []T, i int) (x T) {
	if i < len(list) {
		x = list[i]
	}
	return x
}
