package arbiter_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// worth is what is known and signed of a match; what is signed has to hold.
func (h *hall) worth(id match.ID) (with store.MatchPolicy, achieved fairplay.Assurance) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		head, err := tx.Match(id)
		if err != nil {
			return err
		}
		achieved = head.Achieved
		with, err = tx.MatchPolicy(id)
		return err
	}))
	if with.Statement == nil {
		return with, achieved
	}
	record, err := h.Assurance.Record(h.t.Context(), h.state(id), h.head(id), "https://elsewhere.example")
	h.ok(err)
	raw, err := json.Marshal(record)
	h.ok(err)
	if _, err := fairplay.CheckRecord(raw, nil); err != nil {
		h.t.Errorf("the record does not hold: %v", err)
	}
	for key, change := range map[string]string{"event": `"Other"`, "round": "9", "board": "9", "arbiter": "[]", "bots": `["A"]`, "site": `"x"`} {
		var changed map[string]json.RawMessage
		h.ok(json.Unmarshal(raw, &changed))
		changed[key] = json.RawMessage(change)
		forged, err := json.Marshal(changed)
		h.ok(err)
		if _, err := fairplay.CheckRecord(forged, nil); err == nil {
			h.t.Errorf("with another %s it holds, too", key)
		}
	}
	return with, achieved
}

// TestEveryEndIsJudgedAndSigned: what was signed of the first end stays listed, and
// nothing of it stands while the match goes on.
func TestEveryEndIsJudgedAndSigned(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		h.bidAll(id, board)
		for ends := range 3 {
			h.ok(h.resign(board.Match, match.Second))
			h.OnFinish(ctx, board.Match)
			with, _ := h.worth(board.Match)
			if with.Statement == nil || len(with.Superseded) != ends || len(with.Statement.Statement.Supersedes) != ends {
				t.Fatalf("end %d: %+v", ends+1, with)
			}
			h.clock.advance(time.Minute)
			h.ok(h.Judges.Rule(ctx, gus, board.Match, live.Request{Command: match.Reopen{Warrant: word(gus, "the wrong button")}}))
			if with, achieved := h.worth(board.Match); with.Statement != nil || achieved != 0 || len(with.Superseded) != ends+1 {
				t.Errorf("reopened: %+v, achieved %v", with, achieved)
			}
			h.ok(h.Judges.Rule(ctx, gus, board.Match, live.Request{Command: match.Resume{Warrant: word(gus, "go")}}))
		}
	})
}

// TestWhatWasSignedNamesNobodyWhoIsErased: neither the record of a match nor what is
// kept of it, whether a player goes or the arbiter who acted in it.
func TestWhatWasSignedNamesNobodyWhoIsErased(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id, board, gus := evening(h)
		h.bidAll(id, board)
		for range 2 {
			h.ok(h.resign(board.Match, match.Second))
			h.OnFinish(ctx, board.Match)
			h.clock.advance(time.Minute)
			h.ok(h.Judges.Rule(ctx, gus, board.Match, live.Request{Command: match.Reopen{Warrant: word(gus, "the wrong button")}}))
			h.ok(h.Judges.Rule(ctx, gus, board.Match, live.Request{Command: match.Resume{Warrant: word(gus, "go")}}))
		}
		h.ok(h.resign(board.Match, match.Second))
		h.OnFinish(ctx, board.Match)
		if with, _ := h.worth(board.Match); len(with.Superseded) != 2 {
			t.Fatalf("%+v", with)
		}
		for _, gone := range []player.ID{h.head(board.Match).Players[1], gus.ID} {
			name := string(h.handleOf(gone))
			h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
				return errors.Join(tx.AskErasure(gone, h.clock.now(), h.clock.now()), tx.Erase(gone, h.clock.now()))
			}))
			record, err := h.Assurance.Record(ctx, h.state(board.Match), h.head(board.Match), "")
			h.ok(err)
			raw, err := json.Marshal(record)
			h.ok(err)
			if _, err := fairplay.CheckRecord(raw, nil); !errors.Is(err, fairplay.ErrNoStatement) {
				t.Errorf("without %s: %v", name, err)
			}
			h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
				with, err := tx.MatchPolicy(board.Match)
				for _, s := range append(with.Superseded, *with.Statement) {
					if slices.Contains(s.Statement.Players[:], name) {
						t.Errorf("%s is gone, this stays: %+v", name, s.Statement)
					}
				}
				return err
			}))
		}
	})
}

// TestAStewardsWordIsOfOneEnd: after it the match went on, with a second session and
// nobody's word, and achieves what that is worth.
func TestAStewardsWordIsOfOneEnd(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		policy := fairplay.Preset(fairplay.Supervised)
		policy.Telemetry = false // another test's matter
		var id match.ID
		of := [2]player.ID{h.player("ana").ID, h.player("bob").ID}
		h.ok(h.store.Write(ctx, func(tx *store.Tx) (err error) {
			o := match.DefaultOptions()
			o.Lateness = 0
			if id, err = h.live.OpenTx(tx, live.Opening{Players: of, Options: o, Policy: policy}); err != nil {
				return err
			}
			for i := range of {
				seat := match.Seat(i + 1)
				for _, k := range []fairplay.FactKind{fairplay.TextAccepted, fairplay.CheckedIn, fairplay.StewardOpened, fairplay.StewardSigned} {
					if err := tx.AddFacts(id, fairplay.Fact{Kind: k, Seat: seat, At: h.clock.now()}); err != nil {
						return err
					}
				}
				if err := tx.AddFacts(id, fairplay.Fact{Kind: fairplay.Attested, Seat: seat, Count: 2, At: h.clock.now()}); err != nil {
					return err
				}
			}
			return nil
		}))
		h.bidOut(id, func(seat match.Seat) player.ID { return of[seat.Index()] })
		h.ok(h.resign(id, match.Second))
		h.OnFinish(ctx, id)
		if with, achieved := h.worth(id); achieved != fairplay.Supervised {
			t.Fatalf("the first end: %v, %+v", achieved, with.Statement)
		}
		operator := h.host
		operator.Role = player.Operator
		h.ok(h.Judges.Rule(ctx, operator, id, live.Request{Command: match.Reopen{Warrant: word(operator, "again")}}))
		h.ok(h.Judges.Rule(ctx, operator, id, live.Request{Command: match.Resume{Warrant: word(operator, "go")}}))
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			return tx.AddFacts(id, fairplay.Fact{Kind: fairplay.SecondSession, Seat: match.First, At: h.clock.now()})
		}))
		h.ok(h.resign(id, match.Second))
		h.OnFinish(ctx, id)
		if with, achieved := h.worth(id); achieved != 0 || with.Statement != nil {
			t.Errorf("before the steward's word: %v", achieved)
		}
		h.clock.advance(fairplay.SignWithin)
		h.OnFinish(ctx, id)
		with, achieved := h.worth(id)
		var why []string
		for _, r := range with.Statement.Statement.Achieved.Reasons {
			why = append(why, r.Key)
		}
		if achieved != fairplay.Declared || !slices.Contains(why, "second-session") || !slices.Contains(why, "no-steward") {
			t.Errorf("the second end: %v because of %v", achieved, why)
		}
	})
}
