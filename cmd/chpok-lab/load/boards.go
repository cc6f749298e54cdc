package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// quickBoard is a match in which knights go out and back, so that nobody has to ask for
// legal moves.
type quickBoard struct {
	id      match.ID
	players [2]player.ID // by seat; First is White
	handles [2]string
	seq     int64
	plies   int

	mu      sync.Mutex
	due     map[int64]time.Time // when acknowledged acts were due that the stream has not delivered
	arrived map[int64]time.Time // when the stream delivered acts that are not acknowledged yet
	seen    []time.Duration
	upTo    int64 // last delivered by the first stream
}

// knights is a cycle of moves.
var knights = [4]string{"b1c3", "b8c6", "c3b1", "c6b8"}

// knightMove returns the move of a ply.
func knightMove(ply int) match.Play {
	act, err := board.ParseAction(knights[ply%len(knights)])
	if err != nil {
		panic(err) // knights is constant
	}
	return match.Play{Seat: [2]match.Seat{match.First, match.Second}[ply%2], Action: act}
}

// quickBids give White to First at a time control.
func quickBids(t bidding.TimeControl) []match.Command {
	return []match.Command{
		match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}},
		match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: t}},
	}
}

// isSpent reports whether the move limit is near.
func (b *quickBoard) isSpent() bool { return b.plies >= mostPlies }

// mostPlies is a little less than the longest move limit allows.
const mostPlies = 1990

// boardsAtOnce is how many matches are opened at a time; their appends share commits.
const boardsAtOnce = 64

// openBoards opens matches directly in the database and bids in them: First is White,
// with enough time and moves.
func (l *load) openBoards(ctx context.Context, n int) ([]*quickBoard, error) {
	s, err := store.Open(ctx, l.command.Database, store.Options{})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	options := match.DefaultOptions()
	options.Envelope.Chips, options.Envelope.Defaults.MoveLimit = 1, options.Envelope.MoveLimit[1]
	options.Claims = match.Manual // or repetition would be a draw
	boards := make([]*quickBoard, n)
	if err := s.Write(ctx, func(tx *store.Tx) error {
		for i := range boards {
			b := &quickBoard{due: map[int64]time.Time{}}
			for seat := range b.players {
				b.handles[seat] = l.handles[1+(2*i+seat)%(len(l.handles)-1)]
				b.players[seat] = l.ids[b.handles[seat]]
			}
			if b.id, err = r.OpenTx(tx, live.Opening{Players: b.players, Options: options}); err != nil {
				return err
			}
			boards[i] = b
		}
		return nil
	}); err != nil {
		return nil, err
	}
	bids := quickBids(bidding.TimeControl{Minutes: bidding.MaxMinutes, Increment: bidding.MaxIncrement})
	var group errgroup.Group
	group.SetLimit(boardsAtOnce)
	for _, b := range boards {
		group.Go(func() (err error) {
			for k, bid := range bids {
				if b.seq, err = r.Do(ctx, b.id, b.players[k], live.Request{Command: bid}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return boards, group.Wait()
}

// shuffle makes the next move through the public API. If a node is gone or cannot reach
// its data, another one is asked: the command has an id.
func (l *load) shuffle(ctx context.Context, b *quickBoard, due time.Time) error {
	what := map[string]any{"id": "ply-" + strconv.Itoa(b.plies), "seq": b.seq, "act": knights[b.plies%len(knights)]}
	var out struct{ Seq int64 }
	at, who := "/matches/"+string(b.id), b.handles[b.plies%2]
	err := l.post(ctx, who, at+"/commands", what, &out)
	if errors.Is(err, errStale) { // time was given back after an outage
		if err = l.get(ctx, who, at, &out); err == nil {
			what["seq"] = out.Seq
			err = l.post(ctx, who, at+"/commands", what, &out)
		}
	}
	if err != nil {
		return err
	}
	b.plies++
	b.seq = out.Seq
	b.note(out.Seq, due, true)
	return nil
}

// note matches the time when an act was due with its delivery by the stream.
func (b *quickBoard) note(seq int64, at time.Time, isDue bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.arrived == nil {
		return
	}
	mine, other := b.arrived, b.due
	if isDue {
		mine, other = b.due, b.arrived
	} else {
		b.upTo = max(b.upTo, seq)
	}
	if met, ok := other[seq]; ok {
		delete(other, seq)
		b.seen = append(b.seen, at.Sub(met).Abs())
		return
	}
	mine[seq] = at
}

// await waits until the first stream has delivered the log up to upTo.
func (b *quickBoard) await(ctx context.Context, upTo int64) error {
	give := time.Now().Add(answerWithin)
	for {
		b.mu.Lock()
		at := b.upTo
		b.mu.Unlock()
		if at >= upTo {
			return nil
		}
		if time.Now().After(give) || ctx.Err() != nil {
			return cli.Fail(1, "the stream of match %s has come to %d of %d", b.id, at, upTo)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// follow watches a match as a program does, reconnecting to any node when its stream
// ends. Duplicate, disordered or missing events are errors.
func (l *load) follow(ctx context.Context, b *quickBoard, isFirst bool, begun chan<- error) {
	last, said := b.seq, false
	for ctx.Err() == nil {
		err := l.followOnce(ctx, b, isFirst, &last, func() {
			if !said {
				said = true
				begun <- nil
			}
		})
		if errors.Is(err, errGap) || err != nil && !said {
			if !said {
				begun <- err
			}
			fmt.Fprintln(l.std.Err, err)
			return // await reports the gap
		}
		time.Sleep(50 * time.Millisecond)
	}
}

var errGap = errors.New("events are lost, twice or out of order")

func (l *load) followOnce(ctx context.Context, b *quickBoard, isFirst bool, last *int64, speaks func()) error {
	conn, answer, err := l.stream(ctx, "/api/v1/matches/"+string(b.id)+"/events?after="+strconv.FormatInt(*last, 10), b.handles[0], 0)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	for lines := bufio.NewReaderSize(answer, 512); ; {
		line, err := lines.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil // follow reconnects
		}
		speaks()
		text, ok := strings.CutPrefix(string(line), "id: ")
		if !ok {
			continue
		}
		seq, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || seq != *last+1 {
			return fmt.Errorf("%w: match %s, event %s after %d", errGap, b.id, text, *last)
		}
		*last = seq
		if isFirst {
			b.note(seq, time.Now(), false)
		}
	}
}
