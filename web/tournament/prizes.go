package tournament

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s prizes) prizeRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/prizes", s.prizes, page.Anyone),
		page.Post("/tournaments/:id/prizes", s.setPrizes, page.SignedIn),
		page.Get("/tournaments/:id/prizes/edit", s.prizeForm, page.SignedIn),
		page.Get("/tournaments/:id/prizes/receipts", s.receipts, page.SignedIn),
		page.Get("/tournaments/:id/prizes.csv", s.prizesCSV, page.Anyone),
		page.Post("/tournaments/:id/entries/:entry/born", s.declareBorn, page.SignedIn),
	}
}

// prizes shows what there is to win, who has won it, and what the viewer can win.
func (s prizes) prizes(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	return s.showPrizes(c, t, nil)
}

func (s prizes) showPrizes(c echo.Context, t *tournament.Tournament, refused error) error {
	p := s.Printer(c)
	if t.Prizes.IsZero() && !t.May(page.Viewer(c), tournament.ActPrizes) {
		return store.ErrNotFound
	}
	allotted, err := tables.AllotPrizes(t)
	if err != nil {
		return err
	}
	view := prizesView(p, page.Viewer(c), t, allotted)
	if view.Changes, err = s.prizeChanges(c, t); err != nil {
		return err
	}
	view.Head = s.TournamentHead(c, t, "/prizes")
	status, why := page.RefusalStatus(p, refused)
	view.Trouble = why
	return s.Render(c, status, tournamentview.PrizesPage(s.TournamentShell(c, t, p.T("prize.title"), "prizes"), view))
}

// prizeChanges returns how the prizes have changed since the results were last signed off.
func (s prizes) prizeChanges(c echo.Context, t *tournament.Tournament) (lines []templates.PrizeChange, err error) {
	if t.Prizes.IsZero() || !t.Status.IsOver() {
		return nil, nil
	}
	deeds, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]ledger.Deed, error) { return tx.Deeds(t.ID) })
	if err != nil {
		return nil, err
	}
	before, err := events.SignedBefore(t, deeds)
	if err != nil || before == nil {
		return nil, err
	}
	changes, err := events.PrizeChanges(before, t)
	for _, x := range changes {
		lines = append(lines, words.PrizeChangeOf(s.Printer(c), t, x))
	}
	return lines, err
}

// prizeForm shows the form of the prize fund.
func (s prizes) prizeForm(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActPrizes)
	if err != nil {
		return err
	}
	return s.showPrizeForm(c, t, fundWords(t.Prizes, t.Teams), nil)
}

func (s prizes) showPrizeForm(c echo.Context, t *tournament.Tournament, in fundText, refused error) error {
	p := s.Printer(c)
	view := prizeFormView(p, t, in)
	view.Head = s.TournamentHead(c, t, "/prizes/edit")
	status, why := page.RefusalStatus(p, refused)
	view.Trouble = why
	return s.Render(c, status, tournamentview.PrizeFormPage(s.TournamentShell(c, t, p.T("prize.title"), ""), view))
}

func (s prizes) setPrizes(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActPrizes)
	if err != nil {
		return err
	}
	in := readFundText(c, t.Teams)
	fund, err := in.fund()
	if err == nil {
		err = s.Arbiter.Events.SetPrizes(c.Request().Context(), page.Viewer(c), t.ID, fund)
	}
	to := words.PrizesURL(t.ID)
	if fund.IsZero() {
		to = words.TournamentURL(t.ID)
	}
	return s.Answer(c, err, func(c echo.Context, refused error) error { return s.showPrizeForm(c, t, in, refused) }, to, "flash.saved")
}

// fundText is a prize fund as typed in the form.
type fundText struct {
	currency, places, sharing string
	boards                    []categoryText // of every board, and of reserves
	categories                []categoryText
}

type categoryText struct{ kind, bound, amounts string }

// boardTexts are the boards of an event of teams without prizes, the reserves last; none where players meet.
func boardTexts(teams tournament.Teams) (list []categoryText) {
	for n := 1; n <= teams.Boards; n++ {
		list = append(list, categoryText{kind: string(prize.Board), bound: words.Itoa(n)})
	}
	if teams.Reserves > 0 {
		list = append(list, categoryText{kind: string(prize.Reserve)})
	}
	return list
}

// spareCategories is how many empty categories the form offers.
const spareCategories = 2

func fundWords(f prize.Fund, teams tournament.Teams) fundText {
	in := fundText{boards: boardTexts(teams), currency: f.Currency, places: prize.PlainAmounts(f.Places, f.Currency), sharing: string(f.Sharing)}
	if f.IsZero() {
		in.sharing = string(prize.Hort)
	}
	for _, x := range f.Categories {
		bound := x.Club
		if x.Kind != prize.Club {
			bound = words.NumberText(x.Bound)
		}
		at := slices.IndexFunc(in.boards, func(b categoryText) bool { return b.kind == string(x.Kind) && b.bound == bound })
		if at >= 0 {
			in.boards[at].amounts = prize.PlainAmounts(x.Amounts, f.Currency)
			continue
		}
		in.categories = append(in.categories, categoryText{string(x.Kind), bound, prize.PlainAmounts(x.Amounts, f.Currency)})
	}
	return in
}

