package ladder

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
)

func (s api) deskOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /ladders/{id}/seed", player.ScopeOrganize, s.seed, "Put the players of a tournament on a ladder",
			"In the order of its standings, below those who are there. For its organizer."),
		page.Op("PUT /ladders/{id}/players/{handle}/place", player.ScopeOrganize, s.move, "Put a player on a place",
			"Those between move by one. Everybody sees why. For the ladder’s organizer."),
	}
}

type (
	seedIn struct {
		ladderPath
		Tournament tournament.ID `json:"tournament" doc:"whose standings"`
	}
	moveIn struct {
		leaveLadderIn
		Place  int    `json:"place" doc:"from 1" example:"3" min:"1"`
		Reason string `json:"reason" doc:"for everybody" example:"They moved here from another club"`
	}
)

func (s api) seed(c echo.Context, in seedIn) (out apiLadder, err error) {
	if _, err := s.Arbiter.Ladders.Seed(c.Request().Context(), page.Viewer(c), in.ID, in.Tournament); err != nil {
		return out, err
	}
	return s.ladder(c, in.ladderPath)
}

func (s api) move(c echo.Context, in moveIn) (out apiLadder, err error) {
	ctx := c.Request().Context()
	of, err := s.Arbiter.Account(ctx, in.Handle)
	if err != nil {
		return out, err
	}
	if err := s.Arbiter.Ladders.Move(ctx, kernel.For(page.Viewer(c), in.Reason), in.ID, of.ID, in.Place); err != nil {
		return out, err
	}
	return s.ladder(c, in.ladderPath)
}
