// Package proposal answers three questions about an event – how many people (in teams of how many), until
// when, how serious – with suitable settings, and forecasts when the event ends.
package proposal

import (
	"math/bits"
	"slices"
	"strconv"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/tournament/stage"
)

// Stake is how serious an event is.
type Stake uint8

const (
	Fun   Stake = iota + 1 // unrated, with all twists and board widths
	Club                   // rated
	Prize                  // rated, Verified, a schedule that holds even in the worst case
)

// Stakes lists every stake.
var Stakes = []Stake{Fun, Club, Prize}

var stakeNames = [...]string{Fun: "fun", Club: "club", Prize: "prize"}

func (s Stake) String() string { return stakeNames[s] }

// ParseStake parses "fun", "club" or "prize"; anything else is Club.
func ParseStake(word string) Stake {
	if i := slices.Index(stakeNames[:], word); i > 0 {
		return Stake(i)
	}
	return Club
}

// Shape is a format with its number of rounds, which follows from the players in a round
// robin and a knock-out. The zero value: whichever fits best.
type Shape struct {
	Format tournament.Format
	Rounds int
	Losers contest.Losers // of a knock-out; empty: default
	Groups int            // qualifying groups; 0: everybody plays
}

// Answers are the answers of the organizer.
type Answers struct {
	People       int
	Teams        int                // they play in teams of so many; 0: everybody for themselves
	TeamName     func(n int) string // what the teams of a battle are called until somebody names them
	Starts       time.Time
	Until        time.Time // zero: open end
	Days         int       // from round to round; 0: all rounds are played in one go
	Stake        Stake
	Shape        Shape
	MeasuredFrom outlook.Durations // how long matches take on this site
}

// Limits of Answers.People.
const (
	MinPeople = 3
	MaxPeople = 400
)

// Proposal is an event that fits the answers.
type Proposal struct {
	Shape    Shape
	Settings tournament.Settings // everything but a name
	Round    time.Duration       // likely length of the first round
	End      outlook.Span
	Fits     bool // it ends in time in four cases of five; a Prize event in every case
}

// tempo is how long a match may get.
type tempo struct {
	chips, minutes, increment, moves int
	presets                          []bidding.TimeControl
	lateness                         time.Duration
}

// tempos lists the tempos, the shortest first.
var tempos = []tempo{
	{3, 2, 1, 30, []bidding.TimeControl{{Minutes: 2, Increment: 0}}, 3 * time.Minute},
	{4, 3, 1, 40, []bidding.TimeControl{{Minutes: 3, Increment: 0}}, 3 * time.Minute},
	{6, 3, 2, 40, []bidding.TimeControl{{Minutes: 3, Increment: 2}}, 5 * time.Minute},
	{6, 5, 3, 40, []bidding.TimeControl{{Minutes: 5, Increment: 2}, {Minutes: 5, Increment: 3}}, 5 * time.Minute},
	{6, 10, 5, 50, []bidding.TimeControl{{Minutes: 5, Increment: 3}, {Minutes: 8, Increment: 3}, {Minutes: 10, Increment: 5}},
		5 * time.Minute},
	{8, 15, 10, 60, []bidding.TimeControl{{Minutes: 10, Increment: 5}, {Minutes: 15, Increment: 5}, {Minutes: 15, Increment: 10}},
		10 * time.Minute},
}

// The shortest and the longest tempo of each stake, and the tempo with an open end.
// Verified matches have no clocks faster than 3+2.
var (
	shortest = map[Stake]int{Fun: 0, Club: 0, Prize: 2}
	longest  = map[Stake]int{Fun: 4, Club: 4, Prize: 5}
	atEase   = map[Stake]int{Fun: 2, Club: 3, Prize: 4}
)

// breakBetween is the time between two rounds: the walk to the next board.
const breakBetween = 2 * time.Minute

