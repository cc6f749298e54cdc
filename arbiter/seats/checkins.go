package seats

import (
	"context"
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/player/passkey"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// The refusals of players in matches that demand a check-in.
var (
	ErrCheckIn    = refusal.Forbidden("fairplay.error.check-in", "arbiter: this match requires a check-in first")
	ErrCheckInOld = refusal.Forbidden("passkey.error.old", "arbiter: the check-in is too old to start on")
	ErrTakenOver  = refusal.Forbidden("passkey.error.taken-over", "arbiter: the player has checked in on another page since")
	ErrNoCheckIn  = refusal.Conflict("passkey.error.no-check-in", "arbiter: this match requires no check-in")
	ErrOneDevice  = refusal.Invalid("passkey.error.one-device", "arbiter: this match requires a device-bound passkey")
	ErrCode       = refusal.Invalid("passkey.error.code", "arbiter: unknown or expired code")
)

// arrival is a player who comes to check in to a match.
type arrival struct {
	head  store.Head
	with  assurance.Known
	pages []fairplay.Page
	seat  match.Seat
	round int
}

// arrivalAt reads it. Errors: live.ErrNotPlaying, match.ErrOver, ErrNoCheckIn, or a
// *fairplay.UnmetError for demands the player has stopped meeting since they entered.
// Without a suitable passkey they check in by code.
func arrivalAt(tx *store.Tx, by player.Viewer, id match.ID, now time.Time) (a arrival, err error) {
	if a.head, err = tx.Match(id); err != nil {
		return a, err
	}
	if a.seat = a.head.SeatOf(by.ID); !a.seat.Valid() {
		return a, live.ErrNotPlaying
	}
	if a.head.Status == match.Over {
		return a, match.ErrOver
	}
	known := false
	if a.with, known, err = assurance.Of(tx, a.head); err != nil {
		return a, err
	}
	if !known || !a.with.Policy.CheckIn.Demanded || a.with.Waives(a.seat, fairplay.DemandCheckIn) {
		return a, ErrNoCheckIn
	}
	if a.pages, err = tx.Pages(id); err != nil {
		return a, err
	}
	ref, err := tx.PairingOf(id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return a, err
	}
	a.round = ref.Round
	standing, err := assurance.StandingOf(tx, by.Player, now)
	if err != nil {
		return a, err
	}
	standing.Waived = []fairplay.Demand{fairplay.DemandPasskey, fairplay.DemandOneDevice}
	for _, f := range a.with.Facts {
		if f.Kind == fairplay.Waived && f.Seat == a.seat {
			standing.Waived = append(standing.Waived, f.Demand)
		}
	}
	return a, a.with.Policy.Admit(standing, true)
}

// takes is nil when the player of a seat may check in with a passkey, else ErrOneDevice.
func takes(a assurance.Known, seat match.Seat, key player.Passkey) error {
	if a.Policy.CheckIn.OneDevice && key.Syncable && !a.Waives(seat, fairplay.DemandOneDevice) {
		return ErrOneDevice
	}
	return nil
}

// BeginCheckIn starts a player's check-in with the key their page has made: the challenge
// for their device, and the passkeys that can answer it. Errors: those of arrivalAt,
// ErrNoPasskey, ErrOneDevice, fairplay.ErrPageKey.
func (a *Office) BeginCheckIn(ctx context.Context, by player.Viewer, id match.ID, session string,
	key []byte) (challenge []byte, keys []player.Passkey, err error) {
	if key, err = fairplay.ParsePageKey(key); err != nil {
		return nil, nil, err
	}
	now := a.Now()
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		at, err := arrivalAt(tx, by, id, now)
		if err != nil {
			return err
		}
		if keys, err = tx.Passkeys(by.ID); err != nil {
			return err
		}
		if len(keys) == 0 {
			return persons.ErrNoPasskey
		}
		if keys = slices.DeleteFunc(keys, func(k player.Passkey) bool { return takes(at.with, at.seat, k) != nil }); len(keys) == 0 {
			return ErrOneDevice
		}
		challenge, err = begin(tx, persons.CeremonyCheckIn, session, now,
			fairplay.CheckInTerms{Match: id, Round: at.round, Player: by.ID, Policy: at.with.Policy.Hash(), Key: key})
		return err
	})
	return challenge, keys, err
}

// begin opens the ceremony of a check-in on these terms, to which it adds nonce and expiry.
func begin(tx *store.Tx, kind, session string, now time.Time, terms fairplay.CheckInTerms) (challenge []byte, err error) {
	terms.Nonce, terms.Expires = persons.Nonce(), now.Add(passkey.Life)
	challenge = terms.Challenge()
	return challenge, tx.AddCeremony(store.Ceremony{
		Challenge: challenge, Kind: kind, Player: terms.Player, Session: session, Match: terms.Match, Policy: terms.Policy, Key: terms.Key,
		Expires: terms.Expires,
	}, now)
}

