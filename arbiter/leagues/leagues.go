// Package leagues holds the leagues of clubs: it makes and starts the tournaments of their divisions, freezes their
// tables and asks alternates. It does not decide who plays where.
package leagues

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/tournament/stage"
)

// Office holds leagues.
type Office struct {
	*kernel.Kernel
	rounds *rounds.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, rou *rounds.Office) *Office {
	return &Office{k, rou}
}

// ActorOf is the viewer as the league of a club knows them.
func ActorOf(tx *store.Tx, v player.Viewer, of club.ID) (league.Actor, error) {
	role, err := tx.ClubRole(v.ID, of)
	me := league.Actor{Player: v.ID, Directs: v.MayOperate() || club.May(v, role, club.ActHold)}
	if err != nil {
		return me, err
	}
	own, err := tx.Memberships(v.ID)
	for _, m := range own {
		if club.Allows(m.Role, club.ActLineUp) {
			me.Names = append(me.Names, m.Club)
		}
	}
	if err != nil || !me.Directs {
		return me, err
	}
	members, err := tx.Members(of)
	for _, m := range members {
		if club.Allows(m.Role, club.ActHold) {
			me.Others = append(me.Others, m.Player)
		}
	}
	return me, err
}

// Create starts a league of a club. like is a tournament of the club whose bidding limits, clocks and fair play its
// divisions take; empty: the usual ones.
func (a *Office) Create(ctx context.Context, by player.Viewer, of club.ID, s league.Settings, like tournament.ID, starts time.Time) (id league.ID, err error) {
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Club(of); err != nil {
			return err
		}
		me, err := ActorOf(tx, by, of)
		if err != nil {
			return err
		}
		if err := takeAfter(tx, by, of, like, &s.Division); err != nil {
			return err
		}
		s.Division.Zone = cmp.Or(s.Division.Zone, a.Zone)
		l, err := league.New(league.ID(store.NewID()), of, me, s, starts.UTC().Truncate(time.Minute), a.Now())
		if err != nil {
			return err
		}
		id = l.ID
		return tx.SaveLeague(nil, l)
	})
	return id, err
}

// takeAfter gives divisions the bidding limits, clocks and fair play of a tournament of the club, and what its matches of teams are worth;
// empty: nothing changes.
func takeAfter(tx *store.Tx, by player.Viewer, of club.ID, like tournament.ID, d *tournament.Settings) error {
	if like == "" {
		return nil
	}
	t, err := tx.Tournament(like)
	if err != nil || t.ClubID != of || !t.MaySee(by) {
		return league.ErrTemplate
	}
	d.Envelope, d.Claims, d.Policy, d.Rated, d.Points = t.Envelope, t.Claims, t.Policy, t.Rated, t.Points
	if d.HasTeams() && t.HasTeams() {
		teams := t.Teams
		teams.Boards, teams.Reserves, teams.Least, teams.Preferences = d.Teams.Boards, d.Teams.Reserves, min(teams.Least, d.Teams.Boards), 0
		d.PlayIn(teams)
	}
	return nil
}

// Change gives a league the settings that set makes of those it has, and its open season another start.
func (a *Office) Change(ctx context.Context, by player.Viewer, id league.ID, like tournament.ID, set func(s *league.Settings, starts *time.Time) error) error {
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) error {
		if !me.Directs {
			return league.ErrNotAllowed
		}
		s, starts := l.Settings, l.Now().Starts
		if err := set(&s, &starts); err != nil {
			return err
		}
		if err := takeAfter(tx, by, l.Club, like, &s.Division); err != nil {
			return err
		}
		return l.Change(me, s, starts.UTC().Truncate(time.Minute), a.Now())
	}, nil)
	return err
}

