package rating

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// opponentsShown limits the opponents on a player's page, streakResults the matches searched for streaks.
const (
	opponentsShown = 20
	streakResults  = 1000
)

func versusURL(a, b player.Handle) string { return words.PlayerURL(a) + "/vs/" + string(b) }

// playerNumbers holds what a player's page shows beside their rating.
type playerNumbers struct {
	pools     []rating.Pool
	ratings   map[rating.PoolID]store.Rating
	opponents []store.Against
	who       map[player.ID]player.Player
	results   []rating.Result
	spending  []store.Spending
	raises    []store.Raise
	birthYear int // if mayBirth
	shown     int64
	mayBirth  bool
}

func (f *playerNumbers) read(tx *store.Tx, v player.Viewer, of player.ID, now time.Time) (err error) {
	if f.pools, err = tx.RatingPools(); err != nil {
		return err
	}
	if f.ratings, err = tx.RatingsOf(of); err != nil {
		return err
	}
	if f.opponents, err = tx.Opponents(of, opponentsShown); err != nil {
		return err
	}
	ids := make([]player.ID, len(f.opponents))
	for i, a := range f.opponents {
		ids[i] = a.Opponent
	}
	if f.who, err = tx.Players(ids...); err != nil {
		return err
	}
	if f.results, err = tx.ResultsOf(of, streakResults); err != nil {
		return err
	}
	if f.spending, err = tx.SpendingOf(of); err != nil {
		return err
	}
	if f.raises, err = tx.RaisesOf(of, time.Time{}, now.Add(time.Hour), outcomesShown); err != nil {
		return err
	}
	if f.mayBirth = v.Is(of) || v.MayOperate(); f.mayBirth {
		years, err := tx.BirthYears(string(of))
		if err != nil {
			return err
		}
		f.birthYear = years[string(of)]
		f.shown, err = kernel.SiteVersion(tx)
		return err
	}
	return nil
}

func viewNumbers(p lang.Printer, x player.Player, f playerNumbers) ratingview.PlayerNumbers {
	var v ratingview.PlayerNumbers
	for _, pool := range f.pools {
		r, rated := f.ratings[pool.ID]
		if !rated || pool.ID == rating.Main {
			continue
		}
		line := ratingLine(p, x, r)
		v.Pools = append(v.Pools, ratingview.PoolRating{
			Name: words.PoolName(p, pool), URL: poolListURL(pool.ID), Rating: line.Rating, Deviation: line.Deviation, Games: line.Games,
			Peak: line.Peak, Provisional: line.Provisional,
		})
	}
	for _, a := range f.opponents {
		who := f.who[a.Opponent]
		v.Opponents = append(v.Opponents, ratingview.OpponentLine{
			Handle: string(who.Handle), Bot: who.Bot, URL: versusURL(x.Handle, who.Handle),
			Wins: p.Int(a.Wins), Draws: p.Int(a.Draws), Losses: p.Int(a.Losses), Games: p.Int(a.Wins + a.Draws + a.Losses),
		})
	}
	if streaks := rating.StreaksOf(f.results); len(f.results) > 0 {
		v.Streaks = []string{p.N("rating.streak-wins", streaks.Wins), p.N("rating.streak-unbeaten", streaks.Unbeaten)}
		switch {
		case streaks.Current > 1:
			v.Streaks = append(v.Streaks, p.N("rating.streak-now-won", streaks.Current))
		case streaks.Current < -1:
			v.Streaks = append(v.Streaks, p.N("rating.streak-now-lost", -streaks.Current))
		}
	}
	for _, r := range f.raises {
		v.Raises = append(v.Raises, raiseLine(p, r))
	}
	for _, s := range f.spending {
		v.Spending = append(v.Spending, spendingLine(p, s))
	}
	if len(f.spending) > 0 {
		v.SpendingOver = p.N("rating.matches-count", f.spending[0].Matches)
	}
	if f.mayBirth {
		v.BirthYear = &templates.Field{Name: "year", Label: p.T("rating.birth-year"), Hint: p.T("rating.birth-year-hint"), Type: "number",
			Autocomplete: "bday-year"}
		if f.birthYear > 0 {
			v.BirthYear.Value = strconv.Itoa(f.birthYear)
		}
		v.Shown = strconv.FormatInt(f.shown, 10)
		v.BirthYearURL = words.PlayerURL(x.Handle) + "/birth-year"
	}
	return v
}

