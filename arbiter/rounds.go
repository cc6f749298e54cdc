package arbiter

import (
	"context"
	crand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/clubmatch"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/trf"
)

// BergerVersion names the behaviour of the round robin tables.
const BergerVersion = "berger-1"

// System is what pairs a tournament.
func System(t *tournament.Tournament) tournament.System {
	switch t.Format {
	case tournament.RoundRobin:
		return tournament.System{Pairer: roundrobin.Berger{Double: t.Double}, Engine: BergerVersion}
	case tournament.ClubMatch:
		return tournament.System{Pairer: clubmatch.Table{}, Engine: clubmatch.Version}
	}
	return tournament.System{Pairer: swiss.Dutch{}, Engine: swiss.Version}
}

// NewDrawing is fresh chance for a start.
func NewDrawing() tournament.Drawing {
	var seed [32]byte
	crand.Read(seed[:])
	return DrawingOf(seed)
}

// DrawingOf is the chance that a seed gives: draws by ChaCha8, so that anybody
// can repeat them from the seed the tournament keeps.
func DrawingOf(seed [32]byte) tournament.Drawing {
	source := rand.New(rand.NewChaCha8(seed))
	return tournament.Drawing{Seed: hex.EncodeToString(seed[:]), Pick: source.IntN, Restricted: roundrobin.Draw}
}

// Start ends the registration; a first round that opens by itself is opened.
func (a *Arbiter) Start(ctx context.Context, by player.Viewer, id tournament.ID) error {
	d := NewDrawing()
	t, err := a.change(ctx, id, act{By: by, Act: tournament.ActStart}, func(t *tournament.Tournament) error { return t.Start(by, d, a.now()) })
	if err != nil {
		return err
	}
	return a.openIfDue(ctx, t)
}

// OpenRound pairs and opens the next round now, without a draft.
func (a *Arbiter) OpenRound(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.openRound(ctx, id, func(t *tournament.Tournament) error {
		if !t.May(by, tournament.ActPair) {
			return tournament.ErrNotAllowed
		}
		return t.MayPair()
	}, act{By: by, Act: tournament.ActPair})
}

// errNotDue stops the opening of a round that another node has opened.
var errNotDue = errors.New("arbiter: not due")

// openIfDue opens rounds as long as the next one is due: a round of rests only
// is over at once. A draft is published when its moment has come; where pairings
// are reviewed, the round that is due is only drafted. A field that cannot be paired is no failure of the caller;
// the tournament shows it.
func (a *Arbiter) openIfDue(ctx context.Context, t *tournament.Tournament) error {
	if next, due := t.NextRoundAt(); !due || next.After(a.now()) {
		return nil
	}
	d := act{Act: tournament.ActPair}
	switch {
	case t.Draft != nil:
		d.Act = tournament.ActPublish
	case t.Review:
		d.Act = tournament.ActDraft
	}
	err := a.openRound(ctx, t.ID, func(t *tournament.Tournament) error {
		if next, due := t.NextRoundAt(); !due || t.Stuck != "" || next.After(a.now()) {
			return errNotDue
		}
		if (t.Draft != nil) != (d.Act == tournament.ActPublish) {
			return errNotDue // somebody has drafted, or published, meanwhile
		}
		return nil
	}, d)
	if errors.Is(err, errNotDue) || errors.Is(err, tournament.ErrNoPairing) || errors.Is(err, tournament.ErrDraftUnfit) {
		return nil
	}
	return err
}

// openRound pairs outside any transaction and then writes the round, its
// matches and their first events at once: of the draft that is there
// (ActPublish), or paired now (ActPair); ActDraft leaves it at the draft.
func (a *Arbiter) openRound(ctx context.Context, id tournament.ID, may func(*tournament.Tournament) error, d act) error {
	var after *tournament.Tournament
	var opened []match.ID
	err := a.inTurn(ctx, string(id), func(ctx context.Context) error {
		before, err := a.read(ctx, id)
		if err != nil {
			return err
		}
		if err := may(before); err != nil {
			return err
		}
		after, opened, err = a.tryRound(ctx, before, d)
		return err
	})
	if err != nil || after == nil {
		return err
	}
	if len(opened) > 0 {
		return a.live.Opened(ctx, opened...)
	}
	if after.Status.IsOver() {
		return a.rate(ctx, after.ID)
	}
	return a.openIfDue(ctx, after)
}

