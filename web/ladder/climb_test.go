package ladder

import (
	"testing"
	"time"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/ladder"
)

// From 14 as the challenger, from 12 as the one challenged, now 9: of the 66 units
// of height five places take all, three of them 39.
func TestAClimbIsDrawnByThePlacesBeforeEveryChallenge(t *testing.T) {
	t.Parallel()
	p := lang.Printer{Lang: lang.English, Zone: time.UTC}
	played := []ladder.Challenge{
		{Challenger: "me", Defender: "ana", Places: [2]int{14, 12}}, {Challenger: "bob", Defender: "me", Places: [2]int{13, 12}},
	}
	got := ladderClimb(p, played, "me", 9)
	if got == nil || got.Text != "14 → 9" || got.Path != "M6 74H148V47H290V8" || got.EndX != "290" || got.EndY != "8" {
		t.Errorf("%+v", got)
	}
	if short := ladderClimb(p, played[:1], "me", 9); short != nil {
		t.Errorf("of two places nothing is drawn: %+v", short)
	}
}
