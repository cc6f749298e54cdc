package tournament

import (
	"cmp"
	"slices"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// A side is what is paired. In an event of teams it is a team: an entry with a number, byes and all
// that entries have, but without an account. Its players are entries that name it (Entry.Team); they
// sit at boards and are never paired themselves. In other events everybody is a side.

// Teams is how teams play; the zero value: everybody for themselves. Game points are those of
// Settings.Points.
type Teams struct {
	Boards   int           `json:"boards,omitempty"`   // of a match
	Reserves int           `json:"reserves,omitempty"` // most players of a team beyond its boards
	ByGames  bool          `json:"byGames,omitempty"`  // game points come first, not match points
	Points   TeamPoints    `json:"points,omitzero"`    // of a match; zero: 2, 1, 0
	Least    int           `json:"least,omitempty"`    // players without whom a match is forfeited; 0: half of the boards, rounded up
	LineUps  time.Duration `json:"lineUps,omitempty"`  // how long captains may name players; 0: the first of the roster sit down at once
	// Preferences are what pairing by score does for the balance of seats.
	Preferences SeatPreferences `json:"preferences,omitempty"`
}

// SeatPreferences are the kinds of seat preferences of teams (FIDE C.04.6, 1.7).
type SeatPreferences uint8

// The zero value is FIDE's default.
const (
	TypeA         SeatPreferences = iota // simple ones: from a difference of two matches, or two matches running
	TypeB                                // strong and mild ones: from every match
	NoPreferences                        // none
)

var seatPreferenceNames = [...]string{"a", "b", "none"}

func (p SeatPreferences) String() string { return nameOf(seatPreferenceNames[:], p) }

// ParseSeatPreferences reads "", "a", "b" or "none".
func ParseSeatPreferences(s string) (SeatPreferences, error) {
	return parseName[SeatPreferences]("preferences", seatPreferenceNames[:], s)
}

// TeamPoints are match points.
type TeamPoints struct {
	Win  Score `json:"win"`
	Draw Score `json:"draw"`
	Loss Score `json:"loss"`
}

// Bounds of teams.
const (
	MaxTeamBoards   = 50
	MaxTeamReserves = 12
	MaxTeams        = 999 // a TRF has three columns for a number
	MaxCaptains     = 3
	MinLineUps      = time.Minute
	MaxLineUps      = 7 * 24 * time.Hour
)

// Refusals about teams.
var (
	ErrNoTeams     = refusal.Conflict("teams.error.none", "tournament: nobody plays in teams")
	ErrInTeams     = refusal.Conflict("teams.error.only", "tournament: people enter with a team")
	ErrNoTeam      = refusal.NotFound("teams.error.no-team", "tournament: no such team")
	ErrTeamFull    = refusal.Conflict("teams.error.full", "tournament: the team has all its players")
	ErrTeamSmall   = refusal.Conflict("teams.error.small", "tournament: a team has fewer players than a match needs")
	ErrBoardOrder  = refusal.Conflict("teams.error.order-fixed", "tournament: the board order is fixed at the start")
	ErrNotRoster   = refusal.Invalid("teams.error.not-roster", "tournament: the order must name every player of the team once")
	ErrLineUpOrder = refusal.Invalid("teams.error.line-up", "tournament: a line-up is players of the team in its order, no more than boards")
	ErrNotAwaited  = refusal.Conflict("teams.error.not-awaited", "tournament: no line-up is awaited")
	ErrSeated      = refusal.Conflict("teams.error.seated", "tournament: the player sits at another board of the match")
	ErrTeamsFixed  = refusal.Conflict("teams.error.fixed", "tournament: the entries do not fit teams of that size")
	ErrTeamStages  = refusal.Conflict("teams.error.stages", "tournament: teams go on to a format that they can play, all with as many boards")
	ErrEmptySeat   = refusal.Conflict("teams.error.empty-seat", "tournament: nobody sat there: the board is forfeited")
	ErrNotMember   = refusal.Conflict("teams.error.member", "tournament: only members of its club play for the team")
	ErrCaptains    = refusal.Invalid("teams.error.captains", "tournament: a team has at most three captains, each once")
	ErrTakesStaff  = refusal.Conflict("teams.error.takes-staff", "tournament: who is staff of the event joins a team by themselves, or by other staff")
)

// HasTeams reports whether sides are teams.
func (s Settings) HasTeams() bool { return s.Teams.Boards > 0 }

// PlayIn makes teams play, by the defaults for them; without boards everybody plays for themselves.
func (s *Settings) PlayIn(t Teams) {
	s.Teams = t
	s.Tiebreaks = DefaultTiebreaks(s.Format, s.HasTeams())
	if s.Format.HasBracket() {
		s.Tie = DefaultTie(s.HasTeams())
	}
}

// MayHaveTeams reports whether teams can play in a format.
func (f Format) MayHaveTeams() bool { return f.rules().traits().teams }

// PointsOf returns what a won, drawn and lost match are worth.
func (t Teams) PointsOf() TeamPoints {
	if t.Points == (TeamPoints{}) {
		return TeamPoints{Win: 20, Draw: 10}
	}
	return t.Points
}

// MatchPoints returns what matches of teams are worth. A bye is worth a drawn match (FIDE C.04.6, 1.4).
func (t Teams) MatchPoints() PointSystem {
	p := t.PointsOf()
	return PointSystem{Win: p.Win, Draw: p.Draw, Loss: p.Loss, ForfeitWin: p.Win, ForfeitLoss: p.Loss,
		FullBye: p.Win, HalfBye: p.Draw, PairBye: p.Draw}
}

// LeastPresent returns how many players a team needs at a match.
func (t Teams) LeastPresent() int {
	if t.Least > 0 {
		return t.Least
	}
	return (t.Boards + 1) / 2
}

// sidePoints returns what rounds are worth to sides.
func (s Settings) sidePoints() PointSystem {
	if s.HasTeams() {
		return s.Teams.MatchPoints()
	}
	return s.Points
}

// teamFaults finds faults of Teams.
func (s Settings) teamFaults(f *setting.Faults) {
	t := s.Teams
	switch {
	case t == Teams{}:
		return
	case !s.Format.MayHaveTeams():
		f.Add("teams", "unsuitable", "teams play in a Swiss, a round robin or a knock-out")
		return
	case t.Boards < 1 || t.Boards > MaxTeamBoards:
		f.Add("team_boards", "range", "a match of teams has 1…%d boards, not %d", MaxTeamBoards, t.Boards)
	}
	f.Between("team_reserves", t.Reserves, MaxTeamReserves)
	f.Between("team_least", t.Least, max(1, t.Boards))
	if p := t.Points; p != (TeamPoints{}) && (p.Win <= 0 || p.Loss < 0 || p.Draw < p.Loss || p.Win < p.Draw) {
		f.Add("team_points", "range", "a won match is worth more than 0 and no less than a drawn one, nor that less than a lost one")
	}
	if t.LineUps != 0 && (t.LineUps < MinLineUps || t.LineUps > MaxLineUps) {
		f.Add("team_line_ups", "range", "line-ups take %v…%v, not %v", MinLineUps, MaxLineUps, t.LineUps)
	}
	if t.Preferences != TypeA && (!s.Format.PairsByScore() || t.Preferences.String() == "") {
		f.Add("team_preferences", "unsuitable", "seat preferences are of type a, b or none, and only where teams are paired by score")
	}
	if s.Pace == Arranged || s.Pace == Rolling {
		f.Add("pace", "unsuitable", "teams meet in rounds: their boards are not arranged one by one, nor opened as soon as both are known")
	}
	if s.MembersOnly {
		f.Add("membersOnly", "unsuitable", "teams are of several clubs")
	}
	if s.Numbering == Varma {
		f.Add("numbering", "unsuitable", "the Varma tables are for players")
	}
}

// Sides returns those who are paired: teams in an event of teams, otherwise everybody.
func (l Entries) Sides() []Entry { return l.where(func(e Entry) bool { return e.Team == 0 }) }

// Players returns those who sit at boards: in an event of teams, the players of teams.
func (t *Table) Players() []Entry {
	return t.where(func(e Entry) bool { return !t.HasTeams() || e.Team != 0 })
}

func (l Entries) where(is func(Entry) bool) (list []Entry) {
	for _, e := range l {
		if is(e) {
			list = append(list, e)
		}
	}
	return list
}

// outgrows reports whether a team has more players than other settings allow.
func (l Entries) outgrows(t Teams) bool {
	players := map[EntryID]int{}
	for _, e := range l {
		if e.Team != 0 && e.Status == Active {
			players[e.Team]++
		}
	}
	for _, n := range players {
		if n > t.Boards+t.Reserves {
			return true
		}
	}
	return false
}

// IsTeam reports whether an entry is a team.
func (s Settings) IsTeam(e Entry) bool { return s.HasTeams() && e.Team == 0 }

// isEmptySeat reports whether a team stands at a board because nobody of it sat down.
func (t *Table) isEmptySeat(id EntryID) bool { return t.IsTeam(t.Entries[t.index(id)]) }

// SideOf returns the side that an entry plays for: its team, or itself.
func (l Entries) SideOf(id EntryID) EntryID {
	if i := l.index(id); i >= 0 && l[i].Team != 0 {
		return l[i].Team
	}
	return id
}

// SeatFor returns the seat at a board of an entry or, of a team, of whoever sits there for it; 0: none.
func (l Entries) SeatFor(p Pairing, id EntryID) match.Seat {
	for _, s := range match.Seats {
		if at := p.EntryAt(s); at == id || l.SideOf(at) == id {
			return s
		}
	}
	return 0
}

// Roster returns the players of a team who are in, in board order.
func (l Entries) Roster(team EntryID) []Entry {
	list := l.where(func(e Entry) bool { return team != 0 && e.Team == team && e.Status == Active })
	slices.SortFunc(list, func(a, b Entry) int { return cmp.Or(a.Place-b.Place, int(a.ID-b.ID)) })
	return list
}

// Heads returns the accounts that act for a team: its captains, and who names players of its club.
func (e Entry) Heads() []player.ID {
	list := slices.Clone(e.Captains)
	for _, id := range e.Officers {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// IsCaptain reports whether the viewer acts for a team.
func (l Entries) IsCaptain(v player.Viewer, team EntryID) bool {
	i := l.index(team)
	return i >= 0 && v.IsSignedIn() && slices.Contains(l[i].Heads(), v.ID)
}

// rivals returns those who act for other teams than one: what they say of its players does not count.
func (l Entries) rivals(team EntryID) (ids []player.ID) {
	for _, e := range l.Sides() {
		if e.ID != team && e.isIn() {
			ids = append(ids, e.Heads()...)
		}
	}
	return ids
}

// CaptainOf returns the teams that the viewer acts for.
func (l Entries) CaptainOf(v player.Viewer) []Entry {
	return l.where(func(e Entry) bool { return e.isIn() && l.IsCaptain(v, e.ID) })
}

// OwnSides returns the sides that the viewer acts for: of teams those of CaptainOf, otherwise their own entry.
func (t *Table) OwnSides(v player.Viewer) []Entry {
	if t.HasTeams() {
		return t.CaptainOf(v)
	}
	if e, entered := t.EntryOf(v.ID); entered {
		return []Entry{e}
	}
	return nil
}

// IsOwn reports whether an entry is the viewer's: theirs as a player, or a team that they act for.
func (e Entry) IsOwn(v player.Viewer) bool {
	return v.Is(e.Player) || v.IsSignedIn() && slices.Contains(e.Heads(), v.ID)
}

// TeamOf is a team that is to enter.
type TeamOf struct {
	Name, Club string
	ClubID     club.ID     // it plays for; empty: none of the site
	Officers   []player.ID // who name players of that club
	Captains   []player.ID
	Players    []Candidate // in board order
	Code       string      // of entry, as whoever enters it wrote it
}

// EnterTeam enters a team with its players; only staff enter it with others than the viewer. Its captains
// act for it. A club's team is entered by its officers; staff who are none of them invite it, which the club
// answers (AnswerInvitation). The errors are those of Register, for the team and each player.
func (t *Tournament) EnterTeam(by player.Viewer, of TeamOf, now time.Time) (Entry, error) {
	c := t.Clone()
	e, err := c.enterTeam(by, of, now)
	if err == nil {
		*t = *c
	}
	return e, err
}

// EnteringTeam returns the status that a team entered now would get, or why none can be, as Entering does for players.
func (t *Tournament) EnteringTeam(by player.Viewer, now time.Time) (EntryStatus, error) {
	isStaff := t.May(by, ActEnter)
	switch {
	case !t.HasTeams():
		return 0, ErrNoTeams
	case !by.IsSignedIn():
		return 0, ErrNotAllowed
	}
	if err := t.admits(isStaff, now); err != nil {
		return 0, err
	}
	switch {
	case t.Settings.Entry.Approval && !isStaff:
		return Requested, nil
	case !t.isFull():
		return Active, nil
	case t.Status == Running:
		return 0, ErrFull
	}
	return Waiting, nil
}

func (t *Tournament) enterTeam(by player.Viewer, of TeamOf, now time.Time) (Entry, error) {
	isStaff, isOfficer := t.May(by, ActEnter), slices.Contains(of.Officers, by.ID)
	status, err := t.EnteringTeam(by, now)
	switch {
	case err != nil:
		return Entry{}, err
	case !isStaff && (!slices.Equal(of.Captains, []player.ID{by.ID}) || of.ClubID != "" && !isOfficer):
		return Entry{}, ErrNotAllowed
	case of.ClubID != "" && !isOfficer:
		status, of.Captains = Invited, nil
		if i := slices.IndexFunc(t.Entries, func(e Entry) bool { return e.ClubID == of.ClubID && !e.isIn() && e.isUnanswered() }); i >= 0 {
			t.Entries[i].Status, t.Entries[i].Until, t.Entries[i].Removed = Invited, 0, false // once more
			return t.Entries[i], nil
		}
	case of.ClubID != "" && len(of.Captains) == 0:
		of.Captains = []player.ID{by.ID}
	}
	if rules := t.Settings.Entry; !isStaff && rules.Code != "" && fold.Code(of.Code) != fold.Code(rules.Code) {
		return Entry{}, ErrCode
	}
	name, of2, err := t.named(Candidate{Name: of.Name, Club: of.Club}, 0)
	if err != nil {
		return Entry{}, err
	}
	if err := CheckCaptains(of.Captains); err != nil {
		return Entry{}, err
	}
	e := Entry{ID: EntryID(len(t.Entries) + 1), Name: name, Club: of2, Captains: slices.Clone(of.Captains), Status: status,
		ClubID: of.ClubID, Officers: slices.Clone(of.Officers), From: t.nextRound(), EnteredAt: now}
	t.Entries = append(t.Entries, e)
	for _, c := range of.Players {
		if _, err := t.joinTeam(by, e.ID, c, now); err != nil {
			return Entry{}, err
		}
	}
	if e.Status == Active {
		t.seat(t.index(e.ID))
	}
	return t.Entries[t.index(e.ID)], nil
}

// isUnanswered reports whether a club has never accepted that the team plays for it.
func (e Entry) isUnanswered() bool { return e.ClubID != "" && len(e.Captains) == 0 }

// AnswerInvitation accepts or declines, for a club, that its team plays. Whoever accepts is its first captain. If all places are
// taken, the team waits for one.
func (t *Tournament) AnswerInvitation(by player.Viewer, team EntryID, in bool, now time.Time) error {
	i := t.index(team)
	switch {
	case i < 0 || !t.IsTeam(t.Entries[i]):
		return ErrNoTeam
	case !t.IsCaptain(by, team):
		return ErrNotAllowed
	case t.Entries[i].Status != Invited:
		return ErrNoRequest
	case !in:
		t.Entries[i].Status = Refused
		return nil
	}
	status, err := t.Accepted(now)
	if err != nil {
		return err
	}
	t.Entries = slices.Clone(t.Entries)
	t.Entries[i].Captains, t.Entries[i].EnteredAt = []player.ID{by.ID}, now
	if status == Waiting {
		t.Entries[i].Status = status
		return nil
	}
	t.admit(i, now)
	return nil
}

// Accepted returns the status that an invited team gets if its club accepts now, or why it no longer can.
func (t *Tournament) Accepted(now time.Time) (EntryStatus, error) {
	if err := t.admits(true, now); err != nil {
		return 0, err
	}
	if t.isFull() {
		return Waiting, nil
	}
	return Active, nil
}

// isTaken reports whether naming somebody for a team would keep one of the staff from deciding about its matches: whoever is staff
// becomes a party by their own will alone.
func (t *Tournament) isTaken(team Entry, by player.Viewer, id player.ID) bool {
	return !by.Is(id) && t.GivenDuty(id) != 0 && !slices.Contains(team.Heads(), id)
}

// CheckCaptains returns nil, or ErrCaptains of a list that is not that of a team.
func CheckCaptains(list []player.ID) error {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	if len(list) > MaxCaptains || len(slices.Compact(sorted)) < len(list) || slices.Contains(list, "") {
		return ErrCaptains
	}
	return nil
}

// SetCaptains names the captains of a team. A captain names others beside themselves.
func (t *Tournament) SetCaptains(by player.Viewer, team EntryID, list []player.ID) error {
	i, isStaff := t.index(team), t.May(by, ActEnter)
	switch {
	case !isStaff && !t.IsCaptain(by, team):
		return ErrNotAllowed
	case i < 0 || !t.IsTeam(t.Entries[i]):
		return ErrNoTeam
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status == Invited:
		return ErrNotAllowed
	case !isStaff && !slices.Contains(list, by.ID) && !slices.Contains(t.Entries[i].Officers, by.ID):
		return ErrCaptains
	case !isStaff && slices.ContainsFunc(list, func(id player.ID) bool { return t.isTaken(t.Entries[i], by, id) }):
		return ErrTakesStaff
	}
	if err := CheckCaptains(list); err != nil {
		return err
	}
	t.Entries = slices.Clone(t.Entries)
	t.Entries[i].Captains = slices.Clone(list)
	return nil
}

// JoinTeam adds a player at the end of a team's board order. Staff add anybody, captains themselves; whoever else asks for
// themselves waits for a captain or staff to accept them (AcceptMate). Of those who have accounts, only members play for a club's
// team, and until the start its captains alone add others.
func (t *Tournament) JoinTeam(by player.Viewer, team EntryID, c Candidate, now time.Time) (Entry, error) {
	x := t.Clone()
	e, err := x.joinTeam(by, team, c, now)
	if err == nil {
		*t = *x
	}
	return e, err
}

func (t *Tournament) joinTeam(by player.Viewer, team EntryID, c Candidate, now time.Time) (Entry, error) {
	i, isStaff := t.index(team), t.May(by, ActEnter)
	if i < 0 || !t.IsTeam(t.Entries[i]) || !t.Entries[i].isIn() {
		return Entry{}, ErrNoTeam
	}
	of, isCaptain := t.Entries[i].ClubID, t.IsCaptain(by, team)
	switch {
	case !isStaff && !by.Is(c.Player) && (!isCaptain || of == "" || c.Player == ""):
		return Entry{}, ErrNotAllowed
	case of != "" && c.Player != "" && !isCaptain && !by.Is(c.Player) && t.Status < Running: // the club names its players
		return Entry{}, ErrNotAllowed
	case of != "" && c.Player != "" && !slices.Contains(c.Clubs, of):
		return Entry{}, ErrNotMember
	case !isStaff && c.Player != "" && t.isTaken(t.Entries[i], by, c.Player):
		return Entry{}, ErrTakesStaff
	}
	if err := t.mayJoin(isStaff, now); err != nil {
		return Entry{}, err
	}
	old, again := t.EntryOf(c.Player)
	if again && (old.isIn() || t.HasSat(old.ID)) {
		return Entry{}, ErrEntered
	}
	if again && !isStaff && (old.Status == Refused || old.Removed) {
		return Entry{}, ErrShutOut
	}
	if len(c.Standing.Waived) > 0 && !t.May(by, ActWaive) {
		return Entry{}, ErrNotAllowed
	}
	c.Barred = c.Barred && !isStaff
	if !isStaff {
		c.Reason = ""
	}
	c.Standing.Known = t.Policy.Young(c.Standing.Known, t.rivals(team)...)
	if err := cmp.Or(t.Fits(c, by.Is(c.Player), now), checkReason(c.Reason)); err != nil {
		return Entry{}, err
	}
	name, plays, err := t.named(c, old.ID)
	if err != nil {
		return Entry{}, err
	}
	if of != "" && c.Player != "" {
		plays = t.Entries[i].Club
	}
	e := Entry{ID: EntryID(len(t.Entries) + 1), Player: c.Player, Name: name, Club: plays, Rating: max(0, c.Rating), Bot: c.Bot,
		Status: Active, From: t.nextRound(), EnteredAt: now, Waived: slices.Clone(c.Standing.Waived), OverTheBoard: c.OverTheBoard,
		Team: team, Place: t.lastPlace(team) + 1}
	if len(setting.Failed(t.Verdicts(c, now))) > 0 {
		e.Reason = c.Reason
	}
	if !isStaff && !isCaptain {
		e.Status = Requested
	} else if len(t.Roster(team)) >= t.Teams.Boards+t.Teams.Reserves {
		return Entry{}, ErrTeamFull
	}
	if again {
		e.ID = old.ID
		t.Entries[t.index(old.ID)] = e
	} else {
		t.Entries = append(t.Entries, e)
	}
	t.weigh(team)
	return e, nil
}

// mayJoin returns nil, or why nobody can join a team now: after the start only staff add players.
func (t *Tournament) mayJoin(isStaff bool, now time.Time) error {
	switch {
	case t.Status.IsOver():
		return ErrFinished
	case t.Status == Running && !isStaff:
		return ErrStarted
	case t.Status == Running:
		return nil
	}
	return t.admits(isStaff, now)
}

// lastPlace returns the last place of a team's board order so far.
func (l Entries) lastPlace(team EntryID) (last int) {
	for _, e := range l {
		if e.Team == team {
			last = max(last, e.Place)
		}
	}
	return last
}

// HasSat reports whether an entry has sat at a board.
func (l Rounds) HasSat(id EntryID) bool {
	n, _ := l.lastBoard(id)
	return n > 0
}

// AcceptMate accepts a player who has asked to join a team, or turns them down.
func (t *Tournament) AcceptMate(by player.Viewer, id EntryID, in bool) error {
	i := t.index(id)
	switch {
	case i < 0 || t.Entries[i].Team == 0:
		return ErrNoEntry
	case !t.May(by, ActAccept) && !t.IsCaptain(by, t.Entries[i].Team):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status != Requested:
		return ErrNoRequest
	case !in:
		t.Entries[i].Status = Refused
		return nil
	case t.Status == Running && !t.May(by, ActAccept): // as in mayJoin
		return ErrStarted
	case len(t.Roster(t.Entries[i].Team)) >= t.Teams.Boards+t.Teams.Reserves:
		return ErrTeamFull
	}
	t.Entries[i].Status, t.Entries[i].From = Active, t.nextRound()
	t.weigh(t.Entries[i].Team)
	return nil
}

// OrderRoster sets the board order of a team, which is fixed at the start.
func (t *Tournament) OrderRoster(by player.Viewer, team EntryID, order []EntryID) error {
	i := t.index(team)
	switch {
	case i < 0 || !t.IsTeam(t.Entries[i]):
		return ErrNoTeam
	case !t.May(by, ActParticulars) && !t.IsCaptain(by, team):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Status == Running:
		return ErrBoardOrder
	}
	places := map[EntryID]int{}
	for k, id := range order {
		places[id] = k + 1
	}
	roster := t.Roster(team)
	if len(places) != len(order) || len(order) != len(roster) ||
		slices.ContainsFunc(roster, func(e Entry) bool { return places[e.ID] == 0 }) {
		return ErrNotRoster
	}
	t.Entries = slices.Clone(t.Entries)
	for k, e := range t.Entries {
		switch {
		case places[e.ID] > 0:
			t.Entries[k].Place = places[e.ID]
		case e.Team == team: // requests and who left come after
			t.Entries[k].Place = len(order) + 1
		}
	}
	t.weigh(team)
	return nil
}

// weigh sets the strength of a team until numbers are drawn by it.
func (t *Table) weigh(team EntryID) {
	i := t.index(team)
	if t.Entries[i].Number > 0 {
		return
	}
	var list []int
	for _, e := range t.Roster(team) {
		list = append(list, e.Rating)
	}
	t.Entries[i].Rating = TeamRating(list, t.Teams.Boards)
}

// TeamRating returns the mean of the ratings of those at the first boards of a team who have one, rounded; 0: nobody has.
func TeamRating(roster []int, boards int) int {
	sum, n := 0, 0
	for _, r := range roster[:min(len(roster), boards)] {
		if r > 0 {
			sum, n = sum+r, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return (sum + n/2) / n
}

// smallTeams returns an ErrTeamSmall that names the active teams without the players of a match; nil: none is.
func (t *Table) smallTeams() error {
	for _, e := range t.Sides() {
		if t.HasTeams() && e.Status == Active && len(t.Roster(e.ID)) < t.Teams.LeastPresent() {
			return refusal.Case(ErrTeamSmall, ErrTeamSmall.Error(), "Team", e.Name, "Least", t.Teams.LeastPresent())
		}
	}
	return nil
}

// ShortName returns the first five letters of a name, which reports have beside it.
func ShortName(name string) string {
	short := []rune{}
	for _, r := range name {
		if r != ' ' && utf8.RuneCountInString(string(short)) < 5 {
			short = append(short, r)
		}
	}
	return string(short)
}
