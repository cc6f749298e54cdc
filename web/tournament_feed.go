package web

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/live"
	"chpok.org/chpok/templates"
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
	ctx, cancel := context.WithCancel(c.Request().Context())
	defer cancel()
	part := c.QueryParam("part")
	topics := []string{live.TournamentTopic(string(t.ID))}
	if n, ok := roundOfPart(part); ok && n <= len(t.Rounds) {
		for _, p := range t.Rounds[n-1].Pairings {
			if p.Match != "" && p.Result.IsPending() {
				topics = append(topics, live.MatchTopic(p.Match))
			}
		}
	}
	sub := s.live.Subscribe(ctx, topics...)
	defer sub.Close()
	sent := map[int]string{}
	first := true
	return s.stream(c, sub.Ready(), func(ctx context.Context, last string) ([]frame, error) {
		if !first {
			select {
			case <-time.After(feedPause):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		sub.Take()
		t, err := s.readTournament(ctx, t.ID)
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
		var changed strings.Builder
		for i, piece := range pieces {
			html, err := s.fragments(c, piece)
			if err != nil {
				return nil, err
			}
			if sent[i] != html {
				sent[i] = html
				changed.WriteString(html)
			}
		}
		first = false
		if changed.Len() == 0 {
			return nil, nil
		}
		return []frame{{ID: version, Event: "swap", Data: changed.String()}}, nil
	})
}

// roundOfPart is the round that a page "round-3" shows.
func roundOfPart(part string) (int, bool) {
	text, ok := strings.CutPrefix(part, "round-")
	n, err := strconv.Atoi(text)
	return n, ok && err == nil && n > 0
}

// tournamentPieces are the fragments of one of a tournament's pages.
func (s *Server) tournamentPieces(c echo.Context, t *tournament.Tournament, part string) ([]templ.Component, error) {
	if n, ok := roundOfPart(part); ok && n <= len(t.Rounds) {
		view, err := s.roundView(c, t, n)
		return []templ.Component{templates.TournamentHeadFragment(view.Head), templates.RoundFragment(view.Body)}, err
	}
	switch part {
	case "standings":
		view, err := s.standingsView(c, t)
		return []templ.Component{templates.TournamentHeadFragment(view.Head), templates.StandingsFragment(view.Body)}, err
	case "crosstable":
		view, err := s.crosstableView(c, t)
		return []templ.Component{templates.TournamentHeadFragment(view.Head), templates.CrosstableFragment(view.Body)}, err
	}
	if entry, ok := strings.CutPrefix(part, "entry-"); ok {
		view, err := s.cardView(c, t, entry)
		return []templ.Component{templates.TournamentHeadFragment(view.Head), templates.CardFragment(view)}, err
	}
	view, err := s.overview(c, t)
	pieces := []templ.Component{templates.TournamentHeadFragment(view.Head), templates.TournamentEntriesFragment(view)}
	if len(view.Schedule) > 0 {
		pieces = append(pieces, templates.ScheduleFragment(view.Schedule))
	}
	return pieces, err
}
