package form

import (
	"cmp"
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/words"
)

type event = tournament.Settings

// Tournament holds every setting of a tournament.
var Tournament = Table[event]{"tournament.form.", slices.Concat(aboutEvent, itsFormat, itsSchedule, itsEntry, itsPlay)}

var aboutEvent = []Field[event]{
	{Name: "name", Part: "about", Input: templates.Field{Required: true, Max: tournament.MaxNameLength},
		Value: Text(300, func(s *event) *string { return &s.Name })},
	{Name: "club", Part: "about", Says: "Name of the host, as free text", Input: templates.Field{Max: tournament.MaxNameLength},
		Value: Text(300, func(s *event) *string { return &s.Club })},
	{Name: "clubId", Part: "about", Label: "club.hold-as", Says: "ID of the club that holds the event",
		Value: Text(40, func(s *event) *club.ID { return &s.ClubID })},
	{Name: "about", Part: "about", Value: Paragraphs(func(s *event) *string { return &s.About })},
}

var itsFormat = []Field[event]{
	{Name: "format", Part: "format", Words: "tournament.format.", Choices: []string{"round-robin", "swiss", "knock-out", "arena", "keizer"},
		Input: templates.Field{Type: "radio"},
		Value: OneOf(tournament.ParseFormat, func(s *event) *tournament.Format { return &s.Format })},
	{Name: "double", Part: "format", Says: "Every pair plays twice, with seats swapped",
		When: isRepeated, Value: Yes(func(s *event) *bool { return &s.Double })},
	{Name: "legs", Part: "format", Label: "bracket.legs", Words: "bracket.legs.", Choices: []string{"1", "2", "4"}, When: isKnockOut,
		Says: "Knock-out: 4 for four matches per contest; 0 for one, or two with double", Value: Value[event]{
			kind: "select", show: showLegs, read: readLegs, copy: func(from, to *event) { to.Legs = from.Legs },
			JSON: Plain("integer", func(s *event) *int { return &s.Legs }),
		}},
	{Name: "losers", Part: "format", Label: "bracket.losers", Words: "bracket.losers.", Choices: losers(), When: isKnockOut, Lenient: true,
		Says: "Knock-out: what happens to losers: out, third (losing semi-finalists meet), reseed (out; best seed left meets lowest), " +
			"consolation (for first-match losses), places (every place is decided), double or double-reset (out after two losses)",
		Input: templates.Field{Type: "select"}, Value: Text(40, itsLosers).as(sparing(itsLosers, Plain("string", itsLosers)).worded())},
	{Name: "groups", Part: "format", Label: "stage.groups", Words: "stage.groups-first.", Choices: groups(), When: isKnockOut, Lenient: true,
		Says:  "Knock-out: number of groups played first, whose top two qualify; 0 for none",
		Value: single("select", itsGroups, words.Itoa, (*FormReader).Number).as(whole(itsGroups))},
	{Name: "window", Part: "format", When: isArena, Lenient: true,
		Says:  "Arena: how long players are paired; with pace arranged, how long each round has; with pace correspondence, how long all matches have",
		Value: Whole(time.Minute, func(s *event) *time.Duration { return &s.Window })},
	{Name: "battle_teams", Path: "battle.teams", Part: "format", When: isArena, Lenient: true,
		Says: "Arena: names of the teams of a battle, whose players do not meet each other; none for an arena without teams",
		Value: single("list", itsCamps, func(list []string) string { return strings.Join(list, "\n") }, (*FormReader).lines).
			as(listOf(Schema{"type": "string"}, itsCamps))},
	{Name: "battle_leaders", Path: "battle.leaders", Part: "format", When: isArena,
		Says:  "Arena: how many players of each team count in a battle; 0 for the usual five",
		Value: Optional(func(s *event) *int { return &s.Battle.Leaders })},
	{Name: "rounds", Part: "format", When: isSwiss,
		Says:  "Swiss and Keizer: number of rounds; other formats derive it from the number of entries",
		Value: Number(func(s *event) *int { return &s.Rounds })},
	{Name: "accelerated", Key: "acceleration", Part: "format", More: []string{"none", "baku"}, When: hasAcceleration,
		Value: Box(tournament.NoAcceleration, tournament.Baku,
			itsAcceleration).as(wordOf(tournament.ParseAcceleration, itsAcceleration))},
	{Name: "team_boards", Path: "teams.boards", Part: "format", When: mayHaveTeams, Lenient: true, Say: boardsText, Choices: teamSizes(),
		Says:  "Boards in a match of teams; 0 for an event without teams",
		Value: single("select", teamBoards, words.Itoa, (*FormReader).Number).as(whole(teamBoards))},
	{Name: "team_reserves", Path: "teams.reserves", Part: "format", When: hasTeams, Says: "Most players of a team beyond its boards",
		Value: Optional(func(s *event) *int { return &s.Teams.Reserves })},
	{Name: "team_line_ups", Path: "teams.lineUps", Part: "format", When: hasTeams, Lenient: true,
		Says:  "How long line-ups may be handed in after a round is paired; 0s for none: the first of each roster sit down at once",
		Value: Span(func(s *event) *time.Duration { return &s.Teams.LineUps })},
	{Name: "team_least", Path: "teams.least", Part: "format", When: hasTeams,
		Says:  "Players without whom a team forfeits a match; 0 for half of the boards, rounded up",
		Value: Optional(func(s *event) *int { return &s.Teams.Least })},
	{Name: "team_by_games", Path: "teams.byGames", Part: "format", When: hasTeams,
		Says:  "Whether game points come first, not match points",
		Value: Yes(func(s *event) *bool { return &s.Teams.ByGames })},
	{Name: "team_preferences", Path: "teams.preferences", Part: "format", Words: "teams.preferences.", Choices: []string{"a", "b", "none"},
		When: func(s *event) bool { return hasTeams(s) && isSwiss(s) }, Lenient: true,
		Says:  "Swiss: seat preferences of teams, a (usual), b or none (FIDE C.04.6, 1.7)",
		Value: OneOf(tournament.ParseSeatPreferences, func(s *event) *tournament.SeatPreferences { return &s.Teams.Preferences })},
	{Name: "tie", Part: "format", Label: "bracket.tie", Words: "bracket.tie.", Choices: ties,
		When: func(s *event) bool { return isKnockOut(s) && !hasTeams(s) }, Lenient: true,
		Says: "Knock-out: tie-break steps for a level contest, in order, ending with lot or seed; of players decider is such an end, too " +
			"(one match with sealed bids for draw odds). Steps before it: pair; of players points; of teams boards, top, bottom " +
			"(the board count, the top boards, all but the bottom boards)",
		Value: itsTie(tieOf).as(listOf(Schema{"type": "string", "enum": contest.AllSteps}, tieOf))},
	{Name: "team_tie", Key: "tie", Part: "format", Label: "bracket.tie", Words: "bracket.tie.", Choices: teamTies,
		When: func(s *event) bool { return isKnockOut(s) && hasTeams(s) }, Lenient: true, Value: itsTeamTie()},
	matchWorth("win", func(p *tournament.TeamPoints) *tournament.Score { return &p.Win }),
	matchWorth("draw", func(p *tournament.TeamPoints) *tournament.Score { return &p.Draw }),
	matchWorth("loss", func(p *tournament.TeamPoints) *tournament.Score { return &p.Loss }),
	{Name: "numbering", Part: "format", Words: "tournament.numbering.", Choices: []string{"rating", "lots", "pots", "varma"},
		More:  []string{"given"},
		Value: OneOf(tournament.ParseNumbering, func(s *event) *tournament.Numbering { return &s.Numbering })},
	{Name: "rated", Part: "format", Says: "Whether results count for ratings", Value: Yes(func(s *event) *bool { return &s.Rated })},
	{Name: "handicap", Part: "format", Label: "rating.handicap",
		Says: "Whether the lower-rated player gets extra chips, by the handicap table and the ratings of the entries; " +
			"if rated, the event counts in handicap lists",
		Value: Yes(func(s *event) *bool { return &s.Handicap })},
	{Name: "leave", Part: "format", Label: "desk.form.leave",
		Says: "What happens to the results of players who withdraw", Words: "desk.leaving.", Choices: leavings,
		Value: OneOf(tournament.ParseLeaving, func(s *event) *tournament.Leaving { return &s.Leave })},
	{Name: "expulsion", Part: "format", Label: "desk.form.expulsion",
		Says: "What happens to the results of disqualified players", Words: "desk.leaving.", Choices: leavings,
		Value: OneOf(tournament.ParseLeaving, func(s *event) *tournament.Leaving { return &s.Expulsion })},
	{Name: "tiebreaks", Part: "format", When: hasTiebreaks, Value: stands("", itsTiebreaks,
		func(_ lang.Printer, codes []string) []string { return slices.Clone(codes) }, (*FormReader).tiebreaks).
		as(listOf(Schema{"type": "string"}, itsTiebreaks))},
}

