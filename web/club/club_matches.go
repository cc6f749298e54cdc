package club

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	clubview "chpok.org/chpok/templates/club"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/clubmatch"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) clubMatchRoutes() []page.Route {
	return []page.Route{
		page.Get("/clubs/:id/matches/new", s.newClubMatchForm, page.SignedIn),
		page.Post("/clubs/:id/matches", s.createClubMatch, page.SignedIn),
		page.Get("/tournaments/:id/match", s.clubMatch, page.Anyone),
		page.Post("/tournaments/:id/line-ups", s.nameLineUp, page.SignedIn),
	}
}

func (s pages) newClubMatchForm(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActHold)
	if err != nil {
		return err
	}
	s.InZone(c, "")
	usual := tournament.DefaultSettings(tournament.ClubMatch)
	usual.Boards, usual.Numbering, usual.Lateness, usual.LineUpsBy = 4, tournament.Given, 10*time.Minute, s.Now().AddDate(0, 0, 7)
	v := form.ClubMatch.Values(s.Printer(c), usual, usual)
	v.Set("envelope", "evening")
	return s.showClubMatchForm(c, r.Club, nil, v, nil)
}

func (s pages) createClubMatch(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActHold)
	if err != nil {
		return err
	}
	s.InZone(c, "")
	v, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	if strings.TrimSpace(v.Get("name")) == "" {
		them, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (club.Roster, error) {
			return tx.Roster(club.ID(v.Get("opponentId")))
		})
		if err == nil {
			v.Set("name", words.Shorten(r.Name+" — "+them.Name, 80))
		}
	}
	settings := tournament.DefaultSettings(tournament.ClubMatch)
	settings.ClubID = r.ID
	settings, problems := s.readClubMatchForm(c, settings, v)
	if len(problems) > 0 {
		return s.showClubMatchForm(c, r.Club, nil, v, problems)
	}
	id, err := s.Arbiter.Events.Create(c.Request().Context(), page.Viewer(c), settings, true)
	if problems := words.ProblemsOf(err); problems != nil {
		return s.showClubMatchForm(c, r.Club, nil, v, problems)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/match", "flash.club-match-arranged")
}

// editClubMatchForm shows the form of a match that is arranged already.
func (s pages) editClubMatchForm(c echo.Context, t *tournament.Tournament) error {
	v := form.ClubMatch.Values(s.Printer(c), t.Settings, t.Settings)
	return s.showClubMatchForm(c, club.Club{ID: t.ClubID, Name: t.Club}, t, v, nil)
}

func (s pages) editClubMatch(c echo.Context, t *tournament.Tournament, v url.Values) error {
	of := club.Club{ID: t.ClubID, Name: t.Club}
	settings, problems := s.readClubMatchForm(c, t.Settings, v)
	if len(problems) == 0 {
		err := s.Arbiter.Events.Change(c.Request().Context(), page.Viewer(c), t.ID, settings)
		if problems = words.ProblemsOf(err); err != nil && problems == nil {
			return err
		}
	}
	if len(problems) > 0 {
		return s.showClubMatchForm(c, of, t, v, problems)
	}
	return s.Redirect(c, words.TournamentURL(t.ID)+"/match", "flash.saved")
}

// readClubMatchForm reads the form into settings and returns what is wrong with them.
func (s pages) readClubMatchForm(c echo.Context, x tournament.Settings, v url.Values) (tournament.Settings, []tournament.Problem) {
	r := form.FormReader{Printer: s.Printer(c), Values: v, Stood: x.Moments()}
	form.ClubMatch.Read(&r, &x, &x)
	if len(r.Problems) == 0 {
		r.Problems = words.ProblemsOf(events.CheckSettings(x))
	}
	return x, r.Problems
}

