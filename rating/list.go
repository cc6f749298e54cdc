package rating

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrEvent is the error of an event whose games make no sense.
var ErrEvent = errors.New("unratable event")

// Profile is what the list knows of a player before any result.
type Profile struct {
	BirthYear int // 0: unknown
	Rating    int // brought along, whole points; 0: none
	Games     int // completed with that rating
}

// Standing is a player on the list: everything later events depend on, so that a fold can
// continue from stored standings.
type Standing struct {
	Rating Rating
	Games  int    // rated games completed
	Peak   Rating // the highest rating so far
	Seen   bool   // one of their events was looked at (8.2.1)

	Pending []Pending // games towards a first rating

	// Glicko-2 only.
	Deviation  Rating  // in hundredths of a point, as a rating
	Volatility float64 // sigma
	Month      int     // of the last event, like Event.Month
}

// IsProvisional reports whether a rating still rests on little: few games, or in Glicko-2 a
// wide deviation.
func (p Standing) IsProvisional(s Settings) bool {
	if s.Method == Glicko2 {
		return p.Rating == 0 || p.Deviation.Whole() > s.Glicko.Provisional
	}
	return p.Rating == 0 || p.Games < s.NewGames
}

// Pending is a game of an unrated player against a rated one.
type Pending struct {
	Month    int    `json:"m"`
	Opponent int    `json:"o"`
	Result   Result `json:"r"`
}

// Start gives a player a rating from outside, for example from an import. It replaces the
// one they had.
type Start struct {
	Player    string
	Rating    int // whole points
	Games     int // completed with that rating
	Deviation int // Glicko-2, whole points; 0: that of a newcomer
}

// Game is one rated game. FirstResult is the outcome for First.
type Game struct {
	First, Second string
	FirstResult   Result
}

// Event is what is rated together, with the ratings at its start: a tournament, or a
// single match. Months count from year 0 (year*12 + month-1). Starts come before the
// games.
type Event struct {
	ID     string
	Month  int
	Starts []Start
	Games  []Game
}

// Reason says why a rating is what it is now.
type Reason uint8

const (
	Started Reason = iota + 1 // joined the list with the start rating or that of their profile
	Rated                     // ordinary change from games against rated opponents
	Earned                    // first rating from enough games (8.2)
	Waiting                   // unrated: results collected, not enough yet or below the floor
	Ignored                   // unrated: no point in the first event, which does not count (8.2.1)
	Dropped                   // fell below the floor and is unrated again (7.2.1)
	Given                     // a rating from outside (Start)
)

var reasons = [...]string{"", "started", "rated", "earned", "waiting", "ignored", "dropped", "given"}

func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return ""
}

// Step is one game of a change.
type Step struct {
	Opponent       string
	OpponentRating int // as counted; 0: unrated, the game does not count
	Difference     int // D, cut by the 400-point rule when Cut
	Cut            bool
	Expected       int // percent
	Result         Result
}

// Change is what one event did to one player.
type Change struct {
	Event  string
	Player string
	Reason Reason
	Before Rating
	After  Rating
	K      int // 0 where no K was applied
	Games  int // rated games completed afterwards
	Steps  []Step

	Standing Standing // afterwards
}

// List is a rating list: a fold over events. The zero value is not usable; see NewList.
type List struct {
	settings Settings
	profiles map[string]Profile
	players  map[string]Standing
}

// NewList is an empty list. Players join with their first event; profiles may leave
// players out.
func NewList(s Settings, profiles map[string]Profile) (*List, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if profiles == nil {
		profiles = map[string]Profile{}
	}
	return &List{settings: s, profiles: profiles, players: map[string]Standing{}}, nil
}

// Restore puts a player where an earlier fold left them.
func (l *List) Restore(player string, p Standing) { l.players[player] = p }

// SetProfile sets what is known of a player before any result.
func (l *List) SetProfile(player string, p Profile) { l.profiles[player] = p }

// Rate adds one event and returns its changes, by identity of the players. An event that
// cannot be rated leaves the list as it was.
func (l *List) Rate(e Event) ([]Change, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	var changes []Change
	for _, start := range e.Starts {
		changes = append(changes, l.give(e, start))
	}
	steps := map[string][]Step{}
	for _, g := range e.Games {
		for _, side := range [2]struct {
			player, opponent string
			result           Result
		}{{g.First, g.Second, g.FirstResult}, {g.Second, g.First, Win - g.FirstResult}} {
			if _, known := l.players[side.player]; !known {
				if c, started := l.join(e, side.player); started {
					changes = append(changes, c)
				}
			}
			steps[side.player] = append(steps[side.player], Step{Opponent: side.opponent, Result: side.result})
		}
	}
	names := slices.Sorted(maps.Keys(steps))
	after := make([]Standing, len(names))
	for i, name := range names {
		own := steps[name]
		for j := range own {
			own[j].OpponentRating = l.published(own[j].Opponent)
		}
		var c Change
		switch {
		case l.settings.Method == Glicko2:
			c, after[i] = l.period(e, name, own)
		case l.players[name].Rating == 0:
			c, after[i] = l.first(e, name, own)
		default:
			c, after[i] = l.change(e, name, own)
		}
		after[i].Peak = max(after[i].Peak, after[i].Rating)
		c.Standing = after[i]
		changes = append(changes, c)
	}
	for i, name := range names {
		l.players[name] = after[i]
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return strings.Compare(a.Player, b.Player) })
	return changes, nil
}

