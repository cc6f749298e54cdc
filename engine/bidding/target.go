package bidding

import "fmt"

// Target is one of the four things bid on (Rules 5.1). The zero value is none.
type Target uint8

const (
	White    Target = iota + 1 // who plays White
	Time                       // minutes and increment of the board phase
	HomeRow                    // the pieces of the home row
	Features                   // the extraordinary features of section 7
)

// Targets is the number of targets.
const Targets = 4

var targetNames = [Targets + 1]string{"", "white", "time", "homeRow", "features"}

// ParseTarget reads a target's exact name in records.
func ParseTarget(name string) (Target, error) {
	for t := White; t <= Features; t++ {
		if targetNames[t] == name {
			return t, nil
		}
	}
	return 0, &Refusal{Code: UnknownTarget, Detail: fmt.Sprintf("there is no target %q", name)}
}

func (t Target) String() string {
	if t > Features {
		return ""
	}
	return targetNames[t]
}

// Valid reports whether t is one of the four targets.
func (t Target) Valid() bool { return t >= White && t <= Features }

// IsDrawn reports whether a call on t, or a bidding that ends without a bid on t, leads to a
// random draw (Rules 5.3, 5.4).
func (t Target) IsDrawn() bool { return t == White || t == Time }

func (t Target) index() int { return int(t) - 1 }
