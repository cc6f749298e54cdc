package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/live"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/live/practice"
	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/notice/push"
	"chpok.org/chpok/ops"
	"chpok.org/chpok/ops/lan"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web"
	"chpok.org/chpok/web/account"
)

type serveCmd struct{ config }

// idleHeap is allocated but never touched, and so never resident, to let the garbage
// collector wait for that much more garbage. A busy node lives on 20 MB; with no more
// than that it collected twice a second, and one move in 25 had to share the processor
// with it.
const idleHeap = 64 << 20

// Run serves until the process is told to stop.
func (c serveCmd) Run(ctx context.Context, std stdio) error {
	if err := c.check(); err != nil {
		return fail(2, "the configuration does not fit:\n%w", err)
	}
	idle := make([]byte, idleHeap)
	defer runtime.KeepAlive(idle)
	a, err := newApp(ctx, c.config, appOptions{}, c.logger(std.err))
	if err != nil {
		return err
	}
	return a.serve(ctx, func(base string) { c.announce(ctx, a, base, std.out) })
}

// announce prints the address of the site and, on a new one, where its operator signs up.
func (c config) announce(ctx context.Context, a *app, base string, out io.Writer) {
	if c.BaseURL != "" {
		base = strings.TrimRight(c.BaseURL, "/")
	}
	fmt.Fprintf(out, "Chpok serves on %s\n", base)
	if a.room != nil {
		a.room.tell(out)
	}
	path, err := account.SetupPath(ctx, a.store)
	switch {
	case err != nil:
		a.log.Error("set-up not known", "err", err)
	case path != "":
		fmt.Fprintf(out, "Create the operator's account on %s\n", base+path)
	}
}

