package store

import (
	"context"
	"testing"
)

// TestNothingIsMadeWhereNobodyTraces: an append and its commit, of which traces would tell.
func TestNothingIsMadeWhereNobodyTraces(t *testing.T) {
	ctx, group := untraced()
	if made := testing.AllocsPerRun(100, func() { traced(ctx, group) }); made != 0 {
		t.Errorf("%v things are made for each append", made)
	}
}

// BenchmarkUntraced is what the calls cost that would make spans, of a group of 64 appends.
func BenchmarkUntraced(b *testing.B) {
	ctx, group := untraced()
	b.ReportAllocs()
	for b.Loop() {
		traced(ctx, group)
	}
}

func untraced() (context.Context, []*pending) {
	group := make([]*pending, 64)
	for i := range group {
		group[i] = &pending{span: nobody}
	}
	return context.Background(), group
}

func traced(ctx context.Context, group []*pending) {
	for range group {
		Span(ctx, "append").End()
	}
	groupSpan(group).End()
}
