package fairplay

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) movesRoutes() []page.Route {
	return []page.Route{
		page.Get("/fair-play/calibration", s.calibration, page.Anyone),
	}
}

func (s pages) movesOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /fair-play/calibration", page.Everyone, s.calibrationFile, "How people beyond doubt choose on this site",
			"What dossiers are made by. 404 while there are too few such people."),
		page.Op("GET /dossier/moves", player.ScopeRead, s.apiOwnMoves, "What the caller’s moves come to",
			"In one place, from the moment they are told of a review there."),
		page.Op("GET /dossiers/{player}/moves", player.ScopeOrganize, s.apiMovesOf, "What a player’s moves come to",
			"In one place, while there is a review of them. For those who judge there."),
	}
}

func (s pages) moves(c echo.Context) error {
	a, err := s.asked(c)
	if err != nil {
		return err
	}
	ctx, p, v := c.Request().Context(), s.Printer(c), page.Viewer(c)
	r, err := s.Arbiter.Judges.Moves(ctx, v, a.Place, a.of)
	if err != nil {
		return err
	}
	m := movesViewer{Printer: p, MovesRecord: r, own: v.Is(a.of)}
	view := m.view()
	if view.Heaviest, err = s.heaviest(ctx, m); err != nil {
		return err
	}
	sh := s.dossierShell(c, r.Dossier, &view.Head, view.Title)
	sh.Styles = append(sh.Styles, "board.css")
	return s.Render(c, http.StatusOK, fairplayview.MovesPage(sh, view))
}

// mostHeavy is how many of the moves that weigh most are shown.
const mostHeavy = 10

// heaviest returns the moves that weigh most, with their boards.
func (s pages) heaviest(ctx context.Context, m movesViewer) (list []fairplayview.HeavyMove, err error) {
	games := map[match.ID]match.Game{}
	for _, look := range m.Looked.Heaviest(mostHeavy) {
		id := m.Made.Matches[look.Record]
		g, has := games[id]
		if !has {
			state, _, err := s.Live.State(ctx, id)
			if err != nil {
				return nil, err
			}
			g = state.Game()
			games[id] = g
		}
		for i, pos := range g.Positions() {
			if i < len(g.Plies()) && pos.CFEN() == look.Position && g.Plies()[i].Action.String() == look.Played {
				list = append(list, m.heavy(look, id, g, i))
				break
			}
		}
	}
	return list, nil
}

// movesViewer makes the page of what the moves of a player come to.
type movesViewer struct {
	lang.Printer
	judges.MovesRecord
	own bool
}

func (m movesViewer) url() string { return dossierURL(m.Dossier, m.own) }

// apiURL returns where programs, and files to keep, find a part of a dossier.
func apiURL(d judges.Dossier, own bool) func(part string) string {
	at := "/api/v1/dossiers/" + string(d.Of.Handle)
	if own {
		at = "/api/v1/dossier"
	}
	return func(part string) string { return at + part + "?place=" + url.QueryEscape(string(d.Place)) }
}

func (m movesViewer) view() fairplayview.MovesView {
	d := m.Looked
	view := fairplayview.MovesView{Title: m.T("review.moves.title", "Name", m.PlayerName()),
		Back:    templates.Link{URL: m.url(), Text: m.T("review.title", "Name", m.PlayerName())},
		Counted: m.N("review.moves.counted", len(d.Moves)) + " " + m.T("review.moves.counted-not"),
		Command: fmt.Sprintf("chpok review --player %s --rating %d --calibration calibration.json RECORD…", d.Player, d.Rating)}
	switch {
	case m.Keeps && d.Rarity != nil && d.Rarity.P >= usual:
		view.Next = []string{"review.moves.next-nothing"}
	case m.Keeps:
		view.Next = []string{"review.moves.next-look", "review.moves.next-ask", "review.moves.next-watch", "review.moves.next-decide"}
		if m.Tournament == nil {
			view.Next = slices.Delete(view.Next, 2, 3)
		}
	}
	if d.Silence == "" {
		view.Worth = m.worth()
	}
	for i, id := range m.Made.Past {
		view.Past = append(view.Past, templates.Link{URL: words.MatchURL(id) + "/record.json", Text: m.T("review.moves.record-before", "N", m.Int(i+1))})
	}
	if len(view.Past) > 0 {
		view.Command = strings.Replace(view.Command, "RECORD…", strings.Repeat("--before RECORD ", len(view.Past))+"RECORD…", 1)
	}
	if m.own {
		view.Title, view.Back.Text, view.Answer = m.T("review.moves.title-own"), m.T("review.title-own"), m.url()
	}
	if d.Silence != "" {
		view.Sentences = []string{m.T("review.moves.silent", "N", m.Int(len(d.Moves)), "Least", m.Int(screening.TestedMoves))}
	} else {
		view.Sentences, view.Range = m.says(), m.chances()
		if d.Rarity.P < usual {
			view.Lucky = m.T("review.moves.lucky", "N", m.Int(oneIn(d.Rarity.P)))
		}
	}
	view.File, view.Calibration = apiURL(m.Dossier, m.own)("/moves"), "/api/v1/fair-play/calibration?id="+m.Made.Calibration
	for i, id := range m.Made.Matches {
		view.Matches = append(view.Matches, templates.Link{URL: words.MatchURL(id) + "/record.json", Text: m.T("review.moves.record", "N", m.Int(i+1))})
	}
	return view
}

