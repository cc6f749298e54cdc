package tournament

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// isDrawn reports whether the tournament draws lots that everybody can check.
func isDrawn(t *tournament.Tournament) bool {
	return (drawsNumbers(t) || t.DrawsLots() || makesGroups(t)) && (t.Seed != "" || t.Promise != "")
}

// makesGroups reports whether groups are still to be made, perhaps by lot.
func makesGroups(t *tournament.Tournament) bool { return t.Groups > 0 && t.Origin == nil }

// drawsNumbers reports whether numbers are drawn by lot.
func drawsNumbers(t *tournament.Tournament) bool {
	return t.Numbering == tournament.Lots || t.Numbering == tournament.Pots || t.Numbering == tournament.Varma
}

func (s pages) draw(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if !isDrawn(t) {
		return store.ErrNotFound
	}
	return s.Render(c, http.StatusOK, tournamentview.DrawPage(s.TournamentShell(c, t, s.Printer(c).T("draw.title"), "info"), s.drawView(c, t)))
}

func (s pages) drawView(c echo.Context, t *tournament.Tournament) tournamentview.DrawView {
	p := s.Printer(c)
	view := tournamentview.DrawView{Head: s.TournamentHead(c, t, "/draw"), Lead: p.T("draw.promised")}
	if t.Seed == "" {
		if makesGroups(t) {
			view.Lead = p.T("draw.promised-groups")
		}
		view.Facts = append(view.Facts, words.Fact(p.T("draw.promise"), t.Promise))
		return view
	}
	view.Lead, view.Log = p.T("draw.drawn"), words.TournamentURL(t.ID)+"/log.jsonl"
	if given := draw.PromiseOf(t.Seed); given != "" {
		view.Facts = append(view.Facts, words.Fact(p.T("draw.promise"), given))
	}
	seed := words.Fact(p.T("draw.seed"), t.Seed)
	if t.DrawsLots() && t.Promise == t.Seed {
		seed.Hint = p.T("draw.promise-next")
	}
	view.Facts = append(view.Facts, seed)
	if t.DrawsLots() && t.Promise != t.Seed && t.Promise != "" && !t.Status.IsOver() {
		view.Facts = append(view.Facts, words.Fact(p.T("draw.promise-lots"), t.Promise))
	}
	view.Pots, view.Together = drawnPots(p, t)
	return view
}

// drawnPots returns the players by number and pot, and the club mates who meet in the first round all the same.
func drawnPots(p lang.Printer, t *tournament.Tournament) (pots []tournamentview.DrawPot, together []string) {
	if !drawsNumbers(t) {
		return nil, nil
	}
	list := slices.DeleteFunc(slices.Clone(t.Entries), func(e tournament.Entry) bool { return e.Number == 0 })
	slices.SortFunc(list, func(a, b tournament.Entry) int { return a.Number - b.Number })
	add := func(key string, low, high int) {
		pot := tournamentview.DrawPot{Title: p.T(key, "From", p.Int(low+1), "To", p.Int(high))}
		for _, e := range list[low:high] {
			pot.Players = append(pot.Players, tournamentview.DrawnPlayer{Number: words.Itoa(e.Number), Player: words.EntryRefOf(t, e)})
		}
		pots = append(pots, pot)
	}
	if t.Numbering != tournament.Pots {
		add("draw.by-lot", 0, len(list))
	} else {
		add("draw.by-rating", 0, min(2, len(list)))
		for low, high := range contest.Pots(len(list)) {
			add("draw.by-lot", low, high)
		}
	}
	if !t.Format.HasBracket() {
		return pots, nil
	}
	for a, b := range contest.FirstPairs(len(list)) {
		if one, other := list[a-1], list[b-1]; one.IsMateOf(other) {
			together = append(together, p.T("draw.together", "A", words.EntryName(p, one), "B", words.EntryName(p, other), "Club", one.Club))
		}
	}
	return pots, together
}

// drawLink links to the draw.
func drawLink(p lang.Printer, t *tournament.Tournament) templates.Link {
	return templates.Link{Text: p.T("draw.title"), URL: words.TournamentURL(t.ID) + "/draw"}
}

func (s pages) drawRoutes() []page.Route {
	return []page.Route{page.Get("/tournaments/:id/draw", s.draw, page.Anyone)}
}
