package rating

import "slices"

// The two conversion tables of FIDE B.02, 8.1: handbook data, not a formula.

// differenceOf is 8.1.1: the rating difference dp of a score of 50…100 %.
var differenceOf = [51]int{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
	72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
	149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
	240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
	366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
	800,
}

// lastOf is 8.1.2: the largest rating difference at which the stronger player
// is expected to score 50…99 %; beyond the last they are expected to win.
var lastOf = [50]int{
	3, 10, 17, 25, 32, 39, 46, 53, 61, 68,
	76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
	153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
	245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
	374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
}

// Difference is dp (B.02, 8.1.1): the rating difference for a score of percent, 0…100.
// Full and zero scores count as 800.
func Difference(percent int) int {
	percent = max(0, min(100, percent))
	if percent < 50 {
		return -differenceOf[50-percent]
	}
	return differenceOf[percent-50]
}

// Expected is PD (B.02, 8.1.2): the expected score in percent of a player rated higher by
// difference (negative: lower). The caller applies the 400-point rule.
func Expected(difference int) int {
	above, _ := slices.BinarySearch(lastOf[:], max(difference, -difference))
	if difference < 0 {
		return 50 - above
	}
	return 50 + above
}
