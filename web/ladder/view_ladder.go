package ladder

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	ladderview "chpok.org/chpok/templates/ladder"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func viewLadder(p lang.Printer, v player.Viewer, f ladderFacts, now time.Time) ladderview.LadderView {
	l := f.ladder
	view := ladderview.LadderView{
		Name: l.Settings.Name, URL: words.LadderURL(l.ID), Count: p.N("ladder.players-count", len(l.Rungs)),
		About:   page.Paragraphs(l.Settings.About),
		MayEdit: f.me.Directs, Rules: ladderRules(p, l.Settings), FairPlay: form.PolicyCard(p, l.Settings.Policy.OrOpen()),
	}
	view.IsStranger = !v.IsSignedIn()
	if f.unmet != nil {
		form.Lacking(p, &view.FairPlay, f.unmet, words.LadderURL(l.ID))
	}
	if l.Settings.Club != "" {
		view.Club = templates.Link{Text: f.club.Name, URL: words.ClubURL(f.club.ID)}
	}
	if v.IsSignedIn() && l.Place(v.ID) == 0 {
		switch err := l.MayJoin(f.me, f.could); err {
		case nil:
			view.MayJoin = true
		case ladder.ErrMembersOnly:
			view.JoinWhy = p.T("ladder.members-only", "Club", f.club.Name)
		}
	}
	if r, on := l.RungOf(v.ID); on {
		view.Me = viewLadderMe(p, l, r, now)
		view.Me.Climb = ladderClimb(p, f.mine, v.ID, l.Place(v.ID))
	}
	for i, r := range l.Rungs {
		view.Rungs = append(view.Rungs, ladderRung(p, v, f, i, r, now))
	}
	for _, ch := range l.Challenges {
		view.Challenges = append(view.Challenges, ladderChallengeCard(p, v, l.ID, ch, f.heads[ch.Match], f.who, now))
	}
	for _, ch := range f.recent {
		view.Recent = append(view.Recent, ladderChallengeCard(p, v, l.ID, ch, f.heads[ch.Match], f.who, now))
	}
	view.Next = ladderNext(p, v, f, view)
	if f.me.Directs {
		view.Desk = ladderDesk(p, f)
	}
	return view
}

// ladderNext returns the viewer's running challenge, else the highest place that they can challenge; nil if neither.
func ladderNext(p lang.Printer, v player.Viewer, f ladderFacts, view ladderview.LadderView) *ladderview.LadderNext {
	place := f.ladder.Place(v.ID)
	if !v.IsSignedIn() || place == 0 {
		return nil
	}
	from := words.Itoa(place)
	for i, ch := range f.ladder.Challenges {
		if v.Is(ch.Challenger) || v.Is(ch.Defender) {
			card := view.Challenges[i]
			return &ladderview.LadderNext{From: from, Title: card.Title, Text: card.Status + " · " + card.When, URL: card.URL,
				Do: p.T("ladder.next.open")}
		}
	}
	for _, r := range view.Rungs {
		if r.MayChallenge {
			return &ladderview.LadderNext{
				From: from, To: r.Place, Title: p.T("ladder.next.beat", "Player", r.Player.Text, "Place", r.Place),
				Text:   p.T("ladder.next.stay", "Place", from),
				Player: r.Handle, Do: p.T("ladder.next.challenge", "Player", r.Player.Text),
			}
		}
	}
	return nil
}

func ladderDesk(p lang.Printer, f ladderFacts) *ladderview.LadderDesk {
	desk := &ladderview.LadderDesk{Add: templates.Field{Name: "handle", Label: p.T("ladder.desk.handle"), Max: 21,
		Required: true, Autocomplete: "off"}}
	for i, r := range f.ladder.Rungs {
		desk.Players = append(desk.Players, templates.Choice{Value: string(f.who[r.Player].Handle), Text: words.Itoa(i+1) + ". " +
			string(f.who[r.Player].Handle)})
	}
	for _, t := range f.past {
		desk.Tournaments = append(desk.Tournaments, templates.Choice{Value: string(t.ID), Text: p.Event(t.Name)})
	}
	return desk
}

