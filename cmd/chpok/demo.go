package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/live"
	"chpok.org/chpok/ops/site"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/account"
)

type demoCmd struct {
	Addr        string `env:"CHPOK_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to serve on."`
	EngineShare int    `env:"CHPOK_ENGINE_SHARE" default:"50" placeholder:"PERCENT" help:"Most of this machine's processor time that bots and analysis take, 5…100."`
}

// demoPassword is the password of every demo account.
const demoPassword = "chpok-demo"

// Run serves a club from a temporary folder.
func (c demoCmd) Run(ctx context.Context, std cli.IO) error {
	dir, err := os.MkdirTemp("", "chpok-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	conf := site.Config{
		Database: site.Database{URL: "sqlite:" + filepath.Join(dir, "chpok.db")},
		Addr:     c.Addr, EngineShare: c.EngineShare, LogLevel: "warn", LogFormat: "text",
	}
	if err := conf.Check(); err != nil {
		return cli.Fail(2, "%w", err)
	}
	log := conf.Logger(std.Err)
	a, err := site.Open(ctx, conf, site.Options{FastDisk: true, BotPause: 1800 * time.Millisecond, InstantLinks: true}, log)
	if err != nil {
		return err
	}
	fmt.Fprintln(std.Out, "The club plays its first evening…")
	d := &demo{store: a.Store, log: log, clock: time.Now().Add(-26 * time.Hour).Truncate(time.Hour)}
	if err := d.play(ctx); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return a.Serve(ctx, func(base string) {
		fmt.Fprintf(std.Out, `
Chpok serves on %s

Sign in with one click:
  as the organizer, Olena  %s
  as a player, Taras       %s
Every account has the password %s. Ctrl-C stops; nothing is kept.
`, base, base+d.links["Olena"], base+d.links["Taras"], demoPassword)
	})
}

// demo fills a new site with a club that has really played: every result comes from a
// match on the server, at the times of the demo's own clock.
type demo struct {
	store *store.Store
	log   *slog.Logger
	clock time.Time

	live    *live.Runner
	arbiter *arbiter.Arbiter
	players map[player.Handle]player.Player
	links   map[player.Handle]string
}

var demoAccounts = []player.Player{
	{Handle: "Olena", Role: player.Operator},
	{Handle: "Taras", Role: player.Plain},
	{Handle: "Sofia", Role: player.Plain},
	{Handle: "Maksym", Role: player.Plain},
	{Handle: "Drakon", Role: player.Plain, Bot: true},
	{Handle: "Torhash", Role: player.Plain, Bot: true},
	{Handle: "Bashta", Role: player.Plain, Bot: true},
	{Handle: "Slon", Role: player.Plain, Bot: true},
	{Handle: "Pishak", Role: player.Plain, Bot: true},
}

const demoClub = `Граємо щоп’ятниці о 19:00 у бібліотеці на Подолі. Новачкам раді: правила пояснимо за десять хвилин, дошка й фішки є.

We play every Friday at 19:00. Newcomers are welcome; we explain the rules in ten minutes.`

// eveningEnvelope is an envelope with which a match takes half an hour.
func eveningEnvelope() bidding.Envelope {
	e := bidding.DefaultEnvelope()
	e.Chips = 6
	e.Minutes, e.Increment = [2]int{3, 10}, [2]int{0, 5}
	e.MoveLimit = [2]int{20, 40}
	e.Defaults = board.DefaultFeatures()
	e.Defaults.MoveLimit = 30
	e.Presets = []bidding.TimeControl{{Minutes: 5, Increment: 3}, {Minutes: 8, Increment: 0}}
	return e
}

