package desk

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s record) correctionRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/results", s.results, page.SignedIn),
		page.Get("/tournaments/:id/rounds/:round/boards/:board", s.correction, page.SignedIn),
		page.Post("/tournaments/:id/rounds/:round/boards/:board", s.correct, page.SignedIn),
		page.Get("/tournaments/:id/rounds/:round/matches/:match/forfeit", s.forfeiture, page.SignedIn), // teams.go
		page.Post("/tournaments/:id/rounds/:round/matches/:match/forfeit", s.forfeit, page.SignedIn),
		page.Get("/tournaments/:id/entries/:entry/expel", s.expulsion, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/expel", s.expel, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/reinstate", s.reinstate, page.SignedIn),
	}
}

// boardOf returns the board of the address.
func boardOf(c echo.Context, t *tournament.Tournament) (round int, b tournament.Pairing, err error) {
	if round, err = page.RoundOf(c, t); err != nil {
		return 0, b, err
	}
	n, err := strconv.Atoi(c.Param("board"))
	if err != nil {
		return 0, b, store.ErrNotFound
	}
	b, err = t.BoardAt(round, n)
	return round, b, err
}

// correctionOf reads a correction; false if nothing was chosen yet.
func correctionOf(c echo.Context, t *tournament.Tournament, round int, b tournament.Pairing) (tables.Correction, bool) {
	kind, err := tournament.ParseResultKind(c.FormValue("result"))
	if err != nil {
		return tables.Correction{}, false
	}
	reach, err := tournament.ParseReach(c.FormValue("reach"))
	if err != nil {
		reach = usualReach(t)
	}
	return tables.Correction{Round: round, Board: b.Board, Kind: kind, Reach: reach}, true
}

// usualReach is the default reach of a correction.
func usualReach(t *tournament.Tournament) tournament.Reach {
	if t.Format.HasBracket() {
		return tournament.Replay // the bracket follows; the preview shows what that loses
	}
	return tournament.FromNow
}

func (s record) correction(c echo.Context) error { return s.showCorrection(c, nil) }

func (s record) correct(c echo.Context) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	round, b, err := boardOf(c, t)
	if err != nil {
		return err
	}
	change, ok := correctionOf(c, t, round, b)
	if !ok {
		return page.ErrBadRequest
	}
	err = s.Arbiter.Desk.Correct(c.Request().Context(), page.Viewer(c), t.ID, change, reasonOf(c))
	return s.Answer(c, err, s.showCorrection, words.RoundURL(t.ID, round), "flash.saved")
}

func (s record) showCorrection(c echo.Context, refused error) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	round, b, err := boardOf(c, t)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	view := deskview.CorrectionView{
		Head: s.TournamentHead(c, t, "/results"), Title: p.T("desk.correction", "Round", round, "Board", b.Board),
		BackURL: words.RoundURL(t.ID, round), BackText: p.T("tournament.round-n", "Round", round),
	}
	names, deeds, err := s.deedsOf(c, t.ID)
	if err != nil {
		return err
	}
	view.Facts = boardFacts(p, t, b, names)
	view.History = boardHistory(p, deeds, round, b.Board)
	change, chosen := correctionOf(c, t, round, b)
	if !chosen && t.Draft != nil && t.Format.PairsByScore() {
		change.Reach = tournament.RepairDraft // only staff have seen the draft
	} else if !chosen {
		change.Reach = usualReach(t)
	}
	mayCorrect := t.May(v, tournament.ActCorrect)
	switch {
	case !mayCorrect:
		view.Problem = p.T("desk.may-not")
	case t.Status == tournament.Finalized:
		view.Problem = p.T("desk.error.finalized")
	case b.Result.IsPending():
		view.Problem = p.T("desk.error.no-result")
	default:
		if own := t.PartyOf(v, tournament.ActCorrect, round, b.Board); own != nil {
			own = s.Arbiter.JudgesNamed(c.Request().Context(), own)
			view.Problem = page.TextOf(p, own) // status 200: nothing was refused yet
			break
		}
		view.Ask = correctionForm(p, t, round, b, change, chosen)
		if chosen {
			if err := s.previewCorrection(c, t, b, change, &view); err != nil {
				refused = err
			}
		}
	}
	status := http.StatusOK
	if refused != nil {
		var isKnown bool
		if status, isKnown = page.InPlace(refused); !isKnown {
			return refused
		}
		view.Problem = page.TextOf(p, refused)
	}
	return s.Render(c, status, deskview.CorrectionPage(s.DeskShell(c, t, view.Title), view))
}

