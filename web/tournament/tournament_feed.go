package tournament

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/live"
	boardview "chpok.org/chpok/templates/board"
	eventview "chpok.org/chpok/templates/event"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// feedPause is the least time between two updates of a feed, as many boards change at once.
const feedPause = 700 * time.Millisecond

// tournamentFeed updates a tournament's page: the head, and the part that the page names. Pages with boards also
// follow the matches.
func (s pages) tournamentFeed(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	part := partOf(t, c.QueryParam("part"))
	if v := page.Viewer(c); !t.Format.InRounds() && part == "live" && v.IsSignedIn() {
		// Players wait in an arena while their page is open: until the request's context ends, as the stream outlives this call.
		context.AfterFunc(c.Request().Context(), s.Arbiter.Rounds.Look(t.ID, v.ID))
	}
	who := words.AudienceOf(t, page.Viewer(c), part)
	if who != words.NobodyElse {
		n := s.Nobody(c)
		key := strings.Join([]string{"tournament", string(t.ID), part, string(who)}, " ")
		return s.Share(c, key, s.Printer(c), s.tournamentPage(n, t, part))
	}
	return s.Follow(c, s.tournamentPage(c, t, part))
}

// tournamentPage returns the live part of a tournament's page for the viewer of c.
func (s pages) tournamentPage(c echo.Context, t *tournament.Tournament, part string) page.LivePage {
	sheet := page.LivePage{Topics: feedTopics(t, part), Pause: feedPause}
	if _, _, isRound := words.RoundOfPart(part); words.IsTimed(part) || part == "live" && page.Viewer(c).IsSignedIn() {
		sheet.Every = words.DeskPace
	} else if (isRound || part == "live") && !t.Policy.OrOpen().Feed.IsZero() {
		sheet.Every = form.LookAgain
	}
	sheet.Look = func(ctx context.Context, _ []live.Nudge) (g page.Snapshot, err error) {
		c := page.During(ctx, c)
		t, err := s.SeenTournament(c) // it can be hidden meanwhile
		if err != nil {
			return page.Snapshot{}, err
		}
		var groups []*tournament.Tournament
		if part == "live" || part == "desk" {
			if groups, err = s.groups(c, t); err != nil {
				return page.Snapshot{}, err
			}
		}
		// New rounds have matches to follow.
		g.Topics = feedTopics(t, part, groups...)
		// Those also change with their matches and groups.
		if _, _, isRound := words.RoundOfPart(part); !isRound && part != "live" && !(part == "desk" && t.Origin.IsAwaited()) {
			g.ETag = strconv.FormatInt(t.Version, 10)
		}
		if page.Viewer(c).IsSignedIn() {
			g.FormVersion = t.Version
		}
		g.Fragments, err = s.tournamentFragments(c, t, part)
		return g, err
	}
	return sheet
}

// feedTopics returns the topics that update a part of the pages of a tournament, and of its groups.
func feedTopics(t *tournament.Tournament, part string, groups ...*tournament.Tournament) []string {
	topics := []string{live.TournamentTopic(string(t.ID)), judges.CallsTopic(t.ID)}
	n, of, isRound := words.RoundOfPart(part)
	if !isRound && part != "boards" && part != "desk" && part != "live" {
		return topics
	}
	if hasGroups(t) {
		for _, group := range t.Origin.Of {
			topics = append(topics, live.TournamentTopic(string(group.ID)))
		}
	}
	for _, x := range append(groups, t) {
		for round, p := range x.Rounds.Pending() {
			if p.Match != "" && (!isRound || round == n && (of == 0 || of == p.TeamMatch)) {
				topics = append(topics, live.MatchTopic(p.Match))
			}
		}
	}
	return topics
}

// parts are the parts of a tournament's pages, besides the numbered ones.
var parts = []string{
	"desk", "dry-run", "boards", "calls", "players", "staff", "files", "info", "fair-play", "steward", "wallchart", "standings", "crosstable",
	"bracket", "prizes",
}

