package store

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// scope names who makes spans.
const scope = "chpok.org/chpok"

// nobody is the span of those who are not traced.
var nobody = trace.SpanFromContext(context.Background())

// Span begins a span below that of a context; where none is recorded, nobody's.
func Span(ctx context.Context, name string) trace.Span {
	above := trace.SpanFromContext(ctx)
	if !above.IsRecording() {
		return nobody
	}
	_, span := above.TracerProvider().Tracer(scope).Start(ctx, name)
	return span
}

// groupSpan is that of a commit: it hangs on the first append that is traced, and names
// the others.
func groupSpan(group []*pending) trace.Span {
	var first trace.Span
	var others []trace.Link
	for _, p := range group {
		switch {
		case !p.span.IsRecording():
		case first == nil:
			first = p.span
		default:
			others = append(others, trace.Link{SpanContext: p.span.SpanContext()})
		}
	}
	if first == nil {
		return nobody
	}
	_, span := first.TracerProvider().Tracer(scope).Start(trace.ContextWithSpan(context.Background(), first), "commit group",
		trace.WithLinks(others...), trace.WithAttributes(attribute.Int("chpok.appends", len(group))))
	return span
}
