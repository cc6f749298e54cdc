package page

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// paces tracks on this node how fast accounts act in matches and poll them.
type paces struct{ seen busy[pacer, review.Pace] }

type pacer struct {
	match  match.ID
	player player.ID
}

// judge lets f update an account's pace in a match and returns its verdict.
func (p *paces) judge(m match.ID, of player.ID, now time.Time, f func(*review.Pace) bool) (is bool) {
	p.seen.use(pacer{m, of}, now, func(pace *review.Pace) { is = f(pace) })
	return is
}

// noteActs records a signal if the player acts faster than by hand.
func noteActs(s *Site, c echo.Context, state match.State, head store.Head, request live.Request) error {
	of, now := Viewer(c).ID, s.Now()
	toAct, _ := state.ToAct()
	quick := s.paces.judge(head.ID, of, now, func(p *review.Pace) bool {
		return p.Acted(request.CommandID, state.Seq(), toAct == head.SeatOf(of), now)
	})
	if !quick {
		return nil
	}
	return s.Arbiter.Seats.NotePace(c.Request().Context(), Viewer(c), head.ID, review.SignalFastActs)
}

// WatchPolling records a signal if a player polls their running match more than twice a second. Streams, which
// reconnect by themselves, do not count.
func (s *Site) WatchPolling(r Route) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		at := strings.TrimPrefix(r.Path, "/api/v1")
		if r.Method != http.MethodGet || at != "/matches/:id" && !strings.HasPrefix(at, "/matches/:id/") || strings.HasSuffix(at, "/feed") {
			return next
		}
		streams := at == "/matches/:id/events"
		return func(c echo.Context) error {
			v, now := Viewer(c), s.Now()
			if !v.IsSignedIn() || streams && IsStream(c) {
				return next(c)
			}
			id := match.ID(c.Param("id"))
			if s.paces.judge(id, v.ID, now, func(p *review.Pace) bool { return p.Asked(now) }) {
				if err := s.Arbiter.Seats.NotePace(c.Request().Context(), v, id, review.SignalPolling); err != nil {
					return err
				}
			}
			return next(c)
		}
	}
}
