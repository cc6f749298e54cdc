package match

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) apiCallRoutes() []page.Route {
	return []page.Route{
		page.Post("/matches/:id/rulings", s.apiRuling, page.SignedIn),
		page.Post("/matches/:id/calls", s.apiMakeCall, page.SignedIn),
		page.Get("/matches/:id/messages", s.apiMessages, page.SignedIn),
		page.Post("/matches/:id/messages", s.apiSay, page.SignedIn),
		page.Get("/tournaments/:id/calls", s.apiCalls, page.SignedIn),
		page.Post("/calls/:id/take", s.apiTakeCall, page.SignedIn),
		page.Post("/calls/:id/resolve", s.apiResolveCall, page.SignedIn),
		page.Post("/calls/:id/withdraw", s.apiWithdrawCall, page.SignedIn),
	}
}

// apiRulingBody is an act of an arbiter; act decides which other keys count.
type apiRulingBody struct {
	ID      string  `json:"id"`
	Seq     *int64  `json:"seq"`
	Act     string  `json:"act"`
	Why     string  `json:"why"`
	Of      string  `json:"of"`      // clock: A or B
	Left    int64   `json:"left_ms"` // clock
	Lefts   []int64 `json:"lefts_ms"`
	Actions int     `json:"actions"` // take-back
	Result  string  `json:"result"`  // declare
}

// apiRuling carries out an arbiter's act in a match and returns the match that goes on.
func (s api) apiRuling(c echo.Context) error {
	var in apiRulingBody
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	if !isCommandID(in.ID) {
		return page.BadInput("id is up to 64 bytes of text without control characters")
	}
	ctx, by, id := c.Request().Context(), page.Viewer(c), match.ID(c.Param("id"))
	command, err := in.command(match.Warrant{By: string(by.ID), Why: in.Why})
	if err != nil {
		return err
	}
	q, next := live.Request{CommandID: in.ID, Seq: in.Seq, Command: command}, id
	if in.Act == "replay" {
		next, err = s.Arbiter.Judges.Replay(ctx, by, id, q)
	} else {
		err = s.Arbiter.Judges.Rule(ctx, by, id, q)
	}
	if err != nil {
		return err
	}
	state, _, err := s.Live.State(ctx, next)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]any{"match": next, "seq": state.Seq()})
}

func (b apiRulingBody) command(word match.Warrant) (match.Command, error) {
	switch b.Act {
	case "pause":
		return match.Pause{Warrant: word}, nil
	case "resume":
		return match.Resume{Warrant: word}, nil
	case "clock":
		of, ok := match.FirstIsA.Seat(b.Of)
		if !ok {
			return nil, page.BadInput("of is A or B")
		}
		return match.SetClock{Warrant: word, Seat: of, Left: time.Duration(b.Left) * time.Millisecond}, nil
	case "take-back":
		return match.TakeBack{Warrant: word, Actions: b.Actions}, nil
	case "declare":
		outcome, forfeit := declaredOf(b.Result)
		if outcome == 0 {
			return nil, page.BadInput("result is first, second, draw, first-forfeit, second-forfeit or both-lose")
		}
		return match.Declare{Warrant: word, Outcome: outcome, Forfeit: forfeit}, nil
	case "void", "replay":
		return match.MakeVoid{Warrant: word}, nil
	case "reopen":
		r := match.Reopen{Warrant: word}
		if len(b.Lefts) != 0 && len(b.Lefts) != 2 {
			return nil, page.BadInput("lefts_ms is two times, of A and B")
		}
		for i, left := range b.Lefts {
			r.Left[i] = time.Duration(left) * time.Millisecond
		}
		return r, nil
	}
	return nil, page.BadInput("act is pause, resume, clock, take-back, declare, void, replay or reopen")
}

type (
	apiCall struct {
		ID       call.ID        `json:"id"`
		Match    match.ID       `json:"match"`
		Round    int            `json:"round"`
		Board    int            `json:"board"`
		By       player.Handle  `json:"by"`
		Seat     string         `json:"seat"`
		Text     string         `json:"text"`
		Stopped  bool           `json:"stopped"`
		At       time.Time      `json:"at"`
		Taken    *player.Handle `json:"taken"`
		Resolved *time.Time     `json:"resolved"`
	}
	apiMessage struct {
		No    int           `json:"no"`
		By    player.Handle `json:"by"`
		Staff bool          `json:"arbiter"`
		Text  string        `json:"text"`
		At    time.Time     `json:"at"`
	}
	apiText struct {
		Text string `json:"text"`
	}
)

func apiCallOf(c call.Call, accounts map[player.ID]player.Player) apiCall {
	v := apiCall{
		ID: c.ID, Match: c.Match, Round: c.Round, Board: c.Board, By: accounts[c.Caller].Handle, Seat: match.FirstIsA.Of(c.Seat),
		Text: c.Text, Stopped: c.Stopped, At: c.At,
	}
	if c.TakenBy != "" {
		handle := accounts[c.TakenBy].Handle
		v.Taken = &handle
	}
	if !c.IsOpen() {
		v.Resolved = &c.ResolvedAt
	}
	return v
}

func (s api) apiMakeCall(c echo.Context) error {
	var in apiText
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	made, err := s.Arbiter.Judges.Call(c.Request().Context(), page.Viewer(c), match.ID(c.Param("id")), in.Text)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, apiCallOf(made, map[player.ID]player.Player{made.Caller: page.Viewer(c).Player}))
}

// apiCalls returns the open calls of a tournament, those that wait first.
func (s api) apiCalls(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if !t.May(page.Viewer(c), tournament.ActCalls) {
		return page.ErrForbidden
	}
	list := []apiCall{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		open, err := tx.OpenCalls(t.ID)
		if err != nil {
			return err
		}
		accounts, err := tx.Players(words.PeopleOf(open, nil)...)
		for _, one := range open {
			list = append(list, apiCallOf(one, accounts))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]apiCall{"calls": list})
}

func (s api) apiTakeCall(c echo.Context) error {
	return page.NoContent(c, s.Arbiter.Judges.TakeCall(c.Request().Context(), page.Viewer(c), call.ID(c.Param("id"))))
}

func (s api) apiResolveCall(c echo.Context) error {
	var in apiText
	if err := page.ReadJSON(c, &in, true); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Judges.ResolveCall(c.Request().Context(), page.Viewer(c), call.ID(c.Param("id")), in.Text))
}

func (s api) apiWithdrawCall(c echo.Context) error {
	return page.NoContent(c, s.Arbiter.Judges.WithdrawCall(c.Request().Context(), page.Viewer(c), call.ID(c.Param("id"))))
}

func (s api) apiSay(c echo.Context) error {
	var in apiText
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Judges.Say(c.Request().Context(), page.Viewer(c), match.ID(c.Param("id")), in.Text))
}

// apiMessages returns the messages of a match to its players and arbiters.
func (s api) apiMessages(c echo.Context) error {
	ctx, id := c.Request().Context(), match.ID(c.Param("id"))
	o, err := s.Arbiter.Assurance.Capacity(ctx, page.Viewer(c), id)
	if err != nil {
		return err
	}
	if !o.MayJudge && !o.Seat.Valid() {
		return assurance.ErrNotJudge
	}
	list := []apiMessage{}
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		talk, err := tx.Messages(id)
		if err != nil {
			return err
		}
		accounts, err := tx.Players(words.PeopleOf(nil, talk)...)
		for _, m := range talk {
			list = append(list, apiMessage{m.No, accounts[m.By].Handle, m.Staff, m.Text, m.At})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]apiMessage{"messages": list})
}
