// Package site is a running site: it puts the parts together by a configuration, serves
// them, and does what has to be done again and again. Commands and tests come in by Open
// and Serve.
package site

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
	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/notice/outward"
	"chpok.org/chpok/notice/push"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/notice/webhook"
	"chpok.org/chpok/ops"
	"chpok.org/chpok/ops/lan"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
	"chpok.org/chpok/web/account"
)

// idleHeap is allocated but never touched, and so never resident, to let the garbage
// collector wait for that much more garbage. A busy node lives on 20 MB; with no more
// than that it collected twice a second, and one move in 25 had to share the processor
// with it.
const idleHeap = 64 << 20

// Run serves a configuration that has been checked until ctx ends, and prints its address
// and, on a new site, where its operator signs up.
func Run(ctx context.Context, c Config, o Options, out, log io.Writer) error {
	idle := make([]byte, idleHeap)
	defer runtime.KeepAlive(idle)
	s, err := Open(ctx, c, o, c.Logger(log))
	if err != nil {
		return err
	}
	return s.Serve(ctx, func(base string) { s.announce(ctx, base, out) })
}

func (s *Site) announce(ctx context.Context, base string, out io.Writer) {
	if s.config.BaseURL != "" {
		base = strings.TrimRight(s.config.BaseURL, "/")
	}
	fmt.Fprintf(out, "Chpok serves on %s\n", base)
	if s.room != nil {
		s.room.tell(out)
	}
	path, err := account.SetupPath(ctx, s.Store)
	switch {
	case err != nil:
		s.log.Error("set-up not known", "err", err)
	case path != "":
		fmt.Fprintf(out, "Create the operator's account on %s\n", base+path)
	}
}