func viewLadderMe(p lang.Printer, l *ladder.Ladder, r ladder.Rung, now time.Time) *ladderview.LadderMe {
	place := l.Place(r.Player)
	me := &ladderview.LadderMe{Place: p.T("ladder.your-place", "Place", place), OnVacation: r.OnVacation()}
	left := l.VacationLeft(r.Player, now)
	me.MayVacation = !r.OnVacation() && left >= time.Hour
	switch {
	case r.OnVacation():
		me.Vacation = p.T("ladder.vacation.until", "Until", p.On(r.VacationUntil))
	case l.Settings.Vacation > 0:
		me.Vacation = p.T("ladder.vacation.left", "Left", p.Duration(left))
	}
	if place > 1 && !r.OnVacation() {
		me.Reach = p.T("ladder.reach", "Place", max(1, place-l.Reach(r.Player)))
	}
	if !r.WarnedAt.IsZero() && l.Sinks(place-1) {
		me.Sinks = p.T("ladder.you-sink", "Until", p.On(l.SinkAt(r)), "Places", p.N("ladder.places-count", l.Settings.Sink))
	}
	return me
}

// ladderClimb draws the places of a player before each of their challenges and now; nil for fewer than three.
func ladderClimb(p lang.Printer, played []ladder.Challenge, of player.ID, now int) *ladderview.LadderClimb {
	var places []int
	for _, c := range played {
		at := c.Places[0]
		if c.Defender == of {
			at = c.Places[1]
		}
		places = append(places, at)
	}
	if places = append(places, now); len(places) < 3 {
		return nil
	}
	top, bottom := slices.Min(places), slices.Max(places)
	x := func(i int) string { return words.Itoa(6 + i*284/(len(places)-1)) }
	y := func(place int) string { return words.Itoa(8 + (place-top)*66/max(1, bottom-top)) }
	path := "M" + x(0) + " " + y(places[0])
	for i, place := range places[1:] {
		path += "H" + x(i+1) + "V" + y(place)
	}
	since := p.Day(played[0].SentAt)
	return &ladderview.LadderClimb{
		Text: words.Itoa(places[0]) + " → " + words.Itoa(now), Path: path, Since: since, EndX: x(len(places) - 1), EndY: y(now),
		Label: p.T("ladder.climb.label", "Since", since, "From", words.Itoa(places[0]), "To", words.Itoa(now)),
	}
}

func ladderRung(p lang.Printer, v player.Viewer, f ladderFacts, i int, r ladder.Rung, now time.Time) ladderview.LadderRung {
	l, who := f.ladder, f.who[r.Player]
	line := ladderview.LadderRung{
		Handle: string(who.Handle), Place: words.Itoa(i + 1), Rating: words.PublishedRating(p, f.ratings[r.Player].Rating),
		Won: words.Itoa(r.Won), Lost: words.Itoa(r.Lost),
		Player: templates.Link{Text: string(who.Handle), URL: words.PlayerURL(who.Handle)},
		Bot:    who.Bot,
		IsMe:   v.Is(r.Player), OnVacation: r.OnVacation(), IsBusy: l.Incoming(r.Player) > 0,
	}
	if !r.WarnedAt.IsZero() && l.Sinks(i) {
		line.Sinks = p.T("ladder.sinks", "Until", p.On(l.SinkAt(r)))
	}
	if !v.IsSignedIn() {
		return line
	}
	why := l.WhyNot(v.ID, r.Player, now)
	if why == nil {
		line.MayChallenge = true
		return line
	}
	switch why.Reason { // these are clear from the table, or the card tells them
	case ladder.TooHigh, ladder.Lower, ladder.Yourself, ladder.OutgoingLimit, ladder.OwnVacation, ladder.NotOnLadder:
		return line
	}
	line.Reason = p.T("ladder.reason."+string(why.Reason), "Until", p.On(why.Until))
	return line
}

// ladderStatus returns the status of a challenge as a text.
func ladderStatus(p lang.Printer, c ladder.Challenge) string {
	if c.IsPaused() {
		return p.T("ladder.status.paused")
	}
	return p.T("ladder.status." + string(c.Status))
}

func ladderChallengeCard(p lang.Printer, v player.Viewer, id ladder.ID, c ladder.Challenge, h store.Head, who map[player.ID]player.Player,
	now time.Time) ladderview.LadderChallengeCard {
	card := ladderview.LadderChallengeCard{
		URL:   ladderChallengeURL(store.LadderRef{Ladder: id, Number: c.Number}),
		Title: string(who[c.Challenger].Handle) + " → " + string(who[c.Defender].Handle), Status: ladderStatus(p, c),
		IsLive: c.Status == fixture.Playing, Waits: c.Is(v.ID) && c.Status != ladder.Ended,
	}
	switch {
	case c.Status == ladder.Ended:
		card.When, card.Status, card.Level = p.Ago(c.EndedAt), ladderOutcome(p, c, who), form.LevelShown(p, h)
	case c.Status == fixture.Scheduled && !c.IsPaused():
		card.When = p.On(c.At)
	case !c.Due.IsZero() && !c.IsPaused():
		card.When = p.T("ladder.until", "Until", p.On(c.Due))
	}
	return card
}

