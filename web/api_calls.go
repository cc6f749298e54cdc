package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/call"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

func (s *Server) apiCallRoutes() []route {
	return []route{
		{post, "/matches/:id/rulings", s.apiRuling, signedIn},
		{post, "/matches/:id/calls", s.apiMakeCall, signedIn},
		{get, "/matches/:id/messages", s.apiMessages, signedIn},
		{post, "/matches/:id/messages", s.apiSay, signedIn},
		{get, "/tournaments/:id/calls", s.apiCalls, signedIn},
		{post, "/calls/:id/take", s.apiTakeCall, signedIn},
		{post, "/calls/:id/resolve", s.apiResolveCall, signedIn},
		{post, "/calls/:id/withdraw", s.apiWithdrawCall, signedIn},
	}
}

// apiRulingBody is an act of an arbiter; which keys count depends on act.
type apiRulingBody struct {
	ID      string  `json:"id"`
	Act     string  `json:"act"`
	Why     string  `json:"why"`
	Of      string  `json:"of"`      // clock: A or B
	Left    int64   `json:"left_ms"` // clock
	Lefts   []int64 `json:"lefts_ms"`
	Actions int     `json:"actions"` // take-back
	Result  string  `json:"result"`  // declare
}

// apiRuling does an arbiter's act in a match and answers which match goes on.
func (s *Server) apiRuling(c echo.Context) error {
	var in apiRulingBody
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	if !isCommandID(in.ID) {
		return badInput("id is up to 64 bytes of text without control characters")
	}
	ctx, by, id := c.Request().Context(), viewer(c), match.ID(c.Param("id"))
	command, err := in.command(match.Warrant{By: string(by.ID), Why: in.Why})
	if err != nil {
		return err
	}
	q, next := live.Request{CommandID: in.ID, Command: command}, id
	if in.Act == "replay" {
		next, err = s.arbiter.Replay(ctx, by, id, q)
	} else {
		err = s.arbiter.Rule(ctx, by, id, q)
	}
	if err != nil {
		return err
	}
	state, _, err := s.live.State(ctx, next)
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
			return nil, badInput("of is A or B")
		}
		return match.SetClock{Warrant: word, Seat: of, Left: time.Duration(b.Left) * time.Millisecond}, nil
	case "take-back":
		return match.TakeBack{Warrant: word, Actions: b.Actions}, nil
	case "declare":
		outcome, forfeit := declaredOf(b.Result)
		if outcome == 0 {
			return nil, badInput("result is first, second, draw, first-forfeit, second-forfeit or both-lose")
		}
		return match.Declare{Warrant: word, Outcome: outcome, Forfeit: forfeit}, nil
	case "void", "replay":
		return match.MakeVoid{Warrant: word}, nil
	case "reopen":
		r := match.Reopen{Warrant: word}
		if len(b.Lefts) != 0 && len(b.Lefts) != 2 {
			return nil, badInput("lefts_ms is two times, of A and B")
		}
		for i, left := range b.Lefts {
			r.Left[i] = time.Duration(left) * time.Millisecond
		}
		return r, nil
	}
	return nil, badInput("act is pause, resume, clock, take-back, declare, void, replay or reopen")
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

func (s *Server) apiMakeCall(c echo.Context) error {
	var in apiText
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	made, err := s.arbiter.Call(c.Request().Context(), viewer(c), match.ID(c.Param("id")), in.Text)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, apiCallOf(made, map[player.ID]player.Player{made.Caller: viewer(c).Player}))
}

// apiCalls is the queue of a tournament: the open calls, those that wait first.
func (s *Server) apiCalls(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	if !t.May(viewer(c), tournament.ActCalls) {
		return errForbidden
	}
	list := []apiCall{}
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		open, err := tx.OpenCalls(t.ID)
		if err != nil {
			return err
		}
		accounts, err := tx.Players(peopleOf(open, nil)...)
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

func (s *Server) apiTakeCall(c echo.Context) error {
	return noContent(c, s.arbiter.TakeCall(c.Request().Context(), viewer(c), call.ID(c.Param("id"))))
}

func (s *Server) apiResolveCall(c echo.Context) error {
	var in apiText
	if err := readJSON(c, &in, true); err != nil {
		return err
	}
	return noContent(c, s.arbiter.ResolveCall(c.Request().Context(), viewer(c), call.ID(c.Param("id")), in.Text))
}

func (s *Server) apiWithdrawCall(c echo.Context) error {
	return noContent(c, s.arbiter.WithdrawCall(c.Request().Context(), viewer(c), call.ID(c.Param("id"))))
}

func (s *Server) apiSay(c echo.Context) error {
	var in apiText
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	return noContent(c, s.arbiter.Say(c.Request().Context(), viewer(c), match.ID(c.Param("id")), in.Text))
}

func noContent(c echo.Context, err error) error {
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// apiMessages is the talk on a match, for its players and arbiters.
func (s *Server) apiMessages(c echo.Context) error {
	ctx, id := c.Request().Context(), match.ID(c.Param("id"))
	o, err := s.arbiter.Office(ctx, viewer(c), id)
	if err != nil {
		return err
	}
	if !o.MayJudge && !o.Seat.Valid() {
		return arbiter.ErrNotJudge
	}
	list := []apiMessage{}
	err = s.store.Read(ctx, func(tx *store.Tx) error {
		talk, err := tx.Messages(id)
		if err != nil {
			return err
		}
		accounts, err := tx.Players(peopleOf(nil, talk)...)
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
