package rating

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) playerRoutes() []page.Route {
	return []page.Route{
		page.Get("/players", s.players, page.Anyone),
		page.Get("/players/:handle", s.player, page.Anyone),
		page.Get("/players/:handle/years/:year", s.year, page.Anyone),
	}
}

func (s pages) players(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	q := store.PlayerQuery{Limit: page.Size, Offset: (page.Number(c) - 1) * page.Size}
	var view ratingview.PlayersView
	var found []player.Player
	var ratings map[player.ID]store.Rating
	var bots map[player.ID]botFacts
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		mine, err := tx.Ratings(v.ID)
		if err != nil {
			return err
		}
		var shows []string
		if v.IsSignedIn() {
			shows = append(shows, "followed")
		}
		if _, rated := mine[v.ID]; rated {
			shows = append(shows, "near")
		}
		view.Filter = page.Filter(c, p, p.T("player.search"), append(shows, "people", "bots")...)
		q.Search = view.Filter.Search
		switch view.Filter.Show {
		case "people", "bots":
			q.People, q.Bots = view.Filter.Show == "people", view.Filter.Show == "bots"
		case "followed":
			q.FollowedBy = v.ID
		case "near":
			q.Near = mine[v.ID].Rating.Whole()
		}
		var total int
		if found, total, err = tx.FindPlayers(q); err != nil {
			return err
		}
		view.Total, view.Paging = p.N("player.count", total), page.Paging(c, total)
		if ratings, err = tx.Ratings(IdsOf(found)...); err == nil && q.Bots {
			bots, err = readBots(tx, found)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, x := range found {
		if q.Bots {
			view.Bots = append(view.Bots, botLine(p, x, ratings[x.ID], bots[x.ID]))
			continue
		}
		line := words.PlayerLine(p, x, ratings[x.ID])
		line.IsMe = v.Is(x.ID)
		view.Players = append(view.Players, line)
	}
	sh := s.Shell(c, p.T("core.nav.players"))
	sh.Section = "players"
	return s.Render(c, http.StatusOK, ratingview.PlayersPage(sh, view))
}

// IdsOf returns the IDs of players.
func IdsOf(list []player.Player) []player.ID {
	ids := make([]player.ID, len(list))
	for i, x := range list {
		ids[i] = x.ID
	}
	return ids
}

// matchesShown limits the matches on a player's page, boardsShown those of them that show their last position, and
// outcomesShown what the player raises to.
const matchesShown, boardsShown, outcomesShown = 24, 4, 4

func (s pages) player(c echo.Context) error {
	ctx, v := c.Request().Context(), page.Viewer(c)
	var f playerFacts
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if f.player, err = tx.PlayerByHandle(player.Handle(words.Shorten(c.Param("handle"), 40))); err != nil {
			return err
		}
		if err := f.readOwn(tx, v, s.Now()); err != nil {
			return err
		}
		if err := f.read(tx, v, s.Now()); err != nil || !f.about.SeesHistory() {
			return err
		}
		_, last, err := tx.YearsOf(f.player.ID)
		if !last.IsZero() {
			f.lastYear = last.In(s.Zone()).Year()
		}
		return err
	})
	if err != nil {
		return err
	}
	if f.known, f.issuers, err = s.Arbiter.Persons.KnownAs(ctx, f.player.ID); err != nil {
		return err
	}
	if f.past, err = s.PastOf(ctx, f.matches, boardsShown); err != nil {
		return err
	}
	if f.around, err = store.Get(ctx, s.Store, func(tx *store.Tx) (scene.Around, error) { return scene.ReadAround(tx, f.past) }); err != nil {
		return err
	}
	p := s.Printer(c)
	sh := s.Shell(c, string(f.player.Handle))
	sh.Section, sh.Styles = "players", []string{"board.css", "live.css", "player.css"}
	if sh.NoIndex = f.about.Profile.Privacy.Hidden; sh.NoIndex {
		c.Response().Header().Set("X-Robots-Tag", "noindex")
	}
	if !sh.NoIndex {
		at := words.PlayerURL(f.player.Handle)
		sh.Card = s.LinkCard(c, p, templates.Card{Title: string(f.player.Handle), Text: words.PlayerText(p, f.player, f.rating), URL: at,
			Picture: at + "/picture.png"})
	}
	return s.Render(c, http.StatusOK, ratingview.PlayerPage(sh, viewPlayer(p, v, f, s.Now())))
}

