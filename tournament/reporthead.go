package tournament

import (
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/setting"
)

// ReportHead is what the head of a report file (TRF) tells and the event does not know otherwise. For what
// is empty the report says what the event knows: its staff, its bidding limits.
type ReportHead struct {
	City       string   `json:"city,omitempty"`       // 022
	Federation string   `json:"federation,omitempty"` // 032, as FIDE writes it: UKR
	Chief      string   `json:"chief,omitempty"`      // 102
	Deputies   []string `json:"deputies,omitempty"`   // 112, one a line
	// TimeControl is 122.
	TimeControl string `json:"timeControl,omitempty"`
}

// MaxDeputies is how many arbiters besides the chief a report names at most.
const MaxDeputies = 50

// IsZero reports whether nothing is told.
func (h ReportHead) IsZero() bool {
	return h.City == "" && h.Federation == "" && h.Chief == "" && len(h.Deputies) == 0 && h.TimeControl == ""
}

// Tidied returns the texts as lists show names, without empty ones: a report has one line for each.
func (h ReportHead) Tidied() ReportHead {
	for _, text := range []*string{&h.City, &h.Federation, &h.Chief, &h.TimeControl} {
		*text = player.Tidy(*text)
	}
	h.Deputies = slices.Clone(h.Deputies)
	for i, name := range h.Deputies {
		h.Deputies[i] = player.Tidy(name)
	}
	if h.Deputies = slices.DeleteFunc(h.Deputies, func(name string) bool { return name == "" }); len(h.Deputies) == 0 {
		h.Deputies = nil
	}
	return h
}

func (h ReportHead) faults(f *setting.Faults) {
	f.Line("city", "city", h.City)
	f.Line("federation", "federation", h.Federation)
	f.Line("chief", "chief arbiter's name", h.Chief)
	f.Line("timeControl", "time control", h.TimeControl)
	if len(h.Deputies) > MaxDeputies {
		f.Add("deputies", "range", "%d deputies, %d are possible", len(h.Deputies), MaxDeputies)
		return
	}
	for _, name := range h.Deputies {
		f.Line("deputies", "deputy's name", name)
	}
}

// SetReportHead changes what the report's head tells, at any time: it is needed once everything is over, and
// no result depends on it.
func (t *Tournament) SetReportHead(by player.Viewer, h ReportHead) error {
	if !t.May(by, ActReport) {
		return ErrNotAllowed
	}
	var f setting.Faults
	h = h.Tidied()
	h.faults(&f)
	if err := f.Err(); err != nil {
		return err
	}
	t.Report = h
	return nil
}
