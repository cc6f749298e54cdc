package notice

import "slices"

// Kind is what a notice tells about. The set is closed: a new kind gets a row in the
// table below and a text under "notice.text." in every language.
type Kind uint8

const (
	Turn              Kind = iota + 1 // it is their turn in a slow match
	TurnSoon                          // their time to bid or move in a slow match runs out
	MatchOpened                       // a match waits for them to be ready
	Result                            // of their match, which ended while they were away
	ChallengeReceived                 // somebody wants to play them
	ChallengeAccepted
	ChallengeDeclined
	ChallengeExpiring // a challenge they have not answered
	FollowedPlays     // somebody they follow has begun to play

	Entered     // somebody entered them, or they did
	Promoted    // from the waiting list
	PassedOver  // on the waiting list, as they no longer fit
	Approved    // their request to enter
	Refused     // their request to enter
	Removed     // from a tournament
	CheckIn     // the check-in is open
	RoundSoon   // a round with a fixed time
	RoundPaired // their board
	Rescheduled // a round moved in time
	RoundsSet   // how many there are
	Cancelled   // the tournament
	TakenBack   // a round they were paired in
	NotStarted  // their tournament, which should have started by itself
	Corrected   // a result of theirs
	Answer      // of the arbiter, to their call
	Call        // of a player, to the arbiters
	Appeal      // against an absence, to the arbiters
	Staff       // an invitation to help run a tournament
	Announcement
	Steward      // they are to watch a player, or to sign
	ReviewOpened // of somebody in the tournament, to its arbiters
	ReviewAppeal // to be judged by an operator
	Neighbours   // opponents who share a browser or a network, to the arbiters, before they play

	LineUpAwaited // from the team that they are a captain of
	TeamRequest   // somebody asks to join the team that they are a captain of

	TimeWanted // for a match that they arrange, which has none yet
	Unplayed   // a match that they were to arrange is decided without being played

	LadderChallenge    // on a ladder
	LadderTimes        // their opponent proposed times for a match
	Appointment        // a time is agreed
	AppointmentSoon    //
	LadderDeadline     // of the match of a ladder
	LadderDecaySoon    // without a match they fall
	LadderEnded        // a challenge of theirs, not by a match
	LadderDispute      // an objection, to the organizer
	LeaguePlace        // a free place in a league: offered to them, or what became of it
	LeagueTeam         // somebody has named them for a team of a league
	LeagueSanction     // they have one in a league
	LeagueAppeal       // against a sanction, to the organizer
	ClubRequest        // somebody asks to join
	ClubAccepted       // their request to join
	ClubRefused        //
	FollowedClub       // a club they follow has announced an event
	ClubTeam           // their club's team is invited to an event, or its answer; or somebody of it has left the club
	ReportAnswered     // their report of somebody's play
	AttestationGiven   // somebody vouches for them
	AttestationExpires // of their person
	AttestationRevoked //
	ReviewNews         // in a review of their own play
	ErasureSoon        // of their account
)

// Group is the heading under which the settings show a kind.
type Group uint8

const (
	Play Group = iota + 1
	Tournaments
	Ladders
	Clubs
	Account
)

// Groups are all headings, in the order of the settings.
var Groups = []Group{Play, Tournaments, Ladders, Clubs, Account}

// Name is the word of a group in texts and forms.
func (g Group) Name() string {
	return map[Group]string{Play: "play", Tournaments: "tournaments", Ladders: "ladders", Clubs: "clubs", Account: "account"}[g]
}

// line describes a kind.
type line struct {
	name     string // in the database, forms and text keys; never changed
	group    Group
	channels Channels // until the player chooses
	args     []string // of its text; every notice must have them all
	cases    []string // which each have a text of their own, named by the argument Case; nil: one text
}

