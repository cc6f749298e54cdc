package tournament

import (
	"context"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/roster"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) entryOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /tournaments/{id}/requests", player.ScopeOrganize, s.requests, "Who asks to enter, and who waits", "For staff."),
		page.Op("POST /tournaments/{id}/requests/{handle}", player.ScopeOrganize, s.answerRequest,
			"Accept or refuse who asks to enter, or waits", "For staff."),
		page.Act("POST /tournaments/{id}/arena", player.ScopeChallenge, s.arena, "Wait for the next opponent in an arena, or rest",
			"Waiting ends twenty seconds after it was last said; a match shows in the tournament."),
		page.Op("POST /tournaments/{id}/lists", player.ScopeOrganize, s.enterList, "Enter a list of players",
			"For staff. Handles, or lines of name; rating; club; CSV or TRF."),
		page.Op("PUT /tournaments/{id}/entries/{entry}/particulars", player.ScopeOrganize, s.correctEntry,
			"Correct the name, club or rating of an entry",
			"Or where they play. For staff, until the event is signed off; what is left out stays."),
		page.Act("POST /tournaments/{id}/entries/{entry}/withdrawal", player.ScopeOrganize, s.ofEntry((*entries.Office).Withdraw),
			"Withdraw an entry",
			"For staff; also of somebody without an account."),
		page.Act("DELETE /tournaments/{id}/entries/{entry}/withdrawal", player.ScopeOrganize, s.ofEntry((*entries.Office).Readmit),
			"Take a withdrawal back",
			"The entry plays on from the next round. For staff."),
		page.Act("POST /tournaments/{id}/return", player.ScopeChallenge, s.ByEntries((*entries.Office).Return),
			"Come back after one’s own withdrawal", "From the next round on."),
		page.Act("POST /tournaments/{id}/play-here", player.ScopeChallenge, s.ByEntries((*entries.Office).PlayHere),
			"Play on this site instead of at a table",
			"Of the caller’s own entry, from the next round on."),
		page.Act("POST /tournaments/{id}/byes", player.ScopeChallenge, s.askBye, "Ask for a round off, or take that back",
			"For the caller’s own entry."),
		page.Act("POST /tournaments/{id}/entries/{entry}/byes", player.ScopeOrganize, s.giveBye, "Give an entry a round off, or take that back",
			"For staff."),
		page.Act("PUT /tournaments/{id}/entries/{entry}/account", player.ScopeOrganize, s.link, "Say whose an entry without an account is",
			"It plays its next matches on this site. For staff."),
		page.Act("PUT /tournaments/{id}/entries/{entry}/board", player.ScopeOrganize, s.fixBoard, "Give an entry a fixed board",
			"In every round to come. For staff."),
		page.Act("PUT /tournaments/{id}/entries/{entry}/born", player.ScopeChallenge, s.declareBorn, "Declare a year of birth",
			"For the prizes of an age group; by the player, or by staff."),
		page.Op("GET /tournaments/{id}/prizes", page.Everyone, s.prizes, "What there is to win",
			"And who would win it as the standings are now."),
		page.Act("PUT /tournaments/{id}/report", player.ScopeOrganize, s.setReportHead, "Replace what the head of the report file tells",
			"At any time, by staff. What is left out the report takes from the event: its arbiters, its bidding limits."),
		page.Op("PUT /tournaments/{id}/prizes", player.ScopeOrganize, s.setPrizes, "Replace the prize fund",
			"Until the event is over; an empty one takes it away."),
	}
}

