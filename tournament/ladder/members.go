package ladder

import (
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/fixture"
)

// Candidate is somebody who wants to join.
type Candidate struct {
	Player player.ID
	Rating int
	Bot    bool
	Member bool // member of the ladder's club
	// Standing is what the candidate has of the demands of fair play.
	Standing fairplay.Standing
}

// MayJoin returns nil or why the candidate cannot join.
func (l *Ladder) MayJoin(by Actor, c Candidate) error {
	switch {
	case c.Player == "" || by.Player != c.Player && !by.Directs:
		return ErrNotAllowed
	case l.Place(c.Player) > 0:
		return ErrOnLadder
	case c.Bot:
		return ErrBot
	case l.Settings.MembersOnly && !c.Member:
		return ErrMembersOnly
	case len(l.Rungs) >= MaxRungs:
		return ErrFull
	}
	return l.Settings.Policy.OrOpen().Admit(c.Standing, by.Player == c.Player)
}

// Join adds a player to the ladder.
func (l *Ladder) Join(by Actor, c Candidate, now time.Time) error {
	if err := l.MayJoin(by, c); err != nil {
		return err
	}
	to := len(l.Rungs) + 1
	if l.Settings.Placement == ByRating {
		for to > 1 && l.Rungs[to-2].Rating < c.Rating {
			to--
		}
	}
	l.record(Event{Kind: Joined, By: by.Player, Player: c.Player, To: to, Rating: c.Rating}, now)
	return nil
}

// Seed adds players below all others in the order of a tournament's final standings,
// skipping those who cannot join, and returns how many it added.
func (l *Ladder) Seed(by Actor, order []Candidate, now time.Time) (int, error) {
	if !by.Directs {
		return 0, ErrNotAllowed
	}
	n := 0
	for _, c := range order {
		if l.MayJoin(by, c) == nil {
			l.record(Event{Kind: Joined, By: by.Player, Player: c.Player, To: len(l.Rungs) + 1, Rating: c.Rating}, now)
			n++
		}
	}
	return n, nil
}

// Leave removes a player, but not during a match: challenges to them are won by the
// challengers, those they have sent are withdrawn.
func (l *Ladder) Leave(by Actor, id player.ID, now time.Time) error {
	if by.Player != id && !by.Directs {
		return ErrNotAllowed
	}
	if l.Place(id) == 0 {
		return ErrNotOnLadder
	}
	var mine []Challenge
	for _, c := range l.Challenges {
		if c.Is(id) {
			if c.Status == fixture.Playing {
				return ErrPlaying
			}
			mine = append(mine, c)
		}
	}
	for _, c := range mine {
		winner := player.ID("")
		if c.Defender == id || c.Status != Proposed {
			winner = c.Opponent(id)
		}
		l.end(Event{Challenge: c.Number, Ending: Left, Player: winner, By: by.Player}, now)
	}
	l.record(Event{Kind: LeftLadder, By: by.Player, Player: id, From: l.Place(id)}, now)
	return nil
}

// Move puts a player on a place by decision of the organizer.
func (l *Ladder) Move(by Actor, id player.ID, to int, text string, now time.Time) error {
	from := l.Place(id)
	switch {
	case !by.Directs:
		return ErrNotAllowed
	case from == 0:
		return ErrNotOnLadder
	case to < 1 || to > len(l.Rungs):
		return ErrNoPlace
	case to == from:
		return nil
	}
	text, err := fixture.CleanText(text)
	if err != nil {
		return err
	}
	l.record(Event{Kind: Moved, By: by.Player, Player: id, From: from, To: to, Text: text}, now)
	return nil
}

// VacationLeft returns how much vacation a player has left in the year of now.
func (l *Ladder) VacationLeft(id player.ID, now time.Time) time.Duration {
	r, on := l.RungOf(id)
	if !on {
		return 0
	}
	used := r.VacationUsed
	if r.VacationYear != now.UTC().Year() {
		used = 0
	}
	if r.OnVacation() {
		used += now.Sub(r.VacationFrom)
	}
	return max(0, l.Settings.Vacation-used)
}

// StartVacation pauses everything of a player except a running match: challenges,
// deadlines, appointments and inactivity. It ends by itself when no vacation is left.
func (l *Ladder) StartVacation(by Actor, now time.Time) error {
	r, on := l.RungOf(by.Player)
	left := l.VacationLeft(by.Player, now)
	switch {
	case !on:
		return ErrNotOnLadder
	case r.OnVacation():
		return ErrVacation
	case left < time.Hour:
		return ErrNoVacation
	}
	l.record(Event{Kind: VacationStarted, By: by.Player, Player: by.Player, Due: now.Add(left)}, now)
	for _, c := range l.Challenges {
		if c.Is(by.Player) && !c.IsPaused() && c.Status != fixture.Playing && c.Status != fixture.Disputed {
			l.record(Event{Kind: Paused, Player: by.Player, Challenge: c.Number}, now)
		}
	}
	return nil
}

// pauseIfAway pauses a challenge whose match ended during a vacation.
func (l *Ladder) pauseIfAway(n ChallengeID, now time.Time) {
	c := l.challenge(n)
	for _, id := range []player.ID{c.Challenger, c.Defender} {
		if r, _ := l.RungOf(id); r.OnVacation() {
			l.record(Event{Kind: Paused, Player: id, Challenge: n}, now)
			return
		}
	}
}

// EndVacation resumes everything.
func (l *Ladder) EndVacation(by Actor, now time.Time) error {
	if r, on := l.RungOf(by.Player); !on || !r.OnVacation() {
		return fixture.ErrNotNow
	}
	l.endVacation(by.Player, by.Player, now)
	return nil
}

func (l *Ladder) endVacation(id, by player.ID, now time.Time) {
	l.record(Event{Kind: VacationOver, By: by, Player: id}, now)
	for _, c := range l.Challenges {
		if !c.Is(id) || !c.IsPaused() {
			continue
		}
		if other, _ := l.RungOf(c.Opponent(id)); other.OnVacation() {
			continue
		}
		stood := now.Sub(c.Paused)
		e := Event{Kind: Resumed, Challenge: c.Number, Due: c.Due.Add(stood)}
		if !c.PlayBy.IsZero() {
			e.PlayBy = c.PlayBy.Add(stood)
		}
		l.record(e, now)
	}
}
