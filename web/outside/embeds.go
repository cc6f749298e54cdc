package outside

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	embedview "chpok.org/chpok/templates/embed"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/picture"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// How many lines of a table are embedded, if nobody asks for another number, and at most.
const (
	embedLines = 10
	mostLines  = 200
)

// embedPause is the least time between two updates of embedded standings.
const embedPause = time.Second

// embedLeast is the smallest size of a frame, in pixels.
const embedLeast = 200

// embedPlace is the element that holds a match in its embed.
const embedPlace = "embed-match"

func (s Outside) embedMatch(c echo.Context) error {
	p, id := s.Abroad(c), match.ID(c.Param("id"))
	v, err := s.featured(c.Request().Context(), p, id, embedPlace)
	if err != nil {
		return err
	}
	feed := ""
	if v.Status != "over" {
		feed = words.EmbedMatchURL(id) + "/feed"
	}
	return page.RenderAs(c, http.StatusOK, p, embedview.MatchPage(s.EmbedFrame(c, p, v.Title, feed), v))
}

func (s Outside) embedMatchFeed(c echo.Context) error {
	p, id := s.Abroad(c), match.ID(c.Param("id"))
	shown, err := s.Following(c.Request().Context(), p, id, embedPlace, true)
	if err != nil {
		return err
	}
	return s.Share(c, page.EmbedRoom+string(id), p, shown)
}

// featured returns a match as the public sees it now, for a place on a page.
func (s Outside) featured(ctx context.Context, p lang.Printer, id match.ID, place string) (boardview.LiveView, error) {
	v, f, err := s.match(ctx, p, id)
	if err != nil {
		return boardview.LiveView{}, err
	}
	return scene.ViewLive(p, place, f, v, s.Now(), s.Rooms.Watchers()[id]), nil
}

// Following keeps a featured match up to date, in embeds and on the home page; ends says whether the stream
// ends with the match.
func (s Outside) Following(ctx context.Context, p lang.Printer, id match.ID, place string, ends bool) (shown page.LivePage, err error) {
	v, _, err := s.match(ctx, p, id)
	if err != nil {
		return shown, err
	}
	shown.Topics = []string{live.MatchTopic(id)}
	if v.Delayed {
		shown.Every = form.LookAgain
	}
	shown.Look = func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
		v, err := s.featured(ctx, p, id, place)
		return page.Snapshot{
			Over:      ends && v.Status == "over",
			Fragments: []page.Fragment{{ID: v.ID, What: boardview.LiveFeatured(v), ETag: scene.LiveMark(v)}},
		}, err
	}
	return shown, nil
}

// shownPart is a part of a tournament in a frame as it is now, and what else it depends on.
type shownPart struct {
	title    string
	fragment page.Fragment
	topics   []string
	every    time.Duration
}

// part serves a part of a tournament that moves on by itself, or at its feed what changes of it.
func (s Outside) part(c echo.Context, name string, show func(context.Context, lang.Printer, *tournament.Tournament) (shownPart, error)) error {
	p, id := s.Abroad(c), tournament.ID(c.Param("id"))
	look := func(ctx context.Context) (t *tournament.Tournament, v shownPart, err error) {
		if t, err = s.tournament(ctx, id); err == nil { // it can be hidden meanwhile
			v, err = show(ctx, p, t)
		}
		return t, v, err
	}
	t, v, err := look(c.Request().Context())
	if err != nil {
		return err
	}
	if page.IsFeed(c) {
		key := strings.Join([]string{"embed-part", string(id), name, page.EmbedQuery(c, p).Encode()}, " ")
		return s.Share(c, key, p, page.LivePage{Topics: []string{live.TournamentTopic(string(id))}, Pause: embedPause, Every: v.every,
			Look: func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
				t, v, err := look(ctx)
				if err != nil {
					return page.Snapshot{}, err
				}
				return page.Snapshot{Over: t.Status >= tournament.Finished, Fragments: []page.Fragment{v.fragment}, Topics: v.topics}, nil
			}})
	}
	feed := ""
	if t.Status < tournament.Finished {
		feed = c.Request().URL.Path + "/feed"
	}
	return page.RenderAs(c, http.StatusOK, p, embedview.PartPage(s.EmbedFrame(c, p, v.title, feed), v.fragment.What))
}

// limit returns how many lines are asked for, or usual.
func limit(c echo.Context, usual int) (int, error) {
	text := c.QueryParam("limit")
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostLines {
		return 0, page.BadField("limit", "limit is 1 to %d", mostLines)
	}
	return n, nil
}

// embedStandings shows the top of the table; with tiebreaks, also their columns.
func (s Outside) embedStandings(c echo.Context) error {
	n, err := limit(c, embedLines)
	if err != nil {
		return err
	}
	return s.part(c, "standings", func(_ context.Context, p lang.Printer, t *tournament.Tournament) (shownPart, error) {
		v, err := embeddedStandings(p, t, n, c.QueryParam("tiebreaks") != "")
		return shownPart{title: v.Name, fragment: page.Fragment{ID: "embed-standings", What: embedview.StandingsFragment(v)}}, err
	})
}

