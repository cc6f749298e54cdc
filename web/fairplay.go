package web

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

func (s *Server) fairPlayRoutes() []route {
	return []route{
		{get, "/fair-play", s.fairPlay, anyone},
		{post, "/fair-play", s.acceptFairPlay, signedIn},
		{get, "/fair-play/key", s.fairPlayKey, anyone},
		{get, "/fair-play/me", s.myFairPlay, signedIn},
		{get, "/tournaments/:id/fair-play", s.tournamentFairPlay, signedIn},
		{post, "/tournaments/:id/fair-play", s.setTournamentPolicy, signedIn},
		{post, "/tournaments/:id/fair-play/admit", s.admitEntry, signedIn},
		{post, "/tournaments/:id/fair-play/venue", s.setVenue, signedIn},
	}
}

// fairPlayKey is the key with which everything the site signs can be checked.
func (s *Server) fairPlayKey(c echo.Context) error {
	key, err := s.arbiter.SiteKey(c.Request().Context())
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, fairplay.KeyText(key.Public().(ed25519.PublicKey))+"\n")
}

// insider tells whether whoever asks sees matches as they stand.
func (s *Server) insider(c echo.Context) live.Insider {
	v := viewer(c)
	return func(ctx context.Context, h store.Head) (bool, error) {
		if h.SeatOf(v.ID).Valid() {
			return true, nil
		}
		return s.arbiter.Watches(ctx, v, h.ID)
	}
}

// look is a match as whoever asks may see it now.
func (s *Server) look(c echo.Context, id match.ID) (live.View, error) {
	return s.live.View(c.Request().Context(), id, s.insider(c))
}

// lookAgain is how often a stream of a match that is shown later looks whether
// something has become old enough.
const lookAgain = 3 * time.Second

// command brings what the viewer does in a match to the judge, by whichever form or
// program: read makes the command of what was sent. It answers where the log stands
// then, with the errors of live.Runner.Do, arbiter.MayAct and arbiter.RefuseStranger.
func (s *Server) command(c echo.Context, id match.ID, read func(match.Game, match.Seat) (live.Request, error)) (int64, error) {
	ctx, me := c.Request().Context(), viewer(c)
	state, head, err := s.live.State(ctx, id)
	if err != nil {
		return 0, err
	}
	seat := head.SeatOf(me.ID)
	if !seat.Valid() {
		return 0, s.arbiter.RefuseStranger(ctx, me, state, head)
	}
	request, err := read(state.Game(), seat)
	if err != nil {
		return 0, err
	}
	request.Admit = s.admission(c, request)
	return s.live.Do(ctx, id, me.ID, request)
}

// admission judges a player's command by the request it came with.
func (s *Server) admission(c echo.Context, request live.Request) live.Admission {
	source := sync.OnceValues(func() (arbiter.Source, error) { return s.sourceOf(c, request) })
	return func(ctx context.Context, state match.State, head store.Head) error {
		if head.Level <= fairplay.Open {
			return nil
		}
		if err := s.noteActs(c, state, head, request); err != nil {
			return err
		}
		from, err := source()
		if err != nil {
			return err
		}
		return s.arbiter.MayAct(ctx, viewer(c), state, head, from, request.Command)
	}
}

// sourceOf is from where a command comes, and what its page signed.
func (s *Server) sourceOf(c echo.Context, request live.Request) (arbiter.Source, error) {
	if _, program := token(c); program {
		return arbiter.Source{Token: true}, nil
	}
	from, err := s.source(c)
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

// deviceCookie holds a random number that tells one browser from another.
const deviceCookie = "device"

// source is from where a page's command comes, in keyed hashes.
func (s *Server) source(c echo.Context) (arbiter.Source, error) {
	pepper, err := s.arbiter.Pepper(c.Request().Context())
	if err != nil {
		return arbiter.Source{}, err
	}
	device := cookie(c, deviceCookie)
	if len(device) < 16 {
		device = string(store.NewSecret())
		s.setCookie(c, deviceCookie, device, year, true)
	}
	from := arbiter.Source{Session: keyed(pepper, "session", sessionID(c)), Device: keyed(pepper, "device", device)}
	from.Network = networkOf(c, pepper)
	return from, nil
}

// networkOf is the keyed network a request came from; empty: not known.
func networkOf(c echo.Context, pepper []byte) string {
	p := prefix(c.RealIP())
	if p == "" {
		return ""
	}
	return keyed(pepper, "network", p)
}

func keyed(pepper []byte, kind, text string) string {
	mac := hmac.New(sha256.New, pepper)
	mac.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// prefix is a network address without what tells one machine from its
// neighbours: /24, or /48.
func prefix(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	bits := 48
	if a = a.Unmap(); a.Is4() {
		bits = 24
	}
	p, err := a.WithZone("").Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}

// acceptFairPlayText accepts the fair-play text when the form says so; a text
// that has changed meanwhile is not accepted.
func (s *Server) acceptFairPlayText(c echo.Context) error {
	if c.FormValue("fair-play") != fairplay.TextHash() {
		return nil
	}
	return s.arbiter.AcceptText(c.Request().Context(), viewer(c))
}

func (s *Server) acceptFairPlay(c echo.Context) error {
	if err := s.acceptFairPlayText(c); err != nil {
		return err
	}
	return s.redirect(c, localPath(c.FormValue("return")), "")
}
