package match

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

func (s api) matchOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /matches/{id}", page.Everyone, s.match, "A match as it stands",
			"The state with every legal act, the clocks, what it is played on and its result. Watchers may see it with a delay (delayed)."),
		page.Op("POST /matches/{id}/commands", player.ScopePlay, s.command, "Bid, move, claim, resign or be ready",
			"Exactly one of bid, act, ready, forfeit and meet. Send an id of your own: the same id twice does the thing once. With seq the "+
				"command is refused (stale) if the match has moved on since that event. A refused bid names the nearest that is allowed. "+
				"While the match is waiting, the command is ready.").Sends(`{"act":"e2e4","id":"c-1","seq":7}`),
		page.Op("GET /matches/{id}/events", page.Everyone, s.events, "What has happened in a match",
			"All events after a place. With Accept: text/event-stream they come as they happen, until the match is over; each has its seq as "+
				"id, so that a stream resumes by Last-Event-ID.").Streams("Event"),
		page.Op("GET /matches/{id}/record", page.Everyone, s.record, "The record of a match", "As rules 11 write it, with the times of the acts."),
	}
}

type (
	// matchPath names a match.
	matchPath struct {
		ID match.ID `path:"id" doc:"the match"`
	}
	apiMatchView struct {
		ID     match.ID        `json:"id" doc:"address of the match"`
		Seq    int64           `json:"seq" doc:"number of its last event" example:"7"`
		Status string          `json:"status" doc:"where it is" enum:"waiting,live,over" example:"live"`
		First  page.APIPlayer  `json:"first" doc:"seat A"`
		Second page.APIPlayer  `json:"second" doc:"seat B"`
		You    *string         `json:"you" doc:"the caller’s seat; null for others" enum:"A,B"`
		State  json.RawMessage `json:"state" doc:"the game" schema:"State"`
		Terms  *apiTerms       `json:"terms" doc:"what the bidding ended with; null before"`
		Clocks apiClocks       `json:"clocks" doc:"both clocks"`
		Draws  apiDraws        `json:"draws" doc:"how the random draws can be verified"`
		Result *apiResult      `json:"result" doc:"null before the end"`
		// Delayed tells that this account sees the match with a delay.
		Delayed   bool          `json:"delayed" doc:"the caller sees the match with a delay"`
		Assurance *apiAssurance `json:"assurance" doc:"what of fair play is demanded; null: nothing"`
	}
	// apiTerms is what the board phase is played on.
	apiTerms struct {
		White    string              `json:"white" doc:"who has White" enum:"A,B"`
		Time     bidding.TimeControl `json:"time" doc:"the time control"`
		Row      board.Row           `json:"row" doc:"the home row" example:"RNBQKBNR"`
		Features board.Features      `json:"features" doc:"the extraordinary features"`
	}
	// apiAssurance is the policy of a match and, at its end, the assurance it achieved.
	apiAssurance struct {
		Demanded fairplay.Assurance  `json:"demanded" doc:"the level"`
		Policy   string              `json:"policy" doc:"hash of the policy" example:"9c1185a5c5e9fc54"`
		Achieved *fairplay.Assurance `json:"achieved" doc:"the level that was reached; null before the end"`
		Reasons  []fairplay.Reason   `json:"reasons" doc:"why it is lower, and remarks"`
	}
	// apiClocks are both clocks at Since, when that of Running started.
	apiClocks struct {
		First   form.Millis `json:"first" doc:"time left of A at since"`
		Second  form.Millis `json:"second" doc:"time left of B at since"`
		Running *string     `json:"running" doc:"whose clock runs" enum:"A,B"`
		Since   *time.Time  `json:"since" doc:"since when; null if none runs"`
	}
	apiDraws struct {
		Commitment string   `json:"commitment" doc:"SHA-256 of the seed" example:"9c1185a5c5e9fc54"`
		Seed       string   `json:"seed,omitempty" doc:"the seed, once the match is over" example:"00ff"`
		Odds       *apiOdds `json:"odds,omitempty" doc:"sealed bids for draw odds, if there are any"`
	}
	// apiOdds are sealed bids for draw odds by letter: their seals and, after the start, the bids and who has the odds.
	apiOdds struct {
		Seals map[string]string `json:"seals" doc:"by seat" example:"{\"A\":\"ab12\"}"`
		Salts map[string]string `json:"salts,omitempty" doc:"by seat, after the start" example:"{\"A\":\"c3\",\"B\":\"d4\"}"`
		Bids  map[string]int    `json:"bids,omitempty" doc:"by seat, after the start" example:"{\"A\":3,\"B\":1}"`
		Has   *string           `json:"has" doc:"who advances with a draw" enum:"A,B"`
	}
	apiResult struct {
		Result *string        `json:"result" doc:"A – B, +/- and -/+ by forfeit; null for a void match" enum:"1-0,0-1,1/2-1/2,+/-,-/+,-/-"`
		Winner *string        `json:"winner" doc:"who won; null if nobody" enum:"A,B"`
		Reason match.Reason   `json:"reason" doc:"why it ended" enum:"resignation,flag-bidding,flag-board,kings-captured,claim-win,claim-draw,king-of-the-hill,kings-run,move-limit,forfeit,adjudicated,void"`
		Points map[string]int `json:"points" doc:"points of the game by seat" example:"{\"A\":0,\"B\":0}"`
	}
)