var itsSchedule = []Field[event]{
	{Name: "zone", Part: "schedule", Says: "Time zone of the event's times, such as Europe/Kyiv; empty for the site's",
		Input: templates.Field{IsZone: true, Max: tournament.MaxZoneName}, Value: zone()}, // before all moments, which are written in it
	{Name: "pace", Part: "schedule", Words: "tournament.pace.", Choices: []string{"auto", "rolling", "manual", "times", "arranged", "correspondence"},
		Input: templates.Field{Type: "radio"},
		Value: pace()},
	{Name: "round_days", Key: "window", Part: "schedule", When: hasDays, Input: templates.Field{Max: 20}, Value: roundDays()},
	{Name: "move_days", Key: "bidTime", Part: "schedule", When: isByCorrespondence, Input: templates.Field{Max: 20},
		Says:  "With pace correspondence: how long each bid and each move may take",
		Value: days(func(s *event) *time.Duration { return &s.BidTime }, usualMoveTime, isByCorrespondence).as(length(func(s *event) *time.Duration { return &s.BidTime }))},
	{Name: "break", Part: "schedule",
		Says:  "Time between rounds; with pace rolling, between a player's matches",
		When:  func(s *event) bool { return s.Pace.OpensByItself() && !s.Pace.HasWindow() && hasRounds(s) },
		Value: Span(func(s *event) *time.Duration { return &s.Break })},
	{Name: "draw_unmet", Key: "drawUnmet", Part: "schedule", Label: "tournament.form.draw-unmet",
		Says:  "With pace arranged: whether a board for which no time was agreed is an unrated draw instead of lost by both",
		When:  isArranged,
		Value: Yes(func(s *event) *bool { return &s.DrawUnmet })},
	{Name: "lateness", Part: "schedule", Says: "How long a match waits for its players; 0s starts it at once",
		Value: Span(func(s *event) *time.Duration { return &s.Lateness })},
	{Name: "review", Part: "schedule", Label: "desk.form.review", Says: "Whether a due round is drafted for staff to publish",
		When:  func(s *event) bool { return hasRounds(s) && !s.Pace.IsAtOnce() },
		Value: Yes(func(s *event) *bool { return &s.Review })},
	{Name: "callStops", Part: "schedule", Label: "tournament.form.call-stops", Hint: "tournament.form.call-stops.hint",
		Says: "Whether a call for the arbiter stops the clocks", Value: Yes(func(s *event) *bool { return &s.CallStops })},
	{Name: "times", Part: "schedule", When: func(s *event) bool { return s.Pace == tournament.Times },
		Says: "Start of each round, with pace times", Value: stands("", itsTimes, momentTexts, (*FormReader).times).
			as(listOf(Schema{"type": "string", "format": "date-time"}, itsTimes))},
	{Name: "claims", Part: "schedule", Words: "tournament.claims.", Choices: []string{"automatic", "manual"},
		Value: OneOf(match.ParseClaims, func(s *event) *match.Claims { return &s.Claims })},
	{Name: "check_in", Key: "checkIn", Path: "checkIn.scope", Part: "schedule", Label: "schedule.form.check-in", Words: "schedule.scope.",
		Choices: []string{"none", "event", "round"}, When: hasRounds,
		Value: OneOf(tournament.ParseCheckInScope, func(s *event) *tournament.CheckInScope { return &s.CheckIn.Scope })},
	{Name: "opens", Path: "checkIn.opens",
		Says: "How long before the round check-in opens",
		Part: "schedule", Label: "schedule.form.opens", Hint: "schedule.form.minutes", When: hasCheckIn,
		Value: Span(func(s *event) *time.Duration { return &s.CheckIn.Opens })},
	{Name: "closes", Path: "checkIn.closes",
		Says: "How long before the round check-in closes",
		Part: "schedule", Label: "schedule.form.closes", Hint: "schedule.form.minutes", When: hasCheckIn,
		Value: Span(func(s *event) *time.Duration { return &s.CheckIn.Closes })},
	{Name: "misses", Path: "checkIn.misses", Says: "Check-ins missed in a row that withdraw an entry; 0 for never", Part: "schedule",
		Label: "schedule.form.misses", When: hasCheckIn, Lenient: true,
		Value: Number(func(s *event) *int { return &s.CheckIn.Misses })},
	{Name: "on_claim", Key: "onClaim", Part: "schedule", Label: "schedule.form.on-claim.label",
		Says: "Whether a late player forfeits on the opponent's claim, or after twice the lateness", When: hasRounds,
		Value: Yes(func(s *event) *bool { return &s.OnClaim })},
	{Name: "until", Part: "schedule", Label: "schedule.form.until", Says: "When the event must end",
		Value: Moment(func(s *event) *time.Time { return &s.Until })},
	{Name: "firm", Part: "schedule", Label: "schedule.form.firm",
		Says:  "Whether to refuse a schedule that could run past the end set by until",
		Value: Yes(func(s *event) *bool { return &s.Firm })},
	{Name: "honour", Path: "honourNoShows", Part: "schedule", Label: "schedule.form.honour",
		Says: "Whether to refuse players with too many recent no-shows", Value: Yes(func(s *event) *bool { return &s.HonourNoShows })},
}

