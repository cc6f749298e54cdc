package page

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/a-h/templ"

	"chpok.org/chpok/live"
	"chpok.org/chpok/templates/lang"
)

func printed1(t testing.TB, mark string, pairs ...string) *rendering {
	t.Helper()
	g := Snapshot{ETag: mark}
	for i := 0; i < len(pairs); i += 2 {
		id, beside := strings.CutSuffix(pairs[i], "*")
		g.Fragments = append(g.Fragments, Fragment{ID: id, What: templ.Raw(pairs[i+1]), Apart: beside})
	}
	e, err := g.render(t.Context(), lang.Printer{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestABrowserIsSentWhatItHasNot: a browser that comes without a place gets
// everything, one that comes with it only what stands beside, later both only
// what reads otherwise.
func TestABrowserIsSentWhatItHasNot(t *testing.T) {
	t.Parallel()
	one := printed1(t, "1", "a", "[a1]", "b", "[b1]", "c*", "[c1]")
	two := printed1(t, "2", "a", "[a1]", "b", "[b2]", "c*", "[c1]")
	three := printed1(t, "3", "a", "[a3]", "b", "[b1]", "c*", "[c1]")
	for _, c := range []struct {
		last   string
		recent []*shown
		want   []string
	}{
		{"", nil, []string{"[a1][b1][c1]", "[b2]", "[a3][b1]", ""}},
		{"1", nil, []string{"[c1]", "[b2]", "[a3][b1]", ""}},
		{"2", []*shown{two.shown}, []string{"[b1][c1]", "[b2]", "[a3][b1]", ""}}, // it was away from 2 to 1
		{"9", []*shown{two.shown}, []string{"[a1][b1][c1]", "[b2]", "[a3][b1]", ""}},
	} {
		r := &subscriber{}
		for i, e := range []*rendering{one, two, three, three} {
			frames, err := r.read(e, c.last, c.recent)
			got := ""
			for _, f := range frames {
				got += f.Data
			}
			if err != nil || got != c.want[i] {
				t.Errorf("from %q, edition %d: %q, want %q", c.last, i+1, got, c.want[i])
			}
		}
	}
	if a, b := one.frame(diff{}), one.frame(diff{}); a != b || a.packed == nil {
		t.Error("what many miss is put together for each of them")
	}
}

// TestARoomIsKeptForAllAndGivenUpWithTheLast; a failure is told to all, and
// whoever comes then finds a new room.
func TestARoomIsKeptForAllAndGivenUpWithTheLast(t *testing.T) {
	t.Parallel()
	var rs rooms
	var kept atomic.Int64
	keep := func(r *room) {
		kept.Add(1)
		r.tell(printed1(t, "1", "a", "[a1]"), nil)
		<-r.ctx.Done()
	}
	one, two := &stream{}, &stream{}
	first, second := rs.enter("x", one, keep), rs.enter("x", two, keep)
	if first != second {
		t.Fatal("two rooms for one key")
	}
	if e, _, err := first.read(t.Context()); err != nil || e.shown.etag != "1" {
		t.Fatalf("%v, %v", e, err)
	}
	lost := errors.New("lost")
	first.tell(nil, lost)
	if one.woken.Load() == 0 || two.woken.Load() == 0 {
		t.Error("not all are woken")
	}
	if _, _, err := second.read(t.Context()); err != lost {
		t.Errorf("told %v", err)
	}
	rs.leave(first, one)
	if first.ctx.Err() != nil {
		t.Error("given up while somebody is there")
	}
	rs.leave(second, two)
	if first.ctx.Err() == nil || len(rs.open) != 0 || kept.Load() != 1 {
		t.Errorf("%d rooms, kept %d times", len(rs.open), kept.Load())
	}
}

// TestAPageThatPanicsIsItsRoomsOwn.
func TestAPageThatPanicsIsItsRoomsOwn(t *testing.T) {
	t.Parallel()
	f := newFeed(t)
	r := &room{ctx: t.Context()}
	_, err := f.server.next(r, lang.Printer{}, LivePage{Look: func(context.Context, []live.Nudge) (Snapshot, error) { panic("no") }}, nil)
	if err != ErrPanic {
		t.Errorf("%v", err)
	}
}
