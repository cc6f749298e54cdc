package league

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// The refusals of teams.
var (
	ErrTeams     = refusal.Conflict("league.error.teams", "league: teams enter this league, not players")
	ErrNoTeams   = refusal.Conflict("league.error.no-teams", "league: nobody plays in teams")
	ErrNoTeam    = refusal.NotFound("league.error.no-team", "league: no such team")
	ErrTeamName  = refusal.Conflict("league.error.team-name", "league: another team has this name")
	ErrTeamFull  = refusal.Conflict("league.error.team-full", "league: a team has no more players than boards and reserves")
	ErrShort     = refusal.Conflict("league.error.short", "league: a team has fewer players than boards")
	ErrMate      = refusal.Conflict("league.error.mate", "league: they play for another team of this season")
	ErrNotTheirs = refusal.Conflict("league.error.declined", "league: they have said that they do not play for this team")
	ErrRoster    = refusal.Conflict("league.error.roster", "league: the team is in its division, where its players are changed")
	ErrKind      = refusal.Conflict("league.error.kind", "league: who has entered are players, or teams of another size")
)

// Team is a team of a league. It keeps its number from season to season, whoever plays for it; so what it has won holds.
type Team struct {
	Number   int         `json:"number"` // from 1
	Name     string      `json:"name"`
	Club     club.ID     `json:"club,omitempty"` // it plays for, with members of it alone; empty: anybody plays
	Captains []player.ID `json:"captains"`
	Players  []Mate      `json:"players,omitempty"`  // in board order
	Declined []player.ID `json:"declined,omitempty"` // said in this season that they do not play for it
}

// Mate is a player of a team.
type Mate struct {
	Player player.ID `json:"player"`
	Rating int       `json:"rating,omitempty"` // when they were named; 0: unrated
}

// teamSign begins the members that are teams: no account has it in its id.
const teamSign = "#"

// Member returns the team as it plays in a league.
func (t Team) Member() Member { return Member(teamSign + strconv.Itoa(t.Number)) }

// IsTeam reports whether a member is a team.
func (m Member) IsTeam() bool { return strings.HasPrefix(string(m), teamSign) }

// PlayIn lets teams of so many boards and reserves play, by what their matches are worth already; without boards, players.
func (s *Settings) PlayIn(boards, reserves int) {
	t := s.Division.Teams
	switch {
	case boards == 0:
		t = tournament.Teams{}
	default:
		t.Boards, t.Reserves, t.Least = boards, reserves, min(t.Least, boards)
	}
	if t != s.Division.Teams {
		s.Division.PlayIn(t)
	}
}

// HasTeams reports whether teams play.
func (l *League) HasTeams() bool { return l.Settings.Division.HasTeams() }

// Team returns a team; nil: the member is none of the league.
func (l *League) Team(m Member) *Team {
	n, err := strconv.Atoi(strings.TrimPrefix(string(m), teamSign))
	if !m.IsTeam() || err != nil || n < 1 || n > len(l.Teams) {
		return nil
	}
	return &l.Teams[n-1]
}

// TeamsIn returns the teams of the current season, those that wait too.
func (l *League) TeamsIn() (list []*Team) {
	for i := range l.Teams {
		if l.TakesPart(l.Teams[i].Member()) {
			list = append(list, &l.Teams[i])
		}
	}
	return list
}

// TakesPart reports whether somebody is in the current season, or waits for a place.
func (l *League) TakesPart(who Member) bool {
	return l.Now().IsIn(who) || l.Now().Bench.index(who) >= 0
}

// Side returns as whom an account plays in the current season: its team, or itself.
func (l *League) Side(who Member) Member {
	for _, t := range l.TeamsIn() {
		if t.Has(player.ID(who)) {
			return t.Member()
		}
	}
	return who
}

// Has reports whether an account plays for the team.
func (t Team) Has(who player.ID) bool {
	return slices.ContainsFunc(t.Players, func(m Mate) bool { return m.Player == who })
}

// People returns who is told what concerns a member: a team's captains, or the player.
func (l *League) People(m Member) []player.ID {
	if t := l.Team(m); t != nil {
		return t.Captains
	}
	return []player.ID{player.ID(m)}
}

