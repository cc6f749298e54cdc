package kernel

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/ledger"
)

// The paths of pages that notices link to.
func ChallengePath(id challenge.ID) string   { return "/c/" + string(id) }
func TournamentPath(id tournament.ID) string { return "/tournaments/" + string(id) }
func FixturePath(id tournament.ID, round, board int) string {
	return fmt.Sprint(TournamentPath(id), "/fixtures/", round, "/", board)
}
func TeamPath(id tournament.ID, team tournament.EntryID) string {
	return fmt.Sprint(TournamentPath(id), "/teams/", team)
}
func StewardPath(id tournament.ID) string { return TournamentPath(id) + "/steward" }
func MatchPath(id match.ID) string        { return "/matches/" + string(id) }
func LadderChallengePath(id ladder.ID, n ladder.ChallengeID) string {
	return LadderPath(id) + "/challenges/" + strconv.Itoa(int(n))
}
func LadderPath(id ladder.ID) string { return "/ladders/" + string(id) }

// Save writes a change of a tournament and tells the players concerned. Whoever plays in it and acts as its
// staff is judged here, and nowhere else (tables.OwnInterest); so is who plays for two teams of a league.
func (a *Kernel) Save(tx *store.Tx, before, after *tournament.Tournament, by player.Viewer, d ledger.Deed) error {
	note, err := tables.OwnInterest(before, after, by, d.Act, d.At)
	if err != nil {
		return JudgesNamed(tx, err)
	}
	if note != nil {
		after.Interests = append(slices.Clone(before.Interests), *note)
	}
	if err := oneTeam(tx, before, after); err != nil {
		return err
	}
	why := ""
	if d.Act == tournament.ActCorrect { // everybody reads this reason; that of other acts stays among staff
		why = d.Reason
	}
	ledger.Account(before, after, by.ID, why)
	if err := tx.SaveTournament(before, after, d); err != nil {
		return err
	}
	if err := a.tellClubFollowers(tx, before, after, by); err != nil {
		return err
	}
	if d.Act == tournament.ActDraft {
		list, err := a.NeighboursInDraft(tx, after)
		if err == nil {
			err = a.TellOfNeighbours(tx, after, len(after.Rounds)+1, list)
		}
		if err != nil {
			return err
		}
	}
	if after.Status.IsOver() && !before.Status.IsOver() {
		if err := tx.EndNotices(notice.TournamentMatter, string(after.ID), a.Now()); err != nil {
			return err
		}
	}
	for _, m := range before.Staff {
		if m.Invited && !after.IsInvited(m.Player) {
			if err := tx.SettleNotices(m.Player, string(after.ID), a.Now(), notice.InvitationMatter.Kinds()...); err != nil {
				return err
			}
		}
	}
	return a.Notify(tx, tournamentNotices(before, after, by)...)
}

// TellCreated tells whom a new tournament concerns: the clubs whose teams are invited.
func (a *Kernel) TellCreated(tx *store.Tx, t *tournament.Tournament, by player.Viewer) error {
	return a.Notify(tx, tournamentNotices(&tournament.Tournament{}, t, by)...)
}

// tournamentNotices are what a change of a tournament means to its players and staff,
// except to whoever made it.
func tournamentNotices(before, after *tournament.Tournament, by player.Viewer) []notice.Notice {
	t := telling{t: after, by: by}
	t.entries(before)
	t.staff(before)
	t.schedule(before)
	t.undone(before)
	for i, r := range after.Rounds {
		if i >= len(before.Rounds) {
			t.paired(r.Number, r.Pairings)
			t.lineUps(tournament.Round{}, r)
			continue
		}
		t.lineUps(before.Rounds[i], r)
		t.corrected(before.Rounds[i], r)
		t.paired(r.Number, changedBoards(before.Rounds[i], r))
		t.arranged(before.Rounds[i], r)
	}
	return t.list
}

// telling collects the notices of one change.
type telling struct {
	t    *tournament.Tournament
	by   player.Viewer
	list []notice.Notice
}

// add tells one player, unless they made the change; the key names the news within the
// tournament.
func (t *telling) add(to player.ID, kind notice.Kind, key string, when time.Time, args ...string) {
	if !t.by.Is(to) {
		t.list = append(t.list, t.notice(to, kind, key, when, args...))
	}
}

