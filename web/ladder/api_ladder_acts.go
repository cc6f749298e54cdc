package ladder

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

type (
	newLadderIn struct {
		Settings apiSettings `body:""`
	}
	changeLadderIn struct {
		ladderPath
		Settings apiSettings `body:""`
	}
	joinLadderIn struct {
		ladderPath
		Player string `json:"player,omitempty" doc:"whom the organizer takes on, by handle; absent: the caller" example:"borys"`
	}
	leaveLadderIn struct {
		ladderPath
		Handle string `path:"handle" doc:"who leaves" example:"borys"`
	}
)

// create creates a ladder run by the caller; missing settings take their defaults.
func (s api) create(c echo.Context, in newLadderIn) (out apiLadder, err error) {
	set := ladder.DefaultSettings()
	set.Envelope = form.EnvelopeNamed("evening") // as in the form
	if err := page.ReadSettings(in.Settings.RawBody, form.Ladder, &set); err != nil {
		return out, err
	}
	id, err := s.Arbiter.Ladders.Create(c.Request().Context(), page.Viewer(c), set)
	if err != nil {
		return out, err
	}
	return s.ladder(c, ladderPath{id})
}

// change changes the given settings.
func (s api) change(c echo.Context, in changeLadderIn) (out apiLadder, err error) {
	ctx := c.Request().Context()
	f, err := pages(s).readLadder(ctx, page.Viewer(c), in.ID)
	if err != nil {
		return out, err
	}
	set := f.ladder.Settings
	if err := page.ReadSettings(in.Settings.RawBody, form.Ladder, &set); err != nil {
		return out, err
	}
	if err := s.Arbiter.Ladders.Change(ctx, page.Viewer(c), in.ID, set); err != nil {
		return out, err
	}
	return s.ladder(c, in.ladderPath)
}

// joinLadder adds the caller to a ladder, or the player whom its organizer names.
func (s api) joinLadder(c echo.Context, in joinLadderIn) (out apiLadder, err error) {
	if err := s.Arbiter.Ladders.Join(c.Request().Context(), page.Viewer(c), in.ID, in.Player); err != nil {
		return out, err
	}
	return s.ladder(c, in.ladderPath)
}

// leaveLadder removes the caller from a ladder, or the player whom its organizer names.
func (s api) leaveLadder(c echo.Context, in leaveLadderIn) (out apiLadder, err error) {
	who, err := s.playerNamed(c, in.Handle)
	if err != nil {
		return out, err
	}
	if err := s.Arbiter.Ladders.Leave(c.Request().Context(), page.Viewer(c), in.ID, who.ID); err != nil {
		return out, err
	}
	return s.ladder(c, in.ladderPath)
}

// playerNamed returns the account with a handle.
func (s api) playerNamed(c echo.Context, handle string) (player.Player, error) {
	return s.Arbiter.Account(c.Request().Context(), handle)
}

// vacation begins or ends the caller's vacation.
func (s api) vacation(begin bool) func(echo.Context, ladderPath) (apiLadder, error) {
	return func(c echo.Context, in ladderPath) (out apiLadder, err error) {
		if err := s.Arbiter.Ladders.Vacation(c.Request().Context(), page.Viewer(c), in.ID, begin); err != nil {
			return out, err
		}
		return s.ladder(c, in)
	}
}

// judge carries out an organizer's judgment; an empty winner moves nobody.
func (s api) judge(c echo.Context, ref store.LadderRef, winner, text string) error {
	var id player.ID
	if winner != "" {
		p, err := s.playerNamed(c, winner)
		if err != nil {
			return err
		}
		id = p.ID
	}
	return s.Arbiter.Ladders.Judge(c.Request().Context(), page.Viewer(c), ref, id, text)
}
