package site

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/notice/courier"
)

// Database is where the data lies, embedded by every command that uses it.
type Database struct {
	URL string `name:"database-url" env:"CHPOK_DATABASE_URL" default:"sqlite:data/chpok.db" placeholder:"URL" help:"Where the data lies: sqlite:PATH or postgres://…"`
	// Also for commands that find an older schema.
	BackupDir string `name:"backup-dir" env:"CHPOK_BACKUP_DIR" placeholder:"DIR" help:"Folder for the copies that are made of the database before its schema changes. Default: beside the SQLite file; of PostgreSQL, data."`
}

// Config holds the flags of serve. A test compares them with the table in README.
type Config struct {
	Database
	Addr           string   `env:"CHPOK_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to serve on."`
	Lan            bool     `env:"CHPOK_LAN" help:"Serve everybody on the room's Wi-Fi, with no internet: on every network of this machine, under the address that it finds."`
	BaseURL        string   `name:"base-url" env:"CHPOK_BASE_URL" placeholder:"URL" help:"Address under which visitors reach the site, for links that leave it. Default: from the address served on."`
	Zone           string   `env:"CHPOK_ZONE" placeholder:"ZONE" help:"Time zone of new events, and of visitors whose account and browser name none, such as Europe/Kyiv. Default: the machine's."`
	SourceURL      string   `name:"source-url" env:"CHPOK_SOURCE_URL" placeholder:"URL" help:"Where visitors find the source code of this site, as its license asks: set it if you changed the program. Default: https://chpok.org/chpok."`
	NatsURL        string   `name:"nats-url" env:"CHPOK_NATS_URL" placeholder:"URL" help:"NATS server that joins several nodes. Default: one node, no NATS."`
	TrustedProxies []string `name:"trusted-proxies" env:"CHPOK_TRUSTED_PROXIES" placeholder:"CIDR,…" help:"Networks of reverse proxies whose X-Forwarded-For is believed. Default: none."`
	HooksInside    bool     `name:"webhooks-inside" env:"CHPOK_WEBHOOKS_INSIDE" help:"Let webhooks call addresses inside this site's own network."`
	SMTPURL        string   `name:"smtp-url" env:"CHPOK_SMTP_URL" placeholder:"URL" help:"Mail server that takes the site's mail: smtp://USER:PASSWORD@HOST:PORT or smtps://…. Default: the site sends no mail."`
	MailFrom       string   `name:"mail-from" env:"CHPOK_MAIL_FROM" placeholder:"ADDRESS" help:"Sender of the site's mail. Needed with a mail server."`
	SignKey        string   `name:"sign-key" env:"CHPOK_SIGN_KEY" placeholder:"KEY" help:"Key with which the site signs what matches achieved and seals what staff are shown again: 32 bytes in Base64. Default: the database keeps one, made when first needed."`
	// Every open page has one event stream.
	StreamsPerAccount int    `name:"streams-per-account" env:"CHPOK_STREAMS_PER_ACCOUNT" default:"50" placeholder:"N" help:"Most pages of one account that are kept up to date at once, on each node."`
	StreamsPerAddress int    `name:"streams-per-address" env:"CHPOK_STREAMS_PER_ADDRESS" default:"1000" placeholder:"N" help:"The same for visitors from one address."`
	EngineShare       int    `name:"engine-share" env:"CHPOK_ENGINE_SHARE" default:"50" placeholder:"PERCENT" help:"Most of this machine's processor time that bots and analysis take, 5…100."`
	OpsAddr           string `name:"ops-addr" env:"CHPOK_OPS_ADDR" placeholder:"HOST:PORT" help:"Address for operators only, with metrics for Prometheus and profiles. Default: none."`
	LogLevel          string `name:"log-level" env:"CHPOK_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error."`
	LogFormat         string `name:"log-format" env:"CHPOK_LOG_FORMAT" default:"text" placeholder:"FORMAT" help:"text or json."`
}

// zone returns the time zone of the site: the one that was set, or the machine's by its name.
func (c Config) zone(env func(string) string, link func(string) (string, error)) string {
	named := []string{c.Zone, env("TZ")}
	if file, err := link("/etc/localtime"); err == nil {
		if _, name, known := strings.Cut(file, "zoneinfo/"); known {
			named = append(named, name)
		}
	}
	for _, name := range named {
		if name == "Etc/UTC" { // as Debian links it; people read this name
			name = "UTC"
		}
		if _, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
			return name
		}
	}
	return "UTC"
}

// usualAddr is the default of Addr.
const usualAddr = "127.0.0.1:8080"

// listenAddr returns the address to listen on: with Lan every network of the machine.
func (c Config) listenAddr() string {
	if c.Lan && c.Addr == usualAddr {
		return ":8080"
	}
	return c.Addr
}