// tryRound is one attempt; after is nil where it stays at the draft.
func (a *Arbiter) tryRound(ctx context.Context, before *tournament.Tournament,
	d act) (after *tournament.Tournament, opened []match.ID, err error) {
	n := len(before.Rounds) + 1
	after = before.Clone()
	after.Stuck = ""
	if err := a.leaveOut(ctx, after); err != nil {
		return nil, nil, err
	}
	if d.Act != tournament.ActPublish {
		err := after.DraftNext(System(after), d.By.ID, a.now())
		if errors.Is(err, tournament.ErrNoPairing) {
			return nil, nil, errors.Join(err, a.markStuck(ctx, before, err))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("pair round %d: %w", n, err)
		}
	}
	if d.Act == tournament.ActDraft {
		return nil, nil, a.write(ctx, before, after, d)
	}
	if after.Draft == nil {
		return nil, nil, tournament.ErrNoDraft
	}
	field := after.PairingField()
	if after.Draft.Edited {
		field = after.DraftField(after.Draft)
	}
	input, err := Report(field)
	if err != nil {
		return nil, nil, fmt.Errorf("input of round %d: %w", n, err)
	}
	round, err := after.Publish(newMatchID, a.now())
	if errors.Is(err, tournament.ErrDraftUnfit) && !d.By.IsSignedIn() {
		return nil, nil, errors.Join(err, a.markStuck(ctx, before, err))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("open round %d: %w", n, err)
	}
	after.Conclude(a.now())
	if opened, err = a.writeRound(ctx, before, after, d, round, input); err != nil {
		return nil, nil, err
	}
	a.nudge(after)
	return after, opened, nil
}

func (a *Arbiter) writeRound(ctx context.Context, before, after *tournament.Tournament, d act, round tournament.Round,
	input string) (opened []match.ID, err error) {
	err = a.store.Write(ctx, func(tx *store.Tx) (err error) {
		if opened, err = a.openBoards(tx, after, round.Pairings); err != nil {
			return err
		}
		if err := a.save(tx, before, after, d.By, d.deed(before, a.now())); err != nil {
			return err
		}
		return tx.SetRoundInput(after.ID, round.Number, input)
	})
	return opened, err
}

// openBoards opens the matches of boards that have one, on the tournament's
// policy and with what is known of the players.
func (a *Arbiter) openBoards(tx *store.Tx, t *tournament.Tournament, boards []tournament.Pairing) (opened []match.ID, err error) {
	watched, err := watchedBy(tx, t.ID)
	if err != nil {
		return nil, err
	}
	excluded, err := a.excludedFrom(tx, t)
	if err != nil {
		return nil, err
	}
	unheard, err := unheardIn(tx, t)
	if err != nil {
		return nil, err
	}
	asks := t.Policy
	if len(watched) > 0 {
		asks = asks.Watched() // also where the event itself asks for nothing
	}
	behind, err := a.backingOf(tx, asks, playersOn(t, boards)...)
	if err != nil {
		return nil, err
	}
	for _, p := range boards {
		if p.Match == "" {
			continue
		}
		o := live.Opening{ID: p.Match, Options: t.MatchOptions(), Policy: t.Policy}
		o.Options.Extra = ExtraChips(t, p)
		var in [2]admitted
		for _, seat := range [...]match.Seat{match.First, match.Second} {
			e, err := t.Entry(p.EntryAt(seat))
			if err != nil {
				return nil, err
			}
			o.Players[seat.Index()], in[seat.Index()] = e.Player, admitted{e.Waived, unheard[e.Side]}
		}
		if excluded[o.Players[0]] || excluded[o.Players[1]] {
			return nil, ErrKeptOut
		}
		if watch := [2]bool{watched[o.Players[0]], watched[o.Players[1]]}; !o.Policy.OrOpen().Steward && (watch[0] || watch[1]) {
			o.Policy = o.Policy.Watched()
			for i := range in {
				if !watch[i] {
					in[i].waived = append(slices.Clone(in[i].waived), fairplay.DemandSteward)
				}
			}
		}
		if err := a.openMatch(tx, o, behind, in); err != nil {
			return nil, err
		}
		opened = append(opened, p.Match)
	}
	return opened, a.noteNeighbours(tx, t, boards)
}

// playersOn are the accounts that play on boards.
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