// spendingLine returns a target of the bidding profile.
func spendingLine(p lang.Printer, s store.Spending) ratingview.SpendingLine {
	share := func(part, whole int) string {
		if whole == 0 {
			return "—"
		}
		return p.Int((200*part+whole)/(2*whole)) + " %"
	}
	return ratingview.SpendingLine{
		Target: scene.TargetName(p, bidding.Target(s.Target)), Average: p.Decimal(float64(s.Chips)/float64(max(s.Matches, 1)), 1),
		Share: share(s.Chips, s.Purses), Won: share(s.Won, s.Matches), ScoreWon: share(s.WonHalves, 2*s.Won),
		ScoreLost: share(s.LostHalves, 2*s.Lost),
	}
}

// meetings limits the matches on the page of two players.
const meetings = 100

func (s pages) headToHead(c echo.Context) error {
	p, now := s.Printer(c), s.Now()
	var a, b player.Player
	var against store.Against
	var heads []store.Head
	var ruled map[match.ID]bool
	var ratings map[player.ID]store.Rating
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if a, err = tx.PlayerByHandle(player.Handle(words.Shorten(c.Param("handle"), 40))); err != nil {
			return err
		}
		if b, err = tx.PlayerByHandle(player.Handle(words.Shorten(c.Param("other"), 40))); err != nil {
			return err
		}
		if a.ID == b.ID {
			return store.ErrNotFound
		}
		if against, err = tx.HeadToHead(a.ID, b.ID); err != nil {
			return err
		}
		if heads, err = tx.MatchesBetween(a.ID, b.ID, meetings); err != nil {
			return err
		}
		if ruled, err = ruledOnes(tx, heads); err != nil {
			return err
		}
		ratings, err = tx.Ratings(a.ID, b.ID)
		return err
	})
	if err != nil {
		return err
	}
	view := ratingview.HeadToHeadView{
		A:    templates.Link{Text: string(a.Handle), URL: words.PlayerURL(a.Handle)},
		B:    templates.Link{Text: string(b.Handle), URL: words.PlayerURL(b.Handle)},
		Wins: p.Int(against.Wins), Draws: p.Int(against.Draws), Losses: p.Int(against.Losses),
	}
	switch chips := rating.HandicapChips(ratings[a.ID].Rating, ratings[b.ID].Rating); {
	case chips > 0:
		view.Chips = p.N("rating.handicap-would", chips, "Name", string(a.Handle))
	case chips < 0:
		view.Chips = p.N("rating.handicap-would", -chips, "Name", string(b.Handle))
	}
	who := map[player.ID]player.Player{a.ID: a, b.ID: b}
	for _, h := range heads {
		if !h.SeatOf(page.Viewer(c).ID).Valid() {
			h = veiled(h)
		}
		line := MatchLine(p, a.ID, h, who, ruled, now)
		line.Waits = line.Waits && page.Viewer(c).Is(a.ID)
		view.Matches = append(view.Matches, line)
	}
	if len(heads) == meetings {
		view.More = p.T("rating.latest-only", "N", meetings)
	}
	sh := s.Shell(c, string(a.Handle)+" – "+string(b.Handle))
	sh.Section, sh.Styles = "players", []string{"player.css"}
	return s.Render(c, http.StatusOK, ratingview.HeadToHeadPage(sh, view))
}

