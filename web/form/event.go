package form

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/words"
)

type event = tournament.Settings

// Tournament is every setting of a tournament but bidding and fair play.
var Tournament = Table[event]{"tournament.form.", slices.Concat(aboutEvent, itsFormat, itsSchedule, itsEntry)}

var aboutEvent = []Field[event]{
	{Name: "name", Part: "about", Input: templates.Field{Required: true, Max: tournament.MaxNameLength},
		Value: Text(300, func(s *event) *string { return &s.Name })},
	{Name: "club", Part: "about", Input: templates.Field{Max: tournament.MaxNameLength},
		Value: Text(300, func(s *event) *string { return &s.Club })},
	{Name: "clubId", Part: "about", Label: "club.hold-as", Value: Text(40, func(s *event) *club.ID { return &s.ClubID })},
	{Name: "about", Part: "about", Value: Paragraphs(func(s *event) *string { return &s.About })},
}

var itsFormat = []Field[event]{
	{Name: "format", Part: "format", Words: "tournament.format.", Choices: []string{"round-robin", "swiss", "knock-out", "arena"},
		Input: templates.Field{Type: "radio"},
		Value: OneOf(tournament.ParseFormat, func(s *event) *tournament.Format { return &s.Format })},
	{Name: "double", Part: "format", When: isRepeated, Value: Yes(func(s *event) *bool { return &s.Double })},
	{Name: "legs", Part: "format", Label: "bracket.legs", Words: "bracket.legs.", Choices: []string{"1", "2", "4"}, When: isKnockOut,
		Value: Value[event]{"select", legsWord, readLegs, func(from, to *event) { to.Legs = from.Legs }}},
	{Name: "tie", Part: "format", Label: "bracket.tie", Words: "bracket.tie.", Choices: ties, When: isKnockOut, Lenient: true,
		Value: single("select", func(s *event) *[]contest.Step { return &s.Tie }, tieWord,
			func(r *FormReader, name string) []contest.Step { return TieSteps(r.Values.Get(name)) })},
	{Name: "losers", Part: "format", Label: "bracket.losers", Words: "bracket.losers.", Choices: losers(), When: isKnockOut, Lenient: true,
		Input: templates.Field{Type: "select"}, Value: Text(40, func(s *event) *contest.Losers { return &s.Losers })},
	{Name: "groups", Part: "format", Label: "stage.groups", Words: "stage.groups-first.", Choices: groups(), When: isKnockOut, Lenient: true,
		Value: single("select", func(s *event) *int { return &s.Groups }, words.Itoa, (*FormReader).Number)},
	{Name: "window", Part: "format", When: isArena, Lenient: true,
		Value: Whole(time.Minute, func(s *event) *time.Duration { return &s.Window })},
	{Name: "rounds", Part: "format", When: isSwiss, Value: Number(func(s *event) *int { return &s.Rounds })},
	{Name: "accelerated", Key: "acceleration", Part: "format", When: isSwiss, Value: Box(tournament.NoAcceleration, tournament.Baku,
		func(s *event) *tournament.Acceleration { return &s.Acceleration })},
	{Name: "numbering", Part: "format", Words: "tournament.numbering.", Choices: []string{"rating", "lots", "pots", "varma"},
		Value: OneOf(tournament.ParseNumbering, func(s *event) *tournament.Numbering { return &s.Numbering })},
	{Name: "rated", Part: "format", Value: Yes(func(s *event) *bool { return &s.Rated })},
	{Name: "handicap", Part: "format", Label: "rating.handicap", Value: Yes(func(s *event) *bool { return &s.Handicap })},
	{Name: "leave", Part: "format", Label: "desk.form.leave", Words: "desk.leaving.", Choices: leavings,
		Value: OneOf(tournament.ParseLeaving, func(s *event) *tournament.Leaving { return &s.Leave })},
	{Name: "expulsion", Part: "format", Label: "desk.form.expulsion", Words: "desk.leaving.", Choices: leavings,
		Value: OneOf(tournament.ParseLeaving, func(s *event) *tournament.Leaving { return &s.Expulsion })},
	{Name: "tiebreaks", Part: "format", When: hasTiebreaks, Value: stands("", func(s *event) *[]string { return &s.Tiebreaks },
		func(_ lang.Printer, codes []string) []string { return slices.Clone(codes) }, (*FormReader).tiebreaks)},
}

