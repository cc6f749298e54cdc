package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

// watchBoards is how many running matches a round's page shows in small.
const watchBoards = 12

// roundOf is the round the address names, from 1.
func roundOf(c echo.Context, t *tournament.Tournament) (int, error) {
	n, err := strconv.Atoi(c.Param("round"))
	if err != nil || n < 1 || n > len(t.Rounds) {
		return 0, store.ErrNotFound
	}
	return n, nil
}

// seenRound is the tournament and the round that the address names.
func (s *Server) seenRound(c echo.Context) (t *tournament.Tournament, n int, err error) {
	if t, err = s.seenTournament(c); err != nil {
		return nil, 0, err
	}
	n, err = roundOf(c, t)
	return t, n, err
}

func (s *Server) round(c echo.Context) error {
	t, n, err := s.seenRound(c)
	if err != nil {
		return err
	}
	view, err := s.roundView(c, t, n)
	if err != nil {
		return err
	}
	part := "round-" + itoa(n)
	sh := s.tournamentShell(c, t, s.printer(c).T("tournament.round-n", "Round", n), part)
	if sh.Styles = append(sh.Styles, "board.css"); sh.Feed != "" {
		at, err := place(c.Request().Context(), s.printer(c), withHead(view.Head, roundPieces(view.Body)...))
		if err != nil {
			return err
		}
		sh.Feed = tournamentFeedURL(t, part, at)
	}
	if c.QueryParam("why") != "" {
		sh.Feed = "" // the feed knows no reasons and would take them away
		if err := s.explainRound(c, t, n, &view.Body); err != nil {
			return err
		}
	}
	return s.render(c, http.StatusOK, tournamentview.RoundPage(sh, view))
}

// roundInput is the report the round was paired from: paired again by the
// program, it gives the same round.
func (s *Server) roundInput(c echo.Context) error {
	t, n, err := s.seenRound(c)
	if err != nil {
		return err
	}
	var input string
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		input, err = tx.RoundInput(t.ID, n)
		return err
	})
	if err != nil {
		return err
	}
	if input == "" {
		return store.ErrNotFound
	}
	// A report may hold comments: with what, and from which chance, it was paired.
	head := "### engine " + t.Rounds[n-1].Engine + "\n"
	if t.Seed != "" {
		head += "### seed " + t.Seed + "\n"
	}
	return sendFile(c, "round-"+itoa(n)+".trf", "text/plain; charset=utf-8", []byte(head+input))
}

func (s *Server) roundView(c echo.Context, t *tournament.Tournament, n int) (tournamentview.RoundView, error) {
	p, v, r := s.printer(c), viewer(c), t.Rounds[n-1]
	view := tournamentview.RoundView{
		Head:  s.tournamentHead(c, t, "/rounds/"+itoa(n)),
		Title: p.T("tournament.round-n", "Round", n),
	}
	if r.Engine != "imported" && t.Format == tournament.Swiss {
		view.Files = []templates.Link{{Text: p.T("tournament.why"), URL: withQuery(roundURL(t.ID, n), "why", "yes")}}
	}
	if r.Engine != "imported" {
		view.Files = append(view.Files, templates.Link{Text: p.T("tournament.file.input", "Engine", r.Engine), URL: roundURL(t.ID, n) + "/input.trf"})
	}
	var ids []match.ID
	for _, b := range r.Pairings {
		if b.Match != "" {
			ids = append(ids, b.Match)
		}
	}
	var heads map[match.ID]store.Head
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		heads, err = tx.Matches(ids)
		return err
	})
	if err != nil {
		return view, err
	}
	scores := scoresBefore(t, n)
	ref := func(id tournament.EntryID) tournamentview.EntryRef {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		out := entryRefOf(t, e)
		if n > 1 {
			out.Score = scoreText(p, scores[e.Number])
		}
		return out
	}
	mine, isIn := t.EntryOf(v.ID)
	for _, b := range r.Pairings {
		line := boardLine(p, v, t, n, b, ref, heads[b.Match])
		line.IsMine = isIn && b.SeatOf(mine.ID).Valid()
		view.Body.Boards = append(view.Body.Boards, line)
	}
	for _, b := range r.Byes {
		view.Body.Byes = append(view.Body.Byes, tournamentview.ByeLine{Player: ref(b.Entry), Kind: byeText(p, t, b.Kind)})
	}
	if view.Body.Progress = openText(p, r); r.IsOver() {
		view.Body.Progress = p.T("tournament.round.over")
	}
	if view.Body.Ruled, err = s.ruledLines(c, t, n); err != nil {
		return view, err
	}
	who := s.insider(c)
	if audienceOf(t, v, "round-"+itoa(n)) != nobodyElse {
		who = nil // players see their own match here as their neighbors do
	}
	view.Body.Watch, err = s.watch(c, who, r, ref, heads)
	return view, err
}

