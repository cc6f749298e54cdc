package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/ops/site"
	"chpok.org/chpok/store"
)

type doctorCmd struct{ site.Config }

// doctor prints findings, one per line, and counts the faults.
type doctor struct {
	out    io.Writer
	faults int
}

func (d *doctor) well(format string, args ...any) { fmt.Fprintf(d.out, "ok     "+format+"\n", args...) }
func (d *doctor) note(format string, args ...any) { fmt.Fprintf(d.out, "note   "+format+"\n", args...) }
func (d *doctor) fault(format string, args ...any) {
	d.faults++
	fmt.Fprintf(d.out, "FAULT  "+format+"\n", args...)
}

// Run examines everything that serve would use and changes nothing. Status 1: there are
// faults.
func (c doctorCmd) Run(ctx context.Context, std cli.IO) error {
	d := &doctor{out: std.Out}
	if err := c.Check(); err != nil {
		for problem := range strings.Lines(err.Error()) {
			d.fault("The configuration does not fit: %s", strings.TrimSpace(problem))
		}
	} else {
		d.well("The configuration fits.")
	}
	c.address(d)
	if c.Database.Check() == nil {
		c.database(ctx, d)
	}
	c.letters(ctx, d)
	c.bus(d)
	if d.faults > 0 {
		return cli.Fail(1, "%d faults", d.faults)
	}
	return nil
}

// address examines how visitors reach the site.
func (c doctorCmd) address(d *doctor) {
	u, err := url.Parse(c.BaseURL)
	switch {
	case c.Lan, err != nil, c.BaseURL != "" && u.Host == "": // reported by check
	case c.BaseURL == "":
		d.note("CHPOK_BASE_URL is not set: links in exports and pictures follow the address served on, and there is no mail.")
	case u.Scheme == "http" && !isHome(u.Hostname()):
		d.note("%s has no TLS: passkeys, notifications and installing the site need https.", c.BaseURL)
	default:
		d.well("Visitors reach the site at %s.", c.BaseURL)
	}
	if err == nil && u.Scheme == "https" && len(c.TrustedProxies) == 0 {
		d.fault("CHPOK_BASE_URL is https, but CHPOK_TRUSTED_PROXIES names no proxy: all visitors seem to come from one " +
			"address and share its limits.")
	}
	if c.OpsAddr != "" {
		if host, _, _ := net.SplitHostPort(c.OpsAddr); !isHome(host) {
			d.note("Metrics and profiles on %s ask nobody who they are: let only the operators' network reach it.", c.OpsAddr)
		}
	}
}

func isHome(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

func (c doctorCmd) database(ctx context.Context, d *doctor) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute) // integrity_check reads the whole file
	defer cancel()
	h, err := store.Examine(ctx, c.Database.URL)
	if err != nil {
		d.fault("The database cannot be reached: %v", err)
		return
	}
	isFile := strings.HasPrefix(c.Database.URL, "sqlite:")
	if isFile {
		c.disk(d, h)
	} else {
		c.postgres(d, h)
	}
	switch {
	case h.IsNew:
		d.note("The database is empty: the first start makes its tables.")
		return
	case h.Broken != nil:
		d.fault("The database is damaged: %v. Restore the last backup (chpok restore).", h.Broken)
	case h.Schema > h.Newest:
		d.fault("The data is of a newer program (schema %d, this one knows %d): start that one, or restore a copy from before.", h.Schema, h.Newest)
	case h.Schema < h.Newest:
		d.note("The schema is %d; the next start copies the database and brings it to %d.", h.Schema, h.Newest)
	default:
		d.well("The database holds %d matches; accounts: %d.", h.Matches, h.Players)
	}
	switch ago := time.Since(h.LastBeat); {
	case h.LastBeat.IsZero():
		d.note("No server has run on this database yet.")
	case ago < -time.Minute:
		d.fault("The last server lived %s in the future: this machine's clock, or that one's, is wrong. Set it by "+
			"NTP.", (-ago).Round(time.Second))
	case ago < 10*time.Second:
		d.well("A server is running on it.")
	default:
		d.note("No server is running on it; the last one lived until %s.", h.LastBeat.Format(time.RFC3339))
	}
	if c.SignKey == "" {
		d.note("CHPOK_SIGN_KEY is not set: the key that signs results lies in the database, and in every backup of it.")
	}
}

// disk examines the disk of an SQLite file.
func (c doctorCmd) disk(d *doctor, h store.Health) {
	switch {
	case h.IsFull:
		d.fault("The disk is full (%s left): moves are answered with 503 until there is room.", bytesText(h.Free))
	case h.Free > 0 && h.Free < 1<<30:
		d.note("The disk has %s left.", bytesText(h.Free))
	case h.Free > 0:
		d.well("The disk has %s left.", bytesText(h.Free))
	}
	if h.Log > 256<<20 {
		d.note("The log beside the file has grown to %s: something reads the database without an end, a copy or a "+
			"tool.", bytesText(uint64(h.Log)))
	}
}

func (c doctorCmd) postgres(d *doctor, h store.Health) {
	d.well("PostgreSQL %s answers; %d of %d connections are in use.", h.Version, h.Open, h.Most)
	if h.Most-h.Open < 20 {
		d.note("A node that starts needs 16 connections, and %d are left: raise max_connections.", h.Most-h.Open)
	}
	if h.LosesCommits {
		d.fault("fsync or synchronous_commit is off: a power cut loses moves that were acknowledged.")
	}
	if apart := h.Ahead.Abs(); apart > time.Second {
		d.fault("The database's clock and this one's are %s apart: clocks of matches follow this one's. Set both by "+
			"NTP.", apart.Round(time.Millisecond))
	}
}

func bytesText(n uint64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GiB", n>>30)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

func (c doctorCmd) letters(ctx context.Context, d *doctor) {
	if c.SMTPURL == "" {
		d.note("CHPOK_SMTP_URL is not set: there is mail only if an operator has named a server on the site.")
		return
	}
	server, err := courier.ParseServer(c.SMTPURL, c.MailFrom)
	if err != nil {
		return // reported by check
	}
	if err := server.Probe(ctx); err != nil {
		d.fault("The mail server cannot be used: %v", err)
		return
	}
	d.well("The mail server takes our sign-in.")
}

func (c doctorCmd) bus(d *doctor) {
	if c.NatsURL == "" {
		return
	}
	bus, err := live.ConnectNATS(c.NatsURL, slog.New(slog.DiscardHandler))
	if err == nil {
		defer bus.Close()
		err = bus.Flush(5 * time.Second)
	}
	if err != nil {
		d.fault("NATS cannot be reached (%v): nodes learn of one another's moves two seconds late.", err)
		return
	}
	d.well("NATS answers.")
}