// playerFacts holds what a player's page shows.
type playerFacts struct {
	player      player.Player
	rating      store.Rating
	history     []store.RatingChange
	names       map[tournament.ID]string // of the tournaments in history
	matches     []store.Head
	opponents   map[player.ID]player.Player
	ruled       map[match.ID]bool // matches of which an event counts another result
	tournaments []store.TournamentLine
	clubs       []club.Club
	about       page.ProfileFacts
	numbers     playerNumbers
	known       []vouch.Attestation // those that count now
	issuers     map[vouch.IssuerID]vouch.Issuer
	maintainer  player.Player // of a bot, unless it is the house's
	rules       player.BotRules
	ban         player.Ban   // only for the player themselves
	lastYear    int          // with a match; 0: none
	past        []live.View  // the latest on the board
	around      scene.Around // of those
}

// readOwn reads a bot's maintainer and, for the player themselves, their ban.
func (f *playerFacts) readOwn(tx *store.Tx, v player.Viewer, now time.Time) (err error) {
	if f.player.Maintainer != "" {
		if f.maintainer, err = tx.Player(f.player.Maintainer); err == nil {
			f.rules, err = tx.BotRules(f.player.ID)
		}
	}
	if err == nil && v.Is(f.player.ID) {
		f.ban, err = assurance.BanOf(tx, v.ID, now)
	}
	return err
}

func (f *playerFacts) read(tx *store.Tx, v player.Viewer, now time.Time) error {
	ratings, err := tx.Ratings(f.player.ID)
	if err != nil {
		return err
	}
	f.rating = ratings[f.player.ID]
	if err := f.numbers.read(tx, v, f.player.ID, now); err != nil {
		return err
	}
	if err := f.about.Read(tx, v, f.player.ID); err != nil {
		return err
	}
	if f.about.SeesHistory() {
		if f.history, err = tx.RatingHistory(f.player.ID); err != nil {
			return err
		}
	}
	if f.matches, err = tx.MatchesOf(f.player.ID, matchesShown); err != nil {
		return err
	}
	if f.ruled, err = ruledOnes(tx, f.matches); err != nil {
		return err
	}
	if f.opponents, err = tx.Players(OpponentsOf(f.player.ID, f.matches)...); err != nil {
		return err
	}
	if f.tournaments, _, err = tx.Tournaments(store.TournamentQuery{Player: f.player.ID, Drafts: v.ID, Limit: 200}); err != nil {
		return err
	}
	f.names = map[tournament.ID]string{}
	for _, t := range f.tournaments {
		f.names[t.ID] = t.Name
	}
	memberships, err := tx.Memberships(f.player.ID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		found, err := tx.Club(m.Club)
		if err != nil {
			return err
		}
		f.clubs = append(f.clubs, found)
	}
	return nil
}

// ruledOnes returns the matches of which an event counts another result than their own.
func ruledOnes(tx *store.Tx, heads []store.Head) (map[match.ID]bool, error) {
	var ids []match.ID
	for _, h := range heads {
		ids = append(ids, h.ID)
	}
	places, err := tx.PairingsOf(ids)
	ruled := map[match.ID]bool{}
	for id, place := range places {
		ruled[id] = tournament.Pairing{Match: id, Result: place.Result}.IsRuled()
	}
	return ruled, err
}

// OpponentsOf returns a player's opponents in matches.
func OpponentsOf(id player.ID, heads []store.Head) []player.ID {
	var out []player.ID
	for _, h := range heads {
		out = append(out, h.Players[h.SeatOf(id).Other().Index()])
	}
	return out
}
