package fairplay

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) seasonOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /fair-play/numbers", page.Everyone, s.fairPlayNumbers, "What the site says of its fair play",
			"Counts by season; small ones are withheld (null)."),
	}
}

func (s pages) seasonRoutes() []page.Route {
	return []page.Route{
		page.Get("/fair-play/numbers", s.seasonNumbers, page.Anyone),
		page.Get("/admin/fair-play", s.operatorFairPlay, player.Viewer.MayOperate),
		page.Get("/ladders/:id/fair-play", s.ladderFairPlay, page.SignedIn),
	}
}

// seasons returns the published numbers, the latest season first.
func (s pages) seasons(ctx context.Context) (out []review.SeasonNumbers, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		counts, err := tx.SeasonCounts()
		for season, c := range counts {
			out = append(out, review.NumbersOf(season, c, s.Now()))
		}
		return err
	})
	slices.SortFunc(out, func(a, b review.SeasonNumbers) int { return strings.Compare(b.String(), a.String()) })
	return out, err
}

// seasonNumbers renders the numbers that the site publishes about itself, by season.
func (s pages) seasonNumbers(c echo.Context) error {
	p := s.Printer(c)
	list, err := s.seasons(c.Request().Context())
	if err != nil {
		return err
	}
	var view fairplayview.NumbersView
	for _, n := range list {
		view.Seasons = append(view.Seasons, seasonView(p, n))
	}
	sh := s.Shell(c, p.T("season.title"))
	sh.Section, sh.Styles = "rules", []string{"fairplay.css"}
	return s.Render(c, http.StatusOK, fairplayview.NumbersPage(sh, view))
}

func seasonView(p lang.Printer, n review.SeasonNumbers) fairplayview.SeasonView {
	view := fairplayview.SeasonView{ID: n.String(), Title: seasonTitle(p, n.Season), Running: !n.Over}
	for _, g := range n.Groups {
		table := fairplayview.SeasonGroup{Title: p.T("season.group." + g.Name), About: p.T("season.about." + g.Name)}
		few, rest := p.T("season.few", "Count", p.Int(review.CountFloor)), false
		for _, l := range g.Lines {
			line := fairplayview.SeasonLine{Name: lineName(p, g.Name, l.Name), Number: p.Int(l.N)}
			if l.Few {
				line.Number = few
			}
			if l.Few && g.Name == "lowered" {
				rest = true // most of the many reasons are rare
				continue
			}
			table.Lines = append(table.Lines, line)
		}
		switch {
		case rest && len(table.Lines) == 0:
			table.Lines = []fairplayview.SeasonLine{{Name: p.T("season.every"), Number: few}}
		case rest:
			table.Lines = append(table.Lines, fairplayview.SeasonLine{Name: p.T("season.rest"), Number: few})
		}
		view.Groups = append(view.Groups, table)
	}
	return view
}

func seasonTitle(p lang.Printer, s review.Season) string {
	return p.T("season.name."+strconv.Itoa(s.Quarter), "Year", strconv.Itoa(s.Year))
}

// lineName returns the name of a line, as on the pages where it is counted.
func lineName(p lang.Printer, group, line string) string {
	switch group {
	case "demanded", "achieved":
		return p.T("fairplay.level." + line)
	case "opened":
		return p.T("review.opened-by." + line)
	case "decided":
		return p.T("review.decision." + line)
	}
	return p.T("season.line." + group + "." + line)
}

type (
	apiSeason struct {
		Season string                     `json:"season" doc:"which half of a year" example:"2026-2"`
		Over   bool                       `json:"over" doc:"whether it is over"`
		Counts map[string]map[string]*int `json:"counts" doc:"by subject and line; null where few are counted" example:"{\"demanded\":{\"verified\":12}}"`
	}
	apiSeasons struct {
		Floor   int         `json:"floor" doc:"smaller counts are withheld" example:"5"`
		Seasons []apiSeason `json:"seasons" doc:"the latest first"`
	}
	noInput struct{}
)

func (s pages) fairPlayNumbers(c echo.Context, _ noInput) (out apiSeasons, err error) {
	list, err := s.seasons(c.Request().Context())
	if err != nil {
		return out, err
	}
	out = apiSeasons{review.CountFloor, []apiSeason{}}
	for _, n := range list {
		season := apiSeason{Season: n.String(), Over: n.Over, Counts: map[string]map[string]*int{}}
		for _, g := range n.Groups {
			season.Counts[g.Name] = map[string]*int{}
			for _, l := range g.Lines {
				season.Counts[g.Name][l.Name] = nil
				if !l.Few {
					season.Counts[g.Name][l.Name] = &l.N
				}
			}
		}
		out.Seasons = append(out.Seasons, season)
	}
	return out, nil
}