// Speaks reports whether the actor acts for a member: for themselves, or for a team as a captain, or as somebody who names
// players of its club.
func (l *League) Speaks(by Actor, who Member) bool {
	t := l.Team(who)
	switch {
	case by.Player == "":
		return false
	case t == nil:
		return by.Member() == who
	}
	return slices.Contains(t.Captains, by.Player) || t.Club != "" && slices.Contains(by.Names, t.Club)
}

// stakes are those for whom the actor wins when they do: themselves, and the teams that they act or play for.
func (l *League) stakes(by Actor) []Member {
	list := []Member{by.Member()}
	for _, t := range l.Teams {
		if l.Speaks(by, t.Member()) || t.Has(by.Player) {
			list = append(list, t.Member())
		}
	}
	return list
}

// strength returns the rating by which a team is placed: that by which tournaments number it.
func (l *League) strength(t *Team) int {
	var list []int
	for _, m := range t.Players {
		list = append(list, m.Rating)
	}
	return tournament.TeamRating(list, l.Settings.Division.Teams.Boards)
}

// UnfitError names a player who cannot play for a team, and why.
type UnfitError struct {
	Player player.ID
	Err    error
}

func (e *UnfitError) Error() string {
	return "league: " + string(e.Player) + " cannot play: " + e.Err.Error()
}
func (e *UnfitError) Unwrap() error { return e.Err }

// fits returns nil, or why a team cannot take part in the current season.
func (l *League) fits(t *Team) error {
	if most := l.Settings.Division.Teams.Boards + l.Settings.Division.Teams.Reserves; len(t.Players) > most {
		return refusal.Case(ErrTeamFull, ErrTeamFull.Error(), "Most", most)
	}
	for _, m := range t.Players {
		if l.Level(Member(m.Player)) == Red {
			return &UnfitError{m.Player, ErrOut}
		}
		for _, other := range l.TeamsIn() {
			if other.Number != t.Number && other.Has(m.Player) {
				return &UnfitError{m.Player, ErrMate}
			}
		}
	}
	return nil
}

// full returns nil, or an ErrShort that names a team with fewer players than boards.
func (l *League) full(m Member) error {
	if t := l.Team(m); t != nil && len(t.Players) < l.Settings.Division.Teams.Boards {
		return refusal.Case(ErrShort, ErrShort.Error(), "Team", t.Name, "Boards", l.Settings.Division.Teams.Boards)
	}
	return nil
}

// Found makes a team and enters it. Who does not direct the league is its only captain, and enters a team for a club if they name
// its players.
func (l *League) Found(by Actor, of Team, now time.Time) (Member, error) {
	switch {
	case !l.HasTeams():
		return "", ErrNoTeams
	case !by.Directs && !slices.Equal(of.Captains, []player.ID{by.Player}),
		of.Club != "" && !slices.Contains(by.Names, of.Club):
		return "", ErrNotAllowed
	}
	c := l.Clone()
	c.fresh = slices.Clone(l.fresh)
	c.Teams = append(c.Teams, Team{Number: len(l.Teams) + 1, Club: of.Club, Captains: of.Captains})
	who := c.Teams[len(l.Teams)].Member()
	if err := c.name(by, who, of); err != nil {
		return "", err
	}
	if err := c.Enter(by, who, 0, now); err != nil {
		return "", err
	}
	*l = *c
	return who, nil
}

// Name gives a team another name, captains and players, in board order, until it is in a division.
func (l *League) Name(by Actor, who Member, of Team, now time.Time) error {
	c := l.Clone()
	c.fresh = slices.Clone(l.fresh)
	if err := c.name(by, who, of); err != nil {
		return err
	}
	c.log(by, Named, who, "", now)
	*l = *c
	return nil
}