// unheardIn is whose word does not count in a tournament, by the side of whom it
// is about: the only arbiter's, and in a club match of those who name the other
// side's line-up.
func unheardIn(tx *store.Tx, t *tournament.Tournament) (map[tournament.Side][]player.ID, error) {
	alone := t.OnlyArbiter()
	out := map[tournament.Side][]player.ID{0: alone}
	if t.Format != tournament.ClubMatch {
		return out, nil
	}
	for side, of := range map[tournament.Side]club.ID{tournament.HomeSide: t.OpponentID, tournament.GuestSide: t.ClubID} {
		captains, err := captainsOf(tx, of)
		if err != nil {
			return nil, err
		}
		out[side] = slices.Concat(alone, captains)
	}
	return out, nil
}

// captainsOf are who may name a club's line-up.
func captainsOf(tx *store.Tx, of club.ID) (ids []player.ID, err error) {
	members, err := tx.Members(of)
	for _, m := range members {
		if club.May(player.Viewer{Player: player.Player{ID: m.Player}}, m.Role, club.ActLineUp) {
			ids = append(ids, m.Player)
		}
	}
	return ids, err
}

// watchedBy are the players of a tournament whom arbiters have decided to watch.
func watchedBy(tx *store.Tx, id tournament.ID) (map[player.ID]bool, error) {
	reviews, err := tx.ReviewsIn(id)
	watched := map[player.ID]bool{}
	for _, r := range reviews {
		if r.Stands(review.DecideSupervise) {
			watched[r.Player] = true
		}
	}
	return watched, err
}

// ErrKeptOut refuses to seat somebody who may not play at the tournament's level
// for now.
var ErrKeptOut = refusal.Conflict("fairplay.error.kept-out", "arbiter: a player is barred from this level for now")

// excludedFrom are the players of a tournament who are excluded from its level.
func (a *Arbiter) excludedFrom(tx *store.Tx, t *tournament.Tournament) (map[player.ID]bool, error) {
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
	excluded, err := tx.Excluded(a.now(), ids...)
	for id := range excluded {
		out[id] = true
	}
	return out, err
}

// leaveOut keeps who is excluded out of the round that is about to be paired. In
// a draft in which they sit already staff are told that it holds somebody who does
// not play.
func (a *Arbiter) leaveOut(ctx context.Context, t *tournament.Tournament) error {
	return a.store.Read(ctx, func(tx *store.Tx) error {
		excluded, err := a.excludedFrom(tx, t)
		if err == nil {
			t.LeaveOut(func(id player.ID) bool { return excluded[id] })
		}
		return err
	})
}

// markStuck writes why there is no round, so that the page says it and nobody
// tries again before something has changed.
func (a *Arbiter) markStuck(ctx context.Context, before *tournament.Tournament, why error) error {
	after := before.Clone()
	after.Stuck = why.Error()
	return a.write(ctx, before, after, act{Act: tournament.ActStuck})
}

// write saves a change, once.
func (a *Arbiter) write(ctx context.Context, before, after *tournament.Tournament, d act) error {
	if err := a.store.Write(ctx, func(tx *store.Tx) error { return a.save(tx, before, after, d.By, d.deed(before, a.now())) }); err != nil {
		return err
	}
	a.nudge(after)
	return nil
}

// sweepRounds opens the rounds whose time has come.
func (a *Arbiter) sweepRounds(ctx context.Context) error {
	var due []tournament.ID
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.DueTournaments(a.now(), sweepSize)
		return err
	})
	if err != nil {
		return err
	}
	return forEach(ctx, a, "tournament", "round not opened", due, func(ctx context.Context, id tournament.ID) error {
		t, err := a.read(ctx, id)
		if err != nil {
			return err
		}
		return a.openIfDue(ctx, t)
	})
}

// Report is a field as a report that pairs to the same round again. Of the
// wishes about who should not meet it holds those that are kept, as a report
// knows prohibitions only.
func Report(f tournament.Field) (string, error) {
	var b strings.Builder
	f, _, err := swiss.Relax(f)
	if err != nil {
		return "", err
	}
	err = trf.FromField(f).Write(&b, trf.TRF2026)
	return b.String(), err
}

// Repeat pairs a kept report again.
func Repeat(report string) (tournament.RoundPairing, tournament.Field, error) {
	r, err := trf.Read(strings.NewReader(report))
	if err != nil {
		return tournament.RoundPairing{}, tournament.Field{}, err
	}
	f := r.Field()
	s := tournament.System{Pairer: swiss.Dutch{}}
	if f.RoundRobin {
		n := len(f.Players)
		s.Pairer = roundrobin.Berger{Double: f.Rounds > n-1+n%2}
	}
	paired, err := s.Pairer.Pair(f)
	return paired, f, err
}
