package arbiter_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/passkey"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// phone is a device that holds one player's passkey and can answer for it.
type phone struct {
	owner player.Player
	key   *ecdsa.PrivateKey
	id    []byte
}

const phoneSite = "http://localhost"

func (h *hall) phone(handle string) phone {
	h.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	h.ok(err)
	p := phone{owner: h.player(handle), key: key, id: []byte("phone of " + handle)}
	point, err := key.PublicKey.Bytes()
	h.ok(err)
	// COSE by hand: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
	cose := append([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20}, point[1:33]...)
	cose = append(append(cose, 0x22, 0x58, 0x20), point[33:]...)
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		return tx.AddPasskey(player.Passkey{ID: "key-" + handle, Player: p.owner.ID, Credential: p.id, PublicKey: cose, Name: "phone", Created: h.clock.now()})
	}))
	return p
}

// answer is what the unlocked device says to a challenge.
func (h *hall) answer(p phone, challenge []byte) []byte {
	h.t.Helper()
	text := base64.RawURLEncoding.EncodeToString
	client, err := json.Marshal(map[string]any{"type": "webauthn.get", "challenge": text(challenge), "origin": phoneSite})
	h.ok(err)
	site := sha256.Sum256([]byte("localhost"))
	data := append(site[:], 5, 0, 0, 0, 0) // somebody was there and was verified; it does not count
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(append(slices.Clone(data), hash[:]...))
	sig, err := ecdsa.SignASN1(rand.Reader, p.key, sum[:])
	h.ok(err)
	raw, err := json.Marshal(map[string]any{"id": text(p.id), "rawId": text(p.id), "type": "public-key", "response": map[string]string{
		"clientDataJSON": text(client), "authenticatorData": text(data), "signature": text(sig), "userHandle": text([]byte(p.owner.ID)),
	}})
	h.ok(err)
	return raw
}

// watched is a match in which both players are asked in the middle.
type watched struct {
	*hall
	id    match.ID
	plies int
}

// watched opens it for ana and bob, who checked in by these means; the bids are
// made. Signatures and what pages tell are other tests' matter.
func (h *hall) watched(means ...fairplay.Means) *watched {
	h.t.Helper()
	w := &watched{hall: h}
	h.live.OnTurn(h.Seats.OnTurn)
	policy := fairplay.Preset(fairplay.Verified)
	policy.CheckIn.MidMatch, policy.Moves, policy.Telemetry, policy.OneSession = 100, fairplay.Board, false, false
	options := match.DefaultOptions()
	options.Envelope.Chips, options.Claims = 1, match.Manual
	players := [2]player.ID{h.player("ana").ID, h.player("bob").ID}
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) (err error) {
		w.id, err = h.live.OpenTx(tx, live.Opening{Players: players, Options: options, Policy: policy})
		for i, of := range players {
			seat := match.Seat(i + 1)
			err = errors.Join(err,
				tx.AddFacts(w.id, fairplay.Fact{Kind: fairplay.TextAccepted, Seat: seat}, fairplay.Fact{Kind: fairplay.Attested, Seat: seat, Count: 1}, fairplay.Fact{Kind: fairplay.CheckedIn, Seat: seat}),
				tx.AddPage(w.id, fairplay.Page{Seat: seat, Player: of, Session: "page of " + string(of), Key: []byte{4, byte(i)}, Means: means[i], At: h.clock.now()}, 0))
		}
		return err
	}))
	w.do(match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}})
	w.do(match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 10, Increment: 3}}})
	return w
}

func (w *watched) by(c match.Command) player.ID {
	_, head, err := w.live.State(w.t.Context(), w.id)
	w.ok(err)
	seat, _ := w.state(w.id).ToAct()
	if resign, ok := c.(match.Resign); ok {
		seat = resign.Seat
	}
	return head.Players[seat.Index()]
}

func (w *watched) do(c match.Command) {
	w.t.Helper()
	_, err := w.live.Do(w.t.Context(), w.id, w.by(c), live.Request{Command: c, Admit: admitted})
	w.ok(err)
}

func (w *watched) move() match.Play {
	seat, _ := w.state(w.id).Game().Turn()
	act, err := board.ParseAction([]string{"b1c3", "b8c6", "c3b1", "c6b8"}[w.plies%4])
	w.ok(err)
	return match.Play{Seat: seat, Action: act}
}

// play moves knights, a second each, until the match stands still or so many plies
// are played; it answers who is asked then.
func (w *watched) play(plies int) match.Seat {
	w.t.Helper()
	for w.plies < plies {
		w.clock.advance(time.Second)
		w.do(w.move())
		w.plies++
		if _, still := w.state(w.id).Standstill(); still {
			seat, _ := w.state(w.id).Game().Turn()
			return seat
		}
	}
	return 0
}

