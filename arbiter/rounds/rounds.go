package rounds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/format"
)

// Start ends the registration, and opens a first round that opens by itself.
func (a *Office) Start(ctx context.Context, by player.Viewer, id tournament.ID) error {
	t, err := a.Apply(ctx, id, kernel.Change{
		Step: kernel.Step{By: by, Act: tournament.ActStart},
		Judge: func(t *tournament.Tournament) error {
			return a.start(ctx, by, t)
		},
	})
	if err != nil {
		return err
	}
	return a.OpenIfDue(ctx, t)
}

func (a *Office) start(ctx context.Context, by player.Viewer, t *tournament.Tournament) error {
	d, err := a.NextDraw(ctx, t)
	if err != nil {
		return err
	}
	return t.Start(by, tables.DrawingFrom(d), a.Now())
}

// Open pairs and opens the next round now, without a draft.
func (a *Office) Open(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.openBy(ctx, by, id, tournament.ActPair)
}

// Draft pairs the next round for staff to look at.
func (a *Office) Draft(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.openBy(ctx, by, id, tournament.ActDraft)
}

// Publish opens the drafted round now.
func (a *Office) Publish(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.openBy(ctx, by, id, tournament.ActPublish)
}

func (a *Office) openBy(ctx context.Context, by player.Viewer, id tournament.ID, act tournament.Act) error {
	return a.openAs(ctx, id, nil, func(t *tournament.Tournament) error { return mayOpen(t, by, act) }, kernel.Step{By: by, Act: act})
}

// mayOpen returns nil, or why the viewer cannot draft, publish or open the next round now.
func mayOpen(t *tournament.Tournament, by player.Viewer, act tournament.Act) error {
	switch {
	case !t.May(by, act):
		return tournament.ErrNotAllowed
	case act != tournament.ActPublish:
		return t.MayPair()
	case t.Draft == nil:
		return tournament.ErrNoDraft
	}
	return nil
}

// errNotDue stops the opening of a round that another node has opened.
var errNotDue = errors.New("arbiter: not due")

// OpenIfDue opens rounds as long as the next one is due, as a round of rests only is over at
// once. A draft is published at its time; if staff review pairings, a round that is due is only
// drafted. A field that cannot be paired is not an error here: the tournament shows it.
func (a *Office) OpenIfDue(ctx context.Context, t *tournament.Tournament) error {
	if !t.Format.InRounds() {
		return a.StepArena(ctx, t.ID)
	}
	if at, runs := t.DecidedAt(); runs && !at.After(a.Now()) {
		return a.closeBoards(ctx, t)
	}
	if next, due := t.NextFixtureAt(); due && !next.After(a.Now()) {
		return a.settleFixtures(ctx, t.ID)
	}
	if len(t.Awaited()) > 0 {
		return a.openBoardsIfDue(ctx, t)
	}
	if next, due := t.NextRoundAt(); !due || next.After(a.Now()) {
		return nil
	}
	if given, err := a.giveBack(ctx, t); err != nil || given {
		return err // the next sweep opens it
	}
	d := kernel.Step{Act: tournament.ActPair}
	switch {
	case t.Draft != nil:
		d.Act = tournament.ActPublish
	case t.Review:
		d.Act = tournament.ActDraft
	}
	err := a.openAs(ctx, t.ID, t, func(t *tournament.Tournament) error {
		if next, due := t.NextRoundAt(); !due || t.Stuck != "" || next.After(a.Now()) {
			return errNotDue
		}
		if (t.Draft != nil) != (d.Act == tournament.ActPublish) {
			return errNotDue // somebody has drafted, or published, meanwhile
		}
		return nil
	}, d)
	if errors.Is(err, errNotDue) || errors.Is(err, tournament.ErrNoPairing) || doesNotFit(err) {
		return nil
	}
	return err
}

// doesNotFit reports whether a draft waits for staff to pair it again.
func doesNotFit(err error) bool {
	return errors.Is(err, tournament.ErrDraftUnfit) || errors.Is(err, tournament.ErrDraftStale) || errors.Is(err, tournament.ErrDraftBroken)
}

