package web

import (
	"slices"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	homeview "chpok.org/chpok/templates/home"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/series"
	"chpok.org/chpok/web/words"
)

// dutySource finds what waits for a player in one part of the site; mine are their tournaments.
type dutySource func(tx *store.Tx, p lang.Printer, v player.Viewer, mine []*tournament.Tournament, now time.Time) ([]homeview.Duty, error)

// dutySources lists all sources, the most urgent first.
var dutySources = []dutySource{dutiesToCheckIn, invitationsOfTeams, matchesOfTeams, dutiesToArrange, absencesThatBar, dutiesOfStaff, dutiesOfClubs, playAhead, clubEvenings}

// duties returns what waits for the viewer, apart from matches and challenges.
func duties(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time) ([]homeview.Duty, error) {
	mine, err := myTournaments(tx, v)
	if err != nil {
		return nil, err
	}
	var out []homeview.Duty
	for _, find := range dutySources {
		found, err := find(tx, p, v, mine, now)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// myTournaments returns the open and running tournaments in which the viewer has an active entry, or is a captain.
func myTournaments(tx *store.Tx, v player.Viewer) ([]*tournament.Tournament, error) {
	lines, _, err := tx.Tournaments(store.TournamentQuery{Player: v.ID,
		Statuses: []tournament.Status{tournament.Running, tournament.Registration}, Limit: homeTournaments})
	if err != nil {
		return nil, err
	}
	var out []*tournament.Tournament
	for _, line := range lines {
		t, err := tx.Tournament(line.ID)
		if err != nil {
			return nil, err
		}
		if e, entered := t.EntryOf(v.ID); entered && e.Status == tournament.Active || len(t.CaptainOf(v)) > 0 {
			out = append(out, t)
		}
	}
	return out, nil
}

func dutiesToCheckIn(_ *store.Tx, p lang.Printer, v player.Viewer, mine []*tournament.Tournament, now time.Time) (out []homeview.Duty, err error) {
	for _, t := range mine {
		w, has := t.CheckInWindow()
		isPresent := func(e tournament.Entry) bool { return t.IsPresent(e, w.Round) }
		if own := t.OwnSides(v); !has || !w.IsOpen(now) || !slices.ContainsFunc(own, func(e tournament.Entry) bool { return !isPresent(e) }) {
			continue
		}
		d := homeview.Duty{URL: words.TournamentURL(t.ID), Text: p.T("notice.text.check-in", "Tournament", t.Name), Pressing: true,
			Post: words.TournamentURL(t.ID) + "/check-in", Do: p.T("schedule.check-in.do")}
		if !w.Closes.IsZero() {
			d.When, d.Stamp = p.T("place.until", "When", p.Of(civil.Zone(t.Zone)).When(w.Closes)), p.Stamp(w.Closes)
		}
		out = append(out, d)
	}
	return out, err
}

// invitationsOfTeams are the invitations that the viewer answers for a club.
func invitationsOfTeams(_ *store.Tx, p lang.Printer, v player.Viewer, mine []*tournament.Tournament, now time.Time) (out []homeview.Duty, err error) {
	for _, t := range mine {
		if _, closed := t.Accepted(now); closed != nil {
			continue
		}
		for _, e := range t.CaptainOf(v) {
			if e.Status != tournament.Invited {
				continue
			}
			d := homeview.Duty{URL: words.TeamURL(t.ID, e.ID), Pressing: true,
				Text: p.Event(t.Name) + ": " + p.T("teams.invited-name", "Team", words.EntryName(p, e))}
			if at := t.StartsAt(); at.After(now) {
				d.When, d.Stamp = p.T("place.until", "When", p.Of(civil.Zone(t.Zone)).When(at)), p.Stamp(at)
			}
			out = append(out, d)
		}
	}
	return out, nil
}

// matchesOfTeams are the matches in play of the viewer's teams, as a player or a captain.
func matchesOfTeams(tx *store.Tx, p lang.Printer, v player.Viewer, mine []*tournament.Tournament, _ time.Time) (out []homeview.Duty, err error) {
	for _, t := range mine {
		if !t.HasTeams() || len(t.Rounds) == 0 || t.RoundIsOver() {
			continue
		}
		r, isMine := t.Rounds[len(t.Rounds)-1], words.IsMine(t, v)
		due, _ := t.BoardsDueAt()
		for i, m := range r.Teams {
			first, _ := t.Entry(m.First) // they are in the tournament
			second, _ := t.Entry(m.Second)
			scores := t.ScoreOf(r, i+1)
			if !isMine(first) && !isMine(second) || scores[0].Outcome != tournament.Unfinished {
				continue
			}
			d := homeview.Duty{URL: words.TeamMatchURL(t.ID, r.Number, i+1)}
			score := words.GamesText(p, scores[0], scores[1])
			if d.Told = !m.OpenedAt.IsZero(); !d.Told {
				score, d.When, d.Stamp = "–", p.T("teams.line-ups-until", "Time", p.Of(civil.Zone(t.Zone)).When(due)), p.Stamp(due)
				named, err := tx.TeamLineUps(t.ID, r.Number)
				if err != nil {
					return nil, err
				}
				for _, e := range t.CaptainOf(v) {
					if _, isIn := named[e.ID]; m.SeatOf(e.ID).Valid() && !isIn {
						d.URL, d.Pressing = words.TeamURL(t.ID, e.ID), true
					}
				}
			}
			d.Text = p.T("teams.match-of", "Tournament", t.Name, "First", first.Name, "Second", second.Name, "Score", score)
			out = append(out, d)
		}
	}
	return out, err
}

// dutiesToArrange are the viewer's boards without a time, first of all those for which the opponent has proposed one.
func dutiesToArrange(_ *store.Tx, p lang.Printer, v player.Viewer, mine []*tournament.Tournament, now time.Time) (out []homeview.Duty, err error) {
	for _, t := range mine {
		e, plays := t.EntryOf(v.ID)
		if !plays { // a captain who does not
			continue
		}
		at := p.Of(civil.Zone(t.Zone))
		for _, x := range t.FixturesOf(e.ID) {
			if x.Fixture.Status == fixture.Playing || x.Fixture.Status == fixture.Disputed {
				continue
			}
			other, err := t.Entry(x.EntryAt(x.SeatOf(e.ID).Other()))
			if err != nil {
				return nil, err
			}
			d := homeview.Duty{URL: words.FixtureURL(t.ID, x.Round, x.Board), Text: p.T("fixture.arrange", "Player", words.EntryName(p, other)),
				When: p.T("place.until", "When", at.When(x.Fixture.PlayBy)), Stamp: p.Stamp(x.Fixture.PlayBy), Do: p.T("fixture.arrange-do"),
				Pressing: slices.ContainsFunc(x.Fixture.Times, func(at fixture.Proposal[tournament.EntryID]) bool {
					return at.By == other.ID && at.At.After(now)
				})}
			if x.Fixture.Status == fixture.Scheduled {
				d.Text, d.When, d.Stamp, d.Do = p.T("fixture.agreed", "Player", words.EntryName(p, other)), at.Soon(x.Fixture.At),
					p.Stamp(x.Fixture.At), ""
			}
			out = append(out, d)
		}
	}
	return out, err
}

// absencesThatBar tells the viewer of their own ban for absences.
func absencesThatBar(tx *store.Tx, p lang.Printer, v player.Viewer, _ []*tournament.Tournament, now time.Time) ([]homeview.Duty, error) {
	ban, err := assurance.BanOf(tx, v.ID, now)
	if err != nil || !ban.Bars(now) {
		return nil, err
	}
	return []homeview.Duty{{URL: "/absences", Text: p.T("schedule.ban", "Time", p.When(ban.Until)), Told: true}}, nil
}

// playAhead returns the next rounds of the viewer's tournaments that have a known time, or their own next matches.
func playAhead(_ *store.Tx, p lang.Printer, v player.Viewer, mine []*tournament.Tournament, now time.Time) (out []homeview.Duty, err error) {
	for _, t := range mine {
		n := len(t.Rounds) + 1
		at, known := t.RoundAt(n)
		text := p.T("place.round-of", "Tournament", t.Name, "Round", n)
		e, _ := t.EntryOf(v.ID)
		if next, opens := t.NextMatchOf(e); opens {
			at, known = next.At, true
			text = p.T("place.match-of", "Tournament", t.Name, "Stage", words.MatchText(p, t, next.State),
				"Name", words.NameAt(p, t, next.Sides[0]+next.Sides[1]-e.Number))
		}
		if known && at.After(now) {
			out = append(out, homeview.Duty{URL: words.TournamentURL(t.ID), Text: text, When: p.Of(civil.Zone(t.Zone)).Soon(at), Stamp: p.Stamp(at)})
		}
	}
	return out, err
}

// clubEvenings returns the next dates within two weeks of the series of the viewer's clubs, without those that they
// play in already.
func clubEvenings(tx *store.Tx, p lang.Printer, v player.Viewer, _ []*tournament.Tournament, now time.Time) ([]homeview.Duty, error) {
	list, err := tx.MembersSeries(v.ID)
	var out []homeview.Duty
	for _, x := range list {
		zone, err := events.SeriesZone(x.Zone)
		if err != nil {
			return nil, err
		}
		next, soon := nextEvening(x, zone, now)
		if !soon {
			continue
		}
		d := homeview.Duty{URL: words.ClubURL(x.Club), Text: x.Name, When: p.Of(zone).Soon(next.At), Stamp: p.Stamp(next.At)}
		if next.Tournament != "" {
			plays, err := tx.HasActiveEntry(next.Tournament, v.ID)
			if err != nil {
				return nil, err
			}
			if plays {
				continue // said with the rounds ahead
			}
			d.URL = words.TournamentURL(next.Tournament)
		}
		out = append(out, d)
	}
	return out, err
}

// nextEvening returns the next date of a series that is held within two weeks.
func nextEvening(x *series.Series, zone *time.Location, now time.Time) (series.Coming, bool) {
	for _, next := range x.Ahead(zone, now, 2) {
		if next.Status == series.Planned || next.Status == series.Announced {
			return next, next.At.Sub(now) <= 14*24*time.Hour
		}
	}
	return series.Coming{}, false
}

func dutiesOfStaff(tx *store.Tx, p lang.Printer, v player.Viewer, _ []*tournament.Tournament, _ time.Time) ([]homeview.Duty, error) {
	calls, err := tx.CallsToAnswer(v.ID)
	if err != nil {
		return nil, err
	}
	var out []homeview.Duty
	for _, w := range calls {
		out = append(out, homeview.Duty{URL: words.TournamentURL(tournament.ID(w.ID)),
			Text: p.N("place.calls-wait", w.Count, "Tournament", w.Name), Pressing: true})
	}
	decisions, err := decisionsOfStaff(tx, p, v)
	if err != nil {
		return nil, err
	}
	out = append(out, decisions...)
	invitations, err := tx.StaffInvitations(v.ID)
	for _, w := range invitations {
		out = append(out, homeview.Duty{URL: words.TournamentURL(tournament.ID(w.ID)), Text: p.T("place.staff-asked", "Tournament", w.Name)})
	}
	return out, err
}

// decisionsOfStaff returns pairings to publish and entry requests to decide.
func decisionsOfStaff(tx *store.Tx, p lang.Printer, v player.Viewer) ([]homeview.Duty, error) {
	list, err := staffedEach(tx, v)
	if err != nil {
		return nil, err
	}
	var out []homeview.Duty
	for _, t := range list {
		if t.Draft != nil && t.May(v, tournament.ActPublish) {
			desk := t.ID
			if t.Origin != nil && t.Origin.Part {
				desk = t.Origin.Of[0].ID // the desk of the event that the groups decide for
			}
			out = append(out, homeview.Duty{URL: words.DeskURL(desk), Text: p.T("place.draft-waits", "Tournament", t.Name, "Round", t.Draft.Number),
				Pressing: true})
		}
		requests := 0
		for _, e := range t.Entries {
			if e.Status == tournament.Requested {
				requests++
			}
		}
		if requests > 0 && t.May(v, tournament.ActAccept) {
			out = append(out, homeview.Duty{URL: words.TournamentURL(t.ID) + "/players",
				Text: p.N("place.entries-wait", requests, "Tournament", t.Name)})
		}
	}
	return out, nil
}

func dutiesOfClubs(tx *store.Tx, p lang.Printer, v player.Viewer, _ []*tournament.Tournament, _ time.Time) ([]homeview.Duty, error) {
	var may []club.Role
	for _, role := range club.Roles {
		if club.Allows(role, club.ActAdmit) {
			may = append(may, role)
		}
	}
	requests, err := tx.WaitingRequests(v.ID, may)
	var out []homeview.Duty
	for _, w := range requests {
		out = append(out, homeview.Duty{URL: words.ClubURL(club.ID(w.ID)) + "/people", Text: p.N("place.requests-wait", w.Count, "Club", w.Name)})
	}
	return out, err
}
