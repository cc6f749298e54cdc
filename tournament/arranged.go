package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/setting"
)

// At the Arranged pace the players of each board agree on a time within the window of its round, and their match opens
// by itself then. The next round opens when the window is over: in a round robin even while boards of the last are still
// claimed, disputed or given more time, because nobody's opponent depends on them; in a Swiss once they are decided.

// Fixture is how the players of a board come to their match.
type Fixture = fixture.Fixture[EntryID]

// Bounds of the Arranged pace.
const (
	MaxRoundWindow = 60 * 24 * time.Hour
	// ArrangeIn is what a window leaves besides the longest match, so that two can find a time.
	ArrangeIn = 24 * time.Hour
	// ObjectWithin is how long somebody who is said to have been absent may object.
	ObjectWithin = 24 * time.Hour
	// PlayAfterAll is how long two have whose forfeit was given up.
	PlayAfterAll = 3 * 24 * time.Hour
)

// Acts of the Arranged pace.
const (
	ActArrange Act = "arrange" // a player's own: propose a time, agree on one, object to a forfeit
	ActSettle  Act = "settle"  // by the site: open what was agreed, decide what was not
	ActExtend  Act = "extend"  // give a board more time
)

// Refusals of the Arranged pace.
var (
	ErrNoFixture = refusal.Conflict("fixture.error.none", "tournament: the board is not arranged by its players")
	ErrExtend    = refusal.Invalid("fixture.error.extend", "tournament: the time to play must end later than it does, within the bound")
)

// arrangedProblems finds faults of the Arranged pace.
func (s Settings) arrangedProblems(f *setting.Faults) {
	if s.Pace != Arranged {
		if s.DrawUnmet {
			f.Add("drawUnmet", "unsuitable", "only players who arrange their matches can fail to find a time")
		}
		return
	}
	longest := s.WorstRound()
	switch {
	case !s.Format.InRounds() || s.Format.HasBracket():
		f.Add("pace", "unsuitable", "matches are arranged in round robins and Swiss tournaments")
	case s.Window < longest+ArrangeIn || s.Window > MaxRoundWindow:
		f.Add("window", "arranged", "the window of a round holds its longest match, %v, and a day to arrange it, and is %v at most; it is %v",
			longest, MaxRoundWindow, s.Window)
	}
	if s.CheckIn.Scope == ForRound {
		f.Add("checkIn", "unsuitable", "matches that players arrange have no check-in per round")
	}
	if s.Lateness == 0 {
		f.Add("lateness", "range", "matches that players arrange wait for them")
	}
}

// LastStart returns when the last match of a round may start so that it ends in the window that began at a time.
func (s Settings) LastStart(opened time.Time) time.Time {
	return s.WindowsAfter(opened, 1).Add(-s.WorstRound())
}

// WindowsAfter returns when some windows of rounds are over, of which the first began at a time. Windows of whole days keep their hour
// when clocks change.
func (s Settings) WindowsAfter(opened time.Time, windows int) time.Time {
	const day = 24 * time.Hour
	if s.Window%day == 0 {
		return civil.AddDays(opened, windows*int(s.Window/day), s.Location())
	}
	return opened.Add(time.Duration(windows) * s.Window)
}

// setUp makes a new board of a round that opened at a time ready: its players arrange it, or it has a match at once.
func (t *Table) setUp(p *Pairing, newID func() match.ID, opened time.Time) {
	t.NameMatch(p, newID)
	p.Fixture = nil
	if t.Pace == Arranged && p.Match != "" {
		by := t.LastStart(opened)
		p.Match, p.Fixture = "", &Fixture{Status: fixture.Arranging, Due: by, PlayBy: by}
	}
}

// opensBeside reports whether a round opens when its window begins, whatever boards of the rounds before it have no result.
func (t *Tournament) opensBeside() bool {
	return t.Pace.HasWindow() && t.Format.MeetsAll() && len(t.Rounds) > 0
}

// windowEnd returns when the window of the last round lets the next one open. There must be one.
func (t *Tournament) windowEnd() time.Time {
	if t.Pace == Correspondence {
		return t.StartedAt
	}
	return t.WindowsAfter(t.Rounds[len(t.Rounds)-1].OpenedAt, 1)
}

// isBeside reports whether the next round may open at a time although boards have no result.
func (t *Tournament) isBeside(now time.Time) bool {
	return t.opensBeside() && !now.Before(t.windowEnd())
}

// take applies a step to the fixture of a board, which copies of the tournament share.
func (p *Pairing) take(s fixture.Step[EntryID]) {
	f := *p.Fixture
	f.Take(s)
	p.Fixture = &f
}

// arranged returns a board whose players arrange it and which has no result.
func (t *Tournament) arranged(round, board int) (*Pairing, error) {
	p, err := t.pairing(round, board)
	switch {
	case err != nil:
		return nil, err
	case t.Status != Running:
		return nil, ErrNotRunning
	case p.Fixture == nil || !p.Result.IsPending():
		return nil, ErrNoFixture
	}
	return p, nil
}

