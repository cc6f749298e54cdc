package tournament

import (
	"context"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) tournamentOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /tournaments", page.Everyone, s.tournaments, "Tournaments",
			"Running ones first, then those open for entry, then those that are over; of each the newest first."),
		page.Op("POST /tournaments", player.ScopeOrganize, s.create, "Make a tournament",
			"What is left out has the usual value of its format. It is announced at once.").Creates(),
		page.Op("GET /tournaments/{id}", page.Everyone, s.tournament, "Entries, rounds and standings of a tournament", "All that its pages show, in one answer."),
		page.Op("PUT /tournaments/{id}", player.ScopeOrganize, s.replace, "Replace all settings of a tournament",
			"Before the start. Read the settings first: what is left out has the usual value of the format again."),
		page.Op("GET /tournaments/{id}/settings", page.Everyone, s.settings, "All that was decided about a tournament", "Only directors see the code of entry and the list of players."),
		page.Op("PUT /tournaments/{id}/policy", player.ScopeOrganize, s.setPolicy, "Change what fair play demands",
			"From the next round on: matches that are open keep what they were opened with."),
		page.Op("POST /tournaments/{id}/entries", player.ScopeChallenge, s.enter, "Enter a tournament",
			"Oneself with an empty body; an organizer enters a player by handle, or somebody without an account by name, and needs the scope organize for it.").Creates(),
		page.Act("DELETE /tournaments/{id}/entries/{handle}", player.ScopeChallenge, s.withdraw, "Withdraw a player", "Oneself, or as staff somebody else, who has an account."),
		page.Op("POST /tournaments/{id}/start", player.ScopeOrganize, s.start, "Start a tournament",
			"Numbers are drawn; the first round is paired and opened at its time, or, where rounds are opened by hand, when the organizer says so."),
		page.Op("POST /tournaments/{id}/finish", player.ScopeOrganize, s.finish, "Finish before the last round", "After its last round an event finishes by itself."),
		page.Op("POST /tournaments/{id}/rounds", player.ScopeOrganize, s.openRound, "Pair and open the next round", "Where rounds are opened by hand.").Creates(),
	}
}

