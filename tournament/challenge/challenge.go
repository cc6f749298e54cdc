// Package challenge decides how two players come to a match of their own: who
// may challenge whom and on what, who may accept, decline or withdraw, and until
// when. It refuses to know how a match is played, what a rating becomes, and
// where any of it is kept.
package challenge

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// ID names one challenge for good; whoever has it has the link.
type ID string

// Status is what has become of a challenge.
type Status uint8

const (
	Open      Status = iota + 1 // waits for an answer
	Accepted                    // there is a match
	Declined                    // by the player it was for
	Withdrawn                   // by the challenger
	Expired                     // nobody answered in time
)

var statusNames = [...]string{"", "open", "accepted", "declined", "withdrawn", "expired"}

func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return ""
}

// Why something may not be done.
var (
	ErrNotAllowed = refusal.Forbidden("error.forbidden", "challenge: not allowed")
	ErrSelf       = refusal.Invalid("challenge.error.self", "challenge: players cannot challenge themselves")
	ErrNotWanted  = refusal.Invalid("place.error.not-wanted", "challenge: the player accepts no challenges from this player")
	ErrBotRated   = refusal.Invalid("challenge.error.bot-rated", "challenge: a match against a bot is not rated")
	ErrGuestRated = refusal.Forbidden("guest.error.rated", "challenge: guests play unrated and without fair-play requirements")
	ErrTooMany    = refusal.Invalid("challenge.error.many-open", "challenge: too many open challenges")
	ErrTwice      = refusal.Conflict("challenge.error.twice", "challenge: already challenged")
	ErrClosed     = refusal.Conflict("challenge.error.closed", "challenge: already answered")
	ErrExpired    = refusal.Conflict("challenge.error.expired", "challenge: expired")
	ErrNotForYou  = refusal.Forbidden("challenge.error.not-for-you", "challenge: addressed to somebody else")
	ErrNotOver    = refusal.Conflict("challenge.error.not-over", "challenge: the match is not over")
	ErrNotPlayed  = refusal.Forbidden("challenge.error.not-played", "challenge: a rematch is for the two who played")
)

// MostOpen is how many challenges of one player may wait for an answer.
const MostOpen = 20

// Challenge is one player's offer to another, or to whoever has the link.
type Challenge struct {
	ID         ID
	Challenger player.ID
	// Opponent is whom it is for, and once it is accepted who accepted; empty
	// while it waits for whoever has the link.
	Opponent player.ID
	ByLink   bool
	// Seat is the challenger's: First, who bids first (Rules 5.3), save in a
	// rematch, where the seats are those of the match before, swapped.
	Seat     match.Seat
	Settings Settings
	Status   Status
	Match    match.ID // once it is accepted
	Rematch  match.ID // the match this is a rematch of; empty: none

	Created, Expires time.Time
	Closed           time.Time // when it was answered, withdrawn or found expired
	RatedAt          time.Time // when its result was applied to the ratings
}

// New is a challenge to a player, or with the zero player to whoever has the
// link. open is how many of the challenger's wait already. The error of the
// settings is a *setting.Error.
func New(id ID, by player.Viewer, to player.Player, s Settings, open int, now time.Time) (Challenge, error) {
	switch {
	case !by.MayPlay() || by.Bot:
		return Challenge{}, ErrNotAllowed
	case by.Is(to.ID):
		return Challenge{}, ErrSelf
	case to.Bot && s.Rated:
		return Challenge{}, ErrBotRated // a bot accepts as often as one likes
	case (by.Guest || to.Guest) && s.forAccounts():
		return Challenge{}, ErrGuestRated
	case open >= MostOpen && !to.IsHouse():
		return Challenge{}, ErrTooMany
	case to.Bot && !s.Policy.OrOpen().Bots:
		return Challenge{}, s.Policy.Admit(fairplay.Standing{}, false)
	}
	if to.IsHouse() {
		s.Lateness = max(HouseLateness, s.BidTime) // a bot is always there, and waits until its opponent is ready
	}
	if err := s.Validate(); err != nil {
		return Challenge{}, err
	}
	return Challenge{
		ID: id, Challenger: by.ID, Opponent: to.ID, ByLink: to.ID == "", Seat: match.First, Settings: s, Status: Open,
		Created: now, Expires: now.Add(s.Life),
	}, nil
}