// Check returns all problems of a configuration at once.
func (c Config) Check() error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if err := c.Database.Check(); err != nil {
		problems = append(problems, err)
	}
	if _, port, err := net.SplitHostPort(c.Addr); err != nil || port == "" {
		bad("CHPOK_ADDR: %q is not HOST:PORT", c.Addr)
	}
	if _, port, err := net.SplitHostPort(c.OpsAddr); c.OpsAddr != "" && (err != nil || port == "") {
		bad("CHPOK_OPS_ADDR: %q is not HOST:PORT", c.OpsAddr)
	}
	if host, _, _ := net.SplitHostPort(c.listenAddr()); c.Lan && (host == "localhost" || net.ParseIP(host).IsLoopback()) {
		bad("CHPOK_LAN, CHPOK_ADDR: nobody in the room reaches %q", c.Addr)
	}
	if c.Lan && c.BaseURL != "" {
		bad("CHPOK_LAN, CHPOK_BASE_URL: a site in a room has the address that it finds; set one of them")
	}
	if c.BaseURL != "" {
		if u, err := url.Parse(c.BaseURL); err != nil || (u.Scheme != "http" && u.Scheme != "https") ||
			u.Host == "" || strings.Trim(u.Path, "/") != "" {
			bad("CHPOK_BASE_URL: %q is not http(s)://HOST", c.BaseURL)
		}
	}
	if u, err := url.Parse(c.SourceURL); c.SourceURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		bad("CHPOK_SOURCE_URL: %q is not http(s)://HOST/PATH", c.SourceURL)
	}
	if c.SignKey != "" {
		if _, err := kernel.ParseSignKey(c.SignKey); err != nil {
			bad("CHPOK_SIGN_KEY: %v", err)
		}
	}
	if c.NatsURL != "" {
		if u, err := url.Parse(c.NatsURL); err != nil || (u.Scheme != "nats" && u.Scheme != "tls") || u.Host == "" {
			bad("CHPOK_NATS_URL: %q is not nats://HOST:PORT", c.NatsURL)
		}
		if strings.HasPrefix(c.Database.URL, "sqlite:") {
			bad("CHPOK_NATS_URL: several nodes need one PostgreSQL database; an SQLite file serves one node")
		}
	}
	if c.SMTPURL != "" {
		if _, err := courier.ParseServer(c.SMTPURL, c.MailFrom); err != nil {
			bad("CHPOK_SMTP_URL, CHPOK_MAIL_FROM: %v", err)
		}
		if c.BaseURL == "" {
			bad("CHPOK_SMTP_URL: links in mail need CHPOK_BASE_URL")
		}
	}
	if c.StreamsPerAccount < 0 || c.StreamsPerAddress < 0 {
		bad("CHPOK_STREAMS_PER_ACCOUNT, CHPOK_STREAMS_PER_ADDRESS: not below 0")
	}
	if _, err := time.LoadLocation(c.Zone); err != nil || c.Zone == "Local" {
		bad("CHPOK_ZONE: %q is no time zone such as Europe/Kyiv", c.Zone)
	}
	if c.EngineShare < 5 || c.EngineShare > 100 {
		bad("CHPOK_ENGINE_SHARE: %d is not 5…100 percent", c.EngineShare)
	}
	if _, err := c.proxies(); err != nil {
		problems = append(problems, err)
	}
	if _, err := c.level(); err != nil {
		problems = append(problems, err)
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		bad("CHPOK_LOG_FORMAT: %q is neither text nor json", c.LogFormat)
	}
	return errors.Join(problems...)
}

// Check returns what is wrong with the address.
func (d Database) Check() error {
	switch dsn := d.URL; {
	case strings.HasPrefix(dsn, "sqlite:"):
		if p := strings.TrimPrefix(dsn, "sqlite:"); p == "" || filepath.Base(p) == "." {
			return errors.New("CHPOK_DATABASE_URL: sqlite: needs the path of a file")
		}
		return nil
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		if _, err := url.Parse(dsn); err != nil {
			return errors.New("CHPOK_DATABASE_URL: not a URL that can be read")
		}
		return nil
	}
	return errors.New("CHPOK_DATABASE_URL: neither sqlite:PATH nor postgres://…")
}

func (c Config) proxies() ([]netip.Prefix, error) {
	var out []netip.Prefix
	var problems []error
	for _, s := range c.TrustedProxies {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			if a, aerr := netip.ParseAddr(s); aerr == nil {
				p, err = netip.PrefixFrom(a, a.BitLen()), nil
			}
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("CHPOK_TRUSTED_PROXIES: %q is not a network", s))
			continue
		}
		out = append(out, p)
	}
	return out, errors.Join(problems...)
}

func (c Config) level() (slog.Level, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return 0, fmt.Errorf("CHPOK_LOG_LEVEL: %q is none of debug, info, warn, error", c.LogLevel)
	}
	return l, nil
}
