package event

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	eventview "chpok.org/chpok/templates/event"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// RoundView renders a round with its boards, byes and running matches; of teams only the match with a number, unless that is 0.
func (s Frame) RoundView(c echo.Context, t *tournament.Tournament, n, only int) (eventview.RoundView, error) {
	p, v, r := s.Printer(c), page.Viewer(c), t.Rounds[n-1]
	if only > 0 {
		r.Pairings, r.Byes = r.BoardsOf(only), nil
	}
	view := eventview.RoundView{
		Head: s.TournamentHead(c, t, "/rounds/"+words.Itoa(n)),
	}
	view.Body.Title = words.RoundTitle(p, t, n)
	if only > 0 {
		view.Body.Title += " · " + p.T("teams.match-n", "N", only)
	}
	if r.Engine != "imported" && format.Explains(t.Settings) {
		at := words.RoundURL(t.ID, n)
		if only > 0 {
			at = words.TeamMatchURL(t.ID, n, only)
		}
		view.Files = []templates.Link{{Text: p.T("tournament.why"), URL: words.WithQuery(at, "why", "yes")}}
	}
	if r.Engine != "imported" && t.Format.InRounds() && only == 0 {
		view.Files = append(view.Files, templates.Link{Text: p.T("tournament.file.input", "Engine", r.Engine), URL: words.RoundURL(t.ID, n) +
			"/input.trf"})
	}
	var ids []match.ID
	for _, b := range r.Pairings {
		if b.Match != "" {
			ids = append(ids, b.Match)
		}
	}
	s.Shows(c, ids...)
	heads, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[match.ID]store.Head, error) {
		return tx.Matches(ids)
	})
	if err != nil {
		return view, err
	}
	scores := format.ScoresAfter(&t.Table, n-1)
	ref := func(id tournament.EntryID) templates.EntryRef {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		out := words.SeatRef(p, t, e)
		if n > 1 && !t.HasTeams() {
			out.Score = words.TotalText(p, t, scores[e.Number])
		}
		return out
	}
	mine, isIn := t.EntryOf(v.ID)
	for _, b := range r.Pairings {
		line := form.BoardLine(p, v, t, n, b, ref, heads[b.Match])
		line.IsMine = isIn && b.SeatOf(mine.ID).Valid()
		view.Body.Boards = append(view.Body.Boards, line)
	}
	side := func(id tournament.EntryID) templates.EntryRef {
		if !t.HasTeams() {
			return ref(id)
		}
		e, _ := t.Entry(id)
		out := words.EntryRefOf(t, e)
		if n > 1 {
			out.Score = words.ScoreText(p, scores[e.Number])
		}
		return out
	}
	for _, b := range r.Byes {
		view.Body.Byes = append(view.Body.Byes, eventview.ByeLine{Player: side(b.Entry), Kind: words.ByeText(p, t, b.Kind)})
	}
	view.Body.Progress = words.OpenText(p, r)
	if r.IsOver() {
		view.Body.Progress = p.T("tournament.round.over")
	}
	if view.Body.Ruled, err = s.RuledLines(c, t, n, only); err != nil {
		return view, err
	}
	who := s.Insider(c)
	if words.AudienceOf(t, v, words.RoundPart(n, only)) != words.NobodyElse {
		who = nil // the page is shared: players see their own match as others do
	}
	view.Body.Watch, err = s.watch(c, who, t, r, heads)
	if err != nil {
		return view, err
	}
	view.Body.Matches = teamMatches(p, v, t, n, only, view.Body, side)
	if due, awaited := t.BoardsDueAt(); awaited && n == len(t.Rounds) {
		view.Body.Note, err = p.T("teams.sealed", "Time", p.When(due)), s.lineUps(c, t, view.Body.Matches, ref)
	}
	return view, err
}

