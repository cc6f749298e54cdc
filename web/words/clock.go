package words

import (
	"fmt"
	"time"
)

// ClockText renders the time on a clock, rounded up: 4:05, 1:02:03.
func ClockText(d time.Duration) string {
	s := int((d + time.Second - 1) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