// openAs pairs outside any transaction, then writes the round, its matches and their first
// events in one. ActPublish opens the existing draft, ActPair pairs now, and ActDraft stops
// at the draft. If known is not nil, it is tried first as it was read: the guard of the write notices if it has changed.
func (a *Office) openAs(ctx context.Context, id tournament.ID, known *tournament.Tournament, may func(*tournament.Tournament) error,
	d kernel.Step) error {
	var x *opening
	err := a.InTurn(ctx, string(id), func() error {
		before := known
		known = nil
		if before == nil {
			var err error
			if before, err = a.Tournament(ctx, id); err != nil {
				return err
			}
		}
		var err error
		x, err = a.judged(ctx, before, may, d)
		switch {
		case errors.Is(err, tournament.ErrNoPairing), doesNotFit(err) && !d.By.IsSignedIn():
			return errors.Join(err, a.markStuck(ctx, before, err))
		case err != nil:
			return err
		}
		return a.WriteAll(ctx, x.Judged)
	})
	if errors.Is(err, kernel.ErrSame) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.goOn(ctx, x)
}

// opening is a start or a round, judged and perhaps written.
type opening struct {
	kernel.Judged
	opened []match.ID // once it is written
}

// judged starts a tournament, or drafts or opens its next round, without writing anything.
func (a *Office) judged(ctx context.Context, before *tournament.Tournament, may func(*tournament.Tournament) error,
	d kernel.Step) (x *opening, err error) {
	var boards []tournament.Pairing // that open
	var input string                // of the pairing; empty: none is kept
	x = &opening{}
	x.Judged, err = a.Judged(ctx, before, kernel.Change{Step: d, Judge: func(t *tournament.Tournament) (err error) {
		if err := may(t); err != nil {
			return err
		}
		switch {
		case d.Act == tournament.ActStart:
			return a.start(ctx, d.By, t)
		case !t.Format.InRounds():
			return arena.Open(t, a.Now())
		}
		if boards, input, err = a.pair(ctx, t, d); err == nil && d.Act != tournament.ActDraft {
			t.Conclude(a.Now()) // all boards may be decided at once
		}
		return err
	}, Also: func(tx *store.Tx, t *tournament.Tournament) (err error) {
		x.opened = nil
		if len(boards) > 0 {
			x.opened, err = a.OpenBoards(tx, t, boards)
		}
		return err
	}, Then: func(tx *store.Tx, t *tournament.Tournament) error {
		if input == "" {
			return nil
		}
		return tx.SetRoundInput(t.ID, len(t.Rounds), input)
	}})
	return x, err
}

// goOn does what follows once openings are written.
func (a *Office) goOn(ctx context.Context, list ...*opening) error {
	var opened []match.ID
	for _, x := range list {
		opened = append(opened, x.opened...)
	}
	if len(opened) > 0 {
		if err := a.Live.Opened(ctx, opened...); err != nil {
			return err
		}
	}
	for _, x := range list {
		switch {
		case x.Act == tournament.ActDraft:
			continue
		case x.After.Status.IsOver():
			if err := a.ratings.Rate(ctx, x.After.ID); err != nil {
				return err
			}
			continue
		}
		if err := a.OpenIfDue(ctx, x.After); err != nil {
			return err
		}
	}
	return nil
}

// pair drafts or opens the next round of t, without writing anything. It returns the boards that open, and the input
// of the pairing, empty where none is kept.
func (a *Office) pair(ctx context.Context, t *tournament.Tournament, d kernel.Step) (boards []tournament.Pairing, input string, err error) {
	n := len(t.Rounds) + 1
	t.Stuck = ""
	if err := a.leaveOut(ctx, t); err != nil {
		return nil, "", err
	}
	if t.Rolls() && d.Act != tournament.ActDraft {
		boards := t.Roll(kernel.NewMatchID, a.Now(), d.By.IsSignedIn())
		if d.By.IsSignedIn() && len(boards) == 0 {
			return nil, "", tournament.ErrRolling
		}
		return boards, "", nil
	}
	if d.Act != tournament.ActPublish {
		if err := a.seatElsewhere(ctx, t); err != nil {
			return nil, "", err
		}
		if err := t.DraftNext(format.System(&t.Table), d.By.ID, a.Now()); err != nil {
			return nil, "", fmt.Errorf("pair round %d: %w", n, err)
		}
	}
	if d.Act == tournament.ActDraft {
		return nil, "", nil
	}
	if t.Draft == nil {
		return nil, "", tournament.ErrNoDraft
	}
	field := t.PairingField()
	if t.Draft.Edited {
		field = t.DraftField(t.Draft)
	}
	if input, err = tables.Report(&t.Table, format.System(&t.Table), field); err != nil {
		return nil, "", fmt.Errorf("input of round %d: %w", n, err)
	}
	named, err := a.handedIn(ctx, t, n)
	if err != nil {
		return nil, "", err
	}
	round, err := t.Publish(format.System(&t.Table), named, kernel.NewMatchID, a.Now())
	if err != nil {
		return nil, "", fmt.Errorf("open round %d: %w", n, err)
	}
	return round.Pairings, input, nil
}