func (t *telling) notice(to player.ID, kind notice.Kind, key string, when time.Time, args ...string) notice.Notice {
	n := notice.Notice{To: to, Kind: kind, Key: string(t.t.ID) + "/" + key, URL: TournamentPath(t.t.ID), When: when, Zone: t.t.Zone,
		Args: map[string]string{"Tournament": t.t.Name}}
	for i := 0; i+1 < len(args); i += 2 {
		n.Args[args[i]] = args[i+1]
	}
	return n
}

func (t *telling) entries(before *tournament.Tournament) {
	for _, e := range t.t.Entries {
		old, err := before.Entry(e.ID)
		tell := func(kind notice.Kind, key string) {
			for _, to := range append(slices.Clone(e.Captains), e.Player) { // of a team or of a player
				t.add(to, kind, key, time.Time{})
			}
		}
		now := func(kind notice.Kind) { tell(kind, fmt.Sprint("version/", t.t.Version)) }
		if e.Team != 0 && e.Status == tournament.Requested && (err != nil || old.Status != e.Status) {
			t.askedToJoin(e)
		}
		switch was := old.Status; {
		case e.Status == tournament.Invited && was != e.Status:
			t.ofClubTeam(e, "invited", e.Officers)
		case was == tournament.Invited && e.Status == tournament.Refused:
			t.ofClubTeam(e, "declined", t.t.Judges("", tournament.ActEnter))
		case was == tournament.Invited && (e.Status == tournament.Active || e.Status == tournament.Waiting):
			t.ofClubTeam(e, "accepted", t.t.Judges("", tournament.ActEnter))
		case err != nil:
			tell(notice.Entered, "entry")
		case was == e.Status:
		case was == tournament.Active && e.Status == tournament.Withdrawn:
			now(notice.Removed)
		case was == tournament.Waiting && e.Status == tournament.Active:
			now(notice.Promoted)
		case was == tournament.Requested && e.Status != tournament.Refused && e.Status != tournament.Withdrawn, was == tournament.Refused &&
			e.Status == tournament.Active:
			now(notice.Approved)
		case e.Status == tournament.Refused:
			now(notice.Refused)
		}
	}
}

// ofClubTeam tells people that a club's team is invited, or what the club answered.
func (t *telling) ofClubTeam(e tournament.Entry, how string, people []player.ID) {
	for _, to := range people {
		if !t.by.Is(to) {
			n := t.notice(to, notice.ClubTeam, fmt.Sprint("club-team/", e.ID, "/", t.t.Version), time.Time{}, "Club", cmp.Or(e.Club, e.Name),
				"Player", string(t.by.Handle), "Case", how)
			n.URL = TeamPath(t.t.ID, e.ID)
			t.list = append(t.list, n)
		}
	}
}

// askedToJoin tells the captains of a team who wants to play for it.
func (t *telling) askedToJoin(e tournament.Entry) {
	team, err := t.t.Entry(e.Team)
	if err != nil {
		return
	}
	for _, captain := range team.Heads() {
		if !t.by.Is(captain) {
			n := t.notice(captain, notice.TeamRequest, fmt.Sprint("join/", e.ID, "/", t.t.Version), time.Time{}, "By", e.Name)
			n.URL = TeamPath(t.t.ID, team.ID)
			t.list = append(t.list, n)
		}
	}
}

// lineUps tells captains whom their team meets and until when its line-up is awaited, again if they meet another team.
func (t *telling) lineUps(before, after tournament.Round) {
	due, awaited := t.t.BoardsDueAt()
	for i, m := range after.Teams {
		if !awaited || after.Number != len(t.t.Rounds) || !m.OpenedAt.IsZero() || i < len(before.Teams) && before.Teams[i].First == m.First &&
			before.Teams[i].Second == m.Second {
			continue
		}
		for _, s := range match.Seats {
			us, err := t.t.Entry(m.TeamAt(s))
			if err != nil {
				continue
			}
			them, err := t.t.Entry(m.TeamAt(s.Other()))
			if err != nil {
				continue
			}
			for _, captain := range us.Heads() {
				n := t.notice(captain, notice.LineUpAwaited, fmt.Sprint("line-up/", after.Number, "/", us.ID, "/", them.ID), due,
					"Round", strconv.Itoa(after.Number), "Opponent", them.Name)
				n.URL, n.Until = TeamPath(t.t.ID, us.ID), due
				t.list = append(t.list, n)
			}
		}
	}
}