func embeddedStandings(p lang.Printer, t *tournament.Tournament, lines int, withTiebreaks bool) (v embedview.StandingsView, err error) {
	v = embedview.StandingsView{Name: p.Event(t.Name), URL: words.TournamentURL(t.ID), Caption: event.Caption(p, t, p.T("tournament.tab.standings"))}
	if len(t.Rounds) == 0 {
		return v, nil
	}
	table, err := format.Standings(t, -1)
	if err != nil {
		return v, err
	}
	body := event.StandingsBody(p, player.Viewer{}, t, table, nil)
	if len(body.Teams) > 0 { // of a battle they are what counts
		v.Side, v.Score = p.T("teams.team"), embedview.Code{Name: body.Score.Name, What: body.Score.Value}
		for _, l := range body.Teams[:min(lines, len(body.Teams))] {
			v.Lines = append(v.Lines, embedview.StandingLine{Rank: l.Rank, Name: l.Team.Text, URL: l.Team.URL, Score: l.Score})
		}
		return v, nil
	}
	v.Side, v.Score = p.T("tournament.player"), embedview.Code{Name: body.Score.Name, What: body.Score.Value}
	if t.HasTeams() {
		v.Side = p.T("teams.team")
	}
	if withTiebreaks && body.Other.Name != "" {
		v.Codes = append(v.Codes, embedview.Code{Name: body.Other.Name, What: body.Other.Value})
	}
	if withTiebreaks {
		for _, code := range body.Codes {
			short := embedview.Code{Name: code.Name, What: code.Value}
			if len(table.Codes) > 0 {
				short = embedview.Code{Name: code.Value, What: code.Name}
			}
			v.Codes = append(v.Codes, short)
		}
	}
	for i, l := range table.Lines {
		if i == lines {
			v.URL, v.More = words.TournamentURL(t.ID)+"/standings", p.T("tournament.all-of", "N", p.Int(len(table.Lines)))
			break
		}
		line := embedview.StandingLine{Rank: body.Lines[i].Rank, Name: words.StandingName(p, l.Entry), URL: words.EntryURL(t.ID, l.Entry.ID),
			Score: body.Lines[i].Score}
		if withTiebreaks && body.Other.Name != "" {
			line.Values = append(line.Values, body.Lines[i].Other)
		}
		if withTiebreaks {
			line.Values = append(line.Values, body.Lines[i].Values...)
		}
		v.Lines = append(v.Lines, line)
	}
	return v, nil
}

// embedRound shows the boards of the round that was paired last.
func (s Outside) embedRound(c echo.Context) error {
	n, err := limit(c, mostLines)
	if err != nil {
		return err
	}
	return s.part(c, "round", func(ctx context.Context, p lang.Printer, t *tournament.Tournament) (shownPart, error) {
		v, err := s.embeddedRound(ctx, p, t, n)
		return shownPart{title: v.Name, fragment: page.Fragment{ID: "embed-round", What: embedview.RoundFragment(v)}}, err
	})
}

func (s Outside) embeddedRound(ctx context.Context, p lang.Printer, t *tournament.Tournament, lines int) (embedview.RoundView, error) {
	v := embedview.RoundView{Name: p.Event(t.Name), URL: words.TournamentURL(t.ID)}
	if !t.Format.InRounds() {
		return v, store.ErrNotFound
	}
	if len(t.Rounds) == 0 {
		return v, nil
	}
	r := t.Rounds[len(t.Rounds)-1]
	v.Caption = words.RoundTitle(p, t, r.Number)
	ref := func(id tournament.EntryID) templates.EntryRef {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		return templates.EntryRef{Name: words.EntryName(p, e), URL: words.EntryURL(t.ID, id)}
	}
	if t.HasTeams() {
		v.Boards, v.Sides = event.MatchLines(p, player.Viewer{}, t, r.Number, ref), [2]string{p.T("teams.first"), p.T("teams.second")}
		if all := len(v.Boards); lines < all {
			v.Boards, v.URL, v.More = v.Boards[:lines], words.RoundURL(t.ID, r.Number), p.T("tournament.all-of", "N", p.Int(all))
		}
		return v, nil
	}
	v.Sides = [2]string{p.T("tournament.first"), p.T("tournament.second")}
	shown := r.Pairings[:min(len(r.Pairings), lines)]
	if len(shown) < len(r.Pairings) {
		v.URL, v.More = words.RoundURL(t.ID, r.Number), p.T("tournament.all-of", "N", p.Int(len(r.Pairings)))
	}
	var ids []match.ID
	for _, b := range shown {
		if b.Match != "" {
			ids = append(ids, b.Match)
		}
	}
	heads, err := store.Get(ctx, s.Store, func(tx *store.Tx) (map[match.ID]store.Head, error) { return tx.Matches(ids) })
	if err != nil {
		return v, err
	}
	for _, b := range shown {
		v.Boards = append(v.Boards, form.BoardLine(p, player.Viewer{}, t, r.Number, b, ref, heads[b.Match]))
	}
	return v, nil
}