// most plies that are played without a check, and after which all are over.
const allPlies = 44

func (w *watched) facts(of match.Seat) (kinds []fairplay.FactKind, move int) {
	w.t.Helper()
	w.ok(w.store.Read(w.t.Context(), func(tx *store.Tx) error {
		facts, err := tx.Facts(w.id)
		for _, f := range facts {
			if f.Seat == of && f.Move > 0 {
				kinds, move = append(kinds, f.Kind), f.Move
			}
		}
		return err
	}))
	return kinds, move
}

func (w *watched) wantFacts(of match.Seat, want ...fairplay.FactKind) {
	w.t.Helper()
	kinds, move := w.facts(of)
	if !slices.Equal(kinds, want) {
		w.t.Errorf("facts of %v: %v, want %v", of, kinds, want)
	}
	p := fairplay.Preset(fairplay.Verified)
	p.CheckIn.MidMatch = 100
	if at := p.MidCheck(w.state(w.id), 888, of); move > 0 && move != at {
		w.t.Errorf("asked at move %d, and the seed says %d", move, at)
	}
}

func (w *watched) signals(of match.Seat) (n int) {
	w.t.Helper()
	w.ok(w.store.Read(w.t.Context(), func(tx *store.Tx) error {
		head, err := tx.Match(w.id)
		if err != nil {
			return err
		}
		list, err := tx.SignalsOf(head.Players[of.Index()])
		for _, s := range list {
			if s.Kind == review.SignalMidCheck && s.Match == w.id {
				n++
			}
		}
		return err
	}))
	return n
}

// viewerAt is the player of a seat and the session of their page.
func (w *watched) viewerAt(seat match.Seat) (player.Viewer, string) {
	handle := [2]string{"ana", "bob"}[seat.Index()]
	v := w.viewer(handle)
	return v, "page of " + string(v.ID)
}

func (w *watched) mayAct(seat match.Seat, c match.Command) error {
	w.t.Helper()
	state, head, err := w.live.State(w.t.Context(), w.id)
	w.ok(err)
	v, session := w.viewerAt(seat)
	return w.Seats.MayAct(w.t.Context(), v, state, head, seats.Source{Session: session}, c)
}

