package load

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"syscall"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/ops/site"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/setting"
)

// Players of the arena and of the Swiss beside it, and how far the bots think.
const (
	arenaBots, swissBots, swissRounds = 60, 20, 9
	arenaNodes                        = 30
)

// arena runs an arena of bots beside a Swiss, on one node in this process, and prints how
// long they waited and what it cost.
func (c Command) arena(ctx context.Context, std cli.IO) error {
	conf := site.Config{Database: site.Database{URL: c.Database}, Addr: "127.0.0.1:0", EngineShare: 100, LogLevel: "error", LogFormat: "text"}
	if err := conf.Check(); err != nil {
		return cli.Fail(2, "%w", err)
	}
	a, err := site.Open(ctx, conf, site.Options{BotNodes: arenaNodes}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	serving, served := make(chan string, 1), make(chan error, 1)
	go func() { served <- a.Serve(ctx, func(base string) { serving <- base }) }()
	<-serving
	open, swiss, err := c.events(ctx, a)
	if err != nil {
		return err
	}
	before, began := processor(), time.Now()
	for over := false; !over; {
		select {
		case err := <-served:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
		t, err := a.Arbiter.Tournament(ctx, open)
		if err != nil {
			return err
		}
		over = t.Status.IsOver() || time.Since(began) > c.Arena
	}
	load := (processor() - before).Seconds() / time.Since(began).Seconds()
	if err := c.tell(ctx, std, a, open, swiss, load); err != nil {
		return err
	}
	stop()
	return <-served
}

// events creates the bots, an arena that stays open for at least the measured time, and a
// Swiss.
func (c Command) events(ctx context.Context, a *site.Site) (open, swiss tournament.ID, err error) {
	host := player.Viewer{Player: player.Player{ID: player.ID(store.NewID()), Handle: "loadhost", Role: player.Organizer, Created: time.Now()}}
	var handles []string
	if err := a.Store.Write(ctx, func(tx *store.Tx) error {
		for i := range arenaBots + swissBots {
			p := player.Player{ID: player.ID(store.NewID()), Handle: player.Handle(fmt.Sprintf("loadbot%02d", i)), Bot: true,
				Created: time.Now(), Role: player.Plain}
			if err := tx.AddPlayer(p, ""); err != nil {
				return err
			}
			handles = append(handles, string(p.Handle))
		}
		return tx.AddPlayer(host.Player, "")
	}); err != nil {
		return "", "", err
	}
	hold := func(f tournament.Format, change func(*tournament.Settings), who []string) (tournament.ID, error) {
		s := tournament.DefaultSettings(f)
		s.Envelope.Chips, s.Envelope.Presets = 1, []bidding.TimeControl{{Minutes: 1}}
		s.Envelope.Minutes, s.Envelope.Increment = [2]int{1, 1}, [2]int{0, 0}
		s.Envelope.MoveLimit, s.Envelope.Defaults.MoveLimit = [2]int{20, 20}, 20
		s.Name = "Load, " + f.String()
		change(&s)
		id, err := a.Arbiter.Events.Create(ctx, host, s, true)
		for _, handle := range who {
			if err == nil {
				_, err = a.Arbiter.Entries.Register(ctx, host, id, entries.Application{Handle: handle})
			}
		}
		if err == nil {
			err = a.Arbiter.Rounds.Start(ctx, host, id)
		}
		return id, err
	}
	if swiss, err = hold(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = swissRounds }, handles[arenaBots:]); err != nil {
		return "", "", err
	}
	open, err = hold(tournament.Arena, func(s *tournament.Settings) { s.Window = max(c.Arena, setting.MinWindow) }, handles[:arenaBots])
	return open, swiss, err
}

// tell prints the measurements.
func (c Command) tell(ctx context.Context, std cli.IO, a *site.Site, open, swiss tournament.ID, load float64) error {
	t, err := a.Arbiter.Tournament(ctx, open)
	if err != nil {
		return err
	}
	beside, err := a.Arbiter.Tournament(ctx, swiss)
	if err != nil {
		return err
	}
	deeds, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]ledger.Deed, error) { return tx.Deeds(open) })
	if err != nil {
		return err
	}
	if err := ledger.CheckPasses(deeds); err != nil {
		return cli.Fail(1, "%w", err)
	}
	waits, passes := ledger.Waits(deeds)
	over := 0
	for _, l := range arena.TableOf(&t.Table) {
		over += l.Games
	}
	at := func(percent int) time.Duration {
		if len(waits) == 0 {
			return 0
		}
		return waits[(len(waits)-1)*percent/100].Round(100 * time.Millisecond)
	}
	slices.Sort(waits)
	fmt.Fprintf(std.Out, "arena          %d bots, %v\npasses         %d\nmatches        %d, %d over\n",
		arenaBots, c.Arena, passes, len(t.Rounds[0].Pairings), over/2)
	fmt.Fprintf(std.Out, "waited         p50 %v, p90 %v, p99 %v, at most %v\n", at(50), at(90), at(99), at(100))
	fmt.Fprintf(std.Out, "beside it      a Swiss of %d, %d rounds paired\n", swissBots, len(beside.Rounds))
	fmt.Fprintf(std.Out, "processor      %.0f%% of a core\nmachine        %s processes want a core\n", 100*load, loadAverage())
	return nil
}

// processor returns the processor time used by this process.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
