package arbiter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
)

// occasion is something to come that players are reminded of.
type occasion struct {
	subject string
	moment  time.Time
	// lead is how long before the moment everybody is told; zero: as each has chosen.
	lead time.Duration
	// notices go to everybody concerned; Key, When and Until are filled in.
	notices func(*store.Tx) ([]notice.Notice, error)
}

// Remind reminds players of what is near: rounds, appointments, deadlines, expiring
// challenges, their turn in slow matches. Late rather than never, but not of what has
// begun, and once, however many nodes do it.
func (a *Arbiter) Remind(ctx context.Context) error {
	now := a.Now()
	var list []occasion
	var given map[store.Reminder]bool
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if given, err = tx.Reminded(now); err != nil {
			return err
		}
		for _, find := range []func(*store.Tx, time.Time) ([]occasion, error){inTournaments, laddersToCome, challengesToExpire, slowTurns,
			stewardsToRemind} {
			found, err := find(tx, now)
			if err != nil {
				return err
			}
			list = append(list, found...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var failed []error
	for _, o := range list {
		if fresh := o.fresh(given, now); len(fresh) > 0 {
			err := a.remind(ctx, o, fresh)
			if err != nil && !errors.Is(err, store.ErrConflict) { // another node was quicker
				failed = append(failed, fmt.Errorf("remind of %s: %w", o.subject, err))
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.Join(failed...)
}

// fresh are the leads that are due and were not used yet.
func (o occasion) fresh(given map[store.Reminder]bool, now time.Time) []time.Duration {
	due := notice.DueLeads(o.moment, now)
	if o.lead > 0 {
		due = nil
		if !now.Before(o.moment.Add(-o.lead)) && now.Before(o.moment) {
			due = []time.Duration{o.lead}
		}
	}
	var fresh []time.Duration
	for _, lead := range due {
		if !given[store.Reminder{Subject: o.subject, Moment: o.moment, Lead: lead}] {
			fresh = append(fresh, lead)
		}
	}
	return fresh
}

func (a *Arbiter) remind(ctx context.Context, o occasion, fresh []time.Duration) error {
	marks := make([]store.Reminder, len(fresh))
	for i, lead := range fresh {
		marks[i] = store.Reminder{Subject: o.subject, Moment: o.moment, Lead: lead}
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddReminders(marks); err != nil {
			return err
		}
		all, err := o.notices(tx)
		if err != nil {
			return err
		}
		ids := make([]player.ID, len(all))
		for i, n := range all {
			ids[i] = n.To
		}
		leads, err := tx.Leads(ids...)
		if err != nil {
			return err
		}
		var list []notice.Notice
		for _, n := range all {
			lead, wanted := o.lead, true
			if o.lead == 0 {
				lead, wanted = leads[n.To].Of(fresh)
			}
			if !wanted {
				continue
			}
			n.Key = fmt.Sprint(o.subject, "/", o.moment.Unix(), "/", int64(lead/time.Minute))
			n.When, n.Until = o.moment, o.moment
			list = append(list, n)
		}
		return a.Notify(tx, list...)
	})
}

// shortBreak is a break between rounds during which players stay.
const shortBreak = time.Hour

// inTournaments are the occasions of tournaments, each of which is read once.
func inTournaments(tx *store.Tx, now time.Time) (out []occasion, err error) {
	ids, err := tx.TimedTournaments()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		t, err := tx.Tournament(id)
		if err != nil {
			return nil, err
		}
		out = slices.Concat(out, roundsToCome(t, now), fixturesToCome(t, now))
	}
	return out, nil
}

// roundsToCome are the timed rounds within the longest lead, and their check-ins.
func roundsToCome(t *tournament.Tournament, now time.Time) (out []occasion) {
	if w, known := t.CheckInWindow(); known && !w.Closes.IsZero() {
		out = append(out, occasion{
			subject: fmt.Sprint("check-in/", t.ID, "/", w.Round), moment: w.Closes, lead: w.Closes.Sub(w.Opens),
			notices: func(*store.Tx) ([]notice.Notice, error) { return checkInOpen(t, w.Round), nil },
		})
	}
	if t.Pace == tournament.Auto && t.Break < shortBreak {
		return out // everybody is there
	}
	for n := len(t.Rounds) + 1; n <= tournament.MaxRounds; n++ {
		if moment, known := t.RoundAt(n); known && moment.After(now) && moment.Sub(now) <= notice.MaxLead {
			out = append(out, occasion{
				subject: fmt.Sprint("round/", t.ID, "/", n), moment: moment,
				notices: func(*store.Tx) ([]notice.Notice, error) { return roundSoon(t, n), nil },
			})
		}
	}
	return out
}

// checkInOpen is for those who have not checked in yet: of teams, for their captains.
func checkInOpen(t *tournament.Tournament, round int) []notice.Notice {
	var out []notice.Notice
	for _, e := range t.Sides() {
		if !kernel.IsExpected(e, round) || t.IsPresent(e, round) {
			continue
		}
		to := e.Heads()
		if !t.HasTeams() {
			to = []player.ID{e.Player}
		}
		for _, id := range to {
			out = append(out, notice.Notice{To: id, Kind: notice.CheckIn, URL: kernel.TournamentPath(t.ID),
				Args: map[string]string{"Tournament": t.Name}})
		}
	}
	return out
}

func roundSoon(t *tournament.Tournament, round int) []notice.Notice {
	var out []notice.Notice
	for _, e := range t.Players() {
		if kernel.IsExpected(e, round) {
			out = append(out, notice.Notice{
				To: e.Player, Kind: notice.RoundSoon, URL: kernel.TournamentPath(t.ID),
				Args: map[string]string{"Tournament": t.Name, "Round": strconv.Itoa(round)},
			})
		}
	}
	return out
}

// fixturesToCome are the matches that players of tournaments arrange: those without a time when half and four fifths of the time
// to play them are over, the agreed ones, and disputes that will be decided without anybody.
func fixturesToCome(t *tournament.Tournament, now time.Time) (out []occasion) {
	for _, x := range t.FixturesOf(0) {
		o := occasion{subject: fmt.Sprint("fixture/", t.ID, "/", x.Round, "/", x.Board, "/", x.Fixture.Status), moment: x.Fixture.Due}
		switch x.Fixture.Status {
		case fixture.Arranging:
			whole := x.Fixture.PlayBy.Sub(t.Rounds[x.Round-1].OpenedAt)
			o.moment, o.lead = x.Fixture.PlayBy, whole/2
			if last := whole / 5; !now.Before(o.moment.Add(-last)) {
				o.lead = last // whoever was told of neither is told once
			}
		case fixture.Scheduled:
			o.moment = x.Fixture.At
			if o.moment.Sub(now) > notice.MaxLead {
				continue
			}
		case fixture.Disputed:
			o.lead = notice.DisputeLead
		default:
			continue
		}
		o.notices = func(*store.Tx) ([]notice.Notice, error) { return fixtureReminders(t, x, now), nil }
		out = append(out, o)
	}
	return out
}

func fixtureReminders(t *tournament.Tournament, x tournament.FixtureRef, now time.Time) (out []notice.Notice) {
	add := func(to player.ID, kind notice.Kind, of, said string) {
		out = append(out, notice.Notice{To: to, Kind: kind, URL: kernel.FixturePath(t.ID, x.Round, x.Board), Zone: t.Zone,
			Args: map[string]string{"Tournament": t.Name, "Ladder": t.Name, "Opponent": of, "By": of, "Case": said}})
	}
	for _, seat := range match.Seats {
		us, err := t.Entry(x.EntryAt(seat))
		them, err2 := t.Entry(x.EntryAt(seat.Other()))
		if err != nil || err2 != nil {
			continue
		}
		has := func(id tournament.EntryID) bool {
			return slices.ContainsFunc(x.Fixture.Times, func(p fixture.Proposal[tournament.EntryID]) bool { return p.By == id && p.At.After(now) })
		}
		switch x.Fixture.Status {
		case fixture.Scheduled:
			add(us.Player, notice.AppointmentSoon, them.Name, "")
		case fixture.Disputed:
			if x.Fixture.Winner == us.ID || x.Fixture.Winner == 0 && seat == match.First {
				for _, id := range t.JudgesOf(tournament.ActResult, x.Round, x.Board) {
					add(id, notice.LadderDispute, them.Name, "")
				}
			}
		case fixture.Arranging:
			said := "propose"
			switch {
			case has(them.ID):
				said = "answer"
			case has(us.ID):
				said = "wait"
			}
			add(us.Player, notice.TimeWanted, them.Name, said)
		}
	}
	return out
}

// laddersToCome are appointments, and deadlines by which somebody has to act.
func laddersToCome(tx *store.Tx, now time.Time) ([]occasion, error) {
	duties, err := tx.RunningLadderChallenges()
	if err != nil {
		return nil, err
	}
	var out []occasion
	for _, d := range duties {
		c := d.Challenge
		if c.IsPaused() {
			continue
		}
		o := occasion{subject: fmt.Sprint("ladder/", d.Ref.Ladder, "/", c.Number, "/", c.Status), moment: c.Due, lead: notice.DeadlineLead}
		kind, to := notice.LadderDeadline, []player.ID{c.Challenger, c.Defender}
		switch c.Status {
		case fixture.Scheduled:
			kind, o.moment, o.lead = notice.AppointmentSoon, c.At, 0
		case ladder.Proposed:
			to = to[1:]
			o.lead = min(o.lead, c.Due.Sub(c.SentAt)/2)
		case fixture.Arranging:
		case fixture.Disputed:
			kind, to, o.lead = notice.LadderDispute, nil, notice.DisputeLead
		default:
			continue
		}
		if o.moment.Sub(now) > notice.MaxLead {
			continue
		}
		o.notices = func(tx *store.Tx) ([]notice.Notice, error) { return ladderReminders(tx, d, kind, to) }
		out = append(out, o)
	}
	return out, nil
}

func ladderReminders(tx *store.Tx, d store.LadderDuty, kind notice.Kind, to []player.ID) ([]notice.Notice, error) {
	l, err := tx.Ladder(d.Ref.Ladder)
	if err != nil {
		return nil, err
	}
	who, err := tx.Players(d.Challenge.Challenger, d.Challenge.Defender)
	if err != nil {
		return nil, err
	}
	var out []notice.Notice
	add := func(id, other player.ID) {
		handle := string(who[other].Handle)
		out = append(out, notice.Notice{To: id, Kind: kind, URL: kernel.LadderChallengePath(d.Ref.Ladder, d.Ref.Number),
			Args: map[string]string{"Ladder": l.Settings.Name, "Opponent": handle, "By": handle}})
	}
	for _, id := range to {
		add(id, d.Challenge.Opponent(id))
	}
	if kind == notice.LadderDispute { // by whoever would lose
		add(l.Organizer, d.Challenge.Opponent(d.Challenge.Winner))
	}
	return out, nil
}

// challengesToExpire are the challenges that wait for an answer and will soon expire.
func challengesToExpire(tx *store.Tx, now time.Time) ([]occasion, error) {
	list, err := tx.ExpiringChallenges(now, now.Add(notice.ExpiryLead))
	if err != nil {
		return nil, err
	}
	var out []occasion
	for _, c := range list {
		if c.Expires.Sub(c.Created) >= 4*notice.ExpiryLead {
			out = append(out, occasion{
				subject: "challenge/" + string(c.ID), moment: c.Expires, lead: notice.ExpiryLead,
				notices: func(tx *store.Tx) ([]notice.Notice, error) { return challengeExpiring(tx, c) },
			})
		}
	}
	return out, nil
}

func challengeExpiring(tx *store.Tx, c challenge.Challenge) ([]notice.Notice, error) {
	by, err := tx.Player(c.Challenger)
	return []notice.Notice{{To: c.Opponent, Kind: notice.ChallengeExpiring, URL: kernel.ChallengePath(c.ID),
		Args: map[string]string{"By": string(by.Handle)}}}, err
}

// slowTurns are turns in matches slow enough to leave alone: told once when the turn
// begins, and once more before the time is up.
func slowTurns(tx *store.Tx, now time.Time) ([]occasion, error) {
	matches, err := tx.SlowTurns(now)
	if err != nil {
		return nil, err
	}
	var out []occasion
	for _, h := range matches {
		whole := h.Deadline.Sub(h.LastAt)
		add := func(kind notice.Kind, lead time.Duration) {
			out = append(out, occasion{
				subject: fmt.Sprint(kind.Name(), "/", h.ID), moment: h.Deadline, lead: lead,
				notices: func(tx *store.Tx) ([]notice.Notice, error) { return turn(tx, h, kind) },
			})
		}
		add(notice.Turn, whole-notice.TurnWait)
		if whole >= 2*notice.TurnLead {
			add(notice.TurnSoon, notice.TurnLead)
		}
	}
	return out, nil
}

func turn(tx *store.Tx, h store.Head, kind notice.Kind) ([]notice.Notice, error) {
	names, err := tx.NamesIn(h)
	return []notice.Notice{{To: h.Players[h.ToAct.Index()], Kind: kind, URL: kernel.MatchPath(h.ID),
		Args: map[string]string{"Opponent": names[h.ToAct.Other().Index()]}}}, err
}

// stewardsToRemind are finished matches that wait for a steward to sign.
func stewardsToRemind(tx *store.Tx, now time.Time) ([]occasion, error) {
	ids, err := tx.UnsignedWatches(now.Add(-fairplay.SignWithin))
	if err != nil {
		return nil, err
	}
	var out []occasion
	for _, id := range ids {
		t, err := tx.Tournament(id)
		if err != nil {
			return nil, err
		}
		duties, err := assurance.DutiesOf(tx, t, "")
		if err != nil {
			return nil, err
		}
		for _, d := range duties {
			if d.IsDone() || d.Head.Status != match.Over || d.Watch.Steward == "" {
				continue
			}
			until := d.Head.LastAt.Add(fairplay.SignWithin)
			e := d.Entry
			e.Steward = d.Watch.Steward
			for _, lead := range [...]time.Duration{fairplay.SignWithin - 15*time.Minute, 3 * time.Hour} {
				out = append(out, occasion{
					subject: fmt.Sprint("sign/", d.Head.ID, "/", d.Seat), moment: until, lead: lead,
					notices: func(*store.Tx) ([]notice.Notice, error) {
						return []notice.Notice{judges.StewardNotice(t, e, "", kernel.StewardPath(t.ID))}, nil
					},
				})
			}
		}
	}
	return out, nil
}
