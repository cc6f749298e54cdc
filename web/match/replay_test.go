package match

import (
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/scene"
)

func TestAReplayLeadsAnywhereButToItself(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	event := matchview.LinkView{Text: "Cup", URL: "/tournaments/cup"}
	all := styledMatches()
	lost := all[slices.IndexFunc(all, func(m styledMatch) bool { return m.name == "lost" })]
	for name, acts := range map[string][]styledAct{"played": lost.acts, "void before a bid": {{command: ""}}} {
		state := styledMatch{acts: acts}.state(now)
		frame := scene.MatchFrame{ID: "m", Next: []matchview.LinkView{event}}
		v := viewReplay(lang.Printer{Lang: lang.English, Zone: time.UTC}, frame, state, match.Seat(0), now, "", "")
		if v.Match.Result == nil || !slices.Equal(v.Match.Result.Next, []matchview.LinkView{event}) {
			t.Errorf("%s: %+v", name, v.Match.Result)
		}
	}
}