var itsSchedule = []Field[event]{
	{Name: "pace", Part: "schedule", Words: "tournament.pace.", Choices: []string{"auto", "manual", "times"},
		Input: templates.Field{Type: "radio"},
		Value: OneOf(tournament.ParsePace, func(s *event) *tournament.Pace { return &s.Pace })},
	{Name: "break", Part: "schedule", When: func(s *event) bool { return s.Pace == tournament.Auto && hasRounds(s) },
		Value: Span(func(s *event) *time.Duration { return &s.Break })},
	{Name: "lateness", Part: "schedule", Value: Span(func(s *event) *time.Duration { return &s.Lateness })},
	{Name: "review", Part: "schedule", Label: "desk.form.review", When: hasRounds, Value: Yes(func(s *event) *bool { return &s.Review })},
	{Name: "callStops", Part: "schedule", Label: "tournament.form.call-stops", Hint: "tournament.form.call-stops.hint",
		Value: Yes(func(s *event) *bool { return &s.CallStops })},
	{Name: "times", Part: "schedule", When: func(s *event) bool { return s.Pace == tournament.Times },
		Value: stands("", func(s *event) *tournament.Moments { return &s.Times }, momentTexts, (*FormReader).times)},
	{Name: "claims", Part: "schedule", Words: "tournament.claims.", Choices: []string{"automatic", "manual"},
		Value: OneOf(match.ParseClaims, func(s *event) *match.Claims { return &s.Claims })},
	{Name: "check_in", Key: "checkIn", Part: "schedule", Label: "schedule.form.check-in", Words: "schedule.scope.",
		Choices: []string{"none", "event", "round"}, When: hasRounds,
		Value: OneOf(tournament.ParseCheckInScope, func(s *event) *tournament.CheckInScope { return &s.CheckIn.Scope })},
	{Name: "opens", Part: "schedule", Label: "schedule.form.opens", Hint: "schedule.form.minutes", When: hasCheckIn,
		Value: Span(func(s *event) *time.Duration { return &s.CheckIn.Opens })},
	{Name: "closes", Part: "schedule", Label: "schedule.form.closes", Hint: "schedule.form.minutes", When: hasCheckIn,
		Value: Span(func(s *event) *time.Duration { return &s.CheckIn.Closes })},
	{Name: "misses", Part: "schedule", Label: "schedule.form.misses", When: hasCheckIn, Lenient: true,
		Value: Number(func(s *event) *int { return &s.CheckIn.Misses })},
	{Name: "on_claim", Key: "onClaim", Part: "schedule", Label: "schedule.form.on-claim.label", When: hasRounds,
		Value: Yes(func(s *event) *bool { return &s.OnClaim })},
	{Name: "until", Part: "schedule", Label: "schedule.form.until", Value: Moment(func(s *event) *time.Time { return &s.Until })},
	{Name: "firm", Part: "schedule", Label: "schedule.form.firm", Value: Yes(func(s *event) *bool { return &s.Firm })},
	{Name: "honour", Part: "schedule", Label: "schedule.form.honour", Value: Yes(func(s *event) *bool { return &s.HonourNoShows })},
}

var itsEntry = []Field[event]{
	{Name: "capacity", Part: "entry", Value: Optional(func(s *event) *int { return &s.Capacity })},
	{Name: "membersOnly", Part: "entry", Label: "club.members-only", Value: Yes(func(s *event) *bool { return &s.MembersOnly })},
	{Name: "approval", Part: "entry", Label: "wizard.approval", Value: Yes(func(s *event) *bool { return &s.Entry.Approval })},
	{Name: "entry_code", Part: "entry", Label: "wizard.code", Input: templates.Field{Max: tournament.MaxCodeLength},
		Value: Text(100, func(s *event) *string { return &s.Entry.Code })},
	{Name: "entry_opens", Part: "entry", Label: "wizard.opens", Hint: "wizard.moment-hint",
		Value: Moment(func(s *event) *time.Time { return &s.Entry.Opens })},
	{Name: "entry_closes", Part: "entry", Label: "wizard.closes", Value: Moment(func(s *event) *time.Time { return &s.Entry.Closes })},
	{Name: "min_rating", Part: "entry", Label: "wizard.min-rating", Hint: "wizard.rating-hint",
		Value: Optional(func(s *event) *int { return &s.Entry.Conditions.MinRating })},
	{Name: "max_rating", Part: "entry", Label: "wizard.max-rating", Hint: "wizard.rating-hint",
		Value: Optional(func(s *event) *int { return &s.Entry.Conditions.MaxRating })},
	{Name: "min_games", Part: "entry", Label: "wizard.min-games",
		Value: Optional(func(s *event) *int { return &s.Entry.Conditions.MinGames })},
	{Name: "min_age", Part: "entry", Label: "wizard.min-age",
		Value: Optional(func(s *event) *int { return &s.Entry.Conditions.MinAgeDays })},
	{Name: "entry_list", Part: "entry", Label: "wizard.list",
		Value: single("list", func(s *event) *[]player.Handle { return &s.Entry.Conditions.List }, handleLines, (*FormReader).handles)},
	{Name: "late_until", Part: "entry", Label: "wizard.late-until", Hint: "wizard.late-hint", When: isSwiss,
		Value: Optional(func(s *event) *int { return &s.Entry.LateUntil })},
	{Name: "late_bye", Part: "entry", Label: "wizard.late-bye", Words: "wizard.late-bye.", Choices: []string{"none", "half"},
		When:  isSwiss,
		Value: single("select", func(s *event) *tournament.Outcome { return &s.Entry.LateBye }, lateByeWord, lateBye)},
	{Name: "bye_limit", Part: "entry", Label: "wizard.bye-limit", When: isSwiss,
		Value: Optional(func(s *event) *int { return &s.Entry.ByeLimit })},
	{Name: "half_byes", Part: "entry", Label: "wizard.half-byes", When: isSwiss,
		Value: Optional(func(s *event) *int { return &s.Entry.HalfByes })},
	{Name: "half_until", Part: "entry", Label: "wizard.half-until", When: isSwiss,
		Value: Optional(func(s *event) *int { return &s.Entry.HalfUntil })},
}

