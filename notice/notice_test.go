package notice_test

import (
	"errors"
	"slices"
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
	if got := (notice.Preferences)(nil).Of(notice.Result); got != (notice.Channels{App: true, Telegram: true}) {
		t.Errorf("a result is told by %+v", got)
	}
}

// Every kind is one of three: it ends with its matter, at its own moment, or it tells what has happened and is read once.
func TestEveryKindEndsWithItsMatterOrTellsWhatHasHappened(t *testing.T) {
	t.Parallel()
	ends := map[notice.Kind]bool{}
	for m := notice.MatchMatter; m <= notice.AttestationMatter; m++ {
		if len(m.Kinds()) == 0 {
			t.Errorf("nothing ends with matter %d", m)
		}
		for _, k := range m.Kinds() {
			ends[k] = true
		}
	}
	atItsMoment := []notice.Kind{notice.LadderDecaySoon}
	happened := []notice.Kind{
		notice.Result, notice.ChallengeDeclined, notice.PassedOver, notice.Refused, notice.Removed, notice.Cancelled, notice.Corrected, notice.Answer, notice.Unplayed,
		notice.Announcement, notice.LadderEnded, notice.LeaguePlace, notice.LeagueTeam, notice.LeagueSanction, notice.LeagueAppeal, notice.ClubAccepted, notice.ClubRefused, notice.ReportAnswered, notice.AttestationGiven,
		notice.AttestationRevoked, notice.ReviewNews,
	}
	for _, k := range notice.Kinds() {
		ways := 0
		for _, is := range []bool{ends[k], slices.Contains(atItsMoment, k), slices.Contains(happened, k)} {
			if is {
				ways++
			}
		}
		if ways != 1 {
			t.Errorf("%s ends in %d ways", k.Name(), ways)
		}
	}
}