// setBirthYear saves a player's year of birth; an empty one removes it.
func (s pages) setBirthYear(c echo.Context) error {
	of, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (player.Player, error) {
		return tx.PlayerByHandle(player.Handle(words.Shorten(c.Param("handle"), 40)))
	})
	if err != nil {
		return err
	}
	year := 0
	if text := strings.TrimSpace(c.FormValue("year")); text != "" {
		if year, err = strconv.Atoi(text); err != nil {
			return rating.ErrBirthYear
		}
	}
	if err := s.Arbiter.Ratings.SetBirthYear(c.Request().Context(), page.Viewer(c), of.ID, year); err != nil {
		return err
	}
	return s.Redirect(c, words.PlayerURL(of.Handle), "flash.saved")
}

// eventChanges are a tournament and what it changed in ratings, with the players' accounts.
func (s pages) eventChanges(c echo.Context) (t *tournament.Tournament, changes []store.RatingChange, who map[player.ID]player.Player,
	err error) {
	if t, err = s.SeenTournament(c); err != nil {
		return nil, nil, nil, err
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if changes, err = tx.RatingChangesOf(t.ID); err != nil {
			return err
		}
		ids := make([]player.ID, len(changes))
		for i, x := range changes {
			ids[i] = player.ID(x.Player)
		}
		who, err = tx.Players(ids...)
		return err
	})
	changes = slices.DeleteFunc(changes, func(x store.RatingChange) bool { return x.Reason == rating.Started })
	return t, changes, who, err
}

// eventRatings shows the rating changes of a tournament.
func (s pages) eventRatings(c echo.Context) error {
	p := s.Printer(c)
	t, changes, who, err := s.eventChanges(c)
	if err != nil {
		return err
	}
	view := ratingview.EventRatingsView{Name: p.Event(t.Name), URL: words.TournamentURL(t.ID)}
	for _, x := range changes {
		view.Lines = append(view.Lines, eventRatingLine(p, who[player.ID(x.Player)], x))
	}
	sh := s.Shell(c, p.T("rating.event"))
	sh.Section = "tournaments"
	return s.Render(c, http.StatusOK, ratingview.EventRatingsPage(sh, view))
}

// eventRatingsCSV sends them as a file, in points of ratings and of results.
func (s pages) eventRatingsCSV(c echo.Context) error {
	t, changes, who, err := s.eventChanges(c)
	if err != nil {
		return err
	}
	rows := [][]string{{"player", "before", "games", "score", "expected", "performance", "after", "norm"}}
	points := func(n int, per float64) string { return strconv.FormatFloat(float64(n)/per, 'f', -1, 64) }
	for _, x := range changes {
		r := x.Report()
		row := []string{string(who[player.ID(x.Player)].Handle), points(int(x.Before), 100), words.Itoa(r.Games), points(r.Halves, 2),
			points(r.Expected, 100), "", points(int(x.After), 100), words.NumberText(r.Norm)}
		if r.Games > 0 {
			row[5] = words.Itoa(r.Performance)
		}
		rows = append(rows, row)
	}
	return page.SendCSV(c, s.Printer(c).Event(t.Name), "ratings.csv", rows)
}

func eventRatingLine(p lang.Printer, who player.Player, x store.RatingChange) ratingview.EventRatingLine {
	r := x.Report()
	line := ratingview.EventRatingLine{
		Handle: string(who.Handle), URL: words.PlayerURL(who.Handle), Before: words.PublishedRating(p, x.Before),
		After: words.PublishedRating(p, x.After), Change: "—",
		Games: p.Int(r.Games), Score: p.Decimal(float64(r.Halves)/2, 1), Expected: p.Decimal(float64(r.Expected)/100, 2), Performance: "—",
	}
	if r.Games > 0 {
		line.Performance = words.Itoa(r.Performance)
	}
	if x.Before != 0 && x.After != 0 {
		delta := x.After.Whole() - x.Before.Whole()
		line.Change, line.Up, line.Down = p.Signed(delta), delta > 0, delta < 0
	}
	if r.Norm > 0 {
		line.Norm = p.T("rating.norm." + words.Itoa(r.Norm))
	}
	return line
}
