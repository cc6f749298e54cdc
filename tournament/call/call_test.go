package call_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/call"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newCall(t *testing.T, before []call.Call, now time.Time) call.Call {
	t.Helper()
	c, err := call.New(call.Call{ID: "c", Match: "m", Caller: "olena", Seat: match.First, Text: " the piece stands wrong "}, true, before, now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestACallWaitsIsTakenAndSettled(t *testing.T) {
	t.Parallel()
	c := newCall(t, nil, noon)
	if c.Text != "the piece stands wrong" || !c.Stopped || !c.IsOpen() {
		t.Errorf("%+v", c)
	}
	if _, err := call.New(call.Call{ID: "d", Match: "m", Caller: "olena", Seat: match.First, Text: "again"}, true, []call.Call{c}, noon); !errors.Is(err, call.ErrOpen) {
		t.Errorf("a second call: %v", err)
	}
	if _, err := call.New(call.Call{ID: "d", Match: "m", Caller: "taras", Seat: match.Second, Text: "me too"}, true, []call.Call{c}, noon); err != nil {
		t.Errorf("the opponent's call: %v", err)
	}
	if err := c.Take("iryna", noon.Add(time.Second)); err != nil || c.TakenBy != "iryna" {
		t.Errorf("taken: %v, %+v", err, c)
	}
	if err := c.Take("iryna", noon.Add(time.Minute)); err != nil || !c.TakenAt.Equal(noon.Add(time.Second)) {
		t.Errorf("taken twice: %v, %v", err, c.TakenAt)
	}
	if err := c.Take("boris", noon); !errors.Is(err, call.ErrTaken) {
		t.Errorf("taken by another: %v", err)
	}
	if err := c.Resolve("iryna", noon.Add(time.Minute)); err != nil || c.IsOpen() {
		t.Errorf("settled: %v", err)
	}
	if err := errors.Join(c.Resolve("iryna", noon), c.Take("boris", noon)); !errors.Is(err, call.ErrResolved) {
		t.Errorf("settled twice: %v", err)
	}
}

func TestOnlyAFewCallsStopTheClocks(t *testing.T) {
	t.Parallel()
	var before []call.Call
	for n := range 20 {
		c := newCall(t, before, noon)
		if c.Stopped != (n < 3) {
			t.Errorf("call %d stops the clocks: %v", n+1, c.Stopped)
		}
		if err := c.Resolve("iryna", noon); err != nil {
			t.Fatal(err)
		}
		before = append(before, c)
	}
	if _, err := call.New(call.Call{ID: "x", Match: "m", Caller: "olena", Seat: match.First, Text: "once more"}, true, before, noon); !errors.Is(err, call.ErrTooMany) {
		t.Errorf("call 21: %v", err)
	}
}

func TestTextsHaveALength(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "  \n", strings.Repeat("ї", 301), "a\x00b", "\xff"} {
		if _, err := call.New(call.Call{ID: "c", Match: "m", Caller: "olena", Seat: match.First, Text: text}, false, nil, noon); !errors.Is(err, call.ErrText) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := call.New(call.Call{ID: "c", Match: "m", Caller: "olena", Seat: match.First, Text: strings.Repeat("ї", 300)}, false, nil, noon); err != nil {
		t.Error(err)
	}
	if _, err := call.Say(call.Message{Match: "m", By: "olena", Text: strings.Repeat("ї", 501)}, nil, noon); !errors.Is(err, call.ErrMessage) {
		t.Errorf("long message: %v", err)
	}
}

func TestNobodyFloodsATalk(t *testing.T) {
	t.Parallel()
	var talk []call.Message
	say := func(by string, at time.Time) error {
		m, err := call.Say(call.Message{Match: "m", By: "olena", Text: "hello"}, talk, at)
		if by != "olena" {
			m, err = call.Say(call.Message{Match: "m", By: "iryna", Staff: true, Text: "hello"}, talk, at)
		}
		if err == nil {
			talk = append(talk, m)
		}
		return err
	}
	for i := range 5 {
		if err := say("olena", noon.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	var fast *refusal.Error
	if err := say("olena", noon.Add(29*time.Second)); !errors.Is(err, call.ErrTooFast) || !errors.As(err, &fast) ||
		!fast.Next.Equal(noon.Add(30*time.Second)) {
		t.Errorf("a sixth message in 30 s: %v", err)
	}
	if err := say("iryna", noon.Add(29*time.Second)); err != nil || talk[5].No != 6 || !talk[5].Staff {
		t.Errorf("the arbiter's: %v, %+v", err, talk)
	}
	if err := say("olena", noon.Add(30*time.Second)); err != nil {
		t.Errorf("half a minute later: %v", err)
	}
	if _, err := call.Say(talk[0], make([]call.Message, call.MaxTalk), noon); !errors.Is(err, call.ErrFull) {
		t.Errorf("one more than a match can have: %v", err)
	}
}

func TestWhoIsThere(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		ago  time.Duration
		want call.Connection
	}{{0, call.Present}, {14 * time.Second, call.Present}, {15 * time.Second, call.Uncertain}, {59 * time.Second, call.Uncertain}, {time.Minute, call.Absent}} {
		if have := call.ConnectionAt(noon.Add(-tt.ago), noon); have != tt.want {
			t.Errorf("seen %v ago: %v, want %v", tt.ago, have, tt.want)
		}
	}
	if call.ConnectionAt(time.Time{}, noon) != call.Absent {
		t.Error("never seen is not absent")
	}
}