// lineUps adds to the matches of the open round whose line-ups are awaited which teams have handed in, and who probably sits down:
// nothing of what is sealed.
func (s Frame) lineUps(c echo.Context, t *tournament.Tournament, matches []eventview.TeamMatch, ref func(tournament.EntryID) templates.EntryRef) error {
	handed, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[tournament.EntryID]store.TeamLineUp, error) {
		return tx.TeamLineUps(t.ID, len(t.Rounds))
	})
	if err != nil {
		return err
	}
	p, awaited := s.Printer(c), t.Awaited()
	for i, x := range matches {
		n := words.AtoiOr(x.Board, 0)
		if !slices.Contains(awaited, n) {
			continue
		}
		m := t.Rounds[len(t.Rounds)-1].Teams[n-1]
		var probable [2][]tournament.EntryID
		for _, seat := range match.Seats {
			team := m.TeamAt(seat)
			probable[seat.Index()] = t.ProbableLineUp(team)
			matches[i].LineUps[seat.Index()] = p.T("teams.line-up.to-come")
			if _, is := handed[team]; is {
				matches[i].LineUps[seat.Index()] = p.T("teams.line-up.in")
			}
		}
		for k := range max(len(probable[0]), len(probable[1])) {
			b := eventview.TeamBoard{BoardLine: templates.BoardLine{Board: words.Itoa(k + 1)}, FirstOpens: tournament.TeamSeat(k+1, match.First) == match.First}
			if k < len(probable[0]) {
				b.First = ref(probable[0][k])
			}
			if k < len(probable[1]) {
				b.Second = ref(probable[1][k])
			}
			matches[i].Boards = append(matches[i].Boards, b)
		}
	}
	return nil
}

// teamMatches renders the matches of a round of teams, or the one with a number, with the boards of the round as they stand now.
func teamMatches(p lang.Printer, v player.Viewer, t *tournament.Tournament, n, only int, body eventview.RoundBody,
	side func(tournament.EntryID) templates.EntryRef) (list []eventview.TeamMatch) {
	for i, l := range MatchLines(p, v, t, n, side) {
		if only > 0 && only != i+1 {
			continue
		}
		x := eventview.TeamMatch{BoardLine: l}
		m := t.Rounds[n-1].Teams[i]
		for _, s := range match.Seats {
			if e, _ := t.Entry(m.TeamAt(s)); m.Lost[s.Index()] {
				x.Note = strings.TrimSpace(x.Note + " " + p.T("teams.forfeits", "Team", e.Name))
			}
		}
		x.Note = strings.TrimSpace(x.Note + " " + m.Why)
		for k, pair := range t.Rounds[n-1].BoardsOf(i + 1) {
			at := k
			if only == 0 {
				at = pair.Board - 1 // matches open as their line-ups come, in any order
			}
			b := eventview.TeamBoard{BoardLine: body.Boards[at], FirstOpens: tournament.TeamSeat(k+1, match.First) == match.First}
			b.Live = cmp.Or(livePoints(body, at, !b.FirstOpens), b.Live)
			if !b.FirstOpens {
				b.First, b.Second = b.Second, b.First
				b.Result, _ = words.ResultText(p, pair.Result.Kind.Swapped())
				if b.Points != "" {
					b.Points = words.BoardPoints(p, [2]int{pair.Result.Points[1], pair.Result.Points[0]})
				}
			}
			x.Boards = append(x.Boards, b)
		}
		list = append(list, x)
	}
	return list
}

// MatchLines renders the matches of a round of teams as boards of teams, the results in game points.
func MatchLines(p lang.Printer, v player.Viewer, t *tournament.Tournament, n int,
	side func(tournament.EntryID) templates.EntryRef) (list []templates.BoardLine) {
	r, isMine := t.Rounds[n-1], words.IsMine(t, v)
	for i, m := range r.Teams {
		first, _ := t.Entry(m.First) // they are in the tournament
		second, _ := t.Entry(m.Second)
		l := templates.BoardLine{Board: words.Itoa(i + 1), First: side(m.First), Second: side(m.Second), URL: words.TeamMatchURL(t.ID, n, i+1),
			IsMine: isMine(first) || isMine(second)}
		if t.May(v, tournament.ActForfeitMatch) && t.Status != tournament.Finalized {
			l.CorrectURL = words.ForfeitURL(t.ID, n, i+1)
		}
		switch scores := t.ScoreOf(r, i+1); {
		case m.OpenedAt.IsZero():
		case scores[0].Outcome == tournament.Unfinished:
			l.Live = words.GamesText(p, scores[0], scores[1])
		default:
			l.Result = words.GamesText(p, scores[0], scores[1])
		}
		list = append(list, l)
	}
	return list
}

