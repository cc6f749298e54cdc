package words

import (
	"fmt"
	"time"

	"chpok.org/chpok/templates/lang"
)

// ClockText renders the time on a clock, rounded up: 4:05, 1:02:03. Who has days has no use for seconds: 2 d 23 h. The scripts write
// the same (clocks.js).
func ClockText(p lang.Printer, d time.Duration) string {
	s := int((d + time.Second - 1) / time.Second)
	switch {
	case s >= 24*3600:
		return p.Duration(time.Duration(s) * time.Second)
	case s >= 3600:
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
