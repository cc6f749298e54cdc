package web

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	homeview "chpok.org/chpok/templates/home"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/account"
	"chpok.org/chpok/web/desk"
	"chpok.org/chpok/web/ladder"
	"chpok.org/chpok/web/play"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// nearDeadline is the time left below which the home page shows a running clock.
const nearDeadline = time.Hour

// nearStart is how long before its start an event is the next step of somebody for whom nothing waits.
const nearStart = 24 * time.Hour

// ownHome returns what concerns a viewer with an account, and their running and latest finished matches.
func (s *Server) ownHome(ctx context.Context, p lang.Printer, v player.Viewer) (own homeview.OwnHome, mine []store.Head, err error) {
	now := s.Now()
	var opening *templates.TournamentCard
	err = s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if opening, err = soonest(tx, p, now); err != nil {
			return err
		}
		if mine, err = tx.MatchesOf(v.ID, homeMatches); err != nil {
			return err
		}
		if own.Ladders, err = ladder.Duties(tx, p, v, now); err != nil {
			return err
		}
		if own.Challenges, err = play.ChallengeLines(tx, p, v, now); err != nil {
			return err
		}
		if own.Duties, err = duties(tx, p, v, now); err != nil {
			return err
		}
		if own.Staff, err = staffLines(tx, p, v); err != nil {
			return err
		}
		if own.Friends, err = account.FriendsLines(tx, p, v, now, homeMatches); err != nil {
			return err
		}
		if own.Notices, err = newNotices(tx, p, v, now, standing(mine, &own)); err != nil || !v.MayOperate() {
			return err
		}
		setup, err := s.setupView(tx, p, v)
		if setup.ToDo() > 0 {
			own.Setup = &setup
		}
		return err
	})
	if err != nil {
		return own, nil, err
	}
	views, err := s.ownMatches(ctx, v.ID, mine)
	if err != nil {
		return own, nil, err
	}
	a, err := store.Get(ctx, s.Store, func(tx *store.Tx) (scene.Around, error) { return scene.ReadAround(tx, views) })
	own.Next = nextOf(p, v.ID, a, views, now)
	for i, view := range views {
		if i == 0 && own.Next.IsMatch && view.State.Status() == match.Waiting {
			continue // own.Next shows all there is
		}
		own.Mine = append(own.Mine, ownMatch(p, "mine-"+words.Itoa(i+1), v.ID, a, view, now))
	}
	if own.Next.URL == "" {
		own.Next = nextBesides(p, &own, len(mine) == 0)
		if own.Next.Idle {
			if len(mine) == 0 {
				opening = nil // a newcomer's next is the first match
			}
			comesNext(p, &own, opening, now)
		}
	}
	return own, mine, err
}

// standing returns the addresses of what the page lists as waiting for the viewer.
func standing(mine []store.Head, own *homeview.OwnHome) (urls []string) {
	for _, h := range mine {
		if h.Status != match.Over {
			urls = append(urls, words.MatchURL(h.ID))
		}
	}
	for _, l := range own.Ladders {
		urls = append(urls, l.URL)
	}
	for _, c := range own.Challenges {
		urls = append(urls, c.URL)
	}
	for _, d := range own.Duties {
		urls = append(urls, d.URL)
	}
	return urls
}

