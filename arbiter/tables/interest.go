package tables

import (
	"errors"
	"reflect"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/tiebreak"
)

// OwnInterest judges a change of a tournament by what it does to whoever makes it, if they are
// staff and play here. It compares the states before and after, so that no act can forget to
// ask. docs/arbiter.md has the line that it draws:
//
//   - What is not settled yet is theirs to do: everything before the start, pairing by the
//     system, opening rounds, and the first results of other boards, which always move everybody.
//   - What decides their own board, pairing or entry, or alters what is settled so that they gain
//     a place, points or a prize, or sets back a rival, is refused with a *fairplay.PartyError,
//     which names the staff for whom it would not be.
//   - What alters what is settled and touches them or a rival otherwise is theirs to do, and noted
//     for everybody to see: the tournament.Interest. Nil: nothing to note.
//
// What everybody may do with their own entry, such as leaving, is nobody's decision.
func OwnInterest(before, after *tournament.Tournament, by player.Viewer, a tournament.Act, now time.Time) (*tournament.Interest, error) {
	if before.DutyOf(by) == 0 {
		return nil, nil
	}
	c, err := consequencesOf(before, after, by.ID, a)
	switch {
	case err != nil || !c.touches:
		return nil, err
	case c.refused == "":
		return &tournament.Interest{Seq: before.Version + 1, Entry: c.entry, Act: a, At: now, Was: c.was, Is: c.is}, nil
	}
	party := &fairplay.PartyError{Case: before.CaseOf(a, by.ID), By: by.ID, Stake: c.refused, Was: c.was, Is: c.is, Rival: c.rival}
	for _, id := range party.CanDecide() {
		other, err := consequencesOf(before, after, id, a)
		if err != nil {
			return nil, err
		}
		if other.refused != "" {
			party.Parties = append(party.Parties, id)
		}
	}
	return nil, party
}

// OwnRuling judges an arbiter's ruling in a match of others that is still played, as OwnInterest
// judges the correction of every other result that it could have had. Who declares its result, or
// has it not count, decides what it does to themselves; a clock or a few moves leave the end to the
// players, and are noted where it touches them. A stop and what follows it decide nothing.
func OwnRuling(t *tournament.Tournament, id match.ID, c match.Command, by player.Viewer, now time.Time) (*tournament.Interest, error) {
	own, plays := t.EntryOf(by.ID)
	possible := []match.Outcome{match.FirstWins, match.SecondWins, match.Draw}
	decides, outcomes := true, possible
	var reason match.Reason
	switch c := c.(type) {
	case match.Declare:
		outcomes = []match.Outcome{c.Outcome}
		if c.Forfeit {
			reason = match.Forfeit
		}
	case match.MakeVoid:
	case match.SetClock, match.TakeBack:
		decides = false
	default:
		return nil, nil
	}
	if !plays {
		return nil, nil
	}
	end := func(o match.Outcome, why match.Reason) (*tournament.Tournament, bool) {
		ended := t.Clone()
		return ended, ended.Record(id, tournament.ResultOf(match.Result{Outcome: o, Reason: why}, now))
	}
	touches := false
	for _, o := range outcomes {
		after, isOpen := end(o, reason)
		if !isOpen {
			return nil, nil
		}
		for _, other := range possible {
			before, _ := end(other, "")
			note, err := OwnInterest(before, after, by, tournament.ActMatch, now)
			if err != nil && (decides || !errors.Is(err, fairplay.ErrParty)) {
				return nil, err
			}
			touches = touches || err != nil || note != nil
		}
	}
	if !touches {
		return nil, nil
	}
	is, err := stake{is: own}.worth(t)
	return &tournament.Interest{Seq: t.Version + 1, Entry: own.ID, Act: tournament.ActMatch, At: now, Was: is.rank, Is: is.rank}, err
}

