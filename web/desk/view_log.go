package desk

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// deedWriter renders deeds in sentences; accounts stand in them by their handles.
type deedWriter struct {
	p lang.Printer
	t *tournament.Tournament
}

// actOf names what was done. Pairing and concluding have words of their own in an arena.
func (w deedWriter) actOf(d ledger.Deed) string {
	switch {
	case !w.t.Format.InRounds() && d.Act == tournament.ActPair && slices.ContainsFunc(d.Changes, ofBoard):
		return w.p.T("log.act.pass")
	case !w.t.Format.InRounds() && d.Act == tournament.ActConclude:
		return w.p.T("log.act.close")
	}
	return actText(w.p, d.Act)
}

func ofBoard(x ledger.Change) bool { return strings.Contains(x.Path, ".boards.") }

func actText(p lang.Printer, a tournament.Act) string {
	return p.T("log.act." + string(a))
}

func (w deedWriter) line(d ledger.Deed) deskview.DeedLine {
	l := deskview.DeedLine{
		Seq: strconv.FormatInt(d.Seq, 10), When: w.p.DateTime(d.At), Stamp: w.p.Stamp(d.At), Who: w.who(d), What: w.actOf(d),
		Reason: reasonWords(w.p, d.Reason),
	}
	l.URL = words.TournamentURL(w.t.ID) + "/at/" + l.Seq
	if key := "log.duty." + d.Duty.String(); d.Duty != 0 && w.p.Has(key) {
		l.Duty = w.p.T(key)
	}
	boards := 0
	for _, x := range d.Changes {
		if ofBoard(x) && len(d.Changes) > 12 {
			boards++ // of a round that was paired
			continue
		}
		if x.Path == "draft" && d.Act == tournament.ActPublish && len(x.After) == 0 {
			continue // it became the round
		}
		l.Changes = append(l.Changes, w.change(x)...)
	}
	if boards > 0 {
		l.Changes = append(l.Changes, deskview.ChangeLine{What: w.p.N("log.boards", boards)})
	}
	return l
}

// reasonWords renders a reason: as people wrote it, or the text for one that a review left.
func reasonWords(p lang.Printer, reason string) string {
	if reason == judges.ReasonDecision || reason == judges.ReasonAppeal {
		return p.T("log.reason." + reason)
	}
	return reason
}

func (w deedWriter) who(d ledger.Deed) string {
	if d.By == "" {
		return w.p.T("log.site")
	}
	return string(d.By)
}

// change renders a part before and after.
func (w deedWriter) change(x ledger.Change) []deskview.ChangeLine {
	head, rest, _ := strings.Cut(x.Path, ".")
	switch head {
	case "settings":
		lines := w.part("log.setting."+rest, x)
		if rest == "name" { // as pages write it
			lines[0].Was, lines[0].Is = w.p.Event(lines[0].Was), w.p.Event(lines[0].Is)
		}
		return lines
	case "entries":
		return w.entry(rest, x)
	case "rounds":
		return w.round(rest, x)
	case "status":
		return []deskview.ChangeLine{{What: w.p.T("tournament.state"), Was: w.status(x.Before), Is: w.status(x.After)}}
	case "draft":
		return w.draft(x)
	case "staff":
		return w.staff(x)
	case "interests":
		return w.interest(x)
	case "forbidden":
		return w.forbidden(x)
	case "gate":
		return w.gate(x)
	case "timetable":
		return w.timetable(x)
	case "id", "signed", "promise", "stuck":
		return nil // the act says it; the promise is shown with the draw
	case "origin":
		return w.origin(x)
	}
	return w.part("log.part."+head, x)
}

// forbidden renders who is to be kept apart and who no longer.
func (w deedWriter) forbidden(x ledger.Change) []deskview.ChangeLine {
	var was, is []tournament.ForbiddenEntries
	_ = json.Unmarshal(x.Before, &was) // an absent part stays empty
	_ = json.Unmarshal(x.After, &is)
	texts := func(these, those []tournament.ForbiddenEntries) string {
		var list []string
		for _, f := range these {
			if !slices.ContainsFunc(those, func(o tournament.ForbiddenEntries) bool { return reflect.DeepEqual(f, o) }) {
				list = append(list, forbiddenText(w.p, w.t, f)+" ("+forbiddenKind(w.p, f)+")")
			}
		}
		return strings.Join(list, "; ")
	}
	return []deskview.ChangeLine{{What: w.p.T("log.part.forbidden"), Was: texts(was, is), Is: texts(is, was)}}
}