// ownMatches returns a player's running matches as they see them: those that wait for them first, then by deadline.
func (s *Server) ownMatches(ctx context.Context, of player.ID, heads []store.Head) ([]live.View, error) {
	heads = slices.DeleteFunc(slices.Clone(heads), func(h store.Head) bool { return h.Status == match.Over })
	slices.SortStableFunc(heads, func(a, b store.Head) int {
		if aWaits, bWaits := a.WaitsFor(of), b.WaitsFor(of); aWaits != bWaits {
			if aWaits {
				return -1
			}
			return 1
		}
		return a.Deadline.Compare(b.Deadline)
	})
	isPlayer := func(context.Context, store.Head) (bool, error) { return true, nil }
	var out []live.View
	for _, h := range heads {
		v, err := s.Live.View(ctx, h.ID, isPlayer)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// ownMatch returns the small view of a match with a word about whose turn it is.
func ownMatch(p lang.Printer, place string, of player.ID, a scene.Around, v live.View, now time.Time) boardview.LiveView {
	out := scene.ViewLive(p, place, a.Frame(p, v), v, now, 0)
	out.Due = v.Head.WaitsFor(of)
	out.Says = p.T("home.turn." + turnWord(v, out.Due))
	return out
}

func turnWord(v live.View, mine bool) string {
	who := "theirs"
	if mine {
		who = "mine"
	}
	switch v.State.Status() {
	case match.Waiting:
		return "open"
	case match.Bidding:
		return "bid-" + who
	}
	return "move-" + who
}

func liveMarks(list []boardview.LiveView) string {
	var marks []string
	for _, v := range list {
		marks = append(marks, scene.LiveMark(v))
	}
	return strings.Join(marks, "\n")
}

// nextOf returns the step to the first of views; zero if it does not wait for the player.
func nextOf(p lang.Printer, of player.ID, a scene.Around, views []live.View, now time.Time) (n homeview.NextStep) {
	if len(views) == 0 || !views[0].Head.WaitsFor(of) {
		return n
	}
	v := views[0]
	seat := v.Head.SeatOf(of)
	frame := a.Frame(p, v)
	n = homeview.NextStep{IsMatch: true, URL: words.MatchURL(v.Head.ID), Do: p.T("home.to-the-board"), Kick: frame.Event.Name}
	if frame.Event.Detail != "" {
		n.Kick += ", " + frame.Event.Detail
	}
	n.Title = p.T("home.due."+turnWord(v, true), "Name", frame.Players[seat.Other().Index()].Name)
	if v.State.Status() == match.Waiting {
		n.Text = p.T("home.due.open.text")
	}
	if due, ok := v.State.Deadline(); ok && due.Sub(now) < nearDeadline {
		left := max(0, due.Sub(now))
		n.Clock = &boardview.LiveClock{Text: words.ClockText(p, left), Left: left.Milliseconds(), Deadline: due.UnixMilli(),
			Low: scene.LowInBids.Milliseconds()}
	}
	return n
}

// nextBesides returns the next step when no match is due: a duty, an event to run, a challenge to answer; else the
// idle step, which for a newcomer is the first match. The chosen duty or challenge leaves its list.
func nextBesides(p lang.Printer, own *homeview.OwnHome, isNew bool) homeview.NextStep {
	for i, d := range own.Duties {
		if !d.Waits() {
			continue
		}
		n := homeview.NextStep{Title: d.Text, Text: d.When, URL: d.URL, Do: p.T("home.open-it")}
		if d.Post != "" {
			n.URL, n.Do, n.Post = d.Post, d.Do, true
		}
		own.Duties = slices.Delete(own.Duties, i, i+1)
		return n
	}
	for _, l := range own.Staff {
		if l.Due {
			return homeview.NextStep{Kick: l.Name, Title: l.Step, Text: l.Text, URL: l.Desk, Do: l.Do}
		}
	}
	for i, c := range own.Challenges {
		if c.Waits {
			own.Challenges = slices.Delete(own.Challenges, i, i+1)
			return homeview.NextStep{Title: c.Text, Text: c.Until, URL: c.URL, Do: p.T("challenge.answer.do")}
		}
	}
	for i, l := range own.Ladders {
		if l.Call != "" {
			own.Ladders = slices.Delete(own.Ladders, i, i+1)
			return homeview.NextStep{Title: l.Call, Text: l.When, URL: l.URL, Do: p.T("challenge.answer.do")}
		}
	}
	n := homeview.NextStep{Title: p.T("home.nobody-waits"), URL: "/play", Do: p.T("challenge.play"), Idle: true,
		Beside: templates.Link{Text: p.T("puzzle.solve"), URL: "/practice"}}
	if isNew {
		n.Title, n.Text = p.T("home.first.title"), p.T("home.first")
		n.Beside = templates.Link{Text: p.T("core.nav.learn"), URL: "/learn"}
	}
	return n
}

// soonest returns the event that starts first, if that is soon. One that its groups decide starts with them.
func soonest(tx *store.Tx, p lang.Printer, now time.Time) (*templates.TournamentCard, error) {
	lines, _, err := tx.Tournaments(store.TournamentQuery{Statuses: []tournament.Status{tournament.Registration}, From: now, To: now.Add(nearStart),
		Limit: homeTournaments})
	i := slices.IndexFunc(lines, func(t store.TournamentLine) bool { return !t.Event.Origin.IsAwaited() })
	if err != nil || i < 0 {
		return nil, err
	}
	card := words.TournamentLine(p, lines[i], now)
	return &card, nil
}

// comesNext turns the idle step to what comes next within a day: the viewer's own, which leaves its list, or the event
// that starts first; else it stays as it is.
func comesNext(p lang.Printer, own *homeview.OwnHome, opening *templates.TournamentCard, now time.Time) {
	n := &own.Next
	at, until := -1, p.Stamp(now.Add(nearStart))
	for i, d := range own.Duties {
		if d.Stamp != "" && !d.Told && d.Stamp <= until && (at < 0 || d.Stamp < own.Duties[at].Stamp) {
			at = i
		}
	}
	switch {
	case at >= 0:
		d := own.Duties[at]
		own.Duties = slices.Delete(own.Duties, at, at+1)
		n.Title, n.Text, n.URL = d.Text, d.When, d.URL
	case opening != nil:
		n.Title, n.Text, n.URL = opening.Name, opening.When+" · "+opening.Kind, opening.URL
	default:
		return
	}
	n.Beside = templates.Link{Text: n.Do, URL: "/play"}
	n.Kick, n.Do = p.T("place.coming"), p.T("home.open-it")
}

// staffed returns the upcoming and running events that the viewer runs. Groups are run from the desk of the event that
// they decide for.
func staffed(tx *store.Tx, v player.Viewer) (list []*tournament.Tournament, err error) {
	all, err := staffedEach(tx, v)
	if err != nil {
		return nil, err
	}
	has := map[tournament.ID]bool{}
	for _, t := range all {
		if o := t.Origin; o != nil && o.Part {
			if before, err := tx.Tournament(o.Of[0].ID); err == nil && before.Origin.IsAwaited() && before.May(v, tournament.ActDesk) {
				t = before
			} else if err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, err
			}
		}
		if !has[t.ID] {
			list = append(list, t)
		}
		has[t.ID] = true
	}
	return list, nil
}

// staffedEach returns the tournaments of which the viewer is staff, each group by itself.
func staffedEach(tx *store.Tx, v player.Viewer) (list []*tournament.Tournament, err error) {
	ids, err := tx.StaffedTournaments(v.ID, homeTournaments)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		t, err := tx.Tournament(id)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// staffLines returns the events that the viewer runs, each with its next step.
func staffLines(tx *store.Tx, p lang.Printer, v player.Viewer) ([]homeview.StaffLine, error) {
	list, err := staffed(tx, v)
	if err != nil {
		return nil, err
	}
	var out []homeview.StaffLine
	for _, t := range list {
		groups, err := desk.GroupsOf(t, tx.Tournament)
		if err != nil {
			return nil, err
		}
		step := desk.MomentOf(p, v, t, rounds.GroupSteps(groups))
		line := homeview.StaffLine{Name: p.Event(t.Name), URL: words.TournamentURL(t.ID), Step: step.Title, Text: step.Text,
			Desk: desk.ControlURL(t.ID), Do: p.T("home.desk")}
		switch {
		case t.Status == tournament.Registration && len(t.Entries) < 2 && t.May(v, tournament.ActAccept):
			line.Do, line.Desk = p.T("tournament.add"), words.PlayersURL(t.ID)
		case step.Action != "":
			line.Do, line.Due = step.Button, t.Status == tournament.Running
		}
		out = append(out, line)
	}
	return out, nil
}
