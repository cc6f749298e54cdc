package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// loadNode is a server that is measured, a process of its own.
type loadNode struct {
	cmd    *exec.Cmd
	base   string
	ended  chan struct{}
	status error // how, once it has ended
	leaves atomic.Bool
	before time.Duration // processor time of those whose place it has taken
}

// startNode starts a server and waits until it says where it serves.
func (l *load) startNode(ctx context.Context, program string) (*loadNode, error) {
	args := []string{"serve", "--addr", "127.0.0.1:0", "--database-url", l.command.Database, "--log-level", "error",
		"--streams-per-address", "100000", "--trusted-proxies", "127.0.0.1/32"}
	if l.opsAddr != "" {
		args = append(args, "--ops-addr", l.opsAddr)
	}
	if l.command.NatsURL != "" {
		args = append(args, "--nats-url", l.command.NatsURL)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = l.std.err
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	n := &loadNode{cmd: cmd, ended: make(chan struct{})}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, base, ok := strings.Cut(lines.Text(), "serves on "); ok {
			n.base = base
			break
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, out) // it says no more of interest
		n.status = cmd.Wait()
		close(n.ended)
	}()
	if n.base == "" {
		return nil, fail(1, "the server did not say where it serves")
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

// at is the node whose turn it is, of those that go on.
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

// spent is the processor time that the servers have used.
func (l *load) spent() (sum time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.nodes {
		sum += n.before + n.spent()
	}
	return sum
}

// resident is the memory that the servers hold.
func (l *load) resident() (sum int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.nodes {
		sum += n.resident()
	}
	return sum
}

// ticksPerSecond is the unit of /proc/PID/stat on every Linux there is.
const ticksPerSecond = 100

// spent is the processor time that the server has used.
func (n *loadNode) spent() time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", n.cmd.Process.Pid))
	if err != nil {
		return 0 // not a Linux: told as nothing
	}
	_, after, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / ticksPerSecond
}

// resident is the memory that the server holds.
func (n *loadNode) resident() int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", n.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// crowd is who watches the round's page.
type crowd struct {
	stop   context.CancelFunc
	group  sync.WaitGroup
	bytes  atomic.Int64
	frames atomic.Int64 // that the first of them saw
}

// crowd opens so many streams and waits until all of them speak.
func (l *load) crowd(ctx context.Context, n int) (*crowd, error) {
	c := &crowd{}
	ctx, c.stop = context.WithCancel(ctx)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConns: 0}}
	speaks := make(chan error, n)
	for i := range n {
		c.group.Go(func() { c.watch(ctx, client, l.at()+"/tournaments/"+l.event+"/feed?part=round-1", i == 0, speaks) })
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
			return nil, fail(1, "a stream does not begin")
		}
	}
	return c, nil
}

// leave closes the streams.
func (c *crowd) leave() {
	c.stop()
	c.group.Wait()
}

// watch reads one stream; the first watcher's is taken apart, the others' bytes are counted.
func (c *crowd) watch(ctx context.Context, client *http.Client, url string, readsIt bool, speaks chan<- error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		speaks <- err
		return
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := client.Do(r)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New("stream: " + answer.Status)
	}
	speaks <- err
	if err != nil {
		return
	}
	defer answer.Body.Close()
	counted := &counter{answer.Body, &c.bytes}
	if !readsIt {
		_, _ = io.Copy(io.Discard, counted) // ends with ctx
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

type counter struct {
	from io.Reader
	sum  *atomic.Int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.sum.Add(int64(n))
	return n, err
}

// loadAverage is how many processes of the whole machine want a core: with more than
// there are cores, answers are late whatever the server does.
func loadAverage() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "–"
	}
	first, _, _ := strings.Cut(string(raw), " ")
	return first
}