func (d *demo) play(ctx context.Context) error {
	now := func() time.Time { return d.clock }
	var err error
	if d.live, err = live.New(d.store, live.NewInProcess(), live.Config{Now: now}, d.log); err != nil {
		return err
	}
	defer d.live.Close()
	d.arbiter = arbiter.New(d.store, d.live, arbiter.Config{Now: now}, d.log)
	d.live.OnFinish(d.arbiter.OnFinish)
	evening := d.clock
	d.clock = evening.AddDate(0, 0, -20)
	own, err := d.people(ctx)
	if err != nil {
		return err
	}
	if err := d.ladder(ctx, own); err != nil {
		return err
	}
	d.clock = evening.AddDate(0, 0, -3)
	if err := d.clubLife(ctx, own); err != nil {
		return err
	}

	d.clock = evening
	first := tournament.DefaultSettings(tournament.RoundRobin)
	first.Name, first.ClubID = "Осінній кубок клубу", own
	first.Envelope = eveningEnvelope()
	first.Prizes = prize.Fund{
		Currency: "UAH", Places: []int64{1000_00, 600_00, 400_00}, Sharing: prize.Hort,
		Categories: []prize.Category{{Kind: prize.Under, Bound: 1500, Amounts: []int64{200_00}}},
	}
	if err := d.tournament(ctx, first, 5, "Olena", "Taras", "Sofia", "Maksym", "Drakon", "Torhash"); err != nil {
		return err
	}

	d.clock = time.Now().Add(-3 * time.Hour)
	if err := d.league(ctx, own); err != nil {
		return err
	}

	d.clock = time.Now().Add(-160 * time.Minute)
	if err := d.teams(ctx, own); err != nil {
		return err
	}

	d.clock = time.Now().Add(-75 * time.Minute)
	running := first
	running.Name, running.Double, running.Prizes = "П’ятничний коловий", true, prize.Fund{}
	running.Lateness, running.Break = 4*time.Minute, 20*time.Second
	if err := d.tournament(ctx, running, 2, "Taras", "Drakon", "Torhash", "Bashta", "Slon", "Pishak"); err != nil {
		return err
	}

	swiss := tournament.DefaultSettings(tournament.Swiss)
	swiss.Name, swiss.ClubID = "Зимова швейцарка", own
	swiss.Envelope = eveningEnvelope()
	d.clock = time.Now()
	if err := d.clubSeries(ctx, own); err != nil {
		return err
	}
	if err := d.tournament(ctx, swiss, 0, "Sofia", "Drakon", "Torhash", "Bashta", "Slon", "Pishak"); err != nil {
		return err
	}
	if err := d.arena(ctx, own); err != nil {
		return err
	}
	d.clock = time.Now()
	return d.arbiter.Judges.CountSeasons(ctx)
}

// account creates a person's account, or finds the bot of the house.
func (d *demo) account(tx *store.Tx, p *player.Player, c player.Credential) (err error) {
	if p.Bot {
		*p, err = tx.PlayerByHandle(p.Handle)
		return err
	}
	p.ID, p.Created = player.ID(store.NewID()), d.clock
	return tx.AddPlayer(*p, c)
}

// people creates the accounts, the club, and the sign-in links.
func (d *demo) people(ctx context.Context) (own club.ID, err error) {
	d.players, d.links = map[player.Handle]player.Player{}, map[player.Handle]string{}
	var salt [player.SaltBytes]byte
	rand.Read(salt[:])
	credential := player.HashPassword(demoPassword, salt)
	own = club.ID(store.NewID())
	return own, d.store.Write(ctx, func(tx *store.Tx) error {
		dragon := club.New(own, "Шпок-клуб «Дракон»", demoClub, "", d.clock)
		dragon.Members = nil
		for i, p := range demoAccounts {
			if err := d.account(tx, &p, credential); err != nil {
				return err
			}
			d.players[p.Handle] = p
			role := club.Member
			if i == 0 {
				role = club.Owner
			}
			dragon.Members = append(dragon.Members, club.Membership{Club: dragon.ID, Player: p.ID, Role: role, Joined: d.clock})
			if p.Bot {
				continue
			}
			link, err := tx.CreateSignInLink(p.ID, time.Now().Add(player.SignInLinkLife))
			if err != nil {
				return err
			}
			d.links[p.Handle] = account.SignInLinkPath(link)
		}
		return tx.AddClub(dragon)
	})
}

// enter creates an event and enters the players.
func (d *demo) enter(ctx context.Context, s tournament.Settings, handles ...player.Handle) (tournament.ID, error) {
	id, err := d.arbiter.Events.Create(ctx, d.viewer("Olena"), s, true)
	for _, handle := range handles {
		if err == nil {
			_, err = d.arbiter.Entries.Register(ctx, d.viewer("Olena"), id, entries.Application{Handle: string(handle)})
		}
	}
	return id, err
}

