package outlook

import (
	"time"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
)

// Blocker is something that keeps a tournament from going on, and who can do something
// about it.
type Blocker struct {
	What    string             // one of the constants
	Round   int                // 0: none in particular
	Board   int                // 0: none in particular
	Entry   tournament.EntryID // 0: none in particular
	Count   int                // of players or boards, if What counts them
	Since   time.Time
	Act     tournament.Act // whoever may do this can resolve it; empty: players only
	Players bool           // the players can resolve it
}

// The values of Blocker.What.
const (
	BlockPaused    = "paused"      // no round opens
	BlockFewCheck  = "few-present" // too few have checked in for the next round
	BlockAbsent    = "absent"      // Count players have not checked in while the window is open
	BlockNoPairing = "no-pairing"  // the next round cannot be paired
	BlockDraft     = "draft"       // the next round is paired, but not published
	BlockHeld      = "held"        // the next round is not paired automatically: its draft was discarded
	BlockByHand    = "by-hand"     // the next round opens by hand
	BlockWaiting   = "waiting"     // a board waits for its players
	BlockBoard     = "board"       // one of the last boards of the round is being played
	BlockStill     = "still"       // a match is stopped
	BlockGuest     = "guest"       // a result is entered by hand
	BlockDispute   = "dispute"     // a forfeit is disputed; its result is entered by hand
	BlockArrange   = "arrange"     // players have not agreed on a time
	BlockLineUps   = "line-ups"    // Count matches of teams wait for line-ups
	BlockVoid      = "void"        // a match is void; its result is entered by hand
	BlockSteward   = "steward"     // no steward has opened a supervised board
	BlockUnsigned  = "unsigned"    // a steward has not signed a report
	BlockCall      = "call"        // a call for the arbiter is waiting
	BlockFewPlayer = "few-players" // too few have entered to start
	BlockStart     = "start"       // enough have entered; somebody has to start it
)

// BoardFact is what is known about an open board besides its pairing.
type BoardFact struct {
	Round   int
	Board   int
	Waiting bool // for its players
	Missing int  // number of missing players
	Still   bool
	Steward bool // a side whose steward has not opened the board
	Unsaid  bool // over, but not signed by a steward
	Void    bool
	Calls   int
	Since   time.Time // opening of the board
}

// lastBoards is up to how many open boards are named.
const lastBoards = 5

// Blockers returns what the tournament waits for, the most urgent first. None means that
// it goes on by itself.
func Blockers(t *tournament.Tournament, boards []BoardFact, now time.Time) []Blocker {
	switch t.Status {
	case tournament.Registration:
		if t.Origin.IsAwaited() {
			return nil // its groups have theirs
		}
		if n, least := t.Active(), t.LeastPlayers(); n < least {
			return []Blocker{{What: BlockFewPlayer, Count: least - n, Act: tournament.ActEnter, Players: true}}
		}
		return append([]Blocker{{What: BlockStart, Act: tournament.ActStart}}, awaitedCheckIns(t, now)...)
	case tournament.Running:
	case tournament.Finished:
		return unsigned(t, boards)
	default:
		return nil
	}
	var list []Blocker
	if t.Timetable.IsPaused() {
		list = append(list, Blocker{What: BlockPaused, Since: t.Timetable.Pause.Since, Act: tournament.ActPause})
	}
	list = append(list, unsigned(t, boards)...)
	if !t.RoundIsOver() {
		return append(list, boardBlockers(t, boards)...)
	}
	n := len(t.Rounds) + 1
	if n > t.Settings.Rounds {
		return list
	}
	_, timed := t.NextRoundAt()
	switch {
	case t.Stuck != "" && t.CheckIn.Scope != tournament.NoCheckIn && len(t.Attendance().Present) < t.LeastPresent():
		a := t.Attendance()
		return append(list, Blocker{What: BlockFewCheck, Round: n, Count: len(a.Absent), Act: tournament.ActCheckIn})
	case t.Stuck != "":
		return append(list, Blocker{What: BlockNoPairing, Round: n, Act: tournament.ActPair})
	case t.Draft != nil:
		list = append(list, Blocker{What: BlockDraft, Round: n, Since: t.Draft.At, Act: tournament.ActPublish})
	case t.IsHeld():
		list = append(list, Blocker{What: BlockHeld, Round: n, Since: t.Timetable.Held.Since, Act: tournament.ActDraft})
	case !timed && !t.Timetable.IsPaused():
		list = append(list, Blocker{What: BlockByHand, Round: n, Since: t.FreeSince(), Act: tournament.ActPair})
	}
	return append(list, awaitedCheckIns(t, now)...)
}

