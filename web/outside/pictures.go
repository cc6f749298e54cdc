package outside

import (
	"errors"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/picture"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// moment returns the match of the address and the moment that the query names.
func (s Outside) moment(c echo.Context) (scene.Pictured, picture.Match, error) {
	p := s.Abroad(c)
	v, f, err := s.match(c.Request().Context(), p, match.ID(c.Param("id")))
	if err != nil {
		return scene.Pictured{}, picture.Match{}, err
	}
	m := scene.NewPictured(p, s.Called(c.Request().Context(), p), f, v, c.QueryParam("flip") == "1")
	return m, m.Moment(c.QueryParam("ply"), c.QueryParam("bid")), nil
}

// matchPicture draws the card of a match for link previews.
func (s Outside) matchPicture(c echo.Context) error {
	_, what, err := s.moment(c)
	if err != nil {
		return err
	}
	return s.sendPicture(c, what, func() ([]byte, error) { return s.studio.Card(what) })
}

// positionPicture draws a moment of a match.
func (s Outside) positionPicture(c echo.Context) error {
	_, what, err := s.moment(c)
	if err != nil {
		return err
	}
	return s.sendPicture(c, []any{"still", what}, func() ([]byte, error) { return s.studio.Still(what) })
}

// matchAnimation draws a match up to what the public has seen.
func (s Outside) matchAnimation(c echo.Context) error {
	m, _, err := s.moment(c)
	if err != nil {
		return err
	}
	what := []any{m.Frame.ID, m.State.Seq(), m.Lang, m.Moment("", "")} // not the frame's players: those are seen at other times
	draw := func() ([]byte, error) { return s.studio.Animation(m.Moments()) }
	return s.sendPrint(c, "image/gif", what, page.LimitAnimation, order{queue: &s.prints.animations, draw: draw})
}

// tournamentPicture draws a tournament with its leaders.
func (s Outside) tournamentPicture(c echo.Context) error {
	p := s.Abroad(c)
	t, err := s.tournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return err
	}
	lines := words.TournamentLines(p.At(s.Zone(t.Zone)), t)
	what := picture.Poster{Site: s.Called(c.Request().Context(), p), Title: p.Event(t.Name), Lines: lines}
	if len(t.Rounds) > 0 {
		table, err := format.Standings(t, -1)
		if err != nil {
			return err
		}
		for _, l := range table.Lines[:min(len(table.Lines), picture.PosterRows)] {
			row := picture.Row{Rank: words.Itoa(l.Rank), Name: words.EntryName(p, l.Entry), Value: words.TotalText(p, t, l.Score)}
			what.Table = append(what.Table, row)
		}
	}
	return s.sendPicture(c, what, func() ([]byte, error) { return s.studio.Poster(what) })
}

// playerPicture draws a player with their rating. Players who hide from search engines have none.
func (s Outside) playerPicture(c echo.Context) error {
	var x player.Player
	var about page.ProfileFacts
	var r store.Rating
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if x, err = tx.PlayerByHandle(player.Handle(words.Shorten(c.Param("handle"), 40))); err != nil {
			return err
		}
		ratings, err := tx.Ratings(x.ID)
		r = ratings[x.ID]
		if err != nil {
			return err
		}
		return about.Read(tx, player.Viewer{}, x.ID)
	})
	if err == nil && about.Profile.Privacy.Hidden {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	p := s.Abroad(c)
	what := picture.Poster{Site: s.Called(c.Request().Context(), p), Title: string(x.Handle), Lines: []string{words.PlayerText(p, x, r)}}
	if r.Rating != 0 {
		what.Big = words.RatingText(p, r)
	}
	return s.sendPicture(c, what, func() ([]byte, error) { return s.studio.Poster(what) })
}

