package bidding_test

import (
	"encoding/json"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
)

func TestBidsReadBackAsWritten(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want bidding.Bid
	}{
		{`{"target":"white","chips":2}`, white(first, 2).bid},
		{`{"target":"time","chips":3,"minutes":5,"increment":0}`, timed(first, 3, 5, 0).bid},
		{`{"target":"time","chips":3}`, call(first, bidding.Time, 3).bid},
		{`{"target":"homeRow","chips":1,"row":"RNBKKBNR"}`, row(first, 1, "RNBKKBNR").bid},
		{`{"target":"features","chips":5,"features":{"width":9}}`, wide(first, 5, 9).bid},
		{`{"target":"features","chips":5,"features":{}}`, wide(first, 5, 8).bid},
	} {
		b, err := bidding.ParseBid([]byte(tt.text))
		if err != nil || b != tt.want {
			t.Errorf("%s is read as %+v, %v", tt.text, b, err)
		}
		if raw, err := json.Marshal(b); err != nil || string(raw) != tt.text {
			t.Errorf("%s is written as %s, %v", tt.text, raw, err)
		}
	}
}

func TestKeysThatDoNotBelongToTheTargetAreIgnored(t *testing.T) { // Rules D25
	t.Parallel()
	b, err := bidding.ParseBid([]byte(`{"row":7,"chips":2,"features":null,"target":"white","minutes":"x","white":"A"}`))
	if err != nil || b != white(first, 2).bid {
		t.Errorf("read as %+v, %v", b, err)
	}
}

func TestAfterBid(t *testing.T) { // Rules 5.2
	t.Parallel()
	for _, tt := range []struct {
		name     string
		left     time.Duration
		hasChips bool
		want     time.Duration
	}{
		{"a bid adds 100 s", 30 * time.Second, true, 130 * time.Second},
		{"the clock holds 200 s at most", 130 * time.Second, true, 200 * time.Second},
		{"20 s when the opponent has no chips", 30 * time.Second, false, 50 * time.Second},
		{"and then 200 s at most too", 190 * time.Second, false, 200 * time.Second},
	} {
		if have := bidding.AfterBid(tt.left, tt.hasChips); have != tt.want {
			t.Errorf("%s: have %v, want %v", tt.name, have, tt.want)
		}
	}
}
