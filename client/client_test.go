package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/client"
)

// site answers as the steps say, one after another, and keeps what it was asked.
func site(t *testing.T, steps ...func(http.ResponseWriter)) (*client.Client, *[]*http.Request) {
	t.Helper()
	var asked []*http.Request
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := len(asked)
		asked = append(asked, r)
		if n >= len(steps) {
			t.Errorf("asked once more: %s %s", r.Method, r.URL)
			return
		}
		steps[n](w)
	}))
	t.Cleanup(s.Close)
	return &client.Client{Site: s.URL + "/", Token: "secret"}, &asked
}

func says(status int, text string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

func breaks(text string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, text)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func TestWhatGotNoAnswerIsAskedAgainWithTheSameKey(t *testing.T) {
	t.Parallel()
	c, asked := site(t, breaks(""), says(503, `{"code":"busy"}`), says(201, `{"id":"c1"}`))
	var out struct{ ID string }
	if err := c.Do(t.Context(), "POST", "/challenges", map[string]string{"to": "anna"}, &out); err != nil || out.ID != "c1" {
		t.Fatalf("%+v, %v", out, err)
	}
	keys := map[string]bool{}
	for _, r := range *asked {
		keys[r.Header.Get("Idempotency-Key")] = true
		if r.URL.Path != "/api/v1/challenges" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
	}
	if len(*asked) != 3 || len(keys) != 1 || keys[""] {
		t.Errorf("%d times, with %v", len(*asked), keys)
	}
}

func TestARefusalIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	c, _ := site(t, says(409, `{"code":"stale","detail":"the match has moved on"}`))
	var p *client.Problem
	if err := c.Do(t.Context(), "POST", "/matches/m/commands", nil, nil); !errors.As(err, &p) || p.Code != "stale" || p.Status != 409 {
		t.Fatal(err)
	}
}

func TestAStreamGoesOnAfterItsLastEvent(t *testing.T) {
	t.Parallel()
	c, asked := site(t, breaks("{\"id\":\"1\"}\n\n{\"id\":\"2\"}\n"), says(200, "{\"id\":\"3\"}\n"), says(200, "{\"id\":\"4\"}\n"))
	end, seen := errors.New("enough"), []string{}
	err := c.Follow(t.Context(), "/me/events", "", func(id string, line []byte) error {
		if seen = append(seen, id); !strings.Contains(string(line), fmt.Sprintf("%q", id)) {
			t.Errorf("%s: %s", id, line)
		}
		if id == "4" {
			return end
		}
		return nil
	})
	if !errors.Is(err, end) || !slices.Equal(seen, []string{"1", "2", "3", "4"}) {
		t.Errorf("%v, %v", seen, err)
	}
	var since []string
	for _, r := range *asked {
		since = append(since, r.URL.Query().Get("since"))
	}
	if !slices.Equal(since, []string{"", "2", "3"}) {
		t.Errorf("resumed after %q", since)
	}
}

func TestNothingIsAskedAgainOnceItIsOver(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c, _ := site(t, says(503, ""))
	c.Cut = func(error) { cancel() }
	if err := c.Do(ctx, "GET", "/me", nil, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