// change reads a league, does what is due, lets f change it, and writes it with what also writes; if another change
// came first, it starts over.
func (a *Office) change(ctx context.Context, by player.Viewer, id league.ID, f func(*store.Tx, *league.League, league.Actor) error,
	also func(*store.Tx, *league.League) error) (after *league.League, err error) {
	if _, err := a.SiteKey(ctx); err != nil { // makes the key on first use, so not inside the write below
		return nil, err
	}
	err = a.InTurn(ctx, string(id), func() error {
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			before, err := tx.League(id)
			if err != nil {
				return err
			}
			me, err := ActorOf(tx, by, before.Club)
			if err != nil {
				return err
			}
			after = before.Clone()
			if err := KeepTeams(after, tx.Tournament); err != nil {
				return err
			}
			off, err := a.daysOff(tx, before)
			if err != nil {
				return err
			}
			after.Settle(off, a.Now())
			if f != nil {
				done := len(after.Fresh())
				refused := after.Do(me, func(l *league.League, me league.Actor) error { return f(tx, l, me) })
				if err := unseen(tx, by, me, before, after.Fresh()[done:], refused); err != nil {
					return kernel.JudgesNamed(tx, err)
				}
			}
			after.Settle(off, a.Now())
			if len(after.Fresh()) == 0 {
				return nil
			}
			if also != nil {
				if err := also(tx, after); err != nil {
					return err
				}
			}
			if err := a.tellPlaces(tx, before, after); err != nil {
				return err
			}
			return tx.SaveLeague(before, after)
		})
	})
	return after, err
}

// unseen is what an act of one of several who run a league, or act for a team, ends with: refused, or *kernel.Overtaken if somebody else has done something
// that concerns it since its author saw the league.
func unseen(tx *store.Tx, by player.Viewer, me league.Actor, before *league.League, mine []league.Event, refused error) error {
	why, isSaid := errors.AsType[*refusal.Error](refused)
	names := slices.ContainsFunc(mine, func(e league.Event) bool { return e.Kind == league.Named })
	if by.Shown <= 0 || by.Shown >= before.Version || !me.Directs && !names || refused != nil && (!isSaid || why.Kind != refusal.KindConflict) {
		return refused
	}
	events, err := tx.LeagueLogSince(before.ID, by.Shown)
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(events) {
		if e.By == "" || e.By == by.ID || !e.Concerns(mine) {
			continue
		}
		return kernel.OvertakenBeside(e.By, e.At, "league.did.", e.Kind, before.Version).UnlessSeen(tx, by, refused)
	}
	return refused
}

// daysOff returns the days on which those who wait for a place cannot play.
func (a *Office) daysOff(tx *store.Tx, l *league.League) (map[league.Member]fixture.DaysOff, error) {
	list := map[league.Member]fixture.DaysOff{}
	if l.Now().State != league.Placed {
		return list, nil
	}
	var ids []player.ID
	for _, x := range l.Now().Bench.Alternates {
		if !x.Member.IsTeam() {
			ids = append(ids, player.ID(x.Member))
		}
	}
	days, err := a.DaysOff(tx, ids...)
	for id, off := range days {
		list[league.Member(id)] = off
	}
	return list, err
}

// Path is the page of a league.
func Path(id league.ID) string { return "/leagues/" + string(id) }

// tellPlaces tells alternates and the organizer what has become of free places.
func (a *Office) tellPlaces(tx *store.Tx, before, after *league.League) error {
	var list []notice.Notice
	x := after.Now()
	for _, n := range league.NewsOf(before.Now(), x) {
		told := notice.Notice{Kind: notice.LeaguePlace, URL: Path(after.ID),
			Key:  fmt.Sprint(after.ID, "/", x.Number, "/", n.What, "/", n.Vacancy),
			Args: map[string]string{"League": after.Settings.Name, "Case": string(n.What)}}
		to := []player.ID{after.Organizer}
		switch n.What {
		case league.NewsOffered:
			to, told.When, told.Until = after.People(n.To), x.Starts, x.Starts
		case league.NewsTaken:
		case league.NewsNobody: // once more when somebody came to wait, and declined
			told.Key += fmt.Sprint("/", len(x.Bench.Vacancies[n.Vacancy-1].Offers))
		default:
			to = after.People(n.To)
		}
		for _, told.To = range to {
			list = append(list, told)
		}
	}
	return a.Notify(tx, list...)
}

