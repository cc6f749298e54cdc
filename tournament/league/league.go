package league

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
)

// ID identifies one league.
type ID string

// MaxText limits reasons, objections and decisions, in characters.
const MaxText = 1000

// The refusals of a league, besides those of placing.
var (
	ErrNotAllowed = refusal.Forbidden("error.forbidden", "league: not allowed")
	ErrName       = refusal.Invalid("league.error.name", "league: a name of 3 to 80 characters in one line")
	ErrText       = refusal.Invalid("league.error.text", "league: the text must be 1 to 1000 characters")
	ErrRules      = refusal.Invalid("league.error.rules", "league: the rules must be a text of up to 10000 characters")
	ErrTemplate   = refusal.Invalid("league.error.template", "league: a division is a round robin or a Swiss whose players arrange their matches or play by correspondence")
	ErrRounds     = refusal.Invalid("league.error.rounds", "league: a Swiss has fewer rounds than its smallest division has players, and no double rounds")
	ErrLetters    = refusal.Invalid("league.error.letters", "league: by correspondence players meet everybody")
	ErrNotNow     = refusal.Conflict("league.error.not-now", "league: the season is at another stage")
	ErrIn         = refusal.Conflict("league.error.in", "league: they are in this season")
	ErrOut        = refusal.Conflict("league.error.out", "league: they are out for this season")
	ErrStarts     = refusal.Invalid("league.error.starts", "league: the season must start in the future, within a year")
	ErrTooLarge   = refusal.Conflict("league.error.too-large", "league: a drafted division has more players than its format takes")
	ErrTooSmall   = refusal.Conflict("league.error.too-small", "league: a drafted division has fewer than 3 players")
	ErrPublishAt  = refusal.Invalid("league.error.publish-at", "league: divisions are published after now and before the season starts")
	ErrNoSanction = refusal.Conflict("league.error.no-sanction", "league: there is nothing to object to or to decide")
	ErrStillPlays = refusal.Conflict("league.error.plays", "league: divisions are still being played")
)

// Settings is what the club decides.
type Settings struct {
	Name  string `json:"name"`
	About string `json:"about,omitempty"` // the rules, for people
	Rule
	// Division is what its divisions are held by; name, club and times are set for each.
	Division tournament.Settings `json:"division"`
}

// DefaultSettings returns everything but the name: sixes in which each round has a week.
func DefaultSettings() Settings {
	s := Settings{Rule: Rule{Least: 4, Usual: 6, Most: 8}, Division: tournament.DefaultSettings(tournament.RoundRobin)}
	s.Division.Pace, s.Division.Window, s.Division.Lateness = tournament.Arranged, 7*24*time.Hour, 15*time.Minute
	return s
}

// Play sets how divisions play: a Swiss of so many rounds, 0: everybody meets everybody; by correspondence with a time for each
// move, 0: at times that players agree on.
func (s *Settings) Play(rounds int, moveTime time.Duration) {
	d, f := &s.Division, tournament.RoundRobin
	if rounds > 0 {
		f = tournament.Swiss
	}
	if f != d.Format {
		n := tournament.DefaultSettings(f)
		n.Envelope, n.Claims, n.Policy, n.Rated, n.Points = d.Envelope, d.Claims, d.Policy, d.Rated, d.Points
		n.Window, n.Lateness, n.DrawUnmet, n.Double = d.Window, d.Lateness, d.DrawUnmet, d.Double
		if d.HasTeams() {
			n.PlayIn(d.Teams)
		}
		*d = n
	}
	d.Rounds, d.BidTime, d.Pace = rounds, moveTime, tournament.Arranged
	if moveTime > 0 {
		d.Pace, d.DrawUnmet = tournament.Correspondence, false // nobody has to find a time
	}
}

// Validate returns nil or why a league cannot be held so.
func (s Settings) Validate() error {
	switch n := utf8.RuneCountInString(s.Name); {
	case n < 3 || n > 80 || strings.TrimSpace(s.Name) != s.Name || !player.IsLine(s.Name):
		return ErrName
	case utf8.RuneCountInString(s.About) > tournament.MaxAboutLength || s.About != "" && !player.IsText(s.About):
		return ErrRules
	}
	d := s.Division
	switch isSwiss := d.Format.PairsByScore() && !d.Format.HasOwnOrder(); {
	case !d.Pace.HasWindow() || !d.Format.MeetsAll() && !isSwiss:
		return ErrTemplate
	case d.Pace == tournament.Correspondence && (isSwiss || d.HasTeams()):
		return ErrLetters
	case isSwiss && (d.Double || d.Rounds > mostRounds(s.Least)):
		return ErrRounds
	case s.Most > s.mostSize():
		return ErrSizes
	}
	if err := s.Rule.Validate(); err != nil {
		return err
	}
	d = s.held(s.Usual, time.Time{})
	d.Name = s.Name
	return d.Validate()
}