// OpenBoards counts the boards without a result.
func OpenBoards(rounds ...tournament.Round) (n int) {
	for range tournament.Rounds(rounds).Pending() {
		n++
	}
	return n
}

// watch renders the running matches of a round in small. A delayed match runs until its watchers
// have seen the end.
func (s Frame) watch(c echo.Context, who live.Insider, t *tournament.Tournament, r tournament.Round,
	heads map[match.ID]store.Head) ([]boardview.LiveView, error) {
	var running []tournament.Pairing
	for _, b := range r.Pairings {
		h, isMatch := heads[b.Match]
		if !isMatch || h.Status == match.Waiting || len(running) >= words.WatchBoards {
			continue
		}
		runs := b.Result.IsPending() && h.Status != match.Over
		if h.Status == match.Over && s.Now().Before(h.Feed.Until(h.LastAt)) {
			v, err := s.Live.View(c.Request().Context(), b.Match, who)
			if err != nil {
				return nil, err
			}
			runs = v.Delayed && v.State.Status() != match.Over && v.State.Status() != match.Waiting
		}
		if runs {
			running = append(running, b)
		}
	}
	return s.Cards(c.Request().Context(), s.Printer(c), t, r.Number, running, who, "watch-")
}

// Cards renders the matches of boards in small, as who sees them, under the names of the entries. Their
// elements are named place and the board.
func (s Frame) Cards(ctx context.Context, p lang.Printer, t *tournament.Tournament, round int, boards []tournament.Pairing,
	who live.Insider, place string) ([]boardview.LiveView, error) {
	views, cards := make([]live.View, len(boards)), make([]boardview.LiveView, len(boards))
	for i, b := range boards {
		var err error
		if views[i], err = s.Live.View(ctx, b.Match, who); err != nil {
			return nil, err
		}
	}
	a, err := store.Get(ctx, s.Store, func(tx *store.Tx) (scene.Around, error) { return scene.ReadAround(tx, views) })
	if err != nil {
		return nil, err
	}
	for i, b := range boards {
		frame := a.Frame(p, views[i])
		for seat, id := range [2]tournament.EntryID{b.First, b.Second} {
			if e, err := t.Entry(id); err == nil && e.Name != string(frame.Players[seat].Handle) {
				frame.Players[seat].Name = e.Name
			}
		}
		label := words.BoardLabel(t, round, b.Board)
		cards[i] = scene.ViewLive(p, place+label, frame, views[i], s.Now(), 0)
		cards[i].Where = p.T("tournament.board") + " " + label
	}
	return cards, nil
}

// LastRoundView shows how the last round decided the first places; nil before it is over.
func LastRoundView(p lang.Printer, t *tournament.Tournament) (*fairplayview.LastRoundView, error) {
	top, list, err := tables.LastRound(t)
	if err != nil || len(top) == 0 {
		return nil, err
	}
	places := func(lines []format.Standing) string {
		out := make([]string, len(lines))
		for i, l := range lines {
			out[i] = words.Itoa(l.Rank) + ".\u00a0" + words.EntryName(p, l.Entry)
		}
		return strings.Join(out, ", ")
	}
	view := &fairplayview.LastRoundView{Now: p.T("fairplay.last-round.now", "Places", places(top))}
	for _, r := range list {
		first, _ := t.Entry(r.Pairing.First)
		second, _ := t.Entry(r.Pairing.Second)
		line := fairplayview.LastRoundResult{Match: words.EntryName(p, first) + " – " + words.EntryName(p, second)}
		line.Result, _ = words.ResultText(p, r.Pairing.Result.Kind)
		if r.Pairing.Match != "" {
			line.URL = words.MatchURL(r.Pairing.Match)
		}
		for _, o := range r.Others {
			text, _ := words.ResultText(p, o.Kind)
			line.Otherwise = append(line.Otherwise, p.T("fairplay.last-round.with", "Result", text, "Places", places(o.Top)))
		}
		view.Results = append(view.Results, line)
	}
	return view, nil
}