// OpenBoards opens the matches of boards that have one, under the tournament's policy and with
// what is known of the players.
func (a *Office) OpenBoards(tx *store.Tx, t *tournament.Tournament, boards []tournament.Pairing) (opened []match.ID, err error) {
	watched, err := assurance.WatchedBy(tx, t.ID)
	if err != nil {
		return nil, err
	}
	excluded, err := a.excludedFrom(tx, t)
	if err != nil {
		return nil, err
	}
	asks := t.Policy
	if len(watched) > 0 {
		asks = asks.Watched() // also where the event itself asks for nothing
	}
	behind, err := a.assurance.BackingOf(tx, asks, playersOn(t, boards)...)
	if err != nil {
		return nil, err
	}
	for _, p := range boards {
		if p.Match == "" {
			continue
		}
		o := live.Opening{ID: p.Match, Options: t.OptionsOn(p), Policy: t.Policy, Place: t.ID.Place()}
		o.Options.Extra = ratings.ExtraChips(t, p)
		if p.Fixture != nil {
			o.Options.Lateness += p.Fixture.Early(a.Now())
		}
		var in [2]assurance.Admitted
		for _, seat := range match.Seats {
			e, err := t.Entry(p.EntryAt(seat))
			if err != nil {
				return nil, err
			}
			o.Players[seat.Index()], in[seat.Index()] = e.Player, assurance.Admitted{Waived: e.Waived, Unheard: unheardOn(t, p, seat)}
		}
		if excluded[o.Players[0]] || excluded[o.Players[1]] {
			return nil, ErrKeptOut
		}
		if watch := [2]bool{watched[o.Players[0]], watched[o.Players[1]]}; !o.Policy.OrOpen().Steward && (watch[0] || watch[1]) {
			o.Policy = o.Policy.Watched()
			for i := range in {
				if !watch[i] {
					in[i].Waived = append(slices.Clone(in[i].Waived), fairplay.DemandSteward)
				}
			}
		}
		if err := a.assurance.OpenMatch(tx, o, behind, in); err != nil {
			return nil, err
		}
		opened = append(opened, p.Match)
	}
	return opened, a.noteNeighbours(tx, t, boards)
}

// playersOn returns the accounts that play on boards.
func playersOn(t *tournament.Tournament, boards []tournament.Pairing) (ids []player.ID) {
	for _, p := range boards {
		for _, id := range [...]tournament.EntryID{p.First, p.Second} {
			if e, err := t.Entry(id); err == nil && e.Player != "" {
				ids = append(ids, e.Player)
			}
		}
	}
	return ids
}

// unheardOn returns people whose attestations do not count for whoever has a seat at a board: the only arbiter, and in a
// match of teams those who act for the other one.
func unheardOn(t *tournament.Tournament, p tournament.Pairing, seat match.Seat) []player.ID {
	ids := t.OnlyArbiter()
	if them, err := t.Entry(t.SideOf(p.EntryAt(seat.Other()))); err == nil && t.IsTeam(them) {
		ids = slices.Concat(ids, them.Heads())
	}
	return ids
}

// ErrKeptOut refuses to seat somebody who may not play at the tournament's level now.
var ErrKeptOut = refusal.Conflict("fairplay.error.kept-out", "arbiter: a player is barred from this level for now")

// excludedFrom returns the players of a tournament who are excluded from its level.
func (a *Office) excludedFrom(tx *store.Tx, t *tournament.Tournament) (map[player.ID]bool, error) {
	out := map[player.ID]bool{}
	if t.Policy.OrOpen().Level < fairplay.Verified {
		return out, nil
	}
	var ids []player.ID
	for _, e := range t.Entries {
		if e.Player != "" {
			ids = append(ids, e.Player)
		}
	}
	excluded, err := tx.Excluded(a.Now(), ids...)
	for id := range excluded {
		out[id] = true
	}
	return out, err
}