// held returns the settings of a division of n that starts at a time. Players arrange their matches within the window of a round.
// The boards of teams open together: each round at the same time of day, a window after the one before.
func (s Settings) held(n int, starts time.Time) tournament.Settings {
	d := s.Division
	if d.Rounds > 0 {
		d.Rounds = min(d.Rounds, mostRounds(n)) // a division below the least size has fewer opponents
	}
	if !d.HasTeams() {
		return d
	}
	d.Pace, d.Window, d.DrawUnmet, d.Times = tournament.Times, 0, false, nil
	for k := range rounds(d, n) {
		d.Times = append(d.Times, civil.AddDays(starts, k*int(s.Division.Window/(24*time.Hour)), d.Location()))
	}
	return d
}

// mostSize returns how many can play in a division.
func (s Settings) mostSize() int {
	if s.Division.Format.MeetsAll() {
		return MostMeeting
	}
	return MostSize
}

// mostRounds returns in how many rounds so many players can meet somebody new, or have the one bye.
func mostRounds(players int) int { return players - 1 + players%2 }

// State is the stage of a season.
type State string

const (
	Open     State = "open"    // players enter
	Placed   State = "placed"  // divisions are made; places are filled until it starts
	Running  State = "running" // divisions are played
	Closing  State = "closing" // tables are frozen, play-offs are played
	Archived State = "archived"
)

// Participant is somebody who has entered a season.
type Participant struct {
	Member Member    `json:"member"`
	Rating int       `json:"rating,omitempty"`
	At     time.Time `json:"at"`
}

// Division is a division of a season: a tournament of the site.
type Division struct {
	Tournament tournament.ID `json:"tournament"`
	Members    []Member      `json:"members"`
	// Entries are the entries of teams in the tournament; those of players name their accounts.
	Entries map[Member]tournament.EntryID `json:"entries,omitempty"`
}

// Season is one season of a league.
type Season struct {
	Number    int             `json:"number"` // from 1
	State     State           `json:"state"`
	Starts    time.Time       `json:"starts"`
	EndedAt   time.Time       `json:"ended,omitzero"`
	In        []Participant   `json:"in,omitempty"` // in the order of entry
	Draft     *Draft          `json:"draft,omitempty"`
	Shifts    []Shift         `json:"shifts,omitempty"`   // by hand, in the draft and in the one that comes in its place
	PublishAt time.Time       `json:"publishAt,omitzero"` // when the draft is published by itself; zero: by hand
	Rule      Rule            `json:"rule,omitzero"`      // by which it is held, from when it is placed
	Placing   Draft           `json:"placing,omitzero"`   // as it was published
	Divisions []Division      `json:"divisions,omitempty"`
	Tables    []Table         `json:"tables,omitempty"` // frozen
	PlayOffs  []PlayOff       `json:"playOffs,omitempty"`
	Decided   []tournament.ID `json:"decided,omitempty"` // the events of the play-offs; empty: not made
	Bench     Bench           `json:"bench,omitzero"`
}

// IsIn reports whether somebody takes part.
func (s *Season) IsIn(who Member) bool {
	return slices.ContainsFunc(s.In, func(p Participant) bool { return p.Member == who })
}

// DivisionOf returns the division of somebody, from 1; 0: none.
func (s *Season) DivisionOf(who Member) int {
	return 1 + slices.IndexFunc(s.Divisions, func(d Division) bool { return slices.Contains(d.Members, who) })
}

// League is a club's league with its whole past. The last season is the current one.
type League struct {
	ID        ID         `json:"id"`
	Club      club.ID    `json:"club"`
	Organizer player.ID  `json:"organizer"`
	Settings  Settings   `json:"settings"`
	Teams     []Team     `json:"teams,omitempty"` // that have ever entered, by number
	Seasons   []Season   `json:"seasons"`
	Sanctions []Sanction `json:"sanctions,omitempty"`
	CreatedAt time.Time  `json:"created"`
	Version   int64      `json:"version"`
	fresh     []Event
}

