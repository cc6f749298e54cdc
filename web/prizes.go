package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
)

func (s *Server) prizeRoutes() []route {
	return []route{
		{get, "/tournaments/:id/prizes", s.prizes, anyone},
		{post, "/tournaments/:id/prizes", s.setPrizes, signedIn},
		{get, "/tournaments/:id/prizes/edit", s.prizeForm, signedIn},
		{get, "/tournaments/:id/prizes/receipts", s.receipts, signedIn},
		{get, "/tournaments/:id/prizes.csv", s.prizesCSV, anyone},
		{post, "/tournaments/:id/entries/:entry/born", s.declareBorn, signedIn},
	}
}

func prizesURL(id tournament.ID) string { return tournamentURL(id) + "/prizes" }

// prizes is what there is to win, who has won it, and what the viewer can win.
func (s *Server) prizes(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	return s.showPrizes(c, t, nil)
}

func (s *Server) showPrizes(c echo.Context, t *tournament.Tournament, refused error) error {
	p := s.printer(c)
	if t.Prizes.IsZero() && !t.May(viewer(c), tournament.ActPrizes) {
		return store.ErrNotFound
	}
	allotted, err := arbiter.AllotPrizes(t)
	if err != nil {
		return err
	}
	view := prizesView(p, viewer(c), t, allotted)
	view.Head = s.tournamentHead(c, t, "/prizes")
	status, why := refusalStatus(p, refused)
	view.Trouble = why
	return s.render(c, status, tournamentview.PrizesPage(s.tournamentShell(c, t, p.T("prize.title"), "prizes"), view))
}

// prizeForm is where an owner says what there is to win.
func (s *Server) prizeForm(c echo.Context) error {
	t, err := s.tournamentFor(c, tournament.ActPrizes)
	if err != nil {
		return err
	}
	return s.showPrizeForm(c, t, fundWords(t.Prizes), nil)
}

func (s *Server) showPrizeForm(c echo.Context, t *tournament.Tournament, in fundText, refused error) error {
	p := s.printer(c)
	view := prizeFormView(p, t, in)
	view.Head = s.tournamentHead(c, t, "/prizes/edit")
	status, why := refusalStatus(p, refused)
	view.Trouble = why
	return s.render(c, status, tournamentview.PrizeFormPage(s.tournamentShell(c, t, p.T("prize.title"), ""), view))
}

func (s *Server) setPrizes(c echo.Context) error {
	t, err := s.tournamentFor(c, tournament.ActPrizes)
	if err != nil {
		return err
	}
	in := readFundText(c)
	fund, err := in.fund()
	if err == nil {
		err = s.arbiter.SetPrizes(c.Request().Context(), viewer(c), t.ID, fund)
	}
	if isRefusal(err) {
		return s.showPrizeForm(c, t, in, err)
	}
	if err != nil {
		return err
	}
	if fund.IsZero() {
		return s.redirect(c, tournamentURL(t.ID), "flash.saved")
	}
	return s.redirect(c, prizesURL(t.ID), "flash.saved")
}

// fundText is a fund as the form has it.
type fundText struct {
	currency, places, sharing string
	categories                []categoryText
}

type categoryText struct{ kind, bound, amounts string }

// spareCategories is how many empty ones the form offers.
const spareCategories = 2

func fundWords(f prize.Fund) fundText {
	in := fundText{currency: f.Currency, places: prize.PlainAmounts(f.Places, f.Currency), sharing: string(f.Sharing)}
	if f.IsZero() {
		in.sharing = string(prize.Hort)
	}
	for _, x := range f.Categories {
		bound := x.Club
		if x.Kind != prize.Club {
			bound = itoa(x.Bound)
		}
		in.categories = append(in.categories, categoryText{string(x.Kind), bound, prize.PlainAmounts(x.Amounts, f.Currency)})
	}
	return in
}

func readFundText(c echo.Context) fundText {
	in := fundText{shorten(c.FormValue("currency"), 3), shorten(c.FormValue("places"), 600), shorten(c.FormValue("sharing"), 10), nil}
	for i := range prize.MaxCategories {
		n := itoa(i)
		x := categoryText{shorten(c.FormValue("kind-"+n), 10), strings.TrimSpace(shorten(c.FormValue("bound-"+n), 100)), shorten(c.FormValue("amounts-"+n), 300)}
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
	for _, x := range in.categories {
		category := prize.Category{Kind: prize.Kind(x.kind)}
		if category.Amounts, err = prize.ParseAmounts(x.amounts, f.Currency); err != nil {
			return f, err
		}
		if category.Kind == prize.Club {
			category.Club = x.bound
		} else if category.Bound, err = strconv.Atoi(x.bound); err != nil {
			return f, prize.ErrCategory
		}
		f.Categories = append(f.Categories, category)
	}
	return f, f.Validate()
}

// declareBorn notes a year of birth, the player's own or by staff.
func (s *Server) declareBorn(c echo.Context) error {
	id, entry, err := entryOfPath(c)
	if err != nil {
		return err
	}
	year := 0
	if text := strings.TrimSpace(c.FormValue("born")); text != "" {
		if year, err = strconv.Atoi(text); err != nil {
			year = -1 // and is refused
		}
	}
	err = s.arbiter.DeclareBorn(c.Request().Context(), viewer(c), id, entry, year)
	if isRefusal(err) {
		t, readErr := s.seenTournament(c)
		if readErr != nil {
			return readErr
		}
		return s.showPrizes(c, t, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, prizesURL(id), "flash.saved")
}

// entryOfPath is the entry that an address names.
func entryOfPath(c echo.Context) (tournament.ID, tournament.EntryID, error) {
	n, err := strconv.Atoi(c.Param("entry"))
	if err != nil {
		return "", 0, store.ErrNotFound
	}
	return tournament.ID(c.Param("id")), tournament.EntryID(n), nil
}

// receipts are the prizes to sign for, one after another, for printing.
func (s *Server) receipts(c echo.Context) error {
	t, err := s.tournamentFor(c, tournament.ActDesk)
	if err != nil {
		return err
	}
	allotted, err := arbiter.AllotPrizes(t)
	if err != nil {
		return err
	}
	var officials []string
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		officials, err = arbiter.Officials(tx, t)
		return err
	})
	if err != nil {
		return err
	}
	p := s.printer(c)
	view := tournamentview.ReceiptsView{
		Head: s.tournamentHead(c, t, "/prizes/edit"), Event: t.Name, Date: p.Date(s.now()), Arbiters: strings.Join(officials, ", "),
		Draft: t.Status != tournament.Finalized,
	}
	if !t.EndedAt.IsZero() {
		view.Date = p.Date(t.EndedAt)
	}
	for i, l := range allotted.Lines {
		view.Lines = append(view.Lines, tournamentview.ReceiptLine{
			No: itoa(i + 1), Name: l.Entry.Name, Prize: prizePlace(p, t.Prizes, l.List, l.Place), Amount: moneyText(p, l.Amount, t.Prizes.Currency),
		})
	}
	view.Total = moneyText(p, allotted.Paid, t.Prizes.Currency)
	return s.render(c, http.StatusOK, tournamentview.ReceiptsPage(s.tournamentShell(c, t, p.T("prize.receipts"), ""), view))
}

