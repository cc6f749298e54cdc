package seats

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// ErrBeingPlayed refuses to analyze a position, or a bidding, of a match that is being played.
var ErrBeingPlayed = refusal.Conflict("fairplay.error.being-played", "arbiter: a match with this position is being played")

// errBotAsked refuses a move after which a bot would tell what to play in a match that is on.
var errBotAsked = refusal.Kindred(ErrBeingPlayed, "fairplay.error.being-played.bot", ErrBeingPlayed.Error())

// answers are the ways to say ErrBeingPlayed: plainly, to whoever's question is noted, and to those without an account.
type answers struct{ plain, noted, visitor error }

var (
	ofPositions = answers{
		plain:   ErrBeingPlayed,
		noted:   refusal.Kindred(ErrBeingPlayed, "fairplay.error.being-played.noted", ErrBeingPlayed.Error()),
		visitor: refusal.Kindred(ErrBeingPlayed, "fairplay.error.being-played.visitor", ErrBeingPlayed.Error()),
	}
	ofBots = answers{
		plain:   errBotAsked,
		noted:   refusal.Kindred(ErrBeingPlayed, "fairplay.error.being-played.bot.noted", ErrBeingPlayed.Error()),
		visitor: errBotAsked,
	}
	ofBids = answers{
		plain:   refusal.Kindred(ErrBeingPlayed, "fairplay.error.being-bid", ErrBeingPlayed.Error()),
		noted:   refusal.Kindred(ErrBeingPlayed, "fairplay.error.being-bid.noted", ErrBeingPlayed.Error()),
		visitor: refusal.Kindred(ErrBeingPlayed, "fairplay.error.being-bid.visitor", ErrBeingPlayed.Error()),
	}
)

// longestFeed bounds how long after its end a match is looked at.
const longestFeed = time.Hour

// Asker is who asks for analysis: an account or nobody, and the browser it asks from, unless by a token.
type Asker struct {
	player.Viewer
	Device string
	ByLink bool // the browser asked by itself, as for a link that anybody may have sent: nothing is noted
}

// MayAnalyse is nil, or ErrBeingPlayed: our analysis answers for no position of a match
// of Declared or above that is running, or whose last moves watchers have not seen,
// unless everybody could know the position before that match opened. Whoever plays in the
// match, asks from a browser it is played from, or has no account by which to know that they
// do not play, gets no answer for what nearly is such a position either; the last may ask for
// openings. A refusal is noted. Asking, refused or not, is a signal if the asker plays in that
// match, or asks from a browser it is played from: a link alone gets them no answer.
func (a *Office) MayAnalyse(ctx context.Context, by Asker, p board.Position) error {
	mayBeAnybody := !by.HasAccount() && !fairplay.IsOpening(p)
	touched, err := a.touched(ctx, by, p, func(seat match.Seat) bool { return seat.Valid() || mayBeAnybody })
	if err != nil {
		return err
	}
	var refused error
	for _, m := range touched {
		if m.held || by.ByLink && m.note.seat.Valid() {
			refused = by.refusal(ofPositions, refused, true)
		}
		if err := a.noteAnalysis(ctx, by, m.note, p.CFEN(), !m.held); err != nil {
			return err
		}
	}
	return refused
}

// MayAskABot is nil, or ErrBeingPlayed: whoever plays a match out against a bot, move by move, hears from it what to play.
// So no move there leads to a position for which MayAnalyse has no answer, and it is noted likewise. Only who plays in that
// match is kept away from what nearly is one, openings apart: any game may come near.
func (a *Office) MayAskABot(ctx context.Context, by Asker, s match.State, h store.Head, c match.Command) error {
	move, isMove := c.(match.Play)
	if seat := h.SeatOf(by.ID); !isMove || !seat.Valid() || !h.Bots[seat.Other().Index()] || !s.Game().OnBoard() {
		return nil
	}
	p, _, err := s.Game().Position().Play(move.Action)
	if err != nil {
		return nil // the rulebook refuses
	}
	isOpening := fairplay.IsOpening(p)
	touched, err := a.touched(ctx, by, p, func(seat match.Seat) bool { return seat.Valid() && !isOpening })
	if err != nil {
		return err
	}
	var refused error
	for _, m := range touched {
		if !m.held {
			continue
		}
		refused = by.refusal(ofBots, refused, true)
		if err := a.noteAnalysis(ctx, by, m.note, p.CFEN(), false); err != nil {
			return err
		}
	}
	return refused
}