// yearPicture draws a player's year, as everybody may see it: its achievements beside its numbers.
func (s Outside) yearPicture(c echo.Context) error {
	f, err := s.ReadYear(c, player.Viewer{})
	if err == nil && !f.IsPublic {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	p := s.Abroad(c)
	y := f.Year
	what := picture.Year{
		Site: s.Called(c.Request().Context(), p), Title: words.YearTitle(p, f.Player, f.Number), Score: words.YearScore(p, y),
		Wins: y.Wins, Draws: y.Draws, Losses: y.Losses, Dark: c.QueryParam("dark") == "1",
		Bids:   picture.YearList[picture.YearBid]{Title: p.T("year.bids")},
		Rivals: picture.YearList[picture.Row]{Title: p.T("year.rivals")}, Feats: picture.YearList[picture.Feat]{Title: p.T("year.feats")},
	}
	figures := words.YearFigures(p, y, f.History)
	for _, x := range figures[min(1, y.Matches()):] { // the first is in the score
		what.Figures = append(what.Figures, picture.Figure(x))
	}
	for _, past := range f.Past {
		v, frame, err := s.match(c.Request().Context(), p, past.Head.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // only staff may see it
		}
		if err != nil {
			return err
		}
		what.Best = scene.PicturedEnd(p, frame, v, f.Player.ID)
		what.About = words.YearBest(p, y) + ": " + words.PlayerName(p, f.Who[y.Best.Opponent]) + ", " + words.BoardPoints(p, [2]int{y.Best.Own, y.Best.Theirs})
	}
	for _, r := range f.Raises {
		what.Bids.Lines = append(what.Bids.Lines, scene.PicturedRaise(p, r))
	}
	for _, r := range y.Rivals {
		what.Rivals.Lines = append(what.Rivals.Lines, picture.Row{Name: words.PlayerName(p, f.Who[r.Opponent]), Value: p.T("year.rival-score",
			"Wins", p.Int(r.Wins), "Draws", p.Int(r.Draws), "Losses", p.Int(r.Losses))})
	}
	for _, a := range y.Achievements {
		what.Feats.Lines = append(what.Feats.Lines,
			picture.Feat{Piece: words.FeatPieces[a.Kind], Name: p.T("year.feat." + string(a.Kind)), Count: a.Count})
	}
	return s.sendPicture(c, what, func() ([]byte, error) { return s.studio.Year(what) })
}

// clubPicture draws a club with the number of its people.
func (s Outside) clubPicture(c echo.Context) error {
	r, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (club.Roster, error) { return tx.Roster(club.ID(c.Param("id"))) })
	if err != nil {
		return err
	}
	p := s.Abroad(c)
	text := p.T("club.card", "Members", p.N("club.members-count", len(r.Members)))
	what := picture.Poster{Site: s.Called(c.Request().Context(), p), Title: r.Name, Lines: []string{text}}
	return s.sendPicture(c, what, func() ([]byte, error) { return s.studio.Poster(what) })
}

// ladderPicture draws a ladder with its first places.
func (s Outside) ladderPicture(c echo.Context) error {
	var l *ladder.Ladder
	var who map[player.ID]player.Player
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if l, err = tx.Ladder(ladder.ID(c.Param("id"))); err != nil {
			return err
		}
		var first []player.ID
		for _, x := range l.Rungs[:min(len(l.Rungs), picture.PosterRows)] {
			first = append(first, x.Player)
		}
		who, err = tx.Players(first...)
		return err
	})
	if err != nil {
		return err
	}
	p := s.Abroad(c)
	text := p.T("ladder.card", "Players", p.N("ladder.players-count", len(l.Rungs)))
	what := picture.Poster{Site: s.Called(c.Request().Context(), p), Title: l.Settings.Name, Lines: []string{text}}
	for i, x := range l.Rungs[:len(who)] {
		what.Table = append(what.Table, picture.Row{Rank: p.Int(i + 1), Name: words.PlayerName(p, who[x.Player])})
	}
	return s.sendPicture(c, what, func() ([]byte, error) { return s.studio.Poster(what) })
}

// challengePicture draws who invites to play, and to what.
func (s Outside) challengePicture(c echo.Context) error {
	var who player.Player
	var r store.Rating
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		x, err := tx.Challenge(challenge.ID(c.Param("id")))
		if err != nil {
			return err
		}
		if who, err = tx.Player(x.Challenger); err != nil {
			return err
		}
		ratings, err := tx.Ratings(who.ID)
		r = ratings[who.ID]
		return err
	})
	if err != nil {
		return err
	}
	p := s.Abroad(c)
	title := p.T("challenge.title.link", "Name", words.PlayerName(p, who))
	what := picture.Poster{Site: s.Called(c.Request().Context(), p), Title: title, Lines: []string{p.T("challenge.what")}}
	if r.Rating != 0 {
		what.Big = words.RatingText(p, r)
	}
	return s.sendPicture(c, what, func() ([]byte, error) { return s.studio.Poster(what) })
}

// sitePicture draws the site itself.
func (s Outside) sitePicture(c echo.Context) error {
	p := s.Abroad(c)
	what := picture.Poster{Site: s.Called(c.Request().Context(), p), Title: p.T("home.hero"), Lines: []string{p.T("home.lead")}}
	return s.sendPicture(c, what, func() ([]byte, error) { return s.studio.Poster(what) })
}
