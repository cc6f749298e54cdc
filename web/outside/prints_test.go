package outside

import (
	"errors"
	"testing"

	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/picture"
)

// TestAnimationsKeepNobodyFromAPicture: however many wait to be drawn, the picture beside a link is drawn meanwhile.
func TestAnimationsKeepNobodyFromAPicture(t *testing.T) {
	t.Parallel()
	ps := newPrints(func() string { return "" })
	free := func() error { return nil }
	hold, ends := make(chan struct{}), make(chan error)
	slow := func() ([]byte, error) { <-hold; return []byte("gif"), nil }
	for i := range animationsWaiting {
		o := order{tag: string(rune('a' + i)), queue: &ps.animations, admit: free, draw: slow}
		p, isNew, err := ps.take(o)
		if err != nil || !isNew {
			t.Fatalf("animation %d: %v, %v", i, isNew, err)
		}
		go func() {
			_, err := ps.draw(t.Context(), o, p)
			ends <- err
		}()
	}
	if _, err := ps.get(t.Context(), order{tag: "one more", queue: &ps.animations, admit: free, draw: slow}); !errors.Is(err, page.ErrBusy) {
		t.Errorf("one animation too many: %v", err)
	}
	quick := func() ([]byte, error) { return []byte("png"), nil }
	if raw, err := ps.get(t.Context(), order{tag: "card", queue: &ps.pictures, admit: free, draw: quick}); err != nil || string(raw) != "png" {
		t.Errorf("the picture waits for animations: %q, %v", raw, err)
	}
	close(hold)
	for range animationsWaiting {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	if _, err := ps.get(t.Context(), order{tag: "one more", queue: &ps.animations, admit: free, draw: slow}); err != nil {
		t.Errorf("there is room again: %v", err)
	}
}

func TestATagIsOfOnePictureOfOneBuildOnly(t *testing.T) {
	t.Parallel()
	ps := newPrints(thisBuild)
	one := ps.tagOf("image/png", picture.Poster{Title: "Spring", Lines: []string{"round 1 of 3"}})
	if newPrints(thisBuild).tagOf("image/png", picture.Poster{Title: "Spring", Lines: []string{"round 1 of 3"}}) != one {
		t.Error("one picture has two tags")
	}
	if ps.tagOf("image/png", picture.Poster{Title: "Spring", Lines: []string{"round 1", "of 3"}}) == one {
		t.Error("two pictures have one tag")
	}
	if newPrints(func() string { return "the next" }).tagOf("image/png", picture.Poster{Title: "Spring", Lines: []string{"round 1 of 3"}}) == one {
		t.Error("what the next version draws differently passes for this picture")
	}
}
