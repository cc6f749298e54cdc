package storetest

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Pair is a PostgreSQL with a synchronous standby.
type Pair struct {
	DSN string // of both: a connection finds the one that takes writes

	t        testing.TB
	bin      string
	dir      string
	owner    *syscall.SysProcAttr
	settings []string
	primary  *exec.Cmd
}

// The ports name the sockets, which lie in one folder.
const (
	primaryPort = "5432"
	standbyPort = "5433"
)

// NewPair starts both until the test ends, with an empty migrated database.
func NewPair(t testing.TB) *Pair {
	t.Helper()
	bin, err := serverPrograms()
	if errors.Is(err, errNoServer) || err == nil && !isProgram(filepath.Join(bin, "pg_basebackup")) {
		Missing(t, "PostgreSQL with pg_basebackup")
	}
	if err != nil {
		t.Fatal(err)
	}
	p := newServer(t, bin, place(), "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "shared_buffers=16MB", "-c", "max_wal_size=64MB")
	if err := migrate(p.at(primaryPort)); err != nil {
		t.Fatal(err)
	}
	p.run("pg_basebackup", "-h", p.dir, "-p", primaryPort, "-U", "postgres", "-D", filepath.Join(p.dir, "b"), "-R", "-X", "stream",
		"--checkpoint=fast", "--no-sync")
	p.serve("b", standbyPort)
	p.exec(primaryPort, "ALTER SYSTEM SET synchronous_standby_names = '*'")
	p.exec(primaryPort, "SELECT pg_reload_conf()")
	p.await(primaryPort, "SELECT EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync')")
	p.DSN = p.at(primaryPort, standbyPort)
	return p
}

// DurableDSN is an empty database whose commits reach the disk as on a real site, for
// measuring.
func DurableDSN(t testing.TB) string {
	t.Helper()
	bin, err := serverPrograms()
	if errors.Is(err, errNoServer) {
		Missing(t, "PostgreSQL")
	}
	if err != nil {
		t.Fatal(err)
	}
	return newServer(t, bin, os.TempDir(), "-c", "shared_buffers=256MB", "-c", "max_wal_size=2GB", "-c", "max_connections=200").at(primaryPort)
}

// newServer starts a server over a new folder.
func newServer(t testing.TB, bin, in string, settings ...string) *Pair {
	t.Helper()
	dir, err := os.MkdirTemp(in, "chpok-ha-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	owner, err := unprivileged(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := &Pair{t: t, bin: bin, dir: dir, owner: owner, settings: settings}
	p.run("initdb", "-D", filepath.Join(dir, "a"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	p.primary = p.serve("a", primaryPort)
	p.exec(primaryPort, "CREATE DATABASE chpok")
	return p
}

// at is the address of the server that takes writes, among those at some ports.
func (p *Pair) at(ports ...string) string {
	dsn := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/chpok"}
	dsn.RawQuery = url.Values{
		"host": {strings.TrimSuffix(strings.Repeat(p.dir+",", len(ports)), ",")}, "port": {strings.Join(ports, ",")},
		"target_session_attrs": {"read-write"}, "connect_timeout": {"2"},
	}.Encode()
	return dsn.String()
}

// Kill ends the server that takes writes, like a power cut.
func (p *Pair) Kill() {
	p.t.Helper()
	if err := syscall.Kill(-p.primary.Process.Pid, syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	_ = p.primary.Wait() // it was killed
}

// Promote makes the standby take writes.
func (p *Pair) Promote() {
	p.t.Helper()
	p.exec(standbyPort, "SELECT pg_promote()")
}

func (p *Pair) run(program string, args ...string) {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.bin, program), args...)
	cmd.Dir, cmd.SysProcAttr = p.dir, p.owner
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// serve starts a server over a folder and waits until it answers.
func (p *Pair) serve(data, port string) *exec.Cmd {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.bin, "postgres"), append([]string{"-D", filepath.Join(p.dir, data), "-k", p.dir, "-p", port,
		"-c", "listen_addresses="}, p.settings...)...)
	own := *p.owner
	own.Setpgid, own.Pdeathsig = true, syscall.SIGKILL
	cmd.Dir, cmd.SysProcAttr = p.dir, &own
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			_ = cmd.Wait() // it was killed
		}
	})
	p.await(port, "SELECT true")
	return cmd
}

// maintenance is the address of the maintenance database of the server at a port.
func (p *Pair) maintenance(port string) string {
	return fmt.Sprintf("host=%s port=%s user=postgres dbname=postgres", p.dir, port)
}

func (p *Pair) exec(port, statement string) {
	p.t.Helper()
	if err := run(p.maintenance(port), statement); err != nil {
		p.t.Fatalf("%s: %v", statement, err)
	}
}

// await asks a server until it answers yes.
func (p *Pair) await(port, question string) {
	p.t.Helper()
	if err := await(p.maintenance(port), question); err != nil {
		p.t.Fatalf("%s: %v", question, err)
	}
}
