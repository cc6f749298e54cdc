package page

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/year"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/words"
)

// YearFacts holds what the page and the picture of a player's year show.
type YearFacts struct {
	Player      player.Player
	About       ProfileFacts
	Number      int // the year
	First, Last int // years with matches
	IsPublic    bool
	Year        year.Year
	History     []store.RatingChange // in the year
	Raises      []store.Raise
	Who         map[player.ID]player.Player
	Past        []live.View // Year.Best, if it reached the board
}

// raisesShown limits the outcomes on the page of a year.
const raisesShown = 6

// ReadYear reads the year of the address, which begins in the site's zone; store.ErrNotFound if there is none or the viewer
// may not see the player's history.
func (s *Site) ReadYear(c echo.Context, v player.Viewer) (f YearFacts, err error) {
	f.Number, err = strconv.Atoi(c.Param("year"))
	if err != nil || f.Number < 2000 || f.Number > 9999 {
		return f, store.ErrNotFound
	}
	zone := s.Zone()
	from, to := time.Date(f.Number, 1, 1, 0, 0, 0, 0, zone), time.Date(f.Number+1, 1, 1, 0, 0, 0, 0, zone)
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if f.Player, err = tx.PlayerByHandle(player.Handle(words.Shorten(c.Param("handle"), 40))); err != nil {
			return err
		}
		if err := f.About.Read(tx, v, f.Player.ID); err != nil {
			return err
		}
		if !f.About.SeesHistory() {
			return store.ErrNotFound
		}
		f.IsPublic = f.About.Profile.Privacy.History == player.Everyone && !f.About.Profile.Privacy.Hidden
		first, last, err := tx.YearsOf(f.Player.ID)
		if err != nil {
			return err
		}
		f.First, f.Last = first.In(zone).Year(), last.In(zone).Year()
		if first.IsZero() || f.Number < f.First || f.Number > f.Last {
			return store.ErrNotFound
		}
		facts, err := tx.YearOf(f.Player.ID, from, to)
		if err != nil {
			return err
		}
		f.Year = year.Of(facts)
		if f.Raises, err = tx.RaisesOf(f.Player.ID, from, to, raisesShown); err != nil {
			return err
		}
		changes, err := tx.RatingChangesSince(f.Player.ID, from)
		if err != nil {
			return err
		}
		for _, ch := range changes {
			if ch.At.Before(to) {
				f.History = append(f.History, ch)
			}
		}
		who := []player.ID{f.Year.Best.Opponent}
		for _, r := range f.Year.Rivals {
			who = append(who, r.Opponent)
		}
		f.Who, err = tx.Players(who...)
		return err
	})
	if best := f.Year.Best.ID; err == nil && best != "" {
		f.Past, err = s.PastOf(c.Request().Context(), []store.Head{{ID: best, Status: match.Over}}, 1)
	}
	return f, err
}
