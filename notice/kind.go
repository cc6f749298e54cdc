package notice

import "slices"

// Kind is what a notice tells about. The set is closed: a new kind gets a row in the
// table below and a text under "notice.text." in every language.
type Kind uint8

const (
	Turn              Kind = iota + 1 // it is their turn in a slow match
	TurnSoon                          // their time to bid or move in a slow match runs out
	MatchOpened                       // a match waits for them to be ready
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

	LadderChallenge    // on a ladder
	LadderTimes        // their opponent proposed times for a match
	Appointment        // a time is agreed
	AppointmentSoon    //
	LadderDeadline     // of the match of a ladder
	LadderDecaySoon    // without a match they fall
	LadderEnded        // a challenge of theirs, not by a match
	LadderDispute      // an objection, to the organizer
	ClubRequest        // somebody asks to join
	ClubAccepted       // their request to join
	ClubRefused        //
	FollowedClub       // a club they follow has announced an event
	ClubMatch          // another club wants to play theirs, for which they name line-ups
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
}

var table = map[Kind]line{
	Turn:              {"turn", Play, Channels{App: true, Mail: true}, []string{"Opponent"}},
	TurnSoon:          {"turn-soon", Play, Channels{App: true, Mail: true}, []string{"Opponent"}},
	MatchOpened:       {"match-opened", Play, Channels{App: true}, []string{"Opponent"}},
	ChallengeReceived: {"challenge-received", Play, Channels{App: true, Mail: true}, []string{"By"}},
	ChallengeAccepted: {"challenge-accepted", Play, Channels{App: true}, []string{"By"}},
	ChallengeDeclined: {"challenge-declined", Play, Channels{App: true}, []string{"By"}},
	ChallengeExpiring: {"challenge-expiring", Play, Channels{App: true}, []string{"By"}},
	FollowedPlays:     {"followed-plays", Play, Channels{App: true}, []string{"Player", "Opponent"}},

	Entered:      {"entered", Tournaments, Channels{App: true}, []string{"Tournament"}},
	Promoted:     {"promoted", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	PassedOver:   {"passed-over", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	Approved:     {"approved", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	Refused:      {"refused", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	Removed:      {"removed", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	CheckIn:      {"check-in", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	RoundSoon:    {"round-soon", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round"}},
	RoundPaired:  {"round-paired", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round", "Opponent"}},
	Rescheduled:  {"rescheduled", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round"}},
	RoundsSet:    {"rounds-set", Tournaments, Channels{App: true}, []string{"Tournament", "Rounds"}},
	Cancelled:    {"cancelled", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	TakenBack:    {"taken-back", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round"}},
	NotStarted:   {"not-started", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	Corrected:    {"corrected", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Round"}},
	Answer:       {"answer", Tournaments, Channels{App: true}, []string{"Tournament"}},
	Call:         {"call", Tournaments, Channels{App: true}, []string{"Tournament", "By"}},
	Appeal:       {"appeal", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "By"}},
	Staff:        {"staff", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "By"}},
	Announcement: {"announcement", Tournaments, Channels{App: true, Mail: true}, []string{"From", "Text"}},
	Steward:      {"steward", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament", "Player"}},
	ReviewOpened: {"review-opened", Tournaments, Channels{App: true}, []string{"Tournament"}},
	ReviewAppeal: {"review-appeal", Tournaments, Channels{App: true, Mail: true}, []string{"Tournament"}},
	Neighbours:   {"neighbours", Tournaments, Channels{App: true}, []string{"Tournament", "Round"}},

	LadderChallenge: {"ladder-challenge", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "By"}},
	LadderTimes:     {"ladder-times", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "By"}},
	Appointment:     {"appointment", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "Opponent"}},
	AppointmentSoon: {"appointment-soon", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "Opponent"}},
	LadderDeadline:  {"ladder-deadline", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "Opponent"}},
	LadderDecaySoon: {"ladder-decay-soon", Ladders, Channels{App: true, Mail: true}, []string{"Ladder"}},
	LadderEnded:     {"ladder-ended", Ladders, Channels{App: true}, []string{"Ladder", "Opponent"}},
	LadderDispute:   {"ladder-dispute", Ladders, Channels{App: true, Mail: true}, []string{"Ladder", "By"}},

	ClubRequest:  {"club-request", Clubs, Channels{App: true, Mail: true}, []string{"Club", "By"}},
	ClubAccepted: {"club-accepted", Clubs, Channels{App: true}, []string{"Club"}},
	ClubRefused:  {"club-refused", Clubs, Channels{App: true}, []string{"Club"}},
	FollowedClub: {"followed-club", Clubs, Channels{App: true}, []string{"Club", "Tournament"}},
	ClubMatch:    {"club-match", Clubs, Channels{App: true, Mail: true}, []string{"Club", "Tournament"}},

	ReportAnswered:     {"report-answered", Account, Channels{App: true, Mail: true}, nil},
	AttestationGiven:   {"attestation-given", Account, Channels{App: true}, []string{"By"}},
	AttestationExpires: {"attestation-expires", Account, Channels{App: true, Mail: true}, []string{"By"}},
	AttestationRevoked: {"attestation-revoked", Account, Channels{App: true, Mail: true}, []string{"By"}},
	ReviewNews:         {"review-news", Account, Channels{App: true, Mail: true}, nil},
	ErasureSoon:        {"erasure-soon", Account, Channels{App: true, Mail: true}, nil},
}

// ToBoard are the kinds that call to a match: whoever has come to it knows, and once it
// is over they are no news.
var ToBoard = []Kind{Turn, TurnSoon, MatchOpened, RoundPaired, AppointmentSoon}

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

// Defaults is how a player is told of the kind until they choose.
func (k Kind) Defaults() Channels {
	c := table[k].channels
	c.Push = pushed[k]
	return c
}

// Args are the arguments of the kind's text.
func (k Kind) Args() []string { return slices.Clone(table[k].args) }

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