// explainRound says of every board why it is what it is, from the report that
// the round was paired from.
func (s *Server) explainRound(c echo.Context, t *tournament.Tournament, n int, body *tournamentview.RoundBody) error {
	paired, field, err := s.pairedFrom(c, t, n)
	if err != nil || len(paired.Boards) == 0 {
		return err
	}
	list, err := swiss.Explain(field, paired)
	if err != nil {
		return err
	}
	p := s.printer(c)
	names := map[int]string{}
	for _, x := range field.Players {
		names[x.Number] = x.Name
	}
	for i, e := range list {
		why := reasonsText(p, e.Reasons, names)
		switch {
		case e.Second == 0:
			for j := range body.Byes {
				if body.Byes[j].Player.Name == names[e.First] {
					body.Byes[j].Why = why
				}
			}
		case i < len(body.Boards):
			body.Boards[i].Why = why
		}
	}
	return nil
}

// pairedFrom is a round by numbers and what it was paired from: the report that
// was kept, or, where somebody has changed boards by hand, the results as they
// are now. No boards: it was imported.
func (s *Server) pairedFrom(c echo.Context, t *tournament.Tournament, n int) (p tournament.RoundPairing, f tournament.Field, err error) {
	if r := t.Rounds[n-1]; r.Edited {
		f, p = swiss.Before(t.FieldAfter(n), n-1)
		p.Boards = p.Boards[:0]
		for _, b := range r.Pairings {
			first, _ := t.Entry(b.First) // a pairing's entries are in the tournament
			second, _ := t.Entry(b.Second)
			p.Boards = append(p.Boards, tournament.Board{First: first.Number, Second: second.Number})
		}
		return p, f, nil
	}
	var input string
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		input, err = tx.RoundInput(t.ID, n)
		return err
	})
	if err != nil || input == "" {
		return p, f, err
	}
	return arbiter.Repeat(input)
}

// reasonsText is why a board is what it is, with the players' names by number.
func reasonsText(p lang.Printer, reasons []swiss.Reason, names map[int]string) string {
	var texts []string
	for _, reason := range reasons {
		texts = append(texts, p.T(reason.Key, "Player", names[reason.Player], "Other", names[reason.Other],
			"Score", scoreText(p, reason.Score), "OtherScore", scoreText(p, reason.OtherScore), "Round", reason.Round))
	}
	return strings.Join(texts, " ")
}

// openBoards are those of a round without a result.
func openBoards(r tournament.Round) (n int) {
	for _, b := range r.Pairings {
		if b.Result.IsPending() {
			n++
		}
	}
	return n
}

// openText is what a round waits for: matches that are being played here, and
// results of guests' boards.
func openText(p lang.Printer, r tournament.Round) string {
	played, entered := 0, 0
	for _, b := range r.Pairings {
		switch {
		case !b.Result.IsPending():
		case b.Match != "":
			played++
		default:
			entered++
		}
	}
	var parts []string
	if played > 0 {
		parts = append(parts, p.N("tournament.boards-open", played))
	}
	if entered > 0 {
		parts = append(parts, p.N("tournament.boards-entered", entered))
	}
	return strings.Join(parts, " · ")
}

