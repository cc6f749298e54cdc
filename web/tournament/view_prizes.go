package tournament

import (
	"cmp"
	"slices"
	"strconv"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/words"
)

// prizePlace names a prize: its list and the place in it.
func prizePlace(p lang.Printer, f prize.Fund, list, place int) string {
	switch {
	case place == 0:
		return p.T("prize.share-of", "List", words.PrizeListText(p, f, list))
	case list == 0:
		return p.T("prize.place-n", "Place", place)
	}
	return words.PrizeListText(p, f, list) + ", " + p.T("prize.place-n", "Place", place)
}

func prizesView(p lang.Printer, v player.Viewer, t *tournament.Tournament, allotted tables.Prizes) tournamentview.PrizesView {
	f := t.Prizes
	view := tournamentview.PrizesView{
		Total: words.MoneyText(p, f.Total(), f.Currency), Held: prizesHeld(p, t),
		Played: len(allotted.Lines) > 0, CSV: words.PrizesURL(t.ID) + ".csv",
	}
	if t.Prizes.IsZero() {
		view.Total = ""
	}
	view.Sharing = sharingText(p, f.Sharing)
	if t.May(v, tournament.ActPrizes) && !t.Status.IsOver() {
		view.Edit = words.PrizesURL(t.ID) + "/edit"
	}
	if t.May(v, tournament.ActDesk) && view.Played && view.Held == "" {
		view.Receipts = words.PrizesURL(t.ID) + "/receipts"
	}
	own, entered := t.EntryOf(v.ID)
	mine := own
	if mine.Team != 0 { // teams win
		mine, _ = t.Entry(mine.Team)
	}
	for list := 0; list <= len(f.Categories); list++ {
		amounts := f.Places
		if list > 0 {
			amounts = f.Categories[list-1].Amounts
		}
		if len(amounts) == 0 {
			continue
		}
		g := tournamentview.PrizeGroup{Title: words.PrizeListText(p, f, list)}
		if f.IsOfBoard(list) {
			if g.Mine = !t.Status.IsOver() && isOfBoard(t, own, f.Categories[list-1]); g.Mine {
				g.Verdict = p.T("prize.in")
			}
		} else if list > 0 && entered && mine.Status == tournament.Active && !t.Status.IsOver() {
			g.Mine = f.Categories[list-1].Admits(tables.PrizePlayer(t, mine))
			g.Verdict = prizeVerdict(p, f.Categories[list-1], mine, g.Mine)
		}
		for _, l := range allotted.Lines {
			if l.List == list {
				g.Lines = append(g.Lines, prizeLine(p, v, t, l))
			}
		}
		if !view.Played {
			for i, a := range amounts {
				g.Lines = append(g.Lines, tournamentview.PrizeLine{Place: words.Itoa(i + 1), Amount: words.MoneyText(p, a, f.Currency)})
			}
		}
		for _, l := range allotted.Left {
			if l.List == list && view.Played {
				g.Lines = append(g.Lines, tournamentview.PrizeLine{Place: words.Itoa(l.Place), Back: true,
					Amount: words.MoneyText(p, l.Amount, f.Currency)})
			}
		}
		view.Groups = append(view.Groups, g)
	}
	if view.Played {
		view.Paid = words.MoneyText(p, allotted.Paid, f.Currency)
	}
	fillAges(p, v, t, &view)
	return view
}

// isOfBoard reports whether a player of a team is one of those for whom a list of prizes is, by the order of the team.
func isOfBoard(t *tournament.Tournament, e tournament.Entry, c prize.Category) bool {
	at := slices.IndexFunc(t.Roster(e.Team), func(m tournament.Entry) bool { return m.ID == e.ID }) + 1
	if at > t.Teams.Boards {
		at = prize.Reserves
	}
	return c.Admits(prize.Player{Board: at})
}

// prizesHeld says why nothing is paid yet; empty once the results are signed off, or if nothing was played.
func prizesHeld(p lang.Printer, t *tournament.Tournament) string {
	if len(t.Rounds) == 0 || t.Status == tournament.Finalized {
		return ""
	}
	if until, provisional := t.ProvisionalUntil(); provisional && !until.IsZero() {
		return p.T("prize.held-until", "Date", p.On(until))
	}
	return p.T("prize.held")
}

// prizeVerdict tells a player whether they can win in a category, and why not.
func prizeVerdict(p lang.Printer, c prize.Category, e tournament.Entry, in bool) string {
	switch {
	case in:
		return p.T("prize.in")
	case c.Kind == prize.Under && e.Rating == 0:
		return p.T("prize.out.unrated")
	case c.Kind == prize.Under:
		return p.T("prize.out.rating", "Rating", e.Rating)
	case c.Kind == prize.Club:
		return p.T("prize.out.club")
	case e.Born == 0:
		return p.T("prize.out.no-year")
	}
	return p.T("prize.out.year", "Year", e.Born)
}

