package tournament

import "time"

// Interest notes an act of staff who play here, on something settled, that was theirs to do and
// touched their own place or pairing. Everybody sees it.
type Interest struct {
	Seq   int64     `json:"seq"`   // line of the log
	Entry EntryID   `json:"entry"` // of whoever acted
	Act   Act       `json:"act"`
	At    time.Time `json:"at"`
	Was   int       `json:"was,omitempty"` // their place before; 0: none
	Is    int       `json:"is,omitempty"`  // and after
}
