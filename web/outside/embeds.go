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
	"chpok.org/chpok/store"
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

// embedLines is how many lines of the standings are embedded.
const embedLines = 10

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

func (s Outside) embedStandings(c echo.Context) error {
	p := s.Abroad(c)
	t, err := s.tournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return err
	}
	v, err := embeddedStandings(p, t)
	if err != nil {
		return err
	}
	feed := ""
	if t.Status < tournament.Finished {
		feed = words.EmbedStandingsURL(t.ID) + "/feed"
	}
	return page.RenderAs(c, http.StatusOK, p, embedview.StandingsPage(s.EmbedFrame(c, p, p.Event(t.Name), feed), v))
}

func embeddedStandings(p lang.Printer, t *tournament.Tournament) (v embedview.StandingsView, err error) {
	v = embedview.StandingsView{Name: p.Event(t.Name), URL: words.TournamentURL(t.ID), Caption: event.Caption(p, t, p.T("tournament.tab.standings"))}
	if len(t.Rounds) == 0 {
		return v, nil
	}
	table, err := format.Standings(t, -1)
	if err != nil {
		return v, err
	}
	for i, l := range table.Lines {
		if i == embedLines {
			v.URL, v.More = words.TournamentURL(t.ID)+"/standings", p.T("tournament.all-of", "N", p.Int(len(table.Lines)))
			break
		}
		e := words.EntryRefOf(t, l.Entry)
		v.Lines = append(v.Lines, embedview.StandingLine{Rank: words.Itoa(l.Rank), Name: e.Name, URL: e.URL,
			Score: words.TotalText(p, t, l.Score)})
	}
	return v, nil
}

func (s Outside) embedStandingsFeed(c echo.Context) error {
	p := s.Abroad(c)
	t, err := s.tournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return err
	}
	shown := page.LivePage{Topics: []string{live.TournamentTopic(string(t.ID))}, Pause: embedPause}
	shown.Look = func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
		t, err := s.tournament(ctx, t.ID) // it can be hidden meanwhile
		if err != nil {
			return page.Snapshot{}, err
		}
		v, err := embeddedStandings(p, t)
		return page.Snapshot{Over: t.Status >= tournament.Finished, Fragments: []page.Fragment{{ID: "embed-standings",
			What: embedview.StandingsFragment(v)}}}, err
	}
	return s.Share(c, "embed-standings "+string(t.ID), p, shown)
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