// Event is a line of a league's log.
type Event struct {
	At     time.Time `json:"at"`
	Kind   string    `json:"kind"`
	By     player.ID `json:"by,omitempty"` // empty: by itself
	Season int       `json:"season,omitempty"`
	Member Member    `json:"member,omitempty"` // whom it is about
	Text   string    `json:"text,omitempty"`
}

// published are the kinds of lines that say what everybody sees of a season: who is named in the others is nobody else's business.
var published = []string{"created", "placed", "began", "frozen", "play-offs", "archived"}

// IsPublic reports whether everybody may be told of the line.
func (e Event) IsPublic() bool { return slices.Contains(published, e.Kind) }

// Concerns reports whether what the line says may be decided otherwise by acts whose author has not seen it, or, without an act, stand in
// the way of one that is refused.
func (e Event) Concerns(acts []Event) bool {
	of, is := concerns[e.Kind]
	return is && (len(acts) == 0 || slices.ContainsFunc(acts, func(mine Event) bool {
		return slices.Contains(of, mine.Kind) && (e.Member == "" || mine.Member == "" || e.Member == mine.Member)
	}))
}

// Named is the line of a team that has another name, captains or players.
const Named = "named"

// concerns are the lines that others may not have seen, with the acts that they concern: on the same player, if both are on one.
var concerns = map[string][]string{
	"changed":       {"changed"},
	"entered":       {"placed", "publish-later"},
	"left":          {"placed", "publish-later", "warned", "entered"},
	"drafted":       {"drafted", "shifted", "placed", "publish-later"},
	"shifted":       {"drafted", "shifted", "placed", "publish-later"},
	"publish-later": {"drafted", "placed", "publish-later"},
	"warned":        {"warned", "left", "entered"},
	"upheld":        {"warned", "left"},
	"lifted":        {"warned", "left"},
	"named":         {Named},
	"placed":        nil, "began": nil, "frozen": nil, "play-offs": nil, "archived": nil,
}

// Actor is whoever acts; Directs says that they hold events for the league's club, as Others do. They name players of the clubs in
// Names.
type Actor struct {
	Player  player.ID
	Directs bool
	Others  []player.ID
	Names   []club.ID
}

// Member returns the actor as somebody who plays.
func (a Actor) Member() Member { return Member(a.Player) }

// New returns a league whose first season is open.
func New(id ID, of club.ID, by Actor, s Settings, starts, now time.Time) (*League, error) {
	if !by.Directs {
		return nil, ErrNotAllowed
	}
	s.Name = player.Tidy(s.Name)
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := checkStart(starts, now); err != nil {
		return nil, err
	}
	l := &League{ID: id, Club: of, Organizer: by.Player, Settings: s, CreatedAt: now}
	l.Seasons = []Season{{Number: 1, State: Open, Starts: starts}}
	l.log(by, "created", "", "", now)
	return l, nil
}

func checkStart(starts, now time.Time) error {
	if !starts.After(now) || starts.After(now.Add(tournament.MaxAhead)) {
		return ErrStarts
	}
	return nil
}

// Now returns the current season.
func (l *League) Now() *Season { return &l.Seasons[len(l.Seasons)-1] }

// Last returns the season before the current one; nil: there was none.
func (l *League) Last() *Season {
	if len(l.Seasons) < 2 {
		return nil
	}
	return &l.Seasons[len(l.Seasons)-2]
}

// Fresh returns what has happened since the league was read.
func (l *League) Fresh() []Event { return l.fresh }

// Clone returns an independent copy without fresh events.
func (l *League) Clone() *League {
	c := *l
	c.Seasons, c.Sanctions, c.fresh = slices.Clone(l.Seasons), slices.Clone(l.Sanctions), nil
	s := c.Now()
	s.In, s.PlayOffs, s.Bench = slices.Clone(s.In), slices.Clone(s.PlayOffs), s.Bench.clone()
	s.Decided, s.Divisions, s.Shifts = slices.Clone(s.Decided), slices.Clone(s.Divisions), slices.Clone(s.Shifts)
	for i := range s.Divisions {
		s.Divisions[i].Members, s.Divisions[i].Entries = slices.Clone(s.Divisions[i].Members), maps.Clone(s.Divisions[i].Entries)
	}
	c.Teams = slices.Clone(l.Teams)
	return &c
}

