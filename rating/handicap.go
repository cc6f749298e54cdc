package rating

// handicapSteps is the table of chip handicaps: from each of these differences in points
// on, the weaker player has one more chip. Six is the limit: with more, a player could be
// left with chips that no target takes (Rules 5.3; D6 counts on equal purses; see
// bidding.MaxExtra).
var handicapSteps = [...]int{100, 200, 300, 400, 500, 600}

// HandicapChips is how many more chips than the opponent a player has; negative: fewer.
// Without both ratings there is no handicap.
func HandicapChips(own, opponent Rating) int {
	if own == 0 || opponent == 0 {
		return 0
	}
	difference := opponent.Whole() - own.Whole()
	chips := 0
	for _, from := range handicapSteps {
		if max(difference, -difference) >= from {
			chips++
		}
	}
	if difference < 0 {
		return -chips
	}
	return chips
}

// HandicapRow is a row of the published table: from so many points, so many chips.
type HandicapRow struct{ From, Chips int }

// HandicapTable is the published table.
func HandicapTable() []HandicapRow {
	rows := []HandicapRow{{0, 0}}
	for i, from := range handicapSteps {
		rows = append(rows, HandicapRow{from, i + 1})
	}
	return rows
}
