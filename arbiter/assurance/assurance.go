package assurance

import (
	"context"
	"errors"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// StandingOf is how a player meets the demands of fair play now.
func StandingOf(tx *store.Tx, p player.Player, now time.Time) (fairplay.Standing, error) {
	s := fairplay.Standing{Human: p.ID != "" && !p.Bot}
	words, err := WebAbout(tx, p.ID)
	if err != nil {
		return s, err
	}
	s.Known, s.Ended = vouchersOf(words, now, p.ID), words.Ended(p.ID, now)
	accepted, err := tx.TextAccepted(p.ID)
	if err != nil {
		return s, err
	}
	_, s.Accepted = accepted[p.ID]
	if p.ID == "" {
		return s, nil
	}
	keys, err := tx.Passkeys(p.ID)
	if err != nil {
		return s, err
	}
	s.Passkeys, s.Bound = len(keys), len(boundKeys(keys))
	excluded, err := tx.Excluded(now, p.ID)
	s.Excluded = excluded[p.ID]
	return s, err
}

// backing is what is known of players when their matches open.
type backing struct {
	accounts map[player.ID]player.Player
	accepted map[player.ID]time.Time // the fair-play text
	known    map[player.ID][]fairplay.Voucher
}

// BackingOf reads the backing once for all players of a round; for a policy at Open it is
// their accounts.
func (a *Office) BackingOf(tx *store.Tx, p fairplay.Policy, ids ...player.ID) (b backing, err error) {
	if len(ids) == 0 {
		return b, nil
	}
	if b.accounts, err = tx.Players(ids...); err != nil || p.OrOpen().Level <= fairplay.Open {
		return b, err
	}
	if b.accepted, err = tx.TextAccepted(ids...); err != nil {
		return b, err
	}
	b.known, err = knownTo(tx, a.Now(), ids...)
	return b, err
}

// Admitted is how a player was admitted to a match.
type Admitted struct {
	Waived  []fairplay.Demand // demands an arbiter waived
	Unheard []player.ID       // people whose attestations of them do not count in this match
}

// OpenAlone opens a match that is not a board of a round.
func (a *Office) OpenAlone(tx *store.Tx, o live.Opening) error {
	b, err := a.BackingOf(tx, o.Policy, o.Players[:]...)
	if err != nil {
		return err
	}
	return a.OpenMatch(tx, o, b, [2]Admitted{})
}

// OpenMatch opens a match under a policy in the caller's transaction, with what is known
// of its players.
func (a *Office) OpenMatch(tx *store.Tx, o live.Opening, b backing, in [2]Admitted) error {
	if o.Policy = o.Policy.OrOpen(); o.Policy.Level > fairplay.Open {
		o.Options.Lateness = checkInTime(o.Policy, o.Options.Lateness, in)
		for i, id := range o.Players {
			seat := match.Seat(i + 1)
			if n := len(o.Policy.Young(b.known[id], in[i].Unheard...)); n > 0 {
				o.Facts = append(o.Facts, fairplay.Fact{Kind: fairplay.Attested, Seat: seat, Count: n})
			}
			if _, has := b.accepted[id]; has {
				o.Facts = append(o.Facts, fairplay.Fact{Kind: fairplay.TextAccepted, Seat: seat})
			}
			for _, d := range in[i].Waived {
				o.Facts = append(o.Facts, fairplay.Fact{Kind: fairplay.Waived, Seat: seat, Demand: d})
			}
		}
	}
	o.Accounts = b.accounts
	_, err := a.Live.OpenTx(tx, o)
	return err
}

// Watches reports whether a viewer who does not play in a match sees it without delay:
// whoever judges it does.
func (a *Office) Watches(ctx context.Context, by player.Viewer, id match.ID) (may bool, err error) {
	if !by.IsSignedIn() || by.MayOperate() {
		return by.MayOperate(), nil
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		if o, err := CapacityOf(tx, by, id); err != nil || o.MayJudge {
			may = o.MayJudge
			return err
		}
		ref, err := tx.PairingOf(id)
		if err == nil {
			t, err := tx.Tournament(ref.Tournament)
			may = err == nil && t.May(by, tournament.ActWatch)
			return err
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		of, err := tx.LadderChallengeOf(id)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		var l *ladder.Ladder
		if err == nil {
			l, err = tx.Ladder(of.Ladder)
		}
		if err != nil {
			return err
		}
		me, err := LadderActor(tx, by, l)
		may = me.Directs
		return err
	})
	return may, err
}

// Known is what is known of a match's policy, and what was achieved.
type Known struct {
	store.MatchPolicy
	Facts    []fairplay.Fact
	Achieved fairplay.Achievement // of a finished match, signed or not
	IsOver   bool
}

// Waives is Waives for the facts of the match.
func (a Known) Waives(seat match.Seat, d fairplay.Demand) bool { return Waives(a.Facts, seat, d) }

// Of reads what is known; false for a match without a policy.
func Of(tx *store.Tx, head store.Head) (a Known, known bool, err error) {
	if a.MatchPolicy, err = tx.MatchPolicy(head.ID); errors.Is(err, store.ErrNotFound) {
		return a, false, nil
	}
	if err == nil {
		a.Facts, err = tx.Facts(head.ID)
	}
	if a.IsOver = head.Status == match.Over; a.IsOver {
		a.Achieved = achieved(a.Policy, head, a.Facts)
		if a.Statement != nil {
			a.Achieved = a.Statement.Statement.Achieved
		}
	}
	return a, err == nil, err
}

func achieved(p fairplay.Policy, head store.Head, facts []fairplay.Fact) fairplay.Achievement {
	var seats [2]fairplay.Seat
	for i := range seats {
		seats[i].Bot = head.Bots[i]
		for _, f := range facts {
			if f.Seat.Index() == i {
				seats[i].Facts = append(seats[i].Facts, f)
			}
		}
	}
	return fairplay.Achieved(p, seats)
}

// Waives reports whether an arbiter waived a demand for a seat.
func Waives(facts []fairplay.Fact, seat match.Seat, d fairplay.Demand) bool {
	return slices.ContainsFunc(facts, func(f fairplay.Fact) bool {
		return f.Kind == fairplay.Waived && f.Seat == seat && f.Demand == d
	})
}

// MoveOf returns the full move of the state; 0 before the board phase.
func MoveOf(s match.State) int {
	if !s.Game().OnBoard() {
		return 0
	}
	return s.Game().PlyCount()/2 + 1
}

// HasWord reports whether a steward has signed a report about a seat.
func HasWord(facts []fairplay.Fact, seat match.Seat) bool {
	return slices.ContainsFunc(facts, func(f fairplay.Fact) bool {
		return f.Seat == seat && (f.Kind == fairplay.StewardSigned || f.Kind == fairplay.StewardPartly || f.Kind == fairplay.StewardNot)
	})
}