// OwnStage judges making a later stage that whoever makes it plays in. least is where its players come from if as few go
// on as can: who is among them goes on by their place alone, which is noted. Who goes on because more were chosen, or by a
// play-off for a place of their own, would decide their own entry: a *fairplay.PartyError, as of OwnInterest.
func OwnStage(t *tournament.Tournament, of []*tournament.Tournament, least tournament.Origin, by player.Viewer, now time.Time) (
	*tournament.Interest, error) {
	var chosen []player.ID // by how many go on
	var from *tournament.Tournament
	for _, q := range t.Origin.Seeds {
		e, err := t.Entry(q.Own)
		switch goesOn := slices.ContainsFunc(least.Seeds, q.IsOf); {
		case err != nil:
			return nil, err
		case goesOn && slices.Contains(t.Behind(e.ID), by.ID):
			return &tournament.Interest{Seq: 1, Entry: e.ID, Act: tournament.ActStage, At: now}, nil
		case !goesOn:
			people := t.Behind(e.ID)
			if slices.Contains(people, by.ID) {
				from = of[q.Of]
			}
			chosen = append(chosen, people...)
		}
	}
	if from == nil {
		return nil, nil
	}
	return nil, &fairplay.PartyError{Case: from.CaseOf(tournament.ActStage, chosen...), By: by.ID, Stake: fairplay.StakeEntry}
}

// consequences is what a change does to one player who acts as staff.
type consequences struct {
	entry   tournament.EntryID
	touches bool
	refused fairplay.Stake // what they would decide or gain; empty: nothing
	was, is int            // their place; 0: none
	rival   string         // the name of whom it sets back
}

func consequencesOf(before, after *tournament.Tournament, id player.ID, a tournament.Act) (c consequences, err error) {
	is, entered := ownSide(after, id)
	if !entered {
		return c, nil
	}
	was, _ := before.Entry(is.ID)
	if was.Status == tournament.Withdrawn && is.Status == tournament.Withdrawn { // who leaves, decides and comes back
		before, after = before.Stayed(is.ID), after.Stayed(is.ID)
		was, _ = before.Entry(is.ID)
		is, _ = after.Entry(is.ID)
	}
	w := stake{before: before, after: after, was: was, is: is, by: id, act: a}
	if w.leaves() {
		return c, nil
	}
	c.entry = is.ID
	if c.refused = w.decides(); c.refused != "" {
		c.touches = true
		return c, nil
	}
	turned, altered, back := w.turned() || w.agrees(), w.alters(), w.setsBack()
	if !turned && !altered && len(back) == 0 {
		return c, nil
	}
	old, err := w.worth(before)
	if err != nil {
		return c, err
	}
	fresh, err := w.worth(after)
	if err != nil {
		return c, err
	}
	c.touches, c.was, c.is = turned || len(back) > 0 || !old.equals(fresh), old.rank, fresh.rank
	switch {
	case !altered: // a step of the event's life moves nobody
	case !slices.Equal(w.rivals(before), w.rivals(after)):
		c.touches = true
		if before.Format.HasBracket() {
			c.refused = fairplay.StakePairing
		}
	case fresh.rank < old.rank && fresh.rank > 0:
		c.refused = fairplay.StakePlace
	case fresh.score > old.score:
		c.refused = fairplay.StakePoints
	case fresh.prize > old.prize:
		c.refused = fairplay.StakePrize
	}
	if c.refused == "" {
		c.rival = w.loser(old, fresh, altered, back)
	}
	if c.rival != "" {
		c.refused, c.touches = fairplay.StakeRival, true
	}
	return c, nil
}

// ownSide returns the side whose interest somebody has: their entry, or the team that they play for or are a captain of.
func ownSide(t *tournament.Tournament, id player.ID) (tournament.Entry, bool) {
	e, entered := t.EntryOf(id)
	if !entered && t.HasTeams() {
		if own := t.CaptainOf(player.Viewer{Player: player.Player{ID: id}}); len(own) > 0 {
			return own[0], true
		}
	}
	if entered && e.Team != 0 {
		e, _ = t.Entry(e.Team)
	}
	return e, entered
}