func boardFacts(p lang.Printer, t *tournament.Tournament, b tournament.Pairing, names map[player.ID]string) []templates.TournamentFact {
	text, _ := words.ResultText(p, b.Result.Kind)
	facts := []templates.TournamentFact{words.Fact(pairText(p, t, b.First, b.Second), cmp.Or(text, "–"))}
	if b.Result.Rated != tournament.Pending {
		rated, _ := words.ResultText(p, b.Result.Rated)
		facts = append(facts, words.Fact(p.T("desk.rated-as"), rated))
	}
	if b.Result.Was != tournament.Pending {
		was, _ := words.ResultText(p, b.Result.Was)
		facts = append(facts, words.Fact(p.T("desk.played-as"), was))
	}
	if !b.Result.IsPending() {
		facts = append(facts, words.Fact(p.T("desk.entered"), enteredBy(p, b, names)))
	}
	return facts
}

// enteredBy says who gave a board its result, and when.
func enteredBy(p lang.Printer, b tournament.Pairing, names map[player.ID]string) string {
	who := p.T("desk.by-match")
	switch {
	case b.Result.By != "":
		who = names[b.Result.By]
	case b.Match == "":
		who = p.T("desk.by-site")
	}
	return who + ", " + p.When(b.Result.At)
}

// correctionForm offers the other results and marks the one in the preview.
func correctionForm(p lang.Printer, t *tournament.Tournament, round int, b tournament.Pairing,
	look tables.Correction, looks bool) *deskview.CorrectionForm {
	form := &deskview.CorrectionForm{Action: words.BoardURL(t.ID, round, b.Board), Title: p.T("desk.new-result"), Name: "result"}
	for kind := tournament.FirstWins; kind <= tournament.DoubleForfeit; kind++ {
		if kind == b.Result.Kind && b.Result.Rated == tournament.Pending {
			continue // the current result
		}
		form.Results = append(form.Results, templates.Choice{Value: kind.String(), Text: resultButton(p, t, b, kind),
			Chosen: looks && kind == look.Kind})
	}
	reaches := []tournament.Reach{usualReach(t)}
	if t.Rated {
		reaches = append(reaches, tournament.RatingsOnly)
	}
	if t.Draft != nil && t.Format.PairsByScore() {
		reaches = append(reaches, tournament.RepairDraft)
	}
	for _, r := range reaches {
		form.Reaches = append(form.Reaches, templates.Choice{Value: r.String(), Text: p.T("desk.reach." + r.String()), Chosen: r == look.Reach})
	}
	return form
}

// resultButton names a result by who wins.
func resultButton(p lang.Printer, t *tournament.Tournament, b tournament.Pairing, kind tournament.ResultKind) string {
	switch kind {
	case tournament.FirstWins:
		return p.T("desk.wins", "Name", words.NameOf(p, t, b.First))
	case tournament.SecondWins:
		return p.T("desk.wins", "Name", words.NameOf(p, t, b.Second))
	case tournament.FirstByForfeit:
		return p.T("schedule.no-show", "Name", words.NameOf(p, t, b.Second))
	case tournament.SecondByForfeit:
		return p.T("schedule.no-show", "Name", words.NameOf(p, t, b.First))
	}
	_, text := words.ResultText(p, kind)
	return text
}

