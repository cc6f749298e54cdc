package load

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/procfs"

	"chpok.org/chpok/cmd/internal/cli"
)

// node is a measured server in a process of its own.
type node struct {
	cmd    *exec.Cmd
	base   string
	ended  chan struct{}
	status error // result of Wait, once ended is closed
	leaves atomic.Bool
	before time.Duration // processor time of the processes that it replaced
}

// startNode starts a server and waits until it prints its address.
func (l *load) startNode(ctx context.Context, program string) (*node, error) {
	args := []string{"serve", "--addr", "127.0.0.1:0", "--database-url", l.command.Database, "--log-level", "error",
		"--streams-per-address", "100000", "--trusted-proxies", "127.0.0.1/32"}
	if l.opsAddr != "" {
		args = append(args, "--ops-addr", l.opsAddr)
	}
	if l.command.NatsURL != "" {
		args = append(args, "--nats-url", l.command.NatsURL)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = l.std.Err
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	n := &node{cmd: cmd, ended: make(chan struct{})}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, base, ok := strings.Cut(lines.Text(), "serves on "); ok {
			n.base = base
			break
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, out) // the rest is of no interest
		n.status = cmd.Wait()
		close(n.ended)
	}()
	if n.base == "" {
		return nil, cli.Fail(1, "the server did not say where it serves")
	}
	return n, nil
}

// start starts all servers.
func (l *load) start(ctx context.Context) error {
	for len(l.nodes) < max(1, l.command.Nodes) {
		n, err := l.startNode(ctx, l.command.Server)
		if err != nil {
			return err
		}
		l.nodes = append(l.nodes, n)
	}
	return nil
}

func (l *load) stop() {
	for _, n := range l.nodes {
		_ = n.cmd.Process.Kill()
		<-n.ended
	}
}

// at returns the address of the next node that is not leaving.
func (l *load) at() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range l.nodes {
		l.asked++
		if n := l.nodes[l.asked%len(l.nodes)]; !n.leaves.Load() {
			return n.base
		}
	}
	return l.nodes[0].base
}

// spent returns the processor time that the servers have used.
func (l *load) spent() (sum time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.nodes {
		sum += n.before + n.spent()
	}
	return sum
}

// resident returns the memory that the servers hold, in bytes.
func (l *load) resident() (sum int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.nodes {
		sum += n.resident()
	}
	return sum
}

// stat returns what the kernel counts of the server; nothing where there is no /proc.
func (n *node) stat() procfs.ProcStat {
	p, err := procfs.NewProc(n.cmd.Process.Pid)
	if err != nil {
		return procfs.ProcStat{}
	}
	s, _ := p.Stat()
	return s
}

// spent returns the processor time that the server has used.
func (n *node) spent() time.Duration {
	return time.Duration(n.stat().CPUTime() * float64(time.Second))
}

// resident returns the memory that the server holds, in bytes.
func (n *node) resident() int64 { return int64(n.stat().ResidentMemory()) }

// crowd is who watches the round's page.
type crowd struct {
	stop   context.CancelFunc
	group  sync.WaitGroup
	bytes  atomic.Int64
	frames atomic.Int64 // seen by the first watcher
}

// crowd opens n streams and waits until all of them respond.
func (l *load) crowd(ctx context.Context, n int) (*crowd, error) {
	c := &crowd{}
	ctx, c.stop = context.WithCancel(ctx)
	speaks := make(chan error, n)
	for i := range n {
		c.group.Go(func() { c.watch(ctx, l.at()+"/tournaments/"+l.event+"/feed?part=round-1", i == 0, speaks) })
	}
	for range n {
		select {
		case err := <-speaks:
			if err != nil {
				c.leave()
				return nil, err
			}
		case <-time.After(answerWithin):
			c.leave()
			return nil, cli.Fail(1, "a stream does not begin")
		}
	}
	return c, nil
}

// leave closes the streams.
func (c *crowd) leave() {
	c.stop()
	c.group.Wait()
}

// watch reads one stream; the first watcher's is parsed, the bytes of the others are
// counted.
func (c *crowd) watch(ctx context.Context, url string, readsIt bool, speaks chan<- error) {
	answer, err := get(ctx, url, "Accept", "text/event-stream", "Accept-Encoding", "gzip")
	speaks <- err
	if err != nil {
		return
	}
	defer answer.Body.Close()
	counted := &counter{answer.Body, &c.bytes}
	if !readsIt {
		_, _ = io.Copy(io.Discard, counted) // until ctx ends
		return
	}
	var text io.Reader = counted
	if answer.Header.Get("Content-Encoding") == "gzip" {
		if text, err = gzip.NewReader(counted); err != nil {
			return
		}
	}
	lines := bufio.NewReader(text)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		if line == "event: swap\n" {
			c.frames.Add(1)
		}
	}
}

// get requests url with headers, given as names and values, and refuses any status but OK.
func get(ctx context.Context, url string, headers ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err == nil && answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		err = fmt.Errorf("%s: %s", url, answer.Status)
	}
	return answer, err
}

type counter struct {
	from io.Reader
	sum  *atomic.Int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.sum.Add(int64(n))
	return n, err
}

// loadAverage returns how many processes of the machine want a core, on average of the
// last minute: with more than there are cores, answers are late whatever the server does.
func loadAverage() string {
	proc, err := procfs.NewDefaultFS()
	if err != nil {
		return "–"
	}
	load, err := proc.LoadAvg()
	if err != nil {
		return "–"
	}
	return fmt.Sprintf("%.2f", load.Load1)
}
