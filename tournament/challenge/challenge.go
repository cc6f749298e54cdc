// Package challenge decides how two players get to a match of their own: who may
// challenge whom on what terms, who may accept, decline or withdraw, and until when.
package challenge

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// ID identifies one challenge; whoever knows it has the link.
type ID string

// Status is the state of a challenge.
type Status uint8

const (
	Open      Status = iota + 1 // waits for an answer
	Accepted                    // the match is open
	Declined                    // by the opponent
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

// The refusals of a challenge.
var (
	ErrNotAllowed = refusal.Forbidden("error.forbidden", "challenge: not allowed")
	ErrSelf       = refusal.Invalid("challenge.error.self", "challenge: players cannot challenge themselves")
	ErrNotWanted  = refusal.Invalid("place.error.not-wanted", "challenge: the player accepts no challenges from this player")
	ErrBotRated   = refusal.Invalid("challenge.error.bot-rated", "challenge: a match against a bot is not rated")
	ErrGuestRated = refusal.Forbidden("guest.error.rated", "challenge: guests play unrated and without fair-play requirements")
	ErrWhy        = refusal.Invalid("challenge.error.why", "challenge: why is later, terms or level, or is left out")
	ErrTooMany    = refusal.Invalid("challenge.error.many-open", "challenge: too many open challenges")
	ErrTwice      = refusal.Conflict("challenge.error.twice", "challenge: already challenged")
	ErrClosed     = refusal.Conflict("challenge.error.closed", "challenge: already answered")
	ErrExpired    = refusal.Conflict("challenge.error.expired", "challenge: expired")
	ErrNotForYou  = refusal.Forbidden("challenge.error.not-for-you", "challenge: addressed to somebody else")
	ErrNotOver    = refusal.Conflict("challenge.error.not-over", "challenge: the match is not over")
	ErrNotPlayed  = refusal.Forbidden("challenge.error.not-played", "challenge: a rematch is for the two who played")
)

// MostOpen and MostOpenOfBot are how many open challenges a player or a bot may have.
const (
	MostOpen      = 20
	MostOpenOfBot = 5
)

// Why is the reason for which a challenge is declined.
type Why string

// Whys are all reasons that can be told.
var Whys = []Why{"later", "terms", "level"}

// Challenge is an offer to a player, or to anyone with the link.
type Challenge struct {
	ID         ID
	Challenger player.ID
	// Opponent is the player it is for, or who accepted; empty for an open challenge by
	// link.
	Opponent player.ID
	ByLink   bool
	// Seat is the challenger's: First, who bids first (rules, section 5.3), except in a
	// rematch, where the seats of the previous match are swapped.
	Seat     match.Seat
	Settings Settings
	Status   Status
	Why      Why      // it was declined; empty: not told
	Match    match.ID // after acceptance
	Rematch  match.ID // the previous match of a rematch

	Created, Expires time.Time
	Closed           time.Time // when it was answered, withdrawn or found expired
	RatedAt          time.Time // when its result was applied to the ratings
}

// Offer is a challenge before it is one.
type Offer struct {
	ID       ID
	By       player.Viewer
	Settings Settings
	Open     int // how many open challenges they have
}

// New returns a challenge to a player, or with the zero player to anyone with the link.
// Faults of the settings are a case of setting.ErrSettings.
func New(o Offer, to player.Player, now time.Time) (Challenge, error) {
	by, s := o.By, o.Settings
	switch {
	case !by.MayPlay() || by.IsHouse():
		return Challenge{}, ErrNotAllowed
	case by.Is(to.ID):
		return Challenge{}, ErrSelf
	case (by.Bot || to.Bot) && s.Rated:
		return Challenge{}, ErrBotRated // bots accept any number of times
	case (by.Guest || to.Guest) && s.forAccounts():
		return Challenge{}, ErrGuestRated
	case (o.Open >= MostOpen || by.Bot && o.Open >= MostOpenOfBot) && !to.IsHouse():
		return Challenge{}, ErrTooMany
	case (by.Bot || to.Bot) && !s.Policy.OrOpen().Bots:
		return Challenge{}, s.Policy.Admit(fairplay.Standing{}, false)
	}
	if to.IsHouse() {
		s.Lateness = max(HouseLateness, s.BidTime) // a bot is always there and waits for its opponent
	}
	if err := s.Validate(); err != nil {
		return Challenge{}, err
	}
	return Challenge{
		ID: o.ID, Challenger: by.ID, Opponent: to.ID, ByLink: to.ID == "", Seat: match.First, Settings: s, Status: Open,
		Created: now, Expires: now.Add(s.Life),
	}, nil
}

// Played is a match that somebody wants to play again.
type Played struct {
	Match   match.ID
	Players [2]player.Player // by Seat.Index
	IsOver  bool
}

// NewRematch returns the offer of one of two players to play again on the same settings
// with swapped seats.
func NewRematch(o Offer, of Played, now time.Time) (Challenge, error) {
	by, seat := o.By, match.First
	switch {
	case !by.IsSignedIn() || !by.Is(of.Players[0].ID) && !by.Is(of.Players[1].ID):
		return Challenge{}, ErrNotPlayed
	case !of.IsOver:
		return Challenge{}, ErrNotOver
	case by.Is(of.Players[0].ID):
		seat = match.Second
	}
	o.Settings.Life = RematchLife
	// The opponent had the challenger's new seat.
	c, err := New(o, of.Players[seat.Index()], now)
	if err != nil {
		return Challenge{}, err
	}
	c.Seat, c.Rematch = seat, of.Match
	return c, nil
}

// StatusAt returns the status at a moment; a challenge is expired even before a sweep
// finds it.
func (c Challenge) StatusAt(now time.Time) Status {
	if c.Status == Open && !now.Before(c.Expires) {
		return Expired
	}
	return c.Status
}

// MayAccept returns nil, or why this viewer cannot accept now.
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

// MayDecline returns nil, or why not. Nobody can decline a challenge by link.
func (c Challenge) MayDecline(by player.Viewer, now time.Time) error {
	if c.ByLink {
		return ErrNotForYou
	}
	return c.MayAccept(by, now)
}

// MayWithdraw returns nil, or why not.
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

// Accept accepts the challenge with match m.
func (c *Challenge) Accept(by player.Viewer, m match.ID, now time.Time) error {
	if err := c.MayAccept(by, now); err != nil {
		return err
	}
	c.Opponent, c.Match = by.ID, m
	c.close(Accepted, now)
	return nil
}

// Decline declines the challenge, and tells why unless that is empty.
func (c *Challenge) Decline(by player.Viewer, why Why, now time.Time) error {
	if err := c.MayDecline(by, now); err != nil {
		return err
	}
	if why != "" && !slices.Contains(Whys, why) {
		return ErrWhy
	}
	c.Why = why
	c.close(Declined, now)
	return nil
}

// Withdraw withdraws the challenge.
func (c *Challenge) Withdraw(by player.Viewer, now time.Time) error {
	if err := c.MayWithdraw(by, now); err != nil {
		return err
	}
	c.close(Withdrawn, now)
	return nil
}

// Expire closes a challenge whose time is over and reports whether it did.
func (c *Challenge) Expire(now time.Time) bool {
	if c.Status != Open || now.Before(c.Expires) {
		return false
	}
	c.close(Expired, now)
	return true
}

func (c *Challenge) close(s Status, now time.Time) { c.Status, c.Closed = s, now }

// Seats returns the players by seat; the opponent's is empty for an open challenge by
// link.
func (c Challenge) Seats() (seats [2]player.ID) {
	seats[c.Seat.Index()], seats[c.Seat.Other().Index()] = c.Challenger, c.Opponent
	return seats
}
