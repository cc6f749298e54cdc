package tournament

import (
	"context"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) teamOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /tournaments/{id}/teams", page.Everyone, s.teams, "Teams with their players",
			"In the order of their numbers; players in board order. Who asks to join is shown to captains and staff."),
		page.Op("POST /tournaments/{id}/teams", player.ScopeChallenge, s.enterTeam, "Enter a team",
			"Whoever enters one is its captain; an organizer names the captains. Players then join it, or are entered as a list. "+
				"With clubId it plays for a club: an organizer who does not name that club's players invites it.").Creates(),
		page.Act("PUT /tournaments/{id}/teams/{entry}/invitation", player.ScopeChallenge, s.answerInvitation,
			"Accept or decline for a club that its team plays", "By those who name the club's players. Whoever accepts is the team's first captain."),
		page.Op("POST /tournaments/{id}/teams/{entry}/players", player.ScopeChallenge, s.joinTeam, "Join a team, or ask to",
			"A captain joins, anybody else waits for a captain to accept them; an organizer adds others, and a captain of a club's team its members.").Creates(),
		page.Act("PUT /tournaments/{id}/teams/{entry}/players", player.ScopeChallenge, s.orderRoster, "Set the board order of a team",
			"By its captains or staff, until the start."),
		page.Act("POST /tournaments/{id}/teams/{entry}/requests/{mate}", player.ScopeChallenge, s.answerMate,
			"Accept or refuse who asks to join a team", "By its captains or staff."),
		page.Act("PUT /tournaments/{id}/teams/{entry}/captains", player.ScopeChallenge, s.setCaptains, "Name the captains of a team",
			"By staff, or by a captain, who stays one."),
		page.Op("GET /tournaments/{id}/teams/{entry}/line-up", player.ScopeRead, s.lineUp, "The line-up of a team for the open or the next round",
			"For its captains and staff. Who is named is seen by its captains alone, until the boards open."),
		page.Act("PUT /tournaments/{id}/teams/{entry}/line-up", player.ScopeChallenge, s.handIn, "Hand in the line-up of a team",
			"By its captains, or by an arbiter for them, before the round too. Once it is open, the boards of a match open when both teams have handed "+
				"in, or when the time is up."),
		page.Act("PUT /tournaments/{id}/rounds/{round}/matches/{match}/forfeit", player.ScopeOrganize, s.forfeitMatch, "Decide that teams forfeit a match",
			"All its boards become forfeits; games that were played stay for ratings, and stand again once nobody forfeits. For staff."),
		page.Act("POST /tournaments/{id}/reseats", player.ScopeOrganize, s.reseat, "Put another player of a team at a board",
			"Of the latest round, before the first bid there. The number of the team itself stands for nobody. For staff."),
	}
}

