// Package ops serves operators the metrics of a node in the format of Prometheus, and
// profiles of the running program, on an address of its own.
package ops

import (
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

// Metrics holds the metrics of one node.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	ended    *prometheus.CounterVec
	jobs     *prometheus.HistogramVec
	failed   *prometheus.CounterVec
	lag      prometheus.Histogram
	bus      prometheus.Histogram
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
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "chpok_http_request_duration_seconds",
			Help: "Time of answers by route, method and status; event streams apart.", Buckets: answers}, []string{"route", "method", "status"}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "chpok_streams_ended_total",
			Help: "Event streams that have ended, by route and status."}, []string{"route", "status"}),
		jobs: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "chpok_job_duration_seconds",
			Help: "Time of background jobs.", Buckets: answers}, []string{"job"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "chpok_job_failures_total",
			Help: "Background jobs that have failed; each is tried again at its next turn."}, []string{"job"}),
	}
	m.lag = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "chpok_stream_lag_seconds",
		Help: "From news on this node, the commit of an act there or its wake-up from another, to the line of each who watches.", Buckets: lags})
	m.bus = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "chpok_bus_lag_seconds",
		Help: "From the commit of an act on another node until this one hears of it, by the clocks of both.", Buckets: lags})
	m.registry.MustRegister(m.requests, m.ended, m.jobs, m.failed, m.lag, m.bus, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewBuildInfoCollector(),
		&node{store: s, live: l, site: site, joined: joined})
	return m
}