// touch is a guarded match of which somebody asks for a position; held: and not everybody knows it.
type touch struct {
	note Noted
	held bool
}

// touched are the guarded matches of which a position is asked for, or what nearly is one where near says so of the asker's
// seat.
func (a *Office) touched(ctx context.Context, by Asker, p board.Position, near func(match.Seat) bool) (list []touch, err error) {
	guarded, err := a.guarded(ctx)
	if err != nil || len(guarded) == 0 {
		return nil, err
	}
	seats, err := a.seatsOf(ctx, by, guarded)
	if err != nil {
		return nil, err
	}
	asked := ask(p)
	for _, h := range guarded {
		state, head, err := a.Live.State(ctx, h.ID)
		if err != nil {
			return nil, fmt.Errorf("analysis lock: %w", err)
		}
		seat := seats[h.ID]
		is, held, err := a.holds(ctx, state.Game(), head, near(seat), asked)
		if err != nil {
			return nil, err
		}
		if is {
			list = append(list, touch{Noted{Office: a, Head: head, seat: seat, At: a.Now(), Move: assurance.MoveOf(state)}, held})
		}
	}
	return list, nil
}

// MayExploreBids is nil, or ErrBeingPlayed. While a match of Declared or above is in its
// bidding, our analysis tells nothing of bids to whoever plays in it, or has no account by
// which to know that they do not. Others get no answer for how its bidding stands. Questions
// about just that are noted as for positions; about other biddings they tell nothing of who asks.
func (a *Office) MayExploreBids(ctx context.Context, by Asker, bids bidding.State) error {
	guarded, err := a.guarded(ctx)
	guarded = slices.DeleteFunc(guarded, func(h store.Head) bool { return h.Status != match.Bidding })
	if err != nil || len(guarded) == 0 {
		return err
	}
	seats, err := a.seatsOf(ctx, by, guarded)
	if err != nil {
		return err
	}
	var refused error
	for _, h := range guarded {
		seat := seats[h.ID]
		state, head, err := a.Live.State(ctx, h.ID)
		if err != nil {
			return fmt.Errorf("analysis lock: %w", err)
		}
		isThis := fairplay.BidsLocked(state.Game(), bids)
		if !isThis && !seat.Valid() && by.HasAccount() {
			continue
		}
		refused = by.refusal(ofBids, refused, isThis)
		if !isThis {
			continue
		}
		n := Noted{Office: a, Head: head, seat: seat, At: a.Now()}
		if err := a.noteAnalysis(ctx, by, n, bidsText(bids), false); err != nil {
			return err
		}
	}
	return refused
}

// refusal is the answer to somebody without an account, or to others, noted here or with what was refused before.
func (by Asker) refusal(of answers, before error, isNoted bool) error {
	switch {
	case !by.HasAccount():
		return of.visitor
	case before != nil && !isNoted:
		return before
	case isNoted && !by.ByLink:
		return of.noted
	}
	return of.plain
}

// bidsText tells how a bidding stands: the chips on each target, and the home row.
func bidsText(s bidding.State) string {
	var text strings.Builder
	for t := bidding.White; t <= bidding.Features; t++ {
		fmt.Fprintf(&text, "%s %d:%d, ", t, s.Stake(t, match.First), s.Stake(t, match.Second))
	}
	return text.String() + string(s.Row())
}