// Logger writes as configured.
func (c Config) Logger(w io.Writer) *slog.Logger {
	level, _ := c.level() // validated by Check
	options := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// Options are the differences of demo, laboratory and tests from serve.
type Options struct {
	FastDisk      bool // a power cut may lose the last commits
	BotPause      time.Duration
	BotNodes      int              // how far bots other than the house's think; 0: as the best of the house
	InstantLinks  bool             // sign-in links need no confirmation and work more than once
	TelegramURL   string           // server of Telegram's Bot API; empty: Telegram's own
	AnalysisEvery time.Duration    // how often a finished match is looked at; 0: as usual
	Now           func() time.Time // nil: the time
}

// Site is a site put together, in the order of construction.
type Site struct {
	config  Config
	options Options
	log     *slog.Logger
	Store   *store.Store
	Live    *live.Runner
	Arbiter *arbiter.Arbiter
	analyst *analyst.Analyst
	share   *analyst.Share // of the machine for bots and analysis
	mail    *courier.Courier
	push    *push.Pusher
	bot     *telegram.Bot
	hooks   *webhook.Sender
	web     *web.Server
	metrics *ops.Metrics
	room    *roomWatch     // nil unless the site serves a room
	closers []func() error // called in reverse
}

// Open puts a site together, as yet without serving it.
func Open(ctx context.Context, c Config, o Options, log *slog.Logger) (*Site, error) {
	s := &Site{config: c, options: o, log: log, share: analyst.NewShare(c.EngineShare)}
	fail := func(err error) (*Site, error) { return nil, errors.Join(err, s.Close()) }

	var err error
	signing := arbiter.Config{Site: strings.TrimRight(c.BaseURL, "/"), Zone: c.zone(os.Getenv, os.Readlink)}
	options := store.Options{Logger: log, Fast: o.FastDisk, BackupDir: c.BackupDir}
	if c.SignKey != "" {
		if signing.SignKey, err = kernel.ParseSignKey(c.SignKey); err != nil {
			return fail(err)
		}
		options.Key = signing.SignKey.Seed()
	}
	if s.Store, err = store.Open(ctx, c.Database.URL, options); err != nil {
		return fail(err)
	}
	s.closers = append(s.closers, s.Store.Close)

	joined := func() bool { return true }
	var bus live.Bus = live.NewInProcess()
	var nodes *live.NATS // nil for a single node
	if c.NatsURL != "" {
		if nodes, err = live.ConnectNATS(c.NatsURL, log); err != nil {
			return fail(err)
		}
		s.closers = append(s.closers, func() error { nodes.Close(); return nil })
		bus, joined = nodes, nodes.Joined
	}

	s.Live, err = live.New(s.Store, bus, live.Config{
		BotPause:  max(o.BotPause, 300*time.Millisecond),
		FlagGrace: 150 * time.Millisecond,
		Think:     s.think,
		Now:       o.Now,
	}, log)
	if err != nil {
		return fail(err)
	}
	s.closers = append(s.closers, func() error { s.Live.Close(); return nil })

	signing.Now = s.Live.Now
	s.Arbiter = arbiter.New(s.Store, s.Live, signing, log)
	if err := s.Arbiter.Persons.OpenHouse(ctx); err != nil {
		return fail(err)
	}
	if err := practice.Open(ctx, s.Store); err != nil {
		return fail(err)
	}
	s.analyst = analyst.New(s.Store, s.Live, s.share, s.Live.Now, log)
	s.Live.OnFinish(s.Arbiter.OnFinish)
	s.Live.OnTurn(s.Arbiter.Seats.OnTurn)

	if s.mail, err = s.newCourier(); err != nil {
		return fail(err)
	}

	var room *lan.Room
	if c.Lan {
		_, port, _ := net.SplitHostPort(c.listenAddr()) // validated by Check
		s.room = newRoomWatch(port, lan.Interfaces, s.Live.Now, log)
		room = s.room.room
	}
	s.push = push.New(s.Store, c.BaseURL, nil, s.Live.Now, log)
	s.bot = telegram.New(s.Store, o.TelegramURL, s.Live.Now, log)
	chats := webhook.Chats{Bot: s.bot, Words: func(ctx context.Context, m notice.HookMessage, l lang.Lang) (notice.News, error) {
		return s.web.News(ctx, m, l)
	}}
	s.hooks = webhook.New(s.Store, c.BaseURL, outward.Client(notice.HookPatience, c.HooksInside), chats, s.Live.Now, log)
	proxies, _ := c.proxies() // validated by Check
	s.metrics = ops.New(s.Store, s.Live, func() ops.Web {
		made, shared := s.web.SharedPages()
		return ops.Web{Streams: s.web.Streams(), PagesMade: made, PagesShared: shared}
	}, joined)
	if nodes != nil {
		nodes.OnLag(s.metrics.Bus)
	}
	s.web = s.Pages(s.Live.Now, web.Config{Room: room, Zone: c.zone(os.Getenv, os.Readlink), BaseURL: c.BaseURL, SourceURL: c.SourceURL,
		TrustedProxies: proxies, InstantLinks: o.InstantLinks,
		StreamsPerAccount: c.StreamsPerAccount, StreamsPerAddress: c.StreamsPerAddress})
	return s, nil
}

// Pages returns the pages of the site by another clock or configuration.
func (s *Site) Pages(now func() time.Time, c web.Config) *web.Server {
	return web.New(web.Deps{Store: s.Store, Live: s.Live, Arbiter: s.Arbiter, Analyst: s.analyst, Mail: s.mail, Bot: s.bot, Now: now,
		Logger: s.log, Observe: s.metrics.Request, Lag: s.metrics.Lag, Config: c})
}

// newCourier returns the courier with the configured mail server, if there is one.
func (s *Site) newCourier() (*courier.Courier, error) {
	var server *courier.Server
	if s.config.SMTPURL != "" {
		var err error
		if server, err = courier.ParseServer(s.config.SMTPURL, s.config.MailFrom); err != nil {
			return nil, err
		}
	}
	return courier.New(s.Store, server, s.config.BaseURL, s.Live.Now, s.log), nil
}

// think chooses the move of a bot: as far as its level thinks, or, for bots other than
// the house's, as the strongest.
func (s *Site) think(ctx context.Context, id player.ID, at match.State, seat match.Seat) (match.Command, error) {
	account, err := store.Get(ctx, s.Store, func(tx *store.Tx) (player.Player, error) { return tx.Player(id) })
	if err != nil {
		return nil, err
	}
	bot, ok := house.Named(account.Handle)
	if !ok {
		all := house.Bots()
		bot = all[len(all)-1]
		if s.options.BotNodes > 0 {
			bot.Nodes = s.options.BotNodes
		}
	}
	if err := s.share.Await(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	defer func() { s.share.Spend(time.Since(began)) }()
	return search.Bot{Nodes: bot.Nodes, Error: bot.Error, Seed: bot.Seed}.Choose(analyst.Polite(ctx), at, seat)
}

// Close lets go of everything; Serve does it by itself.
func (s *Site) Close() error {
	var errs []error
	for _, closeIt := range slices.Backward(s.closers) {
		errs = append(errs, closeIt())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// patience is how long a stop waits for running requests.
const patience = 10 * time.Second

// Serve gives back the time of outages, then serves until ctx ends; serving is called
// with the address. It closes the site.
func (s *Site) Serve(ctx context.Context, serving func(base string)) (err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Live.Recover(ctx); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.config.listenAddr())
	if err != nil {
		return err
	}
	closeOps, err := s.serveOps()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer closeOps()
	server := &http.Server{
		Handler:           s.web,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second, // streams set their own deadlines
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}

	working, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	stopJobs, err := startJobs(working, s.jobs(), s.metrics.Job, s.log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	var bots sync.WaitGroup
	bots.Go(func() { s.wakeBots(working) })

	serving(address(listener.Addr()))
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		s.drain(server)
	}
	err = errors.Join(err, s.closeStreams(ctx))
	stopWork()
	err = errors.Join(err, stopJobs())
	bots.Wait()
	s.rest(ctx)
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
func (s *Site) drain(server *http.Server) {
	s.web.Leave()
	server.SetKeepAlivesEnabled(false)
	if s.config.NatsURL == "" {
		s.log.Info("stopping")
		return
	}
	s.log.Info("draining", "for", drainFor)
	time.Sleep(drainFor)
	s.log.Info("stopping")
}

// farewell is how long browsers have to hear that their streams end.
const farewell = 3 * time.Second

func (s *Site) closeStreams(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	return s.web.CloseStreams(waiting)
}

// serveOps serves operators on their own address, if there is one.
func (s *Site) serveOps() (closeIt func(), err error) {
	if s.config.OpsAddr == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", s.config.OpsAddr)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: s.metrics.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("metrics are no longer served", "err", err)
		}
	}()
	s.log.Info("metrics", "address", address(listener.Addr())+"/metrics")
	return func() { _ = server.Close() }, nil // no request here matters
}

// rest records the last time of service, so that no more time is given back.
func (s *Site) rest(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := s.Live.Heartbeat(ctx); err != nil {
		s.log.Error("last heartbeat", "err", err)
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
func (s *Site) wakeBots(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.Live.BotWake():
			if err := s.Live.RunBots(ctx); err != nil && ctx.Err() == nil {
				s.log.Error("bots failed", "err", err)
			}
		}
	}
}

func (s *Site) sweepSessions(ctx context.Context) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.SweepSessions(s.Live.Now()), tx.SweepTries(s.Live.Now()))
	})
}