// name judges and sets what a team is.
func (l *League) name(by Actor, who Member, of Team) error {
	t := l.Team(who)
	switch {
	case t == nil:
		return ErrNoTeam
	case !l.Speaks(by, who) && !by.Directs:
		return ErrNotAllowed
	case l.Now().DivisionOf(who) > 0:
		return ErrRoster
	}
	name, err := club.ParseGuestName(of.Name)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(l.Teams, func(x Team) bool { return x.Number != t.Number && club.SameName(x.Name, name) }) {
		return ErrTeamName
	}
	if err := tournament.CheckCaptains(of.Captains); err != nil {
		return err
	}
	seen := map[player.ID]bool{}
	for _, m := range of.Players {
		switch {
		case m.Player == "" || seen[m.Player]:
			return &UnfitError{m.Player, ErrTwice}
		case !by.Directs && m.Player != by.Player && !t.Has(m.Player) && slices.Contains(t.Declined, m.Player):
			return &UnfitError{m.Player, ErrNotTheirs}
		}
		seen[m.Player] = true
	}
	t.Name, t.Captains, t.Players = name, slices.Clone(of.Captains), slices.Clone(of.Players)
	t.Declined = slices.DeleteFunc(slices.Clone(t.Declined), t.Has)
	if len(t.Captains) == 0 || !l.Speaks(by, who) && !by.Directs {
		return tournament.ErrCaptains
	}
	if l.TakesPart(who) {
		if err := l.fits(t); err != nil {
			return err
		}
	}
	l.weigh(t)
	return nil
}

// weigh lets the current season know how strong a team is.
func (l *League) weigh(t *Team) {
	x, rating := l.Now(), l.strength(t)
	for i := range x.In {
		if x.In[i].Member == t.Member() {
			x.In[i].Rating = rating
		}
	}
	if i := x.Bench.index(t.Member()); i >= 0 {
		x.Bench.Alternates[i].Rating = rating
	}
}

// Decline takes the actor off the players of a team that is in no division yet. Its captains cannot name them again in this season.
func (l *League) Decline(by Actor, who Member, now time.Time) error {
	t := l.Team(who)
	switch {
	case t == nil:
		return ErrNoTeam
	case !t.Has(by.Player):
		return ErrNotIn
	case l.Now().DivisionOf(who) > 0:
		return ErrRoster
	}
	l.drop(t, by.Player)
	t.Declined = append(slices.Clone(t.Declined), by.Player)
	l.log(by, "not-theirs", who, "", now)
	return nil
}

// drop takes a player off a team.
func (l *League) drop(t *Team, who player.ID) {
	t.Players = slices.DeleteFunc(slices.Clone(t.Players), func(m Mate) bool { return m.Player == who })
	l.weigh(t)
}

// Keep notes who plays for a team in its division, where that is changed: with them it comes back in the next season.
func (l *League) Keep(who Member, captains []player.ID, players []Mate) {
	if t := l.Team(who); t != nil {
		t.Captains, t.Players = captains, players
	}
}

// MemberOf returns who of a division has an entry in its tournament.
func (d Division) MemberOf(e tournament.Entry) Member {
	for m, id := range d.Entries {
		if id == e.ID {
			return m
		}
	}
	return Member(e.Player)
}

// EntryOf returns the entry of a member, or of a player of a team, in the tournament of their division.
func (d Division) EntryOf(t *tournament.Tournament, who Member) (tournament.Entry, bool) {
	if !who.IsTeam() {
		return t.EntryOf(player.ID(who))
	}
	e, err := t.Entry(d.Entries[who])
	return e, err == nil
}

// EntryOf returns the entry of one of the two in the tournament of their play-off: who stays has entered first.
func (o PlayOff) EntryOf(t *tournament.Tournament, who Member) (tournament.Entry, bool) {
	i := slices.Index([]Member{o.Stays, o.Rises}, who)
	if i < 0 {
		return tournament.Entry{}, false
	}
	return t.Sides()[i], true
}

// Warnings are what the draft does not meet as it stands now, shifted by hand, and teams with fewer players than boards: with those, nothing is published.
func (l *League) Warnings() []Warning {
	s := l.Now()
	if s.Draft == nil {
		return nil
	}
	list := slices.DeleteFunc(slices.Clone(s.Draft.Warnings), func(w Warning) bool { return w.Kind == TooSmall || w.Kind == TooLarge })
	for d, places := range s.Draft.Divisions {
		if w := l.placedBy(l.Settings.Rule).sizeWarning(d+1, len(places)); w != nil {
			list = append(list, *w)
		}
		for _, x := range places {
			if l.full(x.Member) != nil {
				list = append(list, Warning{Kind: Short, Division: d + 1, Member: x.Member, Size: len(l.Team(x.Member).Players)})
			}
		}
	}
	return list
}
