package ladder

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// apiCreateLadder creates a ladder run by the caller; missing settings take their defaults.
func (s api) apiCreateLadder(c echo.Context) error {
	set := ladder.DefaultSettings()
	set.Envelope = form.EnvelopeNamed("evening") // as in the form
	if err := page.ReadSettings(c, form.Ladder, &set, false); err != nil {
		return err
	}
	id, err := s.Arbiter.Ladders.Create(c.Request().Context(), page.Viewer(c), set)
	if err != nil {
		return err
	}
	return s.apiShowLadder(c, http.StatusCreated, id)
}

// apiChangeLadder changes the given settings.
func (s api) apiChangeLadder(c echo.Context) error {
	ctx, id := c.Request().Context(), ladder.ID(c.Param("id"))
	f, err := pages(s).readLadder(ctx, page.Viewer(c), id)
	if err != nil {
		return err
	}
	set := f.ladder.Settings
	if err := page.ReadSettings(c, form.Ladder, &set, false); err != nil {
		return err
	}
	if err := s.Arbiter.Ladders.Change(ctx, page.Viewer(c), id, set); err != nil {
		return err
	}
	return s.apiShowLadder(c, http.StatusOK, id)
}

// apiJoinLadder adds the caller to a ladder, or the player whom its organizer names.
func (s api) apiJoinLadder(c echo.Context) error {
	var in struct {
		Player string `json:"player"`
	}
	if err := page.ReadJSON(c, &in, true); err != nil {
		return err
	}
	ctx, id := c.Request().Context(), ladder.ID(c.Param("id"))
	if in.Player != "" {
		if _, err := s.playerNamed(c, in.Player); err != nil {
			return err
		}
	}
	if err := s.Arbiter.Ladders.Join(ctx, page.Viewer(c), id, in.Player); err != nil {
		return err
	}
	return s.apiShowLadder(c, http.StatusOK, id)
}

// apiLeaveLadder removes the caller from a ladder, or the player whom its organizer names.
func (s api) apiLeaveLadder(c echo.Context) error {
	who, err := s.playerNamed(c, c.Param("handle"))
	if errors.Is(err, errNoSuchPlayer) {
		return store.ErrNotFound
	}
	if err != nil {
		return err
	}
	id := ladder.ID(c.Param("id"))
	if err := s.Arbiter.Ladders.Leave(c.Request().Context(), page.Viewer(c), id, who.ID); err != nil {
		return err
	}
	return s.apiShowLadder(c, http.StatusOK, id)
}

// playerNamed returns the account with a handle; errNoSuchPlayer if there is none.
func (s api) playerNamed(c echo.Context, handle string) (p player.Player, err error) {
	p, err = store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (player.Player, error) {
		return tx.PlayerByHandle(player.Handle(words.Shorten(handle, 40)))
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoSuchPlayer
	}
	return p, err
}

// apiLadderVacation begins or ends the caller's vacation.
func (s api) apiLadderVacation(begin bool) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := ladder.ID(c.Param("id"))
		if err := s.Arbiter.Ladders.Vacation(c.Request().Context(), page.Viewer(c), id, begin); err != nil {
			return err
		}
		return s.apiShowLadder(c, http.StatusOK, id)
	}
}

// apiJudge carries out an organizer's judgment; an empty winner moves nobody.
func (s api) apiJudge(c echo.Context, ref store.LadderRef, winner, text string) error {
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
