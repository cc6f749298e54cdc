package tournament

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament/setting"
)

// At the Correspondence pace everybody meets everybody at once: all rounds open with the start, each bid and each move has
// Settings.BidTime, and what still runs when Settings.Window is over goes by the points on the board. In the bidding nobody has
// any, so that is a draw, which no rating counts.

// Bounds of the Correspondence pace.
const (
	MinMoveTime = time.Hour
	// MinWindowActs is for how many bids and moves, each as slow as it may be, a window lasts at least.
	MinWindowActs = 10
	MinWindow     = 7 * 24 * time.Hour
	MaxWindow     = MaxAhead
)

// correspondenceProblems finds faults of the Correspondence pace.
func (s Settings) correspondenceProblems(f *setting.Faults) {
	if s.Pace != Correspondence {
		if s.BidTime != 0 {
			f.Add("bidTime", "unsuitable", "only bids and moves by correspondence have a time each")
		}
		return
	}
	if !s.Format.MeetsAll() || s.HasTeams() {
		f.Add("pace", "correspondence", "all matches open at once in round robins of players")
	}
	if s.BidTime < MinMoveTime || s.BidTime > match.MaxBidTime || s.BidTime%time.Minute != 0 {
		f.Add("bidTime", "range", "a bid or move by correspondence has %v…%v in whole minutes, not %v", MinMoveTime, match.MaxBidTime, s.BidTime)
	}
	if s.Window < max(MinWindow, MinWindowActs*s.BidTime) || s.Window > MaxWindow {
		f.Add("window", "correspondence", "matches by correspondence have %v, or the time of %d moves if that is more, up to %v; not %v",
			MinWindow, MinWindowActs, MaxWindow, s.Window)
	}
	if s.Review {
		f.Add("review", "unsuitable", "rounds that open at once are not drafted")
	}
	if s.CheckIn.Scope != NoCheckIn {
		f.Add("checkIn", "unsuitable", "nobody has to be there when matches by correspondence open")
	}
}

// byCorrespondence makes options those of a match by correspondence.
func (s Settings) byCorrespondence(o match.Options) match.Options {
	o.Lateness, o.OnClaim, o.ByMove = 0, false, true
	o.BidTime = min(max(s.BidTime, MinMoveTime), match.MaxBidTime).Truncate(time.Minute) // what is wrong with it is told of the setting
	return o
}

// DecidedAt returns when what still runs at the Correspondence pace is decided; false: nothing is.
func (t *Tournament) DecidedAt() (time.Time, bool) {
	if t.Pace != Correspondence || t.Status != Running || len(t.Rounds) < t.Settings.Rounds || t.Timetable.IsPaused() || t.RoundIsOver() {
		return time.Time{}, false
	}
	return t.WindowsAfter(t.Rounds[0].OpenedAt, 1), true
}

// CloseBoards decides the boards of DecidedAt that have no match to decide them, as unrated draws, and reports whether there were any.
// isVoid says that a match has ended and decides nothing.
func (t *Tournament) CloseBoards(isVoid func(match.ID) bool, now time.Time) (changed bool) {
	if at, is := t.DecidedAt(); !is || at.After(now) {
		return false
	}
	for _, p := range t.AllBoards() {
		if p.Result.IsPending() && (p.Match == "" || isVoid(p.Match)) {
			p.Result, changed = Result{Kind: Drawn, Reason: match.Adjudicated, At: now, Rated: DoubleForfeit}, true
		}
	}
	if changed {
		t.judgeLeavers()
	}
	return changed
}