// check refuses what cannot be rated.
func (e Event) check() error {
	for i, g := range e.Games {
		if g.First == "" || g.Second == "" || g.First == g.Second || g.FirstResult > Win {
			return fmt.Errorf("event %s, game %d: %w", e.ID, i+1, ErrEvent)
		}
	}
	given := map[string]bool{}
	for i, s := range e.Starts {
		if s.Player == "" || s.Rating <= 0 || s.Games < 0 || s.Deviation < 0 || given[s.Player] {
			return fmt.Errorf("event %s, start %d: %w", e.ID, i+1, ErrEvent)
		}
		given[s.Player] = true
	}
	return nil
}

// Players are all players of the event, each once.
func (e Event) Players() []string {
	seen := map[string]bool{}
	var out []string
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, s := range e.Starts {
		add(s.Player)
	}
	for _, g := range e.Games {
		add(g.First)
		add(g.Second)
	}
	return out
}

func (l *List) published(player string) int {
	if r := l.players[player].Rating; r != 0 {
		return r.Whole()
	}
	return 0
}

// join puts a player on the list; started reports whether that gave a rating.
func (l *List) join(e Event, player string) (c Change, started bool) {
	profile := l.profiles[player]
	var p Standing
	switch {
	case profile.Rating > 0:
		p.Rating, p.Games = Points(profile.Rating), profile.Games
	case l.settings.Start > 0:
		p.Rating = Points(l.settings.Start)
	}
	if l.settings.Method == Glicko2 {
		p.Deviation, p.Volatility, p.Month = Points(l.settings.Glicko.Deviation), l.settings.Glicko.Volatility, e.Month
	}
	p.Peak = p.Rating
	l.players[player] = p
	return Change{Event: e.ID, Player: player, Reason: Started, After: p.Rating, Games: p.Games, Standing: p}, p.Rating > 0
}

// give puts a player at a rating from outside.
func (l *List) give(e Event, start Start) Change {
	p := l.players[start.Player]
	before := p.Rating
	p.Rating, p.Games, p.Pending = Points(start.Rating), start.Games, nil
	p.Peak = max(p.Peak, p.Rating)
	if l.settings.Method == Glicko2 {
		p.Deviation, p.Month = Points(l.settings.Glicko.Deviation), e.Month
		if start.Deviation > 0 {
			p.Deviation = Points(start.Deviation)
		}
		if p.Volatility == 0 {
			p.Volatility = l.settings.Glicko.Volatility
		}
	}
	l.players[start.Player] = p
	return Change{Event: e.ID, Player: start.Player, Reason: Given, Before: before, After: p.Rating, Games: p.Games, Standing: p}
}

// change is an event of a rated player (8.3).
func (l *List) change(e Event, player string, steps []Step) (Change, Standing) {
	s, p := l.settings, l.players[player]
	c := Change{Event: e.ID, Player: player, Reason: Rated, Before: p.Rating, Steps: steps}
	games, sum := 0, int64(0)
	for i := range steps {
		step := &steps[i]
		if step.OpponentRating == 0 {
			continue
		}
		step.Difference, step.Cut = s.difference(p.Rating.Whole(), step.OpponentRating)
		step.Expected = Expected(step.Difference)
		sum += int64(50*int(step.Result) - step.Expected)
		games++
	}
	p.Seen = true
	if games > 0 {
		c.K = s.factor(p, l.profiles[player].BirthYear, e.Month, games)
		change := sum * int64(c.K)
		if s.WholeOnly {
			change = roundAway(change)
		}
		p.Rating += Rating(change)
		p.Games += games
	}
	// Without a floor one point is the lowest: 0 would be unrated.
	if lowest := Points(max(s.Floor, 1)); p.Rating < lowest {
		if s.Start > 0 {
			p.Rating = lowest
		} else {
			p.Rating, c.Reason = 0, Dropped
		}
	}
	c.After, c.Games = p.Rating, p.Games
	return c, p
}

// first is an event of an unrated player: results against rated opponents are collected
// until there are enough for a first rating (7.1.4, 8.2).
func (l *List) first(e Event, player string, steps []Step) (Change, Standing) {
	s, p := l.settings, l.players[player]
	c := Change{Event: e.ID, Player: player, Reason: Waiting, Steps: steps}
	var games []Pending
	points := 0
	for _, step := range steps {
		points += int(step.Result)
		if step.OpponentRating != 0 {
			games = append(games, Pending{e.Month, step.OpponentRating, step.Result})
		}
	}
	if !p.Seen && points == 0 {
		p.Seen = true
		c.Reason, c.Games = Ignored, p.Games
		return c, p
	}
	p.Seen = true
	kept := make([]Pending, 0, len(p.Pending)+len(games))
	for _, g := range append(slices.Clone(p.Pending), games...) {
		if s.Months == 0 || e.Month-g.Month < s.Months {
			kept = append(kept, g)
		}
	}
	p.Pending = kept
	if len(kept) >= s.MinGames && len(games) > 0 {
		opponents, halves := make([]int, len(kept)), 0
		for i, g := range kept {
			opponents[i] = g.Opponent
			halves += int(g.Result)
		}
		if rating, ok := Initial(opponents, halves, s.MaxInitial); ok && rating >= s.Floor {
			p.Rating, p.Games, p.Pending = Points(rating), len(kept), nil
			c.Reason = Earned
		}
	}
	c.After, c.Games = p.Rating, p.Games
	return c, p
}

// OfGame is the share of one game in a change, where games add up: the n-th, from 0,
// against an opponent; false without such a game or if it did not count.
func (c Change) OfGame(opponent string, n int) (Rating, bool) {
	for _, step := range c.Steps {
		if step.Opponent != opponent {
			continue
		}
		if n > 0 {
			n--
			continue
		}
		return Rating((50*int(step.Result) - step.Expected) * c.K), c.K > 0 && step.OpponentRating > 0
	}
	return 0, false
}