func (l *League) log(by Actor, kind string, who Member, text string, now time.Time) {
	l.fresh = append(l.fresh, Event{now, kind, by.Player, l.Now().Number, who, text})
}

// Level returns how somebody stands in the current season.
func (l *League) Level(who Member) Level { return LevelOf(who, l.Now().Number, l.Sanctions) }

// Enter takes somebody into the open season; a team by the ratings of its players. Once it is placed, they wait as an alternate until it starts.
func (l *League) Enter(by Actor, who Member, rating int, now time.Time) error {
	s := l.Now()
	switch {
	case !l.Speaks(by, who) && !by.Directs || who == "":
		return ErrNotAllowed
	case l.HasTeams() && !who.IsTeam():
		return ErrTeams
	case who.IsTeam() && (l.Team(who) == nil || !l.HasTeams()):
		return ErrNoTeam
	case s.IsIn(who) || s.Bench.index(who) >= 0:
		return ErrIn
	case l.Level(who) == Red:
		return ErrOut
	}
	if t := l.Team(who); t != nil {
		if err := l.fits(t); err != nil {
			return err
		}
		rating = l.strength(t)
	}
	switch s.State {
	case Open:
		s.In, s.Draft = append(s.In, Participant{who, rating, now}), nil
		l.dropShifts()
		l.log(by, "entered", who, "", now)
	case Placed:
		s.Bench.Alternates = append(s.Bench.Alternates, Alternate{Member: who, Rating: rating, Since: now})
		l.log(by, "waits", who, "", now)
	default:
		return ErrNotNow
	}
	return nil
}

// EnterLate takes somebody into a division, from 1, of a season that runs. A Swiss still has room for them if its tournament has;
// where everybody meets everybody, nobody comes late.
func (l *League) EnterLate(by Actor, who Member, rating, division int, now time.Time) error {
	s := l.Now()
	switch {
	case !by.Directs || who == "":
		return ErrNotAllowed
	case s.State != Running || l.HasTeams():
		return ErrNotNow
	case division < 1 || division > len(s.Divisions):
		return ErrNoDivision
	case s.IsIn(who):
		return ErrIn
	case l.Level(who) == Red:
		return ErrOut
	}
	s.In = append(s.In, Participant{who, rating, now})
	s.Divisions[division-1].Members = append(s.Divisions[division-1].Members, who)
	l.log(by, "entered", who, "", now)
	return nil
}

// Leave takes somebody out before the season starts, or off the alternates. A place in a division is offered to
// alternates; number is that of the vacancy, 0 without one.
func (l *League) Leave(by Actor, who Member, now time.Time) (number int, err error) {
	s := l.Now()
	switch i := s.Bench.index(who); {
	case !l.Speaks(by, who) && !by.Directs:
		return 0, ErrNotAllowed
	case i >= 0:
		s.Bench.Alternates = slices.Delete(s.Bench.Alternates, i, i+1)
		for k := range s.Bench.Vacancies {
			s.Bench.lapse(&s.Bench.Vacancies[k], who)
		}
		l.log(by, "waits-no-more", who, "", now)
		return 0, nil
	case !s.IsIn(who):
		return 0, ErrNotIn
	case s.State != Open && s.State != Placed:
		return 0, ErrNotNow
	}
	l.log(by, "left", who, "", now)
	return l.takeOut(who), nil
}

// takeOut takes somebody who is in out of a season that has not started, and returns the number of the place that becomes free; 0:
// none does.
func (l *League) takeOut(who Member) int {
	s := l.Now()
	d := s.DivisionOf(who)
	s.In, s.Draft = slices.DeleteFunc(s.In, func(p Participant) bool { return p.Member == who }), nil
	if d == 0 {
		return 0
	}
	number := len(s.Bench.Vacancies) + 1
	s.Bench.Vacancies = append(s.Bench.Vacancies, Vacancy{Number: number, Division: d, Out: who, Starts: s.Starts})
	s.Divisions[d-1].Members = slices.DeleteFunc(s.Divisions[d-1].Members, func(m Member) bool { return m == who })
	return number
}

