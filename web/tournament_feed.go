package web

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

// feedPause is how long a tournament's feed rests between two answers: many
// boards change at once.
const feedPause = 700 * time.Millisecond

// tournamentFeed keeps a tournament's page up to date: the head, and the part
// that the page named. A round's page also follows its matches.
func (s *Server) tournamentFeed(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	part := partOf(t, c.QueryParam("part"))
	who := audienceOf(t, viewer(c), part)
	if who != nobodyElse {
		n := s.nobody(c)
		key := strings.Join([]string{"tournament", string(t.ID), part, string(who)}, " ")
		return s.share(c, key, s.printer(c), s.tournamentPage(n, t, part))
	}
	return s.follow(c, s.tournamentPage(c, t, part))
}

// tournamentPage is one of a tournament's pages as c sees it.
func (s *Server) tournamentPage(c echo.Context, t *tournament.Tournament, part string) livePage {
	page := livePage{topics: feedTopics(t, part), pause: feedPause}
	if _, isRound := roundOfPart(part); isTimed(part) || part == "live" && viewer(c).IsSignedIn() {
		page.every = deskPace
	} else if (isRound || part == "live") && !t.Policy.OrOpen().Feed.IsZero() {
		page.every = lookAgain
	}
	page.look = func(ctx context.Context, _ []live.Nudge) (g glance, err error) {
		c := during(ctx, c)
		t, err := s.seenTournament(c) // it can be hidden meanwhile
		if err != nil {
			return glance{}, err
		}
		// A round has matches to follow once it is opened.
		g.topics = feedTopics(t, part)
		if _, isRound := roundOfPart(part); !isRound && part != "live" { // of which the version does not tell everything
			g.mark = strconv.FormatInt(t.Version, 10)
		}
		g.pieces, err = s.tournamentPieces(c, t, part)
		return g, err
	}
	return page
}

// audience is who reads the same on a tournament's page.
type audience string

const (
	nobodyElse audience = ""       // one viewer
	everybody  audience = "public" // which line is theirs, their browser marks
)

// audienceOf is with whom a viewer shares a part of a tournament's pages. Staff,
// who see more, share it with nobody.
func audienceOf(t *tournament.Tournament, v player.Viewer, part string) audience {
	isStaff := t.DutyOf(v) != 0 || slices.ContainsFunc(t.Staff, func(m tournament.Member) bool { return v.Is(m.Player) })
	_, isRound := roundOfPart(part)
	switch {
	case !t.MaySee(player.Viewer{}) || isStaff || isTimed(part):
		return nobodyElse
	case !v.IsSignedIn():
		return everybody
	case !isRound && part != "standings" && part != "crosstable" && part != "wallchart":
		return nobodyElse
	}
	return everybody
}

// isTimed tells whether a part of a tournament's pages changes with the time,
// too. These are for staff, or each player's own.
func isTimed(part string) bool {
	return part == "boards" || part == "calls" || part == "desk" || part == "dry-run"
}

// feedTopics are what the stream of a part of a tournament's pages listens to.
func feedTopics(t *tournament.Tournament, part string) []string {
	topics := []string{live.TournamentTopic(string(t.ID)), arbiter.CallsTopic(t.ID)}
	n, ok := roundOfPart(part)
	if part == "boards" || part == "desk" || part == "live" {
		n, ok = len(t.Rounds), len(t.Rounds) > 0
	}
	if ok && n <= len(t.Rounds) {
		for _, p := range t.Rounds[n-1].Pairings {
			if p.Match != "" && p.Result.IsPending() {
				topics = append(topics, live.MatchTopic(p.Match))
			}
		}
	}
	return topics
}

// parts are those of a tournament's pages that have a name of their own.
var parts = []string{
	"desk", "dry-run", "boards", "calls", "players", "staff", "files", "info", "fair-play", "steward", "wallchart", "standings", "crosstable",
}

