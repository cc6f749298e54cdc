package account

import (
	"context"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) followOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /me/following", player.ScopeRead, s.following, "Whom one follows", "Players and clubs, the latest first."),
		page.Act("POST /players/{handle}/follow", player.ScopeAccount, s.follow, "Follow a player",
			"One is told when they begin to play. Bots, and those who do not want it, cannot be followed."),
		page.Act("DELETE /players/{handle}/follow", player.ScopeAccount, s.unfollow, "Follow a player no more", "Nobody is told."),
	}
}

type (
	noInput    struct{}
	playerPath struct {
		Handle string `path:"handle" doc:"the player" example:"anna"`
	}
	apiFollowedClub struct {
		ID   club.ID `json:"id" doc:"address of the club"`
		Name string  `json:"name" doc:"its name" example:"Chess school Lviv"`
	}
	apiFollowing struct {
		Players []player.Handle   `json:"players" doc:"by handle"`
		Clubs   []apiFollowedClub `json:"clubs" doc:"with their names"`
	}
)

func (s api) following(c echo.Context, _ noInput) (out apiFollowing, err error) {
	out = apiFollowing{Players: []player.Handle{}, Clubs: []apiFollowedClub{}}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		people, clubs, err := tx.Followed(page.Viewer(c).ID)
		if err != nil {
			return err
		}
		who, err := tx.Players(people...)
		if err != nil {
			return err
		}
		for _, id := range people {
			out.Players = append(out.Players, who[id].Handle)
		}
		names, err := tx.ClubNames(clubs...)
		for _, id := range clubs {
			out.Clubs = append(out.Clubs, apiFollowedClub{id, names[id]})
		}
		return err
	})
	return out, err
}

func (s api) follow(ctx context.Context, by player.Viewer, in playerPath) error {
	return s.Arbiter.Persons.Follow(ctx, by, in.Handle)
}

func (s api) unfollow(ctx context.Context, by player.Viewer, in playerPath) error {
	return follows(s).unfollow(ctx, by, player.Handle(in.Handle))
}
