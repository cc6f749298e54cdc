package teamswiss

// Keys of reasons, with the arguments that their texts may use; others are those of package swiss.
const (
	SeatBalance   = "pairing.team.seat.balance"  // Player, Other (4.3.5)
	SeatDiffered  = "pairing.team.seat.differed" // Player, Other (4.3.6)
	SeatFirstTeam = "pairing.team.seat.first"    // Player, Other (4.3.8)
	SeatOtherTeam = "pairing.team.seat.other"    // Player, Other (4.3.9)
)
