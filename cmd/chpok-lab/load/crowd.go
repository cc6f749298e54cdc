package load

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"chpok.org/chpok/cmd/internal/cli"
)

// stream opens an event stream by hand, to cost next to nothing on this side, for an
// account or for a visitor with an address of its own.
func (l *load) stream(ctx context.Context, path, who string, visitor int) (net.Conn, io.Reader, error) {
	at := strings.TrimPrefix(l.at(), "http://")
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", at)
	if err != nil {
		return nil, nil, err
	}
	as := fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d", visitor>>16&255, visitor>>8&255, visitor&255)
	if who != "" {
		as = "Authorization: Bearer " + l.tokens[who]
	}
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nAccept-Language: en\r\n%s\r\n\r\n", path, at, as)
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	lines := bufio.NewReaderSize(conn, 1024)
	status, err := lines.ReadString('\n')
	for line := status; err == nil && line != "\r\n"; {
		line, err = lines.ReadString('\n')
	}
	if err == nil && !strings.HasPrefix(status, "HTTP/1.1 200 ") {
		err = fmt.Errorf("stream: %s", strings.TrimSpace(status))
	}
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	return conn, lines, nil
}

// dialsAtOnce is how many streams are opened at a time.
const dialsAtOnce = 64

// pauseOfOne is the time between moves of the match that all watch.
const pauseOfOne = 500 * time.Millisecond

// oneMatch lets n watchers follow one match and prints when the last of them has seen a
// move.
func (l *load) oneMatch(ctx context.Context, n int) error {
	boards, err := l.openBoards(ctx, 1)
	if err != nil {
		return err
	}
	b := boards[0]
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	heard := make([]atomic.Int64, n) // when each watcher last heard something
	var readers sync.WaitGroup
	defer func() { leave(); readers.Wait() }()
	var dials errgroup.Group
	dials.SetLimit(dialsAtOnce)
	for i := range n {
		dials.Go(func() error {
			conn, answer, err := l.stream(ctx, "/matches/"+string(b.id)+"/feed?last="+fmt.Sprint(b.seq), "", i)
			if err != nil {
				return err
			}
			context.AfterFunc(ctx, func() { conn.Close() })
			readers.Go(func() {
				for buffer := make([]byte, 256); ; {
					if _, err := answer.Read(buffer); err != nil {
						return
					}
					heard[i].Store(time.Now().UnixNano())
				}
			})
			return nil
		})
	}
	if err := dials.Wait(); err != nil {
		return err
	}
	time.Sleep(l.settles())
	var answered, all part
	for begun := time.Now(); time.Since(begun) < l.command.Part; {
		due := time.Now()
		if err := l.shuffle(ctx, b, due); err != nil {
			return err
		}
		answered.took = append(answered.took, time.Since(due))
		last, err := lastHeard(heard, due)
		if err != nil {
			return err
		}
		all.took = append(all.took, last)
		time.Sleep(time.Until(due.Add(pauseOfOne)))
	}
	fmt.Fprintf(l.std.Out, "\n%d watchers of one match: a move is answered within %.1f ms (p50; p99 %.1f), "+
		"the last watcher has it after %.0f ms (p50; p99 %.0f).\n",
		n, answered.at(0.5), answered.at(0.99), all.at(0.5), all.at(0.99))
	return nil
}

// lastHeard returns how long after since the last watcher heard something.
func lastHeard(heard []atomic.Int64, since time.Time) (time.Duration, error) {
	at, latest := since.UnixNano(), int64(0)
	for i := range heard {
		for heard[i].Load() < at {
			if time.Since(since) > answerWithin {
				return 0, cli.Fail(1, "watcher %d has heard nothing", i)
			}
			time.Sleep(time.Millisecond)
		}
		latest = max(latest, heard[i].Load())
	}
	return time.Duration(latest - at), nil
}

// noticed is how long a proxy that checks every two seconds needs to see that a node
// leaves.
const noticed = 2500 * time.Millisecond

// replaceAll puts each of the next programs in the place of the one before it, everywhere.
func (l *load) replaceAll(ctx context.Context) error {
	next := l.command.Next
	if len(next) == 0 {
		next = []string{l.command.Server}
	}
	for _, program := range next {
		if err := l.replaceBy(ctx, program); err != nil {
			return err
		}
	}
	return nil
}

// replaceBy restarts one node after the other, as a deployment does: each is told to
// stop, left by the proxy, started anew after its end, and used again when it is well.
func (l *load) replaceBy(ctx context.Context, program string) error {
	for i, old := range slices.Clone(l.nodes) {
		told := time.Now()
		if err := old.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			return err
		}
		time.Sleep(noticed)
		old.leaves.Store(true)
		used := time.Duration(0)
		for ended := false; !ended; {
			used = max(used, old.spent())
			select {
			case <-old.ended:
				ended = true
			case <-time.After(100 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if old.status != nil {
			return cli.Fail(1, "node %d ended with %v", i+1, old.status)
		}
		node, err := l.startNode(ctx, program)
		if err != nil {
			return err
		}
		node.before = old.before + used
		node.leaves.Store(true)
		l.mu.Lock()
		l.nodes[i] = node
		l.mu.Unlock()
		if err := node.well(ctx); err != nil {
			return err
		}
		node.leaves.Store(false)
		fmt.Fprintf(l.std.Err, "node %d is %s, %.1f s after the one before was told to stop\n", i+1, filepath.Base(program), time.Since(told).Seconds())
	}
	return nil
}

// well waits until a node reports that it is well.
func (n *node) well(ctx context.Context) error {
	for give := time.Now().Add(answerWithin); ; {
		if answer, err := get(ctx, n.base+"/healthz"); err == nil {
			return answer.Body.Close()
		}
		if ctx.Err() != nil || time.Now().After(give) {
			return cli.Fail(1, "the node is not well")
		}
		time.Sleep(50 * time.Millisecond)
	}
}
