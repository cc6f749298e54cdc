package ladder

import (
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

func (s api) ladderOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /ladders", page.Everyone, s.ladders, "All ladders", "The caller’s own first."),
		page.Op("POST /ladders", player.ScopeOrganize, s.create, "Make a ladder", "The caller runs it. Settings that are left out have their usual values.").Creates(),
		page.Op("GET /ladders/{id}", page.Everyone, s.ladder, "Places and running challenges of a ladder", "refusal says why the caller cannot challenge a player."),
		page.Op("PATCH /ladders/{id}", player.ScopeOrganize, s.change, "Change settings of a ladder", "Those that are named; the rest stays."),
		page.Op("POST /ladders/{id}/players", player.ScopeChallenge, s.joinLadder, "Join a ladder", "Or, as its organizer, take a player on."),
		page.Op("DELETE /ladders/{id}/players/{handle}", player.ScopeChallenge, s.leaveLadder, "Leave a ladder", "Or, as its organizer, take a player off."),
		page.Op("POST /ladders/{id}/vacation", player.ScopeChallenge, s.vacation(true), "Begin one’s vacation", "Nobody challenges the caller until it ends."),
		page.Op("DELETE /ladders/{id}/vacation", player.ScopeChallenge, s.vacation(false), "End one’s vacation", "The rest of the year’s days is kept."),
		page.Op("GET /ladders/{id}/log", page.Everyone, s.log, "Everything that has happened on a ladder", "From the beginning; the ladder can be rebuilt from it."),
		page.Op("POST /ladders/{id}/challenges", player.ScopeChallenge, s.sendChallenge, "Challenge a player of a ladder", "number is the address of the challenge.").Creates(),
		page.Op("GET /ladders/{id}/challenges/{number}", page.Everyone, s.showChallenge, "One challenge of a ladder", "Running or ended."),
		page.Op("POST /ladders/{id}/challenges/{number}", player.ScopeChallenge, s.answerChallenge, "Answer a challenge of a ladder",
			"Accept it, give it up, propose or agree on a time, dispute a forfeit; or, as the organizer, judge."),
	}
}

// apiSettings is all that is decided about a ladder.
type apiSettings struct{ page.RawBody }

// DescribeAPI describes the settings by their form.
func (apiSettings) DescribeAPI() (string, page.Schema) {
	s := form.Ladder.Schema(ladder.DefaultSettings())
	s["description"], s["examples"] = "All that is decided about a ladder.", []any{map[string]any{"name": "Stairs", "places": 3, "reply": 259200000}}
	return "LadderSettings", s
}