// Of returns the best proposal. Fits is false if even the shortest event takes too long.
func Of(a Answers) Proposal {
	a = a.within()
	shapes := []Shape{a.Shape}
	if a.Shape == (Shape{}) {
		shapes = a.wishes()
	}
	var last Proposal
	for _, shape := range shapes {
		best, ok := a.longestOf(shape)
		if ok {
			return best
		}
		last = best
	}
	return last
}

// Others returns alternatives to the best proposal: a round more or less, another format.
func Others(a Answers, best Proposal) (list []Proposal) {
	a = a.within()
	for _, shape := range a.neighbors(best.Shape) {
		p, _ := a.longestOf(shape)
		list = append(list, p)
	}
	return list
}

// Plan forecasts when an event with those settings ends that begins at starts.
func Plan(s tournament.Settings, people int, starts time.Time, d outlook.Durations) outlook.Forecast {
	if s.Pace == tournament.Manual || s.Pace == tournament.Rolling {
		s.Pace = tournament.Auto // as if rounds opened at once, or matches waited for the round
	}
	of := sides(people, s.Teams.Boards)
	if s.Groups == 0 || !draw.Fits(of, s.Groups) {
		return planned(s, of, starts, d)
	}
	first := stage.Next(s, tournament.Swiss, s.Name, of)
	first.Rounds = stage.GroupRounds(of, s.Groups) // each starts after the others
	f := planned(first, of, starts, d)
	f.End = outlook.After(f.End, s.Break, planned(s, stage.OfGroup*s.Groups, starts, d).End, starts)
	return f
}

// Rounds returns how many rounds an event of so many people usually has, with those of its groups.
func Rounds(s tournament.Settings, people int) int {
	before, of := 0, sides(people, s.Teams.Boards)
	if s.Groups > 0 && draw.Fits(of, s.Groups) {
		before, of = stage.GroupRounds(of, s.Groups), stage.OfGroup*s.Groups
	}
	return before + course(s, of).RoundsExpected()
}

// planned is Plan for so many sides of an event with one stage.
func planned(s tournament.Settings, sides int, starts time.Time, d outlook.Durations) outlook.Forecast {
	return outlook.Of(course(s, sides), nil, d, starts)
}

// course returns an event of so many sides before its start.
func course(s tournament.Settings, sides int) *tournament.Tournament {
	t := &tournament.Tournament{Table: tournament.Table{Settings: s, Status: tournament.Registration, Entries: make([]tournament.Entry, sides)}}
	for i := range t.Entries {
		t.Entries[i].Status = tournament.Active
	}
	return t
}

// within returns the answers clamped to their limits.
func (a Answers) within() Answers {
	a.People = min(max(a.People, MinPeople), MaxPeople)
	a.Teams = min(max(a.Teams, 0), tournament.MaxTeamBoards)
	if a.TeamName == nil {
		a.TeamName = strconv.Itoa
	}
	if a.Stake == 0 {
		a.Stake = Club
	}
	if a.MeasuredFrom == (outlook.Durations{}) {
		a.MeasuredFrom = outlook.TypicalDurations()
	}
	if w, known := ways[a.Shape.Format]; !known || !w.suits(a, a.Shape) || a.Days > 0 && !onDays(a.Shape) {
		a.Shape = Shape{}
	}
	return a
}

// sides returns how many sides people make in teams of so many, two at least; 0 teams: each is one.
func sides(people, teams int) int {
	if teams == 0 {
		return people
	}
	return max(tournament.MinPlayers, people/teams)
}

func (a Answers) sides() int { return sides(a.People, a.Teams) }

// onDays reports whether the rounds of a shape can have dates beforehand: their number is known, and everybody plays each.
func onDays(of Shape) bool { return of.Format.MeetsAll() || of.Format.PairsByScore() }

// dates returns when rounds begin that are some days apart, by the clocks of the place.
func (a Answers) dates(rounds int) (list []time.Time) {
	for n := range rounds {
		list = append(list, civil.AddDays(a.Starts, n*a.Days, a.Starts.Location()))
	}
	return list
}