type (
	apiTeam struct {
		apiEntry
		Captains []player.Handle `json:"captains" doc:"their handles" example:"[\"anna\"]"`
		ClubID   club.ID         `json:"clubId,omitempty" doc:"the club that it plays for" example:"club1"`
		Players  []apiEntry      `json:"players" doc:"who is in, in board order"`
		Requests []apiEntry      `json:"requests,omitempty" doc:"for captains and staff: who asks to join"`
	}
	apiTeams struct {
		Teams []apiTeam `json:"teams" doc:"by number, before the start by entry"`
	}
	enterTeamIn struct {
		event.TournamentPath
		Name     string   `json:"name,omitempty" doc:"of the team; absent: its club's" example:"Lions" max:"300"`
		Club     string   `json:"club,omitempty" doc:"it plays for" example:"Chess school Lviv" max:"300"`
		ClubID   club.ID  `json:"clubId,omitempty" doc:"the club of this site that it plays for, by whose name it goes if it has none" example:"club1"`
		Captains []string `json:"captains,omitempty" doc:"handles, at most three, named by an organizer; absent: the caller" example:"[\"anna\"]"`
		Code     string   `json:"code,omitempty" doc:"of entry, if the event asks for one" example:"lion"`
		Plays    bool     `json:"plays,omitempty" doc:"the caller is its first player"`
	}
	joinIn struct {
		event.EntryPath
		Player       string `json:"player,omitempty" doc:"whom an organizer adds, by handle; absent: the caller" example:"borys"`
		Name         string `json:"name,omitempty" doc:"of somebody without an account, whom an organizer adds" example:"Daria Tkach" max:"300"`
		Rating       int    `json:"rating,omitempty" doc:"with name" example:"1612" min:"0" max:"4000"`
		OverTheBoard bool   `json:"overTheBoard,omitempty" doc:"with player: they play at a table; their results are entered by hand"`
		Reason       string `json:"reason,omitempty" doc:"of an organizer, if a condition is not met" example:"Invited"`
	}
	orderIn struct {
		event.EntryPath
		Players []tournament.EntryID `json:"players" doc:"the entries of all its players, from board 1 down" example:"[2,4,3]" min:"1" max:"62"`
	}
	mateIn struct {
		event.EntryPath
		Mate   tournament.EntryID `path:"mate" doc:"the entry of whoever asks" min:"1"`
		Accept bool               `json:"accept" doc:"false refuses"`
	}
	invitationIn struct {
		event.EntryPath
		Accept bool `json:"accept" doc:"false declines"`
	}
	captainsIn struct {
		event.EntryPath
		Captains []string `json:"captains" doc:"handles, at most three" example:"[\"anna\"]" max:"3"`
	}
	teamLineUpIn struct {
		event.EntryPath
		Round   int                  `json:"round" doc:"for which round" example:"1" min:"1"`
		Players []tournament.EntryID `json:"players" doc:"entries, in the order of the team; who is left out moves the others up" example:"[2,4]" min:"1" max:"50"`
		Seen    *time.Time           `json:"seen" doc:"handed in of the line-up that the caller has seen: a later one is not overwritten"`
	}
	apiTeamLineUp struct {
		Round    int                  `json:"round" doc:"for which round" example:"1"`
		Due      *time.Time           `json:"due" doc:"when the boards open at the latest; null: the round has not begun"`
		Opponent tournament.EntryID   `json:"opponent,omitempty" doc:"the team they meet; absent: the round has not begun" example:"4"`
		HandedIn *time.Time           `json:"handedIn" doc:"when; null: it was not"`
		Players  []tournament.EntryID `json:"players,omitempty" doc:"from board 1 down; absent: sealed, or not handed in" example:"[2,4]"`
		Usual    []tournament.EntryID `json:"usual" doc:"whom the team probably sends" example:"[2,3]"`
	}
	matchForfeitIn struct {
		event.TournamentPath
		Round  int    `path:"round" doc:"the round" example:"1"`
		Match  int    `path:"match" doc:"the match of teams, from 1" example:"1"`
		Lost   string `json:"lost" doc:"who forfeits it, by the seats on board 1" enum:"first,second,both,none" example:"second"`
		Reason string `json:"reason" doc:"for everybody to read" example:"They did not come" max:"300"`
		Replay bool   `json:"replay,omitempty" doc:"knock-out: take back later matches of teams that should not have met"`
	}
	reseatIn struct {
		event.TournamentPath
		Board  int                `json:"board" doc:"of the latest round" example:"2" min:"1"`
		Out    tournament.EntryID `json:"out" doc:"the entry that leaves it" example:"3" min:"1"`
		In     tournament.EntryID `json:"in" doc:"the entry that comes" example:"5" min:"1"`
		Reason string             `json:"reason,omitempty" doc:"for the log" example:"Late" max:"300"`
	}
)

func (s api) teams(c echo.Context, _ event.TournamentPath) (out apiTeams, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	v, isStaff := page.Viewer(c), t.May(page.Viewer(c), tournament.ActDesk)
	who, err := s.Who(c, t)
	list := t.Sides()
	slices.SortStableFunc(list, func(a, b tournament.Entry) int { return a.Number - b.Number })
	out.Teams = []apiTeam{}
	for _, e := range list {
		isOwn := isStaff || t.IsCaptain(v, e.ID)
		if !t.IsTeam(e) || e.IsPrivate() && !isOwn {
			continue
		}
		x := apiTeam{apiEntry: apiEntryOf(e, who), ClubID: e.ClubID, Players: []apiEntry{}}
		x.Captains = append([]player.Handle{}, x.apiEntry.Captains...)
		for _, m := range t.Roster(e.ID) {
			x.Players = append(x.Players, apiEntryOf(m, who))
		}
		for _, m := range t.Entries {
			if isOwn && m.Team == e.ID && m.Status == tournament.Requested {
				x.Requests = append(x.Requests, apiEntryOf(m, who))
			}
		}
		out.Teams = append(out.Teams, x)
	}
	return out, err
}

