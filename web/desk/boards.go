package desk

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// boardRoutes are the pages that staff keep open during a round.
func (s control) boardRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/calls", s.callsPage, page.SignedIn),
		page.Get("/tournaments/:id/boards", s.boardsPage, page.SignedIn),
	}
}

// boardsPage shows staff every board in play.
func (s control) boardsPage(c echo.Context) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	view, err := s.boardsView(c, boardsShown(t))
	if err != nil {
		return err
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("calls.boards"), "boards")
	sh.Styles, sh.Scripts = append(sh.Styles, "calls.css"), append(sh.Scripts, "boards.js")
	return s.Render(c, http.StatusOK, deskview.BoardsPage(sh, view))
}

// desk renders the boards of a tournament.
type desk struct {
	p     lang.Printer
	t     *tournament.Tournament
	now   time.Time
	seen  map[match.ID]map[player.ID]time.Time
	calls map[match.ID][]call.Call
}

func (s control) boardsView(c echo.Context, t *tournament.Tournament) (deskview.BoardsView, error) {
	p, ctx := s.Printer(c), c.Request().Context()
	view := deskview.BoardsView{Head: s.TournamentHead(c, t, "/boards"),
		Body: deskview.BoardsBody{Now: s.Now().UnixMilli(), Title: p.T("calls.boards")}}
	if len(t.Rounds) == 0 {
		view.Body.Summary = p.T("calls.no-round")
		return view, nil
	}
	rounds := t.Rounds.Open()
	if len(rounds) == 1 {
		view.Body.Title = p.T("calls.boards.of", "Round", rounds[0].Number)
	}
	d := desk{p: p, t: t, now: s.Now(), calls: map[match.ID][]call.Call{}}
	var ids []match.ID
	for _, b := range tournament.Rounds(rounds).AllBoards() {
		if b.Match != "" {
			ids = append(ids, b.Match)
		}
	}
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		open, err := tx.OpenCalls(t.ID)
		for _, one := range open {
			d.calls[one.Match] = append(d.calls[one.Match], one)
		}
		if err == nil {
			d.seen, err = tx.SeenIn(ids)
		}
		return err
	})
	if err != nil {
		return view, err
	}
	open, alerts := 0, 0
	for round, b := range tournament.Rounds(rounds).AllBoards() {
		line := d.guests(*b)
		if b.Match != "" {
			look, err := s.Look(c, b.Match)
			if err != nil {
				return view, err
			}
			line = d.line(*b, look)
		}
		line.Board = words.BoardLabel(t, round, b.Board)
		if b.Match != "" && b.Result.IsPending() {
			open++
		}
		if len(line.Alerts) > 0 {
			alerts++
		}
		view.Body.Lines = append(view.Body.Lines, line)
	}
	view.Body.Summary = p.N("calls.boards-open", open) + ", " + p.N("calls.boards-alert", alerts)
	return view, nil
}

// guests renders a board without a match on this site.
func (d desk) guests(b tournament.Pairing) deskview.DeskLine {
	l := deskview.DeskLine{Board: words.Itoa(b.Board), State: "none", Phase: d.p.T("calls.phase.none"), Result: b.Result.Kind.String()}
	for i, seat := range match.Seats {
		l.Players[i].Name = words.NameOf(d.p, d.t, b.EntryAt(seat))
	}
	return l
}

// line renders a board with its match.
func (d desk) line(b tournament.Pairing, look live.View) deskview.DeskLine {
	l, s := d.guests(b), look.State
	l.URL, l.State = words.MatchURL(b.Match), scene.MatchStatus(s.Status())
	m := scene.MatchViewer{Printer: d.p, State: s, Game: s.Game(), Now: d.now}
	still, stands := s.Standstill()
	stands = stands && !still.EndsByItself()
	if stands {
		l.State = "still"
	}
	if s.IsMeeting() {
		l.State = "meeting"
	}
	if due, is := s.Deadline(); is && s.Status() == match.Waiting {
		l.Due = d.p.Stamp(due)
	}
	l.Phase, l.Move = d.p.T("calls.phase."+l.State), m.MoveText()
	alert := func(kind, text, url string) {
		l.Alerts = append(l.Alerts, deskview.DeskAlert{Kind: kind, Text: text, URL: url})
	}
	for _, c := range d.calls[b.Match] {
		kind := "call"
		if c.TakenBy != "" {
			kind = "taken"
		}
		alert(kind, d.p.T("calls.alert."+kind, "Name", l.Players[c.Seat.Index()].Name), l.URL+"#m-talk")
	}
	if stands && !still.Caller.Valid() {
		alert("still", d.p.T("calls.alert.still", "Why", still.Why), l.URL+"#m-bench")
	}
	for i, seat := range match.Seats {
		d.player(&l, i, seat, m, look, alert)
	}
	return l
}

// player renders a player at a board, with alerts. Viewers with a delayed feed see no clock, as it would show
// when moves are made.
func (d desk) player(l *deskview.DeskLine, i int, seat match.Seat, m scene.MatchViewer, look live.View,
	alert func(kind, text, url string)) {
	v, s, head := &l.Players[i], m.State, look.Head
	if !s.StartedAt().IsZero() && !look.Delayed {
		clock := m.SideClock(seat)
		v.Clock = &clock
	}
	if m.Game.OnBoard() {
		v.Points = d.p.N("calls.points", m.Game.Points()[i])
	}
	turn, running := s.ToAct()
	v.ToAct = running && turn == seat && !look.Delayed
	if s.Status() == match.Over || head.Bots[i] {
		return
	}
	seen := d.seen[head.ID][head.Players[i]]
	if seen.IsZero() {
		seen = head.OpenedAt.Add(-call.UncertainFrom) // never seen: uncertain at first
	}
	there := call.ConnectionAt(seen, d.now)
	v.Present, v.PresentText = there.String(), d.p.T("calls.presence."+there.String())
	switch {
	case there == call.Absent && s.Status() == match.Waiting:
		alert("absent", d.p.T("calls.alert.absent", "Name", v.Name), l.URL)
	case there == call.Absent:
		alert("gone", d.p.T("calls.alert.gone", "Name", v.Name), l.URL)
	}
	if first, second, _ := s.Clocks(d.now); v.ToAct && [2]time.Duration{first, second}[i] < call.Low {
		alert("low", d.p.T("calls.alert.low", "Name", v.Name), l.URL)
	}
}

// boardsMark changes when the boards are worth sending again; the time and the clocks that the page counts down
// do not matter.
func boardsMark(b deskview.BoardsBody) string {
	b.Now = 0
	b.Lines = append([]deskview.DeskLine(nil), b.Lines...)
	for i := range b.Lines {
		for j := range b.Lines[i].Players {
			if clock := b.Lines[i].Players[j].Clock; clock != nil && clock.Deadline > 0 {
				b.Lines[i].Players[j].Clock = &templates.ClockView{Deadline: clock.Deadline, Low: clock.Low}
			}
		}
	}
	raw, err := json.Marshal(b)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(raw)
}