var table = map[Kind]line{
	Turn:              {"turn", Play, Channels{App: true, Mail: true}, []string{"Opponent"}, nil},
	TurnSoon:          {"turn-soon", Play, Channels{App: true, Mail: true}, []string{"Opponent"}, nil},
	MatchOpened:       {"match-opened", Play, Channels{App: true}, []string{"Opponent"}, nil},
	Result:            {"result", Play, Channels{App: true, Telegram: true}, []string{"Opponent"}, []string{"won", "lost", "drawn"}},
	ChallengeReceived: {"challenge-received", Play, Channels{App: true, Mail: true}, []string{"By"}, nil},
	ChallengeAccepted: {"challenge-accepted", Play, Channels{App: true}, []string{"By"}, nil},
	ChallengeDeclined: {"challenge-declined", Play, Channels{App: true}, []string{"By"}, nil},
	ChallengeExpiring: {"challenge-expiring", Play, Channels{App: true}, []string{"By"}, nil},
	FollowedPlays:     {"followed-plays", Play, Channels{App: true}, []string{"Player", "Opponent"}, nil},

	Entered:      {"entered", Tournaments, Channels{App: true}, []string{"Tournament"}, nil},
	Promoted:     {"promoted", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	PassedOver:   {"passed-over", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	Approved:     {"approved", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	Refused:      {"refused", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	Removed:      {"removed", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	CheckIn:      {"check-in", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	RoundSoon:    {"round-soon", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round"}, nil},
	RoundPaired:  {"round-paired", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round", "Opponent"}, nil},
	Rescheduled:  {"rescheduled", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round"}, nil},
	RoundsSet:    {"rounds-set", Tournaments, Channels{App: true}, []string{"Tournament", "Rounds"}, nil},
	Cancelled:    {"cancelled", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	TakenBack:    {"taken-back", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round"}, nil},
	NotStarted:   {"not-started", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	Corrected:    {"corrected", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round"}, nil},
	Answer:       {"answer", Tournaments, Channels{App: true}, []string{"Tournament"}, nil},
	Call:         {"call", Tournaments, Channels{App: true}, []string{"Tournament", "By"}, nil},
	Appeal:       {"appeal", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "By"}, nil},
	Staff:        {"staff", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "By"}, nil},
	Announcement: {"announcement", Tournaments, Channels{App: true, Mail: true}, []string{"From", "Text"}, nil},
	Steward:      {"steward", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Player"}, nil},
	ReviewOpened: {"review-opened", Tournaments, Channels{App: true}, []string{"Tournament"}, []string{"open", "answer", "appeal"}},
	ReviewAppeal: {"review-appeal", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}, nil},
	Neighbours:   {"neighbours", Tournaments, Channels{App: true}, []string{"Tournament", "Round"}, nil},

	LineUpAwaited: {"line-up-awaited", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round", "Opponent"}, nil},
	TeamRequest:   {"team-request", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "By"}, nil},

	TimeWanted: {"time-wanted", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Opponent"},
		[]string{"propose", "answer", "wait", "again"}},
	Unplayed: {"unplayed", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Opponent"},
		[]string{"won", "lost", "both", "drawn"}},

	LadderChallenge: {"ladder-challenge", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "By"}, nil},
	LadderTimes:     {"ladder-times", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "By"}, nil},
	Appointment:     {"appointment", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "Opponent"}, nil},
	AppointmentSoon: {"appointment-soon", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "Opponent"}, nil},
	LadderDeadline:  {"ladder-deadline", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "Opponent"}, nil},
	LadderDecaySoon: {"ladder-decay-soon", Ladders, Channels{App: true, Mail: true}, []string{"Ladder"}, nil},
	LadderEnded:     {"ladder-ended", Ladders, Channels{App: true}, []string{"Ladder", "Opponent"}, nil},
	LadderDispute:   {"ladder-dispute", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "By"}, nil},

	LeaguePlace: {"league-place", Tournaments, Channels{App: true, Mail: true}, []string{"League"},
		[]string{"offered", "gone", "none", "taken", "nobody", "not-published", "not-started"}},
	LeagueTeam:     {"league-team", Tournaments, Channels{App: true, Mail: true}, []string{"League", "Team", "By"}, nil},
	LeagueSanction: {"league-sanction", Tournaments, Channels{App: true, Mail: true}, []string{"League"}, nil},
	LeagueAppeal:   {"league-appeal", Tournaments, Channels{App: true, Mail: true}, []string{"League", "By"}, nil},

	ClubRequest:  {"club-request", Clubs, Channels{App: true, Mail: true}, []string{"Club", "By"}, nil},
	ClubAccepted: {"club-accepted", Clubs, Channels{App: true}, []string{"Club"}, nil},
	ClubRefused:  {"club-refused", Clubs, Channels{App: true}, []string{"Club"}, nil},
	FollowedClub: {"followed-club", Clubs, Channels{App: true}, []string{"Club", "Tournament"}, nil},
	ClubTeam: {"club-team", Clubs, Channels{App: true, Mail: true}, []string{"Club", "Tournament", "Player"},
		[]string{"invited", "accepted", "declined", "left"}},

	ReportAnswered:     {"report-answered", Account, Channels{App: true, Mail: true}, nil, nil},
	AttestationGiven:   {"attestation-given", Account, Channels{App: true}, []string{"By"}, nil},
	AttestationExpires: {"attestation-expires", Account, Channels{App: true, Mail: true}, []string{"By"}, nil},
	AttestationRevoked: {"attestation-revoked", Account, Channels{App: true, Mail: true}, []string{"By"}, nil},
	ReviewNews: {"review-news", Account, Channels{App: true, Mail: true}, nil,
		[]string{"tell", "decide", "close", "uphold", "overturn"}},
	ErasureSoon: {"erasure-soon", Account, Channels{App: true, Mail: true}, nil, nil},
}

// ToBoard are the kinds that call to a match: whoever has come to it knows, and once it
// is over they are no news.
var ToBoard = []Kind{Turn, TurnSoon, MatchOpened, RoundPaired, AppointmentSoon}

// AtBoard are the kinds that the page of a match says itself: whoever has opened it knows.
var AtBoard = append([]Kind{Result}, ToBoard...)

// Matter is what a notice is about; once it is over, the notice is no news.
type Matter uint8

const (
	MatchMatter       Matter = iota + 1 // by the match's address
	ChallengeMatter                     // its answer, by the challenge's address
	AcceptedMatter                      // the match of a challenge, by the challenge's address
	DuelMatter                          // a challenge on a ladder, by its address
	TournamentMatter                    // by the tournament's id
	InvitationMatter                    // to the staff, by the tournament's id
	CallMatter                          // by the call's id
	AbsenceMatter                       // an appeal against it, by its id
	ReviewMatter                        // an appeal against its decision, by the review's id
	ReviewsMatter                       // all that arbiters have yet to decide, by the tournament's id
	AdmissionMatter                     // to a club, by its id and the player's
	ErasureMatter                       // of the account itself, by the address of its data
	AttestationMatter                   // whether it is given anew, by its id
)

// endings are the kinds that end with a matter. All others are news until they are read, or until their own moment.
var endings = map[Matter][]Kind{
	MatchMatter:     append([]Kind{FollowedPlays}, ToBoard...),
	ChallengeMatter: {ChallengeReceived, ChallengeExpiring},
	AcceptedMatter:  {ChallengeAccepted},
	DuelMatter: {LadderChallenge, ChallengeAccepted, LadderTimes, Appointment, AppointmentSoon, LadderDeadline, MatchOpened,
		LadderDispute},
	TournamentMatter: {Entered, Promoted, Approved, CheckIn, RoundSoon, RoundPaired, MatchOpened, Rescheduled, RoundsSet, TakenBack,
		NotStarted, Staff, Neighbours, Steward, LineUpAwaited, TeamRequest, TimeWanted, ClubTeam, FollowedClub},
	InvitationMatter:  {Staff},
	CallMatter:        {Call},
	AbsenceMatter:     {Appeal},
	ReviewMatter:      {ReviewAppeal},
	ReviewsMatter:     {ReviewOpened},
	AdmissionMatter:   {ClubRequest},
	ErasureMatter:     {ErasureSoon},
	AttestationMatter: {AttestationExpires},
}

// Kinds are the kinds that end with the matter.
func (m Matter) Kinds() []Kind { return slices.Clone(endings[m]) }

// Kinds are all kinds, in the order of the settings.
func Kinds() []Kind {
	out := make([]Kind, 0, len(table))
	for k := Turn; k <= ErasureSoon; k++ {
		out = append(out, k)
	}
	return out
}

// Name is the word of a kind in the database, in forms and in text keys; empty for no
// kind.
func (k Kind) Name() string { return table[k].name }

// Group is the heading of the kind in the settings.
func (k Kind) Group() Group { return table[k].group }

// Defaults is how a player is told of the kind until they choose: on Telegram also of all that they are told elsewhere than on
// the site.
func (k Kind) Defaults() Channels {
	c := table[k].channels
	c.Push = pushed[k]
	c.Telegram = c.Telegram || c.Push || c.Mail
	return c
}

// Args are the arguments of the kind's text.
func (k Kind) Args() []string { return slices.Clone(table[k].args) }

// Cases are the ends of the keys of the kind's texts, one of which a notice names by its argument Case; nil: it has one text.
func (k Kind) Cases() []string { return slices.Clone(table[k].cases) }

// Renews reports whether what is told once more about the same takes the place of what was told before, as news.
func (k Kind) Renews() bool { return k == ReviewOpened }

// Parse reads the word of a kind; false for an unknown word.
func Parse(name string) (Kind, bool) {
	for k, l := range table {
		if l.name == name {
			return k, true
		}
	}
	return 0, false
}
