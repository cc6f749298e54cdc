package account

import (
	"context"

	"chpok.org/chpok/player"
	"chpok.org/chpok/web/page"
)

// AdminOperations returns what programs can do for an operator.
func AdminOperations(s *page.Site) []*page.Operation {
	a := api{s}
	return []*page.Operation{
		page.Act("PUT /site/sign-up", player.ScopeOperate, a.setSignUp, "Open or close sign-up",
			"While it is closed, only operators make accounts, by chpok player add."),
		page.Act("PUT /site/roles/{handle}", player.ScopeOperate, a.setRole, "Give an account a role",
			"Organizers hold events and make clubs, operators run the site. Nobody changes their own."),
	}
}

type (
	signUpIn struct {
		Open bool `json:"open" doc:"everybody may make an account"`
	}
	roleIn struct {
		playerPath
		Role string `json:"role" doc:"what the site lets them do" enum:"player,organizer,operator" example:"organizer"`
	}
)

func (s api) setSignUp(ctx context.Context, by player.Viewer, in signUpIn) error {
	return admin(s).openSignUp(ctx, by, in.Open)
}

func (s api) setRole(ctx context.Context, by player.Viewer, in roleIn) error {
	return admin(s).giveRole(ctx, by, in.Handle, in.Role)
}
