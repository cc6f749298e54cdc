package bidding

import "fmt"

// Bounds of every time control (Rules D9).
const (
	MinMinutes, MaxMinutes     = 1, 180
	MinIncrement, MaxIncrement = 0, 60
)

// TimeControl is what each player has for the board phase: whole minutes, and whole seconds
// added after each of their own moves. The zero value is none.
type TimeControl struct {
	Minutes   int `json:"minutes"`
	Increment int `json:"increment"`
}

// Validate refuses a control beyond the widest bounds (Rules D9).
func (c TimeControl) Validate() error {
	if c.Minutes < MinMinutes || c.Minutes > MaxMinutes {
		return refuse(BadTime, "minutes are %d…%d, not %d", MinMinutes, MaxMinutes, c.Minutes)
	}
	if c.Increment < MinIncrement || c.Increment > MaxIncrement {
		return refuse(BadTime, "the increment is %d…%d s, not %d", MinIncrement, MaxIncrement, c.Increment)
	}
	return nil
}

// String returns the usual short form, "5+3".
func (c TimeControl) String() string { return fmt.Sprintf("%d+%d", c.Minutes, c.Increment) }
