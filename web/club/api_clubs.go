package club

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) apiClubRoutes() []page.Route {
	return []page.Route{
		page.Get("/clubs", s.apiClubs, page.Anyone),
		page.Get("/clubs/:id", s.apiClub, page.Anyone),
		page.Get("/clubs/:id/members", s.apiClubMembers, page.Anyone),
		page.Post("/clubs/:id/join", s.apiJoinClub, page.SignedIn),
		page.Post("/clubs/:id/leave", s.apiLeaveClub, page.SignedIn),
	}
}

type (
	apiClubRow struct {
		ID      club.ID `json:"id"`
		Name    string  `json:"name"`
		Joining string  `json:"joining"`
		Members int     `json:"members"`
	}
	apiMember struct {
		Player string    `json:"player"`
		Role   string    `json:"role"`
		Since  time.Time `json:"since"`
	}
)

func (s api) apiClubs(c echo.Context) error {
	rows := []apiClubRow{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, members, err := tx.Clubs()
		for _, x := range list {
			rows = append(rows, apiClubRow{x.ID, x.Name, x.Joining.String(), members[x.ID]})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]apiClubRow{"clubs": rows})
}

func (s api) apiRoster(c echo.Context) (r club.Roster, who map[player.ID]player.Player, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if r, err = tx.Roster(club.ID(c.Param("id"))); err != nil {
			return err
		}
		who, _, err = clubAccounts(tx, r, nil)
		return err
	})
	return r, who, err
}

func (s api) apiClub(c echo.Context) error {
	r, _, err := s.apiRoster(c)
	if err != nil {
		return err
	}
	role := r.RoleOf(page.Viewer(c).ID)
	return c.JSON(http.StatusOK, struct {
		apiClubRow
		Text    string    `json:"text"`
		Created time.Time `json:"created"`
		Role    *string   `json:"role"`
	}{apiClubRow{r.ID, r.Name, r.Joining.String(), len(r.Members)}, r.Text, r.Created, page.Optional(role.String())})
}

func (s api) apiClubMembers(c echo.Context) error {
	r, who, err := s.apiRoster(c)
	if err != nil {
		return err
	}
	members := []apiMember{}
	for _, m := range r.Members {
		members = append(members, apiMember{string(who[m.Player].Handle), m.Role.String(), m.Joined})
	}
	return c.JSON(http.StatusOK, map[string][]apiMember{"members": members})
}

// apiJoinClub tells whether the caller is a member now; else they have asked to join.
func (s api) apiJoinClub(c echo.Context) error {
	var body struct {
		Code string `json:"code"`
		Note string `json:"note"`
	}
	if err := page.ReadJSON(c, &body, true); err != nil {
		return err
	}
	if err := s.MayTry(c, body.Code); err != nil {
		return err
	}
	joined, err := s.Arbiter.Clubs.Join(c.Request().Context(), page.Viewer(c), club.ID(c.Param("id")), body.Code, body.Note)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]bool{"member": joined})
}

func (s api) apiLeaveClub(c echo.Context) error {
	if err := s.Arbiter.Clubs.Leave(c.Request().Context(), page.Viewer(c), club.ID(c.Param("id"))); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