type (
	ladderPath struct {
		ID ladder.ID `path:"id" doc:"the ladder"`
	}
	laddersIn struct {
		page.Paged
		Search string `query:"q,omitempty" doc:"words of the name" example:"friday" max:"60"`
		Show   string `query:"show,omitempty" doc:"only those that the caller is on, or of their clubs" enum:"mine,clubs"`
	}
	apiLadderRow struct {
		ID      ladder.ID `json:"id" doc:"address of the ladder"`
		Name    string    `json:"name" doc:"its name" example:"Stairs"`
		Players int       `json:"players" doc:"how many are on it" example:"12"`
		Place   *int      `json:"place" doc:"of the caller; null: none" example:"4"`
	}
	apiLadders struct {
		Ladders []apiLadderRow `json:"ladders" doc:"the caller’s own first"`
		Next    *string        `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
	apiLadder struct {
		ID         ladder.ID       `json:"id" doc:"address of the ladder"`
		Seq        int64           `json:"seq" doc:"its version, for shown" example:"31"`
		Settings   apiSettings     `json:"settings" doc:"all that is decided about it"`
		Rungs      []apiRung       `json:"rungs" doc:"from the top"`
		Challenges []apiLadderDuel `json:"challenges" doc:"those that run"`
	}
	apiRung struct {
		Place    int           `json:"place" doc:"from 1" example:"4"`
		Player   player.Handle `json:"player" doc:"who stands there"`
		Bot      bool          `json:"bot" doc:"a program plays"`
		Won      int           `json:"won" doc:"matches won" example:"3"`
		Lost     int           `json:"lost" doc:"matches lost" example:"1"`
		Vacation bool          `json:"vacation" doc:"away"`
		Refusal  *string       `json:"refusal" doc:"why the caller cannot challenge the player; null: they can" example:"too-high"`
	}
	apiLadderDuel struct {
		Number     int            `json:"number" doc:"in the ladder" example:"7"`
		Challenger player.Handle  `json:"challenger" doc:"who challenges"`
		Defender   player.Handle  `json:"defender" doc:"who is challenged"`
		Status     string         `json:"status" doc:"where it is" example:"accepted"`
		Paused     bool           `json:"paused" doc:"deadlines stand still"`
		Due        *time.Time     `json:"due" doc:"the next deadline"`
		At         *time.Time     `json:"at" doc:"the time that was agreed on"`
		Times      []apiTime      `json:"times" doc:"times that are proposed"`
		Match      *match.ID      `json:"match" doc:"the match, once it is opened"`
		Assurance  *page.APIWorth `json:"assurance" doc:"what of fair play the match demands; null: nothing"`
		Ending     *string        `json:"ending" doc:"how it ended; null: it runs" example:"played"`
		Winner     *player.Handle `json:"winner" doc:"who won; null: nobody yet"`
		Ruled      *apiJudged     `json:"ruled,omitempty" doc:"the organizer’s judgment, if there was one"`
	}
	apiJudged struct {
		By  player.Handle `json:"by" doc:"who judged"`
		At  time.Time     `json:"at" doc:"when"`
		Why string        `json:"why" doc:"their reason" example:"Nobody came"`
	}
	apiTime struct {
		By player.Handle `json:"by" doc:"who proposes it"`
		At time.Time     `json:"at" doc:"the time"`
	}
	apiLadderEvent struct {
		Seq       int64         `json:"seq" doc:"its number, from 1" example:"31"`
		At        time.Time     `json:"at" doc:"when"`
		Kind      ladder.Kind   `json:"kind" doc:"what happened" enum:"created,changed,joined,left,moved,sunk,warned,vacation,returned,sent,accepted,proposed,appointed,opened,reopened,claimed,disputed,paused,resumed,ended"`
		By        player.Handle `json:"by,omitempty" doc:"who did it; absent: it came by itself"`
		Player    player.Handle `json:"player,omitempty" doc:"whom it is about"`
		Other     player.Handle `json:"other,omitempty" doc:"whom they challenge"`
		Challenge int           `json:"challenge,omitempty" doc:"number of the challenge" example:"7"`
		From      int           `json:"from,omitempty" doc:"the place before" example:"6"`
		To        int           `json:"to,omitempty" doc:"the place after" example:"4"`
		Swap      bool          `json:"swap,omitempty" doc:"the two change places"`
		Rating    int           `json:"rating,omitempty" doc:"of who joins" example:"1612"`
		Due       *time.Time    `json:"due,omitempty" doc:"the next deadline"`
		PlayBy    *time.Time    `json:"playBy,omitempty" doc:"until when to play"`
		Time      *time.Time    `json:"time,omitempty" doc:"the time proposed or agreed on"`
		Match     match.ID      `json:"match,omitempty" doc:"the match"`
		Ending    string        `json:"ending,omitempty" doc:"how a challenge ended" example:"played"`
		Text      string        `json:"text,omitempty" doc:"a reason" example:"Nobody came"`
		Settings  *apiSettings  `json:"settings,omitempty" doc:"the settings from then on"`
	}
	apiLadderLog struct {
		Log  []apiLadderEvent `json:"log" doc:"the first first"`
		Next *string          `json:"next" doc:"after of the rest; null at the end" example:"500"`
	}
	ladderLogIn struct {
		ladderPath
		page.Paged
	}
)

func (s api) ladders(c echo.Context, in laddersIn) (out apiLadders, err error) {
	from, err := in.Offset()
	if err != nil {
		return out, err
	}
	out.Ladders = []apiLadderRow{}
	q := store.LadderQuery{For: page.Viewer(c).ID, Search: in.Search, Mine: in.Show == "mine", OfClubs: in.Show == "clubs", Limit: in.Most(200), Offset: from}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, total, err := tx.Ladders(q)
		for _, l := range list {
			out.Ladders = append(out.Ladders, apiLadderRow{l.ID, l.Name, l.Players, page.Optional(l.Place)})
		}
		out.Next = in.Next(from+len(list), total)
		return err
	})
	return out, err
}

func (s api) ladder(c echo.Context, in ladderPath) (out apiLadder, err error) {
	by := page.Viewer(c)
	f, err := pages(s).readLadder(c.Request().Context(), by, in.ID)
	if err != nil {
		return out, err
	}
	out = apiLadder{ID: f.ladder.ID, Seq: f.ladder.Seq, Rungs: []apiRung{}, Challenges: []apiLadderDuel{}}
	for i, r := range f.ladder.Rungs {
		rung := apiRung{Place: i + 1, Player: f.who[r.Player].Handle, Bot: f.who[r.Player].Bot, Won: r.Won, Lost: r.Lost, Vacation: r.OnVacation()}
		if why := f.ladder.WhyNot(by.ID, r.Player, s.Now()); why != nil {
			rung.Refusal = page.Optional(string(why.Reason))
		}
		out.Rungs = append(out.Rungs, rung)
	}
	for _, ch := range f.ladder.Challenges {
		out.Challenges = append(out.Challenges, apiDuelOf(ch, f.heads[ch.Match], f.who))
	}
	out.Settings.RawBody, err = page.WrittenBy(form.Ladder, &f.ladder.Settings)
	return out, err
}

func apiDuelOf(c ladder.Challenge, h store.Head, who map[player.ID]player.Player) apiLadderDuel {
	handle := func(id player.ID) player.Handle { return who[id].Handle }
	out := apiLadderDuel{
		Number: int(c.Number), Challenger: handle(c.Challenger), Defender: handle(c.Defender), Status: string(c.Status), Paused: c.IsPaused(),
		Due: page.Optional(c.Due), At: page.Optional(c.At), Times: []apiTime{}, Match: page.Optional(c.Match), Assurance: page.APIWorthOf(h),
		Ending: page.Optional(string(c.Ending)), Winner: page.Optional(handle(c.Winner)),
	}
	for _, t := range c.Times {
		out.Times = append(out.Times, apiTime{handle(t.By), t.At})
	}
	return out
}

// log sends the whole log, from which the ladder can be rebuilt. Players are in it by their handles.
func (s api) log(c echo.Context, in ladderLogIn) (out apiLadderLog, err error) {
	rows := []apiLadderEvent{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if _, err := tx.Ladder(in.ID); err != nil {
			return err
		}
		log, err := tx.LadderLog(in.ID)
		if err != nil {
			return err
		}
		who, err := playersOfLog(tx, log)
		if err != nil {
			return err
		}
		for _, e := range log {
			row := apiLadderEvent{
				e.Seq, e.At, e.Kind, who[e.By].Handle, who[e.Player].Handle, who[e.Other].Handle, int(e.Challenge), e.From, e.To, e.Swap, e.Rating,
				page.Optional(e.Due), page.Optional(e.PlayBy), page.Optional(e.Time), e.Match, string(e.Ending), e.Text, nil,
			}
			if e.Settings != nil {
				written, err := page.WrittenBy(form.Ladder, e.Settings)
				if err != nil {
					return err
				}
				row.Settings = &apiSettings{written}
			}
			rows = append(rows, row)
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	out.Log, out.Next, err = page.PageOf(in.Paged, len(rows)+1, rows)
	return out, err
}

type (
	ladderPlayerIn struct {
		ladderPath
		Player string `json:"player" doc:"whom to challenge, by handle" example:"borys"`
	}
	duelPath struct {
		ladderPath
		Number int `path:"number" doc:"the challenge" example:"7" min:"1"`
	}
	duelAnswerIn struct {
		duelPath
		Do     string     `json:"do" doc:"what to do" enum:"accept,drop,propose,agree,dispute,judge" example:"accept"`
		Cost   string     `json:"cost,omitempty" doc:"drop: the cost as the page shows it" example:"places"`
		At     *time.Time `json:"at,omitempty" doc:"propose, agree: the time"`
		Text   string     `json:"text,omitempty" doc:"dispute, judge: why" example:"I was there"`
		Winner string     `json:"winner,omitempty" doc:"judge: who wins, by handle; absent: nobody moves" example:"anna"`
	}
)

func (p duelPath) ref() store.LadderRef {
	return store.LadderRef{Ladder: p.ID, Number: ladder.ChallengeID(p.Number)}
}

func (s api) sendChallenge(c echo.Context, in ladderPlayerIn) (out apiLadderDuel, err error) {
	ctx, ref := c.Request().Context(), store.LadderRef{Ladder: in.ID}
	to, err := s.playerNamed(c, in.Player)
	if err == nil {
		ref.Number, err = s.Arbiter.Ladders.Challenge(ctx, page.Viewer(c), ref.Ladder, to.ID)
	}
	if err != nil {
		return out, err
	}
	return s.showDuel(c, ref)
}

func (s api) showDuel(c echo.Context, ref store.LadderRef) (out apiLadderDuel, err error) {
	f, err := pages(s).readLadderChallenge(c.Request().Context(), page.Viewer(c), ref)
	if err != nil {
		return out, err
	}
	out = apiDuelOf(f.challenge, f.heads[f.challenge.Match], f.who)
	for _, e := range f.log {
		if e.Kind == ladder.ChallengeEnded && e.Ending == ladder.Judged {
			out.Ruled = &apiJudged{f.who[e.By].Handle, e.At, e.Text}
		}
	}
	return out, nil
}

func (s api) showChallenge(c echo.Context, in duelPath) (apiLadderDuel, error) {
	return s.showDuel(c, in.ref())
}

// answerChallenge carries out one of the acts that the page offers.
func (s api) answerChallenge(c echo.Context, in duelAnswerIn) (out apiLadderDuel, err error) {
	ctx, by, ref := c.Request().Context(), page.Viewer(c), in.ref()
	var at time.Time
	if in.At != nil {
		at = *in.At
	}
	switch in.Do {
	case "accept":
		err = s.Arbiter.Ladders.Accept(ctx, by, ref)
	case "drop":
		err = s.Arbiter.Ladders.Drop(ctx, by, ref, ladder.Cost(in.Cost))
	case "propose":
		err = s.Arbiter.Ladders.ProposeTime(ctx, by, ref, at)
	case "agree":
		err = s.Arbiter.Ladders.AgreeTime(ctx, by, ref, at)
	case "dispute":
		err = s.Arbiter.Ladders.DisputeForfeit(ctx, by, ref, in.Text)
	case "judge":
		err = s.judge(c, ref, in.Winner, in.Text)
	}
	if err != nil {
		return out, err
	}
	return s.showDuel(c, ref)
}