// previewCorrection adds what a correction would do, and the button that does it.
func (s record) previewCorrection(c echo.Context, t *tournament.Tournament, b tournament.Pairing, change tables.Correction,
	view *deskview.CorrectionView) error {
	p := s.Printer(c)
	e, after, err := tables.Preview(t, page.Viewer(c), change, s.Now())
	if err != nil {
		return err
	}
	if view.Effect, err = s.effectView(c, t, after, e); err != nil {
		return err
	}
	view.Step = &deskview.StepView{
		ID: "correct", Title: p.T("desk.correct"), Button: p.T("desk.correct-do"), What: []string{p.T("desk.reach." + change.Reach.String())},
		Action: words.BoardURL(t.ID, change.Round, b.Board) + "?result=" + url.QueryEscape(change.Kind.String()) + "&reach=" +
			change.Reach.String(),
		Reason: templates.Field{Name: "reason", Label: p.T("desk.reason"), Hint: p.T("desk.reason-public"), Max: tournament.MaxReason,
			Required: true, Value: words.Shorten(c.FormValue("reason"), tournament.MaxReason)},
	}
	if told := draftAfter(p, t, after); told != "" {
		view.Step.What = append(view.Step.What, told)
	}
	return nil
}

// draftAfter says what a correction does to the draft; empty if nothing.
func draftAfter(p lang.Printer, t, after *tournament.Tournament) string {
	switch {
	case t.Draft == nil:
		return ""
	case after.Draft == nil:
		return p.T("desk.draft-dropped", "Round", t.Draft.Number)
	case after.DraftStale() != nil:
		return p.T("desk.draft-stale", "Round", t.Draft.Number)
	case !slices.Equal(t.Draft.Boards, after.Draft.Boards):
		return p.T("desk.draft-again", "Round", t.Draft.Number)
	}
	return ""
}

// effectView renders what a change of results does.
func (s record) effectView(c echo.Context, t, after *tournament.Tournament, e tables.Effect) (*deskview.EffectView, error) {
	p := s.Printer(c)
	view := &deskview.EffectView{Codes: e.Codes, Who: p.T("tournament.player")}
	if t.HasTeams() {
		view.Who = p.T("teams.team")
	}
	for _, l := range e.Lines {
		view.Lines = append(view.Lines, effectLine(p, t, l))
	}
	if len(e.Lines) == 0 {
		view.Same = p.T("desk.same-standings")
	}
	effects, err := s.Arbiter.Ratings.Preview(c.Request().Context(), t, after)
	switch {
	case errors.Is(err, ratings.ErrManyRatings):
		view.RatingsIs = p.T("desk.many-ratings")
	case err != nil:
		return nil, err
	case !t.Rated:
		view.RatingsIs = p.T("desk.unrated")
	case t.RatedAt.IsZero():
		view.RatingsIs = p.T("desk.rated-later")
	case len(effects) == 0:
		view.RatingsIs = p.T("desk.same-ratings")
	}
	for _, x := range effects {
		line := deskview.EffectRating{Pool: words.PoolName(p, x.Pool), Was: x.Before.String(), Is: x.After.String()}
		if e, ok := t.EntryOf(x.Player); ok {
			line.Player = words.EntryName(p, e)
		}
		view.Ratings = append(view.Ratings, line)
	}
	prizes, err := events.PrizeChanges(t, after)
	if err != nil {
		return nil, err
	}
	if !t.Prizes.IsZero() && len(prizes) == 0 {
		view.PrizesAre = p.T("prize.same")
	}
	for _, x := range prizes {
		view.Prizes = append(view.Prizes, words.PrizeChangeOf(p, t, x))
	}
	for _, l := range e.Lost {
		view.Lost = append(view.Lost, lostText(p, t, l))
	}
	if len(e.Later)+len(e.Lost) == 0 {
		view.LaterIs = p.T("desk.same-later")
	}
	for _, l := range e.Later {
		view.Later = append(view.Later, laterView(p, t, l))
	}
	return view, nil
}

