package main

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"chpok.org/chpok/store/storetest"
)

// wire is a network to a site that can be cut.
type wire struct {
	mu    sync.Mutex
	conns []net.Conn
}

func newWire(t *testing.T, site string) (w *wire, base string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w = &wire{}
	t.Cleanup(func() {
		listener.Close()
		w.cut()
	})
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", strings.TrimPrefix(site, "http://"))
			if err != nil {
				near.Close()
				continue
			}
			w.mu.Lock()
			w.conns = append(w.conns, near, far)
			w.mu.Unlock()
			for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
				go func() {
					_, _ = io.Copy(way[0], way[1])
					way[0].Close()
				}()
			}
		}
	}()
	return w, "http://" + listener.Addr().String()
}

// cut breaks every connection.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		c.Close()
	}
	w.conns = nil
}

// shell runs blocks of the guide as they stand.
type shell struct {
	t   *testing.T
	env []string
	dir string
}

func (s shell) command(ctx context.Context, block string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", block)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), s.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // the shell and what it runs
	return cmd
}

// start runs a block until end is called, as by kill -9.
func (s shell) start(block string) (log *lockedBuffer, end func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	cmd := s.command(ctx, block)
	log = &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		cancel()
		_ = cmd.Wait()
	})
	s.t.Cleanup(func() {
		end()
		if s.t.Failed() {
			s.t.Logf("%s\n%s", block, log.String())
		}
	})
	return log, end
}

func (s shell) run(block string) string {
	s.t.Helper()
	out, err := s.command(s.t.Context(), block).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s\n%v\n%s", block, err, out)
	}
	return string(out)
}

// TestTheGuideToBotsWorksAsItStands: a bot made as docs/bots.md says plays a match to its end, by the example and by an
// engine, though its network is cut and it is killed in the middle.
func TestTheGuideToBotsWorksAsItStands(t *testing.T) {
	t.Parallel()
	for _, needed := range []string{"python3", "curl"} {
		if _, err := exec.LookPath(needed); err != nil {
			storetest.Missing(t, needed)
		}
	}
	text, err := os.ReadFile("../../docs/bots.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) != 5 {
		t.Fatalf("%d blocks", len(blocks))
	}
	me, example, challenge, stream, engine := blocks[0], blocks[1], blocks[2], blocks[3], blocks[4]

	dsn := storetest.SQLiteDSN(t)
	node := startNode(t, dsn)
	net, base := newWire(t, node.base)
	newPlayer(t, dsn, "anna", "player")
	chpok(t, "player", "add", "robot", "--database-url", dsn)
	chpok(t, "player", "bot", "robot", "--maintainer", "anna", "--database-url", dsn)
	robot := &client{t: t, base: node.base, token: chpok(t, "token", "add", "robot", "--database-url", dsn), name: "robot"}
	bin := t.TempDir()
	if err := os.Symlink(program(t), filepath.Join(bin, "chpok")); err != nil {
		t.Fatal(err)
	}
	s := shell{t, []string{"SITE=" + base, "TOKEN=" + robot.token, "PATH=" + bin + ":" + os.Getenv("PATH"), "PYTHONDONTWRITEBYTECODE=1"}, "../.."}

	if told := s.run(me); !strings.Contains(told, `"bot":true`) || !strings.Contains(told, `"robot"`) {
		t.Errorf("me: %s", told)
	}
	played := func(block string) {
		t.Helper()
		log, end := s.start(block)
		await(t, "the bot at the site", func() bool {
			return strings.Contains(log.String(), "as robot") || strings.Contains(log.String(), "playing as")
		})
		s.run(challenge)
		var list struct{ Matches []struct{ ID, Status string } }
		robot.must("GET", "/me/matches", nil, &list)
		id, cuts := list.Matches[0].ID, 0
		await(t, "the end of the match", func() bool {
			m := robot.match(id)
			switch {
			case m.Status == "over":
				return true
			case cuts == 0 && m.Seq > 4:
				cuts++
				net.cut()
			case cuts == 1 && m.Seq > 12:
				cuts++
				end()
				_, end = s.start(block)
			}
			return false
		})
		end()
		if cuts != 2 {
			t.Errorf("%s: cut or killed %d times", block, cuts)
		}
	}
	played(example)
	played(engine)
	if told := s.run(stream); strings.Contains(told, `"turn"`) {
		t.Errorf("something waits: %s", told)
	}
}