var itsEntry = []Field[event]{
	{Name: "capacity", Part: "entry", Says: "Player limit; 0 for as many as the format allows",
		Value: Optional(func(s *event) *int { return &s.Capacity })},
	{Name: "membersOnly", Part: "entry", Label: "club.members-only", Says: "Whether only members of the club in clubId may enter",
		Value: Yes(func(s *event) *bool { return &s.MembersOnly })},
	{Name: "approval", Path: "entry.approval", Says: "Whether staff approve each entry", Part: "entry",
		Label: "wizard.approval", Value: Yes(func(s *event) *bool { return &s.Entry.Approval })},
	{Name: "entry_code", Path: "entry.code", Says: "Code that players need to enter, shown only to staff who may change the settings",
		Part:  "entry",
		Label: "wizard.code", Input: templates.Field{Max: tournament.MaxCodeLength},
		Value: Text(100, func(s *event) *string { return &s.Entry.Code })},
	{Name: "entry_opens", Path: "entry.opens", Says: "When registration opens by itself", Part: "entry",
		Label: "wizard.opens", Hint: "wizard.moment-hint",
		Value: Moment(func(s *event) *time.Time { return &s.Entry.Opens })},
	{Name: "entry_closes", Path: "entry.closes", Says: "When registration closes by itself", Part: "entry",
		Label: "wizard.closes", Value: Moment(func(s *event) *time.Time { return &s.Entry.Closes })},
	{Name: "min_rating", Path: "entry.minRating", Says: "Lowest rating to enter, by the player's best of the last week; 0 for none",
		Part:  "entry",
		Label: "wizard.min-rating", Hint: "wizard.rating-hint",
		Value: Optional(func(s *event) *int { return &s.Entry.Conditions.MinRating })},
	{Name: "max_rating", Path: "entry.maxRating", Says: "Highest rating to enter, by the player's best of the last week; 0 for none",
		Part:  "entry",
		Label: "wizard.max-rating", Hint: "wizard.rating-hint",
		Value: Optional(func(s *event) *int { return &s.Entry.Conditions.MaxRating })},
	{Name: "min_games", Path: "entry.minGames", Says: "Rated matches a player needs to enter; 0 for none", Part: "entry",
		Label: "wizard.min-games",
		Value: Optional(func(s *event) *int { return &s.Entry.Conditions.MinGames })},
	{Name: "min_age", Path: "entry.minAgeDays", Says: "Account age a player needs to enter, in days; 0 for none", Part: "entry",
		Label: "wizard.min-age",
		Value: Optional(func(s *event) *int { return &s.Entry.Conditions.MinAgeDays })},
	{Name: "entry_list", Path: "entry.list",
		Says:  "Handles of the only players who may enter, shown only to staff who may change the settings",
		Part:  "entry",
		Label: "wizard.list",
		Value: single("list", itsList, handleLines, (*FormReader).handles).as(listOf(Schema{"type": "string"}, itsList))},
	{Name: "late_until", Path: "entry.lateUntil", Says: "Last round that a late entry may start in; 0 for no late entries", Part: "entry",
		Label: "wizard.late-until", Hint: "wizard.late-hint", When: isSwiss,
		Value: Optional(func(s *event) *int { return &s.Entry.LateUntil })},
	{Name: "late_bye", Path: "entry.lateHalfBye", Says: "Whether late entries get half-point byes for the rounds they missed", Part: "entry",
		Label: "wizard.late-bye", Words: "wizard.late-bye.", Choices: []string{"none", "half"},
		When:  isSwiss,
		Value: single("select", itsLateBye, lateByeWord, lateBye).as(Box(0, tournament.HalfBye, itsLateBye).JSON)},
	{Name: "bye_limit", Path: "entry.byeLimit", Says: "Most byes a player may take; 0 for no limit", Part: "entry",
		Label: "wizard.bye-limit", When: isSwiss,
		Value: Optional(func(s *event) *int { return &s.Entry.ByeLimit })},
	{Name: "half_byes", Path: "entry.halfByes", Says: "How many of those byes are worth half a point", Part: "entry",
		Label: "wizard.half-byes", When: isSwiss,
		Value: Optional(func(s *event) *int { return &s.Entry.HalfByes })},
	{Name: "half_until", Path: "entry.halfUntil", Says: "Last round with half-point byes; 0 for the last but one", Part: "entry",
		Label: "wizard.half-until", When: isSwiss,
		Value: Optional(func(s *event) *int { return &s.Entry.HalfUntil })},
}