// lostText names a board that is taken back, with its result.
func lostText(p lang.Printer, t *tournament.Tournament, l tables.LostBoard) string {
	text := words.RoundTitle(p, t, l.Round) + ": " + pairText(p, t, l.Pairing.First, l.Pairing.Second)
	if result, _ := words.ResultText(p, l.Pairing.Result.Kind); result != "" {
		text += " " + result
	}
	return text
}

func effectLine(p lang.Printer, t *tournament.Tournament, l tables.LineChange) deskview.EffectLine {
	line := deskview.EffectLine{Player: words.EntryRefOf(t, l.Entry), Rank: "–", Score: "–"}
	if l.Before.Rank > 0 {
		line.RankWas, line.ScoreWas = words.Itoa(l.Before.Rank), words.TotalText(p, t, l.Before.Score)
	}
	if l.After.Rank > 0 {
		line.Rank, line.Score = words.Itoa(l.After.Rank), words.TotalText(p, t, l.After.Score)
	}
	for i := range max(len(l.Before.Values), len(l.After.Values)) {
		line.Values = append(line.Values, deskview.EffectValue{Was: valueAt(p, l.Before.Values, i), Is: valueAt(p, l.After.Values, i)})
	}
	return line
}

func valueAt(p lang.Printer, values []tiebreak.Value, i int) string {
	if i >= len(values) {
		return "–"
	}
	return words.ValueText(p, values[i])
}

func laterView(p lang.Printer, t *tournament.Tournament, l tables.LaterRound) deskview.EffectRound {
	out := deskview.EffectRound{Title: p.T("tournament.round-n", "Round", l.Number), Note: p.T("desk.later-stays")}
	switch {
	case l.IsDraft:
		out.Note = p.T("desk.later-draft")
	case l.Impossible:
		out.Note = p.T("desk.later-none")
	}
	texts := func(list []tables.BoardOf) (texts []string) {
		for _, b := range list {
			if b.Second == 0 {
				texts = append(texts, words.NameOf(p, t, b.First)+": "+p.T("tournament.bye.pairing"))
			} else {
				texts = append(texts, pairText(p, t, b.First, b.Second))
			}
		}
		return texts
	}
	out.Was, out.Would = texts(l.Was), texts(l.Would)
	return out
}

// results shows the results of a round with who entered them.
func (s record) results(c echo.Context) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	view := deskview.ResultsView{Head: s.TournamentHead(c, t, "/results"), Title: p.T("desk.results")}
	n := len(t.Rounds)
	if asked := words.AtoiOr(c.QueryParam("round"), n); asked >= 1 && asked <= n {
		n = asked
	}
	for _, r := range t.Rounds {
		view.Rounds = append(view.Rounds, templates.TabLink{Text: words.Itoa(r.Number),
			URL: words.WithQuery(words.TournamentURL(t.ID)+"/results", "round", words.Itoa(r.Number)), Current: r.Number == n})
	}
	if n > 0 {
		view.Awaited = words.AwaitedText(p, t.Rounds[:n])
		names, deeds, err := s.deedsOf(c, t.ID)
		if err != nil {
			return err
		}
		round, err := s.RoundView(c, t, n, 0)
		if err != nil {
			return err
		}
		for i, b := range t.Rounds[n-1].Pairings {
			l := round.Body.Boards[i]
			line := deskview.ResultLine{Board: l.Board, First: l.First, Second: l.Second, Result: l.Result, Words: l.ResultWords}
			if !b.Result.IsPending() {
				line.By = enteredBy(p, b, names)
				if t.May(v, tournament.ActCorrect) && t.Status != tournament.Finalized {
					line.URL = words.BoardURL(t.ID, n, b.Board)
				}
			}
			if b.Result.Rated != tournament.Pending {
				rated, _ := words.ResultText(p, b.Result.Rated)
				line.Rated = p.T("desk.rated-as") + " " + rated
			}
			line.Previous = boardHistory(p, deeds, n, b.Board)
			if _, k := t.Rounds[n-1].InMatch(b.Board); k == 1 {
				line.Match = &round.Body.Matches[b.TeamMatch-1]
			}
			view.Lines = append(view.Lines, line)
		}
	}
	return s.Render(c, http.StatusOK, deskview.ResultsPage(s.DeskShell(c, t, view.Title), view))
}