// usual is the p from which nothing is unusual.
const usual = 0.05

// oneIn returns of how many people one is as rare, in two digits.
func oneIn(p float64) int {
	n := 1 / p
	scale := math.Pow(10, max(0, math.Floor(math.Log10(n))-1))
	return int(math.Round(n/scale) * scale)
}

// says is what the statistic says, in sentences.
func (m movesViewer) says() (list []string) {
	r := m.Looked.Rarity
	switch {
	case r.P >= usual:
		list = append(list, m.T("review.moves.usual", "N", m.Int(int(math.Round(100*r.P)))))
	case r.Extrapolated: // the people it rests on come first, the number that continues them after
		list = append(list, m.T("review.moves.beyond", "People", m.Int(m.Looked.People)), m.T("review.moves.extrapolated", "N", m.Int(oneIn(r.P))))
	default:
		list = append(list, m.T("review.moves.rare", "N", m.Int(oneIn(r.P))))
	}
	if n := r.P * float64(m.People); r.P < usual && n >= 0.01 {
		list = append(list, m.N("review.moves.among", m.People, "Expected", m.Decimal(n, 2)))
	}
	opens := "review.moves.opens-no"
	if m.Made.IsConcern {
		opens = "review.moves.opens"
	}
	list = append(list, m.T(opens), m.N("review.moves.compared", m.Looked.People))
	if m.Looked.IsByPast {
		list = append(list, m.N("review.moves.by-past", len(m.Looked.Past)))
	}
	if m.Tournament == nil {
		list = append(list, m.T("review.moves.weekly", "Day", m.Day(m.Made.At)))
	}
	return list
}

// worth is how many helped people of this strength the statistic notices here, by about as many choices.
func (m movesViewer) worth() string {
	band := screening.BandOf(m.Looked.Rating)
	_, bands := powerOf(m.By.Power)
	list := bands[band]
	if len(list) == 0 {
		return m.T("review.moves.worth-unknown", "Rated", bandText(m.Printer, band))
	}
	by := list[0]
	for _, w := range list {
		if w.Moves <= len(m.Looked.Moves) {
			by = w
		}
	}
	text := m.T("review.moves.worth", "Rated", bandText(m.Printer, band), "Moves", m.Int(by.Moves), "Helped", m.Decimal(100*by.Helped[toldLevel], 0),
		"Honest", m.Decimal(100*by.Honest[toldLevel], 1))
	if by.Helped[toldLevel] < leastPower {
		text += " " + m.T("review.moves.worth-poor")
	}
	return text
}

// chances is how likely help is, as a range, and what the moves are worth.
func (m movesViewer) chances() []string {
	d := m.Looked
	percent := func(share float64) string {
		if share < 0.01 {
			return m.Decimal(100*share, 1)
		}
		return m.Int(int(math.Round(100 * share)))
	}
	list := []string{m.T("review.moves.range-what"), m.T("review.moves.range", "Low", percent(d.Odds[0]), "High", percent(d.Odds[len(d.Odds)-1]))}
	if d.Performance != nil {
		list = append(list, m.T("review.moves.performance", "Rating", words.Itoa(d.Performance.Rating), "Deviation", words.Itoa(d.Performance.Deviation),
			"Was", words.Itoa(d.Rating)))
	}
	return list
}

// goodBelow is the loss of the expected score below which an action is called good.
const goodBelow = 0.05