var itsPlay = []Field[event]{
	limits(func(s *event) *bidding.Envelope { return &s.Envelope }), demands(func(s *event) *fairplay.Policy { return &s.Policy }),
	worth("win", func(p *tournament.PointSystem) *tournament.Score { return &p.Win }),
	worth("draw", func(p *tournament.PointSystem) *tournament.Score { return &p.Draw }),
	worth("loss", func(p *tournament.PointSystem) *tournament.Score { return &p.Loss }),
	worth("forfeitWin", func(p *tournament.PointSystem) *tournament.Score { return &p.ForfeitWin }),
	worth("forfeitLoss", func(p *tournament.PointSystem) *tournament.Score { return &p.ForfeitLoss }),
	worth("fullBye", func(p *tournament.PointSystem) *tournament.Score { return &p.FullBye }),
	worth("halfBye", func(p *tournament.PointSystem) *tournament.Score { return &p.HalfBye }),
	worth("zeroBye", func(p *tournament.PointSystem) *tournament.Score { return &p.ZeroBye }),
	worth("pairingBye", func(p *tournament.PointSystem) *tournament.Score { return &p.PairBye }),
	{Name: "prizes", Value: Value[event]{JSON: Plain("", func(s *event) *prize.Fund { return &s.Prizes }).of("PrizeFund")}},
	{Name: "report", Value: Value[event]{JSON: Plain("", func(s *event) *tournament.ReportHead { return &s.Report }).of("ReportHead")}},
}

