package store

import (
	"encoding/json"
	"fmt"
	"strconv"

	"chpok.org/chpok/rating"
)

// encodeSteps is the stored form of the games behind a change: a list of lists,
// [opponent, their rating, difference, cut (0 or 1), expected, result]. Each result of
// each player has one, so names would cost too much.
func encodeSteps(steps []rating.Step) (string, error) {
	out := make([]byte, 0, 2+48*len(steps))
	out = append(out, '[')
	for i, s := range steps {
		if i > 0 {
			out = append(out, ',')
		}
		opponent, err := json.Marshal(s.Opponent)
		if err != nil {
			return "", err
		}
		out = append(append(out, '['), opponent...)
		cut := 0
		if s.Cut {
			cut = 1
		}
		for _, n := range [...]int{s.OpponentRating, s.Difference, cut, s.Expected, int(s.Result)} {
			out = strconv.AppendInt(append(out, ','), int64(n), 10)
		}
		out = append(out, ']')
	}
	return string(append(out, ']')), nil
}

// storedStep reads a step.
type storedStep rating.Step

func (s *storedStep) UnmarshalJSON(text []byte) error {
	var cut int
	fields := []any{&s.Opponent, &s.OpponentRating, &s.Difference, &cut, &s.Expected, &s.Result}
	n := len(fields)
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	if len(fields) != n {
		return fmt.Errorf("store: a step of %d fields", len(fields))
	}
	s.Cut = cut == 1
	return nil
}

func decodeSteps(text string) ([]rating.Step, error) {
	var stored []storedStep
	if err := json.Unmarshal([]byte(text), &stored); err != nil || len(stored) == 0 {
		return nil, err
	}
	steps := make([]rating.Step, len(stored))
	for i, s := range stored {
		steps[i] = rating.Step(s)
	}
	return steps, nil
}
