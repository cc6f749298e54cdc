package event_test

import (
	"regexp"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/web/event"
)

// What an event waits for is read by the public as well, who decide nothing.
func TestWhatAnEventWaitsForTellsNobodyToDecide(t *testing.T) {
	t.Parallel()
	told := regexp.MustCompile(`(?i)\b(you|yours?)\b|: enter |(^|[ :,.])(ви|вас|вам|ваш\p{L}*|внесіть|впишіть)([ :,.]|$)`)
	for _, what := range []string{outlook.BlockPaused, outlook.BlockFewCheck, outlook.BlockAbsent, outlook.BlockNoPairing, outlook.BlockDraft,
		outlook.BlockHeld, outlook.BlockByHand, outlook.BlockWaiting, outlook.BlockBoard, outlook.BlockStill, outlook.BlockGuest,
		outlook.BlockDispute, outlook.BlockArrange, outlook.BlockLineUps, outlook.BlockVoid, outlook.BlockSteward, outlook.BlockUnsigned,
		outlook.BlockCall, outlook.BlockFewPlayer, outlook.BlockStart} {
		for _, l := range []lang.Lang{lang.English, lang.Ukrainian} {
			for _, teams := range []int{0, 4} {
				of := &tournament.Tournament{}
				of.Teams.Boards = teams
				for _, line := range event.BlockerLines(lang.Printer{Lang: l}, of, []outlook.Blocker{{What: what, Round: 1, Count: 2}}, false) {
					if line.Text == "" || told.MatchString(line.Text) {
						t.Errorf("%s, %v: %q", what, l, line.Text)
					}
				}
			}
		}
	}
}