// stake is what somebody who acts has at stake between two states of a tournament.
type stake struct {
	before, after *tournament.Tournament
	was, is       tournament.Entry // their own; was is zero if they enter with this change
	by            player.ID
	act           tournament.Act
}

// leaves reports whether they withdraw, as everybody may.
func (w stake) leaves() bool {
	return w.act == tournament.ActWithdraw && (w.was.Player == w.by || slices.Contains(w.was.Heads(), w.by)) && w.was.Status != tournament.Withdrawn &&
		w.is.Status == tournament.Withdrawn
}

// decides returns what of their own they decide with the change; empty: nothing.
func (w stake) decides() fairplay.Stake {
	switch {
	case w.decidesEntry():
		return fairplay.StakeEntry
	case !slices.EqualFunc(forbidden(w.before, w.is.ID), forbidden(w.after, w.is.ID), slices.Equal), w.movesInDraft(), w.touchesRival(),
		w.before.Status >= tournament.Running && w.before.Policy.OrOpen().Hash() != w.after.Policy.OrOpen().Hash(): // who may come to a board, and how
		return fairplay.StakePairing
	}
	for i, r := range w.before.Rounds {
		if n, m := r.MatchOf(w.is.ID); n > 0 && i < len(w.after.Rounds) && w.after.Rounds[i].Teams[n-1].Lost != m.Lost {
			return fairplay.StakeBoard
		}
		if i < len(w.after.Rounds) && byeOf(r, w.is.ID) != byeOf(w.after.Rounds[i], w.is.ID) {
			return fairplay.StakePairing
		}
		for _, was := range w.boardsOf(r) {
			if what := w.decidesBoard(i, was); what != "" {
				return what
			}
		}
		if i < len(w.after.Rounds) && w.before.Format.InRounds() && w.before.Pace != tournament.Rolling &&
			len(w.boardsOf(w.after.Rounds[i])) > len(w.boardsOf(r)) {
			return fairplay.StakePairing
		}
	}
	return ""
}

// decidesEntry reports whether the change gives them what only staff can give an entry.
func (w stake) decidesEntry() bool {
	wasIn, isIn := w.was.Status == tournament.Active, w.is.Status == tournament.Active
	played := slices.ContainsFunc(w.before.Rounds, func(r tournament.Round) bool { return len(w.boardsOf(r)) > 0 })
	switch old := w.before.Origin; {
	case old != nil && !old.IsAwaited() && old.SeedOf(w.is.ID) != w.after.Origin.SeedOf(w.is.ID):
		return true
	case w.was.ID == 0: // new: nothing but what was waived for it
		return isIn && (w.is.Reason != "" || len(w.is.Waived) > 0)
	case w.before.Status >= tournament.Running && w.joined():
		return true
	case w.was.Player != w.by && !w.before.HasTeams(): // a guest's, linked to their account
		return played
	case w.was.Expelled != w.is.Expelled, w.was.Rating != w.is.Rating && w.act != tournament.ActEnter,
		isIn && !slices.Equal(w.was.Waived, w.is.Waived), !w.before.Settings.AllowsByes(w.was, w.is.Byes):
		return true
	case wasIn || !isIn, w.was.Status == tournament.Invited && slices.Contains(w.was.Heads(), w.by): // their club answers for its team
		return false
	case w.was.Status == tournament.Withdrawn: // back: as players can only if they left by themselves
		return w.before.Returns(w.was) != nil
	}
	return w.act == tournament.ActAccept || w.frees()
}

// joined reports whether the change adds a player to their team.
func (w stake) joined() bool {
	return slices.ContainsFunc(w.after.Roster(w.is.ID), func(e tournament.Entry) bool {
		was, err := w.before.Entry(e.ID)
		return err != nil || was.Status != tournament.Active
	})
}