// worth is the field of an outcome's worth, kept in tenths and written for programs as points: 1, 0.5.
func worth(outcome string, in func(*tournament.PointSystem) *tournament.Score) Field[event] {
	return Field[event]{Path: "points." + outcome, Says: "Points for this outcome, in steps of 0.1",
		Value: tenths(func(s *event) *tournament.Score { return in(&s.Points) })}
}

// matchWorth is the field of what a match of teams is worth.
func matchWorth(outcome string, in func(*tournament.TeamPoints) *tournament.Score) Field[event] {
	at := func(s *event) *tournament.Score { return in(&s.Teams.Points) }
	value := stands("", at, nil, (*FormReader).tenths).as(tenths(at).JSON)
	value.show = func(_ lang.Printer, v url.Values, name string, s *event) {
		points := s.Teams.PointsOf()
		v.Set(name, strconv.FormatFloat(float64(*in(&points))/10, 'f', -1, 64))
	}
	return Field[event]{Name: "team_" + outcome, Path: "teams.points." + outcome, Part: "format", When: hasTeams, Lenient: true,
		Says: "Match points of teams, in steps of 0.1; all 0 for 2, 1 and 0", Value: value}
}

// tenths reads points, such as 3 or 1.5.
func (r *FormReader) tenths(name string) tournament.Score {
	points, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(r.Values.Get(name)), ",", ".", 1), 64)
	score, wrong := scoreOf(points)
	if err != nil || wrong != nil {
		r.Fault(name, "points", name+": a number of points is needed")
	}
	return score
}

func tenths(at func(*event) *tournament.Score) Value[event] {
	return Value[event]{JSON: Through(Schema{"type": "number", "multipleOf": 0.1}, at,
		func(x tournament.Score) float64 { return float64(x) / 10 },
		scoreOf)}
}

func scoreOf(points float64) (tournament.Score, error) {
	tenths := math.Round(points * 10)
	if !(math.Abs(points*10-tenths) <= 1e-6 && math.Abs(tenths) <= 1000) {
		return 0, errors.New("points are whole tenths, such as 0.5")
	}
	return tournament.Score(tenths), nil
}