// Enter takes a player by handle, or a team that was in the league before, into the season; nobody named: the viewer.
func (a *Office) Enter(ctx context.Context, by player.Viewer, id league.ID, name string) error {
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) error {
		who, err := memberOf(tx, l, by, me, name)
		if err != nil {
			return err
		}
		if who.IsTeam() {
			if err := a.comesAgain(tx, l, who, by); err != nil {
				return err
			}
			return named(tx, l.Enter(me, who, 0, a.Now()))
		}
		rating, err := a.candidate(tx, by, l, player.ID(who))
		if err != nil {
			return err
		}
		return l.Enter(me, who, rating, a.Now())
	}, nil)
	return err
}

// candidate returns the rating of a player who is to enter, if they may play.
func (a *Office) candidate(tx *store.Tx, by player.Viewer, l *league.League, id player.ID) (rating int, err error) {
	p, err := tx.Player(id)
	if err == nil {
		err = a.mayPlay(tx, l, "", p, by)
	}
	if err != nil {
		return 0, err
	}
	return ratings.ListedRating(tx, p.ID)
}

// EnterLate takes a player by handle into a Swiss division, from 1, of a season that runs.
func (a *Office) EnterLate(ctx context.Context, by player.Viewer, id league.ID, handle string, division int) error {
	var who player.ID
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) error {
		p, err := whom(tx, by, handle)
		if err != nil {
			return err
		}
		rating, err := a.candidate(tx, by, l, p.ID)
		if err != nil {
			return err
		}
		who = p.ID
		return l.EnterLate(me, league.Member(p.ID), rating, division, a.Now())
	}, func(tx *store.Tx, l *league.League) error {
		return a.inEvent(tx, l.Now().Divisions[division-1].Tournament, kernel.Step{Act: tournament.ActEnter}, func(t *tournament.Tournament) error {
			_, err := a.enter(tx, t, l, league.Member(who))
			return err
		})
	})
	return err
}

func whom(tx *store.Tx, by player.Viewer, handle string) (player.Player, error) {
	if handle == "" {
		return by.Player, nil
	}
	return kernel.PlayerByHandle(tx, handle)
}

// Leave takes somebody out before the season starts. Their place in a division is offered to alternates.
func (a *Office) Leave(ctx context.Context, by player.Viewer, id league.ID, name string) error {
	var out league.Division
	var who league.Member
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) (err error) {
		out = league.Division{}
		if who, err = memberOf(tx, l, by, me, name); err != nil {
			return err
		}
		d := l.Now().DivisionOf(who)
		number, err := l.Leave(me, who, a.Now())
		if number > 0 {
			out = l.Now().Divisions[d-1]
		}
		return err
	}, func(tx *store.Tx, _ *league.League) error {
		if out.Tournament == "" {
			return nil
		}
		return a.inEvent(tx, out.Tournament, kernel.Step{Act: tournament.ActWithdraw}, func(t *tournament.Tournament) error {
			if e, entered := out.EntryOf(t, who); entered {
				return t.Withdraw(kernel.Plainly(t.Organizer), e.ID)
			}
			return nil
		})
	})
	return err
}

// inEvent changes a tournament in the write of its league.
func (a *Office) inEvent(tx *store.Tx, id tournament.ID, step kernel.Step, f func(*tournament.Tournament) error) error {
	before, err := tx.Tournament(id)
	if err != nil {
		return err
	}
	after := before.Clone()
	if err := f(after); err != nil {
		return err
	}
	after.Stuck = ""
	after.MarkOvertaken(&before.Table)
	tx.AfterCommit(func() { a.Nudge(after) })
	return a.Save(tx, before, after, step.By, step.Deed(before, a.Now()))
}

// Answer accepts or declines a place that is offered to the viewer, or to a team that they act for.
func (a *Office) Answer(ctx context.Context, by player.Viewer, id league.ID, name string, number int, accept bool) error {
	var who league.Member
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) (err error) {
		if who, err = memberOf(tx, l, by, me, name); err != nil {
			return err
		}
		return l.Answer(me, who, number, accept, a.Now())
	}, func(tx *store.Tx, l *league.League) error {
		if !accept {
			return nil
		}
		d := &l.Now().Divisions[l.Now().Bench.Vacancies[number-1].Division-1]
		return a.inEvent(tx, d.Tournament, kernel.Step{Act: tournament.ActEnter}, func(t *tournament.Tournament) error {
			e, err := a.enter(tx, t, l, who)
			if who.IsTeam() {
				d.Entries[who] = e.ID
			}
			return err
		})
	})
	return err
}

