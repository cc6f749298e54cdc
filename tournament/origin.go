package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/stage"
)

// Origin is where the players of a later stage have come from: places of finished
// tournaments, as they stood. What is corrected there moves nobody here by itself.
type Origin struct {
	Of    []Source    `json:"of"`
	Each  int         `json:"each"`           // how many of each go on
	Seeds []Qualifier `json:"seeds"`          // by seed; of a divided tournament none until its groups are over
	Next  []Qualifier `json:"next,omitempty"` // the next places of each, who play if somebody leaves before their first match
	Left  []Qualifier `json:"left,omitempty"` // who had a seed and left before their first match
	At    time.Time   `json:"at"`
	// Division is how its own players were divided into the groups that decide who goes on.
	Division *Division `json:"division,omitempty"`
	Part     bool      `json:"part,omitempty"`     // they are a group of its players: it decides who goes on there
	PlayOff  bool      `json:"playOff,omitempty"`  // it decides between those who share a place there
	PlayOffs []Source  `json:"playOffs,omitempty"` // what decided about shared places
	Equal    bool      `json:"equal,omitempty"`    // of groups of different size: compared without the last of the larger
	Carry    string    `json:"carry,omitempty"`    // which results there count here (stages.Carries); empty: none
	Met      []Met     `json:"met,omitempty"`      // results between those who go on, which are not played again
}

// Division is how players were divided into groups.
type Division struct {
	Pots     bool        `json:"pots,omitempty"` // by lots; else down the list by rating and back up
	Seed     string      `json:"seed,omitempty"` // what the lots were drawn from
	Rejected int         `json:"rejected,omitempty"`
	Beyond   int         `json:"beyond,omitempty"` // club mates who could not be kept apart
	Groups   [][]EntryID `json:"groups"`
}

// IsOf reports whether two are places of the same player.
func (q Qualifier) IsOf(other Qualifier) bool { return q.Of == other.Of && q.Entry == other.Entry }

// Met is a result of two who go on, by their seeds from 0.
type Met struct {
	First  int        `json:"first"`
	Second int        `json:"second"`
	Kind   ResultKind `json:"kind"`
	Points [2]int     `json:"points"`
}

// Source is a tournament and the last line of its log when its places were taken.
type Source struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	Seq  int64  `json:"seq"`
}

// Qualifier is who goes on.
type Qualifier struct {
	Of    int     `json:"of"`    // of which source, from 0
	Entry EntryID `json:"entry"` // there
	Place int     `json:"place"`
	ByLot bool    `json:"byLot,omitempty"`
	Own   EntryID `json:"own"`             // here
	Score Score   `json:"score,omitempty"` // brought along
}

// What a later stage refuses.
var (
	ErrNotOver        = refusal.Conflict("stage.error.not-over", "tournament: only who has finished can be taken into a later stage")
	ErrFewPlaces      = refusal.Conflict("stage.error.few", "tournament: there are not so many players to go on")
	ErrQualifiedTwice = refusal.Conflict("stage.error.twice", "tournament: somebody has qualified in two of them")
	ErrCarry          = refusal.Conflict("stage.error.carry", "tournament: these results cannot count there")
	ErrOnePlayOff     = refusal.Conflict("stage.error.one-play-off", "tournament: a play-off is of one tournament")
	ErrNoneShared     = refusal.Conflict("stage.error.none-shared", "tournament: nobody shares the last place")
	ErrGroupsPlay     = refusal.Conflict("stage.error.groups", "tournament: its groups say who plays")
	ErrCarried        = refusal.Conflict("stage.error.carried", "tournament: results were brought along with the places")
	ErrNoNext         = refusal.Conflict("stage.error.no-next", "tournament: nobody is next for this place")
	ErrNoOrigin       = refusal.NotFound("error.not-found", "tournament: its players come from no other")
)

