package notice_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/notice"
)

func good() notice.Notice {
	return notice.Notice{
		To: "olena", Kind: notice.RoundPaired, Key: "cup/3", URL: "/tournaments/cup",
		Args: map[string]string{"Tournament": "Cup", "Round": "3", "Opponent": "taras"},
	}
}

func TestEveryKindHasAWordOfItsOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range notice.Kinds() {
		name := k.Name()
		if name == "" || seen[name] || k.Group().Name() == "" || !k.Defaults().App {
			t.Errorf("kind %d: %q, group %q, defaults %+v", k, name, k.Group().Name(), k.Defaults())
		}
		seen[name] = true
		if back, ok := notice.Parse(name); !ok || back != k {
			t.Errorf("%s is read as %d", name, back)
		}
	}
	if _, ok := notice.Parse("no-such"); ok {
		t.Error("any word is a kind")
	}
	if _, ok := notice.Parse(""); ok {
		t.Error("no word is a kind")
	}
}

func TestIncompleteNoticesAreRefused(t *testing.T) {
	t.Parallel()
	if err := good().Check(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		spoil func(*notice.Notice)
	}{
		{"no kind", func(n *notice.Notice) { n.Kind = 0 }},
		{"unknown kind", func(n *notice.Notice) { n.Kind = 250 }},
		{"to nobody", func(n *notice.Notice) { n.To = "" }},
		{"no key", func(n *notice.Notice) { n.Key = "" }},
		{"leads nowhere", func(n *notice.Notice) { n.URL = "" }},
		{"leads off the site", func(n *notice.Notice) { n.URL = "//elsewhere.example" }},
		{"leads off the site by scheme", func(n *notice.Notice) { n.URL = "https://elsewhere.example" }},
		{"lacks what its text says", func(n *notice.Notice) { delete(n.Args, "Opponent") }},
		{"says too much", func(n *notice.Notice) { n.Args["Opponent"] = strings.Repeat("є", 501) }},
	}
	for _, test := range tests {
		n := good()
		test.spoil(&n)
		if err := n.Check(); !errors.Is(err, notice.ErrBad) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestANoticeIsOfUseBeforeItsEndOnly(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)
	n := good()
	if !n.IsTimely(begin.Add(1000 * time.Hour)) {
		t.Error("without an end it ends")
	}
	n.Until = begin
	if !n.IsTimely(begin.Add(-time.Millisecond)) || n.IsTimely(begin) {
		t.Error("useful after the thing has begun")
	}
}

func TestPreferencesOverrideDefaults(t *testing.T) {
	t.Parallel()
	p := notice.Preferences{notice.Turn: {App: true}}
	if got := p.Of(notice.Turn); got.Mail || !got.App {
		t.Errorf("%+v", got)
	}
	if got := p.Of(notice.RoundSoon); got != notice.RoundSoon.Defaults() {
		t.Errorf("%+v", got)
	}
	if got := (notice.Preferences)(nil).Of(notice.MatchOpened); got.Mail || !got.App {
		t.Errorf("%+v", got)
	}
}
