package events

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/series"
	"chpok.org/chpok/tournament/setting"
)

// SeriesZone is the time zone of a series, series.ErrZone without one of that name.
func SeriesZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, series.ErrZone
	}
	return zone, nil
}

// withTemplate copies the settings of a tournament as the template for every date.
func withTemplate(tx *store.Tx, by player.Viewer, of club.ID, s *series.Settings, id tournament.ID) error {
	t, err := tx.Tournament(id)
	if errors.Is(err, store.ErrNotFound) {
		return series.ErrTemplate
	}
	if err != nil {
		return err
	}
	if t.ClubID != of || !t.MaySee(by) {
		return series.ErrTemplate
	}
	s.Template, s.Origin = t.Settings, t.CreatedAt
	switch {
	case t.Pace == tournament.Times && len(t.Times) > 0:
		s.Origin = t.Times[0]
	case !t.StartedAt.IsZero():
		s.Origin = t.StartedAt
	}
	return nil
}

// hideMaster makes a draft of a tournament that is nothing but the template of a series: open for entries, with nobody in it
// and no time, it would stand beside the dates as one event more.
func (a *Office) hideMaster(tx *store.Tx, by player.Viewer, id tournament.ID, name string) error {
	t, err := tx.Tournament(id)
	if err != nil {
		return err
	}
	if t.Status != tournament.Registration || len(t.Entries) > 0 || !t.StartsAt().IsZero() || !t.May(by, tournament.ActHide) {
		return nil
	}
	after := t.Clone()
	if err := after.Hide(by); err != nil {
		return err
	}
	return a.Save(tx, t, after, by, ledger.Deed{At: a.Now(), By: by.ID, Act: tournament.ActHide, Reason: name})
}

// CreateSeries makes a series of a club whose dates follow a tournament of the club. See hideMaster.
func (a *Office) CreateSeries(ctx context.Context, by player.Viewer, of club.ID, s series.Settings,
	like tournament.ID) (series.ID, error) {
	s.Name = player.Tidy(s.Name)
	zone, err := SeriesZone(s.Zone)
	if err != nil {
		return "", errors.Join(err, s.Validate())
	}
	var n *series.Series
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := assurance.MayInClub(tx, by, of, club.ActHold); err != nil {
			return err
		}
		if err := errors.Join(withTemplate(tx, by, of, &s, like), s.Validate()); err != nil {
			return err
		}
		if n, err = series.New(series.ID(store.NewID()), of, by.ID, s, zone, a.Now()); err != nil {
			return err
		}
		due, _ := n.DueAt(zone)
		if err := tx.AddSeries(n, due); err != nil {
			return err
		}
		return a.hideMaster(tx, by, like, s.Name)
	})
	if err != nil {
		return "", err
	}
	return n.ID, a.announce(ctx, n.ID)
}

// changeSeries reads a series, lets f change it, and writes the difference; if another
// change came first, it starts over. See kernel.OfClub.
func (a *Office) changeSeries(ctx context.Context, id series.ID, d kernel.ClubStep,
	f func(*store.Tx, *series.Series, *time.Location) error) error {
	return a.InTurn(ctx, string(id), func() error {
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			before, err := tx.Series(id)
			if err != nil {
				return err
			}
			if err := assurance.MayInClub(tx, d.By, before.Club, club.ActHold); err != nil {
				return err
			}
			zone, err := SeriesZone(before.Zone)
			if err != nil {
				return err
			}
			part := kernel.ClubStep{By: d.By, Club: before.Club, Part: "series/" + string(id) + d.Part, Act: d.Act}
			return a.OfClub(tx, part, func() error {
				after := before.Clone()
				if err := f(tx, after, zone); err != nil {
					return err
				}
				return saveSeries(tx, before, after)
			})
		})
	})
}