// swissRounds returns how many rounds produce one winner: the sides halve.
func (a Answers) swissRounds() int {
	rounds := max(3, bits.Len(uint(a.sides()-1)))
	if a.Stake == Prize {
		rounds++
	}
	return min(rounds, a.sides()-1)
}

// wishes returns the shapes in order of preference: a round robin for few sides, else
// as many Swiss rounds as produce a winner, then for fun an arena, then fewer rounds.
func (a Answers) wishes() (list []Shape) {
	if a.sides() <= 8 || a.Days > 0 && a.sides() <= mostAtTable {
		list = append(list, Shape{Format: tournament.RoundRobin})
	}
	for rounds := a.swissRounds(); rounds >= min(3, a.sides()-1); rounds-- {
		list = append(list, Shape{Format: tournament.Swiss, Rounds: rounds})
		if rounds == a.swissRounds() && a.Stake == Fun && a.Days == 0 && a.canOpen() {
			list = append(list, Shape{Format: tournament.Arena})
		}
	}
	return list
}

// mostAtTable is the largest number of people for whom a round robin is proposed.
const mostAtTable = 12

// leastOut is the smallest number of sides for a knock-out.
const leastOut = 4

// neighbors returns shapes that somebody may prefer.
func (a Answers) neighbors(of Shape) (list []Shape) {
	if !of.Format.PairsByScore() {
		list = append(list, Shape{Format: tournament.Swiss, Rounds: a.swissRounds()})
	} else {
		for _, rounds := range []int{of.Rounds - 1, of.Rounds + 1} {
			if rounds >= 2 && rounds < a.sides() {
				list = append(list, Shape{Format: tournament.Swiss, Rounds: rounds})
			}
		}
		if a.sides() <= mostAtTable {
			list = append(list, Shape{Format: tournament.RoundRobin})
		}
	}
	if a.Days > 0 {
		return list
	}
	if of.Format.InRounds() && a.canOpen() {
		list = append(list, Shape{Format: tournament.Arena})
	}
	if groups := a.groups(); groups > 0 {
		shape := Shape{Format: tournament.KnockOut, Groups: groups}
		if _, fits := a.longestOf(shape); fits {
			list = append(list, shape)
		}
	}
	for _, losers := range []contest.Losers{"", contest.TwiceReset} {
		if a.sides() >= leastOut && a.canLose(losers) {
			list = append(list, Shape{Format: tournament.KnockOut, Losers: losers})
		}
	}
	return list
}

// The proposed size of a group, and the largest; more players need a league first.
const (
	usualGroup = 4
	mostGroup  = 8
)

// groups returns the number of groups before a knock-out; 0 for too few or too many
// players.
func (a Answers) groups() int {
	n := min(draw.MostGroups, (a.sides()+usualGroup/2)/usualGroup)
	if n < 2 || a.sides() < 2*usualGroup || a.sides() > n*mostGroup {
		return 0
	}
	return n
}

// The smallest number of people for an arena, in which fewer would meet the same
// opponents again and again, and its length with an open end.
const (
	leastInArena = 8
	usualWindow  = time.Hour
)

// canOpen reports whether an arena fits: enough people, of teams not too many for a battle, time for several matches, and no
// prizes, which need rounds.
func (a Answers) canOpen() bool {
	if a.Stake == Prize || a.People < leastInArena || a.Teams > 0 && a.sides() > tournament.MaxBattleTeams {
		return false
	}
	_, fits := a.longestOf(Shape{Format: tournament.Arena})
	return fits
}

// window returns how long an arena is open for its last matches to end in time.
func (a Answers) window(s tournament.Settings) time.Duration {
	if a.Until.IsZero() {
		return usualWindow
	}
	s.Window = usualWindow
	last := Plan(s, a.People, a.Starts, a.MeasuredFrom).End.To.Sub(a.Starts) - s.Window
	left := a.Until.Sub(a.Starts) - last
	return max(setting.MinWindow, min(left, setting.MaxWindow)).Truncate(5 * time.Minute)
}