func (t *telling) staff(before *tournament.Tournament) {
	had := map[player.ID]bool{}
	for _, m := range before.Staff {
		had[m.Player] = true
	}
	for _, m := range t.t.Staff {
		if m.Invited && !had[m.Player] {
			t.add(m.Player, notice.Staff, fmt.Sprint("version/", t.t.Version), time.Time{}, "By", string(t.by.Handle))
		}
	}
}

// schedule tells of the next round whose time has changed.
func (t *telling) schedule(before *tournament.Tournament) {
	if before.Status != tournament.Registration && before.Status != tournament.Running {
		return
	}
	if is := t.t.Settings.Rounds; t.t.Format.PairsByScore() && before.Status == tournament.Running && is != before.Settings.Rounds {
		for _, e := range t.t.Entries {
			if e.Status == tournament.Active {
				t.add(e.Player, notice.RoundsSet, fmt.Sprint("rounds/", is), time.Time{}, "Rounds", strconv.Itoa(is))
			}
		}
		return
	}
	for n := len(t.t.Rounds) + 1; n <= len(t.t.Times); n++ {
		at, fixed := t.t.RoundAt(n)
		old, was := before.RoundAt(n)
		if !fixed || was && old.Equal(at) {
			continue
		}
		for _, e := range t.t.Entries {
			if IsExpected(e, n) {
				t.add(e.Player, notice.Rescheduled, fmt.Sprint(n, "/", at.Unix()), at, "Round", strconv.Itoa(n))
			}
		}
		return
	}
}

// undone tells of a tournament that will not take place, and of a published round that is
// taken back.
func (t *telling) undone(before *tournament.Tournament) {
	if n := len(before.Rounds); n > len(t.t.Rounds) {
		r := before.Rounds[n-1]
		for _, p := range r.Pairings {
			for _, id := range [...]tournament.EntryID{p.First, p.Second} {
				if e, err := t.t.Entry(id); err == nil {
					t.add(e.Player, notice.TakenBack, fmt.Sprint("version/", t.t.Version), time.Time{}, "Round", strconv.Itoa(r.Number))
				}
			}
		}
	}
	isHidden := before.Status == tournament.Registration && t.t.Status == tournament.Draft
	isVain := !before.Status.IsOver() && t.t.Status.IsOver() && len(t.t.Rounds) == 0
	if !isHidden && !isVain {
		return
	}
	for _, e := range t.t.Entries {
		if e.Status == tournament.Active || e.Status == tournament.Waiting || e.Status == tournament.Requested {
			t.add(e.Player, notice.Cancelled, fmt.Sprint("version/", t.t.Version), time.Time{})
		}
	}
}

// changedBoards are the boards of a round with other players or another match.
func changedBoards(before, after tournament.Round) (list []tournament.Pairing) {
	for i, p := range after.Pairings {
		if i >= len(before.Pairings) || p.First != before.Pairings[i].First || p.Second != before.Pairings[i].Second ||
			p.Match != before.Pairings[i].Match {
			list = append(list, p)
		}
	}
	return list
}

// paired tells who meets whom, again after a round is paired anew. An arena has no rounds
// to tell of, by correspondence all begin at once, and nobody wants a letter about each of those matches.
func (t *telling) paired(round int, boards []tournament.Pairing) {
	kind := notice.RoundPaired
	if !t.t.Format.InRounds() || t.t.Pace == tournament.Correspondence {
		kind = notice.MatchOpened
	}
	for _, p := range boards {
		for _, seat := range match.Seats {
			us, err := t.t.Entry(p.EntryAt(seat))
			if err != nil {
				continue
			}
			them, err := t.t.Entry(p.EntryAt(seat.Other()))
			if err != nil {
				continue
			}
			n := t.notice(us.Player, kind, fmt.Sprint("round/", round, "/", t.t.Version), time.Time{}, "Round", strconv.Itoa(round),
				"Opponent", them.Name)
			switch {
			case p.Match != "":
				n.URL = MatchPath(p.Match)
			case p.Fixture != nil:
				n.URL = FixturePath(t.t.ID, round, p.Board)
			}
			t.list = append(t.list, n)
		}
	}
}