func (m movesViewer) heavy(look review.MoveLook, id match.ID, g match.Game, ply int) fairplayview.HeavyMove {
	seat := g.Plies()[ply].Seat
	v := fairplayview.HeavyMove{Move: m.T("decided.move", "N", look.Move) + " " + scene.MoveText(g.Plies()[ply]),
		Match: m.T("review.moves.match", "N", m.Int(look.Record+1)), URL: words.MatchURL(id) + "?ply=" + words.Itoa(ply+1)}
	good := 0
	for _, loss := range look.Losses {
		if loss < goodBelow {
			good++
		}
	}
	v.Options = m.T("review.moves.options", "N", m.Int(len(look.Losses)), "Good", m.Int(good))
	var better board.Action
	if v.Engine = m.T("review.moves.same"); look.Loss > 0 {
		if a, err := board.ParseAction(look.Best); err == nil {
			better = a
			v.Engine = m.T("review.moves.other", "Best", scene.LineText(g.Positions()[ply], []board.Action{a}),
				"Loss", m.Decimal(100*look.Loss, 1))
		}
	}
	v.Board = scene.ComparedBoard(m.Printer, g.Positions()[ply], g.Plies()[ply].Action, better, g.Color(seat) == board.Black)
	return v
}

// calibration renders what the statistic of this site is worth.
func (s pages) calibration(c echo.Context) error {
	p := s.Printer(c)
	var k store.Calibration
	var looked, left int
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if k, err = tx.LastCalibration(); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		looked, left, err = tx.ChoicesLeft()
		return err
	})
	if err != nil {
		return err
	}
	view := fairplayview.CalibrationView{Says: p.T("fairplay.calibration.none", "N", p.Int(k.People), "Least", p.Int(screening.LeastReference),
		"Moves", p.Int(screening.LeastMoves))}
	fact := func(name, value string) {
		view.Facts = append(view.Facts, words.Fact(p.T("fairplay.calibration."+name), value))
	}
	if k.Body != "" {
		view.Says, view.File = p.T("fairplay.calibration.speaks", "Least", p.Int(screening.TestedMoves)), "/api/v1/fair-play/calibration?id="+k.ID
	}
	if k.ID != "" {
		fact("made", p.Day(k.At))
		fact("people", p.Int(k.People))
		fact("sides", p.Int(k.Sides))
		fact("engine", p.T("fairplay.calibration.engine-of", "Version", words.Itoa(k.Engine), "Nodes", p.Int(review.LookNodes)))
	}
	fact("looked", p.T("fairplay.calibration.looked-of", "N", p.Int(looked), "Left", p.Int(left)))
	for _, level := range screening.Levels {
		view.Levels = append(view.Levels, p.Decimal(level, 3))
	}
	percent := func(share float64) string { return p.Decimal(100*share, 1) + "\u00a0%" }
	var ends []int // where the curves end
	all, bands := powerOf(k.Power)
	for _, w := range all {
		row := fairplayview.PowerRow{Moves: p.Int(w.Moves)}
		var points []string
		for i := range screening.Levels {
			row.Honest, row.Helped = append(row.Honest, percent(w.Honest[i])), append(row.Helped, percent(w.Helped[i]))
			points = append(points, fmt.Sprintf("%d,%d", 320-130*i, powerHeight(w.Helped[i])))
		}
		view.Rows = append(view.Rows, row)
		view.Curves = append(view.Curves, fairplayview.PowerCurve{Moves: p.N("fairplay.calibration.curve", w.Moves), Points: strings.Join(points, " "), X: "328"})
		ends = append(ends, powerHeight(w.Helped[0]))
	}
	for i, y := range apart(ends) {
		view.Curves[i].Y = strconv.Itoa(y)
	}
	if len(all) > 0 {
		for _, w := range all {
			view.Counts = append(view.Counts, p.N("fairplay.calibration.curve", w.Moves))
		}
		for _, r := range screening.RatingBands {
			view.Bands = append(view.Bands, bandRow(p, r, bands[r]))
		}
	}
	sh := s.Shell(c, p.T("fairplay.calibration.title"))
	sh.Section, sh.Styles = "rules", []string{"fairplay.css"}
	return s.Render(c, http.StatusOK, fairplayview.CalibrationPage(sh, view))
}

// powerOf parts what was tried with everybody from what was with the people of each band, by rising numbers of moves.
func powerOf(list []screening.Power) (all []screening.Power, bands map[screening.Ratings][]screening.Power) {
	bands = map[screening.Ratings][]screening.Power{}
	for _, w := range list {
		bands[w.Ratings] = append(bands[w.Ratings], w)
	}
	return bands[screening.Ratings{}], bands
}

