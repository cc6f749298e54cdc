package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
)

// asProgram tells a process of the test binary to be the program: nothing else has to be built and linked.
const asProgram = "BE_CHPOK"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		options.AnalysisEvery = time.Hour
		main()
	}
	os.Setenv(asProgram, "1")
	os.Setenv("CHPOK_ENGINE_SHARE", "20") // few here wait for bots
	code := m.Run()
	stopBrowsers()
	os.Exit(code)
}

func program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// node is a running server process.
type node struct {
	t    *testing.T
	base string // http://127.0.0.1:port
	cmd  *exec.Cmd
	log  *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startNode starts `chpok serve` on a port of the system's choice and waits
// until it says where it serves.
func startNode(t *testing.T, dsn string, extra ...string) *node {
	t.Helper()
	n, _ := startProgram(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--database-url", dsn}, extra...)...)
	return n
}

// startProgram starts a serving command and answers with what it printed at the
// start: up to the address and what follows it at once.
func startProgram(t *testing.T, args ...string) (*node, string) {
	t.Helper()
	cmd := exec.Command(program(t), args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	logs := &lockedBuffer{}
	cmd.Stderr = logs
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	n := &node{t: t, cmd: cmd, log: logs}
	t.Cleanup(func() {
		n.kill()
		if t.Failed() {
			t.Logf("log of the node on %s:\n%s", n.base, tail(logs.String(), 4000))
		}
	})
	printed := ""
	chunk := make([]byte, 4096)
	for !strings.Contains(printed, "Chpok serves on http://") || !strings.HasSuffix(printed, "\n") {
		k, err := stdout.Read(chunk)
		printed += string(chunk[:k])
		if err != nil {
			t.Fatalf("the server did not say where it serves: %v\n%s\n%s", err, printed, logs.String())
		}
	}
	_, url, _ := strings.Cut(printed, "Chpok serves on ")
	n.base = strings.Fields(url)[0]
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	return n, printed
}

// kill is kill -9: no handler runs.
func (n *node) kill() {
	if n.cmd.Process != nil {
		_ = n.cmd.Process.Kill()
		_ = n.cmd.Wait()
	}
}

func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return "…" + s[len(s)-n:]
}

// chpok runs a command of the program in this process and returns what it printed.
func chpok(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := app.Run(t.Context(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}); code != 0 {
		t.Fatalf("chpok %s: exit status %d\n%s%s", strings.Join(args, " "), code, out.String(), errs.String())
	}
	return strings.TrimSpace(out.String())
}

// client speaks the JSON API for one account.
type client struct {
	t     *testing.T
	base  string
	token string
	name  string
	n     int // commands sent, for their ids
}

// trio are an organizer and two players of the node at base.
func trio(t *testing.T, dsn, base string) []*client {
	t.Helper()
	list := []*client{newPlayer(t, dsn, "anna", "organizer"), newPlayer(t, dsn, "bohdan", "player"), newPlayer(t, dsn, "chayka", "player")}
	for _, c := range list {
		c.base = base
	}
	return list
}

// newPlayer adds an account and a token through the command line.
func newPlayer(t *testing.T, dsn, handle, role string) *client {
	t.Helper()
	chpok(t, "player", "add", handle, "--role", role, "--database-url", dsn)
	return &client{t: t, token: chpok(t, "token", "add", handle, "--database-url", dsn), name: handle}
}

// atBoard are two accounts at the board of their match: anna has bid a chip on White, bohdan one on an hour each.
func atBoard(t *testing.T, dsn, base, claims string) (white, black *client, id string) {
	t.Helper()
	white, black = newPlayer(t, dsn, "anna", "player"), newPlayer(t, dsn, "bohdan", "player")
	white.base, black.base = base, base
	var x struct{ ID, Match string }
	white.must("POST", "/challenges", map[string]any{"to": "bohdan", "claims": claims, "lateness": 0, "envelope": map[string]any{"chips": 1}}, &x)
	black.must("POST", "/challenges/"+x.ID+"/accept", nil, &x)
	white.sends(x.Match, map[string]any{"bid": map[string]any{"target": "white", "chips": 1}})
	black.sends(x.Match, map[string]any{"bid": map[string]any{"target": "time", "chips": 1, "minutes": 60, "increment": 0}})
	return white, black, x.Match
}

// sends brings a command to a match as it stands now.
func (c *client) sends(id string, command map[string]any) {
	c.t.Helper()
	if _, err := c.send(id, c.match(id).Seq, command); err != nil {
		c.t.Fatalf("%s: %v", c.name, err)
	}
}

type apiError struct {
	Status int
	Code   string
	Text   string
}

func (e *apiError) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Text) }

// answer is a response as it came.
type answer struct {
	request *http.Request
	status  int
	header  http.Header
	body    []byte
}

// rawCall sends one request; failing to reach the server ends the test.
func rawCall(t *testing.T, c *client, method, path string, in any) answer {
	t.Helper()
	a, err := c.exchange(method, path, in)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// exchange speaks the API, request any address of the site.
func (c *client) exchange(method, path string, in any) (answer, error) {
	return c.request(method, "/api/v1"+path, in)
}

func (c *client) request(method, path string, in any) (answer, error) {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return answer{}, err
		}
		body = bytes.NewReader(raw)
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Accept-Encoding", "identity") // nothing is packed to be unpacked here
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return answer{req, resp.StatusCode, resp.Header, raw}, err
}

