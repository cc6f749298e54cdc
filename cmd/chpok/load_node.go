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

// loadNode is the server that is measured, a process of its own.
type loadNode struct {
	cmd  *exec.Cmd
	base string
}

// start starts the server and waits until it says where it serves.
func (l *load) start(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, l.command.Server, "serve", "--addr", "127.0.0.1:0", "--database-url", l.command.Database,
		"--log-level", "error", "--streams-per-address", "100000")
	cmd.Stderr = l.std.err
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	l.node = &loadNode{cmd: cmd}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, base, ok := strings.Cut(lines.Text(), "serves on "); ok {
			l.node.base = base
			go func() { _, _ = io.Copy(io.Discard, out) }() // it says no more of interest
			return nil
		}
	}
	return fail(1, "the server did not say where it serves")
}

func (l *load) stop() {
	if l.node != nil {
		_ = l.node.cmd.Process.Kill()
		_ = l.node.cmd.Wait() // it was killed
	}
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
		c.group.Go(func() { c.watch(ctx, client, l.node.base+"/tournaments/"+l.event+"/feed?part=round-1", i == 0, speaks) })
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