// scoresBefore are the scores by number with which the players came to a round.
func scoresBefore(t *tournament.Tournament, n int) map[int]tournament.Score {
	f := t.FieldAfter(n - 1)
	scores := make(map[int]tournament.Score, len(f.Players))
	for _, x := range f.Players {
		for _, cell := range x.Rounds {
			scores[x.Number] += f.Points.Of(cell.Outcome)
		}
	}
	return scores
}

func entryRefOf(t *tournament.Tournament, e tournament.Entry) tournamentview.EntryRef {
	return tournamentview.EntryRef{
		Name: e.Name, URL: entryURL(t.ID, e.ID), Rating: numberText(e.Rating), Number: numberText(e.Number), Bot: e.Bot, Guest: e.IsGuest(),
	}
}

func boardLine(p lang.Printer, v player.Viewer, t *tournament.Tournament, round int, b tournament.Pairing, ref func(tournament.EntryID) tournamentview.EntryRef, h store.Head) tournamentview.BoardLine {
	l := tournamentview.BoardLine{Board: itoa(b.Board), First: ref(b.First), Second: ref(b.Second)}
	for i, chips := range arbiter.ExtraChips(t, b) {
		if chips > 0 {
			[]*tournamentview.EntryRef{&l.First, &l.Second}[i].Chips = p.N("tournament.extra-chips", chips)
		}
	}
	l.Result, l.ResultWords = resultText(p, b.Result.Kind)
	if t.IsRuled(b) {
		l.Ruled = ruledID(round, b.Board)
	}
	if b.Result.IsPlayed() && (b.Result.Points[0] != 0 || b.Result.Points[1] != 0) {
		l.Points = p.Int(b.Result.Points[0]) + " : " + p.Int(b.Result.Points[1])
	}
	if b.Match != "" {
		l.URL, l.Level = matchURL(b.Match), levelShown(p, h)
	}
	if h.ID != "" && h.Status != match.Over && b.Result.IsPending() {
		l.Live = p.T("player.match." + phaseWord(h))
	}
	if !b.Result.IsPending() && t.May(v, tournament.ActCorrect) && t.Status != tournament.Finalized {
		l.CorrectURL = boardURL(t.ID, round, b.Board)
	}
	return l
}

func byeText(p lang.Printer, t *tournament.Tournament, kind tournament.Outcome) string {
	switch {
	case t.Format == tournament.RoundRobin:
		return p.T("tournament.bye.rest")
	case kind == tournament.PairingBye:
		return p.T("tournament.bye.pairing")
	case kind == tournament.HalfBye:
		return p.T("tournament.bye.half")
	case kind == tournament.FullBye:
		return p.T("tournament.bye.full")
	}
	return p.T("tournament.bye.zero")
}

// watch are the running matches of a round in small.
func (s *Server) watch(c echo.Context, who live.Insider, r tournament.Round, ref func(tournament.EntryID) tournamentview.EntryRef, heads map[match.ID]store.Head) ([]tournamentview.WatchBoard, error) {
	p := s.printer(c)
	var out []tournamentview.WatchBoard
	for _, b := range r.Pairings {
		h, running := heads[b.Match]
		if !running || !b.Result.IsPending() || h.Status == match.Over || h.Status == match.Waiting || len(out) == watchBoards {
			continue
		}
		look, err := s.live.View(c.Request().Context(), b.Match, who)
		if err != nil {
			return nil, err
		}
		state := look.State
		w := tournamentview.WatchBoard{
			ID: "watch-" + string(b.Match), URL: matchURL(b.Match), First: ref(b.First).Name, Second: ref(b.Second).Name, Phase: p.T("player.match." + phaseWord(h)),
			Board: matchMini(p, state.Game()),
		}
		if state.Game().OnBoard() {
			points := state.Game().Points()
			w.Points = p.Int(points[0]) + " : " + p.Int(points[1])
		}
		out = append(out, w)
	}
	return out, nil
}

// sendFile answers with a file to be kept.
func sendFile(c echo.Context, name, kind string, body []byte) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return c.Blob(http.StatusOK, kind, body)
}