func saveSeries(tx *store.Tx, before, after *series.Series) error {
	zone, err := SeriesZone(after.Zone)
	if err != nil {
		return err
	}
	due, _ := after.DueAt(zone)
	return tx.SaveSeries(before, after, due)
}

// ChangeSeries replaces the settings of a series; with an empty like the template stays.
// Announced dates stay as they are.
func (a *Office) ChangeSeries(ctx context.Context, by player.Viewer, id series.ID, s series.Settings, like tournament.ID) error {
	s.Name = player.Tidy(s.Name)
	if _, err := SeriesZone(s.Zone); err != nil {
		return errors.Join(err, s.Validate())
	}
	err := a.changeSeries(ctx, id, kernel.ClubStep{By: by, Act: "series"}, func(tx *store.Tx, n *series.Series, _ *time.Location) error {
		s.Template, s.Origin = n.Template, n.Origin
		if like != "" {
			if err := withTemplate(tx, by, n.Club, &s, like); err != nil {
				return err
			}
			if err := a.hideMaster(tx, by, like, s.Name); err != nil {
				return err
			}
		}
		return n.Change(s)
	})
	if err != nil {
		return err
	}
	return a.announce(ctx, id)
}

// SkipDate leaves out a date of a series, or takes it in again.
func (a *Office) SkipDate(ctx context.Context, by player.Viewer, id series.ID, day series.Day, skip bool) error {
	return a.changeSeries(ctx, id, kernel.ClubStep{By: by, Part: "/" + string(day), Act: "skip"},
		func(_ *store.Tx, n *series.Series, zone *time.Location) error {
			return n.Skip(day, skip, zone)
		})
}

// EndSeries ends a series: nothing more is announced.
func (a *Office) EndSeries(ctx context.Context, by player.Viewer, id series.ID) error {
	return a.changeSeries(ctx, id, kernel.ClubStep{By: by, Act: "end"},
		func(_ *store.Tx, n *series.Series, _ *time.Location) error { return n.End(a.Now()) })
}

// mostDates is how many dates of a series one pass decides; after a long outage the rest
// is for the next pass.
const mostDates = 100

// announce decides the dates of a series that are due. Each becomes a tournament in the
// transaction that notes it, so once, however many nodes try.
func (a *Office) announce(ctx context.Context, id series.ID) error {
	for range mostDates {
		more, err := a.announceNext(ctx, id)
		if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrTaken) {
			return nil // another node is at it
		}
		if err != nil || !more {
			return err
		}
	}
	return nil
}

func (a *Office) announceNext(ctx context.Context, id series.ID) (more bool, err error) {
	var opened *tournament.Tournament
	if _, err := a.SiteKey(ctx); err != nil { // makes the key on first use, so not inside the write below
		return false, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		before, err := tx.Series(id)
		if err != nil {
			return err
		}
		zone, err := SeriesZone(before.Zone)
		if err != nil {
			return err
		}
		o, status, due := before.Decide(zone, a.Now())
		more = due
		if !due {
			return nil
		}
		opened = nil
		if status == series.Announced {
			opened, err = a.eventOf(tx, before, o, zone)
			switch {
			case errors.Is(err, setting.ErrSettings), errors.Is(err, errNobody):
				a.Log.Error("date of a series not held", "series", id, "day", o.Day, "err", err)
				opened, status = nil, series.Missed
			case err != nil:
				return err
			}
		}
		after := before.Clone()
		var made tournament.ID
		if opened != nil {
			made = opened.ID
			if err := a.Promise(ctx, opened); err != nil {
				return err
			}
			if err := tx.AddTournament(opened, kernel.Step{Act: tournament.ActCreate, Reason: before.Name}.Deed(opened, a.Now())); err != nil {
				return err
			}
		}
		after.Record(o, status, made)
		return saveSeries(tx, before, after)
	})
	if err == nil && opened != nil {
		a.Nudge(opened)
	}
	return more, err
}

