// Package client speaks to a site's API as programs do: it asks again what a cut network or a busy site has left
// without an answer, and follows streams across breaks. It knows nothing of what is asked.
package client

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client is a program at a site.
type Client struct {
	Site  string       // as https://chpok.example
	Token string       // of the account it acts for; empty: none
	HTTP  *http.Client // nil: a usual one
	// Cut is told of what is tried again; nil: nobody.
	Cut func(error)
}

// Problem is an answer that refuses.
type Problem struct {
	Status int
	Code   string // by which programs tell refusals
	Detail string // in words
}

// Error returns the refusal in words.
func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// How long to wait before asking again, at first and at most, and how long a stream may be silent.
const (
	firstWait = 250 * time.Millisecond
	mostWait  = 15 * time.Second
	silence   = time.Minute
)

// Do asks until there is an answer: after a cut network, or when the site is busy, it asks again, with the same
// Idempotency-Key, so that nothing is done twice. in is sent and out filled as JSON; nil: nothing. A refusal is a
// *Problem.
func (c *Client) Do(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	key := rand.Text()
	return c.again(ctx, func() (time.Duration, error) {
		res, err := c.send(ctx, method, path, body, http.Header{"Idempotency-Key": {key}})
		if err != nil {
			return 0, err
		}
		defer res.Body.Close()
		if err := refused(res); err != nil {
			return waitOf(res), err
		}
		if out == nil || res.StatusCode == http.StatusNoContent {
			return 0, nil
		}
		return 0, json.NewDecoder(res.Body).Decode(out)
	})
}

// again does something until it works, is refused for good or ctx ends. do returns how long the site asks to wait.
func (c *Client) again(ctx context.Context, do func() (time.Duration, error)) error {
	for wait := firstWait; ; wait = min(2*wait, mostWait) {
		asked, err := do()
		var p *Problem
		if err == nil || errors.As(err, &p) && p.Status < 500 && p.Status != http.StatusTooManyRequests {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if c.Cut != nil {
			c.Cut(err)
		}
		if err := pause(ctx, max(wait, asked)); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (c *Client) send(ctx context.Context, method, path string, body []byte, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.Site, "/")+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = header
	if method == http.MethodGet {
		req.Header.Del("Idempotency-Key")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if c.HTTP != nil {
		return c.HTTP.Do(req)
	}
	return http.DefaultClient.Do(req)
}

// refused returns the *Problem of an answer, or nil.
func refused(res *http.Response) error {
	if res.StatusCode < 300 {
		return nil
	}
	p := &Problem{Status: res.StatusCode}
	raw, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return err
	}
	if json.Unmarshal(raw, p) != nil || p.Code == "" { // of a proxy
		p.Code, p.Detail = "http", http.StatusText(res.StatusCode)
	}
	p.Status = res.StatusCode
	return p
}

func waitOf(res *http.Response) time.Duration {
	seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// Follow calls each for every line of a stream, with the event's id and JSON. When the stream ends, breaks or is silent
// for too long it goes on after the last event that each has seen. It returns when each fails, the site refuses for
// good, or ctx ends. An event may come twice, with the same id.
func (c *Client) Follow(ctx context.Context, path, since string, each func(id string, line []byte) error) error {
	var failed error
	for {
		err := c.again(ctx, func() (time.Duration, error) {
			wait, err := c.listen(ctx, path, since, func(id string, line []byte) error {
				if failed = each(id, line); failed == nil && id != "" {
					since = id
				}
				return failed
			})
			if failed != nil {
				return 0, nil
			}
			return wait, err
		})
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		if err := pause(ctx, firstWait); err != nil {
			return err
		}
	}
}

// listen reads a stream to its end.
func (c *Client) listen(ctx context.Context, path, since string, each func(string, []byte) error) (time.Duration, error) {
	ctx, cut := context.WithCancel(ctx)
	defer cut()
	quiet := time.AfterFunc(silence, cut)
	defer quiet.Stop()
	if since != "" {
		path += "?since=" + url.QueryEscape(since)
	}
	res, err := c.send(ctx, http.MethodGet, path, nil, http.Header{"Accept": {"application/x-ndjson"}})
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if err := refused(res); err != nil {
		return waitOf(res), err
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		quiet.Reset(silence)
		line := lines.Bytes()
		if len(line) == 0 {
			continue // the site is alive
		}
		var named struct{ ID string }
		if err := json.Unmarshal(line, &named); err != nil {
			return 0, err
		}
		if err := each(named.ID, line); err != nil {
			return 0, err
		}
	}
	return 0, lines.Err()
}
