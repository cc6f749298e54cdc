package event

import (
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s Frame) RoundView(c echo.Context, t *tournament.Tournament, n int) (tournamentview.RoundView, error) {
	p, v, r := s.Printer(c), page.Viewer(c), t.Rounds[n-1]
	view := tournamentview.RoundView{
		Head:  s.TournamentHead(c, t, "/rounds/"+words.Itoa(n)),
		Title: words.RoundTitle(p, t, n),
	}
	if r.Engine != "imported" && t.Format == tournament.Swiss {
		view.Files = []templates.Link{{Text: p.T("tournament.why"), URL: words.WithQuery(words.RoundURL(t.ID, n), "why", "yes")}}
	}
	if r.Engine != "imported" {
		view.Files = append(view.Files, templates.Link{Text: p.T("tournament.file.input", "Engine", r.Engine), URL: words.RoundURL(t.ID, n) +
			"/input.trf"})
	}
	var ids []match.ID
	for _, b := range r.Pairings {
		if b.Match != "" {
			ids = append(ids, b.Match)
		}
	}
	var heads map[match.ID]store.Head
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		heads, err = tx.Matches(ids)
		return err
	})
	if err != nil {
		return view, err
	}
	scores := words.ScoresBefore(t, n)
	ref := func(id tournament.EntryID) tournamentview.EntryRef {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		out := words.EntryRefOf(t, e)
		if n > 1 {
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
	for _, b := range r.Byes {
		view.Body.Byes = append(view.Body.Byes, tournamentview.ByeLine{Player: ref(b.Entry), Kind: words.ByeText(p, t, b.Kind)})
	}
	if view.Body.Progress = words.OpenText(p, r); r.IsOver() {
		view.Body.Progress = p.T("tournament.round.over")
	}
	if view.Body.Ruled, err = s.RuledLines(c, t, n); err != nil {
		return view, err
	}
	who := s.Insider(c)
	if words.AudienceOf(t, v, "round-"+words.Itoa(n)) != words.NobodyElse {
		who = nil // players see their own match here as their neighbors do
	}
	view.Body.Watch, err = s.watch(c, who, r, ref, heads)
	return view, err
}

// OpenBoards are those of a round without a result.
func OpenBoards(r tournament.Round) (n int) {
	for _, b := range r.Pairings {
		if b.Result.IsPending() {
			n++
		}
	}
	return n
}

// watch are the running matches of a round in small.
func (s Frame) watch(c echo.Context, who live.Insider, r tournament.Round, ref func(tournament.EntryID) tournamentview.EntryRef,
	heads map[match.ID]store.Head) ([]tournamentview.WatchBoard, error) {
	p := s.Printer(c)
	var out []tournamentview.WatchBoard
	for _, b := range r.Pairings {
		h, running := heads[b.Match]
		if !running || !b.Result.IsPending() || h.Status == match.Over || h.Status == match.Waiting || len(out) == words.WatchBoards {
			continue
		}
		look, err := s.Live.View(c.Request().Context(), b.Match, who)
		if err != nil {
			return nil, err
		}
		state := look.State
		w := tournamentview.WatchBoard{
			ID: "watch-" + string(b.Match), URL: words.MatchURL(b.Match), First: ref(b.First).Name, Second: ref(b.Second).Name,
			Phase: p.T("player.match." + words.PhaseWord(h)),
			Board: scene.MatchMini(p, state.Game()),
		}
		if state.Game().OnBoard() {
			points := state.Game().Points()
			w.Points = p.Int(points[0]) + " : " + p.Int(points[1])
		}
		out = append(out, w)
	}
	return out, nil
}

// LastRoundView is what the last round had to do with the first places; nil
// before it is over.
func LastRoundView(p lang.Printer, t *tournament.Tournament) (*fairplayview.LastRoundView, error) {
	top, list, err := tables.LastRound(t)
	if err != nil || len(top) == 0 {
		return nil, err
	}
	places := func(lines []tables.Standing) string {
		out := make([]string, len(lines))
		for i, l := range lines {
			out[i] = words.Itoa(l.Rank) + ".\u00a0" + l.Entry.Name
		}
		return strings.Join(out, ", ")
	}
	view := &fairplayview.LastRoundView{Now: p.T("fairplay.last-round.now", "Places", places(top))}
	for _, r := range list {
		first, _ := t.Entry(r.Pairing.First)
		second, _ := t.Entry(r.Pairing.Second)
		line := fairplayview.LastRoundResult{Match: first.Name + " – " + second.Name}
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