// bandText names the people of some ratings.
func bandText(p lang.Printer, r screening.Ratings) string {
	switch {
	case r.From == 0:
		return p.T("fairplay.calibration.below", "To", words.Itoa(r.To))
	case r.To == 0:
		return p.T("fairplay.calibration.above", "From", words.Itoa(r.From))
	}
	return p.T("fairplay.calibration.between", "From", words.Itoa(r.From), "To", words.Itoa(r.To-1))
}

// toldLevel is which of screening.Levels bands are told at: one honest player of a hundred.
const toldLevel = 1

// leastPower is which part of the helped has to be noticed for silence to say something.
const leastPower = 0.5

// mostHonest is from which part of the honest on a band is noticed more often than told.
const mostHonest = 2 * 0.01

// bandRow is what the statistic is worth among the people of a band; of too few, list is empty.
func bandRow(p lang.Printer, r screening.Ratings, list []screening.Power) fairplayview.BandRow {
	row := fairplayview.BandRow{Ratings: bandText(p, r)}
	if len(list) > 0 {
		row.People = p.N("fairplay.calibration.tried", list[0].People)
	}
	for _, w := range list {
		row.Noticed = append(row.Noticed, p.T("fairplay.calibration.noticed", "Helped", p.Decimal(100*w.Helped[toldLevel], 0),
			"Honest", p.Decimal(100*w.Honest[toldLevel], 1)))
		row.IsPoor = w.Helped[toldLevel] < leastPower
		row.IsHarsh = row.IsHarsh || w.Honest[toldLevel] > mostHonest
	}
	return row
}

// lineHeight is how far apart the names of curves stand at least.
const lineHeight = 16

// apart moves heights apart so that the names there can be read, those above going up and those below down.
func apart(heights []int) []int {
	order := make([]int, len(heights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	placed, sum := slices.Clone(heights), 0
	for n, i := range order {
		if n > 0 {
			placed[i] = max(placed[i], placed[order[n-1]]+lineHeight)
		}
		sum += placed[i] - heights[i]
	}
	if len(placed) > 0 {
		for i := range placed {
			placed[i] -= sum / len(placed)
		}
	}
	return placed
}

// powerHeight returns where a share stands in the picture.
func powerHeight(share float64) int { return 200 - int(math.Round(180*share)) }

// calibrationFile returns a calibration, the present one without an id.
func (s pages) calibrationFile(c echo.Context, in calibrationIn) (out apiCalibration, err error) {
	k, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (store.Calibration, error) {
		if in.ID != "" {
			return tx.Calibration(in.ID)
		}
		return tx.LastCalibration()
	})
	if err == nil && k.Body == "" {
		err = store.ErrNotFound
	}
	out.Raw = json.RawMessage(k.Body)
	return out, err
}

func (s pages) apiOwnMoves(c echo.Context, in ownPlaceIn) (out apiMoves, err error) {
	return s.movesFile(c, about{in.Place, page.Viewer(c).ID})
}

func (s pages) apiMovesOf(c echo.Context, in dossierIn) (out apiMoves, err error) {
	a, err := s.about(c, in.Place, in.Player)
	if err != nil {
		return out, err
	}
	return s.movesFile(c, a)
}

func (s pages) movesFile(c echo.Context, a about) (out apiMoves, err error) {
	r, err := s.Arbiter.Judges.Moves(c.Request().Context(), page.Viewer(c), a.Place, a.of)
	c.Response().Header().Set("Cache-Control", "no-store")
	out.Raw = json.RawMessage(r.Made.Body)
	return out, err
}

type (
	calibrationIn struct {
		ID string `query:"id,omitempty" doc:"the one on which a dossier rests; absent: the present one" example:"9be1c2f03f1c9a77" max:"64"`
	}
	apiCalibration struct{ page.Exact }
	apiMoves       struct{ page.Exact }
)

// DescribeAPI leaves the numbers to the program that reads them.
func (apiCalibration) DescribeAPI() (string, page.Schema) {
	return "Calibration", page.Schema{"type": "object", "description": "How people beyond doubt choose, as chpok review reads it."}
}

// DescribeAPI leaves the numbers to the program that prints them.
func (apiMoves) DescribeAPI() (string, page.Schema) {
	return "Moves", page.Schema{"type": "object", "description": "What somebody’s moves come to, byte for byte as chpok review prints it."}
}
