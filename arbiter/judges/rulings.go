package judges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Rule makes an arbiter's ruling in a match. A ruling on a result that already stands, a
// reopening or a match made void is written together with what follows in the tournament.
// Errors: ErrNotJudge, ErrCounted, those of tournament.Reopen, and those of
// live.Runner.Do; match.ErrStale where the match has ended or another has ruled since
// the request's Seq.
func (a *Office) Rule(ctx context.Context, by player.Viewer, id match.ID, q live.Request) error {
	o, err := a.assurance.Capacity(ctx, by, id)
	switch {
	case err != nil:
		return err
	case o.CheckJudge() != nil:
		return o.CheckJudge()
	}
	if word := q.Command.(match.Arbitration).Word(); word.By != string(by.ID) {
		return fmt.Errorf("%w: the word is %q's", assurance.ErrNotJudge, word.By)
	}
	q = asSeen(by, q)
	if o.Head.Status != match.Over {
		if err := a.ruleLive(ctx, by, o, q); !errors.Is(err, errEnded) {
			return err
		}
	}
	return a.revise(ctx, by, o, q)
}

// asSeen is a request of an arbiter who saw the match at its Seq: moves since then do not matter to a ruling, an end or a
// ruling of another does.
func asSeen(by player.Viewer, q live.Request) live.Request {
	seq := q.Seq
	q.Seq = nil
	q.Admit = func(_ context.Context, s match.State, _ store.Head) error {
		if seq != nil && s.IsDecidedSince(*seq, string(by.ID)) {
			return match.ErrStale
		}
		return nil
	}
	return q
}

// ruleLive rules in a match that is still played; errEnded if it is not. What that does to an
// arbiter who plays in its tournament is judged, or noted there for everybody to see.
func (a *Office) ruleLive(ctx context.Context, by player.Viewer, o assurance.Capacity, q live.Request) error {
	seen := q.Admit
	q.Admit = func(ctx context.Context, s match.State, h store.Head) error {
		return cmp.Or(seen(ctx, s, h), stillPlayed(s))
	}
	var note *tournament.Interest
	if o.Tournament != nil {
		var err error
		if note, err = tables.OwnRuling(o.Tournament, o.Head.ID, q.Command, by, a.Now()); err != nil {
			return a.JudgesNamed(ctx, err)
		}
	}
	if note == nil {
		_, err := a.Live.Arbitrate(ctx, o.Head.ID, q)
		return err
	}
	return a.ruleWith(ctx, o, q, kernel.Change{Step: kernel.Step{By: by, Act: tournament.ActMatch,
		Reason: q.Command.(match.Arbitration).Word().Why}, Judge: func(t *tournament.Tournament) error { return a.noteRuling(t, by, o, q) }})
}

// noteRuling notes such a ruling in the tournament it is written with.
func (a *Office) noteRuling(t *tournament.Tournament, by player.Viewer, o assurance.Capacity, q live.Request) error {
	note, err := tables.OwnRuling(t, o.Head.ID, q.Command, by, a.Now())
	if note != nil {
		t.Interests = append(slices.Clone(t.Interests), *note)
	}
	return err
}

// errEnded says that the match has ended since its state was read.
var errEnded = errors.New("arbiter: the match has ended meanwhile")

// stillPlayed admits a ruling while the match goes on. Once it has ended its result
// counts, so the ruling must go through the tournament.
func stillPlayed(s match.State) error {
	if s.Status() == match.Over {
		return errEnded
	}
	return nil
}

// revise rules in a finished match, whose result then no longer stands.
func (a *Office) revise(ctx context.Context, by player.Viewer, o assurance.Capacity, q live.Request) error {
	id := o.Head.ID
	switch {
	case o.Ladder != nil:
		return assurance.ErrCounted // places have moved; the ladder's organizer moves players
	case o.Tournament == nil:
		return a.reviseChallenge(ctx, id, q)
	}
	reason := q.Command.(match.Arbitration).Word().Why
	return a.ruleWith(ctx, o, q, kernel.Change{Step: kernel.Step{By: by, Act: tournament.ActReopen, Reason: reason},
		Also: func(tx *store.Tx, _ *tournament.Tournament) error {
			return errors.Join(tx.DropNoShows(id), rewatch(tx, id, q))
		}, Judge: func(t *tournament.Tournament) error { return t.Reopen(by, id) }})
}

