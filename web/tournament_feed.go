package web

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/live"
	"chpok.org/chpok/templates"
	matchview "chpok.org/chpok/templates/match"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

// feedPause is how long a tournament's feed rests between two answers: many
// boards change at once.
const feedPause = 700 * time.Millisecond

// rest is that pause.
func rest(ctx context.Context) error {
	select {
	case <-time.After(feedPause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tournamentFeed keeps a tournament's page up to date: the head, and the part
// that the page named. A round's page also follows its matches.
func (s *Server) tournamentFeed(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(c.Request().Context())
	defer cancel()
	part := c.QueryParam("part")
	sub := s.live.Subscribe(ctx, feedTopics(t, part)...)
	defer sub.Close()
	wake := sub.Ready()
	if part == "boards" || part == "calls" || part == "desk" || part == "ready" {
		wake = paced(ctx, wake, deskPace)
	}
	sent := map[string]string{}
	first := true
	return s.stream(c, wake, func(ctx context.Context, last string) ([]frame, error) {
		if !first {
			if err := rest(ctx); err != nil {
				return nil, err
			}
		}
		sub.Take()
		t, err := s.seenTournament(c) // it can be hidden meanwhile
		if err != nil {
			return nil, err
		}
		version := strconv.FormatInt(t.Version, 10)
		if first && version == last {
			first = false
			return nil, nil
		}
		pieces, err := s.tournamentPieces(c, t, part)
		if err != nil {
			return nil, err
		}
		changed, err := s.changedPieces(c, pieces, sent)
		if err != nil {
			return nil, err
		}
		if first = false; changed == "" {
			return nil, nil
		}
		return []frame{{ID: version, Event: "swap", Data: changed}}, nil
	})
}

// feedTopics are what the stream of a part of a tournament's pages listens to.
func feedTopics(t *tournament.Tournament, part string) []string {
	topics := []string{live.TournamentTopic(string(t.ID)), arbiter.CallsTopic(t.ID)}
	n, ok := roundOfPart(part)
	if part == "boards" || part == "desk" || part == "ready" {
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

// changedPieces are the pieces that read otherwise than they were sent, in one
// text; sent is brought up to date.
func (s *Server) changedPieces(c echo.Context, pieces []piece, sent map[string]string) (string, error) {
	var changed strings.Builder
	for _, piece := range pieces {
		html, err := s.fragments(c, piece.what)
		if err != nil {
			return "", err
		}
		mark := piece.mark
		if mark == "" {
			mark = html
		}
		if sent[piece.id] != mark {
			sent[piece.id] = mark
			changed.WriteString(html)
		}
	}
	return changed.String(), nil
}

// roundOfPart is the round that a page "round-3" shows.
func roundOfPart(part string) (int, bool) {
	text, ok := strings.CutPrefix(part, "round-")
	n, err := strconv.Atoi(text)
	return n, ok && err == nil && n > 0
}

// piece is a fragment of a page. It is sent when its mark has changed, or
// without one when it reads otherwise than before.
type piece struct {
	id   string
	what templ.Component
	mark string
}

// tournamentPieces are the fragments of one of a tournament's pages.
func (s *Server) tournamentPieces(c echo.Context, t *tournament.Tournament, part string) ([]piece, error) {
	with := func(head templates.TournamentHead, rest ...piece) []piece {
		return append([]piece{{id: "head", what: templates.TournamentHeadFragment(head)}}, rest...)
	}
	if n, ok := roundOfPart(part); ok && n <= len(t.Rounds) {
		view, err := s.roundView(c, t, n)
		return with(view.Head, roundPieces(view.Body)...), err
	}
	if entry, ok := strings.CutPrefix(part, "entry-"); ok {
		view, err := s.cardView(c, t, entry)
		return with(view.Head, piece{id: "card", what: tournamentview.CardFragment(view)}), err
	}
	if n, ok := strings.CutPrefix(part, "names-"); ok {
		if n, err := strconv.Atoi(n); err == nil && n >= 1 && n <= len(t.Rounds) {
			return with(s.tournamentHead(c, t, "/rounds/"+itoa(n)), piece{id: "names", what: tournamentview.NamesFragment(namesBody(s.printer(c), t, n))}), nil
		}
	}
	switch part {
	case "desk":
		if !t.May(viewer(c), tournament.ActDesk) {
			return nil, errForbidden
		}
		body, err := s.controlBody(c, t)
		pieces := with(s.tournamentHead(c, t, "/desk"), piece{id: "control", what: tournamentview.ControlFragment(body)})
		if list := checkInList(s.printer(c), t); list != nil && t.May(viewer(c), tournament.ActCheckIn) {
			pieces = append(pieces, piece{id: "check-ins", what: tournamentview.CheckInsFragment(*list)})
		}
		return pieces, err
	case "ready":
		body, err := s.readyBody(c, t)
		return with(s.tournamentHead(c, t, "/ready"), piece{id: "ready", what: tournamentview.ReadyFragment(body)}), err
	case "dry-run":
		if !t.May(viewer(c), tournament.ActDesk) {
			return nil, errForbidden
		}
		body, err := s.dryRunBody(c, t)
		return with(s.tournamentHead(c, t, "/dry-run"), piece{id: "dry-run", what: tournamentview.DryRunFragment(body)}), err
	case "boards":
		if !t.May(viewer(c), tournament.ActDesk) {
			return nil, errForbidden
		}
		view, err := s.boardsView(c, t)
		return with(view.Head, piece{id: "boards", what: matchview.BoardsFragment(view.Body), mark: boardsMark(view.Body)}), err
	case "calls":
		if !t.May(viewer(c), tournament.ActCalls) {
			return nil, errForbidden
		}
		view, err := s.callsView(c, t)
		return with(view.Head, piece{id: "calls", what: matchview.CallsFragment(view.Body)}), err
	case "players", "staff":
		return with(s.tournamentHead(c, t, "/"+part)), nil
	case "files":
		return with(s.tournamentHead(c, t, "/files")), nil
	case "wallchart":
		view, err := s.wallchartView(c, t)
		return with(view.Head, piece{id: "crosstable", what: tournamentview.CrosstableFragment(view.Body)}), err
	case "standings":
		view, err := s.standingsView(c, t)
		return with(view.Head, piece{id: "standings", what: tournamentview.StandingsFragment(view.Body)}), err
	case "crosstable":
		view, err := s.crosstableView(c, t)
		return with(view.Head, piece{id: "crosstable", what: tournamentview.CrosstableFragment(view.Body)}), err
	}
	view, err := s.overview(c, t)
	pieces := with(view.Head, piece{id: "own", what: tournamentview.OwnEntryFragment(view.Own)}, piece{id: "entries", what: tournamentview.TournamentEntriesFragment(view)}, piece{id: "waits", what: tournamentview.WaitsFragment(view.Waits)}, piece{id: "forecast", what: tournamentview.ForecastFragment(view.Forecast)})
	if len(view.Schedule) > 0 {
		pieces = append(pieces, piece{id: "schedule", what: tournamentview.ScheduleFragment(view.Schedule)})
	}
	return pieces, err
}

// roundPieces sends a small board by itself as long as the same ones are shown.
func roundPieces(b tournamentview.RoundBody) []piece {
	shown := "boards"
	for _, w := range b.Watch {
		shown += " " + w.ID
	}
	pieces := []piece{{id: "round", what: tournamentview.RoundFragment(b)}, {id: "watch", what: tournamentview.WatchFragment(b.Watch), mark: shown}}
	for _, w := range b.Watch {
		pieces = append(pieces, piece{id: w.ID, what: tournamentview.WatchBoardFragment(w)})
	}
	return pieces
}