func prizeLine(p lang.Printer, v player.Viewer, t *tournament.Tournament, l tables.PrizeLine) tournamentview.PrizeLine {
	f := t.Prizes
	line := tournamentview.PrizeLine{
		Place: "–", Player: words.EntryRefOf(t, l.Entry), Rank: words.Itoa(l.Rank), Score: words.TotalText(p, t, l.Score),
		Amount: words.MoneyText(p, l.Amount, f.Currency), IsMe: v.Is(l.Entry.Player),
	}
	if f.IsOfBoard(l.List) {
		line.Score, line.Player.Team = words.ScoreText(p, l.Score), words.NameOf(p, t, l.Entry.Team)
	}
	if l.Place > 0 {
		line.Place = words.Itoa(l.Place)
	}
	if l.Shared == 1 {
		return line
	}
	pool := words.MoneyText(p, l.Pool, f.Currency)
	isEven := l.Amount*int64(l.Shared) < l.Pool+int64(l.Shared) && l.Pool < (l.Amount+1)*int64(l.Shared) // up to rounding
	switch {
	case f.SharingOf(l.List) == prize.Hort && !isEven && l.Own == 0:
		line.How = p.N("prize.how.behind", l.Shared, "Pool", pool)
	case f.SharingOf(l.List) == prize.Hort && !isEven:
		line.How = p.N("prize.how.hort", l.Shared, "Own", words.MoneyText(p, l.Own, f.Currency), "Pool", pool)
	default:
		line.How = p.N("prize.how.equal", l.Shared, "Pool", pool)
	}
	if l.Rounded > 0 {
		line.How += p.T("prize.how.rounded", "Rest", words.MoneyText(p, l.Rounded, f.Currency))
	}
	return line
}

// fillAges offers to declare the years of birth that prizes ask for: the viewer's own or, for staff, everybody's.
func fillAges(p lang.Printer, v player.Viewer, t *tournament.Tournament, view *tournamentview.PrizesView) {
	if !t.Prizes.AsksAge() || t.Status == tournament.Finalized || t.HasTeams() {
		return
	}
	isStaff := t.May(v, tournament.ActDeclare)
	for _, e := range t.Entries {
		if e.Status != tournament.Active || e.Bot || !isStaff && !v.Is(e.Player) {
			continue
		}
		line := tournamentview.AgeLine{Name: e.Name, Action: words.EntryURL(t.ID, e.ID) + "/born", Field: "born-" + words.Itoa(int(e.ID)),
			Year: words.NumberText(e.Born)}
		if v.Is(e.Player) {
			view.Own = &line
		}
		if isStaff {
			view.Ages = append(view.Ages, line)
		}
	}
}

func sharingText(p lang.Printer, way prize.Sharing) string {
	return p.T("prize.sharing." + cmp.Or(string(way), "alone"))
}

func prizeFormView(p lang.Printer, t *tournament.Tournament, in fundText) tournamentview.PrizeFormView {
	view := tournamentview.PrizeFormView{
		Action: words.PrizesURL(t.ID), IsOver: t.Status.IsOver(),
		Places: templates.Field{Name: "places", Label: p.T("prize.form.places"), Hint: p.T("prize.form.places-hint"), Value: in.places, Max: 600,
			Autocomplete: "off"},
	}
	if !t.Prizes.IsZero() {
		view.List = words.PrizesURL(t.ID)
	}
	for _, code := range prize.Currencies {
		view.Currencies = append(view.Currencies, templates.Choice{Value: code, Text: code, Chosen: code == in.currency})
	}
	for _, way := range []prize.Sharing{prize.Hort, prize.Equal, prize.Alone} {
		view.Sharing = append(view.Sharing, templates.Choice{Value: string(way), Text: sharingText(p, way), Chosen: string(way) == in.sharing})
	}
	for i, x := range in.boards {
		bound, _ := strconv.Atoi(x.bound)
		view.Boards = append(view.Boards, templates.Field{Name: "board-" + words.Itoa(i+1), Value: x.amounts, Max: 300, Autocomplete: "off",
			Label: p.T("prize.kind."+x.kind, "Bound", bound)})
	}
	kinds := prize.PlayerGroups
	view.Bound, view.GroupsHint = p.T("prize.form.bound"), p.T("prize.form.categories-hint")
	if t.HasTeams() {
		kinds = prize.TeamGroups
		view.Bound, view.GroupsHint = p.T("prize.form.bound-teams"), p.T("prize.form.categories-hint-teams")
	}
	rows := min(len(in.categories)+spareCategories, prize.MaxCategories)
	for i := range rows {
		var x categoryText
		if i < len(in.categories) {
			x = in.categories[i]
		}
		row := tournamentview.CategoryRow{N: words.Itoa(i), Bound: x.bound, Amounts: x.amounts,
			Kinds: []templates.Choice{{Text: p.T("prize.form.none")}}}
		for _, k := range kinds {
			row.Kinds = append(row.Kinds, templates.Choice{Value: string(k), Text: p.T("prize.form.kind." + string(k)), Chosen: string(k) == x.kind})
		}
		view.Categories = append(view.Categories, row)
	}
	return view
}
