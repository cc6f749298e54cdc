package form

import (
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// scheduleValues are what the form shows of who is awaited for how long.
func scheduleValues(p lang.Printer, v url.Values, s tournament.Settings) {
	v.Set("break", words.WriteDuration(s.Break))
	v.Set("lateness", words.WriteDuration(s.Lateness))
	v.Set("check_in", s.CheckIn.Scope.String())
	opens, closes := s.CheckIn.Opens, s.CheckIn.Closes
	if s.CheckIn.Scope == tournament.NoCheckIn {
		opens, closes = 15*time.Minute, time.Minute
	}
	v.Set("opens", words.WriteDuration(opens))
	v.Set("closes", words.WriteDuration(closes))
	v.Set("misses", words.Itoa(s.CheckIn.Misses))
	Flag(v, "on_claim", s.OnClaim)
	Flag(v, "firm", s.Firm)
	Flag(v, "honour", s.HonourNoShows)
	if !s.Until.IsZero() {
		v.Set("until", s.Until.In(p.Zone).Format(pickLayout))
	}
}

// Schedule reads what scheduleValues shows.
func (r *FormReader) Schedule(p lang.Printer, s *tournament.Settings) {
	v := r.Values
	s.Lateness = r.Duration("lateness")
	if s.Pace == tournament.Auto {
		s.Break = r.Duration("break")
	}
	scope, err := tournament.ParseCheckInScope(v.Get("check_in"))
	if err != nil {
		r.Fault("checkIn", "missing", err.Error())
	}
	if scope != tournament.NoCheckIn {
		s.CheckIn = tournament.CheckIn{Scope: scope, Opens: r.Duration("opens"), Closes: r.Duration("closes")}
		if strings.TrimSpace(v.Get("misses")) != "" {
			s.CheckIn.Misses = r.Number("misses")
		}
	}
	s.OnClaim, s.Firm, s.HonourNoShows = v.Get("on_claim") != "", v.Get("firm") != "", v.Get("honour") != ""
	if text := strings.TrimSpace(v.Get("until")); text != "" {
		t, err := time.ParseInLocation(TimeLayout, strings.Replace(text, "T", " ", 1), p.Zone)
		if err != nil {
			r.Fault("until", "form", "until is not like 2026-11-30 22:30")
		}
		s.Until = t.UTC()
	}
}

func (r *FormReader) Duration(name string) time.Duration {
	d, err := words.ReadDuration(r.Values.Get(name))
	if err != nil {
		r.Fault(name, "number", name+": minutes are needed, like 5 or 2:30")
	}
	return d
}