// CheckPageIn checks a page in by the answer of the player's device. Errors: those of
// BeginCheckIn, ErrTooLong, and those of passkey.Site.Check.
func (a *Office) CheckPageIn(ctx context.Context, by player.Viewer, id match.ID, x persons.Said) error {
	now := a.Now()
	c, key, err := a.persons.Answered(ctx, by.Player, persons.CeremonyCheckIn, x)
	if errors.Is(err, passkey.ErrCounter) {
		return errors.Join(err, a.noteCopiedKey(ctx, by, id, now))
	}
	if err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		at, err := arrivalAt(tx, by, id, now)
		if err != nil {
			return err
		}
		if c.Match != id || c.Policy != at.with.Policy.Hash() {
			return persons.ErrTooLong
		}
		if err := takes(at.with, at.seat, key); err != nil {
			return err
		}
		return a.checkedIn(tx, at, fairplay.Page{Session: x.Session, Key: c.Key, Policy: c.Policy, Means: fairplay.ByPasskey,
			Synced: key.Syncable,
			At:     now})
	})
}

// noteCopiedKey notes that a player's passkey seems to be in two places. The answer has
// been refused already.
func (a *Office) noteCopiedKey(ctx context.Context, by player.Viewer, id match.ID, now time.Time) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		at, err := arrivalAt(tx, by, id, now)
		if err != nil {
			return err
		}
		here := Noted{Office: a, Head: at.head, seat: at.seat, player: by.ID, At: now}
		return here.SignalTx(tx, by.ID, review.SignalCopiedKey, "")
	})
}

// checkedIn makes a page the one that plays.
func (a *Office) checkedIn(tx *store.Tx, at arrival, p fairplay.Page) error {
	p.Seat, p.Player = at.seat, at.head.Players[at.seat.Index()]
	n := 0
	for _, before := range at.pages {
		if before.Seat == at.seat {
			n++
		}
	}
	if err := tx.AddPage(at.head.ID, p, n); err != nil {
		return err
	}
	kind := fairplay.CheckedIn
	if p.Means == fairplay.ByCode {
		kind = fairplay.CheckedByCode
	}
	facts := []fairplay.Fact{{Kind: kind, Seat: at.seat, At: p.At, By: p.By}}
	here := Noted{Office: a, Head: at.head, seat: at.seat, player: p.Player, At: p.At}
	if before, ok := fairplay.PageOf(at.pages, at.seat); ok && before.Session != p.Session && at.with.Policy.OneSession {
		facts = append(facts, fairplay.Fact{Kind: fairplay.SecondSession, Seat: at.seat, At: p.At})
		if err := here.SignalTx(tx, p.Player, review.SignalSecondSession, ""); err != nil {
			return err
		}
	}
	return tx.AddFacts(at.head.ID, facts...)
}

// Door is what somebody sees who comes to check in.
type Door struct {
	Head    store.Head
	Policy  fairplay.Policy
	Pages   []fairplay.Page
	Seat    match.Seat           // none: an arbiter
	Keys    int                  // the player's passkeys that they can check in with
	Synced  bool                 // they have others, which this match does not accept
	Lacks   *fairplay.UnmetError // the player's unmet demands; nil: none
	MayCode bool                 // the viewer may give codes
}

// DoorOf reads it, for a player of the match and those who judge it. Errors:
// ErrNoCheckIn, live.ErrNotPlaying.
func (a *Office) DoorOf(ctx context.Context, by player.Viewer, id match.ID) (d Door, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		o, err := assurance.CapacityOf(tx, by, id)
		if err != nil {
			return err
		}
		d.Head, d.Seat, d.MayCode = o.Head, o.Seat, o.MayJudge
		if !o.Seat.Valid() && !o.MayJudge {
			return live.ErrNotPlaying
		}
		with, known, err := assurance.Of(tx, d.Head)
		if err != nil {
			return err
		}
		if d.Policy = with.Policy; !known || !d.Policy.CheckIn.Demanded {
			return ErrNoCheckIn
		}
		if d.Pages, err = tx.Pages(id); err != nil || !d.Seat.Valid() {
			return err
		}
		keys, err := tx.Passkeys(by.ID)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if takes(with, d.Seat, k) == nil {
				d.Keys++
			}
		}
		d.Synced = d.Keys < len(keys)
		if _, err = arrivalAt(tx, by, id, a.Now()); errors.As(err, &d.Lacks) {
			err = nil
		}
		if errors.Is(err, match.ErrOver) {
			err = nil
		}
		return err
	})
	return d, err
}