// arranged tells of what happened to boards that their players arrange.
func (t *telling) arranged(before, after tournament.Round) {
	for i, p := range after.Pairings {
		if i >= len(before.Pairings) || p.Fixture == nil || before.Pairings[i].Fixture == nil ||
			p.Fixture == before.Pairings[i].Fixture && p.Result.Kind == before.Pairings[i].Result.Kind {
			continue
		}
		was, is := before.Pairings[i].Fixture, p.Fixture
		unplayed := before.Pairings[i].Result.IsPending() && !p.Result.IsPending() && was.Status != fixture.Playing
		for _, seat := range match.Seats {
			us, err := t.t.Entry(p.EntryAt(seat))
			if err != nil {
				continue
			}
			them, err := t.t.Entry(p.EntryAt(seat.Other()))
			if err != nil {
				continue
			}
			tell := func(to player.ID, kind notice.Kind, when time.Time, args ...string) {
				t.add(to, kind, fmt.Sprint("fixture/", after.Number, "/", p.Board, "/", t.t.Version), when, append(args, "Ladder", t.t.Name,
					"Opponent", them.Name, "By", them.Name)...)
				if n := len(t.list); !t.by.Is(to) {
					t.list[n-1].URL = FixturePath(t.t.ID, after.Number, p.Board)
				}
			}
			switch {
			case unplayed:
				tell(us.Player, notice.Unplayed, time.Time{}, "Case", unplayedCase(p.Result.Kind, seat))
			case is.Waived && !was.Waived:
				tell(us.Player, notice.TimeWanted, is.PlayBy, "Case", "again")
			case is.Status == fixture.Scheduled && !is.At.Equal(was.At):
				tell(us.Player, notice.Appointment, is.At)
			case len(is.Times) > len(was.Times):
				if proposed := is.Times[len(is.Times)-1]; proposed.By == them.ID {
					tell(us.Player, notice.LadderTimes, proposed.At)
				}
			case is.Status == fixture.Claimed && was.Status != is.Status && is.Winner != us.ID:
				tell(us.Player, notice.LadderDeadline, is.Due)
			case is.Status == fixture.Disputed && was.Status != is.Status && t.by.Is(them.Player):
				for _, id := range t.t.Judges(them.Player, tournament.ActResult) {
					tell(id, notice.LadderDispute, time.Time{})
				}
			}
		}
	}
}

// unplayedCase is the case of notice.Unplayed for who sits on a seat.
func unplayedCase(k tournament.ResultKind, seat match.Seat) string {
	if seat == match.Second {
		k = k.Swapped()
	}
	switch k {
	case tournament.FirstByForfeit:
		return "won"
	case tournament.SecondByForfeit:
		return "lost"
	case tournament.DoubleForfeit:
		return "both"
	}
	return "drawn"
}

// corrected tells of results that were changed.
func (t *telling) corrected(before, after tournament.Round) {
	for i, p := range after.Pairings {
		if i >= len(before.Pairings) || before.Pairings[i].Result.IsPending() || before.Pairings[i].Result.Kind == p.Result.Kind {
			continue
		}
		for _, id := range [...]tournament.EntryID{p.First, p.Second} {
			if e, err := t.t.Entry(id); err == nil {
				t.add(e.Player, notice.Corrected, fmt.Sprint("version/", t.t.Version), time.Time{}, "Round", strconv.Itoa(after.Number))
			}
		}
	}
}

// TellOfChallenge tells the other player of a challenge offered or answered.
func (a *Kernel) TellOfChallenge(tx *store.Tx, c challenge.Challenge) error {
	if c.Status != challenge.Open {
		err := tx.EndNotices(notice.ChallengeMatter, ChallengePath(c.ID), a.Now())
		if err != nil {
			return err
		}
	}
	kind, to, by := notice.ChallengeReceived, c.Opponent, c.Challenger
	switch c.Status {
	case challenge.Open:
	case challenge.Accepted:
		kind, to, by = notice.ChallengeAccepted, c.Challenger, c.Opponent
	case challenge.Declined:
		kind, to, by = notice.ChallengeDeclined, c.Challenger, c.Opponent
	default:
		return nil
	}
	if to == "" || by == "" {
		return nil
	}
	who, err := tx.Players(by)
	if err != nil || who[by].Bot {
		return err
	}
	n := notice.Notice{To: to, Kind: kind, Key: string(c.ID), URL: ChallengePath(c.ID), Args: map[string]string{"By": string(who[by].Handle)}}
	if c.Status == challenge.Open {
		n.When, n.Until = c.Expires, c.Expires
	}
	return a.Notify(tx, n)
}

// IsExpected reports whether an entry will be paired in a coming round, even before the
// start, when nobody has a number.
func IsExpected(e tournament.Entry, round int) bool {
	away := slices.ContainsFunc(e.Byes, func(b tournament.AskedBye) bool { return b.Round == round })
	return e.Status == tournament.Active && e.From <= round && !away
}
