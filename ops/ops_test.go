package ops_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/ops"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func TestANodeTellsItsOperatorHowItFares(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		runner, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(runner.Close)
		joined := false
		m := ops.New(s, runner, func() ops.Web { return ops.Web{Streams: 7, PagesMade: 2, PagesShared: 5} }, func() bool { return joined })
		m.Request("/matches/:id", http.MethodGet, http.StatusOK, false, 30*time.Millisecond)
		m.Request("/matches/:id/events", http.MethodGet, http.StatusOK, true, time.Hour)
		m.Job("mail", 2*time.Second, true)
		m.Job("mail", time.Second, false)
		for range 3 {
			if err := s.Read(t.Context(), func(*store.Tx) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		m.Lag(6 * time.Millisecond)
		m.Bus(3 * time.Millisecond)
		runner.Nudge("one", 1)
		_ = runner.Subscribe(t.Context(), "one", "two")
		server := httptest.NewServer(m.Handler())
		t.Cleanup(server.Close)
		scrape := func(path string) string {
			t.Helper()
			r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, server.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Fatalf("%s: %d, %v", path, answer.StatusCode, err)
			}
			return string(text)
		}
		text := scrape("/metrics")
		for _, line := range []string{
			`chpok_http_request_duration_seconds_bucket{method="GET",route="/matches/:id",status="200",le="0.025"} 0`,
			`chpok_http_request_duration_seconds_bucket{method="GET",route="/matches/:id",status="200",le="0.05"} 1`,
			`chpok_streams_ended_total{route="/matches/:id/events",status="200"} 1`,
			`chpok_job_duration_seconds_sum{job="mail"} 3`,
			`chpok_job_failures_total{job="mail"} 1`,
			`chpok_streams 7`, `chpok_pages_made_total 2`, `chpok_pages_shared_total 5`, `chpok_nudges_sent_total 1`,
			`chpok_nudges_heard_total 0`, `chpok_nudges_unsent_total 0`, `chpok_database_info{kind="` + s.Dialect() + `"} 1`,
			`chpok_stream_lag_seconds_bucket{le="0.004"} 0`, `chpok_stream_lag_seconds_bucket{le="0.008"} 1`,
			`chpok_bus_lag_seconds_bucket{le="0.002"} 0`, `chpok_bus_lag_seconds_bucket{le="0.004"} 1`, `chpok_subscriptions 2`, `chpok_bus_joined 0`, `chpok_database_failing 0`, `chpok_store_reads_total ` + strconv.FormatInt(s.Reads(), 10),
			`chpok_database_connections{pool="write",state="in use"} 0`,
		} {
			if !strings.Contains(text, "\n"+line+"\n") {
				t.Errorf("no line %s", line)
			}
		}
		if joined = true; !strings.Contains(scrape("/metrics"), "\nchpok_bus_joined 1\n") {
			t.Error("the bus is joined, and nobody is told")
		}
		if !strings.Contains(scrape("/debug/pprof/"), "goroutine") {
			t.Error("no profiles")
		}
	})
}

// Whoever renames a figure finds the dashboard and the rules here.
func TestDashboardAndRulesNameFiguresThatAre(t *testing.T) {
	t.Parallel()
	s := storetest.SQLite(t)
	runner, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(runner.Close)
	m := ops.New(s, runner, func() ops.Web { return ops.Web{} }, func() bool { return true })
	m.Request("/", http.MethodGet, http.StatusOK, false, 0)
	m.Request("/feed", http.MethodGet, http.StatusOK, true, 0)
	m.Job("mail", 0, true)
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	name := regexp.MustCompile(`\b(chpok|process)_\w+`)
	for _, file := range []string{"../docs/grafana.json", "../docs/alerts.yml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		named := name.FindAllString(string(text), -1)
		if len(named) < 5 {
			t.Errorf("%s names only %q", file, named)
		}
		for _, figure := range named {
			if !strings.Contains(w.Body.String(), "\n"+figure+"{") && !strings.Contains(w.Body.String(), "\n"+figure+" ") {
				t.Errorf("%s: there is no %s", file, figure)
			}
		}
	}
	dashed, err := os.ReadFile("../docs/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^(chpok_\w+?)(_bucket|_sum|_count)?[{ ]`).FindAllStringSubmatch(w.Body.String(), -1)
	if len(shown) < 20 {
		t.Errorf("%d figures are shown", len(shown))
	}
	for _, figure := range shown {
		if !strings.Contains(string(dashed), figure[1]) {
			t.Errorf("%s is on no panel of the dashboard", figure[1])
		}
	}
	var dashboard struct{ Panels []struct{ Title string } }
	text, err := os.ReadFile("../docs/grafana.json")
	if err != nil || json.Unmarshal(text, &dashboard) != nil || len(dashboard.Panels) < 10 {
		t.Errorf("the dashboard cannot be read: %v, %d panels", err, len(dashboard.Panels))
	}
}
