// Package ops serves operators the metrics of a node in the format of Prometheus, and
// profiles of the running program, on an address of its own.
package ops

import (
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

// Metrics holds the metrics of one node.
type Metrics struct {
	set      *metrics.Set
	lag, bus *metrics.PrometheusHistogram
	node     node
}

// Web is what the site counts itself.
type Web struct {
	Streams                int   // open
	PagesMade, PagesShared int64 // rendered for visitors, and served again
}

// answers are the histogram bounds for requests and jobs, in seconds.
var answers = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

// lags are the histogram bounds for the delay of news to viewers, in seconds.
var lags = []float64{0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1, 2, 4, 8}

// New returns the metrics of a node. site returns what its pages count, joined whether it
// hears the other nodes.
func New(s *store.Store, l *live.Runner, site func() Web, joined func() bool) *Metrics {
	set := metrics.NewSet()
	return &Metrics{
		set: set,
		// From news on this node, the commit of an act there or its wake-up from another, to the line of each who watches.
		lag: set.NewPrometheusHistogramExt("chpok_stream_lag_seconds", lags),
		// From the commit of an act on another node until this one hears of it, by the clocks of both.
		bus:  set.NewPrometheusHistogramExt("chpok_bus_lag_seconds", lags),
		node: node{store: s, live: l, site: site, joined: joined},
	}
}

// Request records a response: the time of answers by route, method and status; event
// streams are counted apart, when they end. route is a pattern of the site map, or "".
func (m *Metrics) Request(route, method string, status int, stream bool, took time.Duration) {
	if stream {
		m.set.GetOrCreateCounter(fmt.Sprintf("chpok_streams_ended_total{route=%q,status=\"%d\"}", route, status)).Inc()
		return
	}
	m.set.GetOrCreatePrometheusHistogramExt(
		fmt.Sprintf("chpok_http_request_duration_seconds{method=%q,route=%q,status=\"%d\"}", method, route, status), answers).Update(took.Seconds())
}

// Lag records the delay of news sent to one viewer.
func (m *Metrics) Lag(took time.Duration) { m.lag.Update(took.Seconds()) }

// Bus records the delay of a wake-up from another node.
func (m *Metrics) Bus(took time.Duration) { m.bus.Update(took.Seconds()) }

// Job records one run of a background job. One that failed is tried again at its next turn.
func (m *Metrics) Job(name string, took time.Duration, failed bool) {
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("chpok_job_duration_seconds{job=%q}", name), answers).Update(took.Seconds())
	if failed {
		m.set.GetOrCreateCounter(fmt.Sprintf("chpok_job_failures_total{job=%q}", name)).Inc()
	}
}

// Handler serves /metrics and /debug/pprof/ without authentication: its address must be
// reachable from the operator's network only.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.set.WritePrometheus(w)
		m.node.write(w)
		metrics.WriteProcessMetrics(w)
	})
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// node is what the parts of the program count themselves.
type node struct {
	store  *store.Store
	live   *live.Runner
	site   func() Web
	joined func() bool
}

// figure is one metric of a node. What it tells stands in docs/operations.md.
type figure struct {
	name  string
	write func(w io.Writer, name string, value float64)
	value func(*reading) float64
}

// reading is the state of a node at one moment.
type reading struct {
	store                 store.Stats
	live                  live.Stats
	site                  Web
	joined                bool
	topics, subscriptions int
}

func counter(name string, value func(*reading) float64) figure {
	return figure{name, metrics.WriteCounterFloat64, value}
}

func gauge(name string, value func(*reading) float64) figure {
	return figure{name, metrics.WriteGaugeFloat64, value}
}

var figures = []figure{
	counter("chpok_store_reads_total", func(r *reading) float64 { return float64(r.store.Reads) }),
	counter("chpok_store_writes_total", func(r *reading) float64 { return float64(r.store.Writes) }),
	counter("chpok_appends_total", func(r *reading) float64 { return float64(r.store.Appends) }),
	counter("chpok_append_groups_total", func(r *reading) float64 { return float64(r.store.Groups) }),
	counter("chpok_append_seconds_total", func(r *reading) float64 { return r.store.Appending.Seconds() }),
	counter("chpok_commands_total", func(r *reading) float64 { return float64(r.live.Commands) }),
	counter("chpok_commands_refused_total", func(r *reading) float64 { return float64(r.live.Refused) }),
	counter("chpok_flags_fallen_total", func(r *reading) float64 { return float64(r.live.Flags) }),
	counter("chpok_states_found_total", func(r *reading) float64 { return float64(r.live.Found) }),
	counter("chpok_states_loaded_total", func(r *reading) float64 { return float64(r.live.Loaded) }),
	counter("chpok_pages_made_total", func(r *reading) float64 { return float64(r.site.PagesMade) }),
	counter("chpok_pages_shared_total", func(r *reading) float64 { return float64(r.site.PagesShared) }),
	counter("chpok_nudges_sent_total", func(r *reading) float64 { return float64(r.live.Sent) }),
	counter("chpok_nudges_unsent_total", func(r *reading) float64 { return float64(r.live.Unsent) }),
	counter("chpok_nudges_heard_total", func(r *reading) float64 { return float64(r.live.Heard) }),
	gauge("chpok_states", func(r *reading) float64 { return float64(r.live.States) }),
	gauge("chpok_streams", func(r *reading) float64 { return float64(r.site.Streams) }),
	gauge("chpok_topics", func(r *reading) float64 { return float64(r.topics) }),
	gauge("chpok_subscriptions", func(r *reading) float64 { return float64(r.subscriptions) }),
	gauge("chpok_bus_joined", func(r *reading) float64 { return flag(r.joined) }),
	gauge("chpok_database_failing", func(r *reading) float64 { return flag(r.live.Failing) }),
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// write writes the metrics; it reads the node once for all.
func (n *node) write(w io.Writer) {
	r := reading{store: n.store.Stats(), live: n.live.Stats(), site: n.site(), joined: n.joined()}
	r.topics, r.subscriptions = n.live.Watched()
	for _, f := range figures {
		f.write(w, f.name, f.value(&r))
	}
	metrics.WriteGaugeFloat64(w, fmt.Sprintf("chpok_database_info{kind=%q}", n.store.Dialect()), 1)
	for name, pool := range r.store.Pools {
		metrics.WriteGaugeFloat64(w, fmt.Sprintf("chpok_database_connections{pool=%q,state=\"in use\"}", name), float64(pool.InUse))
		metrics.WriteGaugeFloat64(w, fmt.Sprintf("chpok_database_connections{pool=%q,state=\"idle\"}", name), float64(pool.Idle))
		metrics.WriteCounterFloat64(w, fmt.Sprintf("chpok_database_waits_total{pool=%q}", name), float64(pool.WaitCount))
		metrics.WriteCounterFloat64(w, fmt.Sprintf("chpok_database_wait_seconds_total{pool=%q}", name), pool.WaitDuration.Seconds())
	}
}