// call sends one request and decodes the answer into out (nil: not looked at).
func (c *client) call(method, path string, in, out any) error {
	a, err := c.exchange(method, path, in)
	if err != nil {
		return err
	}
	if a.status >= 300 {
		var e struct {
			Code, Detail string
		}
		_ = json.Unmarshal(a.body, &e)
		return &apiError{a.status, e.Code, e.Detail + " " + tail(string(a.body), 300)}
	}
	if out == nil {
		return nil
	}
	return readBriefly(a.body, out)
}

// readBriefly decodes an answer of the API as inBrief shortens it.
func readBriefly(raw []byte, out any) error {
	var answer any
	if err := json.Unmarshal(raw, &answer); err != nil {
		return err
	}
	brief, err := json.Marshal(inBrief(answer))
	if err != nil {
		return err
	}
	return json.Unmarshal(brief, out)
}

// inBrief names players by their names alone, and gives tie-breaks by their codes.
func inBrief(v any) any {
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			v[i] = inBrief(x)
		}
	case map[string]any:
		name, isNamed := v["name"].(string)
		handle, isAccount := v["handle"].(string)
		_, isPlayer := v["bot"]
		if isPlayer && isNamed {
			if v["player"] = name; v["status"] == nil {
				return name
			}
		} else if isPlayer && isAccount && len(v) == 2 {
			return handle
		}
		for key, x := range v {
			v[key] = inBrief(x)
			if list, isList := x.([]any); key == "tiebreaks" && isList && v["rank"] != nil { // settings name them alone
				codes := map[string]any{}
				for _, of := range list {
					of := of.(map[string]any)
					codes[of["code"].(string)] = of["value"]
				}
				v[key] = codes
			}
		}
	}
	return v
}

func (c *client) must(method, path string, in, out any) {
	c.t.Helper()
	if err := c.call(method, path, in, out); err != nil {
		c.t.Fatalf("%s %s %s: %v", c.name, method, path, err)
	}
}

// matchView is what the tests read of GET /matches/{id}.
type matchView struct {
	ID     string  `json:"id"`
	Seq    int64   `json:"seq"`
	Status string  `json:"status"`
	First  string  `json:"first"`
	Second string  `json:"second"`
	You    *string `json:"you"`
	State  struct {
		Phase   string           `json:"phase"`
		Turn    *string          `json:"turn"`
		Chips   map[string]int   `json:"chips"`
		Stakes  map[string][]int `json:"stakes"`
		Pending []string         `json:"pending"`
		CFEN    string           `json:"cfen"`
		Legal   []string         `json:"legal"`
		Result  string           `json:"result"`
		Reason  string           `json:"reason"`
		Points  map[string]int   `json:"points"`
	} `json:"state"`
	Draws struct {
		Commitment string `json:"commitment"`
		Seed       string `json:"seed"`
	} `json:"draws"`
}

func (c *client) match(id string) matchView {
	c.t.Helper()
	var m matchView
	c.must("GET", "/matches/"+id, nil, &m)
	return m
}

// mine tells whether it is this client's turn.
func (m matchView) mine() bool {
	return m.Status == "live" && m.You != nil && m.State.Turn != nil && *m.State.Turn == *m.You
}

// send posts one command and returns the sequence number it was acknowledged with.
func (c *client) send(id string, seq int64, command map[string]any) (int64, error) {
	c.n++
	in := map[string]any{"id": fmt.Sprintf("%s-%d", c.name, c.n), "seq": seq}
	for k, v := range command {
		in[k] = v
	}
	var out struct{ Seq int64 }
	err := c.call("POST", "/matches/"+id+"/commands", in, &out)
	return out.Seq, err
}

// act makes one bid or move that the rules allow: bidding, it calls the first
// gap it can pay for and else puts one chip on White; on the board it takes a
// king if it can, else plays the pick-th legal action.
func (c *client) act(m matchView, pick int) (int64, error) {
	if m.State.Phase == "bidding" {
		return c.send(m.ID, m.Seq, map[string]any{"bid": c.bid(m)})
	}
	if len(m.State.Legal) == 0 {
		return 0, errors.New("no legal action")
	}
	choice := m.State.Legal[pick%len(m.State.Legal)]
	if taking := takesKing(m); taking != "" {
		choice = taking
	}
	return c.send(m.ID, m.Seq, map[string]any{"act": choice})
}

func (c *client) bid(m matchView) map[string]any {
	me := 0
	if *m.You == "B" {
		me = 1
	}
	chips := m.State.Chips[*m.You]
	for _, target := range []string{"white", "time", "homeRow", "features"} {
		stakes := m.State.Stakes[target]
		if gap := stakes[1-me] - stakes[me]; gap > 0 && gap <= chips {
			return map[string]any{"target": target, "chips": gap}
		}
	}
	return map[string]any{"target": "white", "chips": 1}
}

// takesKing is a legal action that ends on a square of the opponent's king, or "".
func takesKing(m matchView) string {
	fields := strings.Fields(m.State.CFEN)
	if len(fields) < 2 {
		return ""
	}
	king := byte('k')
	if fields[1] == "b" {
		king = 'K'
	}
	kings := map[string]bool{}
	for i, rank := range strings.Split(fields[0], "/") {
		file, digits := 0, ""
		for _, r := range []byte(rank) {
			if r >= '0' && r <= '9' {
				digits += string(r)
				continue
			}
			if digits != "" {
				var n int
				fmt.Sscan(digits, &n)
				file, digits = file+n, ""
			}
			if r == king {
				kings[fmt.Sprintf("%c%d", 'a'+file, 8-i)] = true
			}
			file++
		}
	}
	for _, a := range m.State.Legal {
		if len(a) >= 4 && a[0] >= 'a' && a[0] <= 'j' && kings[a[2:4]] {
			return a
		}
	}
	return ""
}

func jsonIndent(v any) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }
