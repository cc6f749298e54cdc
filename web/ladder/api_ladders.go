package ladder

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) apiLadderRoutes() []page.Route {
	return []page.Route{
		page.Get("/ladders", s.apiLadders, page.Anyone),
		page.Post("/ladders", s.apiCreateLadder, page.SignedIn),
		page.Get("/ladders/:id", s.apiLadder, page.Anyone),
		page.Patch("/ladders/:id", s.apiChangeLadder, page.SignedIn),
		page.Post("/ladders/:id/players", s.apiJoinLadder, page.SignedIn),
		page.Delete("/ladders/:id/players/:handle", s.apiLeaveLadder, page.SignedIn),
		page.Post("/ladders/:id/vacation", s.apiLadderVacation(true), page.SignedIn),
		page.Delete("/ladders/:id/vacation", s.apiLadderVacation(false), page.SignedIn),
		page.Get("/ladders/:id/log", s.apiLadderLog, page.Anyone),
		page.Post("/ladders/:id/challenges", s.apiSendLadderChallenge, page.SignedIn),
		page.Get("/ladders/:id/challenges/:number", s.apiLadderChallenge, page.Anyone),
		page.Post("/ladders/:id/challenges/:number", s.apiAnswerLadderChallenge, page.SignedIn),
	}
}

type (
	apiRung struct {
		Place    int     `json:"place"`
		Player   string  `json:"player"`
		Bot      bool    `json:"bot"`
		Won      int     `json:"won"`
		Lost     int     `json:"lost"`
		Vacation bool    `json:"vacation"`
		Refusal  *string `json:"refusal"` // why the caller cannot challenge the player
	}
	apiLadderDuel struct {
		Number     int            `json:"number"`
		Challenger string         `json:"challenger"`
		Defender   string         `json:"defender"`
		Status     string         `json:"status"`
		Paused     bool           `json:"paused"`
		Due        *time.Time     `json:"due"`
		At         *time.Time     `json:"at"`
		Times      []apiTime      `json:"times"`
		Match      *match.ID      `json:"match"`
		Assurance  *page.APIWorth `json:"assurance"`
		Ending     *string        `json:"ending"`
		Winner     *string        `json:"winner"`
		Ruled      *apiJudged     `json:"ruled,omitempty"` // set if the organizer decided the result
	}
	apiJudged struct {
		By  string    `json:"by"`
		At  time.Time `json:"at"`
		Why string    `json:"why"`
	}
	apiTime struct {
		By string    `json:"by"`
		At time.Time `json:"at"`
	}
)

func (s api) apiLadders(c echo.Context) error {
	type line struct {
		ID      ladder.ID `json:"id"`
		Name    string    `json:"name"`
		Players int       `json:"players"`
		Place   *int      `json:"place"`
	}
	rows := []line{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, _, err := tx.Ladders(store.LadderQuery{For: page.Viewer(c).ID, Limit: 200})
		for _, l := range list {
			rows = append(rows, line{l.ID, l.Name, l.Players, page.Optional(l.Place)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]line{"ladders": rows})
}

func (s api) apiLadder(c echo.Context) error {
	return s.apiShowLadder(c, http.StatusOK, ladder.ID(c.Param("id")))
}

func (s api) apiShowLadder(c echo.Context, status int, id ladder.ID) error {
	by := page.Viewer(c)
	f, err := pages(s).readLadder(c.Request().Context(), by, id)
	if err != nil {
		return err
	}
	out := struct {
		ID         ladder.ID       `json:"id"`
		Seq        int64           `json:"seq"`
		Settings   form.Schema     `json:"settings"`
		Rungs      []apiRung       `json:"rungs"`
		Challenges []apiLadderDuel `json:"challenges"`
	}{f.ladder.ID, f.ladder.Seq, form.Ladder.Write(&f.ladder.Settings), []apiRung{}, []apiLadderDuel{}}
	for i, r := range f.ladder.Rungs {
		rung := apiRung{Place: i + 1, Player: string(f.who[r.Player].Handle), Bot: f.who[r.Player].Bot, Won: r.Won, Lost: r.Lost,
			Vacation: r.OnVacation()}
		if why := f.ladder.WhyNot(by.ID, r.Player, s.Now()); why != nil {
			rung.Refusal = page.Optional(string(why.Reason))
		}
		out.Rungs = append(out.Rungs, rung)
	}
	for _, ch := range f.ladder.Challenges {
		out.Challenges = append(out.Challenges, apiDuelOf(ch, f.heads[ch.Match], f.who))
	}
	return c.JSON(status, out)
}

func apiDuelOf(c ladder.Challenge, h store.Head, who map[player.ID]player.Player) apiLadderDuel {
	handle := func(id player.ID) string { return string(who[id].Handle) }
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

// apiLadderLog sends the whole log, from which the ladder can be rebuilt. Players are in it by their handles.
func (s api) apiLadderLog(c echo.Context) error {
	type line struct {
		Seq   int64        `json:"seq"`
		At    time.Time    `json:"at"`
		Kind  ladder.Kind  `json:"kind"`
		Event ladder.Event `json:"event"`
	}
	rows := []line{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		id := ladder.ID(c.Param("id"))
		if _, err := tx.Ladder(id); err != nil {
			return err
		}
		log, err := tx.LadderLog(id)
		if err != nil {
			return err
		}
		who, err := playersOfLog(tx, log)
		for _, e := range log {
			e.By, e.Player, e.Other = player.ID(who[e.By].Handle), player.ID(who[e.Player].Handle), player.ID(who[e.Other].Handle)
			rows = append(rows, line{e.Seq, e.At, e.Kind, e})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]line{"log": rows})
}

func (s api) apiSendLadderChallenge(c echo.Context) error {
	var in struct {
		Player string `json:"player"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	ctx, ref := c.Request().Context(), store.LadderRef{Ladder: ladder.ID(c.Param("id"))}
	to, err := s.playerNamed(c, in.Player)
	if err == nil {
		ref.Number, err = s.Arbiter.Ladders.Challenge(ctx, page.Viewer(c), ref.Ladder, to.ID)
	}
	if err != nil {
		return err
	}
	return s.apiShowDuel(c, http.StatusCreated, ref)
}

func (s api) apiShowDuel(c echo.Context, status int, ref store.LadderRef) error {
	f, err := pages(s).readLadderChallenge(c.Request().Context(), page.Viewer(c), ref)
	if err != nil {
		return err
	}
	duel := apiDuelOf(f.challenge, f.heads[f.challenge.Match], f.who)
	for _, e := range f.log {
		if e.Kind == ladder.ChallengeEnded && e.Ending == ladder.Judged {
			duel.Ruled = &apiJudged{string(f.who[e.By].Handle), e.At, e.Text}
		}
	}
	return c.JSON(status, duel)
}

func (s api) apiLadderChallenge(c echo.Context) error {
	ref, err := ladderRef(c)
	if err != nil {
		return err
	}
	return s.apiShowDuel(c, http.StatusOK, ref)
}

// apiAnswerLadderChallenge carries out one of the acts that the page offers.
func (s api) apiAnswerLadderChallenge(c echo.Context) error {
	var in struct {
		Do   string    `json:"do"`
		Cost string    `json:"cost"` // drop: the cost as shown
		At   time.Time `json:"at"`   // propose, agree
		Text string    `json:"text"` // dispute, judge
		// Winner is the handle in a judgment; empty if nobody moves.
		Winner string `json:"winner"`
	}
	ref, err := ladderRef(c)
	if err == nil {
		err = page.ReadJSON(c, &in, false)
	}
	if err != nil {
		return err
	}
	ctx, by := c.Request().Context(), page.Viewer(c)
	switch in.Do {
	case "accept":
		err = s.Arbiter.Ladders.Accept(ctx, by, ref)
	case "drop":
		err = s.Arbiter.Ladders.Drop(ctx, by, ref, ladder.Cost(in.Cost))
	case "propose":
		err = s.Arbiter.Ladders.ProposeTime(ctx, by, ref, in.At)
	case "agree":
		err = s.Arbiter.Ladders.AgreeTime(ctx, by, ref, in.At)
	case "dispute":
		err = s.Arbiter.Ladders.DisputeForfeit(ctx, by, ref, in.Text)
	case "judge":
		err = s.apiJudge(c, ref, in.Winner, in.Text)
	default:
		return page.BadInput("do is accept, drop, propose, agree, dispute or judge, not %s", strconv.Quote(words.Shorten(in.Do, 40)))
	}
	if err != nil {
		return err
	}
	return s.apiShowDuel(c, http.StatusOK, ref)
}