func readFundText(c echo.Context, teams tournament.Teams) fundText {
	in := fundText{currency: words.Shorten(c.FormValue("currency"), 3), places: words.Shorten(c.FormValue("places"), 600),
		sharing: words.Shorten(c.FormValue("sharing"), 10), boards: boardTexts(teams)}
	for i := range in.boards {
		in.boards[i].amounts = words.Shorten(c.FormValue("board-"+words.Itoa(i+1)), 300)
	}
	for i := range prize.MaxCategories {
		n := words.Itoa(i)
		x := categoryText{words.Shorten(c.FormValue("kind-"+n), 10), strings.TrimSpace(words.Shorten(c.FormValue("bound-"+n), 100)),
			words.Shorten(c.FormValue("amounts-"+n), 300)}
		if x.kind != "" || x.bound != "" || x.amounts != "" {
			in.categories = append(in.categories, x)
		}
	}
	return in
}

func (in fundText) fund() (f prize.Fund, err error) {
	f.Currency, f.Sharing = in.currency, prize.Sharing(in.sharing)
	if f.Places, err = prize.ParseAmounts(in.places, f.Currency); err != nil {
		return f, err
	}
	list := slices.DeleteFunc(slices.Clone(in.boards), func(x categoryText) bool { return strings.TrimSpace(x.amounts) == "" })
	for _, x := range append(list, in.categories...) {
		category := prize.Category{Kind: prize.Kind(x.kind)}
		if category.Amounts, err = prize.ParseAmounts(x.amounts, f.Currency); err != nil {
			return f, err
		}
		switch category.Kind {
		case prize.Club:
			category.Club = x.bound
		case prize.Reserve:
		default:
			if category.Bound, err = strconv.Atoi(x.bound); err != nil {
				return f, prize.ErrCategory
			}
		}
		f.Categories = append(f.Categories, category)
	}
	return f, f.Validate()
}

// declareBorn notes a year of birth, declared by the player or by staff.
func (s prizes) declareBorn(c echo.Context) error {
	id, entry, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	year := 0
	if text := strings.TrimSpace(c.FormValue("born")); text != "" {
		if year, err = strconv.Atoi(text); err != nil {
			year = -1 // which is refused
		}
	}
	err = s.Arbiter.Events.DeclareBorn(c.Request().Context(), page.Viewer(c), id, entry, year)
	again := func(c echo.Context, refused error) error {
		t, err := s.SeenTournament(c)
		if err != nil {
			return err
		}
		return s.showPrizes(c, t, refused)
	}
	return s.Answer(c, err, again, words.PrizesURL(id), "flash.saved")
}

// receipts shows the prizes to sign for, for printing.
func (s prizes) receipts(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActDesk)
	if err != nil {
		return err
	}
	allotted, err := tables.AllotPrizes(t)
	if err != nil {
		return err
	}
	officials, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]string, error) { return assurance.Officials(tx, t) })
	if err != nil {
		return err
	}
	p := s.Printer(c)
	view := tournamentview.ReceiptsView{
		Head: s.TournamentHead(c, t, "/prizes/edit"), Event: p.Event(t.Name), Date: p.Date(s.Now()), Arbiters: strings.Join(officials, ", "),
		Held: prizesHeld(p, t),
	}
	if view.Held != "" {
		allotted.Lines = nil // prizes that can still change are not signed for
	}
	if !t.EndedAt.IsZero() {
		view.Date = p.Date(t.EndedAt)
	}
	for i, l := range allotted.Lines {
		view.Lines = append(view.Lines, tournamentview.ReceiptLine{
			No: words.Itoa(i + 1), Name: words.EntryName(p, l.Entry), Prize: prizePlace(p, t.Prizes, l.List, l.Place),
			Amount: words.MoneyText(p, l.Amount, t.Prizes.Currency),
		})
	}
	view.Total = words.MoneyText(p, allotted.Paid, t.Prizes.Currency)
	return s.Render(c, http.StatusOK, tournamentview.ReceiptsPage(s.TournamentShell(c, t, p.T("prize.receipts"), ""), view))
}

func (s prizes) prizesCSV(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if t.Prizes.IsZero() {
		return store.ErrNotFound
	}
	allotted, err := tables.AllotPrizes(t)
	if err != nil {
		return err
	}
	return page.SendCSV(c, s.Printer(c).Event(t.Name), "prizes.csv", tables.PrizeRows(t, allotted))
}
