package tournament

import (
	"slices"
	"strconv"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/prize"
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

// ReportPlayer is what a report file's line of a player (001) tells and an entry does not say otherwise: kept from
// the report or list that an entry came by, and told again in the event's own report. Nothing else asks it.
type ReportPlayer struct {
	Sex        string `json:"sex,omitempty"`        // column 10; only staff see it
	Title      string `json:"title,omitempty"`      // 11-13
	Federation string `json:"federation,omitempty"` // 54-56
	FIDE       string `json:"fide,omitempty"`       // 58-68, their number in FIDE's lists
	Birth      string `json:"birth,omitempty"`      // 70-79: 2009/04/21 or a year; only staff see it
}

// BirthYear is the year that Birth begins with; 0: none that age groups could ask for.
func (p ReportPlayer) BirthYear() int {
	if year, err := strconv.Atoi(p.Birth[:min(4, len(p.Birth))]); err == nil && year >= prize.FirstYear && year <= prize.LastYear {
		return year
	}
	return 0
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
