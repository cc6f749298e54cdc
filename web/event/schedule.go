package event

import (
	"cmp"
	"strings"

	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/web/words"
)

// ForecastFacts returns when the round and the tournament end, as far as known. That a round has no
// forecast is mentioned only if some of its boards have one.
func ForecastFacts(p lang.Printer, t *tournament.Tournament, f outlook.Forecast) []templates.TournamentFact {
	var facts []templates.TournamentFact
	add := func(name string, s outlook.Span) {
		if s.Latest.IsZero() {
			return
		}
		facts = append(facts, templates.TournamentFact{
			Name: name, Value: p.Span(s.From, s.To), Hint: p.T("schedule.forecast.latest", "Time", p.When(s.Latest)),
		})
	}
	// While groups play, the round that people see is theirs, not the first of the knock-out after them.
	if f.End != f.RoundEnd && (t.Groups == 0 || t.Status >= tournament.Running) {
		add(p.T("schedule.forecast.round", "Round", f.Round), f.RoundEnd)
	}
	add(p.T("schedule.forecast.end"), f.End)
	if at, runs := t.DecidedAt(); runs {
		facts = append(facts, words.Fact(p.T("schedule.forecast.end"), p.T("schedule.forecast.latest", "Time", p.When(at))))
	}
	if n := len(f.Unclear); n > 0 && t.Pace != tournament.Rolling && n < OpenBoards(t.Rounds[f.Round-1]) {
		var boards []string
		for _, n := range f.Unclear {
			boards = append(boards, words.Itoa(n))
		}
		facts = append(facts, templates.TournamentFact{Name: p.T("schedule.forecast.round", "Round", f.Round),
			Value: p.T("schedule.forecast.unclear"), Hint: p.T("schedule.forecast.no-clock", "Boards", strings.Join(boards, ", "))})
	}
	return facts
}

// BeforeFacts says when a tournament starts and how long it takes.
func BeforeFacts(p lang.Printer, t *tournament.Tournament) []templates.TournamentFact {
	starts := p.T("schedule.before.ready")
	if at := t.StartsAt(); !at.IsZero() {
		starts = p.Soon(at)
	}
	facts := []templates.TournamentFact{words.Fact(p.T("schedule.before.starts"), starts)}
	if rounds := t.Settings.Rounds; rounds > 0 && t.Format.InRounds() {
		facts = append(facts, words.Fact(p.T("schedule.before.takes"), words.EventLength(p, t.Settings, rounds, cmp.Or(t.Capacity, len(t.Entries.Sides())))))
	}
	return facts
}

// BlockerLines says what a tournament waits for, and who can do something about it.
func BlockerLines(p lang.Printer, t *tournament.Tournament, list []outlook.Blocker, staff bool) []eventview.BlockerLine {
	at := words.TournamentURL(t.ID)
	var lines []eventview.BlockerLine
	for _, b := range list {
		l := eventview.BlockerLine{}
		key := "schedule.block." + b.What
		switch b.What {
		case outlook.BlockAbsent, outlook.BlockFewPlayer:
			if t.HasTeams() {
				key = "teams.block." + b.What
			}
			l.Text = p.N(key, b.Count)
		case outlook.BlockLineUps:
			l.Text = p.N(key, b.Count)
		default:
			if b.What == outlook.BlockFewCheck && t.HasTeams() {
				key = "teams.block." + b.What
			}
			l.Text = p.T(key, "Round", b.Round, "Board", words.BoardLabel(t, b.Round, b.Board), "Why", t.Timetable.Pause.Reason)
		}
		switch b.What {
		case outlook.BlockLineUps, outlook.BlockWaiting, outlook.BlockBoard, outlook.BlockStill, outlook.BlockVoid, outlook.BlockGuest, outlook.BlockArrange, outlook.BlockDispute,
			outlook.BlockCall, outlook.BlockSteward, outlook.BlockUnsigned:
			l.URL = words.RoundURL(t.ID, b.Round)
			if pair, _ := t.BoardAt(b.Round, b.Board); pair.Match != "" {
				l.URL = words.MatchURL(pair.Match)
			} else if pair.Fixture != nil {
				l.URL = words.FixtureURL(t.ID, b.Round, b.Board)
			}
		}
		if staff && (b.What == outlook.BlockSteward || b.What == outlook.BlockUnsigned) {
			l.URL = at + "/steward"
		}
		if staff && b.What == outlook.BlockHeld {
			l.URL = words.DeskURL(t.ID)
		}
		if staff && b.What == outlook.BlockCall {
			l.URL = at + "/calls"
		}
		l.Who = words.ResolversText(p, t.Settings, b)
		lines = append(lines, l)
	}
	return lines
}

// CheckInList lists who has checked in for the next round; nil if nobody checks in.
func CheckInList(p lang.Printer, t *tournament.Tournament) *eventview.CheckInList {
	if t.CheckIn.Scope == tournament.NoCheckIn || t.Status == tournament.Running && len(t.Rounds) >= t.Settings.Rounds {
		return nil
	}
	a := t.Attendance()
	l := &eventview.CheckInList{
		URL: words.TournamentURL(t.ID), Title: words.CheckInTitle(p, t, a.Round),
		Summary: p.T("schedule.check-ins.of", "N", len(a.Present), "Of", len(a.Present)+len(a.Absent)),
	}
	if w, ok := t.CheckInWindow(); ok {
		l.Window = words.WindowText(p, w)
	}
	add := func(ids []tournament.EntryID, present bool, state string) {
		for _, id := range ids {
			e, _ := t.Entry(id) // those of the tournament
			l.Lines = append(l.Lines, eventview.CheckInLine{ID: words.Itoa(int(id)), Name: words.EntryName(p, e), Present: present, State: state})
		}
	}
	add(a.Absent, false, p.T("schedule.absent"))
	add(a.Present, true, p.T("schedule.present"))
	return l
}

// scheduleFacts renders the settings about check-in and lateness.
func scheduleFacts(p lang.Printer, t *tournament.Tournament) []templates.TournamentFact {
	var facts []templates.TournamentFact
	if t.CheckIn.Scope != tournament.NoCheckIn {
		f := words.Fact(p.T("schedule.form.check-in"), p.T("schedule.scope."+t.CheckIn.Scope.String()))
		f.Hint = p.T("schedule.form.check-in.window", "Opens", p.Duration(t.CheckIn.Opens), "Closes", p.Duration(t.CheckIn.Closes))
		if t.CheckIn.Misses > 0 {
			f.Hint += " " + p.N("schedule.form.misses-count", t.CheckIn.Misses)
		}
		facts = append(facts, f)
	}
	if t.OnClaim {
		facts = append(facts, words.Fact(p.T("schedule.form.forfeit"), p.T("schedule.form.on-claim")))
	}
	if !t.Until.IsZero() {
		facts = append(facts, words.Fact(p.T("schedule.form.until"), p.When(t.Until)))
	}
	if t.HonourNoShows {
		facts = append(facts, words.Fact(p.T("schedule.absences.rule"), p.T("schedule.absences.honoured")))
	}
	return facts
}