func (s api) match(c echo.Context, in matchPath) (v apiMatchView, err error) {
	view, err := s.Look(c, in.ID)
	if err != nil {
		return v, err
	}
	state, head := view.State, view.Head
	v = apiMatchView{
		ID: head.ID, Seq: state.Seq(), Status: state.Status().String(),
		State: notation.StateJSON(state.Game(), match.FirstIsA, true),
		Draws: apiDraws{Commitment: state.Commitment()}, Result: resultOf(state), Delayed: view.Delayed,
	}
	if terms, done := state.Game().Terms(); done {
		v.Terms = &apiTerms{match.FirstIsA.Of(terms.White), terms.Time, terms.Row, terms.Features}
	}
	if v.First, v.Second, err = s.playersOf(c.Request().Context(), head); err != nil {
		return v, err
	}
	if v.Assurance, err = s.assuranceOf(c.Request().Context(), head); err != nil {
		return v, err
	}
	if me := page.Viewer(c); me.IsSignedIn() {
		v.You = page.Letter(head.SeatOf(me.ID))
	}
	since, left0, left1 := state.Since()
	v.Clocks = apiClocks{First: form.MillisOf(left0), Second: form.MillisOf(left1)}
	if seat, ok := state.ToAct(); ok && !view.Delayed {
		v.Clocks.Running, v.Clocks.Since = page.Letter(seat), &since
	}
	v.Draws.Odds = oddsOf(state)
	if seed, ok := state.Seed(); ok {
		v.Draws.Seed = seed.String()
	}
	return v, nil
}

func oddsOf(s match.State) *apiOdds {
	if !s.Options().Odds {
		return nil
	}
	o, v := match.OddsIn(s), &apiOdds{Seals: map[string]string{}}
	for i, seal := range match.SealsIn(s) {
		if letter := match.FirstIsA.Of(match.Seat(i + 1)); seal != "" {
			v.Seals[letter] = seal
		}
	}
	if o.Seat.Valid() {
		v.Has = page.Letter(o.Seat)
		v.Salts, v.Bids = map[string]string{"A": o.Salts[0], "B": o.Salts[1]}, map[string]int{"A": o.Bids[0], "B": o.Bids[1]}
	}
	return v
}

func (s api) assuranceOf(ctx context.Context, head store.Head) (v *apiAssurance, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		with, known, err := assurance.Of(tx, head)
		if err != nil || !known {
			return err
		}
		v = &apiAssurance{Demanded: with.Policy.Level, Policy: with.Policy.Hash(), Reasons: []fairplay.Reason{}}
		if with.IsOver {
			v.Achieved, v.Reasons = &with.Achieved.Level, with.Achieved.Reasons
		}
		return nil
	})
	return v, err
}

// resultOf returns the result of a match in the words of a board; nil before the end.
func resultOf(s match.State) *apiResult {
	r := s.Result()
	if r.IsZero() {
		return nil
	}
	v := &apiResult{Reason: r.Reason, Points: map[string]int{"A": r.Points[0], "B": r.Points[1]}}
	if winner, ok := r.Outcome.Winner(); ok {
		v.Winner = page.Letter(winner)
	}
	v.Result = page.Optional(tournament.ResultOf(r, time.Time{}).Kind.String())
	return v
}

func (s api) playersOf(ctx context.Context, head store.Head) (first, second page.APIPlayer, err error) {
	accounts, err := store.Get(ctx, s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) { return tx.Players(head.Players[:]...) })
	of := func(i int) page.APIPlayer {
		return page.APIPlayer{Handle: accounts[head.Players[i]].Handle, Bot: head.Bots[i]}
	}
	return of(0), of(1), err
}

// isCommandID reports whether id may identify a command: up to 64 bytes of text without control characters, or none.
func isCommandID(id string) bool {
	return len(id) <= 64 && utf8.ValidString(id) && !strings.ContainsFunc(id, unicode.IsControl)
}

// commandID is what a command of a player or an arbiter may carry.
type commandID struct {
	CommandID string `json:"id,omitempty" doc:"chosen by the client; the same id twice does the thing once" example:"c-1"`
	Seq       *int64 `json:"seq,omitempty" doc:"the event that the client has seen; refused as stale if there are later ones" example:"7"`
}

func (in commandID) check() error {
	if !isCommandID(in.CommandID) {
		return page.BadField("id", "id is up to 64 bytes of text without control characters")
	}
	return nil
}

