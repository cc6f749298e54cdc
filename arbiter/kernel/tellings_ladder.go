package kernel

import (
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
)

// TellOfLadder tells the players of a ladder what its fresh events mean to them.
func (a *Kernel) TellOfLadder(tx *store.Tx, l *ladder.Ladder) error {
	var ids []player.ID
	for _, c := range append(slices.Clone(l.Challenges), l.Ended()...) {
		ids = append(ids, c.Challenger, c.Defender)
	}
	who, err := tx.Players(ids...)
	if err != nil {
		return err
	}
	for _, c := range l.Ended() {
		if err := tx.EndNotices(notice.DuelMatter, LadderChallengePath(l.ID, c.Number), a.Now()); err != nil {
			return err
		}
	}
	t := ladderTelling{l: l, who: who}
	for _, e := range l.Fresh() {
		t.event(e)
	}
	return a.Notify(tx, t.list...)
}

// ladderTelling collects the notices of a ladder's events.
type ladderTelling struct {
	l    *ladder.Ladder
	who  map[player.ID]player.Player
	list []notice.Notice
}

func (t *ladderTelling) event(e ladder.Event) {
	if e.Kind == ladder.Warned {
		t.list = append(t.list, notice.Notice{
			To: e.Player, Kind: notice.LadderDecaySoon, Key: fmt.Sprint(t.l.ID, "/", e.Seq), URL: LadderPath(t.l.ID),
			When: e.Due, Until: e.Due, Args: map[string]string{"Ladder": t.l.Settings.Name},
		})
		return
	}
	c, found := t.challenge(e.Challenge)
	if !found {
		return
	}
	other := func(kind notice.Kind, when time.Time) { t.add(c, c.Opponent(e.By), kind, e, when) }
	switch e.Kind {
	case ladder.Sent:
		t.add(c, c.Defender, notice.LadderChallenge, e, e.Due)
	case ladder.Agreed:
		t.add(c, c.Challenger, notice.ChallengeAccepted, e, time.Time{})
	case fixture.TimeProposed:
		other(notice.LadderTimes, e.Time)
	case fixture.Appointed:
		other(notice.Appointment, e.Time)
	case fixture.Opened:
		for _, id := range [...]player.ID{c.Challenger, c.Defender} {
			t.add(c, id, notice.MatchOpened, e, time.Time{})
			t.list[len(t.list)-1].URL = MatchPath(e.Match)
		}
	case fixture.ForfeitClaimed:
		for _, id := range [...]player.ID{c.Challenger, c.Defender} {
			if id != e.Player {
				t.add(c, id, notice.LadderDeadline, e, e.Due)
			}
		}
	case fixture.Objected:
		t.add(c, t.l.Organizer, notice.LadderDispute, e, time.Time{})
		t.list[len(t.list)-1].Args["By"] = string(t.who[e.By].Handle)
	case ladder.ChallengeEnded:
		t.ended(c, e)
	}
}

// ended tells those who did not end it themselves, unless it was played.
func (t *ladderTelling) ended(c ladder.Challenge, e ladder.Event) {
	switch e.Ending {
	case ladder.Played:
	case ladder.Declined:
		t.add(c, c.Challenger, notice.ChallengeDeclined, e, time.Time{})
	default:
		for _, id := range [...]player.ID{c.Challenger, c.Defender} {
			if id != e.By {
				t.add(c, id, notice.LadderEnded, e, time.Time{})
			}
		}
	}
}

func (t *ladderTelling) add(c ladder.Challenge, to player.ID, kind notice.Kind, e ladder.Event, when time.Time) {
	opponent := string(t.who[c.Opponent(to)].Handle)
	n := notice.Notice{
		To: to, Kind: kind, Key: fmt.Sprint(t.l.ID, "/", e.Seq), URL: LadderChallengePath(t.l.ID, c.Number), When: when,
		Args: map[string]string{"Ladder": t.l.Settings.Name, "Opponent": opponent, "By": opponent},
	}
	if kind == notice.LadderChallenge || kind == notice.LadderDeadline {
		n.Until = when
	}
	t.list = append(t.list, n)
}

// challenge is a running challenge, or one that has just ended.
func (t *ladderTelling) challenge(n ladder.ChallengeID) (ladder.Challenge, bool) {
	for _, list := range [...][]ladder.Challenge{t.l.Challenges, t.l.Ended()} {
		if i := slices.IndexFunc(list, func(c ladder.Challenge) bool { return c.Number == n }); i >= 0 {
			return list[i], true
		}
	}
	return ladder.Challenge{}, false
}
