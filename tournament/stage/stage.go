// Package stage leads from one stage of an event to the next. It decides who advances from
// finished tables, and with which seed: the first of each table, equal places compared across
// tables, players of one table kept apart for as long as possible. And it makes the next stage:
// its settings, its players from finished tournaments or from groups of one (package draw). It
// reads no tables, and moves nobody unasked.
package stage

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/draw"
)

// Which results of an earlier stage count in a round robin.
const (
	CarryAll    = "all"    // all points
	CarryHalf   = "half"   // half the points
	CarryMutual = "mutual" // results between qualifiers, who do not meet again
)

// Carries lists every mode; empty: nothing counts.
var Carries = []string{"", CarryAll, CarryHalf, CarryMutual}

// MayCarry returns nil, or ErrCarry if results of these tournaments cannot count in the
// next stage. Only a round robin can add points, of round robins or Swisses that share a
// point system; mutual results come from round robins only, and only of players.
func MayCarry(carry string, next tournament.Format, of []*tournament.Tournament) error {
	switch {
	case carry == "":
		return nil
	case !slices.Contains(Carries, carry) || !next.MeetsAll():
		return tournament.ErrCarry
	}
	for _, t := range of {
		if !t.Format.MeetsAll() && (carry == CarryMutual || !t.Format.PairsByScore() || t.Format.HasOwnOrder()) || t.Points != of[0].Points ||
			t.HasTeams() && (carry == CarryMutual || t.Teams.ByGames != of[0].Teams.ByGames || t.Teams.PointsOf() != of[0].Teams.PointsOf()) {
			return tournament.ErrCarry
		}
	}
	return nil
}

// Next returns the settings of a later stage for n players. It does not carry over what was
// particular to the one before: times, check-in, conditions, prizes.
func Next(s tournament.Settings, f tournament.Format, name string, n int) tournament.Settings {
	d := tournament.DefaultSettings(f)
	d.Name, d.Club, d.ClubID, d.Zone, d.Rated, d.Handicap = name, s.Club, s.ClubID, s.Zone, s.Rated, s.Handicap
	d.Envelope, d.Claims, d.Lateness, d.OnClaim, d.Policy = s.Envelope, s.Claims, s.Lateness, s.OnClaim, s.Policy
	d.Break, d.Review, d.CallStops, d.Points, d.HonourNoShows = s.Break, s.Review, s.CallStops, s.Points, s.HonourNoShows
	d.Report = s.Report
	if s.HasTeams() {
		d.PlayIn(s.Teams)
		if !f.PairsByScore() {
			d.Teams.Preferences = tournament.TypeA
		}
	}
	if s.Leave.Suits(f) {
		d.Leave = s.Leave
	}
	if s.Expulsion.Suits(f) {
		d.Expulsion = s.Expulsion
	}
	d.Numbering, d.Capacity = tournament.Given, n
	if s.Pace == tournament.Manual {
		d.Pace = tournament.Manual
	}
	return d
}

// PlayOff returns the settings of a play-off between n players who share a place: a
// knock-out that decides every place.
func PlayOff(s tournament.Settings, name string, n int) tournament.Settings {
	d := Next(s, tournament.KnockOut, name, n)
	d.Losers = contest.ForPlaces
	if !s.HasTeams() {
		d.Tie = []contest.Step{contest.Decider}
	}
	return d
}

// IsDecided reports whether a play-off has said who goes on: it is over, or will never begin, as all but one of its players, or all,
// have left it.
func IsDecided(playOff *tournament.Tournament) bool {
	return playOff.Status.IsOver() || playOff.BeforeStart() == nil && playOff.Active() < playOff.LeastPlayers()
}