func TestACheckDuringTheMatchIsPassedOrMissed(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		phones := []phone{h.phone("ana"), h.phone("bob")}
		w := h.watched(fairplay.ByPasskey, fairplay.ByPasskey)
		first := w.play(allPlies)
		if !first.Valid() {
			t.Fatal("nobody is asked")
		}
		w.wantFacts(first, fairplay.MidCheckAsked)
		before := w.state(w.id)
		a, b, _ := before.Clocks(h.clock.now())
		resign := match.Resign{Seat: first}
		if err := w.mayAct(first, w.move()); !errors.Is(err, seats.ErrUnlockFirst) {
			t.Errorf("who is asked moves: %v", err)
		}
		if err := w.mayAct(first, resign); !errors.Is(err, seats.ErrUnlockFirst) {
			t.Errorf("who is asked resigns: %v", err)
		}
		if err := w.mayAct(first.Other(), match.Resign{Seat: first.Other()}); !errors.Is(err, seats.ErrChecking) {
			t.Errorf("the other resigns: %v", err)
		}
		h.clock.advance(45*time.Second - time.Millisecond)
		h.ok(h.live.SweepDue(t.Context()))
		h.ok(h.Seats.SweepMidChecks(t.Context()))
		if _, still := w.state(w.id).Standstill(); !still {
			t.Fatal("not waited for 45 s")
		}
		h.clock.advance(time.Millisecond)
		for range 2 {
			h.ok(h.Seats.SweepMidChecks(t.Context()))
		}
		after := w.state(w.id)
		if c, d, running := after.Clocks(h.clock.now()); c != a || d != b || running != first || after.Seq() != before.Seq()+1 {
			t.Errorf("clocks %v and %v, want %v and %v; %v's runs; seq %d after %d", c, d, a, b, running, after.Seq(), before.Seq())
		}
		w.wantFacts(first, fairplay.MidCheckAsked, fairplay.MidCheckMissed)
		if w.signals(first) != 1 || w.signals(first.Other()) != 0 {
			t.Errorf("%d and %d signals", w.signals(first), w.signals(first.Other()))
		}

		second := w.play(allPlies)
		if second != first.Other() {
			t.Fatalf("%v is asked after %v", second, first)
		}
		site, err := passkey.NewSite(phoneSite)
		h.ok(err)
		v, session := w.viewerAt(second)
		other, otherSession := w.viewerAt(first)
		begin := func(v player.Viewer, session string) error {
			_, _, err := h.Seats.BeginMidCheck(t.Context(), v, w.id, session)
			return err
		}
		for name, wrong := range map[string]struct{ got, want error }{
			"another page of his":   {begin(v, "another"), seats.ErrTakenOver},
			"the other player":      {begin(other, otherSession), seats.ErrMidCheckOver},
			"somebody who watches":  {begin(h.viewer("cyn"), "x"), live.ErrNotPlaying},
			"who was asked in time": {begin(v, session), nil},
		} {
			if !errors.Is(wrong.got, wrong.want) {
				t.Errorf("%s: %v, want %v", name, wrong.got, wrong.want)
			}
		}
		challenge, keys, err := h.Seats.BeginMidCheck(t.Context(), v, w.id, session)
		h.ok(err)
		if len(keys) != 1 {
			t.Fatalf("%d keys", len(keys))
		}
		h.clock.advance(10 * time.Second)
		said := h.answer(phones[second.Index()], challenge)
		if err := h.Seats.CheckPageIn(t.Context(), v, w.id, persons.Said{Site: site, Session: session, Answer: said}); !errors.Is(err, persons.ErrTooLong) {
			t.Errorf("as the answer to a check-in: %v", err)
		}
		h.ok(h.Seats.PassMidCheck(t.Context(), v, w.id, persons.Said{Site: site, Session: session, Answer: said}))
		if err := h.Seats.PassMidCheck(t.Context(), v, w.id, persons.Said{Site: site, Session: session, Answer: said}); !errors.Is(err, persons.ErrTooLong) {
			t.Errorf("the same answer again: %v", err)
		}
		w.wantFacts(second, fairplay.MidCheckAsked, fairplay.MidCheckPassed)
		h.clock.advance(time.Minute)
		h.ok(h.Seats.SweepMidChecks(t.Context()))
		if seat := w.play(allPlies); seat.Valid() {
			t.Fatalf("%v is asked again", seat)
		}
		w.do(match.Resign{Seat: match.First})
		h.OnFinish(t.Context(), w.id)
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			p, err := tx.MatchPolicy(w.id)
			if err != nil {
				return err
			}
			got := p.Statement.Statement.Achieved
			if got.Level != fairplay.Declared || got.Seats[first.Index()] != fairplay.Declared || got.Seats[second.Index()] != fairplay.Verified || len(got.Reasons) != 2 {
				t.Errorf("achieved: %+v", got)
			}
			return nil
		}))
	})
}