// enter enters somebody whom the league has placed: they play, or all of it fails. Nobody waits for a place in a division's event.
func (a *Office) enter(tx *store.Tx, t *tournament.Tournament, l *league.League, who league.Member) (e tournament.Entry, err error) {
	if team := l.Team(who); team != nil {
		e, err = a.enterTeam(tx, t, team)
	} else {
		c, unknown := a.placed(tx, t, player.ID(who))
		if unknown != nil {
			return e, unknown
		}
		e, err = t.Register(kernel.Plainly(t.Organizer), c, a.Now())
	}
	if err == nil && e.Status != tournament.Active {
		err = tournament.ErrFull
	}
	return e, err
}

// placed is a player whom the league has placed, whatever their conditions: it judged them when they entered.
func (a *Office) placed(tx *store.Tx, t *tournament.Tournament, id player.ID) (c tournament.Candidate, err error) {
	p, err := tx.Player(id)
	if err != nil {
		return c, err
	}
	list, err := entries.Candidates(tx, a.Now(), p)
	if err != nil {
		return c, err
	}
	list[0].Reason = t.Name
	return list[0], nil
}

// Stay says that the viewer, or a team that they act for, still waits as an alternate.
func (a *Office) Stay(ctx context.Context, by player.Viewer, id league.ID, name string) error {
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) error {
		who, err := memberOf(tx, l, by, me, name)
		if err != nil {
			return err
		}
		return l.Stay(me, who, a.Now())
	}, nil)
	return err
}

// Propose drafts who plays where.
func (a *Office) Propose(ctx context.Context, by player.Viewer, id league.ID) error {
	_, err := a.change(ctx, by, id, func(_ *store.Tx, l *league.League, me league.Actor) error { return l.Propose(me, a.Now()) }, nil)
	return err
}

// Shift moves somebody in the draft.
func (a *Office) Shift(ctx context.Context, by player.Viewer, id league.ID, name string, to int) error {
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) error {
		who, err := memberOf(tx, l, by, me, name)
		if err != nil {
			return err
		}
		return l.Shift(me, who, to, a.Now())
	}, nil)
	return err
}

// PublishLater publishes the draft by itself at a time; zero: by hand.
func (a *Office) PublishLater(ctx context.Context, by player.Viewer, id league.ID, at time.Time) error {
	if !at.IsZero() {
		at = at.UTC().Truncate(time.Minute)
	}
	_, err := a.change(ctx, by, id, func(_ *store.Tx, l *league.League, me league.Actor) error { return l.PublishLater(me, at, a.Now()) }, nil)
	return err
}

// publishDue publishes a draft whose time has come, if it still holds; otherwise it stays one, and the organizer hears of it.
func (a *Office) publishDue(ctx context.Context, id league.ID) error {
	why := a.Publish(ctx, player.Viewer{}, id)
	if _, isRefused := errors.AsType[*refusal.Error](why); !isRefused {
		return why
	}
	_, err := a.change(ctx, player.Viewer{}, id, func(_ *store.Tx, l *league.League, _ league.Actor) error {
		if due := l.Now().PublishAt; !due.IsZero() && !a.Now().Before(due) {
			l.NotPublished(a.Now())
		}
		return nil
	}, func(tx *store.Tx, l *league.League) error {
		return a.Notify(tx, notice.Notice{To: l.Organizer, Kind: notice.LeaguePlace, URL: Path(l.ID),
			Key: fmt.Sprint(l.ID, "/", l.Now().Number, "/not-published/", l.Version), Args: map[string]string{"League": l.Settings.Name, "Case": "not-published"}})
	})
	return err
}