// gate renders whether registration is open, if that has changed.
func (w deedWriter) gate(x ledger.Change) []deskview.ChangeLine {
	var was, is tournament.Gate
	_ = json.Unmarshal(x.Before, &was) // an absent part stays the zero gate
	_ = json.Unmarshal(x.After, &is)
	if was.Closed == is.Closed {
		return nil // the act says it
	}
	text := func(g tournament.Gate) string {
		if g.Closed {
			return w.p.T("log.gate.closed")
		}
		return w.p.T("log.gate.open")
	}
	return []deskview.ChangeLine{{What: w.p.T("log.part.gate"), Was: text(was), Is: text(is)}}
}

// timetable renders what became of the times of rounds.
func (w deedWriter) timetable(x ledger.Change) (list []deskview.ChangeLine) {
	var was, is tournament.Timetable
	_ = json.Unmarshal(x.Before, &was) // an absent part stays empty
	_ = json.Unmarshal(x.After, &is)
	moment := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return w.p.DateTime(at)
	}
	add := func(what, was, is string) {
		if was != is {
			list = append(list, deskview.ChangeLine{What: what, Was: was, Is: is})
		}
	}
	add(w.p.T("log.timetable.pause"), w.pause(was.Pause), w.pause(is.Pause))
	for round := 1; round <= max(lastAppointed(was), lastAppointed(is)); round++ {
		add(w.p.T("log.timetable.round", "Round", round), moment(appointedAt(was, round)), moment(appointedAt(is, round)))
	}
	held := func(h tournament.Hold) string {
		if h.Round == 0 {
			return ""
		}
		return w.p.T("tournament.round-n", "Round", h.Round)
	}
	add(w.p.T("log.timetable.held"), held(was.Held), held(is.Held))
	add(w.p.T("log.timetable.credited"), moment(was.Credited), moment(is.Credited))
	add(w.p.T("log.timetable.extra"), w.p.Duration(was.Extra), w.p.Duration(is.Extra))
	add(w.p.T("log.timetable.stays-open"), moment(was.StaysOpen), moment(is.StaysOpen))
	return list
}

// pause renders since when and why a tournament is paused.
func (w deedWriter) pause(p tournament.Pause) string {
	if p.Since.IsZero() {
		return ""
	}
	return w.p.T("schedule.paused", "Time", w.p.DateTime(p.Since), "Why", p.Reason)
}

// lastAppointed returns the last round that staff gave a time.
func lastAppointed(t tournament.Timetable) (round int) {
	for _, a := range t.Appointed {
		round = max(round, a.Round)
	}
	return round
}

// appointedAt returns the time that staff gave a round; zero if they gave none.
func appointedAt(t tournament.Timetable, round int) (at time.Time) {
	for _, a := range t.Appointed {
		if a.Round == round {
			at = a.At
		}
	}
	return at
}

// origin renders who came in from the stage before, and who is out.
func (w deedWriter) origin(x ledger.Change) []deskview.ChangeLine {
	var was, is tournament.Origin
	_ = json.Unmarshal(x.Before, &was) // an absent part stays empty
	_ = json.Unmarshal(x.After, &is)
	names := func(these, those []tournament.Qualifier) string {
		var list []string
		for _, q := range these {
			if q.Own != 0 && !slices.ContainsFunc(those, func(o tournament.Qualifier) bool { return q.Own == o.Own }) {
				list = append(list, w.name(q.Own))
			}
		}
		return strings.Join(list, ", ")
	}
	return []deskview.ChangeLine{{What: w.p.T("log.part.origin"), Was: names(was.Seeds, is.Seeds), Is: names(is.Seeds, was.Seeds)}}
}

