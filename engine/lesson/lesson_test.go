package lesson_test

import (
	"errors"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/lesson"
)

// Each lesson is played to its end, in right and in wrong ways.
func TestEveryLessonEndsByDoing(t *testing.T) {
	t.Parallel()
	const done, again, asked = lesson.Done, lesson.Again, lesson.Asked
	tests := []struct {
		name   string
		lesson int
		acts   []string
		status lesson.Status
		word   string
		gained int
	}{
		{"a raise of 3 wins White back", 1, []string{"raise 3"}, done, "raised", 0},
		{"so does one of 5, the whole purse", 1, []string{"raise 5"}, done, "raised", 0},
		{"a call of 2 leaves it to the coin, which is not it", 1, []string{"call"}, again, "called", 0},
		{"two chips are a call, whatever they are called", 1, []string{"raise 2"}, again, "called", 0},
		{"after the coin one raises", 1, []string{"call", "raise 3"}, done, "raised", 0},
		{"a call brings the standard row back", 2, []string{"call"}, done, "called", 0},
		{"a raise brings any row with a king", 2, []string{"raise 2 KKNBQKBR"}, done, "raised", 0},
		{"Nd7 +3 and Nb8 +4 are 7", 3, []string{"c5d7", "d7b8"}, done, "right", 7},
		{"Nd7 alone is 3", 3, []string{"c5d7"}, asked, "on", 3},
		{"Nb3 and back score 1", 3, []string{"c5b3", "b3c5"}, again, "wrong", 1},
		{"after that one begins again", 3, []string{"c5b3", "b3c5", "c5d7", "d7b8"}, done, "right", 7},
		{"the rook goes to rank 8 and takes a king there", 4, []string{"d1d8", "d8h8"}, done, "right", 4 + 1004},
		{"it takes the other way, too", 4, []string{"d1h1", "h1h8"}, done, "right", 1004},
		{"two moves without a king", 4, []string{"d1d2", "d2d3"}, again, "wrong", 0},
		{"the dragon leaps left", 5, []string{"e4c4"}, done, "right", 0},
		{"down", 5, []string{"e4e2"}, done, "right", 0},
		{"right", 5, []string{"e4g4"}, done, "right", 0},
		{"or up, and takes", 5, []string{"e4e6"}, done, "right", 2},
		{"a step is right, but no leap", 5, []string{"e4d3"}, again, "step", 0},
		{"a king's move leaves the dragon there", 5, []string{"a1a2"}, again, "wrong", 0},
		{"taking the knight keeps the lead", 6, []string{"e4d5"}, done, "right", 1},
		{"going on lets it shrink", 6, []string{"e4e5"}, again, "shrunk", 1},
		{"so does a king's move", 6, []string{"a1a2"}, again, "wrong", 0},
		{"the pawn steps back", 7, []string{"b5b4"}, done, "right", 0},
		{"a king's move loses it", 7, []string{"a1b1"}, again, "wrong", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l, err := lesson.Get(test.lesson)
			if err != nil {
				t.Fatal(err)
			}
			step, err := l.Play(test.acts)
			if err != nil {
				t.Fatal(err)
			}
			if step.Status != test.status || step.Word != test.word || step.Gained != test.gained {
				t.Errorf("%d %q %d, want %d %q %d", step.Status, step.Word, step.Gained, test.status, test.word, test.gained)
			}
		})
	}
}

func TestPishakAnswersAsHeIsTold(t *testing.T) {
	t.Parallel()
	claim, _ := lesson.Get(6)
	step, err := claim.Play([]string{"e4e5"})
	if err != nil || step.Last.String() != "d5c3" || step.Board.Points(board.Black) != 7+2 {
		t.Errorf("%s, %d points, %v: the knight lands on rank 3, which is Black's sixth", step.Last, step.Board.Points(board.Black), err)
	}
	twist, _ := lesson.Get(7)
	if step, err := twist.Play([]string{"a1b1"}); err != nil || step.Last.String() != "d6b5" {
		t.Errorf("%s, %v: the blocked pawn falls", step.Last, err)
	}
}

func TestWhatALessonRefuses(t *testing.T) {
	t.Parallel()
	var unfit *board.SetupError
	var illegal *board.IllegalError
	var refusal *bidding.Refusal
	tests := []struct {
		name   string
		lesson int
		act    string
		is     func(error) bool
	}{
		{"one chip does not beat a lead of two", 1, "raise 1", func(err error) bool { return errors.As(err, &refusal) }},
		{"six chips are more than are left", 1, "raise 6", func(err error) bool { return errors.As(err, &refusal) }},
		{"a row needs a king", 2, "raise 2 RNBQQBNR", func(err error) bool { return errors.As(err, &unfit) }},
		{"and eight pieces", 2, "raise 2 RNBQK", func(err error) bool { return errors.As(err, &unfit) }},
		{"a raise names its row", 2, "raise 2", func(err error) bool { return errors.Is(err, lesson.ErrAct) }},
		{"a knight does not move straight", 3, "c5c7", func(err error) bool { return errors.As(err, &illegal) }},
		{"words are no move", 3, "please", func(err error) bool { return errors.Is(err, lesson.ErrAct) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l, _ := lesson.Get(test.lesson)
			step, err := l.Play([]string{test.act})
			if !test.is(err) {
				t.Errorf("%v", err)
			}
			if err != nil && step.Played != 0 {
				t.Errorf("a refused act was played")
			}
		})
	}
	if _, err := lesson.Get(8); !errors.Is(err, lesson.ErrNone) {
		t.Errorf("an eighth lesson: %v", err)
	}
}

// So it does in a second try: two knight moves gain nothing, the third starts over, and a fourth
// is illegal.
func TestARefusedActLeavesThoseBeforeIt(t *testing.T) {
	t.Parallel()
	l, _ := lesson.Get(3)
	acts := []string{"c5b3", "b3d2", "c5d7", "d7d7"}
	refused, err := l.Play(acts)
	before, fine := l.Play(acts[:3])
	if err == nil || fine != nil || refused.Taken != 3 || refused.Board != before.Board {
		t.Errorf("%d acts, %v; %v", refused.Taken, err, fine)
	}
}