// ladderOutcome tells who won an ended challenge, with a † if the organizer decided.
func ladderOutcome(p lang.Printer, c ladder.Challenge, who map[player.ID]player.Player) string {
	if c.Ending == ladder.Judged {
		c.Ending = ""
		return ladderOutcome(p, c, who) + " †"
	}
	switch {
	case c.Winner != "":
		return p.T("ladder.won-by", "Player", who[c.Winner].Handle)
	case c.Ending == ladder.Played:
		return p.T("ladder.drawn")
	}
	return p.T("ladder.no-winner")
}

func viewLadderChallenge(p lang.Printer, f ladderDuel, now time.Time) ladderview.LadderChallengeView {
	c, l := f.challenge, f.ladder
	view := ladderview.LadderChallengeView{
		Title: string(f.who[c.Challenger].Handle) + " → " + string(f.who[c.Defender].Handle), URL: ladderChallengeURL(f.ref),
		About:      p.T("ladder.challenge-line", "N", int(c.Number), "From", c.Places[0], "To", c.Places[1]),
		LadderName: l.Settings.Name,
		LadderURL:  words.LadderURL(l.ID),
		Status:     ladderStatus(p, c), IsMine: c.Is(f.me.Player), History: ladderEventLines(p, l.ID, f.log, f.who, false),
	}
	if c.Status == ladder.Ended {
		view.Outcome = p.T("ladder.ending."+string(c.Ending)) + " " + ladderOutcome(p, c, f.who)
	}
	if c.Match != "" {
		view.Match, view.Level = words.MatchURL(c.Match), form.LevelShown(p, f.heads[c.Match])
	}
	other := f.who[c.Defender]
	if f.me.Player == c.Defender {
		other = f.who[c.Challenger]
	}
	me := f.me.Player
	if !c.Is(me) {
		me = ""
	}
	view.Fixture = words.FixtureOf(p, words.Duel[player.ID]{Fixture: c.Fixture, Me: me, IsStill: c.IsPaused(), Other: string(other.Handle),
		Name: func(id player.ID) string { return string(f.who[id].Handle) }, Days: [2]fixture.DaysOff{f.days[me], f.days[other.ID]}, Act: view.URL}, now)
	ladderDeadline(p, &view, c, now)
	if c.Status == ladder.Ended {
		return view
	}
	ladderWays(p, &view, f)
	return view
}

// ladderDeadline adds the deadline of the next step.
func ladderDeadline(p lang.Printer, view *ladderview.LadderChallengeView, c ladder.Challenge, now time.Time) {
	if c.IsPaused() {
		view.Fixture.Deadline = p.T("ladder.deadline.paused")
		return
	}
	switch c.Status {
	case ladder.Proposed, fixture.Arranging, fixture.Claimed, fixture.Disputed:
		view.Fixture.Deadline = p.T("ladder.deadline."+string(c.Status), "Until", p.On(c.Due))
		view.Fixture.DeadlineStamp, view.Fixture.Left = p.Stamp(c.Due), p.T("ladder.left", "Left", p.Duration(c.Due.Sub(now)))
	}
}

// ladderWays adds what the viewer can do.
func ladderWays(p lang.Printer, view *ladderview.LadderChallengeView, f ladderDuel) {
	c, me := f.challenge, f.me.Player
	view.MayAccept = c.Status == ladder.Proposed && !c.IsPaused() && me == c.Defender
	if cost, ending, err := f.ladder.GiveUp(me, c.Number); err == nil {
		view.Drop = &ladderview.LadderDrop{
			Text: p.T("ladder.drop." + string(ending)), Cost: string(cost),
			CostText: p.T("ladder.cost."+string(cost), "Player", f.who[c.Opponent(me)].Handle),
		}
	}
	view.MayJudge = f.me.Directs && c.Status != fixture.Playing
	if view.MayJudge {
		view.Winners = []templates.Choice{
			{Value: "", Text: p.T("ladder.judge-nobody")},
			{Value: string(f.who[c.Challenger].Handle), Text: string(f.who[c.Challenger].Handle)},
			{Value: string(f.who[c.Defender].Handle), Text: string(f.who[c.Defender].Handle)},
		}
	}
}

