package club

import (
	"cmp"
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/clubs"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) peopleOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /clubs", player.ScopeOrganize, s.create, "Make a club", "The caller is its owner, and everybody may join.").Creates(),
		page.Op("PATCH /clubs/{id}", player.ScopeOrganize, s.change, "Change a club", "What is named; the rest stays. For its owners."),
		page.Op("POST /clubs/{id}/code", player.ScopeOrganize, s.newCode, "Make a new code to join by", "The one before admits nobody any more."),
		page.Act("DELETE /clubs/{id}/join", player.ScopeChallenge, s.unask, "Take back one’s request to join", "Nobody is told."),
		page.Op("GET /clubs/{id}/requests", player.ScopeRead, s.requests, "Who asks to join", "For those who decide."),
		page.Act("POST /clubs/{id}/requests/{handle}", player.ScopeOrganize, s.answerRequest, "Admit who asks to join, or decline",
			"They are told."),
		page.Act("PUT /clubs/{id}/members/{handle}", player.ScopeOrganize, s.setRole, "Give a member another role",
			"For owners. One may give up one’s own, but for the last owner."),
		page.Act("DELETE /clubs/{id}/members/{handle}", player.ScopeOrganize, s.onPerson((*clubs.Office).Expel), "End somebody’s membership",
			"They may join again; a ban keeps them out."),
		page.Op("GET /clubs/{id}/bans", player.ScopeRead, s.bans, "Who is kept out of a club", "For those who decide who joins."),
		page.Act("PUT /clubs/{id}/bans/{handle}", player.ScopeOrganize, s.ban, "Keep somebody out of a club",
			"Until a moment or for good. A member is none any more."),
		page.Act("DELETE /clubs/{id}/bans/{handle}", player.ScopeOrganize, s.onPerson((*clubs.Office).Unban), "Let somebody in again",
			"They may join."),
		page.Act("POST /clubs/{id}/follow", player.ScopeAccount, s.follow, "Follow a club", "One is told of its events."),
		page.Act("DELETE /clubs/{id}/follow", player.ScopeAccount, s.unfollow, "Follow a club no more", "Nobody is told."),
	}
}

type (
	newClubIn struct {
		Name string `json:"name" doc:"its name: 3 to 60 characters" example:"Chess school Lviv"`
		Text string `json:"text,omitempty" doc:"what it says of itself" example:"We meet on Fridays"`
	}
	changeClubIn struct {
		clubPath
		Name    *string `json:"name" doc:"its name: 3 to 60 characters" example:"Chess school Lviv"`
		Text    *string `json:"text" doc:"what it says of itself" example:"We meet on Fridays"`
		Joining string  `json:"joining,omitempty" doc:"how one joins" enum:"open,request,code" example:"request"`
	}
	personPath struct {
		clubPath
		Handle string `path:"handle" doc:"who" example:"borys"`
	}
	apiClubRequest struct {
		Player player.Handle `json:"player" doc:"who asks"`
		Note   string        `json:"note" doc:"what they say" example:"We met on Friday"`
		At     time.Time     `json:"at" doc:"when they asked"`
	}
	apiClubRequests struct {
		Requests []apiClubRequest `json:"requests" doc:"the oldest first"`
	}
	answerClubIn struct {
		personPath
		Accept bool `json:"accept" doc:"false declines"`
	}
	roleIn struct {
		personPath
		Role string `json:"role" doc:"what they may do there" enum:"owner,organizer,arbiter,member" example:"organizer"`
	}
	apiBan struct {
		Player player.Handle `json:"player" doc:"who is kept out"`
		By     player.Handle `json:"by" doc:"who decided"`
		Reason string        `json:"reason" doc:"why" example:"Insults in the chat"`
		Since  time.Time     `json:"since" doc:"since when"`
		Until  *time.Time    `json:"until" doc:"null: for good"`
	}
	apiBans struct {
		Bans []apiBan `json:"bans" doc:"the oldest first"`
	}
	banIn struct {
		personPath
		Reason string     `json:"reason" doc:"why" example:"Insults in the chat"`
		Until  *time.Time `json:"until" doc:"absent: for good"`
	}
)

func (s api) create(c echo.Context, in newClubIn) (out apiClub, err error) {
	x, err := parseClub(in.Name, in.Text)
	var id club.ID
	if err == nil {
		id, err = s.Arbiter.Clubs.Create(c.Request().Context(), page.Viewer(c), x.Name, x.Text)
	}
	if err != nil {
		return out, ofTaken(err)
	}
	return s.club(c, clubPath{id})
}