func (s record) expulsion(c echo.Context) error { return s.showExpulsion(c, nil) }

func (s record) expel(c echo.Context) error {
	return s.judge(c, func(id tournament.ID, e tournament.EntryID) error {
		return s.Arbiter.Desk.Expel(c.Request().Context(), page.Viewer(c), id, e,
			tables.Expulsion{Reason: reasonOf(c), Conduct: c.FormValue("lose") != ""})
	})
}

func (s record) reinstate(c echo.Context) error {
	return s.judge(c, func(id tournament.ID, e tournament.EntryID) error {
		return s.Arbiter.Desk.Reinstate(c.Request().Context(), page.Viewer(c), id, e, reasonOf(c))
	})
}

func (s record) judge(c echo.Context, do func(tournament.ID, tournament.EntryID) error) error {
	id, e := tournament.ID(c.Param("id")), words.EntryIDOf(c.Param("entry"))
	return s.Answer(c, do(id, e), s.showExpulsion, words.EntryURL(id, e), "flash.saved")
}

func (s record) showExpulsion(c echo.Context, refused error) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	e, err := t.Entry(words.EntryIDOf(c.Param("entry")))
	if err != nil {
		return store.ErrNotFound
	}
	p, v := s.Printer(c), page.Viewer(c)
	name := words.EntryName(p, e)
	view := deskview.CorrectionView{
		Head: s.TournamentHead(c, t, "/players"), Title: p.T("desk.expel", "Name", name), BackURL: words.EntryURL(t.ID, e.ID), BackText: name,
		Facts: []templates.TournamentFact{words.Fact(p.T("tournament.player"), name),
			words.Fact(p.T("desk.policy"), p.T("desk.leaving."+t.Expulsion.String()))},
	}
	step := &deskview.StepView{
		ID: "expel", Title: p.T("desk.expel-step"), Button: p.T("desk.expel-do"), IsDanger: true, Action: words.EntryURL(t.ID, e.ID) + "/expel",
		What: []string{p.T("desk.what.expel"), p.T("desk.what.undo")},
		Reason: templates.Field{Name: "reason", Label: p.T("desk.reason"), Hint: p.T("desk.reason-hint"), Max: tournament.MaxReason,
			Required: true, Value: words.Shorten(c.FormValue("reason"), tournament.MaxReason)},
	}
	after := t.Clone()
	if e.Expelled {
		step.ID, step.Title, step.Button, step.Action = "reinstate", p.T("desk.reinstate-step"), p.T("desk.reinstate-do"),
			words.EntryURL(t.ID, e.ID)+"/reinstate"
		step.What, step.IsDanger = []string{p.T("desk.what.reinstate")}, false
		err = s.Arbiter.Desk.TryReinstate(c.Request().Context(), after, v, e.ID)
	} else {
		if t.Policy.OrOpen().Level >= fairplay.Verified {
			step.Confirm = p.T("desk.expel-conduct")
		}
		err = s.Arbiter.Desk.TryExpel(c.Request().Context(), after, v, e.ID)
	}
	switch {
	case err == nil:
		effect, err := tables.Compare(t, after, len(t.Rounds))
		if err != nil {
			return err
		}
		if view.Effect, err = s.effectView(c, t, after, effect); err != nil {
			return err
		}
		view.Step = step
	case !page.IsRefusal(err) && !errors.Is(err, fairplay.ErrParty):
		return err
	case refused == nil:
		view.Problem = page.TextOf(p, err) // status 200: the viewer has only opened the page
	}
	status, why := page.RefusalStatus(p, refused)
	if refused != nil {
		view.Problem = why
	}
	return s.Render(c, status, deskview.CorrectionPage(s.DeskShell(c, t, view.Title), view))
}