// ClubMatch holds what one club asks of another.
var ClubMatch = Table[proposal.ClubMatch]{Labels: "club.match.", Fields: []Field[proposal.ClubMatch]{
	{Name: "opponent", Value: Text(40, func(m *proposal.ClubMatch) *club.ID { return &m.Guest })},
	{Name: "begins", Value: Moment(func(m *proposal.ClubMatch) *time.Time { return &m.Begins })},
	{Name: "team_boards", Input: templates.Field{Required: true}, Value: Number(func(m *proposal.ClubMatch) *int { return &m.Boards })},
	{Name: "double", Value: Yes(func(m *proposal.ClubMatch) *bool { return &m.Double })},
	{Name: "name", Input: templates.Field{Max: tournament.MaxNameLength},
		Value: Text(300, func(m *proposal.ClubMatch) *string { return &m.Name })},
	{Name: "about", Value: Paragraphs(func(m *proposal.ClubMatch) *string { return &m.About })},
	{Name: "envelope", Label: "tournament.envelope", Words: "tournament.form.envelope.", Choices: []string{"quick", "evening", "free"},
		Value: Ready(anyNamed, func(m *proposal.ClubMatch) *bidding.Envelope { return &m.Envelope })},
	{Name: "rated", Label: "tournament.form.rated", Value: Yes(func(m *proposal.ClubMatch) *bool { return &m.Rated })},
}}

func anyNamed(name string) (bidding.Envelope, bool) { return EnvelopeNamed(name), true }

// pace reads a pace that the form does not show for the format as the usual one.
func pace() Value[event] {
	v := OneOf(tournament.ParsePace, func(s *event) *tournament.Pace { return &s.Pace })
	read := v.read
	v.read = func(r *FormReader, name string, s *event) {
		read(r, name, s)
		if s.Pace == tournament.Rolling && !isKnockOut(s) || (s.Pace == tournament.Times || s.Pace.HasWindow()) && isKnockOut(s) {
			s.Pace = tournament.Auto
		}
	}
	return v
}

func isArranged(s *event) bool         { return s.Pace == tournament.Arranged }
func isByCorrespondence(s *event) bool { return s.Pace == tournament.Correspondence }
func hasDays(s *event) bool            { return s.Pace.HasWindow() }

// What is offered for rounds whose players arrange their matches, and for a move by correspondence.
const (
	usualRoundWindow = 7 * 24 * time.Hour
	usualMoveTime    = 3 * 24 * time.Hour
)

// roundDays is the window of matches that players arrange, or play by correspondence, in days. Programs write it as window.
func roundDays() Value[event] {
	v := days(func(s *event) *time.Duration { return &s.Window }, usualRoundWindow, hasDays)
	v.copy = func(_, _ *event) {} // the field window is read before and knows how long an arena is
	return v
}

// days is a duration in days; the usual one is offered where there is none.
func days(at func(*event) *time.Duration, usual time.Duration, has func(*event) bool) Value[event] {
	v := stands("", at, nil, func(r *FormReader, name string) time.Duration {
		days, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(r.Values.Get(name)), ",", ".", 1), 64)
		if err != nil || !(days >= 0 && days <= 1000) {
			r.Fault(name, "number", name+": a number of days is needed")
			return 0
		}
		return time.Duration(days * float64(24*time.Hour)).Round(time.Minute)
	})
	v.show = func(_ lang.Printer, values url.Values, name string, s *event) {
		d := usual
		if has(s) {
			d = *at(s)
		}
		values.Set(name, strconv.FormatFloat(d.Hours()/24, 'f', -1, 64))
	}
	return v
}

// Asks returns the names of the fields that only some formats have and this one does. The style
// sheet hides the others while a format is being chosen.
func Asks(f tournament.Format) string {
	s, names := tournament.DefaultSettings(f), []string{}
	for _, field := range Tournament.Fields {
		if field.When != nil && field.When(&s) {
			names = append(names, field.Name)
		}
	}
	if f.InRounds() {
		names = append(names, "break")
	}
	if !f.HasBracket() {
		names = append(names, "times")
	} else {
		names = append(names, "rolling")
	}
	return strings.Join(names, " ")
}

func itsTiebreaks(s *event) *[]string                   { return &s.Tiebreaks }
func itsTimes(s *event) *tournament.Moments             { return &s.Times }
func itsGroups(s *event) *int                           { return &s.Groups }
func itsLosers(s *event) *contest.Losers                { return &s.Losers }
func itsAcceleration(s *event) *tournament.Acceleration { return &s.Acceleration }
func itsList(s *event) *[]player.Handle                 { return &s.Entry.Conditions.List }
func itsLateBye(s *event) *tournament.Outcome           { return &s.Entry.LateBye }
func tieOf(s *event) *[]contest.Step                    { return &s.Tie }
func itsCamps(s *event) *[]string                       { return &s.Battle.Teams }
func teamBoards(s *event) *int                          { return &s.Teams.Boards }