// partOf is the part of a tournament's pages that an address names, under the one name
// that it has: each is kept up to date by itself.
func partOf(t *tournament.Tournament, asked string) string {
	kind, number, _ := strings.Cut(asked, "-")
	n, err := strconv.Atoi(number)
	switch {
	case slices.Contains(parts, asked):
		return asked
	case err == nil && n > 0 && (kind == "round" || kind == "names") && n <= len(t.Rounds), err == nil && kind == "entry":
		return kind + "-" + itoa(n)
	}
	return "live"
}

// roundOfPart is the round that a page "round-3" shows.
func roundOfPart(part string) (int, bool) {
	text, ok := strings.CutPrefix(part, "round-")
	n, err := strconv.Atoi(text)
	return n, ok && err == nil && n > 0
}

// tournamentPieces are the fragments of one of a tournament's pages.
func (s *Server) tournamentPieces(c echo.Context, t *tournament.Tournament, part string) ([]piece, error) {
	if n, ok := roundOfPart(part); ok && n <= len(t.Rounds) {
		view, err := s.roundView(c, t, n)
		return withHead(view.Head, roundPieces(view.Body)...), err
	}
	if entry, ok := strings.CutPrefix(part, "entry-"); ok {
		view, err := s.cardView(c, t, entry)
		return withHead(view.Head, piece{id: "card", what: tournamentview.CardFragment(view)}), err
	}
	if n, ok := strings.CutPrefix(part, "names-"); ok {
		if n, err := strconv.Atoi(n); err == nil && n >= 1 && n <= len(t.Rounds) {
			return withHead(s.tournamentHead(c, t, "/rounds/"+itoa(n)), piece{id: "names", what: tournamentview.NamesFragment(namesBody(s.printer(c), t, n))}), nil
		}
	}
	switch part {
	case "desk", "dry-run", "boards", "calls":
		return s.links.deskPieces(c, t, part)
	case "players", "staff", "files", "info", "fair-play", "steward":
		return withHead(s.tournamentHead(c, t, "/"+part)), nil
	case "wallchart":
		view, err := s.wallchartView(c, t)
		return withHead(view.Head, piece{id: "crosstable", what: tournamentview.CrosstableFragment(view.Body)}), err
	case "standings":
		view, err := s.standingsView(c, t)
		return withHead(view.Head, piece{id: "standings", what: tournamentview.StandingsFragment(view.Body)}), err
	case "crosstable":
		view, err := s.crosstableView(c, t)
		return withHead(view.Head, piece{id: "crosstable", what: tournamentview.CrosstableFragment(view.Body)}), err
	}
	body, err := s.liveBody(c, t)
	return withHead(s.tournamentHead(c, t, ""), livePieces(body)...), err
}

// withHead puts the head of a tournament's page before its other pieces.
func withHead(head templates.TournamentHead, rest ...piece) []piece {
	return append([]piece{{id: "head", what: templates.TournamentHeadFragment(head)}}, rest...)
}

// tournamentFeedURL is the stream of a part of a tournament's pages from a place on.
func tournamentFeedURL(t *tournament.Tournament, part, at string) string {
	return tournamentURL(t.ID) + "/feed?" + url.Values{"part": {part}, "last": {at}}.Encode()
}

// roundPieces sends a small board by itself as long as the same ones are shown.
func roundPieces(b tournamentview.RoundBody) []piece {
	return append([]piece{{id: "round", what: tournamentview.RoundFragment(b)}}, watchPieces(b.Watch)...)
}

func watchPieces(boards []tournamentview.WatchBoard) []piece {
	shown := "boards"
	for _, w := range boards {
		shown += " " + w.ID
	}
	pieces := []piece{{id: "watch", what: tournamentview.WatchFragment(boards), mark: shown}}
	for _, w := range boards {
		pieces = append(pieces, piece{id: w.ID, what: tournamentview.WatchBoardFragment(w)})
	}
	return pieces
}
