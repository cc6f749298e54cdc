package event

import "testing"

func TestAResultIsTurnedRoundWithItsWordsInFront(t *testing.T) {
	for said, want := range map[string]string{
		"1 : 0": "0 : 1", "½ : ½": "½ : ½", "": "", "points on the board 88 : 175": "points on the board 175 : 88",
		"очки на дошці −4\u00a0980 : 19": "очки на дошці 19 : −4\u00a0980", "forfeit": "forfeit",
	} {
		if got := turned(said); got != want {
			t.Errorf("%q turned is %q, want %q", said, got, want)
		}
	}
}
