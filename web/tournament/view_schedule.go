package tournament

import (
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// standstill says what holds a tournament up, other than matches in play and the wait for the start.
func (s pages) standstill(c echo.Context, t *tournament.Tournament) ([]eventview.BlockerLine, error) {
	blockers, err := s.Arbiter.Events.Blockers(c.Request().Context(), t)
	sees := words.SeesBoards(page.Viewer(c), t)
	blockers = slices.DeleteFunc(blockers, func(b outlook.Blocker) bool {
		return b.What == outlook.BlockLineUps || b.What == outlook.BlockBoard || b.What == outlook.BlockStart || b.What == outlook.BlockWaiting || b.What == outlook.BlockGuest ||
			b.Board > 0 && !sees
	})
	return event.BlockerLines(s.Printer(c), t, blockers, false), err
}

// readyBody renders what stands between the viewer and their next match.
func (s pages) readyBody(c echo.Context, t *tournament.Tournament) (tournamentview.ReadyBody, error) {
	p, v := s.Printer(c), page.Viewer(c)
	b := tournamentview.ReadyBody{URL: words.TournamentURL(t.ID)}
	e, entered := t.EntryOf(v.ID)
	switch {
	case !entered:
		b.State = p.T("schedule.ready.not-in")
		return b, nil
	case t.Status >= tournament.Finished:
		b.State = p.T("home.status." + t.Status.String())
		return b, nil
	case e.Status == tournament.Withdrawn:
		b.State = p.T("tournament.you-left")
		return b, nil
	}
	if round, pair, seat := ownBoard(t, v); round > 0 {
		return b, s.readyBoard(c, t, &b, round, pair, seat)
	}
	s.readyWait(p, t, e, v, &b)
	blockers, err := s.Arbiter.Events.Blockers(c.Request().Context(), t)
	blockers = slices.DeleteFunc(blockers, func(b outlook.Blocker) bool { return b.What == outlook.BlockLineUps }) // the round says from whom
	if !words.SeesBoards(v, t) {
		blockers = slices.DeleteFunc(blockers, func(b outlook.Blocker) bool { return b.Board > 0 })
	}
	if t.Rolls() {
		feeds := feedsOf(t, e)
		blockers = slices.DeleteFunc(blockers, func(b outlook.Blocker) bool { return b.Board > 0 && !feeds(b.Round, b.Board) })
	}
	b.Waits = event.BlockerLines(p, t, blockers, false)
	return b, err
}

// readyBoard is readyBody for a player with an open board.
func (s pages) readyBoard(c echo.Context, t *tournament.Tournament, b *tournamentview.ReadyBody, round int,
	pair tournament.Pairing, seat match.Seat) error {
	p, ctx, now := s.Printer(c), c.Request().Context(), s.Now()
	b.State = p.T("schedule.ready.board", "Round", round, "Board", words.BoardInRound(t, round, pair.Board))
	if pair.Match == "" && pair.Fixture != nil {
		b.Facts = append(b.Facts, words.Fact(p.T("schedule.ready.how"), p.T("fixture.how")))
		return nil
	}
	if pair.Match == "" {
		b.Facts = append(b.Facts, words.Fact(p.T("schedule.ready.how"), p.T("schedule.ready.by-hand")))
		return nil
	}
	state, head, err := s.Live.State(ctx, pair.Match)
	if err != nil {
		return err
	}
	var seen map[match.ID]map[player.ID]time.Time
	var gate *templates.CheckInNote // if the match demands a check-in
	if err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if gate, err = s.CheckInNote(tx, p, live.View{State: state, Head: head}, seat); err != nil {
			return err
		}
		seen, err = tx.SeenIn([]match.ID{pair.Match})
		return err
	}); err != nil {
		return err
	}
	b.MatchURL = words.MatchURL(pair.Match)
	for _, at := range [...]match.Seat{seat, seat.Other()} {
		e, _ := t.Entry(pair.EntryAt(at))
		line := tournamentview.ReadyPlayer{Name: words.EntryName(p, e), Role: words.SeatText(p, at), Ready: p.T("schedule.ready.no")}
		if state.IsReady(at) || state.Status() != match.Waiting {
			line.Ready = p.T("schedule.ready.yes")
		}
		there := call.ConnectionAt(seen[pair.Match][head.Players[at.Index()]], now)
		if head.Bots[at.Index()] || at == seat {
			there = call.Present
		}
		line.Presence, line.PresenceText = there.String(), p.T("calls.presence."+there.String())
		b.Players = append(b.Players, line)
	}
	if state.Status() != match.Waiting {
		b.Facts = append(b.Facts, words.Fact(p.T("schedule.ready.how"), p.T("schedule.ready.runs")))
		return nil
	}
	if gate != nil && gate.Needed != "" {
		b.CheckInURL, b.CheckInWhy = gate.URL, gate.Needed
	}
	b.MayReady = gate == nil && !state.IsReady(seat)
	if state.Options().Odds && b.MayReady { // players bid for draw odds at the match
		b.MayReady = false
		b.Facts = append(b.Facts, words.Fact(p.T("match.odds.title"), p.T("match.odds.at-board")))
	}
	if due, ok := state.Deadline(); ok {
		untilOf(b, p.T("schedule.ready.until", "Time", p.When(due)), due)
	}
	if from, ok := state.ForfeitClaim(seat); ok {
		if open := !now.Before(from); open {
			b.Claim = gate == nil
		} else {
			b.ClaimFrom = p.T("schedule.claim-from", "Time", p.When(from))
		}
	}
	return nil
}