// What a node that died has left is done by whichever comes next, once.
func TestACheckOutlivesTheServer(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		w := h.watched(fairplay.ByPasskey, fairplay.ByPasskey)
		h.live.OnTurn(nil) // the process dies between the move and the question
		h.ok(h.live.Heartbeat(t.Context()))
		w.play(40)
		seat := match.First // White, to move
		if err := w.mayAct(match.First, match.Resign{Seat: seat}); err != nil {
			t.Fatalf("who resigns is not asked: %v", err)
		}
		if err := w.mayAct(seat.Other(), w.move()); err != nil {
			t.Fatalf("whose turn it is not is not asked: %v", err)
		}
		if err := w.mayAct(seat, w.move()); !errors.Is(err, seats.ErrUnlockFirst) {
			t.Fatalf("he moves without having been asked: %v", err)
		}
		h.ok(h.live.Heartbeat(t.Context()))
		h.clock.advance(10 * time.Minute) // the server is down

		var nodes []*arbiter.Arbiter
		var beats []*live.Runner
		for range 3 {
			r, err := live.New(h.store, live.NewInProcess(), live.Config{Now: h.clock.now}, nil)
			h.ok(err)
			t.Cleanup(r.Close)
			h.ok(r.Recover(t.Context()))
			nodes, beats = append(nodes, arbiter.New(h.store, r, arbiter.Config{Now: h.clock.now}, nil)), append(beats, r)
		}
		passes := func(seconds int) { // in which the nodes are awake
			for range seconds {
				h.clock.advance(time.Second)
				for _, r := range beats {
					h.ok(r.Heartbeat(t.Context()))
				}
			}
		}
		sweep := func() {
			var all sync.WaitGroup
			for _, a := range nodes {
				all.Go(func() {
					if err := a.Seats.SweepMidChecks(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		passes(20)
		h.clock.advance(10 * time.Minute) // all nodes sleep, and their jobs awake together
		sweep()
		passes(44)
		sweep()
		if _, still := w.state(w.id).Standstill(); !still {
			t.Fatal("who was asked before an outage has not the whole time again")
		}
		seq := w.state(w.id).Seq()
		passes(1)
		sweep()
		if _, still := w.state(w.id).Standstill(); still || w.state(w.id).Seq() != seq+1 {
			t.Errorf("stands still: %v, seq %d after %d", still, w.state(w.id).Seq(), seq)
		}
		if kinds, _ := w.facts(seat); !slices.Equal(kinds, []fairplay.FactKind{fairplay.MidCheckAsked, fairplay.MidCheckMissed}) || w.signals(seat) != 1 {
			t.Errorf("facts %v, %d signals", kinds, w.signals(seat))
		}
	})
}

// The node gives the outage back, and the turn for a check has come meanwhile: it asks
// when that is done. Asking during it, it stood still for good.
func TestACheckIsAskedForAfterAnOutage(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		w := h.watched(fairplay.ByPasskey, fairplay.ByPasskey)
		h.live.OnTurn(nil)
		h.ok(h.live.Heartbeat(t.Context()))
		w.play(40)
		h.live.OnTurn(h.Seats.OnTurn)
		h.ok(h.live.Heartbeat(t.Context()))
		h.clock.advance(10 * time.Minute)
		h.ok(h.live.Heartbeat(t.Context()))
		if _, still := w.state(w.id).Standstill(); !still {
			t.Error("nobody is asked")
		}
		if kinds, move := w.facts(match.First); !slices.Equal(kinds, []fairplay.FactKind{fairplay.MidCheckAsked}) || move != 21 { // White, to move
			t.Errorf("facts %v at move %d", kinds, move)
		}
	})
}

func TestAnArbitersPauseTakesThePlaceOfACheck(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		w := h.watched(fairplay.ByPasskey, fairplay.ByPasskey)
		seat := w.play(allPlies)
		rule := func(c match.Command) {
			t.Helper()
			_, err := h.live.Arbitrate(t.Context(), w.id, live.Request{Command: c})
			h.ok(err)
		}
		word := match.Warrant{By: string(h.host.ID), Why: "the light is out"}
		rule(match.Pause{Warrant: word})
		v, session := w.viewerAt(seat)
		if _, _, err := h.Seats.BeginMidCheck(t.Context(), v, w.id, session); !errors.Is(err, seats.ErrMidCheckOver) {
			t.Errorf("asked during the arbiter's pause: %v", err)
		}
		h.clock.advance(time.Minute)
		h.ok(h.Seats.SweepMidChecks(t.Context()))
		if still, stands := w.state(w.id).Standstill(); !stands || still.By != string(h.host.ID) {
			t.Fatalf("%+v", still)
		}
		rule(match.Resume{Warrant: word})
		if _, still := w.state(w.id).Standstill(); still {
			t.Fatal("asked a second time")
		}
		w.wantFacts(seat, fairplay.MidCheckAsked) // and nothing is lowered
		if w.signals(seat) != 0 {
			t.Error("a signal")
		}
		// The other is asked as ever, and can answer.
		if other := w.play(allPlies); other != seat.Other() {
			t.Fatalf("%v is asked after %v", other, seat)
		}
		h.phone("ana")
		h.phone("bob")
		v, session = w.viewerAt(seat.Other())
		if _, _, err := h.Seats.BeginMidCheck(t.Context(), v, w.id, session); err != nil {
			t.Errorf("the other after an arbiter's pause: %v", err)
		}
		h.clock.advance(45 * time.Second)
		h.ok(h.Seats.SweepMidChecks(t.Context()))
		w.wantFacts(seat.Other(), fairplay.MidCheckAsked, fairplay.MidCheckMissed)

		// A match that stands still at the very turn asks at the next one.
		again := h.watched(fairplay.ByPasskey, fairplay.ByCode)
		for {
			again.play(again.plies + 1)
			p := fairplay.Preset(fairplay.Verified)
			p.CheckIn.MidMatch = 100
			if again.plies == 2*p.MidCheck(again.state(again.id), 888, match.First)-3 { // Black is to answer, then it is their turn
				break
			}
		}
		w = again
		h.live.OnTurn(func(ctx context.Context, id match.ID, s match.State) {})
		again.play(again.plies + 1)
		rule(match.Pause{Warrant: word})
		h.live.OnTurn(h.Seats.OnTurn)
		rule(match.Resume{Warrant: word})
		if still, _ := again.state(again.id).Standstill(); still.By != match.FairPlay {
			t.Error("nobody is asked after the arbiter's pause")
		}
		again.wantFacts(match.First, fairplay.MidCheckAsked)
	})
}

func TestWhoCameByCodeIsAskedNothing(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		w := h.watched(fairplay.ByCode, fairplay.ByCode)
		if seat := w.play(allPlies); seat.Valid() {
			t.Errorf("%v is asked", seat)
		}
	})
}
