package league

import (
	"context"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/leagues"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/web/page"
)

// API returns what programs can do in leagues.
func API(s *page.Site) page.Chapter {
	a := api{s}
	return page.Chapter{Name: "Leagues", Text: "Leagues of clubs: seasons, divisions, alternates. A division is a tournament.",
		Operations: []*page.Operation{
			page.Op("GET /leagues", page.Everyone, a.list, "Leagues", "The oldest first."),
			page.Op("POST /leagues", player.ScopeOrganize, a.create, "Start a league of a club", "For those who hold its events.").Creates(),
			page.Op("GET /leagues/{id}", page.Everyone, a.show, "A league and its current season", "The events of its divisions are tournaments."),
			page.Op("GET /leagues/{id}/seasons/{season}", page.Everyone, a.season, "A season of a league", "Its final tables, once they are frozen, and who rises and goes down."),
			page.Op("PATCH /leagues/{id}", player.ScopeOrganize, a.change, "Change a league",
				"What is named; the rest stays. A season whose divisions are made keeps its sizes and movements. For those who hold events of the club."),
			page.Op("POST /leagues/{id}", player.ScopeChallenge, a.act, "Do something in a league",
				"What its page offers: to players, to alternates, and to those who hold events of the club, who need the scope organize for that."),
		}}
}

