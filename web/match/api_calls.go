package match

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) callOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /matches/{id}/rulings", player.ScopeOrganize, s.rule, "Act as an arbiter of a match",
			"act decides which other keys count. Every ruling is an event of the match, with its reason."),
		page.Op("POST /matches/{id}/calls", player.ScopeChallenge, s.makeCall, "Call the arbiter into one’s own match",
			"Where the event says so, the clocks stand still until the call is settled.").Creates(),
		page.Act("POST /matches/{id}/report", player.ScopeChallenge, s.report, "Report how somebody played",
			"In a match of a tournament that is over. Its arbiters read it; three a week at most."),
		page.Op("POST /matches/{id}/check-in-code", player.ScopeOrganize, s.issueCode, "Issue a code to check in with",
			"Of somebody without a passkey, whose identity the arbiter has seen. It is shown this once."),
		page.Op("GET /matches/{id}/messages", player.ScopeRead, s.messages, "The talk in a match",
			"Between the players and the arbiters, who alone may read it."),
		page.Act("POST /matches/{id}/messages", player.ScopeChallenge, s.say, "Say something in the talk of a match",
			"The players and the arbiters read it."),
		page.Op("GET /tournaments/{id}/calls", player.ScopeRead, s.calls, "The open calls of a tournament",
			"For its arbiters; those that wait stand first."),
		page.Act("POST /calls/{id}/take", player.ScopeOrganize, s.takeCall, "Look into a call", "Others see that somebody does."),
		page.Act("POST /calls/{id}/resolve", player.ScopeOrganize, s.resolveCall, "Settle a call",
			"Clocks that it stopped go on; a text goes into the talk."),
		page.Act("POST /calls/{id}/withdraw", player.ScopeChallenge, s.withdrawCall, "Take one’s own call back", "Clocks that it stopped go on."),
	}
}

type (
	// rulingIn is an act of an arbiter; act decides which other keys count.
	rulingIn struct {
		matchPath
		commandID
		Act     string        `json:"act" doc:"what to do" enum:"pause,resume,clock,take-back,declare,void,replay,reopen" example:"pause"`
		Why     string        `json:"why" doc:"the reason, for everybody to read" example:"The server was away" max:"500"`
		Of      string        `json:"of,omitempty" doc:"clock: whose" enum:"A,B" example:"A"`
		Left    form.Millis   `json:"left,omitempty" doc:"clock: the time that is left then" min:"0" max:"100000000"`
		Lefts   []form.Millis `json:"lefts,omitempty" doc:"reopen: the times of A and B" example:"[300000,300000]" min:"2" max:"2"`
		Actions int           `json:"actions,omitempty" doc:"take-back: how many acts" example:"1" min:"0"`
		Result  string        `json:"result,omitempty" doc:"declare: the result" enum:"1-0,0-1,1/2-1/2,+/-,-/+,-/-" example:"1-0"`
	}
	apiRuledMatch struct {
		Match match.ID `json:"match" doc:"the match that goes on: after replay, another one"`
		Seq   int64    `json:"seq" doc:"number of its last event" example:"12"`
	}
)

// rule carries out an arbiter's act in a match and returns the match that goes on.
func (s api) rule(c echo.Context, in rulingIn) (out apiRuledMatch, err error) {
	if err := in.check(); err != nil {
		return out, err
	}
	ctx, by := c.Request().Context(), page.Viewer(c)
	command, err := in.command(match.Warrant{By: string(by.ID), Why: in.Why})
	if err != nil {
		return out, err
	}
	q, next := live.Request{CommandID: in.CommandID, Seq: in.Seq, Command: command}, in.matchPath.ID
	if in.Act == "replay" {
		next, err = s.Arbiter.Judges.Replay(ctx, by, next, q)
	} else {
		err = s.Arbiter.Judges.Rule(ctx, by, next, q)
	}
	if err != nil {
		return out, err
	}
	state, _, err := s.Live.State(ctx, next)
	return apiRuledMatch{next, state.Seq()}, err
}

func (in rulingIn) command(word match.Warrant) (match.Command, error) {
	switch in.Act {
	case "pause":
		return match.Pause{Warrant: word}, nil
	case "resume":
		return match.Resume{Warrant: word}, nil
	case "clock":
		of, ok := match.FirstIsA.Seat(in.Of)
		if !ok {
			return nil, page.Lacking("of")
		}
		return match.SetClock{Warrant: word, Seat: of, Left: in.Left.Duration()}, nil
	case "take-back":
		return match.TakeBack{Warrant: word, Actions: in.Actions}, nil
	case "declare":
		declared, is := declarations[in.Result]
		if !is {
			return nil, page.Lacking("result")
		}
		return match.Declare{Warrant: word, Outcome: declared.outcome, Forfeit: declared.forfeit}, nil
	case "void", "replay":
		return match.MakeVoid{Warrant: word}, nil
	}
	r := match.Reopen{Warrant: word}
	for i, left := range in.Lefts {
		r.Left[i] = left.Duration()
	}
	return r, nil
}

// declarations are the results that an arbiter may declare.
var declarations = map[string]struct {
	outcome match.Outcome
	forfeit bool
}{
	"1-0": {outcome: match.FirstWins}, "0-1": {outcome: match.SecondWins}, "1/2-1/2": {outcome: match.Draw},
	"+/-": {match.FirstWins, true}, "-/+": {match.SecondWins, true}, "-/-": {match.BothLose, true},
}

