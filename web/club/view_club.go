package club

import (
	"fmt"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	clubview "chpok.org/chpok/templates/club"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/tournament/series"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// Limits of the lists on a club's page.
const (
	clubTournaments = 40
	clubPast        = 10
	clubChampions   = 6
	clubNewest      = 3
)

// clubFacts holds what a club's page shows.
type clubFacts struct {
	roster      club.Roster
	who         map[player.ID]player.Player
	ratings     map[player.ID]store.Rating
	tournaments []store.TournamentLine
	finished    []*tournament.Tournament // the latest, for their winners
	ladders     []store.LadderLine
	series      []*series.Series
	leagues     []*league.League
	pools       []rating.Pool
	words       persons.ClubWords
	vouched     map[player.ID]player.Player
	posts       []club.Post
	news        int  // number of all posts
	others      bool // there are other clubs
	follows     bool // the viewer follows the club
}

func readClub(tx *store.Tx, id club.ID, v player.Viewer) (f clubFacts, err error) {
	if f.roster, err = tx.Roster(id); err != nil {
		return f, err
	}
	_, followed, err := tx.Followed(v.ID)
	if err != nil {
		return f, err
	}
	f.follows = slices.Contains(followed, id)
	if f.posts, f.news, err = tx.ClubPosts(id, clubNewest, 0); err != nil {
		return f, err
	}
	if f.who, f.ratings, err = clubAccounts(tx, f.roster, f.posts); err != nil {
		return f, err
	}
	if f.ladders, _, err = tx.Ladders(store.LadderQuery{Club: id, For: v.ID, Limit: page.Size}); err != nil {
		return f, err
	}
	q := store.TournamentQuery{Club: id, Drafts: v.ID, AllDrafts: f.roster.May(v, club.ActDirect), Whole: true, Limit: clubTournaments}
	if f.tournaments, _, err = tx.Tournaments(q); err != nil {
		return f, err
	}
	if f.leagues, _, err = tx.Leagues(store.LeagueQuery{Club: id, Limit: page.Size}); err != nil {
		return f, err
	}
	if f.series, err = tx.ClubSeries(id); err != nil {
		return f, err
	}
	if f.pools, err = tx.RatingPoolsOf(id); err != nil {
		return f, err
	}
	clubs, _, err := tx.Clubs()
	if err != nil {
		return f, err
	}
	f.others = len(clubs) > 1
	for _, l := range f.tournaments {
		if !l.Status.IsOver() || len(f.finished) == clubChampions {
			continue
		}
		t, err := tx.Tournament(l.ID)
		if err != nil {
			return f, err
		}
		f.finished = append(f.finished, t)
	}
	return f, nil
}

// clubAccounts reads the accounts and ratings of the players on a club's pages.
func clubAccounts(tx *store.Tx, r club.Roster, posts []club.Post) (map[player.ID]player.Player, map[player.ID]store.Rating, error) {
	var ids []player.ID
	for _, m := range r.Members {
		ids = append(ids, m.Player)
	}
	for _, q := range r.Requests {
		ids = append(ids, q.Player)
	}
	for _, b := range r.Bans {
		ids = append(ids, b.Player, b.By)
	}
	for _, p := range posts {
		ids = append(ids, p.Author)
	}
	who, err := tx.Players(ids...)
	if err != nil {
		return nil, nil, err
	}
	ratings, err := tx.Ratings(ids...)
	return who, ratings, err
}

func (s pages) club(c echo.Context) error { return s.showClub(c, nil) }

// showClub renders a club's page; refused is the refusal to join, if any.
func (s pages) showClub(c echo.Context, refused error) error {
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	var f clubFacts
	list, err := s.Arbiter.Persons.WordsOf(c.Request().Context(), v, club.ID(c.Param("id")))
	if err != nil {
		return err
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if f, err = readClub(tx, club.ID(c.Param("id")), v); err != nil {
			return err
		}
		page.SetShown(c, f.roster.Version)
		var about []player.ID
		for _, word := range list.Words {
			about = append(about, word.Player)
		}
		f.words = list
		f.vouched, err = tx.Players(about...)
		return err
	})
	if err != nil {
		return err
	}
	view, err := viewClub(p, v, f, now)
	if err != nil {
		return err
	}
	if view.Join != nil && view.Join.Code != nil {
		view.Join.Code.Value, view.Join.Code.Error = words.Shorten(c.FormValue("code"), 40), s.FormError(c, refused, club.ErrCode)
	}
	if view.Join != nil && view.Join.Note != nil {
		view.Join.Note.Value, view.Join.Note.Error = words.Shorten(c.FormValue("note"), 1000), s.FormError(c, refused, club.ErrNote)
	}
	sh := s.Shell(c, f.roster.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css"}
	sh.Card = s.LinkCard(c, p, templates.Card{Title: f.roster.Name, Text: p.T("club.card", "Members", view.Count), URL: view.URL,
		Picture: view.URL + "/picture.png"})
	return s.Render(c, page.StatusOf(refused), clubview.ClubPage(sh, view))
}

func viewClub(p lang.Printer, v player.Viewer, f clubFacts, now time.Time) (clubview.ClubView, error) {
	r := &f.roster
	url := words.ClubURL(r.ID)
	view := clubview.ClubView{
		Name: r.Name, URL: url, Text: page.Linked(r.Text), Since: p.Day(r.Created), Count: p.N("club.members-count", len(r.Members)),
		Joining: p.T("club.joining." + r.Joining.String()), Follows: f.follows, MayFollow: v.HasAccount() && !f.follows,
		HasAsked: r.HasAsked(v.ID), MoreNews: f.news > len(f.posts),
	}
	role := r.RoleOf(v.ID)
	if role != 0 {
		view.Mine = p.T("club.role." + role.String())
		view.MayLeave = r.MayLeave(v) == nil
		view.MustStay = !view.MayLeave
	}
	if ban, banned := r.BanOf(v.ID, now); banned && v.IsSignedIn() {
		view.Banned = p.T("club.banned", "Reason", ban.Reason, "Until", banEnd(p, ban))
	}
	view.SignIn = !v.IsSignedIn()
	if r.MayJoin(v, now) == nil && !view.HasAsked {
		view.Join = clubJoin(p, r.Joining)
	}
	view.Desk = clubDesk(p, v, r)
	view.MayFollow = view.MayFollow && view.Desk == nil // staff hear of it anyway
	for _, role := range club.Roles {
		group := clubview.ClubGroup{}
		if role != club.Member {
			group.Role = p.T("club.role." + role.String())
		}
		for _, m := range r.Members {
			if m.Role == role {
				group.Members = append(group.Members, clubMember(p, v, m, f.who, f.ratings))
			}
		}
		if len(group.Members) > 0 {
			view.Groups = append(view.Groups, group)
		}
	}
	for _, l := range f.ladders {
		view.Ladders = append(view.Ladders, words.LadderCard(p, l))
	}
	for _, post := range f.posts {
		view.News = append(view.News, clubPost(p, post, f.who, r.May(v, club.ActNews)))
	}
	clubCards(p, &view, f.tournaments, now)
	if view.Desk != nil {
		view.Desk.MaySeries = view.Desk.MayHold && len(f.tournaments) > 0
		view.Desk.MayChallenge = view.Desk.MayHold && f.others
	}
	for _, pool := range f.pools {
		view.Pools = append(view.Pools, templates.Link{Text: pool.Name, URL: "/ratings?pool=" + string(pool.ID)})
	}
	for _, word := range f.words.Words {
		who := f.vouched[word.Player]
		view.Vouched = append(view.Vouched, clubview.ClubWord{
			Player: templates.Link{Text: string(who.Handle), URL: words.PlayerURL(who.Handle)}, Says: p.T("attest.word." + string(word.Kind)),
			Until: p.Day(word.Expires),
		})
	}
	if f.words.Speaks {
		view.Vouch = "/attestations/issuers/" + string(f.words.Issuer)
	}
	for _, l := range f.leagues {
		view.Leagues = append(view.Leagues, templates.Link{Text: l.Settings.Name + " · " + p.T("league.state."+string(l.Now().State)),
			URL: words.LeagueURL(l.ID)})
	}
	for _, x := range f.series {
		if !x.Ended.IsZero() {
			continue
		}
		card, err := seriesCard(p, x, now, datesOnClub)
		if err != nil {
			return view, err
		}
		view.Series = append(view.Series, card)
	}
	var err error
	view.Champions, err = champions(p, f.finished)
	return view, err
}

// clubJoin returns the form to join.
func clubJoin(p lang.Printer, by club.Joining) *clubview.ClubJoin {
	switch by {
	case club.ByRequest:
		return &clubview.ClubJoin{Note: &templates.Field{Label: p.T("club.note"), Hint: p.T("club.note-hint")}}
	case club.ByCode:
		return &clubview.ClubJoin{Code: &templates.Field{Name: "code", Label: p.T("club.code"), Hint: p.T("club.code-ask"), Required: true,
			Autocomplete: "off", Max: 40}}
	}
	return &clubview.ClubJoin{}
}

// clubDesk returns what the viewer may do for the club; nil if nothing.
func clubDesk(p lang.Printer, v player.Viewer, r *club.Roster) *clubview.ClubDesk {
	d := clubview.ClubDesk{
		MayEdit: r.May(v, club.ActChange), MayHold: r.May(v, club.ActHold), MayNews: r.May(v, club.ActNews), MayPeople: r.May(v, club.ActAdmit),
		NewTournament: words.WithQuery("/tournaments/new", "club", string(r.ID)),
		NewLeague:     words.WithQuery("/leagues/new", "club", string(r.ID)),
	}
	if n := len(r.Requests); n > 0 {
		d.Waiting = p.Int(n)
	}
	if !d.MayEdit && !d.MayHold && !d.MayNews && !d.MayPeople {
		return nil
	}
	return &d
}

func clubMember(p lang.Printer, v player.Viewer, m club.Membership, who map[player.ID]player.Player,
	ratings map[player.ID]store.Rating) clubview.ClubMember {
	line := clubview.ClubMember{PlayerLine: words.PlayerLine(p, who[m.Player], ratings[m.Player]), Handle: string(who[m.Player].Handle),
		Since: p.Day(m.Joined)}
	line.IsMe = v.Is(m.Player)
	return line
}

// clubCards adds a club's tournaments by status.
func clubCards(p lang.Printer, view *clubview.ClubView, list []store.TournamentLine, now time.Time) {
	for _, t := range list {
		card := words.TournamentLine(p, t, now)
		card.Club = ""
		switch {
		case t.Status == tournament.Running, t.Event.Origin.IsAwaited():
			view.Running = append(view.Running, card)
		case t.Status < tournament.Running:
			view.Coming = append(view.Coming, card)
		case len(view.Past) < clubPast:
			view.Past = append(view.Past, card)
		}
	}
}

// champions returns the winners of tournaments.
func champions(p lang.Printer, list []*tournament.Tournament) ([]clubview.ClubChampion, error) {
	var out []clubview.ClubChampion
	for _, t := range list {
		table, err := format.Standings(t, -1)
		if err != nil {
			return nil, fmt.Errorf("champions: %w", err)
		}
		if t.IsTitleOpen() {
			continue // won by a club, or by nobody
		}
		won := clubview.ClubChampion{Event: templates.Link{Text: p.Event(t.Name), URL: words.TournamentURL(t.ID)}, When: p.Day(t.EndedAt)}
		for _, l := range table.Lines {
			if l.Rank != 1 || l.Score == 0 {
				continue
			}
			won.Winners = append(won.Winners, templates.Link{Text: words.EntryName(p, l.Entry), URL: words.EntryURL(t.ID, l.Entry.ID)})
		}
		if len(won.Winners) > 0 {
			out = append(out, won)
		}
	}
	return out, nil
}

// banEnd returns the text of when a ban ends.
func banEnd(p lang.Printer, b club.Ban) string {
	if b.Until.IsZero() {
		return p.T("club.bans.for-good")
	}
	return p.T("club.bans.until", "Time", p.When(b.Until))
}
