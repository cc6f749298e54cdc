package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"chpok.org/chpok/store"
)

// External names the variable with the address of a running PostgreSQL whose user may
// create databases; it is used in place of a throw-away cluster.
const External = "CHPOK_TEST_POSTGRES"

// Together names the variable with a folder in which the test binaries of one command share
// a cluster: the first that asks starts it. It lives until the last writer of the pipe
// "alive" in the folder is gone.
const Together = "CHPOK_TEST_TOGETHER"

const (
	template = "chpok_template"
	patience = 60 * time.Second
)

var errNoServer = errors.New("no PostgreSQL server programs (initdb, postgres) on this machine")

// cluster is a running server with a database for each test.
type cluster struct {
	address  url.URL   // of the maintenance database
	template string    // empty: databases are made bare and migrated when opened
	alive    io.Closer // the pipe, kept from the garbage collector, which would close it

	creating sync.Mutex
	conn     *pgx.Conn // for maintenance, once there was some
}

var shared = sync.OnceValues(func() (*cluster, error) {
	if dsn := os.Getenv(External); dsn != "" {
		u, err := url.Parse(dsn)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", External, err)
		}
		return &cluster{address: *u}, nil
	}
	if folder := os.Getenv(Together); folder != "" {
		return joinCluster(folder)
	}
	bin, err := serverPrograms()
	if err != nil {
		return nil, err
	}
	return startCluster(bin, nil)
})

// joinCluster is the cluster of a folder, started unless another process has.
func joinCluster(folder string) (*cluster, error) {
	bin, err := serverPrograms()
	if err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(folder, "address"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	address, err := io.ReadAll(lock)
	if err != nil {
		return nil, err
	}
	if len(address) > 0 {
		u, err := url.Parse(string(address))
		if err != nil {
			return nil, err
		}
		return &cluster{address: *u, template: template}, nil
	}
	alive, err := os.Open(filepath.Join(folder, "alive"))
	if err != nil {
		return nil, err
	}
	defer alive.Close()
	c, err := startCluster(bin, alive)
	if err != nil {
		return nil, err
	}
	_, err = lock.WriteString(c.address.String())
	return c, err
}

// PostgresDSN is the address of a new database, dropped when the test ends.
func PostgresDSN(t testing.TB) string {
	t.Helper()
	return database(t, func(c *cluster) string { return c.template })
}

// EmptyPostgresDSN is the address of a new database without a schema.
func EmptyPostgresDSN(t testing.TB) string {
	t.Helper()
	return database(t, func(*cluster) string { return "template0" })
}

func database(t testing.TB, template func(*cluster) string) string {
	t.Helper()
	c, err := shared()
	if errors.Is(err, errNoServer) {
		Missing(t, "PostgreSQL ("+External+" may name a running one)")
	}
	if err != nil {
		t.Fatal(err)
	}
	name := "t_" + store.NewID()
	create := "CREATE DATABASE " + name
	if from := template(c); from != "" {
		create += " TEMPLATE " + from + " STRATEGY FILE_COPY" // half the work of logging every page (from PostgreSQL 15 on)
	}
	if err := c.run(create); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.run("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"); err != nil {
			t.Errorf("drop test database: %v", err)
		}
	})
	return c.dsn(name)
}

func (c *cluster) dsn(database string) string {
	u := c.address
	u.Path = "/" + database
	return u.String()
}

// run executes one maintenance statement; one after the other, creating databases is faster
// than together.
func (c *cluster) run(statement string) error {
	c.creating.Lock()
	defer c.creating.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if c.conn == nil || c.conn.IsClosed() {
		conn, err := pgx.Connect(ctx, c.address.String())
		if err != nil {
			return err
		}
		c.conn = conn
	}
	_, err := c.conn.Exec(ctx, statement)
	return err
}

// run executes one statement on another server.
func run(dsn, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// await asks a server until it answers yes.
func await(dsn, question string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, dsn)
		if err == nil {
			yes := false
			err = conn.QueryRow(ctx, question).Scan(&yes)
			conn.Close(ctx)
			if yes {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-tick.C:
		}
	}
}

func migrate(dsn string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := store.Open(ctx, dsn, options)
	if err != nil {
		return err
	}
	return s.Close()
}

// startCluster makes a cluster that lives as long as whoever writes to a pipe: a shell that
// reads it stops the server and deletes its files when the pipe closes, however its writers
// end. Without a pipe this process is the writer.
func startCluster(bin string, alive *os.File) (*cluster, error) {
	dir, err := os.MkdirTemp(place(), "chpok-pg-")
	if err != nil {
		return nil, err
	}
	owner, err := unprivileged(dir)
	if err != nil {
		return nil, err
	}
	started := false
	defer func() {
		if !started {
			os.RemoveAll(dir)
		}
	}()
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "postgres",
		"-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = dir, owner
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	server := []string{filepath.Join(bin, "postgres"), "-D", filepath.Join(dir, "data"), "-k", dir,
		"-c", "listen_addresses=", "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
		"-c", "max_connections=300", "-c", "shared_buffers=32MB", "-c", "max_wal_size=128MB",
		"-c", "autovacuum=off", "-c", "track_counts=off", "-c", "wal_level=minimal", "-c", "max_wal_senders=0"}
	// $0 is the folder, the rest the server and its arguments.
	guard := exec.Command("/bin/sh", append([]string{"-c",
		`"$@" </dev/null >"$0/log" 2>&1 & pid=$!; cat >/dev/null; kill -QUIT $pid; wait $pid; cd /; rm -rf "$0"`, dir}, server...)...)
	guard.Dir, guard.SysProcAttr = dir, owner
	c := &cluster{}
	if alive != nil {
		guard.Stdin = alive
	} else if c.alive, err = guard.StdinPipe(); err != nil {
		return nil, err
	}
	if err := guard.Start(); err != nil {
		return nil, err
	}
	started = true
	c.address = url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres", RawQuery: "host=" + url.QueryEscape(dir)}
	if err := await(c.address.String(), "SELECT true"); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		return nil, fmt.Errorf("start PostgreSQL: %w\n%s", err, log)
	}
	if err := c.run("CREATE DATABASE " + template); err != nil {
		return nil, err
	}
	if err := migrate(c.dsn(template)); err != nil {
		return nil, err
	}
	c.template = template
	return c, nil
}

// place is where the cluster's folder is made: in memory if there is room, for a database
// is some 600 files, and writing them is most of the cost of making one.
func place() string {
	const memory, room = "/dev/shm", 2 << 30
	var fs syscall.Statfs_t
	if syscall.Statfs(memory, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= room && syscall.Access(memory, 2) == nil {
		return memory
	}
	if parent := os.TempDir(); len(parent) <= 60 { // the path of a socket has at most 107 bytes
		return parent
	}
	return "/tmp"
}

// serverPrograms is the folder of initdb and postgres: in PATH, as pg_config says, or the
// newest of Debian's versioned folders.
func serverPrograms() (string, error) {
	var folders []string
	if p, err := exec.LookPath("postgres"); err == nil {
		if p, err = filepath.EvalSymlinks(p); err == nil {
			folders = append(folders, filepath.Dir(p))
		}
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		folders = append(folders, strings.TrimSpace(string(out)))
	}
	debian, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.Reverse(debian)
	for _, dir := range append(folders, debian...) {
		if isProgram(filepath.Join(dir, "initdb")) && isProgram(filepath.Join(dir, "postgres")) {
			return dir, nil
		}
	}
	return "", errNoServer
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
