package judges

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// SetSteward appoints who watches an entry's matches; an empty handle: nobody.
func (a *Office) SetSteward(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, handle string) error {
	var steward player.Player
	if handle != "" {
		var err error
		steward, err = store.Get(ctx, a.Store, func(tx *store.Tx) (player.Player, error) { return kernel.PlayerByHandle(tx, handle) })
		if err != nil {
			return err
		}
		if steward.Bot {
			return tournament.ErrStewardPlays
		}
	}
	t, err := a.Apply(ctx, id, kernel.Change{
		Step:  kernel.Step{By: by, Act: tournament.ActSteward},
		Judge: func(t *tournament.Tournament) error { return t.SetSteward(by, e, steward.ID) },
	})
	if err != nil || steward.ID == "" {
		return err
	}
	entry, err := t.Entry(e)
	if err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		return a.Notify(tx, StewardNotice(t, entry, fmt.Sprint("version/", t.Version), kernel.StewardPath(t.ID)))
	})
}

// StewardNotice tells the steward of an entry; key distinguishes notices about the same
// entry.
func StewardNotice(t *tournament.Tournament, e tournament.Entry, key, url string) notice.Notice {
	return notice.Notice{
		To: e.Steward, Kind: notice.Steward, Key: "steward/" + string(t.ID) + "/" + strconv.Itoa(int(e.ID)) + "/" + key, URL: url,
		Args: map[string]string{"Tournament": t.Name, "Player": e.Name},
	}
}

// WatchDeed is a steward's act at a side of a match.
type WatchDeed struct {
	Kind    string // accept, open, check, absent, present, sign
	Note    string
	Verdict fairplay.FactKind
}

// Watch does one act of a steward and notes the facts that follow.
func (a *Office) Watch(ctx context.Context, by player.Viewer, id match.ID, seat match.Seat, d WatchDeed) error {
	if !by.IsSignedIn() || !seat.Valid() {
		return fairplay.ErrNotSteward
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error { return a.watchTx(tx, by, id, seat, d) })
	if err == nil && d.Kind == "sign" {
		_, err = a.Assure(ctx, id)
	}
	return err
}

func (a *Office) watchTx(tx *store.Tx, by player.Viewer, id match.ID, seat match.Seat, d WatchDeed) error {
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
		w.Steward = e.Steward // another may be appointed until the board is opened
	}
	now := a.Now()
	facts, err := doWatch(&w, by.ID, d, head, seat, now)
	if err != nil {
		return err
	}
	if err := errors.Join(tx.AddFacts(id, facts...), tx.SaveWatch(id, seat, of, w)); err != nil {
		return err
	}
	tx.AfterCommit(func() { a.Live.Nudge(live.TournamentTopic(string(t.ID)), t.Version) })
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
