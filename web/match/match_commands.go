package match

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// matchCommand carries out a form of the match page. Scripts ask for JSON; a plain form leads back to the page.
func (s pages) matchCommand(c echo.Context) error {
	id := match.ID(c.Param("id"))
	_, err := s.Command(c, id, func(state match.State, seat match.Seat) (live.Request, error) {
		return matchRequest(c, seat, state, s.Printer(c))
	})
	status, text := s.CommandTrouble(c, err)
	byScript := strings.Contains(c.Request().Header.Get(echo.HeaderAccept), echo.MIMEApplicationJSON)
	switch {
	case err != nil && text == "":
		return err
	case byScript && err == nil:
		return c.NoContent(http.StatusNoContent)
	case byScript:
		return c.JSON(status, map[string]string{"message": text})
	case err == nil || errors.Is(err, match.ErrOver):
		return c.Redirect(http.StatusSeeOther, words.MatchURL(id))
	}
	return s.showMatch(c, status, text)
}

// matchRequest reads a form: id and seq as in the API, and a bid, an act, readiness, a time to meet or the claim of a
// forfeit.
func matchRequest(c echo.Context, seat match.Seat, state match.State, p lang.Printer) (live.Request, error) {
	request := live.Request{CommandID: cmp.Or(c.FormValue("id"), page.TryOf(c))}
	if !isCommandID(request.CommandID) {
		return request, malformed("id")
	}
	if text := c.FormValue("seq"); text != "" {
		seq, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return request, malformed("seq")
		}
		request.Seq = &seq
	}
	var err error
	switch {
	case c.FormValue("ready") != "":
		ready := match.Ready{Seat: seat}
		if text := c.FormValue("sealed"); text != "" {
			if ready.Sealed, err = strconv.Atoi(text); err != nil {
				return request, malformed("sealed")
			}
		}
		request.Command = ready
	case c.FormValue("forfeit") != "":
		request.Command = match.ClaimForfeit{Seat: seat}
	case c.FormValue("meet") != "":
		var at time.Time
		_, named := state.Appointment()
		at, err = meetOfForm(p, c.FormValue("meet"), named[:])
		request.Command = match.Appoint{Seat: seat, At: at}
	case c.FormValue("target") != "":
		var bid bidding.Bid
		bid, err = bidOfForm(c, state.Game().Bids())
		request.Command = match.PlaceBid{Seat: seat, Bid: bid}
	default:
		raw := `{"act":` + strconv.Quote(strings.TrimSpace(c.FormValue("act"))) + `}`
		request.Command, err = match.ParseCommand(seat, []byte(raw))
	}
	return request, err
}

func malformed(detail string) error { return &match.Refusal{Code: bidding.Malformed, Detail: detail} }

// bidOfForm reads a bid. A raise on time, home row or features states its outcome; switches that a form of features
// leaves out are off.
func bidOfForm(c echo.Context, bids bidding.State) (bidding.Bid, error) {
	var bid bidding.Bid
	var err error
	if bid.Target, err = bidding.ParseTarget(c.FormValue("target")); err != nil {
		return bid, err
	}
	number := func(key string) int {
		n, convErr := strconv.Atoi(c.FormValue(key))
		if convErr != nil && err == nil {
			err = malformed(key)
		}
		return n
	}
	bid.Chips = number("chips")
	form, formErr := c.FormParams()
	if formErr != nil {
		return bid, malformed("form")
	}
	switch {
	case form.Has("minutes"):
		bid.HasOutcome = true
		bid.Time = bidding.TimeControl{Minutes: number("minutes"), Increment: number("increment")}
	case form.Has("row"):
		bid.HasOutcome = true
		bid.Row = board.Row(strings.ToUpper(strings.TrimSpace(c.FormValue("row"))))
	case form.Has("moveLimit"):
		bid.HasOutcome = true
		bid.Features = bids.Features()
		if form.Has("width") {
			bid.Features.Width = number("width")
		}
		bid.Features.MoveLimit = number("moveLimit")
		bid.Features.Undos = number("undos")
		bid.Features.Castlings = number("castlings")
		for _, kind := range words.Kinds {
			bid.Features.MovePoints[kind] = number("movePoints." + kind.String())
		}
		for _, key := range bidding.Switches {
			*bid.Features.Switch(key) = form.Get(key) == "on"
		}
	}
	return bid, err
}