// ownFixture returns an arranged board of the viewer's, and their entry.
func (t *Tournament) ownFixture(by player.Viewer, round, board int) (*Pairing, EntryID, error) {
	p, err := t.arranged(round, board)
	if err != nil {
		return nil, 0, err
	}
	e, plays := t.EntryOf(by.ID)
	if !plays || !p.SeatOf(e.ID).Valid() {
		return nil, 0, ErrNotAllowed
	}
	return p, e.ID, nil
}

// ProposeTime proposes a time for the viewer's board.
func (t *Tournament) ProposeTime(by player.Viewer, round, board int, o fixture.Offer) error {
	p, me, err := t.ownFixture(by, round, board)
	if err != nil {
		return err
	}
	step, isNew, err := p.Fixture.Propose(me, o)
	if isNew {
		p.take(step)
	}
	return err
}

// AgreeTime accepts a time that the opponent of the viewer has proposed.
func (t *Tournament) AgreeTime(by player.Viewer, round, board int, at, now time.Time) error {
	p, me, err := t.ownFixture(by, round, board)
	if err != nil {
		return err
	}
	step, err := p.Fixture.Agree(me, at, now)
	if err == nil {
		p.take(step)
	}
	return err
}

// Object disputes a forfeit of the viewer's, which staff decide by entering a result or giving more time. If they do neither
// within fixture.DecideWithin, it counts as it was claimed.
func (t *Tournament) Object(by player.Viewer, round, board int, text string, now time.Time) error {
	p, me, err := t.ownFixture(by, round, board)
	if err != nil {
		return err
	}
	step, err := p.Fixture.Object(me, text, now)
	if err == nil {
		p.take(step)
	}
	return err
}

// GiveUpForfeit gives up a forfeit that the viewer would win, so that the two play within PlayAfterAll, which they can once.
func (t *Tournament) GiveUpForfeit(by player.Viewer, round, board int, now time.Time) error {
	p, me, err := t.ownFixture(by, round, board)
	if err != nil {
		return err
	}
	step, err := p.Fixture.GiveUp(me, PlayAfterAll, now)
	if err == nil {
		p.take(step)
	}
	return err
}

// Extend gives a board until later to be played. A forfeit that was claimed is off.
func (t *Tournament) Extend(by player.Viewer, round, board int, until, now time.Time) error {
	if !t.May(by, ActExtend) {
		return ErrNotAllowed
	}
	p, err := t.arranged(round, board)
	switch {
	case err != nil:
		return err
	case p.Fixture.Status == fixture.Playing:
		return ErrBeingPlayed
	case !until.After(now) || !until.After(p.Fixture.PlayBy) || until.After(now.Add(MaxRoundWindow)):
		return ErrExtend
	case p.Fixture.Status == fixture.Scheduled:
		f := *p.Fixture
		f.PlayBy = until
		p.Fixture = &f
		return nil
	}
	p.take(fixture.Step[EntryID]{Kind: fixture.Reopened, Due: until, PlayBy: until})
	return nil
}

// WindowOf returns from when until when matches of a round may start, as far as that is known: at the Arranged pace the window of
// each round, also of those to come; else the one moment at which it begins.
func (t *Tournament) WindowOf(round int) (from, to time.Time, known bool) {
	n := len(t.Rounds)
	switch {
	case t.Pace != Arranged:
		from, known = t.RoundAt(round)
		return from, from, known
	case round < 1 || round > t.Settings.Rounds || n == 0 || t.Status != Running:
		return from, to, false
	case round <= n:
		from = t.Rounds[round-1].OpenedAt
	default:
		base, after := t.windowEnd(), 0
		for r := n + 1; ; r++ {
			if at, set := t.FixedAt(r); set {
				base, after = at, 0
			}
			if r == round {
				break
			}
			after++
		}
		from = t.WindowsAfter(base, after)
	}
	return from, t.LastStart(from), true
}

// overlaps reports whether a round to come would begin within the window of the round before it: nobody arranges two matches at once.
func (t *Tournament) overlaps() bool {
	if t.Pace != Arranged {
		return false
	}
	var free time.Time
	if len(t.Rounds) > 0 {
		free = t.windowEnd()
	}
	for n := len(t.Rounds) + 1; n <= t.Settings.Rounds; n++ {
		if at, set := t.FixedAt(n); set {
			if at.Before(free) {
				return true
			}
			free = at
		}
		free = t.WindowsAfter(free, 1)
	}
	return false
}

// fixtures yields the boards that are still arranged, with the numbers of their rounds.
func (t *Tournament) fixtures(yield func(int, *Pairing) bool) {
	if t.Pace != Arranged || t.Status != Running {
		return
	}
	for n, p := range t.AllBoards() {
		if p.Fixture != nil && p.Result.IsPending() && !yield(n, p) {
			return
		}
	}
}

