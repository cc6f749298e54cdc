package page

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"sync"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// Insider returns the check whether the viewer sees a match without delay.
func (s *Site) Insider(c echo.Context) live.Insider {
	v := Viewer(c)
	return func(ctx context.Context, h store.Head) (bool, error) {
		if h.SeatOf(v.ID).Valid() {
			return true, nil
		}
		return s.Arbiter.Assurance.Watches(ctx, v, h.ID)
	}
}

// Look returns a match as the viewer may see it now.
func (s *Site) Look(c echo.Context, id match.ID) (live.View, error) {
	return s.Live.View(c.Request().Context(), id, s.Insider(c))
}

// Command carries out the viewer's command in a match; read makes it from the request. It returns the new sequence
// number of the log, or an error of read, live.Runner.Do, seats.MayAct or seats.RefuseStranger.
func (s *Site) Command(c echo.Context, id match.ID, read func(match.State, match.Seat) (live.Request, error)) (int64, error) {
	ctx, me := c.Request().Context(), Viewer(c)
	state, head, err := s.Live.Latest(ctx, id)
	if err != nil {
		return 0, err
	}
	seat := head.SeatOf(me.ID)
	var request live.Request
	if seat.Valid() {
		request, err = read(state, seat)
	}
	if !seat.Valid() || err != nil || request.Seq == nil || *request.Seq != state.Seq() { // the cached state may be old
		if state, head, err = s.Live.State(ctx, id); err != nil {
			return 0, err
		}
		if !seat.Valid() {
			return 0, s.Arbiter.Seats.RefuseStranger(ctx, me, state, head)
		}
		if request, err = read(state, seat); err != nil {
			return 0, err
		}
	}
	request.Admit = admission(s, c, request)
	return s.Live.Do(ctx, id, me.ID, request)
}

// admission returns the check of a player's command by the request it came with.
func admission(s *Site, c echo.Context, request live.Request) live.Admission {
	source := sync.OnceValues(func() (seats.Source, error) { return sourceOf(s, c, request) })
	return func(ctx context.Context, state match.State, head store.Head) error {
		if head.Level <= fairplay.Open && head.Bots == [2]bool{} {
			return nil
		}
		if head.Level <= fairplay.Open {
			by, err := s.Asker(c)
			if err != nil {
				return err
			}
			return s.Arbiter.Seats.MayAskABot(ctx, by, state, head, request.Command)
		}
		if err := noteActs(s, c, state, head, request); err != nil {
			return err
		}
		from, err := source()
		if err != nil {
			return err
		}
		return s.Arbiter.Seats.MayAct(ctx, Viewer(c), state, head, from, request.Command)
	}
}

// sourceOf returns where a command comes from and what its page signed.
func sourceOf(s *Site, c echo.Context, request live.Request) (seats.Source, error) {
	if _, program := Token(c); program {
		return seats.Source{Token: true}, nil
	}
	from, err := s.Source(c)
	from.Seq = request.Seq
	from.Fields, from.Signature = signedForm(c)
	return from, err
}

// signedForm returns the fields of a form that a page's script signed, and the signature, which is in field "sig".
func signedForm(c echo.Context) (fields [][2]string, signature []byte) {
	form, err := c.FormParams()
	if err != nil {
		return nil, nil
	}
	signed := map[string][]string{}
	for name, values := range form {
		if name != "sig" {
			signed[name] = values
		}
	}
	signature, err = base64.RawURLEncoding.DecodeString(form.Get("sig"))
	if err != nil {
		return nil, nil
	}
	return fairplay.CanonicalFields(signed), signature
}

// Source returns where a page's command comes from, as keyed hashes.
func (s *Site) Source(c echo.Context) (seats.Source, error) {
	pepper, err := s.Arbiter.Pepper(c.Request().Context())
	if err != nil {
		return seats.Source{}, err
	}
	device := Cookie(c, form.DeviceCookie)
	if len(device) < 16 {
		device = string(store.NewSecret())
		s.SetCookie(c, form.DeviceCookie, device, Year, true)
	}
	from := seats.Source{Session: form.Keyed(pepper, "session", SessionID(c)), Device: form.Keyed(pepper, "device", device)}
	from.Network = NetworkOf(c, pepper)
	return from, nil
}

// Asker returns who asks for analysis; a browser that never played a match has no name.
func (s *Site) Asker(c echo.Context) (by seats.Asker, err error) {
	by.Viewer = Viewer(c)
	device := Cookie(c, form.DeviceCookie)
	if _, byToken := Token(c); byToken || len(device) < 16 {
		return by, nil
	}
	pepper, err := s.Arbiter.Pepper(c.Request().Context())
	by.Device = form.Keyed(pepper, "device", device)
	return by, err
}

// NetworkOf returns the keyed hash of a request's network; empty if unknown.
func NetworkOf(c echo.Context, pepper []byte) string {
	p := form.Prefix(c.RealIP())
	if p == "" {
		return ""
	}
	return form.Keyed(pepper, "network", p)
}

// AcceptFairPlayText accepts the fair-play text if the form says so and has the current version.
func (s *Site) AcceptFairPlayText(c echo.Context) error {
	hash := c.FormValue("fair-play")
	read, ok := words.FairPlayIn(hash)
	if !ok {
		return nil
	}
	return s.Arbiter.Persons.AcceptText(c.Request().Context(), Viewer(c), string(read), hash)
}

// shownInMatch are the refusals, beside the engine's, that the page of a match shows in place.
var shownInMatch = []error{fairplay.ErrUnsigned, live.ErrNotPlaying, seats.ErrCheckIn, seats.ErrCheckInOld, seats.ErrTakenOver,
	seats.ErrSteward, seats.ErrUnlockFirst, seats.ErrChecking}

// CommandTrouble returns the status and text of a refused command; no text for other errors.
func (s *Site) CommandTrouble(c echo.Context, err error) (status int, text string) {
	var judged *match.Refusal
	if errors.As(err, &judged) || slices.ContainsFunc(shownInMatch, func(x error) bool { return errors.Is(err, x) }) {
		return RefusalStatus(s.Printer(c), err)
	}
	return 0, ""
}