// Publish makes the divisions of the draft tournaments with their players.
func (a *Office) Publish(ctx context.Context, by player.Viewer, id league.ID) error {
	_, err := a.change(ctx, by, id, func(_ *store.Tx, l *league.League, me league.Actor) error {
		return l.Publish(me, func() tournament.ID { return tournament.ID(store.NewID()) }, a.Now())
	}, func(tx *store.Tx, l *league.League) error {
		for i, d := range l.Now().Divisions {
			list, err := a.hold(ctx, tx, l, d.Tournament, l.Event(i+1), d.Members)
			if err != nil {
				return err
			}
			l.Now().Divisions[i].Entries = list
		}
		return nil
	})
	return err
}

// hold makes a tournament of a league with its players, who are told. It returns the entries of teams.
func (a *Office) hold(ctx context.Context, tx *store.Tx, l *league.League, id tournament.ID, s tournament.Settings, who []league.Member) (
	teams map[league.Member]tournament.EntryID, err error) {
	if err := events.CheckSettings(s); err != nil {
		return nil, err
	}
	t, err := tournament.New(id, l.Organizer, s, a.Now())
	if err != nil {
		return nil, err
	}
	if err := t.OpenRegistration(kernel.Plainly(l.Organizer), a.Now()); err != nil {
		return nil, err
	}
	for _, m := range who {
		e, err := a.enter(tx, t, l, m)
		if err != nil {
			return nil, err
		}
		if m.IsTeam() {
			if teams == nil {
				teams = map[league.Member]tournament.EntryID{}
			}
			teams[m] = e.ID
		}
	}
	if err := t.CloseRegistration(kernel.Plainly(l.Organizer), a.Now()); err != nil {
		return nil, err
	}
	if err := a.Promise(ctx, t); err != nil {
		return nil, err
	}
	if err := tx.AddTournament(t, kernel.Step{Act: tournament.ActCreate, Reason: l.Settings.Name}.Deed(t, a.Now())); err != nil {
		return nil, err
	}
	return teams, a.Notify(tx, kernel.Entered(t, player.Viewer{}, t.Entries...)...)
}

// Begin starts the divisions of a placed season, and then says that it runs: whoever dies between leaves it placed and
// due, so that the next sweep goes on. A division that cannot start, as too few are left in it, does not hold the others back: the
// organizer hears of it, and starts it by another Begin when it can.
func (a *Office) Begin(ctx context.Context, by player.Viewer, id league.ID) error {
	var l *league.League
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if l, err = tx.League(id); err != nil {
			return err
		}
		me, err := ActorOf(tx, by, l.Club)
		if err != nil {
			return err
		}
		if refused := l.Clone().Begin(me, a.Now()); refused != nil && (!me.Directs || l.Now().State != league.Running) {
			return unseen(tx, by, me, l, nil, refused)
		}
		return nil
	})
	if err != nil {
		return err
	}
	refused, started, err := a.start(ctx, l)
	if err != nil {
		return err
	}
	runs := l.Now().State == league.Running
	if runs && (refused != nil || started > 0) {
		return refused
	}
	_, err = a.change(ctx, by, id, func(_ *store.Tx, l *league.League, me league.Actor) error {
		return l.Begin(me, a.Now())
	}, func(tx *store.Tx, l *league.League) error {
		if refused == nil {
			return nil
		}
		return a.Notify(tx, notice.Notice{To: l.Organizer, Kind: notice.LeaguePlace, URL: Path(l.ID),
			Key: fmt.Sprint(l.ID, "/", l.Now().Number, "/not-started"), Args: map[string]string{"League": l.Settings.Name, "Case": "not-started"}})
	})
	return err
}

// start starts those divisions that have not started, and returns how many it started and why others are refused.
func (a *Office) start(ctx context.Context, l *league.League) (refused error, started int, err error) {
	var failed []error
	for _, d := range l.Now().Divisions {
		t, err := a.Tournament(ctx, d.Tournament)
		if err == nil && t.BeforeStart() == nil {
			err = a.rounds.Start(ctx, kernel.Plainly(t.Organizer), d.Tournament)
			_, isRefused := errors.AsType[*refusal.Error](err)
			switch {
			case err == nil:
				started++
			case errors.Is(err, tournament.ErrStarted): // by another node
				err = nil
			case isRefused:
				refused, err = err, nil
			}
		}
		failed = append(failed, err)
	}
	return refused, started, errors.Join(failed...)
}