type (
	tournamentsIn struct {
		page.Paged
		Status string  `query:"status,omitempty" doc:"only those" enum:"all,running,registration,finished"`
		Format string  `query:"format,omitempty" doc:"only of a format" enum:"round-robin,swiss,knock-out,arena,keizer"`
		Club   club.ID `query:"club,omitempty" doc:"only of a club"`
		Search string  `query:"q,omitempty" doc:"words of the name or of the club" example:"cup" max:"60"`
	}
	apiTournamentRow struct {
		ID      tournament.ID `json:"id" doc:"address of the tournament"`
		Name    string        `json:"name" doc:"its name" example:"Friday cup"`
		Format  string        `json:"format" doc:"how it is played" example:"swiss"`
		Status  string        `json:"status" doc:"where it is" example:"running"`
		Entries int           `json:"entries" doc:"how many play" example:"24"`
		Rounds  int           `json:"rounds" doc:"how many are planned; 0: unknown" example:"5"`
		Opened  int           `json:"opened" doc:"how many were opened" example:"2"`
		Starts  *time.Time    `json:"starts" doc:"when it begins or began; null: when its staff start it"`
	}
	apiTournamentRows struct {
		Tournaments []apiTournamentRow `json:"tournaments" doc:"in the order of the page"`
		Next        *string            `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
	apiTournamentView struct {
		ID        tournament.ID       `json:"id" doc:"address of the tournament"`
		Version   int64               `json:"version" doc:"for shown: what the caller has seen" example:"17"`
		Name      string              `json:"name" doc:"its name" example:"Friday cup"`
		Format    string              `json:"format" doc:"how it is played" enum:"round-robin,swiss,knock-out,arena,keizer" example:"swiss"`
		Status    string              `json:"status" doc:"where it is" example:"running"`
		Level     fairplay.Assurance  `json:"level" doc:"demanded from the next round on"`
		Stuck     string              `json:"stuck,omitempty" doc:"for staff: why the next round cannot be paired" example:"no-pairing"`
		Entries   []apiEntry          `json:"entries" doc:"who has entered"`
		Rounds    []page.APIRound     `json:"rounds" doc:"those that were opened"`
		Standings []event.APIStanding `json:"standings" doc:"the table as it stands"`
		Battle    []apiBattleTeam     `json:"battle,omitempty" doc:"of a battle: its teams, the best first"`
		Boards    []apiScorer         `json:"boards,omitempty" doc:"of teams: their players by board, the best first"`
		OwnActs   []apiOwnAct         `json:"ownActs,omitempty" doc:"acts of staff who play that touched their own place"`
		Bracket   []apiContest        `json:"bracket,omitempty" doc:"of a knock-out that has started"`
		Qualified []apiQualifier      `json:"qualified,omitempty" doc:"of a later stage, by seed"`
		Prizes    *words.APIPrizes    `json:"prizes,omitempty" doc:"what there is to win"`
	}
	apiOwnAct struct {
		Seq    int64          `json:"seq" doc:"line of the log" example:"12"`
		Player string         `json:"player" doc:"who" example:"olena"`
		Act    tournament.Act `json:"act" doc:"what they did" example:"correct"`
		At     time.Time      `json:"at" doc:"when"`
		Was    int            `json:"was,omitempty" doc:"their place before; absent: none" example:"3"`
		Is     int            `json:"is,omitempty" doc:"their place after; absent: none" example:"2"`
	}
	apiEntry struct {
		page.APISide
		Status       string             `json:"status" doc:"active, waiting, requested, invited, refused, withdrawn or disqualified" example:"active"`
		Number       int                `json:"number,omitempty" doc:"by which they are paired; absent: none yet" example:"1"`
		Rating       int                `json:"rating,omitempty" doc:"with which they were entered; absent: none" example:"1612"`
		Club         string             `json:"club,omitempty" doc:"club mates do not meet early" example:"Chess school Lviv"`
		FixedBoard   int                `json:"fixedBoard,omitempty" doc:"for staff: the board where they always sit" example:"4"`
		OverTheBoard bool               `json:"overTheBoard,omitempty" doc:"they play at a table; their results are entered by hand"`
		Team         tournament.EntryID `json:"team,omitempty" doc:"of a player of a team: its entry" example:"1"`
		Place        int                `json:"place,omitempty" doc:"of a player of a team: their place in its board order" example:"2"`
		Captains     []player.Handle    `json:"captains,omitempty" doc:"of a team: who act for it" example:"[\"anna\"]"`
		BattleTeam   int                `json:"battleTeam,omitempty" doc:"of a battle: their team, by its place in settings.battle.teams from 1" example:"1"`
	}
	// apiBattleTeam is a team in the table of a battle.
	apiBattleTeam struct {
		Rank    int            `json:"rank" doc:"shared by equal teams" example:"1"`
		Team    int            `json:"team" doc:"its place in settings.battle.teams, from 1" example:"2"`
		Name    string         `json:"name" doc:"its name" example:"Lions"`
		Score   int            `json:"score" doc:"of its leaders" example:"34"`
		Players int            `json:"players" doc:"who have entered for it and not left" example:"8"`
		Leaders []page.APISide `json:"leaders" doc:"players who count, the best first"`
	}
	// apiScorer is what a player of a team scored over the board.
	apiScorer struct {
		Board       int                `json:"board" doc:"place in the board order" example:"1"`
		Rank        int                `json:"rank,omitempty" doc:"on that board, or among the reserves; absent: they played fewer than half of the rounds" example:"1"`
		Player      page.APISide       `json:"player" doc:"who"`
		Team        tournament.EntryID `json:"team" doc:"entry of their team" example:"1"`
		Points      float64            `json:"points" doc:"of their games" example:"2.5"`
		Games       int                `json:"games" doc:"played; forfeits are none" example:"3"`
		Performance *float64           `json:"performance" doc:"rating that the results are worth; null: unknown" example:"1710"`
	}
	// apiQualifier says from which place of which tournament a player comes.
	apiQualifier struct {
		Player page.APISide  `json:"player" doc:"who"`
		From   tournament.ID `json:"from" doc:"where they qualified"`
		Place  int           `json:"place" doc:"their place there" example:"1"`
		ByLot  bool          `json:"byLot,omitempty" doc:"a lot decided among equals"`
		Score  float64       `json:"score,omitempty" doc:"points carried over" example:"1.5"`
	}
	apiContest struct {
		Round   int              `json:"round" doc:"of the bracket" example:"1"`
		Part    string           `json:"part" doc:"main, places, consolation, lower, grand-final or reset" example:"main"`
		Places  []int            `json:"places,omitempty" doc:"first and last place that its part decides" example:"[1,2]"`
		Players [2]*page.APISide `json:"players" doc:"null: not known yet"`
		Winner  *page.APISide    `json:"winner" doc:"who advances; null: not decided"`
		By      string           `json:"by" doc:"what decided it; empty: nothing yet" example:"score"`
	}
)

func (s api) tournaments(c echo.Context, in tournamentsIn) (out apiTournamentRows, err error) {
	from, err := in.Offset()
	if err != nil {
		return out, err
	}
	v := page.Viewer(c)
	q := store.TournamentQuery{Drafts: v.ID, AllDrafts: v.MayOperate(), Club: in.Club, Search: in.Search, Limit: in.Most(200), Offset: from}
	q.Format, _ = tournament.ParseFormat(in.Format) // none: any
	for _, tab := range tournamentTabs {
		if tab.word == in.Status {
			q.Statuses = tab.statuses
		}
	}
	out.Tournaments = []apiTournamentRow{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, total, err := tx.Tournaments(q)
		for _, t := range list {
			out.Tournaments = append(out.Tournaments, apiTournamentRow{t.ID, t.Name, t.Format.String(), t.Status.String(), t.Entries, t.Rounds, t.Opened,
				page.Optional(t.StartsAt)})
		}
		out.Next = in.Next(from+len(list), total)
		return err
	})
	return out, err
}

func (s api) tournament(c echo.Context, _ event.TournamentPath) (v apiTournamentView, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return v, err
	}
	return s.tournamentShown(c, t)
}

// tournamentShown returns all that the pages of a tournament show.
func (s api) tournamentShown(c echo.Context, t *tournament.Tournament) (v apiTournamentView, err error) {
	v = apiTournamentView{
		ID: t.ID, Version: t.Version, Name: t.Name, Format: t.Format.String(), Status: t.Status.String(), Level: t.Policy.OrOpen().Level,
		Entries: []apiEntry{}, Rounds: []page.APIRound{},
	}
	for _, n := range t.Interests {
		e, _ := t.Entry(n.Entry)
		v.OwnActs = append(v.OwnActs, apiOwnAct{Seq: n.Seq, Player: e.Name, Act: n.Act, At: n.At, Was: n.Was, Is: n.Is})
	}
	with, err := s.APIFacts(c, t)
	if err != nil {
		return v, err
	}
	isStaff := t.May(page.Viewer(c), tournament.ActDesk)
	if isStaff {
		v.Stuck = t.Stuck
	}
	for _, e := range t.Entries {
		if e.IsPrivate() {
			continue
		}
		entry := apiEntryOf(e, with.Who)
		if isStaff {
			entry.FixedBoard = e.FixedBoard
		}
		v.Entries = append(v.Entries, entry)
	}
	for _, r := range t.Rounds {
		v.Rounds = append(v.Rounds, page.APIRoundOf(t, r, with))
	}
	if v.Standings, err = event.APIStandingsOf(t, with.Who); err != nil {
		return v, err
	}
	v.Battle = apiBattle(t, with.Who)
	if t.HasTeams() && t.Status >= tournament.Running {
		if v.Boards, err = apiScorers(t, with.Who); err != nil {
			return v, err
		}
	}
	v.Bracket, v.Qualified = apiBracket(t, with.Who), apiQualified(t, with.Who)
	if !t.Prizes.IsZero() {
		v.Prizes, err = words.APIPrizesOf(t)
	}
	return v, err
}

// apiBattle returns the teams of a battle.
func apiBattle(t *tournament.Tournament, who map[player.ID]player.Player) (list []apiBattleTeam) {
	if !t.IsBattle() {
		return nil
	}
	for _, l := range arena.BattleOf(&t.Table) {
		x := apiBattleTeam{Rank: l.Rank, Team: l.Team, Name: t.Battle.NameOf(l.Team), Score: l.Score, Players: l.Players, Leaders: []page.APISide{}}
		for _, m := range l.Members[:l.Leaders] {
			e, _ := t.Entry(tournament.EntryID(m.ID)) // they are in the table
			x.Leaders = append(x.Leaders, page.SideOf(e, who))
		}
		list = append(list, x)
	}
	return list
}

// apiScorers returns the players of teams by board.
func apiScorers(t *tournament.Tournament, who map[player.ID]player.Player) (list []apiScorer, err error) {
	all, err := format.Scorers(t)
	for _, x := range all {
		row := apiScorer{Board: x.Board, Rank: x.Rank, Player: page.SideOf(x.Entry, who), Team: x.Team.ID, Points: float64(x.Points) / 10, Games: x.Games}
		if x.Performance.Defined {
			row.Performance = page.Optional(x.Performance.Float())
		}
		list = append(list, row)
	}
	return list, err
}

// apiBracket returns the bracket of a started knock-out.
func apiBracket(t *tournament.Tournament, who map[player.ID]player.Player) (list []apiContest) {
	if !t.Format.HasBracket() || t.Status < tournament.Running {
		return nil
	}
	sides := map[int]*page.APISide{}
	for _, e := range t.Entries {
		if e.Number != 0 { // the others are not in the bracket
			side := page.SideOf(e, who)
			sides[e.Number] = &side
		}
	}
	for _, s := range t.Bracket(len(t.Rounds)).States {
		x := apiContest{Round: s.Level, Part: s.Part.String(), Players: [2]*page.APISide{sides[s.Sides[0]], sides[s.Sides[1]]},
			Winner: sides[s.Winner], By: s.By.String()}
		if s.Places[0] > 0 {
			x.Places = s.Places[:]
		}
		list = append(list, x)
	}
	return list
}

// apiQualified lists the players of a later stage by seed.
func apiQualified(t *tournament.Tournament, who map[player.ID]player.Player) (list []apiQualifier) {
	if t.Origin == nil {
		return nil
	}
	for _, q := range t.Origin.Seeds {
		e, _ := t.Entry(q.Own) // all who have qualified have an entry
		list = append(list, apiQualifier{Player: page.SideOf(e, who), From: t.Origin.Of[q.Of].ID, Place: q.Place, ByLot: q.ByLot,
			Score: float64(q.Score) / 10})
	}
	return list
}

func apiEntryOf(e tournament.Entry, who map[player.ID]player.Player) apiEntry {
	x := apiEntry{APISide: page.SideOf(e, who), Status: e.State(), Number: e.Number, Rating: e.Rating, Club: e.Club, OverTheBoard: e.OverTheBoard, Team: e.Team, Place: e.Place, BattleTeam: e.Camp}
	for _, id := range e.Captains {
		x.Captains = append(x.Captains, who[id].Handle)
	}
	return x
}

// entryShown returns an entry with its account.
func (s api) entryShown(c echo.Context, e tournament.Entry) (apiEntry, error) {
	who, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) {
		return tx.Players(append(slices.Clone(e.Captains), e.Player)...)
	})
	return apiEntryOf(e, who), err
}

type playerEntryPath struct {
	event.TournamentPath
	Handle string `path:"handle" doc:"the player" example:"anna"`
}

func (s api) withdraw(ctx context.Context, by player.Viewer, in playerEntryPath) error {
	return s.Arbiter.Entries.WithdrawPlayer(ctx, by, in.ID, in.Handle)
}

func (s api) start(c echo.Context, in event.TournamentPath) (v apiTournamentView, err error) {
	if err := s.Arbiter.Rounds.Start(c.Request().Context(), page.Viewer(c), in.ID); err != nil {
		return v, err
	}
	return s.tournament(c, in)
}

// finish ends an event before its last round.
func (s api) finish(c echo.Context, in event.TournamentPath) (v apiTournamentView, err error) {
	if err := s.Arbiter.Rounds.Finish(c.Request().Context(), page.Viewer(c), in.ID); err != nil {
		return v, err
	}
	return s.tournament(c, in)
}

func (s api) openRound(c echo.Context, in event.TournamentPath) (out page.APIRound, err error) {
	if err := s.Arbiter.Rounds.Open(c.Request().Context(), page.Viewer(c), in.ID); err != nil {
		return out, err
	}
	return s.APIRound(c, in.ID, 0)
}