// rewatch withdraws the stewards' signatures on a match that goes on.
func rewatch(tx *store.Tx, id match.ID, q live.Request) error {
	if _, goesOn := q.Command.(match.Reopen); !goesOn {
		return nil
	}
	return tx.Rewatch(id)
}

// reviseChallenge rules in a match outside tournaments and ladders. A rated result is
// taken out of the ratings in the same write; the new result is rated like any other.
func (a *Office) reviseChallenge(ctx context.Context, id match.ID, q live.Request) error {
	rated := false
	err := a.InTurn(ctx, string(id), func() error {
		ruling, err := a.Live.Prepare(ctx, id, q)
		if err != nil || ruling.IsDone() {
			return err
		}
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			c, err := tx.ChallengeOf(id)
			if rated = err == nil && !c.RatedAt.IsZero(); rated {
				err = tx.UnrateChallenge(c.ID)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if err := rewatch(tx, id, q); err != nil {
				return err
			}
			return a.Live.RuleTx(tx, ruling)
		})
	})
	if err == nil && rated {
		err = a.ratings.Sweep(ctx)
	}
	return err
}

// ruleWith writes an arbiter's command and a change of the tournament in one transaction;
// if either has moved on, both are judged again.
func (a *Office) ruleWith(ctx context.Context, o assurance.Capacity, q live.Request, x kernel.Change) error {
	var ruling live.Ruling
	_, err := a.Apply(ctx, o.Tournament.ID, kernel.Change{Step: x.Step, Judge: func(t *tournament.Tournament) (err error) {
		ruling, err = a.Live.Prepare(ctx, o.Head.ID, q)
		switch {
		case errors.Is(err, store.ErrConflict):
			return err
		case err == nil && ruling.IsDone():
			return errRuled
		}
		return errors.Join(x.Judge(t), err)
	}, Also: func(tx *store.Tx, t *tournament.Tournament) error {
		if x.Also != nil {
			if err := x.Also(tx, t); err != nil {
				return err
			}
		}
		return a.Live.RuleTx(tx, ruling)
	}})
	if errors.Is(err, errRuled) {
		return nil
	}
	return err
}

// errRuled says that the command is in the log already, and the change with it.
var errRuled = errors.New("arbiter: ruled already")

// Replay makes a tournament's match void and opens a new one on its board, which it
// returns; the same command again returns the same match. Errors: those of Rule, and
// ErrNoBoard outside tournaments.
func (a *Office) Replay(ctx context.Context, by player.Viewer, id match.ID, q live.Request) (match.ID, error) {
	o, err := a.assurance.Capacity(ctx, by, id)
	switch {
	case err != nil:
		return "", err
	case o.CheckJudge() != nil:
		return "", o.CheckJudge()
	case o.Tournament == nil:
		return "", assurance.ErrNoBoard
	}
	next := kernel.NewMatchID()
	void, ok := q.Command.(match.MakeVoid)
	if !ok || void.By != string(by.ID) {
		return "", assurance.ErrNotJudge
	}
	void.Next = next
	q.Command = void
	q = asSeen(by, q)
	err = a.ruleWith(ctx, o, q, kernel.Change{Step: kernel.Step{By: by, Act: tournament.ActReplay, Reason: void.Why},
		Also: func(tx *store.Tx, t *tournament.Tournament) error {
			first, _ := t.EntryOf(o.Head.Players[0])
			second, _ := t.EntryOf(o.Head.Players[1])
			if _, err := a.rounds.OpenBoards(tx, t, []tournament.Pairing{{First: first.ID, Second: second.ID, Match: next}}); err != nil {
				return err
			}
			return errors.Join(tx.AddReplay(id, next), tx.DropNoShows(id))
		}, Judge: func(t *tournament.Tournament) error {
			err := a.noteRuling(t, by, o, q)
			if err == nil {
				_, err = t.Replay(by, id, next)
			}
			return err
		}})
	err = a.JudgesNamed(ctx, err)
	if err != nil {
		return "", err
	}
	var stands match.ID
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		_, stands, err = tx.ReplaysOf(id)
		return err
	})
	if err != nil || stands != next {
		return stands, err
	}
	return next, a.Live.Opened(ctx, next)
}
