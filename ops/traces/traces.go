// Package traces sends OpenTelemetry traces of requests and jobs to a collector. Whatever
// happens below (an append, the commit that it shares, notifying others) starts child
// spans from the context, so that nothing is created without tracing. Spans go out as
// JSON over HTTP, because the official exporters bring gRPC with them.
package traces

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Traces creates spans; nil creates none.
type Traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// New returns traces that go to the collector's OTLP/HTTP address. The standard
// OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG select the requests; the default is
// all.
func New(collector string) *Traces {
	to := &exporter{url: strings.TrimSuffix(collector, "/") + "/v1/traces", client: &http.Client{Timeout: 10 * time.Second}}
	p := sdk.NewTracerProvider(sdk.WithBatcher(to), sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "chpok"))))
	return &Traces{provider: p, tracer: p.Tracer("chpok.org/chpok")}
}

// Close sends the remaining spans.
func (t *Traces) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Request starts the span of a request; route is a pattern of the site map.
func (t *Traces) Request(r *http.Request, route string) (*http.Request, func(status int)) {
	ctx, span := t.tracer.Start(r.Context(), r.Method+" "+route, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.route", route), attribute.String("http.request.method", r.Method)))
	return r.WithContext(ctx), func(status int) {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		span.End()
	}
}

// Job wraps a job in a span for each run.
func (t *Traces) Job(name string, do func(context.Context) error) func(context.Context) error {
	if t == nil {
		return do
	}
	return func(ctx context.Context) error {
		ctx, span := t.tracer.Start(ctx, "job "+name)
		defer span.End()
		err := do(ctx)
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
		}
		return err
	}
}

// exporter sends OTLP as JSON in a POST (opentelemetry.io/docs/specs/otlp, "OTLP/HTTP").
type exporter struct {
	url    string
	client *http.Client
}

type (
	jsonValue struct {
		String *string `json:"stringValue,omitempty"`
		Int    *string `json:"intValue,omitempty"`
	}
	jsonAttribute struct {
		Key   string    `json:"key"`
		Value jsonValue `json:"value"`
	}
	jsonLink struct {
		TraceID string `json:"traceId"`
		SpanID  string `json:"spanId"`
	}
	jsonStatus struct {
		Code    int    `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
	jsonSpan struct {
		jsonLink
		ParentSpanID string          `json:"parentSpanId,omitempty"`
		Name         string          `json:"name"`
		Kind         int             `json:"kind"`
		Start        string          `json:"startTimeUnixNano"`
		End          string          `json:"endTimeUnixNano"`
		Attributes   []jsonAttribute `json:"attributes,omitempty"`
		Links        []jsonLink      `json:"links,omitempty"`
		Status       jsonStatus      `json:"status"`
	}
)

// ExportSpans implements sdk.SpanExporter. Rejected spans are lost; the SDK logs the
// error.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	list := make([]jsonSpan, len(spans))
	for i, s := range spans {
		list[i] = spanOf(s)
	}
	body, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{
		"resource":   map[string]any{"attributes": attributesOf(spans[0].Resource().Attributes())},
		"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": spans[0].InstrumentationScope().Name}, "spans": list}},
	}}})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := e.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // lets the connection be reused
	if answer.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("traces: %s answers %s", e.url, answer.Status)
	}
	return nil
}

// Shutdown implements sdk.SpanExporter.
func (e *exporter) Shutdown(context.Context) error { return nil }

func linkOf(c trace.SpanContext) jsonLink {
	return jsonLink{c.TraceID().String(), c.SpanID().String()}
}

func spanOf(s sdk.ReadOnlySpan) jsonSpan {
	nanos := func(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }
	out := jsonSpan{
		jsonLink: linkOf(s.SpanContext()), Name: s.Name(), Kind: int(s.SpanKind()), Start: nanos(s.StartTime()), End: nanos(s.EndTime()),
		Attributes: attributesOf(s.Attributes()),
	}
	if s.Parent().HasSpanID() {
		out.ParentSpanID = s.Parent().SpanID().String()
	}
	for _, l := range s.Links() {
		out.Links = append(out.Links, linkOf(l.SpanContext))
	}
	if s.Status().Code == codes.Error {
		out.Status = jsonStatus{2, s.Status().Description} // STATUS_CODE_ERROR; the library's codes.Error is 1
	}
	return out
}

func attributesOf(list []attribute.KeyValue) []jsonAttribute {
	out := make([]jsonAttribute, len(list))
	for i, a := range list {
		text := a.Value.String()
		out[i] = jsonAttribute{string(a.Key), jsonValue{String: &text}}
		if a.Value.Type() == attribute.INT64 {
			out[i].Value = jsonValue{Int: &text}
		}
	}
	return out
}