type (
	leaguePath struct {
		ID league.ID `path:"id" doc:"the league" example:"l1"`
	}
	leaguesIn struct {
		page.Paged
		Club   club.ID `query:"club,omitempty" doc:"only those of this club" example:"c1"`
		Search string  `query:"q,omitempty" doc:"words of the name" example:"winter" max:"60"`
	}
	newLeagueIn struct {
		Club      club.ID       `json:"club" doc:"the club" example:"c1"`
		Name      string        `json:"name" doc:"what it is called" example:"Winter league"`
		About     string        `json:"about,omitempty" doc:"its rules, for people" example:"Be kind"`
		Starts    time.Time     `json:"starts" doc:"when the first season starts"`
		Usual     int           `json:"usual,omitempty" doc:"usual size of a division; absent: 6" example:"6" min:"0" max:"200"`
		Least     int           `json:"least,omitempty" doc:"least size; absent: 4" example:"4" min:"0" max:"200"`
		Most      int           `json:"most,omitempty" doc:"most; absent: 8" example:"8" min:"0" max:"200"`
		Movers    int           `json:"movers,omitempty" doc:"how many rise and go down; absent: a sixth, rounded up" example:"1" min:"0" max:"99"`
		PlayOff   bool          `json:"playOff,omitempty" doc:"whether there are play-offs at the boundaries"`
		Days      int           `json:"days,omitempty" doc:"days for each round; absent: 7" example:"7" min:"0" max:"60"`
		Double    bool          `json:"double,omitempty" doc:"whether everybody meets twice"`
		Rounds    int           `json:"rounds,omitempty" doc:"rounds of a Swiss; absent: everybody meets everybody" example:"5" min:"0" max:"99"`
		MoveDays  int           `json:"moveDays,omitempty" doc:"by correspondence: days for each bid and move; days are then those of all matches" example:"3" min:"0" max:"14"`
		DrawUnmet bool          `json:"drawUnmet,omitempty" doc:"whether a match without an agreed time is an unrated draw"`
		Boards    int           `json:"boards,omitempty" doc:"boards of a match of teams; absent: players play" example:"4" min:"0" max:"50"`
		Reserves  int           `json:"reserves,omitempty" doc:"most players of a team beyond its boards" example:"2" min:"0" max:"12"`
		Like      tournament.ID `json:"like,omitempty" doc:"a tournament of the club with the bidding limits, clocks and fair play of its divisions"`
	}
	changeLeagueIn struct {
		leaguePath
		Name      *string       `json:"name" doc:"what it is called" example:"Winter league"`
		About     *string       `json:"about" doc:"its rules, for people" example:"Be kind"`
		Starts    *time.Time    `json:"starts" doc:"when the open season starts"`
		Usual     *int          `json:"usual" doc:"usual size of a division" example:"6" min:"3" max:"200"`
		Least     *int          `json:"least" doc:"least size" example:"4" min:"3" max:"200"`
		Most      *int          `json:"most" doc:"most" example:"8" min:"3" max:"200"`
		Movers    *int          `json:"movers" doc:"how many rise and go down; 0: a sixth, rounded up" example:"1" min:"0" max:"99"`
		PlayOff   *bool         `json:"playOff" doc:"whether there are play-offs at the boundaries"`
		Days      *int          `json:"days" doc:"days for each round" example:"7" min:"1" max:"60"`
		Double    *bool         `json:"double" doc:"whether everybody meets twice"`
		Rounds    *int          `json:"rounds" doc:"rounds of a Swiss; 0: everybody meets everybody" example:"5" min:"0" max:"99"`
		MoveDays  *int          `json:"moveDays" doc:"by correspondence: days for each bid and move; 0: players agree on times" example:"3" min:"0" max:"14"`
		DrawUnmet *bool         `json:"drawUnmet" doc:"whether a match without an agreed time is an unrated draw"`
		Boards    *int          `json:"boards" doc:"boards of a match of teams; 0: players play" example:"4" min:"0" max:"50"`
		Reserves  *int          `json:"reserves" doc:"most players of a team beyond its boards" example:"2" min:"0" max:"12"`
		Like      tournament.ID `json:"like,omitempty" doc:"a tournament of the club with the bidding limits, clocks and fair play of its divisions"`
	}
	seasonPath struct {
		leaguePath
		Season int `path:"season" doc:"its number, from 1" example:"1"`
	}
	apiLeagueSeasonRow struct {
		Player string `json:"player" doc:"who, by handle, or a team as # and its number" example:"borys"`
		Left   bool   `json:"left" doc:"whether they left during the season"`
		Way    string `json:"way" doc:"what becomes of them" enum:"stayed,promoted,relegated" example:"promoted"`
	}
	apiLeagueSeasonDivision struct {
		Tournament tournament.ID        `json:"tournament" doc:"its event" example:"t1"`
		Table      []apiLeagueSeasonRow `json:"table" doc:"the winner first; empty until it is frozen"`
	}
	apiLeagueSeasonPlayOff struct {
		Upper      int           `json:"upper" doc:"the upper of its two divisions" example:"1"`
		Tournament tournament.ID `json:"tournament,omitempty" doc:"its event" example:"t4"`
		Stays      string        `json:"stays" doc:"who would stay in the upper division" example:"anna"`
		Rises      string        `json:"rises" doc:"who would not rise" example:"borys"`
		Winner     string        `json:"winner,omitempty" doc:"who plays in the upper division next" example:"anna"`
	}
	apiLeagueSeason struct {
		Season    int                       `json:"season" doc:"its number" example:"1"`
		State     string                    `json:"state" doc:"how far it is" enum:"open,placed,running,closing,archived" example:"archived"`
		Starts    time.Time                 `json:"starts" doc:"when it starts"`
		Divisions []apiLeagueSeasonDivision `json:"divisions" doc:"from the top"`
		PlayOffs  []apiLeagueSeasonPlayOff  `json:"playOffs" doc:"from the top"`
	}
	leagueActIn struct {
		leaguePath
		Do     string `json:"do" doc:"what to do" enum:"enter,team,decline,leave,stay,answer,propose,shift,publish,schedule,begin,freeze,play-offs,archive,warn,appeal,decide" example:"enter"`
		Player string `json:"player,omitempty" doc:"whom, by handle, or a team as # and its number; absent: the caller, or the team that they act for; team: absent for a new one" example:"borys"`
		apiTeam
		Number int        `json:"number,omitempty" doc:"answer: the place; appeal, decide: the sanction" example:"1" min:"0"`
		Accept bool       `json:"accept,omitempty" doc:"answer: take the place; decide: lift the sanction"`
		To     int        `json:"to,omitempty" doc:"shift: the division; enter: that of a Swiss which has begun" example:"2" min:"0"`
		At     *time.Time `json:"at,omitempty" doc:"schedule: when the draft is published by itself; absent: no more"`
		Starts *time.Time `json:"starts,omitempty" doc:"archive: when the next season starts"`
		Text   string     `json:"text,omitempty" doc:"warn, appeal, decide: why" example:"Did not answer for a week"`
	}
	apiTeam struct {
		Name     string   `json:"name,omitempty" doc:"team: what it is called" example:"Dragons A"`
		Club     club.ID  `json:"club,omitempty" doc:"team: the club whose members play, of a new one" example:"c1"`
		Captains []string `json:"captains,omitempty" doc:"team: who act for it, by handles; absent: the caller" example:"[\"anna\"]"`
		Players  []string `json:"players,omitempty" doc:"team: who play, by handles in board order" example:"[\"anna\"]"`
	}
	apiLeagueTeam struct {
		Team string `json:"team" doc:"# and its number, which it keeps" example:"#1"`
		In   bool   `json:"in" doc:"whether it is in this season, or waits for a place"`
		apiTeam
	}
	apiLeagueRow struct {
		ID    league.ID `json:"id" doc:"address of the league" example:"l1"`
		Name  string    `json:"name" doc:"what it is called" example:"Winter league"`
		State string    `json:"state" doc:"of its season" enum:"open,placed,running,closing,archived" example:"running"`
	}
	apiLeagues struct {
		Leagues []apiLeagueRow `json:"leagues" doc:"the oldest first"`
		Next    *string        `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
	apiDivision struct {
		Tournament tournament.ID `json:"tournament" doc:"its event" example:"t1"`
		Players    []string      `json:"players" doc:"in the order of their numbers" example:"[\"borys\"]"`
	}
	apiLeague struct {
		apiLeagueRow
		Version    int64           `json:"version" doc:"what an act has seen, as shown" example:"12"`
		Season     int             `json:"season" doc:"its number" example:"2"`
		Starts     time.Time       `json:"starts" doc:"when the season starts"`
		PublishAt  *time.Time      `json:"publishAt" doc:"when the draft of its divisions is published by itself; null: by hand"`
		In         []string        `json:"in" doc:"who takes part, by handle, or a team as # and its number" example:"[\"borys\"]"`
		Divisions  []apiDivision   `json:"divisions" doc:"from the top; empty until they are published"`
		Alternates []string        `json:"alternates" doc:"who waits for a place" example:"[\"borys\"]"`
		Boards     int             `json:"boards" doc:"boards of a match of teams; 0: players play" example:"0"`
		Reserves   int             `json:"reserves" doc:"most players of a team beyond its boards" example:"0"`
		Teams      []apiLeagueTeam `json:"teams" doc:"that have ever entered, as they are named now"`
	}
)

func (s api) list(c echo.Context, in leaguesIn) (out apiLeagues, err error) {
	from, err := in.Offset()
	if err != nil {
		return out, err
	}
	out.Leagues = []apiLeagueRow{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, total, err := tx.Leagues(store.LeagueQuery{Club: in.Club, Search: in.Search, Limit: in.Most(200), Offset: from})
		out.Next = in.Next(from+len(list), total)
		for _, l := range list {
			out.Leagues = append(out.Leagues, apiLeagueRow{l.ID, l.Settings.Name, string(l.Now().State)})
		}
		return err
	})
	return out, err
}

func (s api) create(c echo.Context, in newLeagueIn) (out apiLeague, err error) {
	set := league.DefaultSettings()
	set.Name, set.About, set.Movers, set.PlayOff = in.Name, in.About, in.Movers, in.PlayOff
	for given, to := range map[*int]*int{&in.Usual: &set.Usual, &in.Least: &set.Least, &in.Most: &set.Most} {
		if *given > 0 {
			*to = *given
		}
	}
	if in.Days > 0 {
		set.Division.Window = time.Duration(in.Days) * 24 * time.Hour
	}
	set.Division.Double, set.Division.DrawUnmet = in.Double, in.DrawUnmet
	set.Play(in.Rounds, time.Duration(in.MoveDays)*24*time.Hour)
	set.PlayIn(in.Boards, in.Reserves)
	id, err := s.Arbiter.Leagues.Create(c.Request().Context(), page.Viewer(c), in.Club, set, in.Like, in.Starts)
	if err != nil {
		return out, err
	}
	return s.shown(c, id)
}

func (s api) show(c echo.Context, in leaguePath) (apiLeague, error) { return s.shown(c, in.ID) }

func (s api) shown(c echo.Context, id league.ID) (out apiLeague, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		l, err := tx.League(id)
		if err != nil {
			return err
		}
		if err := leagues.KeepTeams(l, tx.Tournament); err != nil {
			return err
		}
		x := l.Now()
		var ids []player.ID
		for _, m := range x.In {
			ids = append(ids, player.ID(m.Member))
		}
		for _, a := range x.Bench.Alternates {
			ids = append(ids, player.ID(a.Member))
		}
		for _, t := range l.Teams {
			ids = append(ids, peopleOf(t)...)
		}
		who, err := tx.Players(ids...)
		handle := memberText(who)
		out = apiLeague{apiLeagueRow: apiLeagueRow{l.ID, l.Settings.Name, string(x.State)}, Version: l.Version, Season: x.Number, Starts: x.Starts,
			PublishAt: page.Optional(x.PublishAt),
			In:        []string{}, Divisions: []apiDivision{}, Alternates: []string{}, Teams: []apiLeagueTeam{},
			Boards: l.Settings.Division.Teams.Boards, Reserves: l.Settings.Division.Teams.Reserves}
		for _, m := range x.In {
			out.In = append(out.In, handle(m.Member))
		}
		for _, d := range x.Divisions {
			y := apiDivision{Tournament: d.Tournament, Players: []string{}}
			for _, m := range d.Members {
				y.Players = append(y.Players, handle(m))
			}
			out.Divisions = append(out.Divisions, y)
		}
		for _, a := range x.Bench.Alternates {
			out.Alternates = append(out.Alternates, handle(a.Member))
		}
		for _, t := range l.Teams {
			y := apiLeagueTeam{Team: string(t.Member()), In: l.TakesPart(t.Member()), apiTeam: apiTeam{Name: t.Name, Club: t.Club}}
			for _, id := range t.Captains {
				y.Captains = append(y.Captains, string(who[id].Handle))
			}
			for _, m := range t.Players {
				y.Players = append(y.Players, string(who[m.Player].Handle))
			}
			out.Teams = append(out.Teams, y)
		}
		return err
	})
	return out, err
}

func (s api) change(c echo.Context, in changeLeagueIn) (out apiLeague, err error) {
	err = s.Arbiter.Leagues.Change(c.Request().Context(), page.Viewer(c), in.ID, in.Like, func(set *league.Settings, starts *time.Time) error {
		given(&set.Name, in.Name)
		given(&set.About, in.About)
		given(starts, in.Starts)
		given(&set.Usual, in.Usual)
		given(&set.Least, in.Least)
		given(&set.Most, in.Most)
		given(&set.Movers, in.Movers)
		given(&set.PlayOff, in.PlayOff)
		given(&set.Division.Double, in.Double)
		given(&set.Division.DrawUnmet, in.DrawUnmet)
		teams := set.Division.Teams
		given(&teams.Boards, in.Boards)
		given(&teams.Reserves, in.Reserves)
		set.PlayIn(teams.Boards, teams.Reserves)
		if in.Days != nil {
			set.Division.Window = time.Duration(*in.Days) * 24 * time.Hour
		}
		rounds, days := set.Division.Rounds, int(set.Division.BidTime/(24*time.Hour))
		given(&rounds, in.Rounds)
		given(&days, in.MoveDays)
		set.Play(rounds, time.Duration(days)*24*time.Hour)
		return nil
	})
	if err != nil {
		return out, err
	}
	return s.shown(c, in.ID)
}

// given sets what is named.
func given[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func (s api) season(c echo.Context, in seasonPath) (out apiLeagueSeason, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		l, err := tx.League(in.ID)
		if err != nil {
			return err
		}
		if in.Season < 1 || in.Season > len(l.Seasons) {
			return store.ErrNotFound
		}
		x := &l.Seasons[in.Season-1]
		var ids []player.ID
		for _, t := range x.Tables {
			for _, r := range t {
				ids = append(ids, player.ID(r.Member))
			}
		}
		who, err := tx.Players(ids...)
		handle := memberText(who)
		out = apiLeagueSeason{Season: x.Number, State: string(x.State), Starts: x.Starts, Divisions: []apiLeagueSeasonDivision{}, PlayOffs: []apiLeagueSeasonPlayOff{}}
		moves := l.Movements(x)
		for i, d := range x.Divisions {
			y := apiLeagueSeasonDivision{Tournament: d.Tournament, Table: []apiLeagueSeasonRow{}}
			if i < len(x.Tables) {
				for _, r := range x.Tables[i] {
					y.Table = append(y.Table, apiLeagueSeasonRow{handle(r.Member), r.Left, string(moves[r.Member])})
				}
			}
			out.Divisions = append(out.Divisions, y)
		}
		for i, o := range x.PlayOffs {
			y := apiLeagueSeasonPlayOff{Upper: o.Upper, Stays: handle(o.Stays), Rises: handle(o.Rises), Winner: handle(o.Winner)}
			if i < len(x.Decided) {
				y.Tournament = x.Decided[i]
			}
			out.PlayOffs = append(out.PlayOffs, y)
		}
		return err
	})
	return out, err
}

// memberText writes members as programs name them: handles, or teams as they are.
func memberText(who map[player.ID]player.Player) func(league.Member) string {
	return func(m league.Member) string {
		if m.IsTeam() {
			return string(m)
		}
		return string(who[player.ID(m)].Handle)
	}
}

// peopleOf returns the accounts that a team names.
func peopleOf(t league.Team) []player.ID {
	list := slices.Clone(t.Captains)
	for _, m := range t.Players {
		list = append(list, m.Player)
	}
	return list
}

// act carries out one of the acts that the page offers.
func (s api) act(c echo.Context, in leagueActIn) (out apiLeague, err error) {
	ctx, by, a := c.Request().Context(), page.Viewer(c), s.Arbiter.Leagues
	simple := map[string]func(*leagues.Office, context.Context, player.Viewer, league.ID) error{
		"propose": (*leagues.Office).Propose, "publish": (*leagues.Office).Publish, "begin": (*leagues.Office).Begin,
		"freeze": (*leagues.Office).Freeze, "play-offs": (*leagues.Office).OpenPlayOffs}
	switch in.Do {
	case "enter":
		if in.To > 0 {
			err = a.EnterLate(ctx, by, in.ID, in.Player, in.To)
			break
		}
		err = a.Enter(ctx, by, in.ID, in.Player)
	case "team":
		_, err = a.SaveTeam(ctx, by, in.ID, league.Member(in.Player), leagues.Team(in.apiTeam))
	case "decline":
		err = a.Decline(ctx, by, in.ID, league.Member(in.Player))
	case "stay":
		err = a.Stay(ctx, by, in.ID, in.Player)
	case "leave":
		err = a.Leave(ctx, by, in.ID, in.Player)
	case "answer":
		err = a.Answer(ctx, by, in.ID, in.Player, in.Number, in.Accept)
	case "shift":
		err = a.Shift(ctx, by, in.ID, in.Player, in.To)
	case "schedule":
		var at time.Time
		if in.At != nil {
			at = *in.At
		}
		err = a.PublishLater(ctx, by, in.ID, at)
	case "archive":
		var starts time.Time
		if in.Starts != nil {
			starts = *in.Starts
		}
		err = a.Archive(ctx, by, in.ID, starts)
	case "warn":
		err = a.Warn(ctx, by, in.ID, in.Player, in.Text)
	case "appeal":
		err = a.Appeal(ctx, by, in.ID, league.SanctionID(in.Number), in.Text)
	case "decide":
		err = a.DecideAppeal(ctx, by, in.ID, league.SanctionID(in.Number), in.Accept, in.Text)
	default:
		err = simple[in.Do](a, ctx, by, in.ID)
	}
	if err != nil {
		return out, err
	}
	return s.shown(c, in.ID)
}
