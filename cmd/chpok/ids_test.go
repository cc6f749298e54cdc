package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// body is whatever an address answers; of a stream the first event.
func (w *twin) body(c *http.Client, path string) (status int, kind string, body []byte) {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base+path, nil)
	if err != nil {
		return 0, "", nil // no address
	}
	req.Header.Set("Accept-Language", "en")
	res, err := c.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	kind, _, _ = strings.Cut(res.Header.Get("Content-Type"), ";")
	if kind == "text/event-stream" {
		for part := make([]byte, 1<<20); !bytes.Contains(body, []byte("\n\n")); {
			n, err := res.Body.Read(part)
			if body = append(body, part[:n]...); err != nil {
				break
			}
		}
		return res.StatusCode, kind, body
	}
	if body, err = io.ReadAll(res.Body); err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, kind, body
}

var (
	inside   = regexp.MustCompile(`"(/[^"\s<>\\]*)"`) // an address in a page, in whatever attribute, or in JSON
	numbered = regexp.MustCompile(`\{(\w+)\}`)
)

// TestNothingThatIsReadNamesAccountsByTheirIds: accounts are named by their handles in every page, file, stream and
// answer to a program that a visitor, a player and the organizer find by going on from the first page.
func TestNothingThatIsReadNamesAccountsByTheirIds(t *testing.T) {
	t.Parallel()
	file, links := demoFile(t)
	w := newTwin(t, file)
	var ids []string
	rows, err := w.db.QueryContext(t.Context(), "SELECT id FROM players")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if len(ids) < 10 {
		t.Fatalf("%d accounts", len(ids))
	}
	kinds := map[string]int{}
	for _, who := range []string{"", "Taras", "Olena"} {
		jar, _ := cookiejar.New(nil)
		c := &http.Client{Jar: jar}
		if who != "" {
			w.get(c, links[who])
		}
		for path, a := range w.answers(c) {
			kinds[a.kind]++
			for _, id := range ids {
				if at := bytes.Index(a.body, []byte(id)); at >= 0 {
					t.Errorf("%q: %s names an account by its id: …%s…", who, path, a.body[max(0, at-80):min(len(a.body), at+40)])
				}
			}
		}
	}
	for kind, atLeast := range map[string]int{"text/html": 300, "application/json": 100, "text/event-stream": 30, "text/csv": 10,
		"application/zip": 5, "application/jsonl": 3, "application/x-ndjson": 3, "text/calendar": 3, "text/plain": 5} {
		if kinds[kind] < atLeast {
			t.Errorf("%d of %s were read", kinds[kind], kind)
		}
	}
}

// content is what stands at an address.
type content struct {
	kind string
	body []byte
}

// answers is what an account finds: at the addresses that stand on the pages it finds, two of each shape, and at those
// of the description for programs, filled in by them.
func (w *twin) answers(c *http.Client) map[string]content {
	w.t.Helper()
	found, shapes := map[string]content{}, map[string]int{}
	var queue []string
	add := func(to string) {
		to = html.UnescapeString(to)
		to, _, _ = strings.Cut(to, "#")
		shape := regexp.MustCompile(`=[^&]*`).ReplaceAllString(shapeOf(to), "=")
		if strings.HasPrefix(to, "/static/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, "/sign-out") || shapes[shape] >= 2 {
			return
		}
		if _, is := found[to]; !is && !slices.Contains(queue, to) {
			shapes[shape]++
			queue = append(queue, to)
		}
	}
	follow := func() {
		for ; len(queue) > 0; queue = queue[1:] {
			status, kind, body := w.body(c, queue[0])
			if status != http.StatusOK {
				continue
			}
			if kind == "application/zip" {
				body = unpacked(w.t, body)
			}
			found[queue[0]] = content{kind, body}
			for _, m := range inside.FindAllSubmatch(body, -1) {
				add(string(m[1]))
			}
		}
	}
	add("/")
	follow()
	var description struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	_, _, raw := w.body(c, "/api/v1/openapi.json")
	if err := json.Unmarshal(raw, &description); err != nil {
		w.t.Fatal(err)
	}
	known := map[string][]string{} // by the kind of a thing, such as "matches": what stands after it in addresses
	for path := range found {
		parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
		if len(parts) > 1 && !slices.Contains(known[parts[0]], parts[1]) {
			known[parts[0]] = append(known[parts[0]], parts[1])
		}
	}
	for path, does := range description.Paths {
		if does["get"] == nil || path == "/me/events" || path == "/tournaments/{id}/events" { // streams without an end, of whose lines web/events_test.go reads
			continue
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		for _, name := range append(known[first], "1") {
			at := path
			if m := numbered.FindStringIndex(path); m != nil && m[0] == len(first)+2 {
				at = path[:m[0]] + name + path[m[1]:] // the thing itself; of what is within it the first
			}
			if at = "/api/v1" + numbered.ReplaceAllString(at, "1"); found[at].kind == "" && !slices.Contains(queue, at) {
				queue = append(queue, at)
			}
		}
	}
	follow()
	return found
}

// unpacked is the content of all files of an archive.
func unpacked(t *testing.T, archive []byte) (all []byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, '\n'), content...)
	}
	return all
}