// Answer accepts or declines a place that is offered to somebody for whom the actor speaks. Whoever accepts is in their division.
func (l *League) Answer(by Actor, me Member, number int, accept bool, now time.Time) error {
	s := l.Now()
	rating := 0
	if i := s.Bench.index(me); i >= 0 {
		rating = s.Bench.Alternates[i].Rating
	}
	switch {
	case !l.Speaks(by, me):
		return ErrNotAllowed
	case s.State != Placed:
		return ErrNotNow
	}
	if err := l.full(me); err != nil && accept {
		return err
	}
	if err := s.Bench.Answer(number, me, accept); err != nil {
		return err
	}
	if !accept {
		l.log(by, "declined", me, "", now)
		return nil
	}
	d := &s.Divisions[s.Bench.Vacancies[number-1].Division-1]
	d.Members = append(d.Members, me)
	s.In = append(s.In, Participant{me, rating, now})
	l.log(by, "took", me, "", now)
	return nil
}

// Stay says that somebody for whom the actor speaks still waits as an alternate.
func (l *League) Stay(by Actor, who Member, now time.Time) error {
	if !l.Speaks(by, who) {
		return ErrNotAllowed
	}
	if err := l.Now().Bench.Stay(who); err != nil {
		return err
	}
	l.log(by, "stays", who, "", now)
	return nil
}

// Settle offers places that are due. off are the days on which alternates cannot play.
func (l *League) Settle(off map[Member]fixture.DaysOff, now time.Time) {
	s := l.Now()
	if s.State != Placed {
		return
	}
	for i := range s.Bench.Alternates {
		a := &s.Bench.Alternates[i]
		a.Away = l.misses(off[a.Member])
	}
	for _, list := range s.Bench.Settle(now) {
		for _, who := range list {
			l.log(Actor{}, "offered", who, "", now)
		}
	}
}

// misses reports whether somebody cannot play on any day of a round of the current season.
func (l *League) misses(off fixture.DaysOff) bool {
	d := l.Settings.Division
	if d.HasTeams() || d.Pace != tournament.Arranged {
		return false // somebody of it plays, or nobody has to be there
	}
	for n := range rounds(d, l.Settings.Usual) {
		opens := d.WindowsAfter(l.Now().Starts, n)
		if off.Cover(opens, d.LastStart(opens)) {
			return true
		}
	}
	return false
}

// rounds returns how many rounds a division of n has.
func rounds(d tournament.Settings, n int) int {
	t := tournament.Tournament{Table: tournament.Table{Settings: d, Entries: make([]tournament.Entry, n)}}
	for i := range t.Entries {
		t.Entries[i].Status = tournament.Active
	}
	return t.RoundsExpected()
}

// Due returns when something next happens by itself: divisions are published, a place is offered, or a placed season starts.
// Zero: nothing will.
func (l *League) Due() time.Time {
	s := l.Now()
	switch s.State {
	case Placed:
	case Open:
		return s.PublishAt
	default:
		return time.Time{}
	}
	if at := s.Bench.Due(); !at.IsZero() && at.Before(s.Starts) {
		return at
	}
	return s.Starts
}

// Propose drafts who plays where, from the last season and those who have entered, for the organizer to look at. Entries and settings
// that change end a draft, but not what was shifted in it by hand: nobody undoes by leaving and entering again what a colleague has
// decided. Whoever drafts again begins without their own shifts.
func (l *League) Propose(by Actor, now time.Time) error {
	s := l.Now()
	switch {
	case !by.Directs:
		return ErrNotAllowed
	case s.State != Open:
		return ErrNotNow
	}
	var tables []Table
	var offs []PlayOff
	if last := l.Last(); last != nil {
		tables, offs = last.Tables, last.PlayOffs
	}
	enter := make([]Entrant, len(s.In))
	for i, p := range s.In {
		enter[i] = Entrant{p.Member, p.Rating, l.divisionBefore(p.Member)}
	}
	d, err := PlaceSeason(l.placedBy(l.Settings.Rule), tables, offs, enter)
	if err != nil {
		return err
	}
	if s.Draft != nil {
		s.Shifts = slices.DeleteFunc(s.Shifts, func(x Shift) bool { return x.By == by.Player })
	}
	for _, x := range s.Shifts {
		if c, err := d.Shift(x.Member, x.To); err == nil { // else they have left, or there are fewer divisions
			d = c
		}
	}
	s.Draft, s.PublishAt = &d, time.Time{}
	l.log(by, "drafted", "", "", now)
	return nil
}

// placedBy returns the rule by which the next season is placed: its divisions are as large as settings say, and as many rise and
// go down as was promised to those who played the last.
func (l *League) placedBy(r Rule) Rule {
	for i := range l.Seasons {
		if s := l.Seasons[i]; s.State != Open {
			r.Movers, r.PlayOff = s.Rule.Movers, s.Rule.PlayOff
		}
	}
	return r
}

// Change gives the league other settings and, while its season is open, another start. A season that is placed is held by
// the rule it was placed by; its name and its rules for people change at once, everything else with the next.
func (l *League) Change(by Actor, s Settings, starts, now time.Time) error {
	x := l.Now()
	if !by.Directs {
		return ErrNotAllowed
	}
	s.Name = player.Tidy(s.Name)
	if err := s.Validate(); err != nil {
		return err
	}
	if err := l.placedBy(s.Rule).Validate(); err != nil {
		return err
	}
	if old, is := l.Settings.Division.Teams, s.Division.Teams; is != old {
		if l.HasTeams() != s.Division.HasTeams() && (len(l.Seasons) > 1 || len(x.In) > 0) || x.State == Placed {
			return ErrKind
		}
		for _, t := range l.TeamsIn() {
			if x.State == Open && len(t.Players) > is.Boards+is.Reserves {
				return ErrKind
			}
		}
	}
	if x.State == Open && !starts.Equal(x.Starts) {
		if err := checkStart(starts, now); err != nil {
			return err
		}
		x.Starts = starts
	}
	if x.State == Open && !x.PublishAt.IsZero() && !x.PublishAt.Before(x.Starts) {
		return ErrPublishAt
	}
	if x.State == Open && (s.Rule != l.Settings.Rule || s.Division.Teams != l.Settings.Division.Teams) {
		x.Draft = nil
		l.dropShifts()
	}
	l.Settings = s
	for _, t := range l.TeamsIn() {
		l.weigh(t)
	}
	l.log(by, "changed", "", "", now)
	return nil
}

// divisionBefore returns the division of the latest season that somebody played; 0: none.
func (l *League) divisionBefore(who Member) int {
	for i := len(l.Seasons) - 2; i >= 0; i-- {
		for d, t := range l.Seasons[i].Tables {
			if slices.ContainsFunc(t, func(r Row) bool { return r.Member == who }) {
				return d + 1
			}
		}
	}
	return 0
}

// Shift moves somebody in the draft.
func (l *League) Shift(by Actor, who Member, to int, now time.Time) error {
	s := l.Now()
	switch {
	case !by.Directs:
		return ErrNotAllowed
	case s.Draft == nil:
		return ErrNotNow
	}
	d, err := s.Draft.Shift(who, to)
	if err != nil {
		return err
	}
	s.Draft = &d
	s.Shifts = append(s.Shifts, Shift{who, to, by.Player})
	l.log(by, "shifted", who, "", now)
	return nil
}

// dropShifts ends what those who take part have shifted, who would decide in one draft where they play in another: they were judged
// by the draft that they saw, or, before they entered, not at all.
func (l *League) dropShifts() {
	s := l.Now()
	s.Shifts = slices.DeleteFunc(s.Shifts, func(x Shift) bool { return slices.ContainsFunc(l.stakes(Actor{Player: x.By}), l.TakesPart) })
}

// PublishLater publishes the draft by itself at a time before the start; a zero time: by hand again.
func (l *League) PublishLater(by Actor, at, now time.Time) error {
	s := l.Now()
	switch {
	case !by.Directs:
		return ErrNotAllowed
	case !at.IsZero() && (!at.After(now) || !at.Before(s.Starts)):
		return ErrPublishAt
	case at.Equal(s.PublishAt):
		return nil
	}
	if err := l.mayPublish(); err != nil && !at.IsZero() {
		return err
	}
	s.PublishAt = at
	l.log(by, "publish-later", "", "", now)
	return nil
}

// mayPublish returns nil, or why the draft does not hold: it must place exactly those who take part, and in divisions that can play.
func (l *League) mayPublish() error {
	s := l.Now()
	if s.State != Open || s.Draft == nil {
		return ErrNotNow
	}
	placed := 0
	for _, list := range s.Draft.Divisions {
		if len(list) < LeastSize {
			return ErrTooSmall
		}
		if len(list) > l.Settings.mostSize() {
			return ErrTooLarge
		}
		placed += len(list)
		for _, p := range list {
			if !s.IsIn(p.Member) || l.Level(p.Member) == Red {
				return ErrNotIn
			}
			if err := l.full(p.Member); err != nil {
				return err
			}
		}
	}
	if placed != len(s.In) {
		return ErrNotNow
	}
	return nil
}

// NotPublished says that the draft did not hold when it was to be published by itself, so that it stays one.
func (l *League) NotPublished(now time.Time) {
	l.Now().PublishAt = time.Time{}
	l.log(Actor{}, "not-published", "", "", now)
}

// Publish makes the drafted divisions those of the season, as tournaments with these ids; by the organizer, or by itself at its time.
func (l *League) Publish(by Actor, newID func() tournament.ID, now time.Time) error {
	s := l.Now()
	if !by.Directs && (s.PublishAt.IsZero() || now.Before(s.PublishAt)) {
		return ErrNotAllowed
	}
	if err := l.mayPublish(); err != nil {
		return err
	}
	for _, list := range s.Draft.Divisions {
		d := Division{Tournament: newID()}
		for _, p := range list {
			d.Members = append(d.Members, p.Member)
		}
		s.Divisions = append(s.Divisions, d)
	}
	s.Placing, s.Draft, s.Shifts, s.PublishAt, s.State, s.Rule = *s.Draft, nil, nil, time.Time{}, Placed, l.Settings.Rule
	l.log(by, "placed", "", "", now)
	return nil
}

// Event returns the settings of the tournament of a division, from 1.
func (l *League) Event(division int) tournament.Settings {
	d := l.Settings.held(len(l.Now().Divisions[division-1].Members), l.Now().Starts)
	d.Name = l.eventName(strconv.Itoa(division))
	d.ClubID, d.About, d.Numbering, d.Capacity = l.Club, l.Settings.About, tournament.Given, 0
	return d
}

// eventName names an event of the season after the league, its season and what; pages say that in the reader's words. The space
// does not break, so that nobody types such a name for another event.
func (l *League) eventName(what string) string {
	return player.Cut(l.Settings.Name, tournament.MaxNameLength-20) + ",\u00a0" + strconv.Itoa(l.Now().Number) + "." + what
}

// PlayOffName names the event of a play-off.
func (l *League) PlayOffName(o PlayOff) string {
	return l.eventName(strconv.Itoa(o.Upper) + "–" + strconv.Itoa(o.Upper+1))
}

// Begin starts a placed season, by the organizer or by itself at its time.
func (l *League) Begin(by Actor, now time.Time) error {
	s := l.Now()
	switch {
	case s.State != Placed:
		return ErrNotNow
	case !by.Directs && now.Before(s.Starts):
		return ErrNotAllowed
	}
	for i := range s.Bench.Vacancies {
		if v := &s.Bench.Vacancies[i]; v.IsOpen() {
			s.Bench.close(v)
		}
	}
	s.Bench.Alternates, s.State = nil, Running
	l.log(by, "began", "", "", now)
	return nil
}

// Freeze ends a season whose divisions are over with these tables, which nothing changes any more.
func (l *League) Freeze(by Actor, tables []Table, now time.Time) error {
	s := l.Now()
	switch {
	case !by.Directs:
		return ErrNotAllowed
	case s.State != Running:
		return ErrNotNow
	case len(tables) != len(s.Divisions):
		return ErrStillPlays
	}
	s.Tables, s.State, s.EndedAt = tables, Closing, now
	l.meetForPlaces()
	l.log(by, "frozen", "", "", now)
	return nil
}

// meetForPlaces says who plays off, without those who were sent off.
func (l *League) meetForPlaces() {
	s := l.Now()
	s.Tables = slices.Clone(s.Tables)
	for i, t := range s.Tables {
		s.Tables[i] = slices.Clone(t)
		for k, row := range t {
			s.Tables[i][k].Left = row.Left || l.Level(row.Member) == Red
		}
	}
	s.PlayOffs = s.Rule.PlayOffs(s.Tables)
}