// ladderEventLines returns a part of a log as texts.
func ladderEventLines(p lang.Printer, id ladder.ID, log []ladder.Event, who map[player.ID]player.Player,
	links bool) []ladderview.LadderEvent {
	lines := make([]ladderview.LadderEvent, 0, len(log))
	for _, e := range log {
		line := ladderview.LadderEvent{When: p.When(e.At), Stamp: p.Stamp(e.At), Text: ladderEventText(p, e, who)}
		if links && e.Challenge != 0 {
			line.URL = ladderChallengeURL(store.LadderRef{Ladder: id, Number: e.Challenge})
		}
		lines = append(lines, line)
	}
	return lines
}

func ladderEventText(p lang.Printer, e ladder.Event, who map[player.ID]player.Player) string {
	word := string(e.Kind)
	switch {
	case e.Kind == ladder.Moved && e.By != "":
		word = "moved-by"
	case e.Kind == ladder.Moved && e.Swap:
		word = "swapped"
	case (e.Kind == fixture.ForfeitClaimed || e.Kind == ladder.ChallengeEnded) && e.Player == "":
		word += "-none"
	}
	ending := ""
	if e.Ending != "" {
		ending = p.T("ladder.ending." + string(e.Ending))
	}
	return p.T("ladder.event."+word,
		"Player", who[e.Player].Handle, "Other", who[e.Other].Handle, "By", who[e.By].Handle, "From", e.From, "To", e.To,
		"Until", p.On(e.Due), "Time", p.On(e.Time), "N", int(e.Challenge), "Ending", ending, "Text", e.Text)
}

// ladderRules returns the settings as facts.
func ladderRules(p lang.Printer, s ladder.Settings) []templates.TournamentFact {
	reach := p.N("ladder.places-count", s.Places)
	if s.Percent > 0 {
		reach = p.T("ladder.rule.reach-percent", "Places", reach, "Percent", s.Percent)
	}
	if s.FirstFree {
		reach += "; " + p.T("ladder.rule.first-free")
	}
	list := []templates.TournamentFact{
		words.Fact(p.T("ladder.rule.reach"), reach),
		words.Fact(p.T("ladder.rule.climb"), p.T("ladder.climb."+string(s.Climb))),
		words.Fact(p.T("ladder.rule.placement"), p.T("ladder.placement."+string(s.Placement))),
		words.Fact(p.T("ladder.rule.limits"), p.T("ladder.rule.limits-are", "Outgoing", s.Outgoing, "Incoming", s.Incoming)),
		words.Fact(p.T("ladder.form.reply"), p.Long(s.Reply)),
		words.Fact(p.T("ladder.form.schedule"), p.Long(s.Schedule)),
		words.Fact(p.T("ladder.form.play"), p.Long(s.Play)),
		words.Fact(p.T("ladder.form.lateness"), p.Duration(s.Lateness)),
		words.Fact(p.T("ladder.form.dispute"), p.Long(s.Dispute)),
	}
	if s.Rest > 0 {
		list = append(list, words.Fact(p.T("ladder.form.rest"), p.Long(s.Rest)))
	}
	if s.Inactivity > 0 && s.Sink > 0 {
		list = append(list, words.Fact(p.T("ladder.rule.idle"), p.T("ladder.rule.idle-is", "Idle", p.Duration(s.Inactivity), "Places",
			p.N("ladder.places-count", s.Sink), "Notice", p.Duration(s.Notice))))
		if s.Credit > 0 {
			list = append(list, words.Fact(p.T("ladder.form.credit"), p.Duration(s.Credit)))
		}
	}
	if s.Vacation > 0 {
		list = append(list, words.Fact(p.T("ladder.form.vacation"), p.Long(s.Vacation)))
	}
	if s.BidTime > 0 {
		list = append(list, words.Fact(p.T("ladder.form.bidTime"), p.Duration(s.BidTime)))
	}
	rated := p.T("ladder.rule.unrated")
	if s.Rated {
		rated = p.T("ladder.rule.rated")
	}
	return append(list, words.Fact(p.T("tournament.envelope.chips"), words.Itoa(s.Envelope.Chips)),
		words.Fact(p.T("ladder.rule.ratings"), rated))
}
