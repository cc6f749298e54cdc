package tournament

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// readyRoutes are for players before their match starts.
func (s pages) readyRoutes() []page.Route {
	return []page.Route{
		page.Post("/tournaments/:id/ready", s.sayReady, page.SignedIn),
		page.Post("/tournaments/:id/ready/claim", s.claimForfeit, page.SignedIn),
		page.Post("/tournaments/:id/check-in", s.checkInOwn, page.SignedIn),
	}
}

// atOwnBoard sends a command to the viewer's open match and goes on to an address, by default the match. A
// refusal is shown on the tournament's page.
func (s pages) atOwnBoard(c echo.Context, to string, command func(match.Seat) match.Command) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	_, b, _ := ownBoard(t, page.Viewer(c))
	if b.Match == "" {
		return tournament.ErrNoBoard
	}
	_, err = s.Command(c, b.Match, func(_ match.State, seat match.Seat) (live.Request, error) {
		return live.Request{Command: command(seat)}, nil
	})
	if status, text := s.CommandTrouble(c, err); text != "" {
		return s.showLive(c, status, func(view *tournamentview.LiveView) { view.Trouble = text })
	}
	if err != nil {
		return err
	}
	if to == "" {
		to = words.MatchURL(b.Match)
	}
	return s.Redirect(c, to, "")
}

// ownBoard returns the viewer's board without a result and its round; 0 if there is none.
func ownBoard(t *tournament.Tournament, v player.Viewer) (round int, p tournament.Pairing, seat match.Seat) {
	if e, entered := t.EntryOf(v.ID); entered {
		for round, p := range t.Rounds.Pending() {
			if seat := p.SeatOf(e.ID); seat.Valid() {
				return round, p, seat
			}
		}
	}
	return 0, tournament.Pairing{}, 0
}

func (s pages) sayReady(c echo.Context) error {
	return s.atOwnBoard(c, "", func(seat match.Seat) match.Command { return match.Ready{Seat: seat} })
}

func (s pages) claimForfeit(c echo.Context) error {
	return s.atOwnBoard(c, words.TournamentURL(tournament.ID(c.Param("id"))), func(seat match.Seat) match.Command {
		return match.ClaimForfeit{Seat: seat}
	})
}

func (s pages) checkInOwn(c echo.Context) error {
	id, in := tournament.ID(c.Param("id")), c.FormValue("out") == ""
	if err := s.Arbiter.Desk.CheckInOwn(c.Request().Context(), page.Viewer(c), id, in); err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id), "flash.saved")
}