func (s pages) showClubMatchForm(c echo.Context, of club.Club, t *tournament.Tournament, v url.Values,
	problems []tournament.Problem) error {
	p := s.Printer(c)
	in := form.ClubMatch.Inputs(p, v, func(name string) string { return form.ProblemOf(p, problems, name) })
	view := clubview.ClubMatchForm{
		Club: templates.Link{Text: of.Name, URL: words.ClubURL(of.ID)}, Action: words.ClubURL(of.ID) + "/matches", Title: p.T("clubmatch.new"),
		Name: in["name"], Boards: in["boards"], LineUpsBy: in["lineUpsBy"], Lateness: in["lateness"],
		About: v.Get("about"), Rated: v.Get("rated") != "",
		Orders: in["numbering"].Choices, Envelopes: in["envelope"].Choices,
		Rounds: []templates.Choice{
			{Value: "", Text: p.T("clubmatch.rounds.one"), Chosen: v.Get("double") == ""},
			{Value: "on", Text: p.T("clubmatch.rounds.two"), Chosen: v.Get("double") != ""},
		},
	}
	view.Do = p.T("clubmatch.arrange")
	if t == nil {
		view.Name.Required, view.Name.Hint = false, p.T("clubmatch.name-hint")
	} else {
		view.Action, view.Title, view.Do = words.TournamentURL(t.ID), p.Event(t.Name), p.T("core.save")
		view.Envelopes = append([]templates.Choice{{Value: form.Stays, Text: p.T("clubmatch.envelope-stays"),
			Chosen: v.Get("envelope") == form.Stays}}, view.Envelopes...)
	}
	for _, problem := range form.ByInput(p, problems) {
		view.Problems = append(view.Problems, form.ProblemText(p, problem))
	}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, _, err := tx.Clubs()
		slices.SortStableFunc(clubs, func(a, b club.Club) int { return p.Compare(a.Name, b.Name) })
		for _, x := range clubs {
			if x.ID != of.ID {
				view.Opponents = append(view.Opponents, templates.Choice{Value: string(x.ID), Text: x.Name,
					Chosen: v.Get("opponentId") == string(x.ID)})
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	sh := s.Shell(c, view.Title+" · "+of.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css", "tournament.css"}
	return s.Render(c, status, clubview.ClubMatchFormPage(sh, view))
}

func (s pages) clubMatch(c echo.Context) error { return s.showClubMatch(c, nil) }

// showClubMatch renders a match; refused is the refusal of a line-up, if any.
func (s pages) showClubMatch(c echo.Context, refused error) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if !t.Format.HasLineUps() {
		return store.ErrNotFound
	}
	p := s.Printer(c)
	view := clubview.ClubMatchView{Head: s.TournamentHead(c, t, "/match"), Rule: p.T("clubmatch.rule")}
	score := clubmatch.Of(t)
	if view.Score, err = s.ClubScore(c, t, score); err != nil {
		return err
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		named, err := tx.LineUps(t.ID)
		if err != nil {
			return err
		}
		for i, id := range []club.ID{t.ClubID, t.OpponentID} {
			r, err := tx.Roster(id)
			if err != nil {
				return err
			}
			_, view.Named[i] = named[id]
			view.Berlin[i] = words.ScoreText(p, tournament.Score(score.Berlin[i]))
			var picked []string
			if refused != nil && string(id) == c.FormValue("club") {
				picked = pickedOf(c)
			}
			form, err := lineUpForm(tx, p, page.Viewer(c), t, r, named[id], picked)
			if err != nil {
				return err
			}
			if form != nil {
				view.LineUps = append(view.LineUps, *form)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if due, waits := t.LineUpsDueAt(); waits {
		view.Due, view.DueAt = p.When(due), p.Stamp(due)
	} else {
		view.LineUps = nil
	}
	for i := range view.LineUps {
		if f := &view.LineUps[i]; refused != nil && f.ID == c.FormValue("club") {
			f.Seen = c.FormValue(entries.LineUpSeen)
			f.Error = s.lineUpError(c, refused)
		}
	}
	view.Boards = clubMatchBoards(p, t, score)
	status := http.StatusOK
	if refused != nil {
		status = http.StatusUnprocessableEntity
	}
	sh := s.TournamentShell(c, t, p.T("clubmatch.match"), "info")
	sh.Feed = "" // the page of the round follows the games
	sh.Styles = append(sh.Styles, "club.css")
	return s.Render(c, status, clubview.ClubMatchPage(sh, view))
}

// mayNameLineUp admits the captains of a club: line-ups are secret from operators.
func mayNameLineUp(v player.Viewer, r club.Roster) bool {
	return r.May(v, club.ActLineUp) && r.RoleOf(v.ID) != 0
}

// lineUpForm returns the form of a club's line-up; nil if the viewer may not name it. picked are handles that were sent
// and refused; nil for the line-up as named.
func lineUpForm(tx *store.Tx, p lang.Printer, v player.Viewer, t *tournament.Tournament, r club.Roster, named store.LineUp,
	picked []string) (*clubview.LineUpForm, error) {
	if !mayNameLineUp(v, r) {
		return nil, nil
	}
	who, _, err := clubAccounts(tx, r, nil)
	if err != nil {
		return nil, err
	}
	var left []string
	if gone, err := tx.Players(slices.DeleteFunc(slices.Clone(named.Players), func(id player.ID) bool { return r.RoleOf(id) != 0 })...); err != nil {
		return nil, err
	} else if picked == nil {
		for _, id := range named.Players {
			picked = append(picked, string(who[id].Handle))
			if r.RoleOf(id) == 0 {
				left = append(left, words.PlayerName(p, gone[id]))
			}
		}
	}
	var members []templates.Choice
	for _, m := range r.Members {
		members = append(members, templates.Choice{Value: string(who[m.Player].Handle), Text: words.PlayerName(p, who[m.Player])})
	}
	slices.SortFunc(members, func(a, b templates.Choice) int { return p.Compare(a.Text, b.Text) })
	f := &clubview.LineUpForm{Club: r.Name, ID: string(r.ID), SeenField: entries.LineUpSeen,
		Seen: strconv.FormatInt(max(1, named.At.UnixMilli()), 10), Hint: p.T("clubmatch.players-hint", "Boards", t.Boards)}
	if len(left) > 0 {
		f.Error = p.T("clubmatch.left", "Players", strings.Join(left, ", "))
	}
	for i := range t.Boards {
		b := clubview.LineUpBoard{Label: p.T("clubmatch.board-n", "Board", i+1), Members: []templates.Choice{{Text: "—"}}}
		for _, m := range members {
			m.Chosen = i < len(picked) && m.Value == picked[i]
			b.Members = append(b.Members, m)
		}
		f.Boards = append(f.Boards, b)
	}
	return f, nil
}

// pickedOf returns the handles of a line-up in the form, from the first board down.
func pickedOf(c echo.Context) []string {
	form, err := c.FormParams()
	if err != nil {
		return nil
	}
	list := strings.Fields(words.Shorten(strings.Join(form["players"], "\n"), 2000))
	for i, text := range list {
		list[i] = words.Shorten(text, 40)
	}
	return list
}

func (s pages) lineUpError(c echo.Context, err error) string {
	var unfit *entries.UnfitError
	if errors.As(err, &unfit) {
		p := s.Printer(c)
		why := page.TextOf(p, unfit.Err)
		var unmet *fairplay.UnmetError
		if errors.As(unfit.Err, &unmet) { // in the third person, without the end of an exclusion
			why = form.DemandTexts(p, unmet)
		}
		return p.T("clubmatch.error.unfit", "Player", unfit.Handle, "Why", why)
	}
	return s.FormError(c, err, entries.ErrLineUpSize, entries.ErrLineUpTwice, entries.ErrStrangers)
}

func clubMatchBoards(p lang.Printer, t *tournament.Tournament, score clubmatch.Score) []clubview.ClubMatchBoard {
	var list []clubview.ClubMatchBoard
	for _, b := range score.Boards {
		line := clubview.ClubMatchBoard{Number: words.Itoa(b.Number)}
		for i, e := range b.Entries {
			line.Points[i] = words.ScoreText(p, b.Points[i])
			if !e.IsEmptyBoard() {
				line.Players[i], line.Ratings[i] = templates.Link{Text: words.EntryName(p, e), URL: words.EntryURL(t.ID, e.ID)}, words.Itoa(e.Rating)
			}
		}
		for _, g := range b.Games {
			game := templates.Link{Text: "…"}
			if kind := g.Pairing.Result.Kind; kind != tournament.Pending {
				if !g.Home {
					kind = kind.Swapped()
				}
				game.Text = kind.String()
			}
			if g.Pairing.Match != "" {
				game.URL = words.MatchURL(g.Pairing.Match)
			}
			line.Games = append(line.Games, game)
		}
		list = append(list, line)
	}
	return list
}

func (s pages) nameLineUp(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	v := page.Viewer(c)
	v.Shown, _ = strconv.ParseInt(c.FormValue(entries.LineUpSeen), 10, 64) // no number: of nothing that it knows
	err = s.Arbiter.Entries.NameLineUp(c.Request().Context(), v, t.ID, club.ID(c.FormValue("club")), pickedOf(c))
	var unfit *entries.UnfitError
	if errors.As(err, &unfit) || errors.Is(err, entries.ErrStrangers) || errors.Is(err, entries.ErrLineUpSize) ||
		errors.Is(err, entries.ErrLineUpTwice) {
		return s.showClubMatch(c, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(t.ID)+"/match", "flash.line-up-named")
}