// OpenPlayOffs gives the play-offs their tournaments.
func (l *League) OpenPlayOffs(by Actor, newID func() tournament.ID, now time.Time) error {
	s := l.Now()
	switch {
	case !by.Directs:
		return ErrNotAllowed
	case s.State != Closing || len(s.PlayOffs) == 0 || len(s.Decided) > 0:
		return ErrNotNow
	}
	for range s.PlayOffs {
		s.Decided = append(s.Decided, newID())
	}
	l.log(by, "play-offs", "", "", now)
	return nil
}

// Archive closes a season with the winners of its play-offs, and opens the next one.
func (l *League) Archive(by Actor, winners []Member, starts, now time.Time) error {
	s := l.Now()
	switch {
	case !by.Directs:
		return ErrNotAllowed
	case s.State != Closing:
		return ErrNotNow
	case len(winners) != len(s.PlayOffs):
		return ErrPlayOff
	}
	if err := checkStart(starts, now); err != nil {
		return err
	}
	for i, o := range s.PlayOffs {
		if err := Decide(s.PlayOffs, o.Upper, winners[i]); err != nil {
			return err
		}
	}
	s.State = Archived
	for i := range l.Teams {
		l.Teams[i].Declined = nil
	}
	l.log(by, "archived", "", "", now)
	l.Seasons = append(l.Seasons, Season{Number: s.Number + 1, State: Open, Starts: starts})
	return nil
}

// Movements returns how everybody in the frozen tables of a season moves, before anybody is missing in the next.
func (l *League) Movements(s *Season) map[Member]Way {
	return s.Rule.movements(s.Tables, s.PlayOffs)
}

// Warn gives somebody a sanction, a team or a player of one. It returns how they stand now. Who is out before the season starts
// leaves their place to others; a player of a team, to the team.
func (l *League) Warn(by Actor, who Member, reason string, now time.Time) (Level, error) {
	s := l.Now()
	switch {
	case !by.Directs:
		return 0, ErrNotAllowed
	case !s.IsIn(who) && l.Side(who) == who:
		return 0, ErrNotIn
	}
	reason, err := cleanText(reason)
	if err != nil {
		return 0, err
	}
	l.Sanctions = append(l.Sanctions, Sanction{ID: SanctionID(len(l.Sanctions) + 1), Member: who, Season: s.Number, Reason: reason,
		By: by.Member(), At: now})
	l.log(by, "warned", who, reason, now)
	switch side := l.Side(who); {
	case l.Level(who) < Red:
	case side != who:
		l.drop(l.Team(side), player.ID(who))
	case s.State == Open || s.State == Placed:
		l.takeOut(who)
	case s.State == Closing && len(s.Decided) == 0:
		l.meetForPlaces()
	}
	return l.Level(who), nil
}

func (l *League) sanction(id SanctionID) (*Sanction, error) {
	if id < 1 || int(id) > len(l.Sanctions) {
		return nil, ErrNoSanction
	}
	return &l.Sanctions[id-1], nil
}

// Appeal objects to a sanction, once.
func (l *League) Appeal(by Actor, id SanctionID, text string, now time.Time) error {
	x, err := l.sanction(id)
	switch {
	case err != nil:
		return err
	case !l.Speaks(by, x.Member):
		return ErrNotAllowed
	case x.Appeal != "":
		return ErrNoSanction
	}
	if x.Appeal, err = cleanText(text); err != nil {
		return err
	}
	l.log(by, "appealed", x.Member, x.Appeal, now)
	return nil
}

// DecideAppeal lifts a sanction, or lets it stand.
func (l *League) DecideAppeal(by Actor, id SanctionID, lift bool, text string, now time.Time) error {
	x, err := l.sanction(id)
	switch {
	case err != nil:
		return err
	case !by.Directs:
		return ErrNotAllowed
	case !x.IsOpen():
		return ErrNoSanction
	}
	text, err = cleanText(text)
	if err != nil {
		return err
	}
	x.Decision, x.Lifted, x.Decided = text, lift, now
	kind := "upheld"
	if lift {
		kind = "lifted"
	}
	l.log(by, kind, x.Member, text, now)
	return nil
}

func cleanText(s string) (string, error) {
	s = strings.TrimSpace(s)
	if n := utf8.RuneCountInString(s); n == 0 || n > MaxText || !player.IsText(s) {
		return "", ErrText
	}
	return s, nil
}
