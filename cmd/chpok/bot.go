package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"strconv"
	"sync"
	"time"

	api "chpok.org/chpok/client"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/duel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
)

type botCmd struct {
	Engine string   `required:"" placeholder:"CMD" help:"The program with its arguments, as one word in quotes, say \"chpok engine\": one that speaks our text protocol, or UCI."`
	Site   string   `required:"" env:"CHPOK_BASE_URL" placeholder:"URL" help:"The site, say https://chpok.example."`
	Token  string   `required:"" env:"CHPOK_TOKEN" placeholder:"TOKEN" help:"A token of the bot's account, from its maintainer's settings."`
	Nodes  int      `placeholder:"N" help:"Positions for each move, instead of what the clock allows."`
	Set    []string `placeholder:"NAME=VALUE" help:"Options of the program, such as Hash=16."`
}

// Run plays for a bot's account until it is stopped: it accepts challenges, which the site has held against the bot's
// rules, and acts in every match when it is the bot's turn. It keeps nothing: the site tells it at each start what waits.
func (c *botCmd) Run(ctx context.Context, std cli.IO) error {
	out := &sync.Mutex{}
	say := func(format string, args ...any) {
		out.Lock()
		defer out.Unlock()
		fmt.Fprintf(std.Out, format+"\n", args...)
	}
	b := &botPlayer{botCmd: c, say: say, boards: map[match.ID]*botBoard{},
		site: &api.Client{Site: c.Site, Token: c.Token, Cut: func(err error) { say("trying again: %v", err) }}}
	if err := b.site.Do(ctx, "GET", "/me", nil, &b.me); err != nil {
		return err
	}
	if !b.me.Bot {
		return cli.Fail(2, "%s is no bot: make one in your settings, and a token for it there", b.me.Handle)
	}
	probe, err := duel.Launch(ctx, c.Engine, c.Set...)
	if err != nil {
		return err
	}
	say("%s plays at %s as %s", probe.Name, c.Site, b.me.Handle)
	_ = probe.Close()
	defer b.wait.Wait()
	return b.site.Follow(ctx, "/me/events", "", func(_ string, line []byte) error { return b.hear(ctx, line) })
}

// botPlayer plays all matches of a bot.
type botPlayer struct {
	*botCmd
	site *api.Client
	say  func(format string, args ...any)
	me   struct {
		Handle string
		Bot    bool
	}
	boards map[match.ID]*botBoard // those that run
	wait   sync.WaitGroup
}

// hear does what an event of the account asks for.
func (b *botPlayer) hear(ctx context.Context, line []byte) error {
	var e struct {
		Kind      string
		Challenge struct{ ID, Challenger, Opponent, Status string }
		Match     struct {
			ID       match.ID
			You      string
			Opponent struct{ Handle string }
			Result   string
		}
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("an event: %w", err)
	}
	switch m := e.Match; e.Kind {
	case "challenge":
		if e.Challenge.Opponent == b.me.Handle && e.Challenge.Status == "open" {
			return b.answer(ctx, e.Challenge.ID, e.Challenge.Challenger)
		}
	case "turn":
		t := b.boards[m.ID]
		if t == nil {
			seat, _ := match.FirstIsA.Seat(m.You)
			t = &botBoard{botPlayer: b, id: m.ID, seat: seat, turns: make(chan struct{}, 1)}
			b.boards[m.ID] = t
			b.wait.Go(func() { t.play(ctx) })
		}
		select {
		case t.turns <- struct{}{}:
		default: // it looks again anyway
		}
	case "result":
		b.say("%s against %s: %s", m.ID, m.Opponent.Handle, cmp.Or(m.Result, "void"))
		if t := b.boards[m.ID]; t != nil {
			close(t.turns)
			delete(b.boards, m.ID)
		}
	}
	return nil
}

// answer accepts a challenge, or declines it while the bot plays as many as it may.
func (b *botPlayer) answer(ctx context.Context, id, by string) error {
	at, refused := "/challenges/"+url.PathEscape(id), (*api.Problem)(nil)
	err := b.site.Do(ctx, "POST", at+"/accept", nil, nil)
	if errors.As(err, &refused) {
		b.say("%s cannot be accepted: %s", id, refused.Detail)
		err = b.site.Do(ctx, "POST", at+"/decline", map[string]string{"why": "later"}, nil)
		if errors.As(err, &refused) {
			return nil // it is answered, withdrawn or over
		}
		return err
	}
	if err == nil {
		b.say("%s: accepted from %s", id, by)
	}
	return err
}

// botBoard is one match.
type botBoard struct {
	*botPlayer
	id      match.ID
	seat    match.Seat
	turns   chan struct{} // it is the bot's turn; closed at the end
	log     []match.Recorded
	program *duel.Program // nil before the first move
}