// frees reports whether the change takes somebody else's place, which the first who waits gets.
func (w stake) frees() bool {
	return slices.ContainsFunc(w.before.Entries, func(e tournament.Entry) bool {
		now, err := w.after.Entry(e.ID)
		return e.ID != w.is.ID && e.Status == tournament.Active && (err != nil || now.Status != tournament.Active)
	})
}

// movesInDraft reports whether somebody has given them another place in a draft; the system may.
func (w stake) movesInDraft() bool {
	was, is := w.before.Draft, w.after.Draft
	if is == nil || !is.Edited || was == nil || was.Number != is.Number {
		return false
	}
	place := func(d *tournament.RoundDraft) (p [2]tournament.EntryID) {
		if i := d.BoardOf(w.is.ID); i >= 0 {
			p = [2]tournament.EntryID{d.Boards[i].First, d.Boards[i].Second}
		}
		return p
	}
	return place(was) != place(is) || (was.Bye == w.is.ID) != (is.Bye == w.is.ID)
}

// touchesRival reports whether they change the standing of whom they play now or next.
func (w stake) touchesRival() bool {
	for _, id := range w.rivals(w.before) {
		was, _ := w.before.Entry(id)
		is, _ := w.after.Entry(id)
		unchecked := slices.ContainsFunc(was.CheckedIn, func(n int) bool { return !slices.Contains(is.CheckedIn, n) })
		left := w.act == tournament.ActWithdraw && is.Status == tournament.Withdrawn && w.before.DidNotCome(id, w.by)
		if !left && was.Status != is.Status || was.Expelled != is.Expelled || unchecked || !slices.Equal(was.Byes, is.Byes) {
			return true
		}
	}
	return false
}

// rivals returns whom they are to play: in the draft, and where a table or bracket says it, on
// open boards and in the next round. In a Swiss results decide that.
func (w stake) rivals(t *tournament.Tournament) (ids []tournament.EntryID) {
	add := func(first, second tournament.EntryID) {
		switch w.is.ID {
		case first:
			ids = append(ids, second)
		case second:
			ids = append(ids, first)
		}
	}
	if t.Draft != nil {
		for _, b := range t.Draft.Boards {
			add(b.First, b.Second)
		}
	}
	if t.Status != tournament.Running || !t.Format.MeetsAll() && !t.Format.HasBracket() {
		return ids
	}
	for _, p := range t.Rounds.Pending() {
		add(t.SideOf(p.First), t.SideOf(p.Second))
	}
	if t.Draft != nil || len(t.Rounds) >= t.Settings.Rounds {
		return ids
	}
	byNumber := map[int]tournament.EntryID{}
	for _, e := range t.Entries {
		byNumber[e.Number] = e.ID
	}
	if t.Format.HasBracket() {
		for _, s := range t.Bracket(len(t.Rounds)).Ready() {
			add(byNumber[s.Sides[0]], byNumber[s.Sides[1]])
		}
		return ids
	}
	next, err := format.System(&t.Table).Pairer.Pair(t.PairingField())
	if err != nil {
		return ids // then nobody plays next
	}
	for _, b := range next.Boards {
		add(byNumber[b.First], byNumber[b.Second])
	}
	return ids
}

// decidesBoard returns what of one of their own boards, in the round at an index, the change
// decides.
func (w stake) decidesBoard(round int, was tournament.Pairing) fairplay.Stake {
	if round >= len(w.after.Rounds) { // the whole round is taken back
		if stands(was) {
			return fairplay.StakeBoard
		}
		return ""
	}
	is, there := ledger.SameBoard(w.after.Rounds[round].Pairings, was)
	switch {
	case !there:
		return fairplay.StakePairing
	case w.act == tournament.ActExtend && !reflect.DeepEqual(was.Fixture, is.Fixture):
		return fairplay.StakeBoard
	case was.Result.Kind == is.Result.Kind && was.Result.RatedKind() == is.Result.RatedKind() && was.Match == is.Match:
		return ""
	}
	if w.isAgreed(was, is) && (!w.isForfeited(is) || len(w.before.JudgesOf(w.act, w.before.Rounds[round].Number, was.Board)) == 0) {
		return ""
	}
	return fairplay.StakeBoard
}