func (s api) enterTeam(c echo.Context, in enterTeamIn) (out apiEntry, err error) {
	if err := s.MayTry(c, in.Code); err != nil {
		return out, err
	}
	if t, is := page.Token(c); is && len(in.Captains) > 0 && !t.Has(player.ScopeOrganize) {
		return out, page.ErrScope
	}
	e, err := s.Arbiter.Entries.EnterTeam(c.Request().Context(), page.Viewer(c), in.ID,
		entries.TeamApplication{Name: in.Name, Club: in.Club, ClubID: in.ClubID, Captains: in.Captains, Code: in.Code, Plays: in.Plays})
	if err != nil {
		return out, err
	}
	return s.entryShown(c, e)
}

func (s api) joinTeam(c echo.Context, in joinIn) (out apiEntry, err error) {
	isAnother := in.Name != "" || in.Player != "" && player.Handle(in.Player).Key() != page.Viewer(c).Handle.Key()
	if t, is := page.Token(c); is && isAnother && !t.Has(player.ScopeOrganize) {
		return out, page.ErrScope
	}
	e, err := s.Arbiter.Entries.JoinTeam(c.Request().Context(), page.Viewer(c), in.ID, in.Entry,
		entries.Application{Handle: in.Player, OverTheBoard: in.OverTheBoard, Reason: in.Reason},
		tournament.Candidate{Name: in.Name, Rating: in.Rating})
	if err != nil {
		return out, err
	}
	return s.entryShown(c, e)
}

func (s api) orderRoster(ctx context.Context, by player.Viewer, in orderIn) error {
	return s.Arbiter.Entries.OrderRoster(ctx, by, in.ID, in.Entry, in.Players)
}

func (s api) answerMate(ctx context.Context, by player.Viewer, in mateIn) error {
	return s.Arbiter.Entries.AcceptMate(ctx, by, in.ID, in.Mate, in.Accept)
}

func (s api) answerInvitation(ctx context.Context, by player.Viewer, in invitationIn) error {
	return s.Arbiter.Entries.AnswerInvitation(ctx, by, in.ID, in.Entry, in.Accept)
}

func (s api) setCaptains(ctx context.Context, by player.Viewer, in captainsIn) error {
	return s.Arbiter.Entries.SetCaptains(ctx, by, in.ID, in.Entry, in.Captains)
}

func (s api) lineUp(c echo.Context, in event.EntryPath) (out apiTeamLineUp, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	if out.Round, err = t.LineUpFor(page.Viewer(c), in.Entry); err != nil {
		return out, err
	}
	if t.IsAwaited(in.Entry) {
		_, m := t.Rounds[out.Round-1].MatchOf(in.Entry)
		due, _ := t.BoardsDueAt()
		out.Due, out.Opponent = &due, m.TeamAt(m.SeatOf(in.Entry).Other())
	}
	out.Usual = append([]tournament.EntryID{}, t.UsualLineUp(in.Entry, out.Round)...)
	named, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[tournament.EntryID]store.TeamLineUp, error) {
		return tx.TeamLineUps(t.ID, out.Round)
	})
	if l, is := named[in.Entry]; is {
		out.HandedIn = &l.At
		if t.IsCaptain(page.Viewer(c), in.Entry) {
			out.Players = l.Players
		}
	}
	return out, err
}

func (s api) handIn(ctx context.Context, by player.Viewer, in teamLineUpIn) error {
	by.Shown = 0 // not a version of the tournament, as elsewhere
	if in.Seen != nil {
		by.Shown = max(1, in.Seen.UnixMilli())
	}
	return s.Arbiter.Rounds.HandIn(ctx, by, in.ID, in.Round, store.TeamLineUp{Team: in.Entry, Players: in.Players})
}

func (s api) forfeitMatch(ctx context.Context, by player.Viewer, in matchForfeitIn) error {
	return s.Arbiter.Desk.ForfeitMatch(ctx, by, in.ID, tournament.MatchForfeit{Round: in.Round, Match: in.Match, Lost: words.LostBy[in.Lost],
		Why: in.Reason, Replay: in.Replay})
}

func (s api) reseat(ctx context.Context, by player.Viewer, in reseatIn) error {
	return s.Arbiter.Desk.Reseat(ctx, by, in.ID, in.Board, in.Out, in.In, in.Reason)
}