type (
	apiCall struct {
		ID       call.ID        `json:"id" doc:"address of the call"`
		Match    match.ID       `json:"match" doc:"the match"`
		Round    int            `json:"round" doc:"its round" example:"2"`
		Board    int            `json:"board" doc:"its board" example:"4"`
		By       player.Handle  `json:"by" doc:"who calls"`
		Seat     string         `json:"seat" doc:"their seat" enum:"A,B"`
		Text     string         `json:"text" doc:"what they say" example:"My clock stands still"`
		Stopped  bool           `json:"stopped" doc:"it stopped the clocks"`
		At       time.Time      `json:"at" doc:"since when"`
		Taken    *player.Handle `json:"taken" doc:"who looks into it; null: nobody"`
		Resolved *time.Time     `json:"resolved" doc:"when it was settled; null: it is open"`
	}
	apiMessage struct {
		No    int           `json:"number" doc:"in the talk, from 1" example:"1"`
		By    player.Handle `json:"by" doc:"who says it"`
		Staff bool          `json:"arbiter" doc:"as an arbiter"`
		Text  string        `json:"text" doc:"what they say" example:"I am looking into it"`
		At    time.Time     `json:"at" doc:"when"`
	}
	sayIn struct {
		matchPath
		Text string `json:"text" doc:"what to say" example:"My clock stands still"`
	}
	reportIn struct {
		matchPath
		Seat string `json:"seat" doc:"whose play" enum:"A,B" example:"B"`
		Text string `json:"text" doc:"what stood out" example:"Every reply took exactly ten seconds" min:"1" max:"1000"`
	}
	issueIn struct {
		matchPath
		Seat string `json:"seat" doc:"for whom" enum:"A,B" example:"B"`
	}
	apiIssued struct {
		Code  string    `json:"code" doc:"to type on their page" example:"48127706"`
		Until time.Time `json:"until" doc:"until when it counts"`
	}
	callPath struct {
		ID call.ID `path:"id" doc:"the call"`
	}
	resolveIn struct {
		callPath
		Text string `json:"text,omitempty" doc:"for the talk of the match" example:"Two minutes more for each"`
	}
	callsIn struct {
		ID tournament.ID `path:"id" doc:"the tournament"`
	}
	apiCalls struct {
		Calls []apiCall `json:"calls" doc:"those that wait first"`
	}
	apiMessages struct {
		Messages []apiMessage `json:"messages" doc:"in order"`
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

func (s api) makeCall(c echo.Context, in sayIn) (apiCall, error) {
	made, err := s.Arbiter.Judges.Call(c.Request().Context(), page.Viewer(c), in.ID, in.Text)
	return apiCallOf(made, map[player.ID]player.Player{made.Caller: page.Viewer(c).Player}), err
}

// calls returns the open calls of a tournament, those that wait first.
func (s api) calls(c echo.Context, _ callsIn) (out apiCalls, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	if !t.May(page.Viewer(c), tournament.ActCalls) {
		return out, page.ErrForbidden
	}
	out.Calls = []apiCall{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		open, err := tx.OpenCalls(t.ID)
		if err != nil {
			return err
		}
		accounts, err := tx.Players(words.PeopleOf(open, nil)...)
		for _, one := range open {
			out.Calls = append(out.Calls, apiCallOf(one, accounts))
		}
		return err
	})
	return out, err
}

func (s api) report(ctx context.Context, by player.Viewer, in reportIn) error {
	seat, _ := match.FirstIsA.Seat(in.Seat) // the enum admits no other
	return s.Arbiter.Judges.Report(ctx, by, in.ID, seat, in.Text)
}

func (s api) issueCode(c echo.Context, in issueIn) (out apiIssued, err error) {
	seat, _ := match.FirstIsA.Seat(in.Seat) // the enum admits no other
	out.Code, out.Until, err = s.Arbiter.Seats.IssueCode(c.Request().Context(), page.Viewer(c), in.ID, seat)
	return out, err
}

func (s api) takeCall(ctx context.Context, by player.Viewer, in callPath) error {
	return s.Arbiter.Judges.TakeCall(ctx, by, in.ID)
}

func (s api) resolveCall(ctx context.Context, by player.Viewer, in resolveIn) error {
	return s.Arbiter.Judges.ResolveCall(ctx, by, in.ID, in.Text)
}

func (s api) withdrawCall(ctx context.Context, by player.Viewer, in callPath) error {
	return s.Arbiter.Judges.WithdrawCall(ctx, by, in.ID)
}

func (s api) say(ctx context.Context, by player.Viewer, in sayIn) error {
	return s.Arbiter.Judges.Say(ctx, by, in.ID, in.Text)
}

// messages returns the messages of a match to its players and arbiters.
func (s api) messages(c echo.Context, in matchPath) (out apiMessages, err error) {
	ctx := c.Request().Context()
	o, err := s.Arbiter.Assurance.Capacity(ctx, page.Viewer(c), in.ID)
	if err != nil {
		return out, err
	}
	if !o.MayJudge && !o.Seat.Valid() {
		return out, assurance.ErrNotJudge
	}
	out.Messages = []apiMessage{}
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		talk, err := tx.Messages(in.ID)
		if err != nil {
			return err
		}
		accounts, err := tx.Players(words.PeopleOf(nil, talk)...)
		for _, m := range talk {
			out.Messages = append(out.Messages, apiMessage{m.No, accounts[m.By].Handle, m.Staff, m.Text, m.At})
		}
		return err
	})
	return out, err
}