type (
	enterIn struct {
		event.TournamentPath
		Player       string `json:"player,omitempty" doc:"who enters, by handle: an organizer enters others; absent: the caller" example:"borys"`
		Name         string `json:"name,omitempty" doc:"of somebody without an account, whom an organizer enters" example:"Daria Tkach" max:"300"`
		Club         string `json:"club,omitempty" doc:"with name: club mates do not meet early" example:"Chess school Lviv" max:"300"`
		Rating       int    `json:"rating,omitempty" doc:"with name" example:"1612" min:"0" max:"4000"`
		Another      bool   `json:"another,omitempty" doc:"with name: it is another person than the one of that name"`
		OverTheBoard bool   `json:"overTheBoard,omitempty" doc:"with player: they play at a table; their results are entered by hand"`
		Code         string `json:"code,omitempty" doc:"of entry, if the event asks for one" example:"lion"`
		Reason       string `json:"reason,omitempty" doc:"of an organizer, if a condition is not met" example:"Invited"`
		BattleTeam   string `json:"battleTeam,omitempty" doc:"of a battle: the name of their team; absent: whichever has the fewest players" example:"Lions"`
	}
	apiRequests struct {
		Requests []apiEntry `json:"requests" doc:"those that ask, then those that wait, in their order"`
	}
	answerRequestIn struct {
		playerEntryPath
		Accept bool   `json:"accept" doc:"false refuses"`
		Reason string `json:"reason,omitempty" doc:"for the player" example:"The hall is full"`
	}
	arenaIn struct {
		event.TournamentPath
		Rest bool `json:"rest,omitempty" doc:"not to be paired"`
	}
	bye struct {
		Round int    `json:"round" doc:"which" example:"3" min:"1"`
		Kind  string `json:"kind" doc:"what it is worth; none: the entry plays" enum:"half,zero,full,none" example:"half"`
	}
	askByeIn struct {
		event.TournamentPath
		bye
	}
	giveByeIn struct {
		event.EntryPath
		bye
	}
	reportHeadIn struct {
		event.TournamentPath
		City        string   `json:"city,omitempty" doc:"where it is held (TRF 022)" example:"Lviv" max:"100"`
		Federation  string   `json:"federation,omitempty" doc:"as FIDE writes it (032)" example:"UKR" max:"100"`
		Chief       string   `json:"chief,omitempty" doc:"name of the chief arbiter (102)" example:"Daria Tkach" max:"100"`
		Deputies    []string `json:"deputies,omitempty" doc:"names of the other arbiters (112)" example:"[\"Ivan Bondar\"]"`
		TimeControl string   `json:"timeControl,omitempty" doc:"allotted times (122)" example:"90 min + 30 s a move" max:"100"`
	}
	linkIn struct {
		event.EntryPath
		Player string `json:"player" doc:"handle of the account" example:"borys"`
	}
	boardIn struct {
		event.EntryPath
		Board int `json:"board" doc:"0: any" example:"4" min:"0"`
	}
	particularsIn struct {
		event.EntryPath
		Name         *string `json:"name" doc:"as lists show it" example:"Anna Koval"`
		Club         *string `json:"club" doc:"club mates do not meet early" example:"Chess school Lviv"`
		Rating       *int    `json:"rating" doc:"0: unrated" example:"1612" min:"0" max:"4000"`
		OverTheBoard *bool   `json:"overTheBoard" doc:"they play at a table; their results are entered by hand"`
		Another      bool    `json:"another,omitempty" doc:"it is another person than the one of that name"`
		Reason       string  `json:"reason,omitempty" doc:"for the log" example:"Misspelled"`
	}
	listIn struct {
		event.TournamentPath
		Team    tournament.EntryID `json:"team,omitempty" doc:"whom they join, in board order; absent in an event of teams: each line names its team" example:"7" min:"0"`
		List    string             `json:"list" doc:"one player a line" example:"anna"`
		Reason  string             `json:"reason,omitempty" doc:"if a condition is not met" example:"Invited"`
		Preview bool               `json:"preview,omitempty" doc:"only say what would happen"`
		Play    bool               `json:"play,omitempty" doc:"names without an account get one, to play here"`
		Another []int              `json:"another,omitempty" doc:"lines of other persons than the ones of that name" example:"[3]"`
	}
	// apiLine is what becomes of a line of a list.
	apiLine struct {
		Line   int    `json:"line" doc:"in the list, from 1" example:"1"`
		Player string `json:"player" doc:"who stands there" example:"anna"`
		Status string `json:"status,omitempty" doc:"what they become: active or waiting" example:"active"`
		Error  string `json:"error,omitempty" doc:"why the line enters nobody, in words" example:"They have entered already."`
		Code   string `json:"code,omitempty" doc:"the same for programs" example:"entered"`
		Handle string `json:"handle,omitempty" doc:"of the person whom the club knows by that name" example:"anna"`
	}
	apiLines struct {
		Lines []apiLine `json:"lines" doc:"in order"`
	}
)