// canLose reports whether a bracket has room for everybody.
func (a Answers) canLose(losers contest.Losers) bool {
	least, most := losers.Bounds()
	return a.sides() >= least && a.sides() <= most
}

// longestOf returns a shape at the longest tempo that ends in time; if there is none,
// false and the shortest.
func (a Answers) longestOf(shape Shape) (Proposal, bool) {
	from := longest[a.Stake]
	if a.Until.IsZero() {
		from = atEase[a.Stake]
	}
	var p Proposal
	for _, tie := range ways[shape.Format].ties(a) {
		for i := from; i >= shortest[a.Stake]; i-- {
			if p = a.at(shape, tempos[i], tie); p.Fits {
				return p, true
			}
		}
	}
	return p, false
}

// at returns a shape at one tempo.
func (a Answers) at(shape Shape, t tempo, tie []contest.Step) Proposal {
	s := tournament.DefaultSettings(shape.Format)
	s.Rounds = shape.Rounds
	s.Break, s.Lateness, s.Until = breakBetween, t.lateness, a.Until
	s.Envelope = envelope(a.Stake, t)
	s.Rated = a.Stake != Fun
	s.HonourNoShows = a.Stake == Prize
	// A person publishes the rounds unless nothing is at stake.
	s.Review = a.Stake != Fun
	s.Capacity = a.sides() + (a.sides()+5)/6
	if a.Teams > 0 && shape.Format.MayHaveTeams() {
		s.PlayIn(TeamsOf(a.Teams, a.Stake))
	}
	if len(tie) > 0 {
		s.Tie = tie
	}
	ways[shape.Format].settle(a, shape, &s)
	s.Capacity = min(s.Capacity, s.MostPlayers())
	if a.Days > 0 {
		s.Pace, s.Times = tournament.Times, a.dates(Rounds(s, a.People))
		if s.Format.MeetsAll() {
			s.Capacity = a.sides() + a.sides()%2 // more would need more rounds than have dates
		}
	}
	if a.Stake == Prize {
		s.Policy = fairplay.Preset(fairplay.Verified)
	}
	f := Plan(s, a.People, a.Starts, a.MeasuredFrom)
	p := Proposal{Shape: shape, Settings: s, Round: f.RoundEnd.Likely.Sub(a.Starts), End: f.End}
	p.Fits = a.Until.IsZero() || !f.End.To.After(a.Until)
	if !shape.Format.InRounds() {
		p.Fits = p.Fits && setting.ArenaMatches*s.MatchOptions().Envelope.WorstCase(match.DefaultStartDelay) <= s.Window
	}
	if a.Stake == Prize && !a.Until.IsZero() {
		p.Fits = !f.End.Latest.After(a.Until)
		p.Settings.Firm = p.Fits
	}
	return p
}

// TeamsOf returns how teams of so many play: a reserve, or two from four boards on, and enough time for captains to see who is
// there; with a prize the ten minutes of FIDE's team events.
func TeamsOf(boards int, stake Stake) tournament.Teams {
	t := tournament.Teams{Boards: boards, Reserves: 1, LineUps: 5 * time.Minute}
	if boards >= 4 {
		t.Reserves = 2
	}
	if stake == Prize {
		t.LineUps = 10 * time.Minute
	}
	return t
}

// envelope returns what bidding may decide at a tempo.
func envelope(stake Stake, t tempo) bidding.Envelope {
	e := bidding.DefaultEnvelope()
	e.Chips, e.Minutes, e.Increment = t.chips, [2]int{min(t.minutes, t.presets[0].Minutes), t.minutes}, [2]int{0, t.increment}
	e.MoveLimit, e.Defaults.MoveLimit = [2]int{min(20, t.moves), t.moves}, t.moves
	e.Presets = slices.Clone(t.presets)
	e.Undos = [2]int{0, 0}
	e.Defaults.Undos = 0
	e.Widths = []int{6, 8, 10}
	if stake == Fun {
		e.Widths, e.Undos = []int{6, 7, 8, 9, 10}, [2]int{0, 1}
	}
	return e
}