// errNobody stops a date of a club whose members have all left.
var errNobody = errors.New("arbiter: the club has no members left")

// eventOf is the tournament of one date, open for entries. It belongs to whoever made the
// series, or to the club's first owner if that person may no longer hold events there.
func (a *Office) eventOf(tx *store.Tx, s *series.Series, o series.Occurrence, zone *time.Location) (*tournament.Tournament, error) {
	settings := s.Event(o, zone)
	if err := CheckSettings(settings); err != nil {
		return nil, err
	}
	members, err := tx.Members(s.Club) // owners first
	if err != nil {
		return nil, err
	}
	if len(members) == 0 {
		return nil, errNobody
	}
	organizer := members[0].Player
	if slices.ContainsFunc(members, func(m club.Membership) bool {
		return m.Player == s.Organizer && club.Allows(m.Role, club.ActHold)
	}) {
		organizer = s.Organizer
	}
	t, err := tournament.New(tournament.ID(store.NewID()), organizer, settings, a.Now())
	if err != nil {
		return nil, err
	}
	by, now := kernel.Plainly(organizer), a.Now()
	if err := t.OpenRegistration(by, now); err != nil {
		return nil, err
	}
	if settings.Pace.OpensByItself() && o.At.After(now) { // so that lists and calendars tell when it is
		return t, t.Postpone(by, 1, o.At, false, now)
	}
	return t, nil
}

// SweepSeries announces the dates that are due and starts what is to start by itself.
func (a *Office) SweepSeries(ctx context.Context) error {
	return errors.Join(
		kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "series", Trouble: "dates not announced"},
			func(tx *store.Tx) ([]series.ID, error) { return tx.DueSeries(a.Now(), kernel.SweepSize) }, a.announce),
		kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "tournament", Trouble: "not started"},
			func(tx *store.Tx) ([]tournament.ID, error) { return tx.DueStarts(a.Now(), kernel.SweepSize) }, a.startByItself))
}

// startByItself starts a tournament of a series that is due. What the rulebook refuses,
// or comes too late, is left to the organizer.
func (a *Office) startByItself(ctx context.Context, id tournament.ID) error {
	at, err := store.Get(ctx, a.Store, func(tx *store.Tx) (time.Time, error) { return tx.StartAt(id) })
	if err != nil || at.IsZero() {
		return err
	}
	isStarted := false
	if !a.Now().After(at.Add(series.StartPatience)) {
		t, err := a.Apply(ctx, id, kernel.Change{
			Step: kernel.Step{Act: tournament.ActStart},
			Judge: func(t *tournament.Tournament) error {
				d, err := a.NextDraw(ctx, t)
				if err != nil {
					return err
				}
				return t.Start(kernel.Plainly(firstOwner(t)), tables.DrawingFrom(d), a.Now())
			},
		})
		if err == nil {
			err = a.rounds.OpenIfDue(ctx, t)
		}
		if errors.Is(err, store.ErrConflict) || ctx.Err() != nil {
			return err // again with the next sweep
		}
		isStarted = t != nil
		if err != nil {
			a.Log.Info("a tournament does not start by itself", "tournament", id, "err", err)
		}
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DropStart(id); err != nil || isStarted {
			return err
		}
		t, err := tx.Tournament(id)
		if err != nil || t.Status >= tournament.Running {
			return err
		}
		return a.Notify(tx, notice.Notice{
			To: firstOwner(t), Kind: notice.NotStarted, Key: fmt.Sprint(id, "/", at.Unix()), URL: kernel.TournamentPath(id), When: at, Zone: t.Zone,
			Args: map[string]string{"Tournament": t.Name},
		})
	})
}

// firstOwner is the person in whose name the site acts at a time that staff have set.
func firstOwner(t *tournament.Tournament) player.ID {
	for _, m := range t.Staff {
		if m.Duty == tournament.Owner && !m.Invited {
			return m.Player
		}
	}
	return t.Organizer
}