// play acts at each turn until the match is over.
func (t *botBoard) play(ctx context.Context) {
	defer func() {
		if t.program != nil {
			_ = t.program.Close()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case _, more := <-t.turns:
			if !more {
				return
			}
		}
		if err := t.turn(ctx); err != nil && ctx.Err() == nil {
			t.say("%s: %v", t.id, err)
		}
	}
}

// turn reads what is new and acts if it is still the bot's turn.
func (t *botBoard) turn(ctx context.Context) error {
	s, err := t.read(ctx)
	if err != nil || s.Status() == match.Over {
		return err
	}
	c, err := t.choose(ctx, s)
	if errors.Is(err, search.ErrNotToAct) || errors.Is(err, search.ErrWait) {
		return nil
	}
	if err != nil {
		return err
	}
	body := bodyOf(c)
	body["seq"], body["id"] = s.Seq(), t.me.Handle+"-"+strconv.FormatInt(s.Seq(), 10)
	err = t.site.Do(ctx, "POST", "/matches/"+string(t.id)+"/commands", body, nil)
	var refused *api.Problem
	if errors.As(err, &refused) && (refused.Code == "stale" || refused.Code == "over") {
		return nil // the next event tells
	}
	return err
}

// read takes in the events of the match that are new.
func (t *botBoard) read(ctx context.Context) (match.State, error) {
	var answer struct {
		Events []struct {
			Seq  int64
			At   time.Time
			Kind string
			Body json.RawMessage
		}
	}
	err := t.site.Do(ctx, "GET", "/matches/"+string(t.id)+"/events?after="+strconv.Itoa(len(t.log)), nil, &answer)
	if err != nil {
		return match.State{}, err
	}
	for _, e := range answer.Events {
		event, err := match.Decode(e.Kind, match.CodecVersion, e.Body)
		if err != nil {
			return match.State{}, err
		}
		if opened, is := event.(match.Opened); is { // the seed of the draws is secret, and no matter: their outcomes follow
			opened.Seed = match.Seed{}
			opened.Commitment = opened.Seed.Commitment()
			event = opened
		}
		t.log = append(t.log, match.Recorded{Seq: e.Seq, At: e.At, Event: event})
	}
	return match.Fold(t.log)
}

// choose returns the bot's act. The program decides moves; it knows nothing of bids, claims and undos, which our own
// engine decides, with a taste of its own in each match.
func (t *botBoard) choose(ctx context.Context, s match.State) (match.Command, error) {
	taste := fnv.New64a()
	_, _ = taste.Write([]byte(t.id)) // a hash never fails
	own, err := search.Bot{Nodes: 1, Seed: taste.Sum64()}.Choose(ctx, s, t.seat)
	_, moves := own.(match.Play)
	_, undoes := own.(match.Undo)
	if position := s.Game().Position(); err != nil || !moves && !undoes || len(position.Moves(nil)) == 0 {
		return own, err
	}
	a, err := t.move(ctx, s)
	if err == nil {
		return match.Play{Seat: t.seat, Action: a}, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	t.say("%s: a move of our own, as %v", t.id, err)
	if t.program != nil {
		_ = t.program.Close()
		t.program = nil // the next move starts it anew
	}
	return search.Bot{Nodes: 2000, Seed: taste.Sum64()}.Choose(ctx, s, t.seat)
}

// move asks the program.
func (t *botBoard) move(ctx context.Context, s match.State) (a board.Action, err error) {
	g := s.Game()
	terms, _ := g.Terms()
	if t.program == nil {
		if t.program, err = duel.Launch(ctx, t.Engine, t.Set...); err != nil {
			return a, err
		}
		if err := t.program.NewGame(terms.Features); err != nil {
			return a, err
		}
	}
	var played []board.Action
	for _, p := range g.Plies() {
		played = append(played, p.Action)
	}
	limits := "movetime 1000"
	switch {
	case t.Nodes > 0:
		limits = fmt.Sprintf("nodes %d", t.Nodes)
	case !s.Options().Untimed:
		_, first, second := s.Since()
		left := map[match.Seat]time.Duration{match.First: first, match.Second: second}
		white, increment := g.SeatOf(board.White), terms.Time.Increment*1000
		limits = fmt.Sprintf("wtime %d btime %d winc %d binc %d", left[white].Milliseconds(), left[white.Other()].Milliseconds(), increment, increment)
	}
	return t.program.Play(g.Positions()[0], played, search.RootOf(g), limits)
}

// bodyOf is a command as the API takes it.
func bodyOf(c match.Command) map[string]any {
	switch c := c.(type) {
	case match.Ready:
		body := map[string]any{"ready": true}
		if c.Sealed > 0 {
			body["sealed"] = c.Sealed
		}
		return body
	case match.PlaceBid:
		return map[string]any{"bid": c.Bid}
	case match.Play:
		return map[string]any{"act": c.Action.String()}
	case match.Undo:
		return map[string]any{"act": "undo"}
	case match.Claim:
		if c.Win {
			return map[string]any{"act": "claim win"}
		}
		return map[string]any{"act": "claim draw"}
	}
	return map[string]any{"act": "resign"}
}
