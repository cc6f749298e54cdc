package words

import (
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/prize"
)

// MoneyText renders an amount: €600, 31,67 ₴. Whole amounts have no decimals.
func MoneyText(p lang.Printer, amount int64, currency string) string {
	unit := int64(1)
	for range prize.Digits[currency] {
		unit *= 10
	}
	text := p.Int(int(amount / unit))
	if amount%unit != 0 {
		text = p.Decimal(float64(amount)/float64(unit), prize.Digits[currency])
	}
	return p.T("prize.money."+currency, "Amount", text)
}

// PrizeListText names a list of prizes; 0 is the one by places.
func PrizeListText(p lang.Printer, f prize.Fund, list int) string {
	if list == 0 {
		return p.T("prize.places")
	}
	c := f.Categories[list-1]
	return p.T("prize.kind."+string(c.Kind), "Bound", c.Bound, "Club", c.Club)
}
