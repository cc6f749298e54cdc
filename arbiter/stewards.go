package arbiter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// ErrSteward refuses a player's acts until their steward has opened the board.
var ErrSteward = refusal.Forbidden("review.error.steward-opens", "arbiter: the steward opens the board first")

// SetSteward names who watches an entry's matches; an empty handle: nobody.
func (a *Arbiter) SetSteward(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, handle string) error {
	var steward player.Player
	if handle != "" {
		err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
			steward, err = playerByHandle(tx, handle)
			return err
		})
		if err != nil {
			return err
		}
		if steward.Bot {
			return tournament.ErrStewardPlays
		}
	}
	t, err := a.change(ctx, id, act{By: by, Act: tournament.ActSteward},
		func(t *tournament.Tournament) error { return t.SetSteward(by, e, steward.ID) })
	if err != nil || steward.ID == "" {
		return err
	}
	entry, err := t.Entry(e)
	if err != nil {
		return err
	}
	return a.store.Write(ctx, func(tx *store.Tx) error {
		return a.Notify(tx, stewardNotice(t, entry, fmt.Sprint("version/", t.Version), stewardPath(t.ID)))
	})
}

func stewardPath(id tournament.ID) string { return tournamentPath(id) + "/steward" }

func stewardNotice(t *tournament.Tournament, e tournament.Entry, key, url string) notice.Notice {
	return notice.Notice{
		To: e.Steward, Kind: notice.Steward, Key: "steward/" + string(t.ID) + "/" + strconv.Itoa(int(e.ID)) + "/" + key, URL: url,
		Args: map[string]string{"Tournament": t.Name, "Player": e.Name},
	}
}

// ToWatch are the players of a tournament whom arbiters have decided to watch in
// the next rounds.
func (a *Arbiter) ToWatch(ctx context.Context, id tournament.ID) (watched map[player.ID]bool, err error) {
	err = a.store.Read(ctx, func(tx *store.Tx) error {
		watched, err = watchedBy(tx, id)
		return err
	})
	return watched, err
}

// Duty is one side of one board that somebody watches.
type Duty struct {
	Tournament *tournament.Tournament
	Round      int
	Board      int
	Entry      tournament.Entry
	Against    tournament.Entry
	Seat       match.Seat
	Head       store.Head
	Watch      fairplay.Watch
	Demanded   bool // the match's policy asks for a steward, and no arbiter let it pass
}

// IsDone tells whether nothing is left to do.
func (d Duty) IsDone() bool { return !d.Watch.Signed.IsZero() }

// Duties are the sides of a tournament's boards that have a steward or need one,
// the latest round first; of all stewards, or of one.
func (a *Arbiter) Duties(ctx context.Context, t *tournament.Tournament, of player.ID) (list []Duty, err error) {
	err = a.store.Read(ctx, func(tx *store.Tx) error {
		list, err = dutiesOf(tx, t, of)
		return err
	})
	return list, err
}

func dutiesOf(tx *store.Tx, t *tournament.Tournament, of player.ID) ([]Duty, error) {
	var ids []match.ID
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Match != "" {
				ids = append(ids, p.Match)
			}
		}
	}
	heads, err := tx.Matches(ids)
	if err != nil {
		return nil, err
	}
	watches, err := tx.Watches(ids)
	if err != nil {
		return nil, err
	}
	var list []Duty
	for _, r := range slices.Backward(t.Rounds) {
		for _, p := range r.Pairings {
			h, has := heads[p.Match]
			if !has {
				continue
			}
			for _, seat := range [...]match.Seat{match.First, match.Second} {
				e, err := t.Entry(p.EntryAt(seat))
				if err != nil {
					return nil, err
				}
				d := Duty{Tournament: t, Round: r.Number, Board: p.Board, Entry: e, Seat: seat, Head: h, Watch: watches[p.Match][seat.Index()]}
				if d.Against, err = t.Entry(p.EntryAt(seat.Other())); err != nil {
					return nil, err
				}
				if d.Watch.Steward == "" && h.Status != match.Over {
					d.Watch.Steward = e.Steward // who is named now, for matches that run
				}
				with, err := tx.MatchPolicy(h.ID)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return nil, err
				}
				if d.Demanded, err = asksForSteward(tx, h.ID, seat, with.Policy); err != nil {
					return nil, err
				}
				if d.Demanded && d.Watch.Steward == "" && h.Status == match.Over {
					d.Watch.Steward = e.Steward
				}
				if d.Watch.Steward == "" && !d.Demanded || of != "" && d.Watch.Steward != of {
					continue
				}
				list = append(list, d)
			}
		}
	}
	return list, nil
}