// Freeze ends a season whose divisions are over.
func (a *Office) Freeze(ctx context.Context, by player.Viewer, id league.ID) error {
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) error {
		frozen, err := tablesOf(tx, l)
		if err != nil {
			return err
		}
		return l.Freeze(me, frozen, a.Now())
	}, nil)
	return err
}

// tablesOf returns the final tables of the divisions; fewer than there are divisions while one is played.
func tablesOf(tx *store.Tx, l *league.League) (list []league.Table, err error) {
	for _, d := range l.Now().Divisions {
		t, err := tx.Tournament(d.Tournament)
		if err != nil {
			return nil, err
		}
		if IsEmptied(t) {
			table := league.Table{}
			for _, e := range t.Entries {
				if e.Team == 0 && e.Status == tournament.Active {
					table = append(table, league.Row{Member: d.MemberOf(e)})
				}
			}
			list = append(list, table)
			continue
		}
		if !t.Status.IsOver() {
			return nil, nil
		}
		standings, err := format.Standings(t, -1)
		if err != nil {
			return nil, err
		}
		var table league.Table
		for _, line := range standings.Lines {
			if m := d.MemberOf(line.Entry); m != "" {
				table = append(table, league.Row{Member: m, Left: line.Entry.Status == tournament.Withdrawn})
			}
		}
		for _, e := range standings.Annulled { // who left too early to count stands last
			table = append(table, league.Row{Member: d.MemberOf(e), Left: true})
		}
		list = append(list, table)
	}
	return list, nil
}

// IsEmptied reports whether a division was left by so many before its start that it is not played: whoever is left keeps the place.
func IsEmptied(t *tournament.Tournament) bool {
	return t.BeforeStart() == nil && t.Active() < t.LeastPlayers()
}

// playOffEvent is the settings of a play-off.
func playOffEvent(l *league.League, o league.PlayOff) tournament.Settings {
	return stage.PlayOff(l.Event(o.Upper), l.PlayOffName(o), 2)
}