func (c config) logger(w io.Writer) *slog.Logger {
	level, _ := c.level() // validated by check
	options := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// appOptions are the differences of demo and tests from serve.
type appOptions struct {
	fastDisk     bool // a power cut may lose the last commits
	botPause     time.Duration
	botNodes     int  // how far bots other than the house's think; 0: as the best of the house
	instantLinks bool // sign-in links need no confirmation and work more than once
}

// app is the running program, in the order of construction.
type app struct {
	config  config
	log     *slog.Logger
	store   *store.Store
	live    *live.Runner
	arbiter *arbiter.Arbiter
	analyst *analyst.Analyst
	share   *analyst.Share // of the machine for bots and analysis
	mail    *courier.Courier
	push    *push.Pusher
	web     *web.Server
	metrics *ops.Metrics
	room    *roomWatch     // nil unless the site serves a room
	closers []func() error // called in reverse

	botNodes int
}

// newApp is the composition root.
func newApp(ctx context.Context, c config, o appOptions, log *slog.Logger) (*app, error) {
	a := &app{config: c, log: log, share: analyst.NewShare(c.EngineShare), botNodes: o.botNodes}
	fail := func(err error) (*app, error) { return nil, errors.Join(err, a.close()) }

	var err error
	signing := arbiter.Config{Site: strings.TrimRight(c.BaseURL, "/"), Zone: c.zone(os.Getenv, os.Readlink)}
	options := store.Options{Logger: log, Fast: o.fastDisk}
	if c.SignKey != "" {
		if signing.SignKey, err = kernel.ParseSignKey(c.SignKey); err != nil {
			return fail(err)
		}
		options.Key = signing.SignKey.Seed()
	}
	if a.store, err = store.Open(ctx, c.Database, options); err != nil {
		return fail(err)
	}
	a.closers = append(a.closers, a.store.Close)

	joined := func() bool { return true }
	var bus live.Bus = live.NewInProcess()
	var nodes *live.NATS // nil for a single node
	if c.NatsURL != "" {
		if nodes, err = live.ConnectNATS(c.NatsURL, log); err != nil {
			return fail(err)
		}
		a.closers = append(a.closers, func() error { nodes.Close(); return nil })
		bus, joined = nodes, nodes.Joined
	}

	a.live, err = live.New(a.store, bus, live.Config{
		BotPause:  max(o.botPause, 300*time.Millisecond),
		FlagGrace: 150 * time.Millisecond,
		Think:     a.think,
	}, log)
	if err != nil {
		return fail(err)
	}
	a.closers = append(a.closers, func() error { a.live.Close(); return nil })

	signing.Now = a.live.Now
	a.arbiter = arbiter.New(a.store, a.live, signing, log)
	if err := a.arbiter.Persons.OpenHouse(ctx); err != nil {
		return fail(err)
	}
	if err := practice.Open(ctx, a.store); err != nil {
		return fail(err)
	}
	a.analyst = analyst.New(a.store, a.live, a.share, a.live.Now, log)
	a.live.OnFinish(a.arbiter.OnFinish)
	a.live.OnTurn(a.arbiter.Seats.OnTurn)

	if a.mail, err = a.newCourier(); err != nil {
		return fail(err)
	}

	var room *lan.Room
	if c.Lan {
		_, port, _ := net.SplitHostPort(c.listenAddr()) // validated by check
		a.room = newRoomWatch(port, lan.Interfaces, a.live.Now, log)
		room = a.room.room
	}
	a.push = push.New(a.store, c.BaseURL, nil, a.live.Now, log)
	proxies, _ := c.proxies() // validated by check
	a.metrics = ops.New(a.store, a.live, func() ops.Web {
		made, shared := a.web.SharedPages()
		return ops.Web{Streams: a.web.Streams(), PagesMade: made, PagesShared: shared}
	}, joined)
	if nodes != nil {
		nodes.OnLag(a.metrics.Bus)
	}
	a.web = web.New(web.Deps{
		Store: a.store, Live: a.live, Arbiter: a.arbiter, Analyst: a.analyst, Mail: a.mail, Now: a.live.Now, Logger: log,
		Observe: a.metrics.Request, Lag: a.metrics.Lag,
		Config: web.Config{Room: room, Zone: c.zone(os.Getenv, os.Readlink), BaseURL: c.BaseURL, SourceURL: c.SourceURL,
			TrustedProxies: proxies, InstantLinks: o.instantLinks,
			StreamsPerAccount: c.StreamsPerAccount, StreamsPerAddress: c.StreamsPerAddress},
	})
	return a, nil
}

// newCourier returns the courier with the configured mail server, if there is one.
func (a *app) newCourier() (*courier.Courier, error) {
	var server *courier.Server
	if a.config.SMTPURL != "" {
		var err error
		if server, err = courier.ParseServer(a.config.SMTPURL, a.config.MailFrom); err != nil {
			return nil, err
		}
	}
	return courier.New(a.store, server, a.arbiter.SiteKey, a.config.BaseURL, a.live.Now, a.log), nil
}

// think chooses the move of a bot: as far as its level thinks, or, for bots other than
// the house's, as the strongest.
func (a *app) think(ctx context.Context, id player.ID, s match.State, seat match.Seat) (match.Command, error) {
	account, err := store.Get(ctx, a.store, func(tx *store.Tx) (player.Player, error) { return tx.Player(id) })
	if err != nil {
		return nil, err
	}
	bot, ok := house.Named(account.Handle)
	if !ok {
		all := house.Bots()
		if bot = all[len(all)-1]; a.botNodes > 0 {
			bot.Nodes = a.botNodes
		}
	}
	if err := a.share.Await(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	defer func() { a.share.Spend(time.Since(began)) }()
	return search.Bot{Nodes: bot.Nodes, Error: bot.Error, Seed: bot.Seed}.Choose(analyst.Polite(ctx), s, seat)
}

func (a *app) close() error {
	var errs []error
	for _, closeIt := range slices.Backward(a.closers) {
		errs = append(errs, closeIt())
	}
	a.closers = nil
	return errors.Join(errs...)
}

// patience is how long a stop waits for running requests.
const patience = 10 * time.Second

// serve gives back the time of outages, then serves until ctx ends; serving is called
// with the address. It closes the app.
func (a *app) serve(ctx context.Context, serving func(base string)) (err error) {
	defer func() { err = errors.Join(err, a.close()) }()
	if err := a.live.Recover(ctx); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", a.config.listenAddr())
	if err != nil {
		return err
	}
	closeOps, err := a.serveOps()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer closeOps()
	server := &http.Server{
		Handler:           a.web,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second, // streams set their own deadlines
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}

	working, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	stopJobs, err := startJobs(working, a.jobs(), a.metrics.Job, a.log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	var bots sync.WaitGroup
	bots.Go(func() { a.wakeBots(working) })

	serving(address(listener.Addr()))
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		a.drain(server)
	}
	err = errors.Join(err, a.closeStreams(ctx))
	stopWork()
	err = errors.Join(err, stopJobs())
	bots.Wait()
	a.rest(ctx)
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if stopErr := server.Shutdown(waiting); stopErr != nil {
		err = errors.Join(err, stopErr, server.Close())
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// drainFor is how long one of several nodes goes on while it reports that it is not well,
// so that load balancers notice: two health checks.
const drainFor = 5 * time.Second

// drain lets visitors go elsewhere before this node stops. A single node stops at once.
func (a *app) drain(server *http.Server) {
	a.web.Leave()
	server.SetKeepAlivesEnabled(false)
	if a.config.NatsURL == "" {
		a.log.Info("stopping")
		return
	}
	a.log.Info("draining", "for", drainFor)
	time.Sleep(drainFor)
	a.log.Info("stopping")
}

// farewell is how long browsers have to hear that their streams end.
const farewell = 3 * time.Second

func (a *app) closeStreams(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	return a.web.CloseStreams(waiting)
}

// serveOps serves operators on their own address, if there is one.
func (a *app) serveOps() (closeIt func(), err error) {
	if a.config.OpsAddr == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", a.config.OpsAddr)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: a.metrics.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("metrics are no longer served", "err", err)
		}
	}()
	a.log.Info("metrics", "address", address(listener.Addr())+"/metrics")
	return func() { _ = server.Close() }, nil // no request here matters
}

// rest records the last time of service, so that no more time is given back.
func (a *app) rest(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := a.live.Heartbeat(ctx); err != nil {
		a.log.Error("last heartbeat", "err", err)
	}
}

// address returns the URL of a listener for visitors on this machine.
func address(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return "http://" + a.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// wakeBots runs the bots as soon as one has to act; the job covers lost wake-ups and dead
// nodes.
func (a *app) wakeBots(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.live.BotWake():
			if err := a.live.RunBots(ctx); err != nil && ctx.Err() == nil {
				a.log.Error("bots failed", "err", err)
			}
		}
	}
}

func (a *app) sweepSessions(ctx context.Context) error {
	return a.store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.SweepSessions(a.live.Now()), tx.SweepTries(a.live.Now()))
	})
}
