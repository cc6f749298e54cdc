package bidding

// Seat is a place in a match: First opens the bidding (D11), Second answers. It says nothing
// about who will play White. The zero value is no seat.
type Seat uint8

const (
	First  Seat = 1
	Second Seat = 2
)

// Other returns the opponent's seat.
func (s Seat) Other() Seat { return 3 - s }

// Index returns 0 for First and 1 for Second, to index arrays by seat.
func (s Seat) Index() int { return int(s) - 1 }

// Valid reports whether s is one of the two seats.
func (s Seat) Valid() bool { return s == First || s == Second }

func (s Seat) String() string {
	switch s {
	case First:
		return "first"
	case Second:
		return "second"
	}
	return "none"
}
