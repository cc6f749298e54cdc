package page

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
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

// Insider tells whether whoever asks sees matches as they stand.
func (s *Site) Insider(c echo.Context) live.Insider {
	v := Viewer(c)
	return func(ctx context.Context, h store.Head) (bool, error) {
		if h.SeatOf(v.ID).Valid() {
			return true, nil
		}
		return s.Arbiter.Assurance.Watches(ctx, v, h.ID)
	}
}

// Look is a match as whoever asks may see it now.
func (s *Site) Look(c echo.Context, id match.ID) (live.View, error) {
	return s.Live.View(c.Request().Context(), id, s.Insider(c))
}

// Command brings what the viewer does in a match to the judge, by whichever form or
// program: read makes the command of what was sent. It answers where the log stands
// then, with the errors of live.Runner.Do, seats.MayAct and seats.RefuseStranger.
func (s *Site) Command(c echo.Context, id match.ID, read func(match.Game, match.Seat) (live.Request, error)) (int64, error) {
	ctx, me := c.Request().Context(), Viewer(c)
	state, head, err := s.Live.Latest(ctx, id)
	if err != nil {
		return 0, err
	}
	seat := head.SeatOf(me.ID)
	var request live.Request
	if seat.Valid() {
		request, err = read(state.Game(), seat)
	}
	if !seat.Valid() || err != nil || request.Seq == nil || *request.Seq != state.Seq() { // not where the viewer saw it
		if state, head, err = s.Live.State(ctx, id); err != nil {
			return 0, err
		}
		if !seat.Valid() {
			return 0, s.Arbiter.Seats.RefuseStranger(ctx, me, state, head)
		}
		if request, err = read(state.Game(), seat); err != nil {
			return 0, err
		}
	}
	request.Admit = admission(s, c, request)
	return s.Live.Do(ctx, id, me.ID, request)
}

// admission judges a player's command by the request it came with.
func admission(s *Site, c echo.Context, request live.Request) live.Admission {
	source := sync.OnceValues(func() (seats.Source, error) { return sourceOf(s, c, request) })
	return func(ctx context.Context, state match.State, head store.Head) error {
		if head.Level <= fairplay.Open {
			return nil
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

// sourceOf is from where a command comes, and what its page signed.
func sourceOf(s *Site, c echo.Context, request live.Request) (seats.Source, error) {
	if _, program := Token(c); program {
		return seats.Source{Token: true}, nil
	}
	from, err := s.Source(c)
	from.Seq = request.Seq
	from.Fields, from.Signature = signedForm(c)
	return from, err
}

// signedForm is what a page's script sent and signed: the fields of the form
// without the signature, which stands in "sig".
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

// Source is from where a page's command comes, in keyed hashes.
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

// NetworkOf is the keyed network a request came from; empty: not known.
func NetworkOf(c echo.Context, pepper []byte) string {
	p := form.Prefix(c.RealIP())
	if p == "" {
		return ""
	}
	return form.Keyed(pepper, "network", p)
}

// AcceptFairPlayText accepts the fair-play text when the form says so; a text
// that has changed meanwhile is not accepted.
func (s *Site) AcceptFairPlayText(c echo.Context) error {
	if c.FormValue("fair-play") != fairplay.TextHash() {
		return nil
	}
	return s.Arbiter.Persons.AcceptText(c.Request().Context(), Viewer(c))
}

// CommandTrouble is how a refused command is told; no text for errors that are
// no refusals.
func (s *Site) CommandTrouble(c echo.Context, err error) (status int, text string) {
	p := s.Printer(c)
	var refusal *match.Refusal
	var unsigned *fairplay.SignatureError
	switch {
	case errors.Is(err, match.ErrStale):
		return http.StatusConflict, p.T("match.refused.stale")
	case errors.As(err, &unsigned):
		return http.StatusForbidden, p.T("passkey.error.unsigned", "Level", form.LevelText(p, unsigned.Level))
	case errors.Is(err, seats.ErrCheckIn), errors.Is(err, seats.ErrCheckInOld), errors.Is(err, seats.ErrTakenOver),
		errors.Is(err, seats.ErrSteward),
		errors.Is(err, seats.ErrUnlockFirst), errors.Is(err, seats.ErrChecking):
		return RefusalStatus(p, err)
	case errors.Is(err, live.ErrNotPlaying):
		return http.StatusForbidden, p.T("match.refused.unknown-player")
	case errors.As(err, &refusal):
		return http.StatusUnprocessableEntity, words.RefusalText(p, refusal)
	}
	return 0, ""
}