// The form of a code that an arbiter gives.
const (
	codeLife    = 10 * time.Minute
	codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789" // without lookalikes
	codeLength  = 8
)

// IssueCode makes a one-time code with which a player checks in to a match without a
// passkey; the judge who gives it vouches for them. Errors: ErrNotJudge, ErrNoCheckIn.
func (a *Office) IssueCode(ctx context.Context, by player.Viewer, id match.ID, of match.Seat) (code string, until time.Time, err error) {
	pepper, err := a.Pepper(ctx)
	if err != nil {
		return "", until, err
	}
	raw := make([]byte, codeLength)
	crand.Read(raw)
	for i, b := range raw {
		raw[i] = codeLetters[int(b)%len(codeLetters)] // 32 letters: all equally likely
	}
	code, now := string(raw), a.Now()
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		o, err := assurance.CapacityOf(tx, by, id)
		if err != nil {
			return err
		}
		if err := o.CheckJudge(); err != nil {
			return err
		}
		if !of.Valid() {
			return assurance.ErrNotJudge
		}
		if with, known, err := assurance.Of(tx, o.Head); err != nil {
			return err
		} else if !known || !with.Policy.CheckIn.Demanded || with.IsOver {
			return ErrNoCheckIn
		}
		c := store.CheckInCode{Match: id, Player: o.Head.Players[of.Index()], By: by.ID, Issued: now, Expires: now.Add(codeLife)}
		c.Digest = codeDigest(pepper, id, c.Player, code)
		return tx.AddCheckInCode(c)
	})
	return code, now.Add(codeLife), err
}

// codeDigest is the stored form of a code, bound to a player and match.
func codeDigest(pepper []byte, id match.ID, of player.ID, code string) string {
	mac := hmac.New(sha256.New, pepper)
	mac.Write([]byte("check-in code\x00" + string(id) + "\x00" + string(of) + "\x00" + code))
	return hex.EncodeToString(mac.Sum(nil))
}

// CheckInByCode checks a page in by an arbiter's code. Errors: those of BeginCheckIn, and
// ErrCode.
func (a *Office) CheckInByCode(ctx context.Context, by player.Viewer, id match.ID, page fairplay.Page, code string) (err error) {
	page.Key, err = fairplay.ParsePageKey(page.Key)
	if err != nil {
		return err
	}
	pepper, err := a.Pepper(ctx)
	if err != nil {
		return err
	}
	digest := codeDigest(pepper, id, by.ID, strings.ToUpper(fold.Code(code)))
	now := a.Now()
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		at, err := arrivalAt(tx, by, id, now)
		if err != nil {
			return err
		}
		giver, err := tx.UseCheckInCode(digest, now)
		if errors.Is(err, store.ErrNotFound) {
			return ErrCode
		}
		if err != nil {
			return err
		}
		page.Policy, page.Means, page.By, page.At = at.with.Policy.Hash(), fairplay.ByCode, giver, now
		return a.checkedIn(tx, at, page)
	})
}

// signed is nil when the checked-in page has signed the act against the log as it stands,
// or as the page shows it if the game is still the same there.
func (n Noted) signed(ctx context.Context, policy fairplay.Policy, pages []fairplay.Page, state match.State, from Source,
	c match.Command) error {
	page, ok := fairplay.PageOf(pages, n.seat)
	if !ok {
		if _, resigns := c.(match.Resign); resigns {
			return nil // a player who cannot check in may still resign
		}
		return ErrCheckIn
	}
	unsigned := func() error {
		return errors.Join(fairplay.Unsigned(policy.Level), n.signal(ctx, review.SignalUnsigned, ""))
	}
	if from.Seq == nil || len(from.Signature) == 0 {
		return unsigned()
	}
	if !state.HasStoodSince(*from.Seq) {
		return match.ErrStale
	}
	chain, err := fairplay.Chain(state.History()[:*from.Seq])
	if err != nil {
		return err
	}
	act := fairplay.Act{Match: n.Head.ID, Seq: *from.Seq, Chain: chain, Fields: from.Fields}
	if !act.SignedBy(page.Key, from.Signature) {
		for _, before := range pages {
			if before.Seat == n.seat && act.SignedBy(before.Key, from.Signature) {
				return ErrTakenOver
			}
		}
		return unsigned()
	}
	if _, begins := c.(match.Ready); begins && !policy.Fresh(page.At, n.At) {
		return ErrCheckInOld
	}
	return nil
}
