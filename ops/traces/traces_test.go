package traces_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/ops/traces"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// span is what a collector reads of one.
type span struct {
	TraceID, SpanID, ParentSpanID, Name string
	Kind                                int
	StartTimeUnixNano, EndTimeUnixNano  string
	Attributes                          []struct {
		Key   string
		Value struct{ StringValue, IntValue string }
	}
	Status struct{ Code int }
}

// collector is one of our own: OTLP over HTTP, JSON.
func collector(t *testing.T) (url string, spans func() map[string]span) {
	t.Helper()
	var mu sync.Mutex
	came := map[string]span{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct {
			ResourceSpans []struct{ ScopeSpans []struct{ Spans []span } }
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/traces" ||
			r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %v", r.URL, r.Header, err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, resource := range body.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				for _, s := range scope.Spans {
					came[s.Name] = s
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() map[string]span {
		mu.Lock()
		defer mu.Unlock()
		return came
	}
}

// TestACollectorSeesWhatAMoveTook: the request, the reading of the log and the append below
// it, the commit below that, and the telling of others; and a job that failed.
func TestACollectorSeesWhatAMoveTook(t *testing.T) {
	t.Parallel()
	s := storetest.SQLite(t)
	storetest.Players(t, s, "anna", "borys")
	runner, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(runner.Close)
	var id match.ID
	if err := s.Write(t.Context(), func(tx *store.Tx) (err error) {
		id, err = runner.OpenTx(tx, live.Opening{Players: [2]player.ID{"anna", "borys"}, Options: match.DefaultOptions()})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	url, spans := collector(t)
	tracer := traces.New(url)
	r, ended := tracer.Request(httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/matches/1/commands", nil), "/matches/:id/commands")
	bid := match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}}
	if _, err := runner.Do(r.Context(), id, "anna", live.Request{Command: bid}); err != nil {
		t.Fatal(err)
	}
	ended(http.StatusOK)
	broken := errors.New("no mail server")
	if err := tracer.Job("mail", func(context.Context) error { return broken })(t.Context()); !errors.Is(err, broken) {
		t.Errorf("the job's error became %v", err)
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := spans()
	root := got["POST /matches/:id/commands"]
	if root.Kind != 2 || root.ParentSpanID != "" || root.StartTimeUnixNano >= root.EndTimeUnixNano { // 2: of a server
		t.Errorf("the request: %+v", root)
	}
	status := ""
	for _, a := range root.Attributes {
		if a.Key == "http.response.status_code" {
			status = a.Value.IntValue
		}
	}
	if status != "200" {
		t.Errorf("its status is %q", status)
	}
	for name, above := range map[string]string{"log": root.SpanID, "append": root.SpanID, "commit group": got["append"].SpanID, "bus": root.SpanID} {
		if x := got[name]; x.ParentSpanID != above || x.ParentSpanID == "" || x.TraceID != root.TraceID {
			t.Errorf("%s: %+v, want it below %s", name, x, above)
		}
	}
	if job := got["job mail"]; job.Status.Code != 2 || job.TraceID == root.TraceID { // 2: an error
		t.Errorf("the job: %+v", job)
	}
}

// TestNobodyTracedIsNothingMade: a site that is told of no collector runs its jobs as
// they are, and closes nothing.
func TestNobodyTracedIsNothingMade(t *testing.T) {
	t.Parallel()
	var none *traces.Traces
	asked := false
	if err := none.Job("mail", func(context.Context) error { asked = true; return nil })(t.Context()); err != nil || !asked {
		t.Errorf("%v, asked: %v", err, asked)
	}
	if err := none.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