// staff renders who is new among the staff, has another duty, or has left.
func (w deedWriter) staff(x ledger.Change) (list []deskview.ChangeLine) {
	var was, is []tournament.Member
	_ = json.Unmarshal(x.Before, &was) // an absent part stays empty
	_ = json.Unmarshal(x.After, &is)
	of := func(all []tournament.Member, id player.ID) (tournament.Member, bool) {
		i := slices.IndexFunc(all, func(m tournament.Member) bool { return m.Player == id })
		if i < 0 {
			return tournament.Member{}, false
		}
		return all[i], true
	}
	for _, m := range is {
		old, there := of(was, m.Player)
		duty := w.p.T("log.duty." + m.Duty.String())
		switch {
		case !there:
			list = append(list, deskview.ChangeLine{What: w.p.T("log.staff.new", "Name", m.Player, "Duty", duty)})
		case old.Invited && !m.Invited:
			list = append(list, deskview.ChangeLine{What: w.p.T("log.staff.joined", "Name", m.Player, "Duty", duty)})
		case old.Duty != m.Duty:
			list = append(list, deskview.ChangeLine{What: w.p.T("log.staff.duty", "Name", m.Player),
				Was: w.p.T("log.duty." + old.Duty.String()), Is: duty})
		}
	}
	for _, m := range was {
		if _, stays := of(is, m.Player); !stays {
			list = append(list, deskview.ChangeLine{What: w.p.T("log.staff.gone", "Name", m.Player)})
		}
	}
	return list
}

// interest renders the note that whoever acted plays here, with their place before and after.
func (w deedWriter) interest(x ledger.Change) []deskview.ChangeLine {
	var list []tournament.Interest
	if json.Unmarshal(x.After, &list) != nil || len(list) == 0 {
		return nil
	}
	n := list[len(list)-1]
	if n.Was == n.Is {
		return []deskview.ChangeLine{{What: w.p.T("log.part.interests", "Name", w.name(n.Entry))}}
	}
	return []deskview.ChangeLine{{What: w.p.T("log.part.interests-place", "Name", w.name(n.Entry)),
		Was: words.NumberText(n.Was), Is: words.NumberText(n.Is)}}
}

// part renders a part that is called by a text of its own, with its values where they are short enough for a line.
func (w deedWriter) part(key string, x ledger.Change) []deskview.ChangeLine {
	return []deskview.ChangeLine{{What: w.p.T(key), Was: w.value(ledger.Read(x.Path, x.Before)), Is: w.value(ledger.Read(x.Path, x.After))}}
}

// value renders a part in words; empty for what takes more than a line, such as limits and lists.
func (w deedWriter) value(part any) string {
	named := func(key string) string {
		if !w.p.Has(key) {
			return ""
		}
		return w.p.T(key)
	}
	switch v := part.(type) {
	case *string:
		return words.Shorten(*v, 80)
	case *player.ID:
		return string(*v)
	case *bool:
		if *v {
			return w.p.T("core.yes")
		}
		return w.p.T("core.no")
	case *int:
		return w.p.Int(*v)
	case *time.Duration:
		return w.p.Duration(*v)
	case *time.Time:
		return w.p.DateTime(*v)
	case *tournament.Moments:
		var texts []string
		for _, at := range *v {
			texts = append(texts, w.p.DateTime(at))
		}
		return strings.Join(texts, ", ")
	case *match.Seat:
		return named("match.seat." + v.String())
	case *[]string:
		return words.TiebreakNames(w.p, *v)
	case *[]contest.Step:
		return words.TieText(w.p, *v)
	case *contest.Losers:
		return named("bracket.losers." + string(*v))
	case *match.Claims:
		return named("tournament.claims." + v.String())
	case *tournament.Format:
		return named("tournament.format." + v.String())
	case *tournament.Pace:
		return named("tournament.pace." + v.String())
	case *tournament.Numbering:
		return named("tournament.numbering." + v.String())
	case *tournament.Acceleration:
		return named("tournament.acceleration." + v.String())
	case *tournament.CheckIn:
		return w.p.T("schedule.scope."+v.Scope.String()) + ": " +
			w.p.T("schedule.form.check-in.window", "Opens", w.p.Duration(v.Opens), "Closes", w.p.Duration(v.Closes))
	case *tournament.Leaving:
		return named("desk.leaving." + v.String())
	case *fairplay.Policy:
		return policyWords(w.p, *v)
	case *prize.Fund:
		return fundWords(w.p, *v)
	case *tournament.PointSystem:
		score := func(sc tournament.Score) string { return words.ScoreText(w.p, sc) }
		return w.p.T("log.points", "Win", score(v.Win), "Draw", score(v.Draw), "Loss", score(v.Loss), "ForfeitWin", score(v.ForfeitWin),
			"ForfeitLoss", score(v.ForfeitLoss), "Full", score(v.FullBye), "Half", score(v.HalfBye), "Zero", score(v.ZeroBye), "Pair", score(v.PairBye))
	}
	return ""
}

