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
		Place   int    `json:"place"` // in the list; 0: below the prizes, paid only by sharing
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
		out.Awards = append(out.Awards, apiAward{l.Entry.Name, l.Rank, tables.PrizeList(f, l.List), l.Place, l.Own, l.Shared, l.Pool, l.Rounded,
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