// readyWait is readyBody between two matches.
func (s pages) readyWait(p lang.Printer, t *tournament.Tournament, e tournament.Entry, v player.Viewer, b *tournamentview.ReadyBody) {
	n := len(t.Rounds) + 1
	b.State = p.T("schedule.state.between", "Round", n)
	if t.Status == tournament.Running && !t.RoundIsOver() {
		b.State = p.T("schedule.ready.free", "Round", len(t.Rounds))
	}
	if next := nextOpponent(p, t, e); next != "" {
		b.State = next
	}
	if e.Team != 0 {
		teamWait(p, t, e, b)
	}
	at, known := t.RoundAt(n)
	if next, opens := t.NextMatchOf(e); opens {
		at, known = next.At, true
	}
	if known {
		untilOf(b, p.T("schedule.ready.opens", "Time", p.On(at)), at)
	}
	if w, ok := t.CheckInWindow(); ok {
		if e.Team != 0 {
			e, _ = t.Entry(e.Team) // teams check in
		}
		state := p.T("schedule.absent")
		if t.IsPresent(e, w.Round) {
			state = p.T("schedule.present")
		}
		b.Facts = append(b.Facts, templates.TournamentFact{Name: words.CheckInTitle(p, t, w.Round), Value: state, Hint: words.WindowText(p, w)})
		if t.MayCheckIn(v, e.ID, s.Now()) == nil {
			b.MayCheckIn, b.MayCheckOut = !t.IsPresent(e, w.Round), t.IsPresent(e, w.Round)
		}
	}
	if n := len(e.Missed); n > 0 {
		b.Facts = append(b.Facts, words.Fact(p.T("schedule.missed"), p.N("schedule.missed-count", n)))
	}
}

// teamWait tells a player what their team plays in the round in play: against whom, and whether line-ups are awaited.
func teamWait(p lang.Printer, t *tournament.Tournament, e tournament.Entry, b *tournamentview.ReadyBody) {
	if t.Status != tournament.Running || len(t.Rounds) == 0 || t.RoundIsOver() {
		return
	}
	r := t.Rounds[len(t.Rounds)-1]
	n, m := r.MatchOf(e.Team)
	if n == 0 {
		return
	}
	first, _ := t.Entry(m.First) // they are in the tournament
	second, _ := t.Entry(m.Second)
	b.State = p.T("teams.round-match", "Round", r.Number, "First", first.Name, "Second", second.Name)
	due, _ := t.BoardsDueAt()
	_, sits := r.BoardOf(e.ID)
	switch scores := t.ScoreOf(r, n); {
	case m.OpenedAt.IsZero():
		untilOf(b, p.T("teams.line-ups-until", "Time", p.When(due)), due)
	case sits:
		b.Facts = append(b.Facts, words.Fact(p.T("tournament.result"), words.GamesText(p, scores[0], scores[1])))
	default:
		b.Facts = append(b.Facts, templates.TournamentFact{Name: p.T("tournament.result"), Value: words.GamesText(p, scores[0], scores[1]),
			Hint: p.T("teams.left-out")})
	}
}

// untilOf sets the countdown of the ready room.
func untilOf(b *tournamentview.ReadyBody, text string, at time.Time) {
	b.Until, b.UntilStamp = text, at.UTC().Format(time.RFC3339)
}
