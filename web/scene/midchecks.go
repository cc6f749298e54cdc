package scene

import (
	"chpok.org/chpok/templates"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// midCheck returns the banner of a match paused for a check: with a button for the player who is checked, a calm
// sentence for all others.
func (m MatchViewer) midCheck() *matchview.StillView {
	mid := m.Frame.Mid
	seconds := m.Int(mid.Grace)
	if mid.Open == nil {
		return &matchview.StillView{Title: m.T("passkey.mid.other"), Why: m.T("passkey.mid.other-why", "Seconds", seconds), ByItself: true}
	}
	left := max(0, mid.Open.Until.Sub(m.Now))
	return &matchview.StillView{
		Title: m.T("passkey.mid.title"), Why: m.T("passkey.mid.why", "Seconds", seconds), ByItself: true,
		Unlock: "/matches/" + m.Frame.ID + "/mid-check",
		Left:   templates.ClockView{Text: words.ClockText(m.Printer, left), Left: left.Milliseconds(), Deadline: mid.Open.Until.UnixMilli(), Low: 10_000},
	}
}