type (
	commandIn struct {
		matchPath
		commandID
		Bid     json.RawMessage `json:"bid,omitempty" doc:"a bid" schema:"Bid"`
		Act     string          `json:"act,omitempty" doc:"an act on the board, as legal lists them, or undo, claim win, claim draw, resign" schema:"Act"`
		Ready   bool            `json:"ready,omitempty" doc:"to be at the board"`
		Sealed  *int            `json:"sealed,omitempty" doc:"with ready, where draw odds are bid for: the chips" example:"3"`
		Forfeit bool            `json:"forfeit,omitempty" doc:"to claim the match from an opponent who has not come"`
		Meet    *time.Time      `json:"meet,omitempty" doc:"a time to meet for the board, after bidding by correspondence; agreed once both name the same"`
	}
	apiSeq struct {
		Seq int64 `json:"seq" doc:"number of the last event after it" example:"8"`
	}
)

// command carries out a bid, an act or readiness.
func (s api) command(c echo.Context, in commandIn) (apiSeq, error) {
	if err := in.check(); err != nil {
		return apiSeq{}, err
	}
	raw, err := json.Marshal(in)
	if err != nil {
		return apiSeq{}, err
	}
	seq, err := s.Command(c, in.matchPath.ID, func(_ match.State, seat match.Seat) (live.Request, error) {
		command, err := match.ParseCommand(seat, raw)
		return live.Request{CommandID: in.CommandID, Seq: in.Seq, Command: command}, err
	})
	return apiSeq{seq}, err
}

// encodeEvents writes events as the schema Event describes them. Arbiters are in them by their handles.
func (s api) encodeEvents(ctx context.Context, log []match.Recorded) ([]json.RawMessage, error) {
	events := make([]json.RawMessage, len(log))
	for i, r := range log {
		kind, _, body, err := match.Encode(r.Event)
		if err != nil {
			return nil, err
		}
		if ruling, is := r.Event.(match.Ruling); is && ruling.Word().By != "" {
			by, err := store.Get(ctx, s.Store, func(tx *store.Tx) (player.Player, error) { return tx.Player(player.ID(ruling.Word().By)) })
			if errors.Is(err, store.ErrNotFound) { // the site itself
				by.Handle, err = player.Handle(ruling.Word().By), nil
			}
			if err != nil {
				return nil, err
			}
			body = bytes.Replace(body, []byte(strconv.Quote(ruling.Word().By)), []byte(strconv.Quote(string(by.Handle))), 1)
		}
		events[i], err = json.Marshal(struct {
			Seq  int64           `json:"seq"`
			At   time.Time       `json:"at"`
			Kind string          `json:"kind"`
			Body json.RawMessage `json:"body"`
		}{r.Seq, r.At, kind, body})
		if err != nil {
			return nil, err
		}
	}
	return events, nil
}

type (
	eventsIn struct {
		matchPath
		After *int64 `query:"after" doc:"seq of the last event that is known" example:"0" min:"0"`
		Last  string `query:"last,omitempty" doc:"as Last-Event-ID, for clients that cannot set it" example:"7"`
	}
	apiEventList struct {
		Events []json.RawMessage `json:"events" doc:"in order" schema:"Events"`
	}
)

// events sends the log after a place in it, as a list or as a stream that ends with the match. A stream resumes
// after Last-Event-ID.
func (s api) events(c echo.Context, in eventsIn) (apiEventList, error) {
	ctx, id, after := c.Request().Context(), in.ID, int64(0)
	if in.After != nil {
		after = *in.After
	}
	if page.IsStream(c) {
		return apiEventList{}, s.streamEvents(c, id, after)
	}
	log, err := s.Live.Events(ctx, id, s.Insider(c), after)
	if err != nil {
		return apiEventList{}, err
	}
	events, err := s.encodeEvents(ctx, log)
	return apiEventList{events}, err
}

func (s api) streamEvents(c echo.Context, id match.ID, after int64) error {
	sub := s.Live.Subscribe(c.Request().Context(), live.MatchTopic(id))
	view, err := s.Look(c, id)
	if err != nil {
		return err
	}
	when := page.Wakes{News: sub.Tell}
	if view.Delayed {
		when.Every = form.LookAgain
	}
	who := s.Insider(c)
	return s.Stream(c, when, func(ctx context.Context, last string) ([]page.Frame, error) {
		from := after
		if n, err := strconv.ParseInt(last, 10, 64); err == nil {
			from = max(from, n)
		}
		promised := int64(0)
		for _, n := range sub.Take() {
			promised = max(promised, n.Seq)
		}
		log, over, err := s.Live.Feed(ctx, id, who, from, promised)
		if err != nil {
			return nil, err
		}
		events, err := s.encodeEvents(ctx, log)
		if err != nil {
			return nil, err
		}
		frames := make([]page.Frame, len(events))
		for i, event := range events {
			frames[i] = page.Frame{ID: strconv.FormatInt(log[i].Seq, 10), Data: string(event)}
		}
		if over {
			return frames, io.EOF
		}
		return frames, nil
	})
}

func (s api) record(c echo.Context, in matchPath) (notation.Record, error) {
	return s.RecordOf(c, in.ID)
}