// unsigned returns the boards without a steward's signed report.
func unsigned(t *tournament.Tournament, boards []BoardFact) (list []Blocker) {
	for _, f := range boards {
		if f.Unsaid {
			list = append(list, Blocker{What: BlockUnsigned, Round: f.Round, Board: f.Board, Since: f.Since, Act: tournament.ActSteward})
		}
	}
	return list
}

// awaitedCheckIns returns the players who have not checked in in an open window.
func awaitedCheckIns(t *tournament.Tournament, now time.Time) []Blocker {
	w, ok := t.CheckInWindow()
	if !ok || !w.IsOpen(now) {
		return nil
	}
	if n := len(t.Attendance().Absent); n > 0 {
		return []Blocker{{What: BlockAbsent, Round: w.Round, Count: n, Since: w.Opens, Act: tournament.ActCheckIn, Players: true}}
	}
	return nil
}

// boardBlockers returns the boards that need somebody, and boards being played if few are
// left.
func boardBlockers(t *tournament.Tournament, boards []BoardFact) []Blocker {
	var urgent, rest []Blocker
	facts, open := map[[2]int]BoardFact{}, 0
	for _, f := range boards {
		facts[[2]int{f.Round, f.Board}] = f
	}
	for range t.Rounds.Pending() {
		open++
	}
	for round, p := range t.Rounds.Pending() {
		f := facts[[2]int{round, p.Board}]
		b := Blocker{Round: round, Board: p.Board, Since: f.Since, Act: tournament.ActMatch}
		switch {
		case f.Calls > 0:
			b.What, b.Act = BlockCall, tournament.ActCalls
			urgent = append(urgent, b)
		case f.Void:
			b.What, b.Act = BlockVoid, tournament.ActResult
			urgent = append(urgent, b)
		case p.Fixture != nil && p.Fixture.Status == fixture.Disputed:
			b.What, b.Act = BlockDispute, tournament.ActResult
			urgent = append(urgent, b)
		case p.Fixture != nil && p.Match == "":
			b.What, b.Act, b.Players = BlockArrange, tournament.ActExtend, true
			rest = append(rest, b)
		case p.Match == "":
			b.What, b.Act = BlockGuest, tournament.ActResult
			urgent = append(urgent, b)
		case f.Steward:
			b.What, b.Act = BlockSteward, tournament.ActSteward
			urgent = append(urgent, b)
		case f.Still:
			b.What = BlockStill
			urgent = append(urgent, b)
		case f.Waiting:
			b.What, b.Count, b.Players = BlockWaiting, f.Missing, true
			rest = append(rest, b)
		case open <= lastBoards:
			b.What, b.Act, b.Players = BlockBoard, "", true
			rest = append(rest, b)
		}
	}
	if n := len(t.Awaited()); n > 0 {
		rest = append(rest, Blocker{What: BlockLineUps, Round: len(t.Rounds), Count: n, Since: t.Rounds[len(t.Rounds)-1].OpenedAt,
			Act: tournament.ActRepair, Players: true})
	}
	return append(urgent, rest...)
}

// Resolvers returns the duties that can resolve a blocker.
func (b Blocker) Resolvers() []tournament.Duty {
	if b.Act == "" {
		return nil
	}
	return tournament.DutiesFor(b.Act)
}