func (s api) change(c echo.Context, in changeClubIn) (out apiClub, err error) {
	r, err := pages(s).rosterFor(c, club.ActChange)
	if err != nil {
		return out, err
	}
	if in.Name != nil {
		r.Name = *in.Name
	}
	if in.Text != nil {
		r.Text = *in.Text
	}
	x, err := parseClub(r.Name, r.Text)
	if err != nil {
		return out, err
	}
	joining, _ := club.ParseJoining(in.Joining) // the enum admits no other
	err = s.Arbiter.Clubs.Change(c.Request().Context(), page.Viewer(c), in.ID,
		clubs.Settings{Name: x.Name, Text: x.Text, Joining: cmp.Or(joining, r.Joining)})
	if err != nil {
		return out, ofTaken(err)
	}
	return s.club(c, in.clubPath)
}

func (s api) newCode(c echo.Context, in clubPath) (out apiClub, err error) {
	if err := s.Arbiter.Clubs.NewCode(c.Request().Context(), page.Viewer(c), in.ID); err != nil {
		return out, err
	}
	return s.club(c, in)
}

func (s api) unask(ctx context.Context, by player.Viewer, in clubPath) error {
	return s.Arbiter.Clubs.Unask(ctx, by, in.ID)
}

func (s api) requests(c echo.Context, _ clubPath) (out apiClubRequests, err error) {
	r, who, err := s.people(c)
	out.Requests = []apiClubRequest{}
	for _, q := range r.Requests {
		out.Requests = append(out.Requests, apiClubRequest{who[q.Player].Handle, q.Note, q.At})
	}
	return out, err
}

func (s api) bans(c echo.Context, _ clubPath) (out apiBans, err error) {
	r, who, err := s.people(c)
	out.Bans = []apiBan{}
	for _, b := range r.Bans {
		out.Bans = append(out.Bans, apiBan{who[b.Player].Handle, who[b.By].Handle, b.Reason, b.At, page.Optional(b.Until)})
	}
	return out, err
}

// people reads a club for those who decide who is in it.
func (s api) people(c echo.Context) (r club.Roster, who map[player.ID]player.Player, err error) {
	if r, err = pages(s).rosterFor(c, club.ActAdmit); err != nil {
		return club.Roster{}, nil, err
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		who, _, err = clubAccounts(tx, r, nil)
		return err
	})
	return r, who, err
}

// onPerson returns what an operation does with the player of a handle.
func (s api) onPerson(do func(*clubs.Office, context.Context, player.Viewer, club.ID, player.ID) error,
) func(context.Context, player.Viewer, personPath) error {
	return func(ctx context.Context, by player.Viewer, in personPath) error {
		of, err := s.Arbiter.Account(ctx, in.Handle)
		if err != nil {
			return err
		}
		return do(s.Arbiter.Clubs, ctx, by, in.ID, of.ID)
	}
}

func (s api) answerRequest(ctx context.Context, by player.Viewer, in answerClubIn) error {
	return s.onPerson(func(a *clubs.Office, ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
		return a.AnswerRequest(ctx, by, id, of, in.Accept)
	})(ctx, by, in.personPath)
}

func (s api) setRole(ctx context.Context, by player.Viewer, in roleIn) error {
	role, err := club.ParseRole(in.Role)
	if err != nil {
		return err
	}
	return s.onPerson(func(a *clubs.Office, ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
		return a.SetRole(ctx, by, id, of, role)
	})(ctx, by, in.personPath)
}

func (s api) ban(ctx context.Context, by player.Viewer, in banIn) error {
	return s.onPerson(func(a *clubs.Office, ctx context.Context, by player.Viewer, id club.ID, of player.ID) error {
		x := club.Ban{Player: of, Reason: in.Reason}
		if in.Until != nil {
			x.Until = *in.Until
		}
		return a.Ban(ctx, by, id, x)
	})(ctx, by, in.personPath)
}

func (s api) follow(ctx context.Context, by player.Viewer, in clubPath) error {
	return s.Arbiter.Persons.FollowClub(ctx, by, in.ID)
}

func (s api) unfollow(ctx context.Context, by player.Viewer, in clubPath) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.UnfollowClub(by.ID, in.ID) })
}
