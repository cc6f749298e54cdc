package club

import (
	"context"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) clubOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /clubs", page.Everyone, s.clubs, "All clubs", "By name."),
		page.Op("GET /clubs/{id}", page.Everyone, s.club, "One club", "role is that of the caller."),
		page.Op("GET /clubs/{id}/members", page.Everyone, s.members, "Who is in a club", "The highest role first."),
		page.Op("POST /clubs/{id}/join", player.ScopeChallenge, s.join, "Join a club, or ask to",
			"Some clubs take everybody, some whom they accept, some who has their code."),
		page.Act("POST /clubs/{id}/leave", player.ScopeChallenge, s.leave, "Leave a club", "Its last owner cannot."),
	}
}

type (
	clubPath struct {
		ID club.ID `path:"id" doc:"the club"`
	}
	apiClubRow struct {
		ID      club.ID `json:"id" doc:"address of the club"`
		Name    string  `json:"name" doc:"its name" example:"Chess school Lviv"`
		Joining string  `json:"joining" doc:"how one joins" enum:"open,request,code" example:"open"`
		Members int     `json:"members" doc:"how many are in it" example:"24"`
	}
	apiClubs struct {
		Clubs []apiClubRow `json:"clubs" doc:"by name"`
		Next  *string      `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
	apiClub struct {
		apiClubRow
		Text    string    `json:"text" doc:"what it says of itself" example:"We meet on Fridays"`
		Created time.Time `json:"created" doc:"since when"`
		Role    *string   `json:"role" doc:"of the caller; null: no member" example:"member"`
		Code    *string   `json:"code,omitempty" doc:"to join by, for those who decide who joins" example:"abcdefghjk"`
		Asked   bool      `json:"asked" doc:"the caller asks to join"`
		Follows bool      `json:"follows" doc:"the caller follows it"`
	}
	apiMember struct {
		Player player.Handle `json:"player" doc:"their handle"`
		Role   string        `json:"role" doc:"what they may do there" example:"member"`
		Since  time.Time     `json:"since" doc:"when they joined"`
	}
	apiMembers struct {
		Members []apiMember `json:"members" doc:"the highest role first"`
		Next    *string     `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
	membersIn struct {
		clubPath
		page.Paged
	}
	joinIn struct {
		clubPath
		Code string `json:"code,omitempty" doc:"of the club, if it asks for one" example:"abcde-fghjk"`
		Note string `json:"note,omitempty" doc:"for those who decide" example:"We met on Friday"`
	}
	apiJoined struct {
		Member bool `json:"member" doc:"whether the caller is a member now; else they have asked"`
	}
)

func (s api) clubs(c echo.Context, in page.Paged) (out apiClubs, err error) {
	rows := []apiClubRow{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, members, err := tx.Clubs()
		for _, x := range list {
			rows = append(rows, apiClubRow{x.ID, x.Name, x.Joining.String(), members[x.ID]})
		}
		return err
	})
	if err != nil {
		return out, err
	}
	out.Clubs, out.Next, err = page.PageOf(in, 200, rows)
	return out, err
}

func (s api) roster(c echo.Context, id club.ID) (r club.Roster, who map[player.ID]player.Player, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if r, err = tx.Roster(id); err != nil {
			return err
		}
		who, _, err = clubAccounts(tx, r, nil)
		return err
	})
	return r, who, err
}

func (s api) club(c echo.Context, in clubPath) (apiClub, error) {
	by := page.Viewer(c)
	var r club.Roster
	var followed []club.ID
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if r, err = tx.Roster(in.ID); err != nil {
			return err
		}
		_, followed, err = tx.Followed(by.ID)
		return err
	})
	if err != nil {
		return apiClub{}, err
	}
	out := apiClub{apiClubRow: apiClubRow{r.ID, r.Name, r.Joining.String(), len(r.Members)}, Text: r.Text, Created: r.Created,
		Role: page.Optional(r.RoleOf(by.ID).String()), Asked: r.HasAsked(by.ID), Follows: slices.Contains(followed, r.ID)}
	if r.May(by, club.ActAdmit) {
		out.Code = page.Optional(r.Code)
	}
	return out, nil
}

func (s api) members(c echo.Context, in membersIn) (out apiMembers, err error) {
	r, who, err := s.roster(c, in.ID)
	if err != nil {
		return out, err
	}
	members := []apiMember{}
	for _, m := range r.Members {
		members = append(members, apiMember{who[m.Player].Handle, m.Role.String(), m.Joined})
	}
	out.Members, out.Next, err = page.PageOf(in.Paged, 200, members)
	return out, err
}

// join tells whether the caller is a member now; else they have asked to join.
func (s api) join(c echo.Context, in joinIn) (apiJoined, error) {
	if err := s.MayTry(c, in.Code); err != nil {
		return apiJoined{}, err
	}
	joined, err := s.Arbiter.Clubs.Join(c.Request().Context(), page.Viewer(c), in.ID, in.Code, in.Note)
	return apiJoined{joined}, err
}

func (s api) leave(ctx context.Context, by player.Viewer, in clubPath) error {
	return s.Arbiter.Clubs.Leave(ctx, by, in.ID)
}
