package analysis_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// ended is a match in which First plays White, with these actions and perhaps a last act.
func ended(t *testing.T, claims match.Claims, actions string, last match.Event) match.State {
	t.Helper()
	o := match.DefaultOptions()
	o.Envelope.Chips, o.Claims = 1, claims
	acts := []match.Event{
		match.BidPlaced{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}},
		match.BidPlaced{Seat: match.Second, Bid: bidding.Bid{
			Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}},
	}
	for i, text := range strings.Fields(actions) {
		a, err := board.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		acts = append(acts, match.Played{Seat: match.Seats[i%2], Action: a})
	}
	if last != nil {
		acts = append(acts, last)
	}
	var s match.State
	add := func(events ...match.Event) {
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: time.UnixMilli(0), Event: e})
		}
	}
	add(match.Open(o, match.Seed{1})...)
	add(acts...)
	if s.Game().Result().IsZero() {
		t.Fatal("the match goes on")
	}
	add(match.Ended{Result: s.Game().Result()})
	return s
}

// knows is a report of two looks that both say what White could expect, where nobody played what
// was best.
func knows(white ...float64) (r analysis.Report) {
	r.Second = map[int]analysis.Point{}
	for i, share := range white {
		p := analysis.Point{White: share, Line: []board.Action{1}}
		r.Points, r.Second[i] = append(r.Points, p), p
	}
	return r
}

// told is a moment as the tests write it: its kind, whose it was, the plies or bids before it, the loss in hundredths.
func told(list []analysis.Moment) string {
	var texts []string
	for _, m := range list {
		at := m.Ply
		if m.Kind == analysis.DearBid {
			at = m.Step - 1
		}
		texts = append(texts, fmt.Sprintf("%v %v %d -%.0f", m.Kind, m.Seat, at, math.Round(100*m.Loss)))
	}
	return strings.Join(texts, ", ")
}

// The queen takes beside the king, Black lets it stand there, and White takes the king.
const gift = "e2e4 e7e5 d1h5 d7d6 h5f7 a7a6 f7e8"

// A word is said of a move that gave away 8 hundredths, and 3 of doubt.
func TestThreeMomentsDecideAMatch(t *testing.T) {
	t.Parallel()
	dear := []analysis.Bid{{}, {Loss: 0.25, Better: []byte(`{"target":"time","chips":1}`)}}
	mate := ended(t, match.Automatic, gift, nil)
	tests := []struct {
		name   string
		state  match.State
		report analysis.Report
		bids   []analysis.Bid
		want   string
		study  analysis.Study
	}{
		{"nobody gave anything away", mate, knows(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1), nil, "", analysis.StudyKing},
		{"a tenth is less than a slip with its doubt", mate, knows(0.5, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6, 1), nil, "", analysis.StudyKing},
		// Black gave away 20, 30 and 30 in turn, White 20 and 10 between them.
		{"the loser's three", mate, knows(0.5, 0.5, 0.7, 0.5, 0.8, 0.7, 1, 1), nil,
			"move second 1 -20, move second 3 -30, move second 5 -30", analysis.StudyKing},
		// White gave away 40, which is worth 20 to whom it decided against.
		{"what the winner gave away counts half", mate, knows(0.5, 0.5, 0.61, 0.61, 0.61, 0.21, 0.9, 1), dear,
			"bid second 1 -25, move first 4 -40, move second 5 -69", analysis.StudyKing},
		{"and the loser's smallest of 12 falls out", mate, knows(0.5, 0.5, 0.62, 0.62, 0.75, 0.35, 1, 1), nil,
			"move second 3 -13, move first 4 -40, move second 5 -65", analysis.StudyKing},
		{"the dearest was a bid", mate, knows(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.65, 1), dear,
			"bid second 1 -25, move second 5 -15", analysis.StudyCall},
		{"a flag that fell in a good position", ended(t, match.Automatic, "e2e4", match.FlagFell{Seat: match.Second}), knows(0.5, 0.4), nil,
			"flag second 1 -60", analysis.StudyRanks},
		{"and in a lost one", ended(t, match.Automatic, "e2e4", match.FlagFell{Seat: match.Second}), knows(0.5, 0.93), nil,
			"", analysis.StudyRanks},
		{"who resigns while it was even", ended(t, match.Automatic, "e2e4", match.Resigned{Seat: match.First}), knows(0.5, 0.5), nil,
			"resigned first 1 -50", analysis.StudyRanks},
		{"a match that is not looked at whole", mate, knows(0.5, 0.1, 0.9), nil, "", analysis.StudyKing},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.report.Bids = test.bids
			list := analysis.Moments(test.state, test.report)
			if got := told(list); got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
			if study := analysis.StudyOf(test.state, list); study != test.study {
				t.Errorf("studies %s, want %s", study, test.study)
			}
		})
	}
}

// White's knight scores 1 on d5 by the second move, and nobody scores after that. White's lead has
// not fallen over twenty steps after Black's twentieth move: from then on White can claim the win,
// but plays on and runs out of time (Rules 4.2).
func TestAClaimThatNobodyMadeIsAMoment(t *testing.T) {
	t.Parallel()
	actions := "b1c3 g8f6 c3d5 f6g8" + strings.Repeat(" g1f3 b8c6 f3g1 c6b8", 9)
	late := ended(t, match.Manual, actions, match.FlagFell{Seat: match.First})
	r := knows(make([]float64, 41)...)
	for i := range r.Points {
		r.Points[i].White, r.Second[i] = 0.5, analysis.Point{White: 0.5}
	}
	r.Points[40].White, r.Second[40] = 0.05, analysis.Point{White: 0.05}
	list := analysis.Moments(late, r)
	if got, want := told(list), "claim first 40 -100"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if study := analysis.StudyOf(late, list); study != analysis.StudyClaim {
		t.Errorf("studies %s", study)
	}
	// A move earlier there was nothing to claim.
	early := ended(t, match.Manual, strings.Join(strings.Fields(actions)[:38], " "), match.FlagFell{Seat: match.First})
	r.Points = r.Points[:39]
	if got, want := told(analysis.Moments(early, r)), "flag first 38 -50"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