// Request records a response. route is a pattern of the site map, or "".
func (m *Metrics) Request(route, method string, status int, stream bool, took time.Duration) {
	if stream {
		m.ended.WithLabelValues(route, strconv.Itoa(status)).Inc()
		return
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Observe(took.Seconds())
}

// Lag records the delay of news sent to one viewer.
func (m *Metrics) Lag(took time.Duration) { m.lag.Observe(took.Seconds()) }

// Bus records the delay of a wake-up from another node.
func (m *Metrics) Bus(took time.Duration) { m.bus.Observe(took.Seconds()) }

// Job records one run of a background job.
func (m *Metrics) Job(name string, took time.Duration, failed bool) {
	m.jobs.WithLabelValues(name).Observe(took.Seconds())
	if failed {
		m.failed.WithLabelValues(name).Inc()
	}
}

// Handler serves /metrics and /debug/pprof/ without authentication: its address must be
// reachable from the operator's network only.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// node is a collector of what the parts of the program count themselves.
type node struct {
	store  *store.Store
	live   *live.Runner
	site   func() Web
	joined func() bool
}

// figure is one metric of a node.
type figure struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
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

func counter(name, help string, value func(*reading) float64) figure {
	return figure{desc: prometheus.NewDesc(name, help, nil, nil), kind: prometheus.CounterValue, value: value}
}

func gauge(name, help string, value func(*reading) float64) figure {
	return figure{desc: prometheus.NewDesc(name, help, nil, nil), kind: prometheus.GaugeValue, value: value}
}

var (
	connections = prometheus.NewDesc("chpok_database_connections", "Open connections to the database.", []string{"pool", "state"}, nil)
	database    = prometheus.NewDesc("chpok_database_info", "1, with the kind of the database.", []string{"kind"}, nil)
	waited      = prometheus.NewDesc("chpok_database_waits_total", "How often a connection was waited for.", []string{"pool"}, nil)
	waitedFor   = prometheus.NewDesc("chpok_database_wait_seconds_total", "How long connections were waited for.", []string{"pool"}, nil)
)

var figures = []figure{
	counter("chpok_store_reads_total", "Transactions that only read.", func(r *reading) float64 { return float64(r.store.Reads) }),
	counter("chpok_store_writes_total", "Transactions that write, groups of appends among them.",
		func(r *reading) float64 { return float64(r.store.Writes) }),
	counter("chpok_appends_total", "Acts put into the logs of matches.", func(r *reading) float64 { return float64(r.store.Appends) }),
	counter("chpok_append_groups_total", "Transactions in which appends were committed together.",
		func(r *reading) float64 { return float64(r.store.Groups) }),
	counter("chpok_append_seconds_total", "Time from an append's asking to its answer, summed.",
		func(r *reading) float64 { return r.store.Appending.Seconds() }),
	counter("chpok_commands_total", "Commands that came to a match.", func(r *reading) float64 { return float64(r.live.Commands) }),
	counter("chpok_commands_refused_total", "Commands that the rules, or the state of the match, refused.",
		func(r *reading) float64 { return float64(r.live.Refused) }),
	counter("chpok_flags_fallen_total", "Flags that this node has let fall.", func(r *reading) float64 { return float64(r.live.Flags) }),
	counter("chpok_states_found_total", "States of matches found in memory.", func(r *reading) float64 { return float64(r.live.Found) }),
	counter("chpok_states_loaded_total", "States of matches made from their whole logs.",
		func(r *reading) float64 { return float64(r.live.Loaded) }),
	counter("chpok_pages_made_total", "Pages made that visitors share.", func(r *reading) float64 { return float64(r.site.PagesMade) }),
	counter("chpok_pages_shared_total", "Answers to visitors with a page made for another.",
		func(r *reading) float64 { return float64(r.site.PagesShared) }),
	counter("chpok_nudges_sent_total", "Wake-ups handed to the bus.", func(r *reading) float64 { return float64(r.live.Sent) }),
	counter("chpok_nudges_unsent_total", "Wake-ups that the bus did not take: others look two seconds later.",
		func(r *reading) float64 { return float64(r.live.Unsent) }),
	counter("chpok_nudges_heard_total", "Wake-ups that came by the bus, this node's own among them.",
		func(r *reading) float64 { return float64(r.live.Heard) }),
	gauge("chpok_states", "States of matches in memory.", func(r *reading) float64 { return float64(r.live.States) }),
	gauge("chpok_streams", "Event streams that are open.", func(r *reading) float64 { return float64(r.site.Streams) }),
	gauge("chpok_topics", "Topics that are listened to.", func(r *reading) float64 { return float64(r.topics) }),
	gauge("chpok_subscriptions", "Listeners to topics.", func(r *reading) float64 { return float64(r.subscriptions) }),
	gauge("chpok_bus_joined", "1 while the other nodes are heard; 1 on a site of one node.",
		func(r *reading) float64 { return flag(r.joined) }),
	gauge("chpok_database_failing", "1 while the database fails, or the clock is being set.",
		func(r *reading) float64 { return flag(r.live.Failing) }),
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// Describe implements prometheus.Collector.
func (n *node) Describe(descs chan<- *prometheus.Desc) {
	for _, f := range figures {
		descs <- f.desc
	}
	descs <- connections
	descs <- database
	descs <- waited
	descs <- waitedFor
}

// Collect implements prometheus.Collector. It reads the node once for all metrics.
func (n *node) Collect(out chan<- prometheus.Metric) {
	r := reading{store: n.store.Stats(), live: n.live.Stats(), site: n.site(), joined: n.joined()}
	r.topics, r.subscriptions = n.live.Watched()
	for _, f := range figures {
		out <- prometheus.MustNewConstMetric(f.desc, f.kind, f.value(&r))
	}
	out <- prometheus.MustNewConstMetric(database, prometheus.GaugeValue, 1, n.store.Dialect())
	for name, pool := range r.store.Pools {
		out <- prometheus.MustNewConstMetric(connections, prometheus.GaugeValue, float64(pool.InUse), name, "in use")
		out <- prometheus.MustNewConstMetric(connections, prometheus.GaugeValue, float64(pool.Idle), name, "idle")
		out <- prometheus.MustNewConstMetric(waited, prometheus.CounterValue, float64(pool.WaitCount), name)
		out <- prometheus.MustNewConstMetric(waitedFor, prometheus.CounterValue, pool.WaitDuration.Seconds(), name)
	}
}