// MayFollow is nil or why the viewer cannot take its players into a later stage.
func (t *Staffed) MayFollow(by player.Viewer) error {
	switch {
	case !t.May(by, ActStage):
		return ErrNotAllowed
	case t.Format == ClubMatch || !t.Status.IsOver():
		return ErrNotOver
	}
	return nil
}

// bySeed orders entries as they have qualified; the others come after them.
func (t *Course) bySeed(order []int) {
	if t.Origin == nil {
		return
	}
	seed := func(i int) int {
		at := slices.IndexFunc(t.Origin.Seeds, func(q Qualifier) bool { return q.Own == t.Entries[i].ID })
		if at < 0 {
			return len(t.Origin.Seeds)
		}
		return at
	}
	slices.SortStableFunc(order, func(a, b int) int { return seed(a) - seed(b) })
}

// IsFollowable reports whether every seed names a source and an entry that there are, as
// Follow makes them: a foreign file may say anything.
func (t *Course) IsFollowable() bool {
	o := t.Origin
	return o == nil || o.Each > 0 && len(o.Of) > 0 && len(o.Of) <= stage.MostTables && (o.IsAwaited() || len(o.Seeds) == o.Each*len(o.Of)) &&
		!slices.ContainsFunc(o.Seeds, func(q Qualifier) bool { return q.Of < 0 || q.Of >= len(o.Of) || t.index(q.Own) < 0 }) &&
		!slices.ContainsFunc(o.Next, func(q Qualifier) bool { return q.Of < 0 || q.Of >= len(o.Of) }) &&
		!slices.ContainsFunc(o.Met, func(m Met) bool { return min(m.First, m.Second) < 0 || max(m.First, m.Second) >= len(o.Seeds) })
}

// IsAwaited reports whether groups are still to say who plays.
func (o *Origin) IsAwaited() bool { return o != nil && o.Division != nil && len(o.Seeds) == 0 }

// AwaitsGroups reports whether groups are still to be made, or to say who plays.
func (t *Table) AwaitsGroups() bool { return t.Groups > 0 && t.Origin == nil || t.Origin.IsAwaited() }

// CarriedOver is the reason of a result that counts from an earlier stage.
const CarriedOver match.Reason = "carried-over"

// Carried is what an entry has brought along.
func (t *Table) Carried(id EntryID) Score {
	if t.Origin != nil {
		for _, q := range t.Origin.Seeds {
			if q.Own == id {
				return q.Score
			}
		}
	}
	return 0
}

// carryOver decides the boards of two whose result counts from an earlier stage; where
// they meet twice, with these seats.
func (t *Table) carryOver(r *Round, now time.Time) {
	if t.Origin == nil {
		return
	}
	for _, m := range t.Origin.Met {
		first, second := t.Origin.Seeds[m.First].Own, t.Origin.Seeds[m.Second].Own
		for i, p := range r.Pairings {
			switch result := (Result{Kind: m.Kind, Points: m.Points, Reason: CarriedOver, At: now}); {
			case p.First == first && p.Second == second:
				r.Pairings[i].Result = result
			case p.First == second && p.Second == first && !t.Double:
				result.Kind, result.Points = m.Kind.swapped(), [2]int{m.Points[1], m.Points[0]}
				r.Pairings[i].Result = result
			}
		}
	}
}

// swapped is the same result with the seats exchanged.
func (k ResultKind) swapped() ResultKind {
	return [...]ResultKind{Pending, SecondWins, FirstWins, Drawn, SecondByForfeit, FirstByForfeit, DoubleForfeit}[k]
}

func (o *Origin) clone() *Origin {
	if o == nil {
		return nil
	}
	c := *o
	c.Of, c.Seeds, c.PlayOffs, c.Met = slices.Clone(o.Of), slices.Clone(o.Seeds), slices.Clone(o.PlayOffs), slices.Clone(o.Met)
	c.Next, c.Left = slices.Clone(o.Next), slices.Clone(o.Left)
	return &c
}