// isAgreed reports whether it is the first result of a board on which two people at a table agree,
// of whom one has no account.
func (w stake) isAgreed(was, is tournament.Pairing) bool {
	hasGuest := slices.ContainsFunc(w.after.Entries, func(e tournament.Entry) bool { return is.SeatOf(e.ID).Valid() && e.IsGuest() })
	return w.act == tournament.ActResult && was.Result.IsPending() && !is.Result.IsPending() && is.Match == "" && hasGuest
}

// isForfeited reports whether their opponent is absent by the result of a board, and so agrees on
// nothing.
func (w stake) isForfeited(p tournament.Pairing) bool {
	lost := tournament.SecondByForfeit
	if w.after.SeatFor(p, w.is.ID) == match.Second {
		lost = tournament.FirstByForfeit
	}
	return p.Result.Kind >= tournament.FirstByForfeit && p.Result.Kind != lost
}

// agrees reports whether they enter the first result of a board of theirs.
func (w stake) agrees() bool {
	for i, r := range w.before.Rounds {
		for _, was := range w.boardsOf(r) {
			if i >= len(w.after.Rounds) {
				return false
			}
			if is, there := ledger.SameBoard(w.after.Rounds[i].Pairings, was); there && w.isAgreed(was, is) {
				return true
			}
		}
	}
	return false
}

// stands reports whether a board has a result that somebody played for or decided; absences are
// found again when the round is.
func stands(p tournament.Pairing) bool {
	return !p.Result.IsPending() && (p.Match != "" || p.Result.By != "" || p.Result.Reason != match.Forfeit)
}

// turned reports whether the change is a step of the event's life that is somebody's decision
// while they play in it: a step back, an early end, a sign-off, a stop of running matches.
func (w stake) turned() bool {
	if w.before.Status < tournament.Running || w.is.Number == 0 && w.was.Number == 0 {
		return false
	}
	b, a := w.before, w.after
	return a.Status < b.Status || len(a.Rounds) < len(b.Rounds) || w.act == tournament.ActFinish ||
		a.Status == tournament.Finalized && b.Status != tournament.Finalized ||
		len(a.Timetable.Pause.Matches) > len(b.Timetable.Pause.Matches) && w.isPaused() ||
		w.entersLate() || w.pairsByHand()
}

// pairsByHand reports whether they change who meets whom, of others, against the system.
func (w stake) pairsByHand() bool {
	was, is := w.before.Draft, w.after.Draft
	return w.act == tournament.ActRepair || w.act == tournament.ActDraft && was != nil && is != nil && is.Edited && was.Number == is.Number &&
		(!slices.Equal(was.Boards, is.Boards) || was.Bye != is.Bye)
}

// isPaused reports whether a match of theirs is among those that are stopped.
func (w stake) isPaused() bool {
	for _, p := range w.after.Rounds.Pending() {
		if w.after.SeatFor(p, w.is.ID).Valid() && slices.Contains(w.after.Timetable.Pause.Matches, p.Match) {
			return true
		}
	}
	return false
}

// entersLate reports whether they enter later than players can.
func (w stake) entersLate() bool {
	return w.before.Format.PairsByScore() && w.was.Status != tournament.Active && w.is.Status == tournament.Active &&
		w.act == tournament.ActEnter && len(w.before.Rounds) >= w.before.Settings.Entry.LateUntil
}