func isSwiss(s *event) bool         { return s.Format.PairsByScore() }
func mayHaveTeams(s *event) bool    { return s.Format.MayHaveTeams() }
func hasTeams(s *event) bool        { return s.HasTeams() }
func hasAcceleration(s *event) bool { return isSwiss(s) && hasTiebreaks(s) }
func isKnockOut(s *event) bool      { return s.Format.HasBracket() }
func isArena(s *event) bool         { return !s.Format.InRounds() }
func hasRounds(s *event) bool       { return !isArena(s) }
func isRepeated(s *event) bool      { return !isSwiss(s) && !isArena(s) && !isKnockOut(s) }
func hasTiebreaks(s *event) bool    { return !s.Format.HasOwnOrder() }
func hasCheckIn(s *event) bool      { return hasRounds(s) && s.CheckIn.Scope != tournament.NoCheckIn }

// leavings are what can become of the results of a player who is out.
var leavings = []string{"usual", "keep", "forfeits", "annul"}

// ties are the ways the form offers to decide contests with equal scores.
var ties = []string{"pair-decider", "decider", "pair-seed", "points-seed", "pair-lot", "lot", "seed"}

// teamTies are the same for teams.
var teamTies = []string{"boards-bottom-seed", "boards-top-seed", "boards-bottom-pair-seed", "pair-boards-bottom-seed", "boards-bottom-lot",
	"pair-lot", "seed"}

// itsTie is a choice among ties.
func itsTie(at func(*event) *[]contest.Step) Value[event] {
	return single("select", at, tieWord, func(r *FormReader, name string) []contest.Step { return TieSteps(r.Values.Get(name)) })
}

// itsTeamTie reads a choice among teamTies over what players have. Programs write it as tie.
func itsTeamTie() Value[event] {
	v := itsTie(tieOf)
	v.copy = func(_, to *event) {
		if isKnockOut(to) && hasTeams(to) {
			to.Tie = tournament.DefaultTie(true)
		}
	}
	show := v.show
	v.show = func(p lang.Printer, values url.Values, name string, s *event) {
		if !hasTeams(s) {
			s = &event{Tie: tournament.DefaultTie(true)}
		}
		show(p, values, name, s)
	}
	return v
}

// groups lists into how many groups a knock-out's players can be divided first.
func groups() (list []string) {
	list = append(list, "0")
	for n := 2; n <= draw.MostGroups; n++ {
		list = append(list, words.Itoa(n))
	}
	return list
}

// losers lists what can become of those who lose.
func losers() (list []string) {
	for _, l := range contest.AllLosers {
		list = append(list, string(l))
	}
	return list
}

// showLegs shows Double and Legs as one choice: 1, 2 or 4 matches.
func showLegs(_ lang.Printer, v url.Values, name string, s *event) {
	legs := max(s.Legs, 1)
	if s.Double {
		legs = 2
	}
	v.Set(name, words.Itoa(legs))
}

func readLegs(r *FormReader, name string, s *event) {
	s.Double, s.Legs = r.Values.Get(name) == "2", 0
	if r.Values.Get(name) == "4" {
		s.Legs = 4
	}
}

// tieWord joins the steps that decide equal scores: "pair-seed".
func tieWord(steps []contest.Step) string {
	list := make([]string, len(steps))
	for i, s := range steps {
		list[i] = string(s)
	}
	return strings.Join(list, "-")
}

// TieSteps reads what tieWord writes.
func TieSteps(word string) (steps []contest.Step) {
	for step := range strings.SplitSeq(word, "-") {
		if step != "" {
			steps = append(steps, contest.Step(step))
		}
	}
	return steps
}

func handleLines(list []player.Handle) string {
	lines := make([]string, len(list))
	for i, h := range list {
		lines[i] = string(h)
	}
	return strings.Join(lines, "\n")
}

func (r *FormReader) handles(name string) []player.Handle {
	list, err := setting.ParseHandles(r.Values.Get(name))
	if err != nil {
		r.Fault(name, "unsuitable", err.Error())
	}
	return list
}

