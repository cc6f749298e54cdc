package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/stage"
)

// Origin is where the players of a later stage have come from: places of finished
// tournaments, as they stood. What is corrected there moves nobody here by itself.
type Origin struct {
	Of    []Source    `json:"of"`
	Each  int         `json:"each"`  // how many of each go on
	Seeds []Qualifier `json:"seeds"` // by seed
	At    time.Time   `json:"at"`
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
	Own   EntryID `json:"own"` // here
}

// What a later stage refuses.
var (
	ErrNotOver        = refusal.Conflict("stage.error.not-over", "tournament: only who has finished can be taken into a later stage")
	ErrFewPlaces      = refusal.Conflict("stage.error.few", "tournament: there are not so many players to go on")
	ErrQualifiedTwice = refusal.Conflict("stage.error.twice", "tournament: somebody has qualified in two of them")
	ErrNoOrigin       = refusal.NotFound("error.not-found", "tournament: its players come from no other")
)

// Next are the settings of a later stage for n players. What this one had for its own
// course – times, check-in, conditions, prizes – is not handed on.
func (s Settings) Next(f Format, name string, n int) Settings {
	d := DefaultSettings(f)
	d.Name, d.Club, d.ClubID, d.Rated, d.Handicap = name, s.Club, s.ClubID, s.Rated, s.Handicap
	d.Envelope, d.Claims, d.Lateness, d.OnClaim, d.Policy = s.Envelope, s.Claims, s.Lateness, s.OnClaim, s.Policy
	d.Break, d.Review, d.CallStops, d.Points = s.Break, s.Review, s.CallStops, s.Points
	d.Numbering, d.Capacity = Given, n
	if s.Pace == Manual {
		d.Pace = Manual
	}
	return d
}

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

// Follow is a later stage: its players are those who have qualified, by seed, and
// registration is closed.
func Follow(by player.Viewer, id ID, s Settings, o Origin, of []*Tournament, now time.Time) (*Tournament, error) {
	for _, t := range of {
		if err := t.MayFollow(by); err != nil {
			return nil, err
		}
	}
	t, err := New(id, by.ID, s, now)
	if err != nil {
		return nil, err
	}
	if t.Status, t.Gate = Registration, (Gate{Closed: true, At: now}); len(o.Seeds) < t.LeastPlayers() {
		return nil, ErrFewPlaces
	}
	if err := t.take(o, of, now); err != nil {
		return nil, err
	}
	return t, nil
}

// Retake takes the places anew, as they stand now, before the start.
func (t *Tournament) Retake(by player.Viewer, o Origin, of []*Tournament, now time.Time) error {
	switch {
	case !t.May(by, ActStage):
		return ErrNotAllowed
	case t.Origin == nil:
		return ErrNoOrigin
	}
	if err := t.beforeStart(); err != nil {
		return err
	}
	c := t.Clone()
	for _, q := range t.Origin.Seeds {
		if i := c.index(q.Own); i >= 0 && c.Entries[i].Status == Active {
			c.Entries[i].Status, c.Entries[i].Removed = Withdrawn, true
		}
	}
	if err := c.take(o, of, now); err != nil {
		return err
	}
	*t = *c
	return nil
}

// take enters who has qualified. Whoever was entered before keeps their entry.
func (t *Course) take(o Origin, of []*Tournament, now time.Time) error {
	o.Seeds, o.At = slices.Clone(o.Seeds), now
	for i, q := range o.Seeds {
		from, err := of[q.Of].Entry(q.Entry)
		if err != nil {
			return err
		}
		own := t.taken(o.Of[q.Of].ID, from)
		if own != 0 && slices.ContainsFunc(o.Seeds[:i], func(x Qualifier) bool { return x.Own == own }) {
			return ErrQualifiedTwice
		}
		if own == 0 {
			own = EntryID(len(t.Entries) + 1)
			t.Entries = append(t.Entries, Entry{ID: own, Player: from.Player, Name: from.Name, Club: from.Club, Rating: from.Rating,
				Bot: from.Bot, From: 1, EnteredAt: now})
		}
		e := &t.Entries[t.index(own)]
		e.Status, e.Removed = Active, false
		o.Seeds[i].Own = own
	}
	t.Origin = &o
	return nil
}

// taken is the entry here of somebody who plays there; 0: none.
func (t *Course) taken(id ID, from Entry) EntryID {
	if e, there := t.EntryOf(from.Player); there && !from.IsGuest() {
		return e.ID
	}
	if t.Origin != nil {
		for _, q := range t.Origin.Seeds {
			if t.Origin.Of[q.Of].ID == id && q.Entry == from.ID {
				return q.Own
			}
		}
	}
	return 0
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

// IsFollowable tells whether every seed names a source and an entry that there are, as
// Follow makes them: a foreign file may say anything.
func (t *Course) IsFollowable() bool {
	o := t.Origin
	return o == nil || o.Each > 0 && len(o.Of) > 0 && len(o.Of) <= stage.MostTables && len(o.Seeds) == o.Each*len(o.Of) &&
		!slices.ContainsFunc(o.Seeds, func(q Qualifier) bool { return q.Of < 0 || q.Of >= len(o.Of) || t.index(q.Own) < 0 })
}

func (o *Origin) clone() *Origin {
	if o == nil {
		return nil
	}
	c := *o
	c.Of, c.Seeds = slices.Clone(o.Of), slices.Clone(o.Seeds)
	return &c
}