// OpenPlayOffs makes a tournament of two for each play-off, which the organizer starts when both are there.
func (a *Office) OpenPlayOffs(ctx context.Context, by player.Viewer, id league.ID) error {
	_, err := a.change(ctx, by, id, func(_ *store.Tx, l *league.League, me league.Actor) error {
		return l.OpenPlayOffs(me, func() tournament.ID { return tournament.ID(store.NewID()) }, a.Now())
	}, func(tx *store.Tx, l *league.League) error {
		for i, o := range l.Now().PlayOffs {
			if _, err := a.hold(ctx, tx, l, l.Now().Decided[i], playOffEvent(l, o), []league.Member{o.Stays, o.Rises}); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// Archive closes a season and opens the next. The play-offs must be over.
func (a *Office) Archive(ctx context.Context, by player.Viewer, id league.ID, starts time.Time) error {
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) error {
		winners, err := winnersOf(tx, l)
		if err != nil {
			return err
		}
		return l.Archive(me, winners, starts.UTC().Truncate(time.Minute), a.Now())
	}, nil)
	return err
}

// winnersOf returns who has won the play-offs, in their order; fewer while one is played. Who alone has not left one has won it, and
// whom nobody has beaten stays.
func winnersOf(tx *store.Tx, l *league.League) (list []league.Member, err error) {
	for i, id := range l.Now().Decided {
		t, err := tx.Tournament(id)
		if err != nil {
			return nil, err
		}
		if !stage.IsDecided(t) {
			continue
		}
		table, err := format.Standings(t, -1)
		if err != nil {
			return nil, err
		}
		o := l.Now().PlayOffs[i]
		stays, _ := o.EntryOf(t, o.Stays)
		rises, _ := o.EntryOf(t, o.Rises)
		isFirst := t.Status.IsOver() && len(table.Lines) > 0 && table.Lines[0].Entry.ID == rises.ID
		if rises.Status == tournament.Active && (isFirst || stays.Status != tournament.Active) {
			list = append(list, o.Rises)
		} else {
			list = append(list, o.Stays)
		}
	}
	return list, nil
}

// Warn gives a player, or a team or a player of one, a sanction; with a third they are out of their division, or off their team, in
// the same write.
func (a *Office) Warn(ctx context.Context, by player.Viewer, id league.ID, name, reason string) error {
	var level league.Level
	var who league.Member
	var in league.Division // theirs, before a red card takes them out
	_, err := a.change(ctx, by, id, func(tx *store.Tx, l *league.League, me league.Actor) (err error) {
		if who, err = memberOf(tx, l, by, me, name); err != nil {
			return err
		}
		in = league.Division{}
		if d := l.Now().DivisionOf(l.Side(who)); d > 0 {
			in = l.Now().Divisions[d-1]
		}
		level, err = l.Warn(me, who, reason, a.Now())
		return err
	}, func(tx *store.Tx, l *league.League) error {
		for _, to := range l.People(who) {
			err := a.Notify(tx, notice.Notice{To: to, Kind: notice.LeagueSanction, URL: Path(l.ID) + "#sanctions",
				Key: fmt.Sprint(l.ID, "/sanction/", len(l.Sanctions)), Args: map[string]string{"League": l.Settings.Name}})
			if err != nil {
				return err
			}
		}
		if level < league.Red || in.Tournament == "" {
			return nil
		}
		return a.takeOut(tx, by, l.Now(), in, who)
	})
	return err
}

// takeOut withdraws somebody from their division, and from play-offs that are not over.
func (a *Office) takeOut(tx *store.Tx, by player.Viewer, season *league.Season, in league.Division, who league.Member) error {
	for i, id := range append([]tournament.ID{in.Tournament}, season.Decided...) {
		t, err := tx.Tournament(id)
		if err != nil {
			return err
		}
		e, entered := in.EntryOf(t, who)
		if i > 0 && who.IsTeam() {
			e, entered = season.PlayOffs[i-1].EntryOf(t, who)
		}
		if !entered || e.Status != tournament.Active || t.Status.IsOver() {
			continue
		}
		err = a.inEvent(tx, id, kernel.Step{By: by, Act: tournament.ActWithdraw}, func(t *tournament.Tournament) error {
			return entries.WithdrawIn(tx, t, by, e.ID)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Appeal objects to a sanction of the viewer's.
func (a *Office) Appeal(ctx context.Context, by player.Viewer, id league.ID, n league.SanctionID, text string) error {
	_, err := a.change(ctx, by, id, func(_ *store.Tx, l *league.League, me league.Actor) error { return l.Appeal(me, n, text, a.Now()) },
		func(tx *store.Tx, l *league.League) error {
			return a.Notify(tx, notice.Notice{To: l.Organizer, Kind: notice.LeagueAppeal, URL: Path(l.ID) + "#sanctions",
				Key: fmt.Sprint(l.ID, "/appeal/", n), Args: map[string]string{"League": l.Settings.Name, "By": string(by.Handle)}})
		})
	return err
}

// DecideAppeal lifts a sanction, or lets it stand.
func (a *Office) DecideAppeal(ctx context.Context, by player.Viewer, id league.ID, n league.SanctionID, lift bool, text string) error {
	_, err := a.change(ctx, by, id, func(_ *store.Tx, l *league.League, me league.Actor) error {
		return l.DecideAppeal(me, n, lift, text, a.Now())
	}, nil)
	return err
}

// Sweep publishes drafts whose time has come, offers places that are due and starts placed seasons at their time. Every node may call it at any pace.
func (a *Office) Sweep(ctx context.Context) error {
	return kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "league", Trouble: "league not settled"}, func(tx *store.Tx) ([]league.ID, error) {
		return tx.DueLeagues(a.Now(), kernel.SweepSize)
	}, func(ctx context.Context, id league.ID) error {
		l, err := a.change(ctx, player.Viewer{}, id, nil, nil)
		if err != nil {
			return err
		}
		if s := l.Now(); s.State == league.Open && !s.PublishAt.IsZero() && !a.Now().Before(s.PublishAt) {
			return a.publishDue(ctx, id)
		} else if s.State == league.Placed && !a.Now().Before(s.Starts) {
			return a.Begin(ctx, player.Viewer{}, id)
		}
		return nil
	})
}
