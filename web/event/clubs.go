package event

import (
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/clubmatch"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// ClubChoices offers the clubs in whose name the viewer may hold events, and the chosen one.
func (s Frame) ClubChoices(c echo.Context, chosen string) ([]templates.Choice, error) {
	p := s.Printer(c)
	list := []templates.Choice{{Text: p.T("club.hold-none"), Chosen: chosen == ""}}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, err := words.HeldClubs(tx, page.Viewer(c))
		if err != nil {
			return err
		}
		if chosen != "" && !slices.ContainsFunc(clubs, func(x club.Club) bool { return string(x.ID) == chosen }) {
			of, err := tx.Club(club.ID(chosen))
			if err != nil {
				return err
			}
			clubs = append(clubs, of)
		}
		for _, x := range clubs {
			list = append(list, templates.Choice{Value: string(x.ID), Text: x.Name, Chosen: string(x.ID) == chosen})
		}
		return nil
	})
	return list, err
}

// MayHold returns nil, or why the viewer can hold no tournaments.
func (s Frame) MayHold(c echo.Context) error {
	if page.Viewer(c).MayCreateTournament() {
		return nil
	}
	return s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, err := words.HeldClubs(tx, page.Viewer(c))
		if err == nil && len(clubs) == 0 {
			err = page.ErrForbidden
		}
		return err
	})
}

// ClubScore renders the score of a club match.
func (s Frame) ClubScore(c echo.Context, t *tournament.Tournament, score clubmatch.Score) (view eventview.ClubScore, err error) {
	p := s.Printer(c)
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		for i, id := range []club.ID{t.ClubID, t.OpponentID} {
			of, err := tx.Club(id)
			if err != nil {
				return err
			}
			view.Sides[i] = eventview.ClubSide{Name: of.Name, URL: words.ClubURL(id), Points: words.ScoreText(p, score.Points[i]),
				Won: score.Winner == tournament.Sides[i]}
		}
		return nil
	})
	switch {
	case score.By == 0:
	case score.Winner == 0:
		view.Verdict = p.T("clubmatch.drawn")
	default:
		view.Verdict = p.T("clubmatch.won."+score.By.String(), "Club", view.Sides[score.Winner-tournament.HomeSide].Name)
	}
	return view, err
}