func (s api) enter(c echo.Context, in enterIn) (out apiEntry, err error) {
	isGuest := in.Name != "" && in.Player == ""
	isAnother := isGuest || in.Player != "" && player.Handle(in.Player).Key() != page.Viewer(c).Handle.Key()
	if t, is := page.Token(c); is && isAnother && !t.Has(player.ScopeOrganize) {
		return out, page.ErrScope
	}
	if err := s.MayTry(c, in.Code); err != nil {
		return out, err
	}
	camp := 0
	if in.BattleTeam != "" {
		t, err := s.SeenTournament(c)
		if err != nil {
			return out, err
		}
		if camp = t.Battle.Camp(in.BattleTeam); camp == 0 && t.IsBattle() {
			return out, tournament.ErrNoCamp
		}
	}
	var e tournament.Entry
	if isGuest {
		e, err = s.Arbiter.Entries.RegisterGuest(c.Request().Context(), page.Viewer(c), in.ID,
			tournament.Candidate{Name: in.Name, Reason: in.Reason, Club: in.Club, Rating: in.Rating, Another: in.Another, Camp: camp})
	} else {
		e, err = s.Arbiter.Entries.Register(c.Request().Context(), page.Viewer(c), in.ID,
			entries.Application{Handle: in.Player, OverTheBoard: in.OverTheBoard, Code: in.Code, Reason: in.Reason, Camp: camp})
	}
	if err != nil {
		return out, err
	}
	return s.entryShown(c, e)
}

// requests lists those who ask to enter, then those who wait, in their order.
func (s api) requests(c echo.Context, _ event.TournamentPath) (out apiRequests, err error) {
	t, err := s.TournamentFor(c, tournament.ActDesk)
	if err != nil {
		return out, err
	}
	with, err := s.APIFacts(c, t)
	out.Requests = []apiEntry{}
	for _, e := range t.Entries {
		if e.Status == tournament.Requested {
			out.Requests = append(out.Requests, apiEntryOf(e, with.Who))
		}
	}
	for _, e := range t.WaitingList() {
		out.Requests = append(out.Requests, apiEntryOf(e, with.Who))
	}
	return out, err
}

// answerRequest accepts or refuses a player who asks to enter or waits.
func (s api) answerRequest(c echo.Context, in answerRequestIn) (out apiEntry, err error) {
	t, err := s.TournamentFor(c, tournament.ActDesk) // others must not learn who has asked
	if err != nil {
		return out, err
	}
	for _, e := range t.Entries {
		if e.IsGuest() || e.Name != in.Handle {
			continue
		}
		if in.Accept {
			err = s.Arbiter.Entries.Accept(c.Request().Context(), page.Viewer(c), t.ID, e.ID, in.Reason)
		} else {
			err = s.Arbiter.Entries.Refuse(c.Request().Context(), page.Viewer(c), t.ID, e.ID, in.Reason)
		}
		if err != nil {
			return out, err
		}
		if t, err = s.Arbiter.Tournament(c.Request().Context(), t.ID); err != nil {
			return out, err
		}
		if e, err = t.Entry(e.ID); err != nil {
			return out, err
		}
		return s.entryShown(c, e)
	}
	return out, tournament.ErrNoEntry
}

// arena lets the caller wait for an opponent, or rest. A waiting program repeats the request within
// rounds.Gone, as an open page does.
func (s api) arena(ctx context.Context, by player.Viewer, in arenaIn) error {
	do := s.Arbiter.Rounds.Await
	if in.Rest {
		do = s.Arbiter.Rounds.Rest
	}
	return do(ctx, by, in.ID)
}