// Follow creates a later stage with the qualified players, by seed, and registration closed.
func Follow(by player.Viewer, id tournament.ID, s tournament.Settings, o tournament.Origin, of []*tournament.Tournament,
	now time.Time) (*tournament.Tournament, error) {
	for _, t := range of {
		if err := t.MayFollow(by); err != nil {
			return nil, err
		}
		if t.Teams.Boards != of[0].Teams.Boards || t.HasTeams() && !s.Format.MayHaveTeams() {
			return nil, tournament.ErrTeamStages
		}
	}
	t, err := tournament.New(id, by.ID, s, now)
	if err != nil {
		return nil, err
	}
	if len(o.Seeds) < t.LeastPlayers() {
		return nil, tournament.ErrFewPlaces
	}
	announce(t, now)
	if err := take(t, o, of, now); err != nil {
		return nil, err
	}
	return t, nil
}

// announce announces a tournament with registration closed.
func announce(t *tournament.Tournament, now time.Time) {
	t.Status, t.Gate = tournament.Registration, tournament.Gate{Closed: true, At: now}
}

// Retake replaces the players by those who qualify as places stand now, before the start.
func Retake(t *tournament.Tournament, by player.Viewer, o tournament.Origin, of []*tournament.Tournament, now time.Time) error {
	if err := mayStage(t, by); err != nil {
		return err
	}
	if slices.ContainsFunc(of, func(x *tournament.Tournament) bool { return !x.Status.IsOver() }) {
		return tournament.ErrNotOver
	}
	if err := t.BeforeStart(); err != nil {
		return err
	}
	c := t.Clone()
	for i, e := range c.Entries {
		held := c.Origin.Division != nil || c.Origin.SeedOf(c.SideOf(e.ID)) >= 0
		if held && e.Status == tournament.Active {
			c.Entries[i].Status, c.Entries[i].Removed = tournament.Withdrawn, true
		}
	}
	o.Division = t.Origin.Division
	if err := take(c, o, of, now); err != nil {
		return err
	}
	*t = *c
	return nil
}

// take enters the qualified players. Those entered before keep their entries.
func take(t *tournament.Tournament, o tournament.Origin, of []*tournament.Tournament, now time.Time) error {
	o.Seeds, o.At = slices.Clone(o.Seeds), now
	for i, q := range o.Seeds {
		own, err := enter(t, of[q.Of], q, now)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(o.Seeds[:i], func(x tournament.Qualifier) bool { return x.Own == own }) {
			return tournament.ErrQualifiedTwice
		}
		o.Seeds[i].Own = own
	}
	t.Origin = &o
	return nil
}

// enter returns the entry of a player or a team who qualified elsewhere, making one if necessary. A team brings its players as they
// are there, in board order.
func enter(t, elsewhere *tournament.Tournament, q tournament.Qualifier, now time.Time) (tournament.EntryID, error) {
	from, err := elsewhere.Entry(q.Entry)
	if err != nil {
		return 0, err
	}
	own := taken(t, elsewhere, from)
	if own == 0 {
		own = tournament.EntryID(len(t.Entries) + 1)
		t.Entries = append(t.Entries, fresh(own, from, now))
	}
	e := &t.Entries[own-1]
	e.Status, e.Removed, e.Captains = tournament.Active, false, slices.Clone(from.Captains)
	e.ClubID, e.Officers = from.ClubID, slices.Clone(from.Officers)
	for i, mate := range elsewhere.Roster(from.ID) {
		at := slices.IndexFunc(t.Entries, func(x tournament.Entry) bool {
			return x.Team == own && x.Player == mate.Player && (!mate.IsGuest() || club.SameName(x.Name, mate.Name))
		})
		if _, there := t.EntryOf(mate.Player); at < 0 && there && !mate.IsGuest() { // with another team
			return 0, tournament.ErrQualifiedTwice
		}
		if at < 0 {
			at = len(t.Entries)
			t.Entries = append(t.Entries, fresh(tournament.EntryID(at+1), mate, now))
		}
		x := &t.Entries[at]
		x.Status, x.Removed, x.Team, x.Place = tournament.Active, false, own, i+1
	}
	return own, nil
}

// fresh is a new entry of somebody from elsewhere.
func fresh(id tournament.EntryID, from tournament.Entry, now time.Time) tournament.Entry {
	return tournament.Entry{ID: id, Player: from.Player, Name: from.Name, Club: from.Club, Rating: from.Rating, Bot: from.Bot,
		From: 1, EnteredAt: now}
}