// operatorFairPlay renders the fair-play page for operators.
func (s pages) operatorFairPlay(c echo.Context) error {
	p := s.Printer(c)
	var view fairplayview.OperatorFairPlayView
	begins, found := string(fairplay.InChallenges)+"/", ""
	view.Sought = c.QueryParam("player")
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if found, err = sought(tx, view.Sought, begins); err != nil || found != "" {
			return err
		}
		list, err := tx.SignalsElsewhere(page.MostElsewhere)
		if err != nil {
			return err
		}
		with, err := page.ReadSignalPeople(tx, list)
		if err != nil {
			return err
		}
		view.Elsewhere = with.Lines(p, list)
		if view.Noticed, err = noticed(tx, p, begins); err != nil {
			return err
		}
		view.Judges, err = judgeLines(tx, p)
		return err
	})
	if err != nil {
		return err
	}
	if found != "" {
		return c.Redirect(http.StatusSeeOther, found)
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return s.Render(c, http.StatusOK, fairplayview.OperatorFairPlayPage(s.Shell(c, p.T("fairplay.operator.title")), view))
}

// ladderFairPlay renders the fair-play page for those who judge on a ladder.
func (s pages) ladderFairPlay(c echo.Context) error {
	p, id := s.Printer(c), ladder.ID(c.Param("id"))
	var view fairplayview.LadderFairPlayView
	begins := string(fairplay.OnLadder) + "/" + string(id) + "/"
	found := ""
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		b, err := assurance.BenchOf(tx, assurance.OnLadder(id, s.Now()))
		if err != nil {
			return err
		}
		if !b.Sits(page.Viewer(c)) {
			return ladder.ErrNotAllowed
		}
		view.Ladder, view.Sought = templates.Link{Text: b.Name(), URL: words.LadderURL(id)}, c.QueryParam("player")
		if found, err = sought(tx, view.Sought, begins); err != nil || found != "" {
			return err
		}
		list, err := tx.SignalsOnLadder(id, page.MostElsewhere)
		if err != nil {
			return err
		}
		with, err := page.ReadSignalPeople(tx, list)
		if err != nil {
			return err
		}
		view.Signals = with.Lines(p, list)
		view.Noticed, err = noticed(tx, p, begins)
		return err
	})
	if err != nil {
		return err
	}
	if found != "" {
		return c.Redirect(http.StatusSeeOther, found)
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	sh := s.Shell(c, p.T("fairplay.ladder.title"))
	sh.Section = "ladders"
	return s.Render(c, http.StatusOK, fairplayview.LadderFairPlayPage(sh, view))
}

// sought returns the address of the latest dossier of a player, by their handle, in places that begin so; empty if there is none.
func sought(tx *store.Tx, handle, begins string) (string, error) {
	if handle = strings.TrimSpace(handle); handle == "" {
		return "", nil
	}
	of, err := tx.PlayerByHandle(player.Handle(handle))
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	places, err := tx.PlacesOf(of.ID)
	for _, in := range places {
		if strings.HasPrefix(string(in), begins) {
			return judges.DossierPath(in, of.Handle), err
		}
	}
	return "", err
}

// noticed returns links to the dossiers of those about whom something is recorded in places that begin so.
func noticed(tx *store.Tx, p lang.Printer, begins string) (list []fairplayview.NoticedLine, err error) {
	people, err := tx.Noticed(begins, page.MostElsewhere)
	if err != nil {
		return nil, err
	}
	var ids []player.ID
	for _, s := range people {
		ids = append(ids, s.Player)
	}
	who, err := tx.Players(ids...)
	for _, s := range people {
		_, _, season, _ := s.Place.Parts()
		when, _ := review.ParseSeason(season)
		l := fairplayview.NoticedLine{Dossier: templates.Link{URL: judges.DossierPath(s.Place, who[s.Player].Handle), Text: string(who[s.Player].Handle)},
			Season: seasonTitle(p, when)}
		if s.Runs {
			l.Review = p.T("fairplay.noticed.runs")
		}
		list = append(list, l)
	}
	return list, err
}

// judgeLines returns the counts of each judge, the latest season first.
func judgeLines(tx *store.Tx, p lang.Printer) (out []fairplayview.JudgeSeason, err error) {
	counts, err := tx.JudgeCounts()
	if err != nil {
		return nil, err
	}
	var ids []player.ID
	var seasons []review.Season
	for season, judges := range counts {
		seasons = append(seasons, season)
		ids = slices.AppendSeq(ids, maps.Keys(judges))
	}
	who, err := tx.Players(ids...)
	slices.SortFunc(seasons, func(a, b review.Season) int { return strings.Compare(b.String(), a.String()) })
	for _, season := range seasons {
		view := fairplayview.JudgeSeason{ID: season.String(), Title: seasonTitle(p, season)}
		for id, c := range counts[season] {
			line := fairplayview.JudgeLine{Name: string(who[id].Handle), URL: words.PlayerURL(who[id].Handle)}
			for _, name := range review.JudgeCounts {
				line.Numbers = append(line.Numbers, p.Int(c[name]))
			}
			view.Lines = append(view.Lines, line)
		}
		slices.SortFunc(view.Lines, func(a, b fairplayview.JudgeLine) int { return p.Compare(a.Name, b.Name) })
		out = append(out, view)
	}
	return out, err
}
