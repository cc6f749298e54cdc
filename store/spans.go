package store

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// scope names the maker of spans.
const scope = "chpok.org/chpok"

// nobody is the span of what is not traced.
var nobody = trace.SpanFromContext(context.Background())

// Span begins a span below that of a context; it is nobody's where none is recorded.
func Span(ctx context.Context, name string) trace.Span {
	above := trace.SpanFromContext(ctx)
	if !above.IsRecording() {
		return nobody
	}
	_, span := above.TracerProvider().Tracer(scope).Start(ctx, name)
	return span
}

// groupSpan is the span of a commit, below the first traced append and linked to the
// others.
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
