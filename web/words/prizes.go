package words

import (
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
)

type (
	// APIPrizes is a prize fund and its awards; amounts are in the currency's smallest unit.
	APIPrizes struct {
		Currency   string           `json:"currency" doc:"ISO 4217; amounts are in its smallest unit" example:"UAH"`
		Places     []int64          `json:"places" doc:"for the first, second …" example:"[300000,200000]"`
		Sharing    prize.Sharing    `json:"sharing" doc:"of the prizes of places and boards among those tied on points; empty: tie-breaks decide" enum:",equal,hort" example:"hort"`
		Categories []prize.Category `json:"categories" doc:"prizes for some of the players"`
		Final      bool             `json:"final" doc:"the results are signed off"`
		Awards     []apiAward       `json:"awards" doc:"who would win what as things stand"`
		Left       []apiLeftPrize   `json:"left" doc:"prizes that nobody gets"`
	}
	apiAward struct {
		Entry   tournament.EntryID `json:"entry" doc:"who, by entry"`
		Player  string             `json:"player" doc:"who, by name" example:"Anna Koval"`
		Rank    int                `json:"rank" doc:"in the table, or on their board" example:"1"`
		List    string             `json:"list" doc:"places, or the category: under 1500, club NAME, youth 2010, senior 1966, board 2, reserve" example:"places"`
		Place   int                `json:"place" doc:"in the list; 0: below its prizes, in by sharing only" example:"1"`
		Own     int64              `json:"own" doc:"the prize of that place" example:"300000"`
		Shared  int                `json:"shared" doc:"among how many" example:"1"`
		Pool    int64              `json:"pool" doc:"what is shared" example:"300000"`
		Rounded int64              `json:"rounded" doc:"what of the amount could not be divided" example:"0"`
		Amount  int64              `json:"amount" doc:"what they get" example:"300000"`
	}
	apiLeftPrize struct {
		List   string `json:"list" doc:"as in awards" example:"under 1500"`
		Place  int    `json:"place" doc:"in the list" example:"2"`
		Amount int64  `json:"amount" doc:"the prize" example:"50000"`
	}
)

// APIPrizesOf returns the prizes of a tournament for programs.
func APIPrizesOf(t *tournament.Tournament) (*APIPrizes, error) {
	allotted, err := tables.AllotPrizes(t)
	if err != nil {
		return nil, err
	}
	f := t.Prizes.Clone()
	out := &APIPrizes{
		Currency: f.Currency, Places: append([]int64{}, f.Places...), Sharing: f.Sharing, Categories: append([]prize.Category{}, f.Categories...),
		Final: t.Status == tournament.Finalized, Awards: []apiAward{}, Left: []apiLeftPrize{},
	}
	for _, l := range allotted.Lines {
		out.Awards = append(out.Awards, apiAward{l.Entry.ID, l.Entry.Name, l.Rank, tables.PrizeList(f, l.List), l.Place, l.Own, l.Shared, l.Pool, l.Rounded,
			l.Amount})
	}
	for _, l := range allotted.Left {
		out.Left = append(out.Left, apiLeftPrize{tables.PrizeList(f, l.List), l.Place, l.Amount})
	}
	return out, nil
}

// PrizeChangeOf renders a change of somebody's prize.
func PrizeChangeOf(p lang.Printer, t *tournament.Tournament, x events.PrizeChange) templates.PrizeChange {
	line := templates.PrizeChange{Player: EntryRefOf(t, x.Entry), Was: "–", Is: "–"}
	if x.Was > 0 {
		line.Was = MoneyText(p, x.Was, t.Prizes.Currency)
	}
	if x.Is > 0 {
		line.Is = MoneyText(p, x.Is, t.Prizes.Currency)
	}
	return line
}
