package search_test

import (
	"encoding/json"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Lessons in which an extra knight hardly matters make knights cheaper, and what
// they are missed by smaller; what they say nothing of stays.
func TestATunerLearnsWhatAPieceIsWorth(t *testing.T) {
	t.Parallel()
	var lessons []search.Lesson
	for _, cfen := range []string{
		"rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - 0/0 0/0 0/0 5", "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - 0/0 0/0 0/0 5",
		"rnbqkb1r/ppp1pppp/8/3p4/3P4/2N2N2/PPP1PPPP/R1BQKB1R w - 0/0 0/0 0/0 9", "4k3/pppp4/8/8/8/8/PPPP4/4K1N1 w - 0/0 0/0 0/0 30",
	} {
		f := board.DefaultFeatures()
		f.Castlings = 0
		p, err := board.ParseCFEN(f, cfen)
		if err != nil {
			t.Fatal(err)
		}
		for range 500 {
			lessons = append(lessons, search.Lesson{Root: search.Root{Position: p}, Share: 0.6})
		}
	}
	tuner := search.NewTuner(lessons)
	value := func() (w struct{ Value [8][2]int }) {
		text, err := tuner.Weights()
		if err == nil {
			err = json.Unmarshal(text, &w)
		}
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	before, missed := value(), tuner.Miss()
	for range 3 {
		tuner.Step()
	}
	after, misses := value(), tuner.Miss()
	if misses > missed/20 || after.Value[board.Knight][0] >= before.Value[board.Knight][0] {
		t.Errorf("missed by %.5f, then by %.5f; %v, then %v", missed, misses, before.Value[board.Knight], after.Value[board.Knight])
	}
	if after.Value[board.Rook] != before.Value[board.Rook] {
		t.Errorf("rooks were %v, and are %v of lessons where they are even", before.Value[board.Rook], after.Value[board.Rook])
	}
}