// giveBack moves a round that is due by what outages of the site took from its check-in window, and
// reports whether it did.
func (a *Office) giveBack(ctx context.Context, t *tournament.Tournament) (given bool, err error) {
	w, has := t.CheckInWindow()
	if !has {
		return false, nil
	}
	outages, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]store.Outage, error) { return tx.OutagesSince(w.Opens) })
	if err != nil || len(outages) == 0 {
		return false, err
	}
	err = a.Amend(ctx, t.ID, kernel.Step{Act: tournament.ActGiveBack}, func(t *tournament.Tournament) error {
		given = false
		for _, o := range outages {
			given = t.GiveBack(o.From, o.To) || given
		}
		if !given {
			return errNotDue
		}
		return nil
	})
	if errors.Is(err, errNotDue) {
		return false, nil
	}
	return given, err
}

// seatElsewhere checks in those who have sat at another live board of the site since the window of
// the round to be paired opened.
func (a *Office) seatElsewhere(ctx context.Context, t *tournament.Tournament) error {
	w, has := t.CheckInWindow()
	if !has {
		return nil
	}
	ids := make([]player.ID, 0, len(t.Entries))
	for _, e := range t.Entries {
		ids = append(ids, e.WhoCheckIn()...)
	}
	seated, err := store.Get(ctx, a.Store, func(tx *store.Tx) (map[player.ID]time.Time,
		error) {
		return tx.AtBoards(w.Opens, a.Now(), ids...)
	})
	if err == nil {
		t.Seated(func(id player.ID) bool { return !seated[id].IsZero() })
	}
	return err
}

// leaveOut keeps excluded players, and who has left the club of their team, out of the round to be paired or of boards that are
// to open. If a draft already has them, staff are told that it holds somebody who does not play.
func (a *Office) leaveOut(ctx context.Context, t *tournament.Tournament) error {
	return a.Store.Read(ctx, func(tx *store.Tx) error {
		out, err := a.excludedFrom(tx, t)
		if err != nil {
			return err
		}
		for _, team := range t.Sides() {
			if team.ClubID == "" {
				continue
			}
			members, err := tx.Members(team.ClubID)
			if err != nil {
				return err
			}
			for _, e := range t.Roster(team.ID) {
				if !slices.ContainsFunc(members, func(m club.Membership) bool { return m.Player == e.Player }) {
					out[e.Player] = true
				}
			}
		}
		t.LeaveOut(func(id player.ID) bool { return out[id] })
		return nil
	})
}

// markStuck records why there is no round, so that the page says it and nobody tries again
// before something changes.
func (a *Office) markStuck(ctx context.Context, before *tournament.Tournament, why error) error {
	x, err := a.Judged(ctx, before, kernel.Change{Step: kernel.Step{Act: tournament.ActStuck}, Judge: func(t *tournament.Tournament) error {
		t.Stuck = why.Error()
		return nil
	}})
	if err != nil {
		return err
	}
	return a.WriteAll(ctx, x)
}

// Sweep opens rounds that are due.
func (a *Office) Sweep(ctx context.Context) error {
	due, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]tournament.ID, error) {
		return tx.DueTournaments(a.Now(), kernel.SweepSize)
	})
	if err != nil {
		return err
	}
	return kernel.ForEach(ctx, a.Log, kernel.Work{Of: "tournament", Trouble: "round not opened"}, due,
		func(ctx context.Context, id tournament.ID) error {
			t, err := a.Tournament(ctx, id)
			if err != nil {
				return err
			}
			return a.OpenIfDue(ctx, t)
		})
}

// noteNeighbours notes neighbours on boards whose matches have just opened, once per match, and
// tells the arbiters.
func (a *Office) noteNeighbours(tx *store.Tx, t *tournament.Tournament, boards []tournament.Pairing) error {
	played := slices.DeleteFunc(slices.Clone(boards), func(p tournament.Pairing) bool { return p.Match == "" })
	list, err := a.NeighboursAmong(tx, t, played)
	if err != nil {
		return err
	}
	for _, n := range list {
		for _, id := range n.Players {
			s := review.Signal{ID: store.NewID(), Player: id, Match: n.Match, Kind: n.Kind, At: a.Now()}
			if err := tx.AddSignal(s); err != nil {
				return err
			}
		}
	}
	return a.TellOfNeighbours(tx, t, len(t.Rounds), list)
}