// asksForSteward tells whether a side of a match is to be watched.
func asksForSteward(tx *store.Tx, id match.ID, seat match.Seat, p fairplay.Policy) (bool, error) {
	if !p.Steward {
		return false, nil
	}
	facts, err := tx.Facts(id)
	return !waives(facts, seat, fairplay.DemandSteward), err
}

// WatchDeed is what a steward does at a side of a match.
type WatchDeed struct {
	Kind    string // accept, open, check, absent, present, sign
	Note    string
	Verdict fairplay.FactKind
}

// Watch does one thing a steward does, and notes the facts that follow from it.
func (a *Arbiter) Watch(ctx context.Context, by player.Viewer, id match.ID, seat match.Seat, d WatchDeed) error {
	if !by.IsSignedIn() || !seat.Valid() {
		return fairplay.ErrNotSteward
	}
	err := a.store.Write(ctx, func(tx *store.Tx) error { return a.watchTx(tx, by, id, seat, d) })
	if err == nil && d.Kind == "sign" {
		_, err = a.assure(ctx, id)
	}
	return err
}

func (a *Arbiter) watchTx(tx *store.Tx, by player.Viewer, id match.ID, seat match.Seat, d WatchDeed) error {
	head, err := tx.Match(id)
	if err != nil {
		return err
	}
	if head.SeatOf(by.ID).Valid() {
		return fairplay.ErrOwnMatch
	}
	ref, err := tx.PairingOf(id)
	if errors.Is(err, store.ErrNotFound) {
		return fairplay.ErrNotSteward
	}
	if err != nil {
		return err
	}
	t, err := tx.Tournament(ref.Tournament)
	if err != nil {
		return err
	}
	w, err := tx.Watch(id, seat)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	of := head.Players[seat.Index()]
	if e, has := t.EntryOf(of); has && w.Opened.IsZero() {
		w.Steward = e.Steward // until the board is opened another may be named
	}
	now := a.now()
	facts, err := doWatch(&w, by.ID, d, head, seat, now)
	if err != nil {
		return err
	}
	if err := errors.Join(tx.AddFacts(id, facts...), tx.SaveWatch(id, seat, of, w)); err != nil {
		return err
	}
	tx.AfterCommit(func() { a.live.Nudge(live.TournamentTopic(string(t.ID)), t.Version) })
	return nil
}

func doWatch(w *fairplay.Watch, by player.ID, d WatchDeed, head store.Head, seat match.Seat,
	now time.Time) (facts []fairplay.Fact, err error) {
	switch d.Kind {
	case "accept":
		err = w.Accept(by, now)
	case "open":
		err = w.Open(by, now)
		facts = []fairplay.Fact{{Kind: fairplay.StewardOpened, Seat: seat, At: now, By: by}}
	case "check":
		err = w.Check(by, d.Note, now)
	case "absent", "present":
		err = w.SetAbsent(by, d.Kind == "absent", now)
	case "sign":
		err = w.Sign(by, d.Verdict, head.Status == match.Over, now)
		facts = []fairplay.Fact{{Kind: d.Verdict, Seat: seat, At: now, By: by}}
	default:
		err = fairplay.ErrWatchOrder
	}
	return facts, err
}

// watched is nil when a player's steward lets them act: ErrSteward. Moves while
// the steward says that the player is not there are noted, and not refused.
func (n noted) watched(ctx context.Context, g gate, c match.Command) error {
	if _, resigns := c.(match.Resign); resigns || !g.with.Policy.Steward || g.with.Waives(n.seat, fairplay.DemandSteward) {
		return nil
	}
	switch {
	case g.watch.Opened.IsZero():
		return ErrSteward
	case g.watch.Absent.IsZero():
		return nil
	}
	return n.signal(ctx, review.SignalWhileAbsent, "")
}

// stewardsToRemind are matches that are over and wait for a steward's word.
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
		duties, err := dutiesOf(tx, t, "")
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
						return []notice.Notice{stewardNotice(t, e, "", stewardPath(t.ID))}, nil
					},
				})
			}
		}
	}
	return out, nil
}