func (s *Server) prizesCSV(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	if t.Prizes.IsZero() {
		return store.ErrNotFound
	}
	allotted, err := arbiter.AllotPrizes(t)
	if err != nil {
		return err
	}
	rows := arbiter.PrizeRows(t, allotted)
	for i, row := range rows[1:] {
		for j, cell := range row {
			rows[i+1][j] = plainCell(cell)
		}
	}
	return sendCSV(c, "prizes.csv", rows)
}

type (
	// apiPrizes is a fund and who gets what of it; amounts are in the currency's
	// smallest unit.
	apiPrizes struct {
		Currency   string           `json:"currency"`
		Places     []int64          `json:"places"`
		Sharing    prize.Sharing    `json:"sharing"`
		Categories []prize.Category `json:"categories"`
		Final      bool             `json:"final"` // the standings are signed off
		Awards     []apiAward       `json:"awards"`
		Left       []apiLeftPrize   `json:"left"`
	}
	apiAward struct {
		Player  string `json:"player"`
		Rank    int    `json:"rank"`
		List    string `json:"list"`
		Place   int    `json:"place"` // in the list; 0: behind its prizes, by sharing only
		Own     int64  `json:"own"`
		Shared  int    `json:"shared"`
		Pool    int64  `json:"pool"`
		Rounded int64  `json:"rounded"`
		Amount  int64  `json:"amount"`
	}
	apiLeftPrize struct {
		List   string `json:"list"`
		Place  int    `json:"place"`
		Amount int64  `json:"amount"`
	}
)

func apiPrizesOf(t *tournament.Tournament) (*apiPrizes, error) {
	allotted, err := arbiter.AllotPrizes(t)
	if err != nil {
		return nil, err
	}
	f := t.Prizes.Clone()
	out := &apiPrizes{
		Currency: f.Currency, Places: append([]int64{}, f.Places...), Sharing: f.Sharing, Categories: append([]prize.Category{}, f.Categories...),
		Final: t.Status == tournament.Finalized, Awards: []apiAward{}, Left: []apiLeftPrize{},
	}
	for _, l := range allotted.Lines {
		out.Awards = append(out.Awards, apiAward{l.Entry.Name, l.Rank, arbiter.PrizeList(f, l.List), l.Place, l.Own, l.Shared, l.Pool, l.Rounded, l.Amount})
	}
	for _, l := range allotted.Left {
		out.Left = append(out.Left, apiLeftPrize{arbiter.PrizeList(f, l.List), l.Place, l.Amount})
	}
	return out, nil
}

func (s *Server) apiPrizes(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	out, err := apiPrizesOf(t)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// apiSetPrizes replaces the fund; nothing in it: there are no prizes.
func (s *Server) apiSetPrizes(c echo.Context) error {
	var in prize.Fund
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.arbiter.SetPrizes(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), in); err != nil {
		return err
	}
	return s.apiPrizes(c)
}

// apiDeclareBorn notes the year an entry says it was born in; 0 takes it back.
func (s *Server) apiDeclareBorn(c echo.Context) error {
	var in struct {
		Year int `json:"year"`
	}
	id, entry, err := entryOfPath(c)
	if err == nil {
		err = readJSON(c, &in, false)
	}
	if err == nil {
		err = s.arbiter.DeclareBorn(c.Request().Context(), viewer(c), id, entry, in.Year)
	}
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// prizeFact is what the first page says of the prizes: all of them, and those of
// the first places; nil: there are none.
func (s *Server) prizeFact(c echo.Context, t *tournament.Tournament) *templates.TournamentFact {
	if t.Prizes.IsZero() {
		return nil
	}
	p := s.printer(c)
	var first []string
	for i, a := range t.Prizes.Places {
		if i == 3 {
			first = append(first, "…")
			break
		}
		first = append(first, moneyText(p, a, t.Prizes.Currency))
	}
	return &templates.TournamentFact{
		Name: p.T("prize.fund"), Value: moneyText(p, t.Prizes.Total(), t.Prizes.Currency), Hint: strings.Join(first, " · "),
	}
}