// alters reports whether the change alters anything that is settled.
func (w stake) alters() bool {
	b, a := w.before, w.after
	if b.Status < tournament.Running {
		return false
	}
	if altersRules(b.Settings, a.Settings) {
		return true
	}
	for i, was := range b.Entries {
		is := a.Entries[i]
		if was.Number > 0 && was.ID != w.is.ID && (was.Status != is.Status || was.Expelled != is.Expelled || was.Born != is.Born ||
			was.Rating != is.Rating || was.Club != is.Club || was.From != is.From || was.LateBye != is.LateBye) {
			return true
		}
	}
	for i, r := range b.Rounds {
		if i >= len(a.Rounds) {
			if slices.ContainsFunc(r.Pairings, stands) {
				return true
			}
			continue
		}
		for _, was := range r.Pairings {
			is, there := ledger.SameBoard(a.Rounds[i].Pairings, was)
			switch {
			case there && was.Result.Kind == is.Result.Kind && was.Result.RatedKind() == is.Result.RatedKind():
			case was.Result.IsPending() && there:
			case there && is.Result.IsPending() && w.act == tournament.ActResult && was.Result.By == w.by: // a slip of theirs (TakeResultBack)
			default:
				return true
			}
		}
		if !slices.Equal(r.Byes, a.Rounds[i].Byes) {
			return true
		}
	}
	return false
}

// setsBack returns the others whom the change keeps from playing on: it withdraws or disqualifies
// them, checks them out, gives them another bye than they had, decides that their team forfeits a match, or sends one of its players
// away from a board.
func (w stake) setsBack() (list []tournament.Entry) {
	if w.before.Status < tournament.Running {
		return nil
	}
	for i, was := range w.before.Entries {
		is := w.after.Entries[i]
		out := slices.ContainsFunc(was.CheckedIn, func(n int) bool { return n > len(w.before.Rounds) && !slices.Contains(is.CheckedIn, n) })
		if was.ID != w.is.ID && was.Status == tournament.Active &&
			(is.Status != tournament.Active || out || !slices.Equal(was.Byes, is.Byes)) {
			list = append(list, was)
		}
	}
	for i, was := range w.before.Rounds {
		if i >= len(w.after.Rounds) || len(was.Teams) != len(w.after.Rounds[i].Teams) {
			break
		}
		for n, m := range was.Teams {
			for _, s := range match.Seats {
				if w.worsens(i, n+1, s) && m.TeamAt(s) != w.is.ID {
					team, _ := w.before.Entry(m.TeamAt(s))
					list = append(list, team)
				}
			}
		}
	}
	return list
}

// worsens reports whether a match of teams in the round at an index is decided against the team at a seat: it forfeits the match, or
// the other team does no more, or fewer of its players sit at the boards that are open.
func (w stake) worsens(round, n int, s match.Seat) bool {
	was, is := w.before.Rounds[round], w.after.Rounds[round]
	a, b := was.Teams[n-1], is.Teams[n-1]
	if a.First != b.First || a.Second != b.Second {
		return false
	}
	there := func(r tournament.Round) (players int) {
		for k, p := range r.BoardsOf(n) {
			if p.EntryAt(tournament.TeamSeat(k+1, s)) != a.TeamAt(s) {
				players++
			}
		}
		return players
	}
	mine, theirs := s.Index(), s.Other().Index()
	return !a.Lost[mine] && b.Lost[mine] || a.Lost[theirs] && !b.Lost[theirs] || there(was) > there(is)
}

