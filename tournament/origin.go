package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// MaxTables limits the tables that feed one stage.
const MaxTables = 8

// Origin says where the players of a later stage come from: places in finished tournaments, as
// they stood. Later corrections there move nobody here by themselves.
type Origin struct {
	Of    []Source    `json:"of"`
	Each  int         `json:"each"`           // qualifiers per source
	Seeds []Qualifier `json:"seeds"`          // by seed; of a divided tournament none until its groups are over
	Next  []Qualifier `json:"next,omitempty"` // reserves, who replace players that leave before their first match
	Left  []Qualifier `json:"left,omitempty"` // players who did
	At    time.Time   `json:"at"`
	// Division is how the players were divided into groups that decide who stays in.
	Division *Division `json:"division,omitempty"`
	Part     bool      `json:"part,omitempty"`     // this is such a group of the source
	PlayOff  bool      `json:"playOff,omitempty"`  // this is a play-off for a shared place of the source
	PlayOffs []Source  `json:"playOffs,omitempty"` // play-offs that decided shared places
	Equal    bool      `json:"equal,omitempty"`    // larger groups were compared without their last players
	Carry    string    `json:"carry,omitempty"`    // which results count here, too (stage.Carries); empty: none
	Met      []Met     `json:"met,omitempty"`      // results between qualifiers who do not meet again
}

// Division is how players were divided into groups.
type Division struct {
	Pots     bool        `json:"pots,omitempty"`     // by lots (draw.Pots); otherwise by rating (draw.Snake)
	Seed     string      `json:"seed,omitempty"`     // seed of the lots
	Rejected int         `json:"rejected,omitempty"` // as draw.Drawn
	Beyond   int         `json:"beyond,omitempty"`   // as draw.Drawn
	Groups   [][]EntryID `json:"groups"`
}

// IsOf reports whether two qualifiers are the same player.
func (q Qualifier) IsOf(other Qualifier) bool { return q.Of == other.Of && q.Entry == other.Entry }

// Met is a result between two qualifiers, by their seeds from 0.
type Met struct {
	First  int        `json:"first"`
	Second int        `json:"second"`
	Kind   ResultKind `json:"kind"`
	Points [2]int     `json:"points"`
}

// Source is an earlier stage.
type Source struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	Seq  int64  `json:"seq"` // last line of its log when places were taken
}

// Qualifier is a player who advances.
type Qualifier struct {
	Of    int     `json:"of"`    // index of the source
	Entry EntryID `json:"entry"` // in the source
	Place int     `json:"place"`
	ByLot bool    `json:"byLot,omitempty"`
	Own   EntryID `json:"own"`             // entry here
	Score Score   `json:"score,omitempty"` // carried over
}

// Refusals of later stages.
var (
	ErrNotOver        = refusal.Conflict("stage.error.not-over", "tournament: the earlier stage is not over")
	ErrFewPlaces      = refusal.Conflict("stage.error.few", "tournament: too few players to advance")
	ErrQualifiedTwice = refusal.Conflict("stage.error.twice", "tournament: a player has qualified twice")
	ErrCarry          = refusal.Conflict("stage.error.carry", "tournament: these results cannot count there")
	ErrOnePlayOff     = refusal.Conflict("stage.error.one-play-off", "tournament: a play-off has one source")
	ErrNoneShared     = refusal.Conflict("stage.error.none-shared", "tournament: nobody shares the last place")
	ErrOfPlayOff      = refusal.Conflict("stage.error.of-play-off", "tournament: nobody goes on from a play-off itself")
	ErrPlayOffOpen    = refusal.Conflict("stage.error.play-off-open", "tournament: a play-off for a shared place is not over")
	ErrGroupsPlay     = refusal.Conflict("stage.error.groups", "tournament: its groups decide who plays")
	ErrCarried        = refusal.Conflict("stage.error.carried", "tournament: results were carried over")
	ErrNoStepDue      = refusal.Conflict("stage.error.no-step", "tournament: no group waits for that")
	ErrNoNext         = refusal.Conflict("stage.error.no-next", "tournament: no reserve for this place")
	ErrNoOrigin       = refusal.NotFound("error.not-found", "tournament: not a later stage")
)

// MayFollow returns nil, or why the viewer cannot take the players to a later stage.
func (t *Tournament) MayFollow(by player.Viewer) error {
	switch {
	case !t.May(by, ActStage):
		return ErrNotAllowed
	case !t.Status.IsOver():
		return ErrNotOver
	}
	return nil
}

// SeedOf returns the seed, from 0, of an entry here; -1: none.
func (o *Origin) SeedOf(own EntryID) int {
	if o == nil {
		return -1
	}
	return slices.IndexFunc(o.Seeds, func(q Qualifier) bool { return q.Own == own })
}

// sortBySeed sorts entries by seed, those without one last.
func (t *Tournament) sortBySeed(order []int) {
	seed := func(i int) int {
		if at := t.Origin.SeedOf(t.Entries[i].ID); at >= 0 {
			return at
		}
		return len(t.Entries)
	}
	slices.SortStableFunc(order, func(a, b int) int { return seed(a) - seed(b) })
}

// IsFollowable reports whether all indices and ids of the origin exist, which an imported file
// does not guarantee.
func (t *Tournament) IsFollowable() bool {
	o := t.Origin
	return o == nil || o.Each > 0 && len(o.Of) > 0 && len(o.Of) <= MaxTables && (o.IsAwaited() || len(o.Seeds) == o.Each*len(o.Of)) &&
		!slices.ContainsFunc(o.Seeds, func(q Qualifier) bool { return q.Of < 0 || q.Of >= len(o.Of) || t.index(q.Own) < 0 }) &&
		!slices.ContainsFunc(o.Next, func(q Qualifier) bool { return q.Of < 0 || q.Of >= len(o.Of) }) &&
		!slices.ContainsFunc(o.Met, func(m Met) bool { return min(m.First, m.Second) < 0 || max(m.First, m.Second) >= len(o.Seeds) })
}

// IsPlayOff reports whether a tournament decides a place that others share; nil: it has no origin.
func (o *Origin) IsPlayOff() bool { return o != nil && o.PlayOff }

// IsPart reports whether the tournament is a group or a play-off of another.
func (o *Origin) IsPart() bool { return o != nil && (o.Part || o.PlayOff) }

// IsAwaited reports whether groups have yet to decide who plays.
func (o *Origin) IsAwaited() bool { return o != nil && o.Division != nil && len(o.Seeds) == 0 }

// AwaitsGroups reports whether groups have yet to be made, or to decide who plays.
func (t *Table) AwaitsGroups() bool { return t.Groups > 0 && t.Origin == nil || t.Origin.IsAwaited() }

// CarriedOver is the reason of a result that counts from an earlier stage, or that a report brought as unrated.
const CarriedOver match.Reason = "carried-over"

// Carried returns the score that an entry carried over from an earlier stage.
func (t *Table) Carried(id EntryID) Score {
	if at := t.Origin.SeedOf(id); at >= 0 {
		return t.Origin.Seeds[at].Score
	}
	return 0
}

// carryOver decides boards by results of an earlier stage. If players meet twice, only the one
// with the same seats.
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
				result.Kind, result.Points = m.Kind.Swapped(), [2]int{m.Points[1], m.Points[0]}
				r.Pairings[i].Result = result
			}
		}
	}
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
