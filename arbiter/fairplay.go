package arbiter

import (
	"context"
	"crypto/ed25519"
	crand "crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// Names of the site's secrets among its settings.
const (
	settingSignKey = "fairplay.sign-key" // seed of the Ed25519 key
	settingPepper  = "fairplay.pepper"   // key of the hashes of devices and networks
)

// SiteKey is what the site signs with: the configured key, or the one that the
// database keeps since it was first asked for.
func (a *Arbiter) SiteKey(ctx context.Context) (ed25519.PrivateKey, error) {
	if a.signKey != nil {
		return a.signKey, nil
	}
	seed, err := a.secret(ctx, settingSignKey)
	if err != nil {
		return nil, err
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// Pepper is the key of the hashes of devices and networks.
func (a *Arbiter) Pepper(ctx context.Context) ([]byte, error) { return a.secret(ctx, settingPepper) }

// secret is 32 random bytes that all nodes share, made when first asked for.
func (a *Arbiter) secret(ctx context.Context, name string) ([]byte, error) {
	if known, ok := a.secrets.Load(name); ok {
		return known.([]byte), nil
	}
	var text string
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		text, err = tx.Setting(name, "")
		return err
	})
	if err == nil && text == "" {
		fresh := make([]byte, ed25519.SeedSize)
		crand.Read(fresh)
		err = a.store.Write(ctx, func(tx *store.Tx) (err error) {
			text, err = tx.FirstSetting(name, base64.StdEncoding.EncodeToString(fresh))
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != ed25519.SeedSize {
		return nil, fmt.Errorf("setting %s is damaged", name) // never with its value
	}
	a.secrets.Store(name, raw)
	return raw, nil
}

// ParseSignKey reads a configured key: the 32 bytes of its seed in Base64.
func ParseSignKey(text string) (ed25519.PrivateKey, error) {
	seed, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("a signing key is %d bytes in Base64", ed25519.SeedSize)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// StandingOf is how a player stands to the demands of fair play now.
func StandingOf(tx *store.Tx, p player.Player, now time.Time) (fairplay.Standing, error) {
	s := fairplay.Standing{Human: p.ID != "" && !p.Bot}
	words, err := webAbout(tx, p.ID)
	if err != nil {
		return s, err
	}
	s.Known, s.Ended = vouchersOf(words, now, p.ID), words.Ended(p.ID, now)
	accepted, err := tx.TextAccepted(p.ID)
	if err != nil {
		return s, err
	}
	if _, has := accepted[p.ID]; has {
		s.Accepted = fairplay.TextHash()
	}
	if err != nil || p.ID == "" {
		return s, err
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

// backing is what stands behind players when their matches open.
type backing struct {
	accepted map[player.ID]time.Time // the fair-play text
	known    map[player.ID][]fairplay.Voucher
}

// backingOf reads it, once for all players of a round; for a policy that asks for
// nothing it is empty.
func (a *Arbiter) backingOf(tx *store.Tx, p fairplay.Policy, ids ...player.ID) (b backing, err error) {
	if p.OrOpen().Level <= fairplay.Open || len(ids) == 0 {
		return b, nil
	}
	if b.accepted, err = tx.TextAccepted(ids...); err != nil {
		return b, err
	}
	b.known, err = knownTo(tx, a.now(), ids...)
	return b, err
}

// admitted is how a player of a match is let in.
type admitted struct {
	waived  []fairplay.Demand // what an arbiter let them pass without
	unheard []player.ID       // whose word about them does not count in this match
}

// openAlone opens a match that is no board of a round.
func (a *Arbiter) openAlone(tx *store.Tx, o live.Opening) error {
	b, err := a.backingOf(tx, o.Policy, o.Players[:]...)
	if err != nil {
		return err
	}
	return a.openMatch(tx, o, b, [2]admitted{})
}

// openMatch opens a match on a policy inside the caller's transaction, with what
// is known of its players.
func (a *Arbiter) openMatch(tx *store.Tx, o live.Opening, b backing, in [2]admitted) error {
	if o.Policy = o.Policy.OrOpen(); o.Policy.Level > fairplay.Open {
		o.Options.Lateness = checkInTime(o.Policy, o.Options.Lateness, in)
		for i, id := range o.Players {
			seat := match.Seat(i + 1)
			if n := len(o.Policy.Young(b.known[id], in[i].unheard...)); n > 0 {
				o.Facts = append(o.Facts, fairplay.Fact{Kind: fairplay.Attested, Seat: seat, Count: n})
			}
			if _, has := b.accepted[id]; has {
				o.Facts = append(o.Facts, fairplay.Fact{Kind: fairplay.TextAccepted, Seat: seat})
			}
			for _, d := range in[i].waived {
				o.Facts = append(o.Facts, fairplay.Fact{Kind: fairplay.Waived, Seat: seat, Demand: d})
			}
		}
	}
	_, err := a.live.OpenTx(tx, o)
	return err
}

// AcceptText notes that the viewer accepts the fair-play text as it stands.
func (a *Arbiter) AcceptText(ctx context.Context, by player.Viewer) error {
	if !by.IsSignedIn() || by.Bot {
		return tournament.ErrNotAllowed
	}
	return a.store.Write(ctx, func(tx *store.Tx) error { return tx.AcceptText(by.ID, a.now()) })
}

// SetPolicy changes what a tournament's matches demand from the next round on.
func (a *Arbiter) SetPolicy(ctx context.Context, by player.Viewer, id tournament.ID, p fairplay.Policy) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActPolicy}, func(t *tournament.Tournament) error { return t.SetPolicy(by, p) })
	return err
}

// Admit enters a player who does not meet every demand: an arbiter's decision,
// recorded with its reason, which lowers what their matches achieve.
func (a *Arbiter) Admit(ctx context.Context, by player.Viewer, id tournament.ID, handle string, without []fairplay.Demand,
	reason string) (e tournament.Entry, err error) {
	var c tournament.Candidate
	err = a.store.Read(ctx, func(tx *store.Tx) error {
		p, err := playerByHandle(tx, handle)
		if err != nil {
			return err
		}
		c, err = candidate(tx, a.now(), p)
		return err
	})
	if err != nil {
		return e, err
	}
	c.Standing.Waived, c.Reason = without, reason
	_, err = a.change(ctx, id, act{By: by, Act: tournament.ActWaive, Reason: reason}, func(t *tournament.Tournament) error {
		e, err = t.Register(by, c, a.now())
		return err
	})
	return e, err
}

// Watches tells whether a viewer who does not play in a match sees it as it
// stands nevertheless: whoever judges it.
func (a *Arbiter) Watches(ctx context.Context, by player.Viewer, id match.ID) (may bool, err error) {
	if !by.IsSignedIn() || by.MayOperate() {
		return by.MayOperate(), nil
	}
	err = a.store.Read(ctx, func(tx *store.Tx) error {
		if o, err := officeOf(tx, by, id); err != nil || o.MayJudge {
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

// Assurance is what is known of a match's policy, and what was achieved.
type Assurance struct {
	store.MatchPolicy
	Facts    []fairplay.Fact
	Achieved fairplay.Achievement // of a match that is over, signed already or not
	IsOver   bool
}

// Waives tells whether an arbiter lets a seat play without something.
func (a Assurance) Waives(seat match.Seat, d fairplay.Demand) bool { return waives(a.Facts, seat, d) }

// AssuranceOf reads it; false for a match from before there were policies.
func AssuranceOf(tx *store.Tx, head store.Head) (a Assurance, known bool, err error) {
	if a.MatchPolicy, err = tx.MatchPolicy(head.ID); errors.Is(err, store.ErrNotFound) {
		return a, false, nil
	}
	if err == nil {
		a.Facts, err = tx.Facts(head.ID)
	}
	if a.IsOver = head.Status == match.Over; a.IsOver {
		if a.Achieved = achieved(a.Policy, head, a.Facts); a.Statement != nil {
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

// assure finds what a finished match was worth, signs it and keeps it; a second
// time changes nothing. A match that went on after its end is judged anew at the next.
// A time is until when it waits for the word of a steward.
func (a *Arbiter) assure(ctx context.Context, id match.ID) (until time.Time, err error) {
	var head store.Head
	var with Assurance
	var known bool
	err = a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if head, err = tx.Match(id); err != nil || head.Status != match.Over || head.Achieved != 0 {
			return err
		}
		with, known, err = AssuranceOf(tx, head)
		return err
	})
	if err != nil || !known {
		return until, err
	}
	if waitsForSteward(with, head.LastAt, a.now()) {
		return head.LastAt.Add(fairplay.SignWithin), nil
	}
	state, _, err := a.live.State(ctx, id)
	if err != nil || state.Seq() != head.Seq { // it has gone on, and ends once more
		return until, err
	}
	if err := errors.Join(a.noteSilence(ctx, head, with, state), a.notePatterns(ctx, head, state)); err != nil {
		return until, err
	}
	err = a.store.Read(ctx, func(tx *store.Tx) (err error) {
		with, _, err = AssuranceOf(tx, head)
		return err
	})
	if err != nil {
		return until, err
	}
	s, err := a.stated(ctx, head, state, with)
	if err != nil {
		return until, fmt.Errorf("assure %s: %w", id, err)
	}
	key, err := a.SiteKey(ctx)
	if err != nil {
		return until, err
	}
	signed, err := fairplay.Sign(key, s, with.Policy)
	if err != nil {
		return until, fmt.Errorf("assure %s: %w", id, err)
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error { return tx.SetAchieved(id, head.Seq, signed) })
	if errors.Is(err, store.ErrConflict) {
		return until, nil // another node was quicker
	}
	return until, err
}