// seatsOf are the seats of those who ask, by match: theirs, that of a person's bot or a bot's
// person, or one that is played from the same browser.
func (a *Office) seatsOf(ctx context.Context, by Asker, heads []store.Head) (map[match.ID]match.Seat, error) {
	seats := map[match.ID]match.Seat{}
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		person := by.ID
		if by.Bot && by.Maintainer != "" {
			person = by.Maintainer
		}
		selves, err := tx.BotsOf(person)
		if err != nil {
			return err
		}
		if by.Device != "" {
			if seats, err = tx.SeatsFrom(by.Device); err != nil {
				return err
			}
		}
		for _, h := range heads {
			for _, self := range append(selves, player.Player{ID: person}, by.Player) {
				if seat := h.SeatOf(self.ID); seat.Valid() {
					seats[h.ID] = seat
				}
			}
		}
		return nil
	})
	return seats, err
}

// question is what is asked for.
type question struct {
	positions  []board.Position
	placements fairplay.Placements
}

func ask(positions ...board.Position) question {
	return question{positions, fairplay.PlacementsOf(positions)}
}

// holds reports whether some positions are those of a guarded match, or nearly for somebody who
// may play in it; and whether one of the match's is not known to everybody since before it opened.
func (a *Office) holds(ctx context.Context, g match.Game, head store.Head, mayPlay bool, q question) (touched, held bool, err error) {
	keys := fairplay.LockedOf(g, q.placements)
	if mayPlay {
		keys = append(keys, fairplay.NearOf(g, q.positions)...)
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		held = false
		for _, key := range keys {
			known, err := tx.IsKnown(key.Mark(), head.OpenedAt)
			if err != nil {
				return err
			}
			held = held || !known
		}
		return nil
	})
	return len(keys) > 0, held, err
}

// guarded are the matches of Declared and above that are running or whose end watchers have
// not seen yet.
func (a *Office) guarded(ctx context.Context) ([]store.Head, error) {
	now := a.Now()
	heads, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]store.Head, error) { return tx.Guarded(now.Add(-longestFeed)) })
	return slices.DeleteFunc(heads, func(h store.Head) bool {
		return h.Status == match.Over && !now.Before(h.Feed.Until(h.LastAt))
	}), err
}

// noteAnalysis notes what was asked, unless by a link: a refusal, unless of a visitor, and that a player of the match asked.
func (a *Office) noteAnalysis(ctx context.Context, by Asker, n Noted, what string, answered bool) error {
	isRefusal := !answered && by.IsSignedIn()
	if by.ByLink || !isRefusal && !n.seat.Valid() {
		return nil
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if isRefusal {
			refusal := store.AnalysisRefusal{ID: store.NewID(), Match: n.Head.ID, Player: by.ID, At: n.At, Position: what}
			if err := tx.AddAnalysisRefusal(refusal); err != nil {
				return err
			}
		}
		if !n.seat.Valid() {
			return nil
		}
		return n.SignalTx(tx, n.Head.Players[n.seat.Index()], review.SignalAnalysis, what)
	})
}

// MayReadAnalysis is nil, or ErrBeingPlayed: nobody reads our analysis of a finished
// match while one of its positions stands, or may stand, in a match of Declared or above
// that was opened before it ended. Else a player could have the same position played out
// elsewhere and read there what to do. Whoever plays in that match does not read of what
// nearly is such a position either.
func (a *Office) MayReadAnalysis(ctx context.Context, by Asker, h store.Head, g match.Game) error {
	if !g.OnBoard() {
		return nil
	}
	guarded, err := a.guarded(ctx)
	if err != nil || len(guarded) == 0 {
		return err
	}
	seats, err := a.seatsOf(ctx, by, guarded)
	if err != nil {
		return err
	}
	asked := ask(g.Positions()...)
	for _, other := range guarded {
		if other.ID == h.ID || other.OpenedAt.After(h.LastAt) {
			continue
		}
		state, head, err := a.Live.State(ctx, other.ID)
		if err != nil {
			return fmt.Errorf("analysis lock: %w", err)
		}
		_, held, err := a.holds(ctx, state.Game(), head, seats[other.ID].Valid(), asked)
		if err != nil {
			return err
		}
		if held {
			return ErrBeingPlayed
		}
	}
	return nil
}