// ofEntry returns the handler of an act on an entry that takes nothing but its address.
func (s api) ofEntry(
	do func(*entries.Office, context.Context, player.Viewer, tournament.ID, tournament.EntryID) error,
) func(context.Context, player.Viewer, event.EntryPath) error {
	return func(ctx context.Context, by player.Viewer, in event.EntryPath) error {
		return do(s.Arbiter.Entries, ctx, by, in.ID, in.Entry)
	}
}

// of returns the bye for an entry; 0: the asker's own.
func (b bye) of(e tournament.EntryID) entries.Bye {
	kind, _ := words.ByeKind(b.Kind) // the enum of kind admits no other
	return entries.Bye{Entry: e, Round: b.Round, Kind: kind}
}

func (s api) askBye(ctx context.Context, by player.Viewer, in askByeIn) error {
	return s.Arbiter.Entries.AskBye(ctx, by, in.ID, in.of(0))
}

func (s api) giveBye(ctx context.Context, by player.Viewer, in giveByeIn) error {
	return s.Arbiter.Entries.AskBye(ctx, by, in.ID, in.of(in.Entry))
}

func (s api) link(ctx context.Context, by player.Viewer, in linkIn) error {
	return s.Arbiter.Events.Link(ctx, by, in.ID, in.Entry, in.Player)
}

func (s api) setReportHead(ctx context.Context, by player.Viewer, in reportHeadIn) error {
	return s.Arbiter.Events.SetReportHead(ctx, by, in.ID, tournament.ReportHead{City: in.City, Federation: in.Federation,
		Chief: in.Chief, Deputies: in.Deputies, TimeControl: in.TimeControl})
}

// fixBoard gives an entry a fixed board; 0 takes it away.
func (s api) fixBoard(ctx context.Context, by player.Viewer, in boardIn) error {
	return s.Arbiter.Entries.FixBoard(ctx, by, in.ID, in.Entry, in.Board)
}

// correctEntry corrects the name, club or rating of an entry, or where they play; what is left out stays.
func (s api) correctEntry(c echo.Context, in particularsIn) (none page.None, err error) {
	t, err := s.TournamentFor(c, tournament.ActParticulars)
	if err != nil {
		return none, err
	}
	e, err := t.Entry(in.Entry)
	if err != nil {
		return none, err
	}
	x := tournament.Particulars{Name: e.Name, Club: e.Club, Rating: e.Rating, OverTheBoard: e.OverTheBoard, Another: in.Another}
	if in.OverTheBoard != nil {
		x.OverTheBoard = *in.OverTheBoard
	}
	for _, of := range []struct{ from, to *string }{{in.Name, &x.Name}, {in.Club, &x.Club}} {
		if of.from != nil {
			*of.to = *of.from
		}
	}
	if in.Rating != nil {
		x.Rating = *in.Rating
	}
	return none, s.Arbiter.Entries.CorrectEntry(c.Request().Context(), kernel.For(page.Viewer(c), in.Reason), in.ID, in.Entry, x)
}

// enterList enters a list of players, or previews that.
func (s api) enterList(c echo.Context, in listIn) (out apiLines, err error) {
	if len(in.List) > words.MaxRoster {
		return out, page.BadValue("list", "the list is longer than 256 KB")
	}
	text, err := intake.Clean(in.List)
	if err != nil {
		return out, err
	}
	do := s.Arbiter.Entries.RegisterAll
	if in.Preview {
		do = s.Arbiter.Entries.Plan
	}
	another := map[int]bool{}
	for _, line := range in.Another {
		another[line] = true
	}
	plan, err := do(c.Request().Context(), page.Viewer(c), in.ID,
		entries.Listed{Lines: roster.Read(text), Reason: in.Reason, Play: in.Play, Another: another, Team: in.Team})
	if err != nil {
		return out, err
	}
	out.Lines = []apiLine{}
	for _, p := range plan {
		l := apiLine{Line: p.Number, Player: words.RosterName(p)}
		if p.IsSame() {
			l.Handle = string(p.Known[0].Handle)
		}
		if p.Err == nil {
			l.Status = p.Status.String()
		} else {
			why := page.ProblemOf(p.Err)
			l.Code, l.Error = string(why.Code), why.Detail
		}
		out.Lines = append(out.Lines, l)
	}
	return out, nil
}
