package rating

import (
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/page"
)

func (s api) playerOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /me", player.ScopeRead, s.me, "Who the token speaks for", "The account and what it may do."),
		page.Op("GET /me/matches", player.ScopeRead, s.matches, "One’s own matches",
			"Those that wait for the caller first, then running ones, then the latest that are over."),
		page.Op("GET /players/{handle}", page.Everyone, s.player, "A player with rating and history",
			"The history is left out where the player hides it."),
		page.Op("GET /bots", page.Everyone, s.bots, "Who plays by a program",
			"Bots of the site, and those that somebody answers for, with what they play. The strongest first."),
		page.Op("PUT /players/{handle}/birth-year", player.ScopeAccount, s.setBirthYear, "Say in which year a player was born",
			"For the rating of the young: the player themselves, and operators with the scope operate."),
	}
}

type (
	noInput struct{}
	apiMe   struct {
		Handle player.Handle  `json:"handle" doc:"the account"`
		Role   string         `json:"role" doc:"what the site lets it do" enum:"player,organizer,operator" example:"player"`
		Bot    bool           `json:"bot" doc:"a program plays"`
		Scopes []player.Scope `json:"scopes" doc:"what the token may do; empty for a browser" example:"[\"read\",\"challenge\"]"`
	}
	apiMatchRow struct {
		ID       match.ID       `json:"id" doc:"address of the match"`
		Status   string         `json:"status" doc:"where it is" enum:"waiting,live,over" example:"live"`
		First    page.APIPlayer `json:"first" doc:"seat A"`
		Second   page.APIPlayer `json:"second" doc:"seat B"`
		You      *string        `json:"you" doc:"the caller’s seat" enum:"A,B"`
		WaitsFor bool           `json:"waitingForMe" doc:"the caller is to act"`
	}
	apiMatchRows struct {
		Matches []apiMatchRow `json:"matches" doc:"those that wait for the caller first"`
		Next    *string       `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
	playerPath struct {
		Handle string `path:"handle" doc:"the player" example:"anna"`
	}
	birthYearIn struct {
		playerPath
		Year int `json:"year" doc:"in four digits; 0 forgets it" example:"2012" min:"0" max:"9999"`
	}
	apiPlayerView struct {
		Handle      player.Handle     `json:"handle" doc:"their handle"`
		Bot         bool              `json:"bot" doc:"a program plays"`
		Rating      *float64          `json:"rating" doc:"on the site’s main list; null: none" example:"1612.5"`
		Provisional bool              `json:"provisional" doc:"few games stand behind it"`
		Games       int               `json:"games" doc:"rated games" example:"41"`
		BirthYear   int               `json:"birthYear,omitempty" doc:"for the player and operators, if it was told" example:"2012"`
		History     []apiRatingChange `json:"history" doc:"changes of the rating, the latest first"`
	}
	apiRatingChange struct {
		At         time.Time           `json:"at" doc:"when"`
		Tournament *tournament.ID      `json:"tournament" doc:"whose games it was for; null: another kind of event"`
		Challenge  *challenge.ID       `json:"challenge" doc:"the same"`
		Match      *match.ID           `json:"match" doc:"the same, on a ladder"`
		Achieved   *fairplay.Assurance `json:"achieved" doc:"by the match of a challenge or a ladder"`
		Reason     string              `json:"reason" doc:"why it changed" example:"played"`
		Before     float64             `json:"before" doc:"the rating before" example:"1600"`
		After      float64             `json:"after" doc:"the rating after" example:"1612.5"`
		K          int                 `json:"k" doc:"how much a result counted" example:"20"`
	}
)

func (s api) me(c echo.Context, _ noInput) (apiMe, error) {
	me := page.Viewer(c)
	t, _ := page.Token(c)
	return apiMe{me.Handle, me.Role.String(), me.Bot, append([]player.Scope{}, t.Scopes...)}, nil
}

// myMatches limits the list of the caller's matches.
const myMatches = 500

func (s api) matches(c echo.Context, in page.Paged) (out apiMatchRows, err error) {
	me := page.Viewer(c).ID
	rows := []apiMatchRow{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		heads, err := tx.MatchesOf(me, myMatches)
		if err != nil {
			return err
		}
		var ids []player.ID
		for _, h := range heads {
			ids = append(ids, h.Players[:]...)
		}
		accounts, err := tx.Players(ids...)
		if err != nil {
			return err
		}
		for _, h := range heads {
			of := func(i int) page.APIPlayer {
				return page.APIPlayer{Handle: accounts[h.Players[i]].Handle, Bot: h.Bots[i]}
			}
			rows = append(rows, apiMatchRow{h.ID, h.Status.String(), of(0), of(1), page.Letter(h.SeatOf(me)), h.WaitsFor(me)})
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	out.Matches, out.Next, err = page.PageOf(in, 100, rows)
	return out, err
}

// points returns a rating, which is kept in hundredths, in points.
func points(r rating.Rating) float64 { return float64(r) / 100 }

func (s api) player(c echo.Context, in playerPath) (v apiPlayerView, err error) {
	v.History = []apiRatingChange{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		h, err := player.ParseHandle(in.Handle)
		if err != nil {
			return store.ErrNotFound
		}
		p, err := tx.PlayerByHandle(h)
		if err != nil {
			return err
		}
		v.Handle, v.Bot = p.Handle, p.Bot
		ratings, err := tx.Ratings(p.ID)
		if err != nil {
			return err
		}
		if r, rated := ratings[p.ID]; rated {
			now := points(r.Rating)
			v.Rating, v.Provisional, v.Games = &now, r.Provisional, r.Games
		}
		if by := page.Viewer(c); by.Is(p.ID) || by.MayOperate() {
			years, err := tx.BirthYears(string(p.ID))
			if err != nil {
				return err
			}
			v.BirthYear = years[string(p.ID)]
		}
		var about page.ProfileFacts
		if err := about.Read(tx, page.Viewer(c), p.ID); err != nil || !about.SeesHistory() {
			return err
		}
		history, err := tx.RatingHistory(p.ID)
		for _, h := range history {
			v.History = append(v.History, apiRatingChange{
				h.At, page.Optional(h.Tournament), page.Optional(h.Challenge), page.Optional(h.Match), page.Optional(h.Achieved), h.Reason.String(),
				points(h.Before), points(h.After), h.K,
			})
		}
		return err
	})
	return v, err
}

func (s api) setBirthYear(c echo.Context, in birthYearIn) (page.None, error) {
	ctx, by := c.Request().Context(), page.Viewer(c)
	of, err := s.Arbiter.Account(ctx, in.Handle)
	if err != nil {
		return page.None{}, err
	}
	if t, is := page.Token(c); is && !by.Is(of.ID) && !t.Has(player.ScopeOperate) {
		return page.None{}, page.ErrScope
	}
	return page.None{}, s.Arbiter.Ratings.SetBirthYear(ctx, by, of.ID, in.Year)
}