func (w deedWriter) status(raw json.RawMessage) string {
	var st tournament.Status
	if json.Unmarshal(raw, &st) != nil || st.String() == "" {
		return ""
	}
	return w.p.T("home.status." + st.String())
}

// policyWords renders a fair-play policy by its level and fingerprint.
func policyWords(p lang.Printer, policy fairplay.Policy) string {
	if policy.Level == 0 {
		return ""
	}
	return form.LevelText(p, policy.Level) + " (" + policy.Hash()[:12] + ")"
}

// fundWords renders a prize fund, list by list.
func fundWords(p lang.Printer, f prize.Fund) string {
	if f.IsZero() {
		return ""
	}
	texts := []string{prize.PlainAmounts(f.Places, f.Currency)}
	for i, c := range f.Categories {
		texts = append(texts, words.PrizeListText(p, f, i+1)+": "+prize.PlainAmounts(c.Amounts, f.Currency))
	}
	return strings.Join(texts, "; ") + " " + f.Currency
}

func (w deedWriter) entry(id string, x ledger.Change) []deskview.ChangeLine {
	var was, is tournament.Entry
	_ = json.Unmarshal(x.Before, &was) // an absent part stays the zero entry
	_ = json.Unmarshal(x.After, &is)
	name := cmp.Or(is.Name, was.Name)
	var list []deskview.ChangeLine
	add := func(key, was, is string) {
		if was != is {
			list = append(list, deskview.ChangeLine{What: w.p.T(key, "Name", name), Was: was, Is: is})
		}
	}
	switch {
	case len(x.Before) == 0:
		list = append(list, deskview.ChangeLine{What: w.p.T("log.entry.new", "Name", name)})
	case is.Expelled && !was.Expelled:
		list = append(list, deskview.ChangeLine{What: w.p.T("log.entry.expelled", "Name", name)})
	case was.Expelled && !is.Expelled:
		list = append(list, deskview.ChangeLine{What: w.p.T("log.entry.reinstated", "Name", name)})
	case is.Status != was.Status && is.Status == tournament.Withdrawn:
		list = append(list, deskview.ChangeLine{What: w.p.T("log.entry.withdrawn", "Name", name)})
	case is.Status != was.Status:
		add("log.entry.back", w.state(was), w.state(is))
	}
	if len(x.Before) > 0 {
		add("log.entry.name", was.Name, is.Name)
		add("log.entry.rating", words.NumberText(was.Rating), words.NumberText(is.Rating))
		add("log.entry.club", was.Club, is.Club)
		add("log.entry.place", w.place(was), w.place(is))
		add("log.entry.account", string(was.Player), string(is.Player))
		add("log.entry.team", w.teamName(was.Team), w.teamName(is.Team))
		add("log.entry.order", words.NumberText(was.Place), words.NumberText(is.Place))
		add("log.entry.captains", joined(was.Captains), joined(is.Captains))
		add("log.entry.steward", string(was.Steward), string(is.Steward))
		add("log.entry.waived", w.demands(was.Waived), w.demands(is.Waived))
		add("log.entry.checked-in", numbers(was.CheckedIn), numbers(is.CheckedIn))
		add("log.entry.checked-out", words.NumberText(was.CheckedOut), words.NumberText(is.CheckedOut))
		add("log.entry.missed", numbers(was.Missed), numbers(is.Missed))
		add("log.entry.born", words.NumberText(was.Born), words.NumberText(is.Born))
	}
	add("log.entry.number", words.NumberText(was.Number), words.NumberText(is.Number))
	if !slices.Equal(was.Byes, is.Byes) {
		add("log.entry.byes", w.byes(was.Byes), w.byes(is.Byes))
	}
	add("log.entry.fixed-board", words.NumberText(was.FixedBoard), words.NumberText(is.FixedBoard))
	if len(list) == 0 {
		list = append(list, deskview.ChangeLine{What: w.p.T("log.entry.other", "Name", name)})
	}
	return list
}