// lines reads a list of names, one a line.
func (r *FormReader) lines(name string) (list []string) {
	for line := range strings.SplitSeq(words.Shorten(r.Values.Get(name), 5000), "\n") {
		if line = player.Tidy(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

func lateByeWord(o tournament.Outcome) string {
	if o == tournament.HalfBye {
		return "half"
	}
	return "none"
}

func lateBye(r *FormReader, name string) (o tournament.Outcome) {
	if r.Values.Get(name) == "half" {
		o = tournament.HalfBye
	}
	return o
}

// ValuesOf returns the values that the form shows for settings.
func ValuesOf(p lang.Printer, s event) url.Values {
	likely, out := s, tournament.DefaultSettings(tournament.KnockOut)
	likely.Tie, likely.Losers = out.Tie, out.Losers
	likely.Window = tournament.DefaultSettings(tournament.Arena).Window
	likely.Teams = proposal.TeamsOf(max(4, s.Teams.Boards), proposal.Club)
	likely.CheckIn.Opens, likely.CheckIn.Closes = 15*time.Minute, time.Minute
	if s.Rounds == 0 {
		likely.Rounds = 5
	}
	v := Tournament.Values(p, s, likely)
	v.Set("tiebreaks_of", tiebreaksOf(s.Format, s.HasTeams()))
	return v
}

// ReadTournament reads the form; what it does not ask for stays as it was.
func (r *FormReader) ReadTournament(was event) event {
	format, err := tournament.ParseFormat(r.Values.Get("format"))
	if err != nil {
		format = tournament.RoundRobin
	}
	s, usual := was, tournament.DefaultSettings(format)
	Tournament.Read(r, &s, &usual)
	s.Format = format
	if s.Teams.Boards == 0 {
		s.Teams = tournament.Teams{}
	}
	if len(s.Battle.Teams) == 0 {
		s.Battle = tournament.Battle{}
	}
	if s.Teams.Points == (tournament.Teams{}).PointsOf() {
		s.Teams.Points = tournament.TeamPoints{} // the usual ones are not written down
	}
	if !format.InRounds() { // lateness that suits only rounds becomes the default
		s.Times = s.Times[:min(1, len(s.Times))]
		if s.Lateness < setting.MinArenaWait || s.Lateness > setting.MaxArenaWait {
			s.Lateness = usual.Lateness
		}
	}
	return s
}

// tiebreaks reads the order; while nobody has edited it, it follows the format.
func (r *FormReader) tiebreaks(name string) []string {
	codes := CodesOf(strings.Join(r.Values[name], " "))
	shown, wereTeams := strings.CutSuffix(r.Values.Get("tiebreaks_of"), ofTeams)
	was, err := tournament.ParseFormat(shown)
	is, _ := tournament.ParseFormat(r.Values.Get("format"))
	areTeams := AsksTeams(r.Values)
	if err == nil && tiebreaksOf(is, areTeams) != r.Values.Get("tiebreaks_of") && slices.Equal(codes, tournament.DefaultTiebreaks(was, wereTeams)) {
		return tournament.DefaultTiebreaks(is, areTeams)
	}
	return codes
}

// AsksTeams reports whether a form asks for an event of teams.
func AsksTeams(v url.Values) bool {
	f, err := tournament.ParseFormat(v.Get("format"))
	return err == nil && f.MayHaveTeams() && words.AtoiOr(v.Get("team_boards"), 0) > 0
}

// teamSizes are the choices of how many boards a match of teams has; 0: nobody plays in a team.
func teamSizes() (list []string) {
	for n := range tournament.MaxTeamBoards + 1 {
		list = append(list, strconv.Itoa(n))
	}
	return list
}

// boardsText is how a number of boards reads.
func boardsText(p lang.Printer, boards string) string {
	if boards == "0" {
		return p.T("teams.none")
	}
	return p.Int(words.AtoiOr(boards, 0))
}

// ofTeams marks the tie-breaks of an event of teams.
const ofTeams = " teams"

// tiebreaksOf names the events that the tie-breaks on a form are for.
func tiebreaksOf(f tournament.Format, teams bool) string {
	if teams {
		return f.String() + ofTeams
	}
	return f.String()
}

// zone is the event's time zone. The moments of the form are in the one that is typed; a blank stays as it was.
func zone() Value[event] {
	at := func(s *event) *string { return &s.Zone }
	return stands("", at, func(p lang.Printer, name string) []string { return []string{cmp.Or(name, p.Zone.String())} },
		func(r *FormReader, name string) string {
			typed := strings.TrimSpace(words.Shorten(r.Values.Get(name), tournament.MaxZoneName+1))
			if typed == "" {
				return r.Printer.Zone.String()
			}
			if known := civil.Zone(typed); known != nil {
				r.Printer = r.Printer.At(known)
			}
			return typed
		}).as(Plain("string", at))
}

func momentTexts(p lang.Printer, list tournament.Moments) []string {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = civil.Pick(t, p.Zone)
	}
	return texts
}

// times reads the times of the rounds, one in each line or input.
func (r *FormReader) times(name string) (out tournament.Moments) {
	for line := range strings.Lines(strings.Join(r.Values[name], "\n")) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if t := r.moment(name, line); !t.IsZero() {
			out = append(out, t)
		}
	}
	return out
}