// tournament enters the players and plays that many rounds.
func (d *demo) tournament(ctx context.Context, s tournament.Settings, rounds int, handles ...player.Handle) error {
	id, err := d.enter(ctx, s, handles...)
	if err != nil || rounds == 0 {
		return err
	}
	if err := d.arbiter.Rounds.Start(ctx, d.viewer("Olena"), id); err != nil {
		return err
	}
	for range rounds {
		if err := d.round(ctx); err != nil {
			return err
		}
		d.clock = d.clock.Add(s.Break)
		if err := d.lastRoundOf(ctx, id, rounds); err != nil {
			return err
		}
	}
	return nil
}

// arena opens an arena some time ago, in which the bots play on.
func (d *demo) arena(ctx context.Context, own club.ID) error {
	d.clock = time.Now().Add(-70 * time.Minute)
	s := tournament.DefaultSettings(tournament.Arena)
	s.Name, s.ClubID, s.Window, s.Lateness = "Вечірня арена", own, 3*time.Hour, time.Minute
	s.Envelope = eveningEnvelope()
	s.Envelope.Minutes, s.Envelope.Presets = [2]int{10, 10}, []bidding.TimeControl{{Minutes: 10, Increment: 5}}
	id, err := d.enter(ctx, s, "Taras", "Sofia", "Drakon", "Torhash", "Bashta", "Slon", "Pishak", "Ferz", "Korol", "Kin")
	if err != nil {
		return err
	}
	if err := d.arbiter.Rounds.Start(ctx, d.viewer("Olena"), id); err != nil {
		return err
	}
	for range 3 {
		d.clock = d.clock.Add(40 * time.Second) // then bots are paired with anybody
		for _, handle := range []player.Handle{"Taras", "Sofia"} {
			if err := d.arbiter.Rounds.Await(ctx, d.viewer(handle), id); err != nil {
				return err
			}
		}
		if err := d.round(ctx); err != nil {
			return err
		}
	}
	return nil
}

// lastRoundOf opens the next round of the first rounds; later ones are left to the real
// clock.
func (d *demo) lastRoundOf(ctx context.Context, id tournament.ID, rounds int) error {
	t, err := d.arbiter.Tournament(ctx, id)
	if err != nil || len(t.Rounds) >= rounds {
		return err
	}
	return d.arbiter.Sweep(ctx)
}

// round plays all running matches to their ends, a little of each in turn.
func (d *demo) round(ctx context.Context) error {
	for turn := 0; ; turn++ {
		running, err := store.Get(ctx, d.store, func(tx *store.Tx) ([]store.Head, error) { return tx.RunningMatches(100) })
		if err != nil || len(running) == 0 {
			return err
		}
		for i, head := range running {
			d.clock = d.clock.Add(time.Duration(900+(turn*7+i*13)%11*300) * time.Millisecond)
			if err := d.act(ctx, head); err != nil {
				return err
			}
		}
	}
}

// act does the next action of a match.
func (d *demo) act(ctx context.Context, head store.Head) error {
	state, _, err := d.live.State(ctx, head.ID)
	if err != nil {
		return err
	}
	do := func(seat match.Seat, c match.Command) error {
		_, err := d.live.Do(ctx, head.ID, head.Players[seat.Index()], live.Request{Command: c})
		return err
	}
	if state.Status() == match.Waiting {
		if err := do(match.First, match.Ready{Seat: match.First}); err != nil {
			return err
		}
		return do(match.Second, match.Ready{Seat: match.Second})
	}
	seat, ok := state.ToAct()
	if !ok {
		return fmt.Errorf("match %s waits for nobody", head.ID)
	}
	taste := uint64(0)
	for _, c := range []byte(head.Players[seat.Index()]) {
		taste = taste*31 + uint64(c)
	}
	command, err := search.Bot{Nodes: 400, Seed: taste}.Choose(ctx, state, seat)
	if err != nil {
		return err
	}
	return do(seat, command)
}