func isSwiss(s *event) bool      { return s.Format == tournament.Swiss }
func isKnockOut(s *event) bool   { return s.Format == tournament.KnockOut }
func isArena(s *event) bool      { return s.Format == tournament.Arena }
func hasRounds(s *event) bool    { return !isArena(s) }
func isRepeated(s *event) bool   { return !isSwiss(s) && !isArena(s) && !isKnockOut(s) }
func hasTiebreaks(s *event) bool { return !isKnockOut(s) && !isArena(s) }
func hasCheckIn(s *event) bool   { return hasRounds(s) && s.CheckIn.Scope != tournament.NoCheckIn }

// leavings are what can become of results of somebody who is out.
var leavings = []string{"usual", "keep", "forfeits", "annul"}

// ties are the ways to decide level contests that the form offers.
var ties = []string{"pair-decider", "decider", "pair-seed", "points-seed", "pair-lot", "lot", "seed"}

// groups are into how many a knock-out's players can be divided first.
func groups() (list []string) {
	list = append(list, "0")
	for n := 2; n <= draw.MostGroups; n++ {
		list = append(list, words.Itoa(n))
	}
	return list
}

// losers are what can become of who loses.
func losers() (list []string) {
	for _, l := range contest.AllLosers {
		list = append(list, string(l))
	}
	return list
}

// legsWord is how many matches those who meet in a knock-out play.
func legsWord(_ lang.Printer, s *event) []string {
	switch {
	case s.Double:
		return []string{"2"}
	case s.Legs > 0:
		return []string{words.Itoa(s.Legs)}
	}
	return []string{"1"}
}

func readLegs(r *FormReader, name string, s *event) {
	if s.Double, s.Legs = r.Values.Get(name) == "2", 0; r.Values.Get(name) == "4" {
		s.Legs = 4
	}
}

// tieWord is how a level contest is decided in one word: "pair-seed".
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
	list, err := tournament.ParseHandles(r.Values.Get(name))
	if err != nil {
		r.Fault(name, "unsuitable", err.Error())
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

// ValuesOf is what the form shows for settings.
func ValuesOf(p lang.Printer, s event) url.Values {
	likely, out := s, tournament.DefaultSettings(tournament.KnockOut)
	likely.Tie, likely.Losers = out.Tie, out.Losers
	likely.CheckIn.Opens, likely.CheckIn.Closes = 15*time.Minute, time.Minute
	if s.Rounds == 0 {
		likely.Rounds = 5
	}
	v := Tournament.Values(p, s, likely)
	v.Set("tiebreaks_of", s.Format.String())
	PlayValues(v, s.Envelope, s.Policy)
	return v
}

// ReadTournament reads the form over the settings that were.
func (r *FormReader) ReadTournament(was event) event {
	format, err := tournament.ParseFormat(r.Values.Get("format"))
	if err != nil {
		format = tournament.RoundRobin
	}
	s, usual := was, tournament.DefaultSettings(format)
	Tournament.Read(r, &s, &usual)
	if s.Format = format; format == tournament.Arena { // a time that is one of rounds becomes the usual one
		if s.Times = s.Times[:min(1, len(s.Times))]; s.Lateness < setting.MinArenaWait || s.Lateness > setting.MaxArenaWait {
			s.Lateness = usual.Lateness
		}
	}
	s.Envelope, s.Policy = r.Envelope(), r.Policy(was.Policy)
	return s
}

// tiebreaks reads the order; what nobody has edited follows the format.
func (r *FormReader) tiebreaks(name string) []string {
	codes := CodesOf(strings.Join(r.Values[name], " "))
	shown, err := tournament.ParseFormat(r.Values.Get("tiebreaks_of"))
	if format, _ := tournament.ParseFormat(r.Values.Get("format")); err == nil && shown != format &&
		slices.Equal(codes, tournament.DefaultTiebreaks(shown)) {
		return tournament.DefaultTiebreaks(format)
	}
	return codes
}

func momentTexts(p lang.Printer, list tournament.Moments) []string {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = t.In(p.Zone).Format(pickLayout)
	}
	return texts
}

// times reads the times of the rounds, a line or an input each.
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