// state names the status of an entry.
func (w deedWriter) state(e tournament.Entry) string {
	if e.Status == 0 {
		return ""
	}
	return w.p.T("log.state." + e.State())
}

// teamName names a team; empty: none.
func (w deedWriter) teamName(id tournament.EntryID) string {
	if id == 0 {
		return ""
	}
	return w.name(id)
}

func (w deedWriter) demands(list []fairplay.Demand) string {
	texts := make([]string, len(list))
	for i, d := range list {
		texts[i] = w.p.T("fairplay.demand." + string(d))
	}
	return strings.Join(texts, ", ")
}

// joined lists accounts, which stand here by their handles.
func joined(list []player.ID) string {
	texts := make([]string, len(list))
	for i, id := range list {
		texts[i] = string(id)
	}
	return strings.Join(texts, ", ")
}

// numbers lists rounds.
func numbers(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = words.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

// place says where somebody with an account plays.
func (w deedWriter) place(e tournament.Entry) string {
	switch {
	case e.IsGuest():
		return ""
	case e.OverTheBoard:
		return w.p.T("entry.place.table")
	}
	return w.p.T("entry.place.site")
}

func (w deedWriter) byes(list []tournament.AskedBye) string {
	var texts []string
	for _, b := range list {
		texts = append(texts, w.p.T("tournament.round-n", "Round", b.Round)+": "+words.ByeText(w.p, w.t, b.Kind))
	}
	return strings.Join(texts, "; ")
}

func (w deedWriter) round(path string, x ledger.Change) []deskview.ChangeLine {
	n, rest, _ := strings.Cut(path, ".")
	board, isBoard := strings.CutPrefix(rest, "boards.")
	switch {
	case isBoard:
		var was, is tournament.Pairing
		_ = json.Unmarshal(x.Before, &was) // an absent part stays the zero pairing
		_ = json.Unmarshal(x.After, &is)
		pair := is
		if len(x.After) == 0 {
			pair = was
		}
		l := deskview.ChangeLine{What: w.p.T("log.board", "Round", n, "Board", board, "First", w.name(pair.First), "Second",
			w.name(pair.Second))}
		switch {
		case len(x.Before) == 0 || len(x.After) == 0: // with its round
			l.Was, l.Is = resultWords(w.p, was.Result), resultWords(w.p, is.Result)
		case was.First != is.First || was.Second != is.Second:
			l.Was, l.Is = w.pair(was), w.pair(is)
		default:
			l.Was, l.Is = resultWords(w.p, was.Result), resultWords(w.p, is.Result)
		}
		if l.Was != "" || l.Is != "" {
			l.What += ":"
		}
		return []deskview.ChangeLine{l}
	case strings.HasPrefix(rest, "matches."):
		return w.match(n, strings.TrimPrefix(rest, "matches."), x)
	case rest == "byes":
		return []deskview.ChangeLine{{What: w.p.T("log.byes", "Round", n), Was: w.roundByes(x.Before), Is: w.roundByes(x.After)}}
	case len(x.Before) == 0:
		return []deskview.ChangeLine{{What: w.p.T("log.round.open", "Round", n)}}
	case len(x.After) == 0:
		return []deskview.ChangeLine{{What: w.p.T("log.round.gone", "Round", n)}}
	case !w.t.Format.InRounds():
		return nil // the act says it
	}
	var was, is struct{ Overtaken bool }
	_, _ = json.Unmarshal(x.Before, &was), json.Unmarshal(x.After, &is)
	key := "log.round.changed"
	switch {
	case is.Overtaken && !was.Overtaken:
		key = "log.round.overtaken"
	case was.Overtaken && !is.Overtaken:
		key = "log.round.fits"
	}
	return []deskview.ChangeLine{{What: w.p.T(key, "Round", n)}}
}

// match renders a match of teams: with its round, who meets; later, what has changed about it.
func (w deedWriter) match(round, number string, x ledger.Change) []deskview.ChangeLine {
	var was, is tournament.TeamPairing
	_ = json.Unmarshal(x.Before, &was) // an absent part stays the zero match
	_ = json.Unmarshal(x.After, &is)
	of := is
	if len(x.After) == 0 {
		of = was
	}
	l := deskview.ChangeLine{What: w.p.T("log.match", "Round", round, "Match", number, "First", w.name(of.First), "Second", w.name(of.Second))}
	switch {
	case len(x.Before) == 0 || len(x.After) == 0: // with its round
	case was.First != is.First || was.Second != is.Second:
		l.Was, l.Is = w.pair(tournament.Pairing{First: was.First, Second: was.Second}),
			w.pair(tournament.Pairing{First: is.First, Second: is.Second})
	default:
		l.Was, l.Is = w.lost(was), w.lost(is)
	}
	if l.Was != "" || l.Is != "" {
		l.What += ":"
	}
	return []deskview.ChangeLine{l}
}

// lost renders who forfeits a match of teams, and why.
func (w deedWriter) lost(p tournament.TeamPairing) string {
	var teams []string
	for i, id := range []tournament.EntryID{p.First, p.Second} {
		if p.Lost[i] {
			teams = append(teams, w.name(id))
		}
	}
	if len(teams) == 0 {
		return ""
	}
	text := w.p.T("log.match.lost", "Teams", strings.Join(teams, ", "))
	if p.Why != "" {
		text += ": " + p.Why
	}
	return text
}

// roundByes renders who does not play in a round, and what that brings.
func (w deedWriter) roundByes(raw json.RawMessage) string {
	var byes []tournament.Bye
	_ = json.Unmarshal(raw, &byes) // an absent part stays empty
	var texts []string
	for _, b := range byes {
		texts = append(texts, w.name(b.Entry)+": "+words.ByeText(w.p, w.t, b.Kind))
	}
	return strings.Join(texts, "; ")
}

func (w deedWriter) name(id tournament.EntryID) string {
	e, _ := w.t.Entry(id) // nobody is ever taken off the list
	return words.EntryName(w.p, e)
}

func (w deedWriter) pair(p tournament.Pairing) string {
	if p.First == 0 {
		return ""
	}
	return w.name(p.First) + " – " + w.name(p.Second)
}

// resultWords renders a result, and the one that the ratings count if it differs.
func resultWords(p lang.Printer, r tournament.Result) string {
	text, _ := words.ResultText(p, r.Kind)
	if r.Rated != tournament.Pending {
		rated, _ := words.ResultText(p, r.Rated)
		text += " (" + p.T("desk.rated-as") + " " + rated + ")"
	}
	return text
}

func (w deedWriter) draft(x ledger.Change) []deskview.ChangeLine {
	var was, is *tournament.RoundDraft
	_ = json.Unmarshal(x.Before, &was) // an absent part stays nil
	_ = json.Unmarshal(x.After, &is)
	switch {
	case was == nil && is == nil:
		return nil
	case was == nil:
		return []deskview.ChangeLine{{What: w.p.T("log.draft.made", "Round", is.Number)}}
	case is == nil:
		return []deskview.ChangeLine{{What: w.p.T("log.draft.gone", "Round", was.Number)}}
	}
	l := deskview.ChangeLine{What: w.p.T("log.draft.changed", "Round", is.Number)}
	l.Was, l.Is = w.onlyIn(was, is), w.onlyIn(is, was)
	list := []deskview.ChangeLine{l}
	if !was.PublishAt.Equal(is.PublishAt) && !is.PublishAt.IsZero() {
		list = append(list, deskview.ChangeLine{What: w.p.T("desk.publishes", "When", w.p.DateTime(is.PublishAt))})
	}
	return list
}

// onlyIn lists the boards of a that are not in b.
func (w deedWriter) onlyIn(a, b *tournament.RoundDraft) string {
	var texts []string
	for _, x := range a.Boards {
		if !slices.ContainsFunc(b.Boards, func(y tournament.DraftBoard) bool { return x.First == y.First && x.Second == y.Second }) {
			texts = append(texts, w.name(x.First)+" – "+w.name(x.Second))
		}
	}
	return strings.Join(texts, ", ")
}

// boardHistory lists the earlier results of a board, the latest first.
func boardHistory(p lang.Printer, deeds []ledger.Deed, round, board int) []string {
	var list []string
	path := ledger.BoardPath(round, board)
	for _, d := range slices.Backward(deeds) {
		for _, x := range d.Changes {
			var was, is tournament.Pairing
			if x.Path != path || len(x.Before) == 0 || json.Unmarshal(x.Before, &was) != nil || was.Result.IsPending() {
				continue
			}
			_ = json.Unmarshal(x.After, &is) // a round that was taken back has none
			who := string(d.By)
			if d.By == "" {
				who = p.T("log.site")
			}
			text := p.T("desk.previous", "Was", resultWords(p, was.Result), "Is", resultWords(p, is.Result), "Who", who, "When", p.When(d.At))
			if d.Reason != "" {
				text += " " + p.T("log.reason") + " " + reasonWords(p, d.Reason)
			}
			list = append(list, text)
		}
	}
	return list
}

func fillLogFilters(p lang.Printer, t *tournament.Tournament, maySeeAll bool, deeds []ledger.Deed,
	f logFilter, view *deskview.LogView) {
	var acts []tournament.Act
	var people []player.ID
	for _, d := range deeds {
		if !slices.Contains(acts, d.Act) {
			acts = append(acts, d.Act)
		}
		if d.By != "" && !slices.Contains(people, d.By) {
			people = append(people, d.By)
		}
	}
	for _, a := range acts {
		view.Acts = append(view.Acts, templates.Choice{Value: string(a), Text: actText(p, a), Chosen: a == f.act})
	}
	for _, id := range people {
		view.People = append(view.People, templates.Choice{Value: string(id), Text: string(id), Chosen: id == f.by})
	}
	for n := 1; n <= max(len(t.Rounds), t.Settings.Rounds); n++ {
		view.Rounds = append(view.Rounds, templates.Choice{Value: words.Itoa(n), Text: p.T("tournament.round-n", "Round", n),
			Chosen: words.Itoa(n) == f.round})
	}
	view.Players = entryChoices(p, t, func(e tournament.Entry) bool { return maySeeAll || !e.IsPrivate() })
	for i, x := range view.Players {
		view.Players[i].Chosen = x.Value == words.Itoa(int(f.entry))
	}
}

// fillMoment fills in what a moment shows.
func fillMoment(p lang.Printer, v player.Viewer, t *tournament.Tournament, show string, view *deskview.MomentView) error {
	switch show {
	case "standings", "crosstable":
		table, err := format.Standings(t, -1)
		if err != nil {
			return err
		}
		if show == "standings" {
			body := event.StandingsBody(p, v, t, table, nil)
			view.Standings = &body
			return nil
		}
		body := event.WallBody(p, v, t, table)
		if t.Format.MeetsAll() {
			body = event.CrossBody(p, v, t, table)
		}
		view.Crosstable = &body
	case "pairings":
		for _, r := range slices.Backward(t.Rounds) {
			body := eventview.RoundBody{}
			lines := pairingLines{p: p, t: t, round: r.Number}
			for _, b := range r.Pairings {
				line := templates.BoardLine{Board: words.Itoa(b.Board), First: lines.ref(b.First), Second: lines.ref(b.Second)}
				line.Result, line.ResultWords = words.ResultText(p, b.Result.Kind)
				line.Ruled = words.RuledIn(t, b.First, r.Number)
				body.Boards = append(body.Boards, line)
			}
			for _, b := range r.Byes {
				body.Byes = append(body.Byes, eventview.ByeLine{Player: lines.ref(b.Entry), Kind: words.ByeText(p, t, b.Kind)})
			}
			view.Rounds = append(view.Rounds, deskview.MomentRound{Title: p.T("tournament.round-n", "Round", r.Number), Body: body})
		}
	default:
		view.Facts = append([]templates.TournamentFact{words.Fact(p.T("tournament.state"), p.T("home.status."+t.Status.String()))},
			event.SettingFacts(p, t)...)
		entries := event.EntriesView(p, player.Viewer{}, t)
		view.Entries = &entries
	}
	return nil
}
