package club

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

func (s pages) lineUpOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /tournaments/{id}/line-ups", player.ScopeRead, s.lineUps, "Whom the clubs of a match send to its boards",
			"Who plays is seen by the captains of a club alone, until both are named."),
		page.Act("PUT /tournaments/{id}/line-ups/{club}", player.ScopeOrganize, s.setLineUp, "Name the line-up of a club",
			"For its captains, until the time by which line-ups are named. Once both are, everybody sees them."),
	}
}

type (
	lineUpPath struct {
		event.TournamentPath
		Club club.ID `path:"club" doc:"the club"`
	}
	lineUpIn struct {
		lineUpPath
		Players []string   `json:"players" doc:"handles, from the first board down" example:"[\"anna\",\"borys\"]" min:"1" max:"100"`
		Seen    *time.Time `json:"seen" doc:"named of the line-up that the caller has seen: a later one is not overwritten"`
	}
	apiLineUp struct {
		Club    club.ID         `json:"club" doc:"the club"`
		Named   *time.Time      `json:"named" doc:"when its line-up was named; null: it was not"`
		Players []player.Handle `json:"players,omitempty" doc:"from board 1 down; absent: hidden or not named" example:"[\"anna\",\"borys\"]"`
	}
	apiLineUps struct {
		LineUps []apiLineUp `json:"lineUps" doc:"of the host first"`
		Due     *time.Time  `json:"due" doc:"by when they are named; null: they are no longer waited for"`
	}
)

func (s pages) lineUps(c echo.Context, _ event.TournamentPath) (out apiLineUps, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	if !t.Format.HasLineUps() {
		return out, store.ErrNotFound
	}
	due, waits := t.LineUpsDueAt()
	if waits {
		out.Due = &due
	}
	out.LineUps = []apiLineUp{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		named, err := tx.LineUps(t.ID)
		if err != nil {
			return err
		}
		for _, id := range []club.ID{t.ClubID, t.OpponentID} {
			r, err := tx.Roster(id)
			if err != nil {
				return err
			}
			x, isNamed := named[id]
			line := apiLineUp{Club: id}
			if isNamed {
				line.Named = &x.At
			}
			if isNamed && (!waits || mayNameLineUp(page.Viewer(c), r)) {
				who, err := tx.Players(x.Players...)
				if err != nil {
					return err
				}
				for _, p := range x.Players {
					line.Players = append(line.Players, who[p].Handle)
				}
			}
			out.LineUps = append(out.LineUps, line)
		}
		return nil
	})
	return out, err
}

func (s pages) setLineUp(ctx context.Context, by player.Viewer, in lineUpIn) error {
	by.Shown = 0 // not a version of the tournament, as elsewhere
	if in.Seen != nil {
		by.Shown = max(1, in.Seen.UnixMilli())
	}
	return s.Arbiter.Entries.NameLineUp(ctx, by, in.ID, in.Club, in.Players)
}
