package match

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

func (s api) apiMatchRoutes() []page.Route {
	return []page.Route{
		page.Get("/matches/:id", s.apiMatch, page.Anyone),
		page.Post("/matches/:id/commands", s.apiCommand, page.SignedIn),
		page.Get("/matches/:id/events", s.apiEvents, page.Anyone),
		page.Get("/matches/:id/record", s.apiRecord, page.Anyone),
	}
}

type (
	apiMatchView struct {
		ID     match.ID        `json:"id"`
		Seq    int64           `json:"seq"`
		Status string          `json:"status"`
		First  player.Handle   `json:"first"`
		Second player.Handle   `json:"second"`
		Bots   [2]bool         `json:"bots"`
		You    *string         `json:"you"`
		State  json.RawMessage `json:"state"`
		Clocks apiClocks       `json:"clocks"`
		Draws  apiDraws        `json:"draws"`
		Result *apiResult      `json:"result"`
		// Delayed tells that this account sees the match with a delay.
		Delayed   bool          `json:"delayed"`
		Assurance *apiAssurance `json:"assurance"`
	}
	// apiAssurance is the policy of a match and, at its end, the assurance it achieved.
	apiAssurance struct {
		Demanded fairplay.Assurance  `json:"demanded"`
		Policy   string              `json:"policy"`
		Achieved *fairplay.Assurance `json:"achieved"`
		Reasons  []fairplay.Reason   `json:"reasons"`
	}
	// apiClocks are both clocks at Since, when that of Running started.
	apiClocks struct {
		First   int64      `json:"first_ms"`
		Second  int64      `json:"second_ms"`
		Running *string    `json:"running"`
		Since   *time.Time `json:"since"`
	}
	apiDraws struct {
		Commitment string   `json:"commitment"`
		Seed       string   `json:"seed,omitempty"`
		Odds       *apiOdds `json:"odds,omitempty"`
	}
	// apiOdds are sealed bids for draw odds by letter: their seals and, after the start, the bids and who has the odds.
	apiOdds struct {
		Seals map[string]string `json:"seals"`
		Salts map[string]string `json:"salts,omitempty"`
		Bids  map[string]int    `json:"bids,omitempty"`
		Has   *string           `json:"has"`
	}
	apiResult struct {
		Result  *string        `json:"result"` // A, B, draw; null when nobody wins or draws
		Reason  match.Reason   `json:"reason"`
		Points  map[string]int `json:"points"`
		Outcome string         `json:"outcome"`
	}
)

func (s api) apiMatch(c echo.Context) error {
	view, err := s.Look(c, match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	state, head := view.State, view.Head
	first, second, err := s.handlesOf(c.Request().Context(), head.Players)
	if err != nil {
		return err
	}
	v := apiMatchView{
		ID: head.ID, Seq: state.Seq(), Status: state.Status().String(), First: first, Second: second, Bots: head.Bots,
		State: notation.StateJSON(state.Game(), match.FirstIsA, true),
		Draws: apiDraws{Commitment: state.Commitment()}, Result: resultOf(state), Delayed: view.Delayed,
	}
	if v.Assurance, err = s.assuranceOf(c.Request().Context(), head); err != nil {
		return err
	}
	if me := page.Viewer(c); me.IsSignedIn() {
		v.You = page.Letter(head.SeatOf(me.ID))
	}
	since, left0, left1 := state.Since()
	v.Clocks = apiClocks{First: left0.Milliseconds(), Second: left1.Milliseconds()}
	if seat, ok := state.ToAct(); ok && !view.Delayed {
		v.Clocks.Running, v.Clocks.Since = page.Letter(seat), &since
	}
	v.Draws.Odds = oddsOf(state)
	if seed, ok := state.Seed(); ok {
		v.Draws.Seed = seed.String()
	}
	return c.JSON(http.StatusOK, v)
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

func resultOf(s match.State) *apiResult {
	r := s.Result()
	if r.IsZero() {
		return nil
	}
	v := &apiResult{Reason: r.Reason, Outcome: r.Outcome.String(), Points: map[string]int{"A": r.Points[0], "B": r.Points[1]}}
	if winner, ok := r.Outcome.Winner(); ok {
		v.Result = page.Letter(winner)
	} else if r.Outcome == match.Draw {
		draw := "draw"
		v.Result = &draw
	}
	return v
}

func (s api) handlesOf(ctx context.Context, players [2]player.ID) (first, second player.Handle, err error) {
	accounts, err := store.Get(ctx, s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) { return tx.Players(players[:]...) })
	return accounts[players[0]].Handle, accounts[players[1]].Handle, err
}

// isCommandID reports whether id may identify a command: up to 64 bytes of text without control characters, or none.
func isCommandID(id string) bool {
	return len(id) <= 64 && utf8.ValidString(id) && !strings.ContainsFunc(id, unicode.IsControl)
}

// apiCommand carries out a bid, an act or readiness.
func (s api) apiCommand(c echo.Context) error {
	var raw json.RawMessage
	if err := page.ReadJSON(c, &raw, false); err != nil {
		return err
	}
	var envelope struct {
		ID  string `json:"id"`
		Seq *int64 `json:"seq"`
	}
	if err := json.Unmarshal(raw, &envelope); err != nil {
		return page.BadInput("the body cannot be read: %v", err)
	}
	if !isCommandID(envelope.ID) {
		return page.BadInput("id is up to 64 bytes of text without control characters")
	}
	seq, err := s.Command(c, match.ID(c.Param("id")), func(_ match.State, seat match.Seat) (live.Request, error) {
		command, err := match.ParseCommand(seat, raw)
		return live.Request{CommandID: envelope.ID, Seq: envelope.Seq, Command: command}, err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]int64{"seq": seq})
}

// apiEvent is an event of the log: Body is the JSON of its kind, for bids, draws and acts that of a record (Rules 11).
type apiEvent struct {
	Seq  int64           `json:"seq"`
	At   time.Time       `json:"at"`
	Kind string          `json:"kind"`
	Body json.RawMessage `json:"body"`
}

func apiEventsOf(log []match.Recorded) ([]apiEvent, error) {
	events := make([]apiEvent, len(log))
	for i, r := range log {
		kind, _, body, err := match.Encode(r.Event)
		if err != nil {
			return nil, err
		}
		events[i] = apiEvent{r.Seq, r.At, kind, body}
	}
	return events, nil
}

// apiEvents sends the log after a place in it, as a list or as a stream that ends with the match. A stream resumes
// after Last-Event-ID.
func (s api) apiEvents(c echo.Context) error {
	id := match.ID(c.Param("id"))
	after := int64(0)
	if text := c.QueryParam("after"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return page.BadInput("after is a whole number from 0")
		}
		after = n
	}
	if !page.IsStream(c) {
		log, err := s.Live.Events(c.Request().Context(), id, s.Insider(c), after)
		if err != nil {
			return err
		}
		events, err := apiEventsOf(log)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, map[string][]apiEvent{"events": events})
	}
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
		events, err := apiEventsOf(log)
		if err != nil {
			return nil, err
		}
		frames := make([]page.Frame, len(events))
		for i, event := range events {
			data, err := json.Marshal(event)
			if err != nil {
				return nil, err
			}
			frames[i] = page.Frame{ID: strconv.FormatInt(event.Seq, 10), Data: string(data)}
		}
		if over {
			return frames, io.EOF
		}
		return frames, nil
	})
}

func (s api) apiRecord(c echo.Context) error {
	record, err := s.RecordOf(c, match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, record)
}