// partOf returns the part that an address asks for, in canonical form, as viewers of the same part share a stream.
func partOf(t *tournament.Tournament, asked string) string {
	kind, number, _ := strings.Cut(asked, "-")
	n, err := strconv.Atoi(number)
	round, of, isRound := words.RoundOfPart(asked)
	switch {
	case slices.Contains(parts, asked):
		return asked
	case isRound && of > 0 && round <= len(t.Rounds) && of <= len(t.Rounds[round-1].Teams):
		return words.RoundPart(round, of)
	case err == nil && n > 0 && (kind == "round" || kind == "names") && n <= len(t.Rounds), err == nil && kind == "entry":
		return kind + "-" + words.Itoa(n)
	}
	return "live"
}

// tournamentFragments returns the fragments of a part.
func (s pages) tournamentFragments(c echo.Context, t *tournament.Tournament, part string) ([]page.Fragment, error) {
	if n, of, ok := words.RoundOfPart(part); ok && n <= len(t.Rounds) && of <= len(t.Rounds[n-1].Teams) {
		view, err := s.RoundView(c, t, n, of)
		return event.WithHead(view.Head, roundFragments(view.Body)...), err
	}
	if entry, ok := strings.CutPrefix(part, "entry-"); ok {
		view, err := s.cardView(c, t, entry)
		return event.WithHead(view.Head, page.Fragment{ID: "card", What: eventview.CardFragment(view)}), err
	}
	if n, ok := strings.CutPrefix(part, "names-"); ok {
		if n, err := strconv.Atoi(n); err == nil && n >= 1 && n <= len(t.Rounds) {
			return event.WithHead(s.TournamentHead(c, t, "/rounds/"+words.Itoa(n)),
				page.Fragment{ID: "names", What: tournamentview.NamesFragment(namesBody(s.Printer(c), t, t.Rounds[n-1:n]))}), nil
		}
	}
	switch part {
	case "desk", "dry-run", "boards", "calls":
		return s.Links.DeskFragments(c, t, part)
	case "players", "staff", "files", "info", "fair-play", "steward", "prizes":
		return event.WithHead(s.TournamentHead(c, t, "/"+part)), nil
	case "wallchart":
		view, err := s.wallchartView(c, t)
		return event.WithHead(view.Head, page.Fragment{ID: "crosstable", What: eventview.CrosstableFragment(view.Body)}), err
	case "standings":
		view, err := s.standingsView(c, t)
		return event.WithHead(view.Head, page.Fragment{ID: "standings", What: eventview.StandingsFragment(view.Body)}), err
	case "bracket":
		view := s.bracketView(c, t)
		return event.WithHead(view.Head, page.Fragment{ID: "bracket", What: tournamentview.BracketFragment(view.Body)}), nil
	case "crosstable":
		view, err := s.crosstableView(c, t)
		return event.WithHead(view.Head, page.Fragment{ID: "crosstable", What: eventview.CrosstableFragment(view.Body)}), err
	}
	body, err := s.liveBody(c, t)
	return event.WithHead(s.TournamentHead(c, t, ""), liveFragments(body)...), err
}

// roundFragments returns the fragments of a round's page.
func roundFragments(b eventview.RoundBody) []page.Fragment {
	return append([]page.Fragment{{ID: "round", What: eventview.RoundFragment(b)}}, watchFragments(b.Watch)...)
}

func watchFragments(boards []boardview.LiveView) []page.Fragment {
	shown := "boards"
	for _, w := range boards {
		shown += " " + w.ID
	}
	pieces := []page.Fragment{{ID: "watch", What: eventview.WatchFragment(boards), ETag: shown}}
	for _, w := range boards {
		pieces = append(pieces, page.Fragment{ID: w.ID, What: boardview.LiveCard(w), ETag: scene.LiveMark(w)})
	}
	return pieces
}