// NextFixtureAt returns when a fixture next does something by itself: open its match, or pass a deadline. False: none
// does.
func (t *Tournament) NextFixtureAt() (next time.Time, due bool) {
	for _, p := range t.fixtures {
		at := p.Fixture.Due
		if t.leftBy(*p) != Pending && p.Fixture.Status != fixture.Playing {
			at = t.StartedAt // at once
		}
		if !at.IsZero() && (!due || at.Before(next)) {
			next, due = at, true
		}
	}
	return next, due
}

// leftBy returns the result of a board of which somebody has left; Pending if both are there.
func (t *Tournament) leftBy(p Pairing) ResultKind {
	switch first, second := t.hasLeft(p.First), t.hasLeft(p.Second); {
	case first && second:
		return DoubleForfeit
	case first:
		return SecondByForfeit
	case second:
		return FirstByForfeit
	}
	return Pending
}

// SettleFixtures does what is due by now: it opens agreed matches, whose boards it returns, and decides boards that
// were not arranged, except by deadlines that stay, as nobody could keep them. It reports whether anything changed.
//
// Where one alone has proposed times, the other has forfeited unless they object. Where neither or both did, both
// forfeit, or with Settings.DrawUnmet it is an unrated draw.
func (t *Tournament) SettleFixtures(newID func() match.ID, stays func(deadline time.Time) bool, now time.Time) (opened []Pairing, changed bool) {
	for _, p := range t.fixtures {
		f := p.Fixture
		isPast := !f.Due.IsZero() && !f.Due.After(now)
		switch kind := t.leftBy(*p); {
		case kind != Pending && f.Status != fixture.Playing:
			p.Result = Result{Kind: kind, Reason: match.Forfeit, At: now}
		case f.Status == fixture.Scheduled && isPast:
			p.take(fixture.Step[EntryID]{Kind: fixture.Opened})
			p.Match = newID()
			opened = append(opened, *p)
		case !isPast || stays(f.Due):
			continue
		case f.Status == fixture.Claimed || f.Status == fixture.Disputed:
			p.Result = forfeitFor(*p, f.Winner, now)
		case f.Status == fixture.Arranging && f.Unmet() != 0:
			p.take(fixture.Step[EntryID]{Kind: fixture.ForfeitClaimed, Winner: f.Unmet(), Due: now.Add(ObjectWithin)})
		case f.Status == fixture.Arranging && t.DrawUnmet:
			p.Result = Result{Kind: Drawn, Reason: match.Adjudicated, At: now, Rated: DoubleForfeit}
		case f.Status == fixture.Arranging:
			p.Result = forfeitFor(*p, 0, now)
		default:
			continue
		}
		changed = true
	}
	if changed {
		t.judgeLeavers()
	}
	return opened, changed
}

// Claimed returns the result that a board has if its claimed forfeit stands; Pending where none is claimed.
func (p Pairing) Claimed() ResultKind {
	if p.Fixture == nil || p.Fixture.Status != fixture.Claimed && p.Fixture.Status != fixture.Disputed {
		return Pending
	}
	return forfeitFor(p, p.Fixture.Winner, time.Time{}).Kind
}

// forfeitFor returns the result of a board that its winner has by forfeit; 0: nobody.
func forfeitFor(p Pairing, winner EntryID, now time.Time) Result {
	r := Result{Kind: DoubleForfeit, Reason: match.Forfeit, At: now}
	switch winner {
	case p.First:
		r.Kind = FirstByForfeit
	case p.Second:
		r.Kind = SecondByForfeit
	}
	return r
}

// FixtureEnded does what follows the end of an arranged match that does not count as it is: an absent player may
// object first, and a void match is arranged anew. It reports whether that was so.
func (t *Tournament) FixtureEnded(id match.ID, r match.Result, now time.Time) bool {
	for _, p := range t.fixtures {
		if p.Match != id {
			continue
		}
		var winner EntryID
		switch r.Outcome {
		case match.FirstWins:
			winner = p.First
		case match.SecondWins:
			winner = p.Second
		}
		step, follows := p.Fixture.Ended(r, winner, fixture.Terms{Object: ObjectWithin, Schedule: ArrangeIn}, now)
		if follows {
			p.take(step)
			if step.Kind == fixture.Reopened {
				p.Match = ""
			}
		}
		return follows
	}
	return false
}

// FixtureRef is an arranged board.
type FixtureRef struct {
	Round int
	Pairing
}

// FixturesOf returns the boards that an entry still has to arrange or play, the earliest deadline first; 0: of all.
func (t *Tournament) FixturesOf(id EntryID) (list []FixtureRef) {
	for n, p := range t.fixtures {
		if id == 0 || p.SeatOf(id).Valid() {
			list = append(list, FixtureRef{n, *p})
		}
	}
	slices.SortStableFunc(list, func(a, b FixtureRef) int { return a.Fixture.PlayBy.Compare(b.Fixture.PlayBy) })
	return list
}