// loser returns the name of a rival who loses by the change, more than the actor does: points or a
// place by what it alters, or their part in what is to come (back). A rival stands level with them
// or above. For a guest without an account somebody has to speak, and
// whoever did not come to their last board has left; so withdrawing them is only noted.
func (w stake) loser(old, fresh worth, altered bool, back []tournament.Entry) string {
	isRival := func(e tournament.Entry) bool {
		side := w.before.SideOf(e.ID)
		l, there := old.others[side]
		return side != w.is.ID && there && old.rank > 0 && l.Rank <= old.rank
	}
	for _, e := range back {
		is, _ := w.after.Entry(e.ID)
		if isRival(e) && (is.Expelled || len(w.before.Behind(e.ID)) > 0 && !w.before.DidNotCome(e.ID, w.by)) {
			return e.Name
		}
	}
	if !altered || w.before.Settings.Points != w.after.Settings.Points {
		return "" // other points move everybody: their own gain counts
	}
	for _, e := range w.before.Entries {
		was, is := old.others[e.ID], fresh.others[e.ID]
		if isRival(e) && is.Rank > 0 && (was.Score-is.Score > old.score-fresh.score || is.Rank-was.Rank > fresh.rank-old.rank) {
			return e.Name
		}
	}
	return ""
}

// altersRules reports whether settings differ that decide places and prizes.
func altersRules(a, b tournament.Settings) bool {
	return a.Points != b.Points || !slices.Equal(a.Tiebreaks, b.Tiebreaks) || a.Leave != b.Leave || a.Expulsion != b.Expulsion ||
		a.Rated != b.Rated || a.Entry.LateBye != b.Entry.LateBye || a.Entry.HalfByes != b.Entry.HalfByes ||
		a.Entry.HalfUntil != b.Entry.HalfUntil || a.Entry.ByeLimit != b.Entry.ByeLimit || a.Format.PairsByScore() && a.Rounds != b.Rounds ||
		!reflect.DeepEqual(a.Prizes, b.Prizes)
}

// worth is what a state of a tournament gives a player.
type worth struct {
	rank   int
	score  tournament.Score
	values []tiebreak.Value
	prize  int64
	number int
	rules  tournament.Settings
	others map[tournament.EntryID]format.Standing
}

func (a worth) equals(b worth) bool {
	return a.rank == b.rank && a.score == b.score && a.prize == b.prize && a.number == b.number &&
		slices.Equal(a.values, b.values) &&
		!altersRules(a.rules, b.rules)
}

// worth returns what a state gives them.
func (w stake) worth(t *tournament.Tournament) (x worth, err error) {
	x.rules = t.Settings
	if own, err := t.Entry(w.is.ID); err == nil {
		x.number = own.Number
	}
	table, err := format.Standings(t, -1)
	if err != nil {
		return x, err
	}
	x.others = make(map[tournament.EntryID]format.Standing, len(table.Lines))
	for _, l := range table.Lines {
		x.others[l.Entry.ID] = l
	}
	l := x.others[w.is.ID]
	x.rank, x.score, x.values = l.Rank, l.Score, l.Values
	prizes, err := AllotPrizes(t)
	for _, l := range prizes.Lines {
		if t.SideOf(l.Entry.ID) == w.is.ID {
			x.prize += l.Amount
		}
	}
	return x, err
}

// boardsOf returns their boards in a round: an arena has several, and so has a team.
func (w stake) boardsOf(r tournament.Round) []tournament.Pairing {
	return slices.DeleteFunc(slices.Clone(r.Pairings), func(p tournament.Pairing) bool { return !w.after.SeatFor(p, w.is.ID).Valid() })
}

// byeOf returns an entry's bye in a round; the zero Bye: none.
func byeOf(r tournament.Round, id tournament.EntryID) tournament.Bye {
	if i := slices.IndexFunc(r.Byes, func(b tournament.Bye) bool { return b.Entry == id }); i >= 0 {
		return r.Byes[i]
	}
	return tournament.Bye{}
}

// forbidden returns whom an entry may not meet, and when.
func forbidden(t *tournament.Tournament, id tournament.EntryID) (list [][]tournament.EntryID) {
	for _, f := range t.Forbidden {
		if slices.Contains(f.Entries, id) {
			list = append(list, append(slices.Clone(f.Entries), tournament.EntryID(f.From), tournament.EntryID(f.To)))
		}
	}
	return list
}
