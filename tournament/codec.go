package tournament

import (
	"encoding/json"
	"time"
)

// Moments is a list of times. Its JSON is in milliseconds since 1970.
type Moments []time.Time

// MarshalJSON implements json.Marshaler.
func (m Moments) MarshalJSON() ([]byte, error) {
	list := make([]int64, len(m))
	for i, t := range m {
		list[i] = t.UnixMilli()
	}
	return json.Marshal(list)
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Moments) UnmarshalJSON(raw []byte) error {
	var list []int64
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	*m = nil
	for _, n := range list {
		*m = append(*m, time.UnixMilli(n).UTC())
	}
	return nil
}

// MarshalJSON writes the nine values in the order of the fields, in tenths of a point.
func (p PointSystem) MarshalJSON() ([]byte, error) {
	return json.Marshal([...]Score{p.Win, p.Draw, p.Loss, p.ForfeitWin, p.ForfeitLoss, p.FullBye, p.HalfBye, p.ZeroBye, p.PairBye})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *PointSystem) UnmarshalJSON(raw []byte) error {
	var n [9]Score
	if err := json.Unmarshal(raw, &n); err != nil {
		return err
	}
	*p = PointSystem{Win: n[0], Draw: n[1], Loss: n[2], ForfeitWin: n[3], ForfeitLoss: n[4],
		FullBye: n[5], HalfBye: n[6], ZeroBye: n[7], PairBye: n[8]}
	return nil
}