// embedBoard shows the match on a board of the round that is played, and goes over to the next with the round.
func (s Outside) embedBoard(c echo.Context) error {
	number, err := strconv.Atoi(c.Param("board"))
	if err != nil {
		return store.ErrNotFound
	}
	return s.part(c, "board "+c.Param("board"), func(ctx context.Context, p lang.Printer, t *tournament.Tournament) (shownPart, error) {
		return s.embeddedBoard(ctx, p, t, number)
	})
}

func (s Outside) embeddedBoard(ctx context.Context, p lang.Printer, t *tournament.Tournament, number int) (shownPart, error) {
	shown := shownPart{title: p.Event(t.Name)}
	if !t.Format.InRounds() || number < 1 {
		return shown, store.ErrNotFound
	}
	v, at := boardview.LiveView{}, p.T("tournament.board")+" "+words.Itoa(number)
	if n := len(t.Rounds); n > 0 {
		r := t.Rounds[n-1]
		at = words.RoundTitle(p, t, r.Number) + " · " + p.T("tournament.board") + " " + words.BoardLabel(t, r.Number, number)
		for _, b := range r.Pairings {
			if b.Board != number || b.Match == "" {
				continue
			}
			view, f, err := s.match(ctx, p, b.Match)
			if err != nil {
				return shown, err
			}
			v = scene.ViewLive(p, embedPlace, f, view, s.Now(), 0)
			shown.topics = []string{live.MatchTopic(b.Match)}
		}
	}
	if !t.Policy.Feed.IsZero() {
		shown.every = form.LookAgain
	}
	v.ID, v.Where = embedPlace, at
	shown.fragment = page.Fragment{ID: embedPlace, What: embedview.BoardFragment(v)}
	return shown, nil
}

// oEmbedAnswer is a rich response as oembed.com defines it.
type oEmbedAnswer struct {
	Version         string `json:"version"`
	Type            string `json:"type"`
	Title           string `json:"title"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	CacheAge        int    `json:"cache_age"`
	HTML            string `json:"html"`
	Width           int    `json:"width"`
	Height          int    `json:"height"`
	ThumbnailURL    string `json:"thumbnail_url"`
	ThumbnailWidth  int    `json:"thumbnail_width"`
	ThumbnailHeight int    `json:"thumbnail_height"`
}

// oEmbed tells other sites how to embed a page of this one.
func (s Outside) oEmbed(c echo.Context) error {
	if format := c.QueryParam("format"); format != "" && format != "json" {
		return c.NoContent(http.StatusNotImplemented)
	}
	asked, err := url.Parse(c.QueryParam("url"))
	if err != nil || asked.Scheme+"://"+asked.Host != s.Address(c, "") {
		return store.ErrNotFound
	}
	part := strings.Split(strings.Trim(asked.Path, "/"), "/")
	if len(part) < 2 {
		return store.ErrNotFound
	}
	p := s.Abroad(c)
	a := oEmbedAnswer{
		Version: "1.0", Type: "rich", ProviderName: s.Called(c.Request().Context(), p), ProviderURL: s.Address(c, "/"), CacheAge: 3600,
		ThumbnailWidth: picture.CardWidth, ThumbnailHeight: picture.CardHeight,
	}
	var at string
	switch part[0] {
	case "matches":
		v, err := s.featured(c.Request().Context(), p, match.ID(part[1]), embedPlace)
		if err != nil {
			return err
		}
		at, a.Title, a.Width, a.Height = words.EmbedMatchURL(match.ID(part[1])), v.Title, words.EmbedWidth, words.EmbedMatchHeight
	case "tournaments":
		t, err := s.tournament(c.Request().Context(), tournament.ID(part[1]))
		if err != nil {
			return err
		}
		at, a.Title, a.Width, a.Height = words.EmbedStandingsURL(t.ID), s.Printer(c).Event(t.Name), words.EmbedWidth, words.EmbedStandingsHeight
	default:
		return store.ErrNotFound
	}
	a.Width, a.Height = least(c.QueryParam("maxwidth"), a.Width), least(c.QueryParam("maxheight"), a.Height)
	a.HTML = words.EmbedCode(s.Address(c, at+"?lang="+string(p.Lang)), a.Title, a.Width, a.Height)
	a.ThumbnailURL = s.Address(c, "/"+part[0]+"/"+part[1]+"/picture.png?lang="+string(p.Lang))
	c.Response().Header().Set("Access-Control-Allow-Origin", "*")
	return c.JSON(http.StatusOK, a)
}

// least returns size, or a smaller one that was asked for, but not below embedLeast.
func least(asked string, size int) int {
	if n, err := strconv.Atoi(asked); err == nil {
		return min(size, max(n, embedLeast))
	}
	return size
}