// Played is a match as far as its rematch is concerned.
type Played struct {
	Match   match.ID
	Players [2]player.Player // by Seat.Index
	IsOver  bool
}

// NewRematch is the offer of one of two players to play again on the same
// settings, with the seats swapped.
func NewRematch(id ID, by player.Viewer, of Played, s Settings, open int, now time.Time) (Challenge, error) {
	seat := match.First
	switch {
	case !by.IsSignedIn() || !by.Is(of.Players[0].ID) && !by.Is(of.Players[1].ID):
		return Challenge{}, ErrNotPlayed
	case !of.IsOver:
		return Challenge{}, ErrNotOver
	case by.Is(of.Players[0].ID):
		seat = match.Second
	}
	s.Life = RematchLife
	// In the match before, the opponent sat where the challenger sits now.
	c, err := New(id, by, of.Players[seat.Index()], s, open, now)
	if err != nil {
		return Challenge{}, err
	}
	c.Seat, c.Rematch = seat, of.Match
	return c, nil
}

// StatusAt is the status at a moment: a challenge whose time is over is expired
// even before a sweep has found it.
func (c Challenge) StatusAt(now time.Time) Status {
	if c.Status == Open && !now.Before(c.Expires) {
		return Expired
	}
	return c.Status
}

// MayAccept is nil, or why this viewer cannot accept now.
func (c Challenge) MayAccept(by player.Viewer, now time.Time) error {
	switch status := c.StatusAt(now); {
	case !by.MayPlay():
		return ErrNotAllowed
	case by.Is(c.Challenger):
		return ErrSelf
	case c.Opponent != "" && !by.Is(c.Opponent):
		return ErrNotForYou
	case status == Expired:
		return ErrExpired
	case status != Open:
		return ErrClosed
	case by.Bot && c.Settings.Rated:
		return ErrBotRated
	case by.Guest && c.Settings.forAccounts():
		return ErrGuestRated
	case by.Bot && !c.Settings.Policy.OrOpen().Bots:
		return c.Settings.Policy.Admit(fairplay.Standing{}, false)
	}
	return nil
}

// MayDecline is nil, or why not. A challenge by link is nobody's to decline.
func (c Challenge) MayDecline(by player.Viewer, now time.Time) error {
	if c.ByLink {
		return ErrNotForYou
	}
	return c.MayAccept(by, now)
}

// MayWithdraw is nil, or why not.
func (c Challenge) MayWithdraw(by player.Viewer, now time.Time) error {
	switch status := c.StatusAt(now); {
	case !by.Is(c.Challenger):
		return ErrNotAllowed
	case status == Expired:
		return ErrExpired
	case status != Open:
		return ErrClosed
	}
	return nil
}

// Accept makes a match of it.
func (c *Challenge) Accept(by player.Viewer, m match.ID, now time.Time) error {
	if err := c.MayAccept(by, now); err != nil {
		return err
	}
	c.Opponent, c.Match = by.ID, m
	c.close(Accepted, now)
	return nil
}

// Decline says no.
func (c *Challenge) Decline(by player.Viewer, now time.Time) error {
	if err := c.MayDecline(by, now); err != nil {
		return err
	}
	c.close(Declined, now)
	return nil
}

// Withdraw takes it back.
func (c *Challenge) Withdraw(by player.Viewer, now time.Time) error {
	if err := c.MayWithdraw(by, now); err != nil {
		return err
	}
	c.close(Withdrawn, now)
	return nil
}

// Expire notes that its time is over; false: it is not, or somebody answered.
func (c *Challenge) Expire(now time.Time) bool {
	if c.Status != Open || now.Before(c.Expires) {
		return false
	}
	c.close(Expired, now)
	return true
}

func (c *Challenge) close(s Status, now time.Time) { c.Status, c.Closed = s, now }

// Seats are the players of the match by seat; the opponent's is empty while
// nobody has accepted a challenge by link.
func (c Challenge) Seats() (seats [2]player.ID) {
	seats[c.Seat.Index()], seats[c.Seat.Other().Index()] = c.Challenger, c.Opponent
	return seats
}