// taken returns the entry in t of a player from elsewhere; 0: none.
func taken(t, elsewhere *tournament.Tournament, from tournament.Entry) tournament.EntryID {
	if e, there := t.EntryOf(from.Player); there && !from.IsGuest() {
		return e.ID
	}
	if o := elsewhere.Origin; o != nil && o.Of[0].ID == t.ID { // a group of it
		if seed := o.SeedOf(from.ID); seed >= 0 {
			return o.Seeds[seed].Entry
		}
	}
	if t.Origin != nil {
		for _, q := range t.Origin.Seeds {
			if t.Origin.Of[q.Of].ID == elsewhere.ID && q.Entry == from.ID {
				return q.Own
			}
		}
	}
	return namesake(t, elsewhere, from)
}

// namesake returns the entry in t that has the name of one elsewhere: the same person, if
// no other has the name in either; 0: none.
func namesake(t, elsewhere *tournament.Tournament, from tournament.Entry) tournament.EntryID {
	here, there := tournament.Entries(t.Sides()), tournament.Entries(elsewhere.Sides())
	e, is := here.Namesake(from.Name, 0)
	_, twice := here.Namesake(from.Name, e.ID)
	_, others := there.Namesake(from.Name, from.ID)
	if !is || twice || others || !from.IsGuest() && !e.IsGuest() {
		return 0
	}
	return e.ID
}

// OfGroup is the default number of qualifiers per group.
const OfGroup = 2

// GroupRounds returns the rounds that the largest group has.
func GroupRounds(players, groups int) int {
	largest := (players + groups - 1) / groups
	return largest - 1 + largest%2
}

// Group is a group of a tournament's players.
type Group struct {
	ID   tournament.ID
	Name string
	Of   []tournament.EntryID
}

// MayDivide returns nil, or why the viewer cannot divide a tournament's players into groups.
func MayDivide(t *tournament.Tournament, by player.Viewer) error {
	switch {
	case !t.May(by, tournament.ActStage):
		return tournament.ErrNotAllowed
	case !t.Format.InRounds() || t.Origin != nil:
		return tournament.ErrGroupsPlay
	}
	return t.BeforeStart()
}

// Divide lets groups decide who plays in a tournament. Each group is a round robin of some
// of its players, with the same staff. The tournament waits until Retake takes its players
// from them.
func Divide(t *tournament.Tournament, by player.Viewer, groups []Group, each int, how tournament.Division,
	now time.Time) ([]*tournament.Tournament, error) {
	if err := MayDivide(t, by); err != nil {
		return nil, err
	}
	if n := t.Active(); !draw.Fits(n, len(groups)) || each < 1 || each > n/len(groups) || each*len(groups) < t.LeastPlayers() {
		return nil, tournament.ErrFewPlaces
	}
	o := tournament.Origin{Each: each, Division: &how, At: now}
	var list []*tournament.Tournament
	for _, g := range groups {
		from := tournament.Origin{Of: []tournament.Source{{ID: t.ID, Name: t.Name, Seq: t.Version + 1}}, Each: len(g.Of), Part: true}
		for i, id := range g.Of {
			from.Seeds = append(from.Seeds, tournament.Qualifier{Entry: id, Place: i + 1})
		}
		x, err := tournament.New(g.ID, t.Organizer, Next(t.Settings, tournament.RoundRobin, g.Name, len(g.Of)), now)
		if err != nil {
			return nil, err
		}
		announce(x, now)
		x.Staff = slices.Clone(t.Staff)
		if err := take(x, from, []*tournament.Tournament{t}, now); err != nil {
			return nil, err
		}
		list = append(list, x)
		o.Of = append(o.Of, tournament.Source{ID: g.ID, Name: g.Name, Seq: 1})
	}
	announce(t, now)
	t.Origin, t.Numbering = &o, tournament.Given
	return list, nil
}
