// Package teamswiss pairs teams by FIDE's Swiss Team Pairing System (C.04.6, in force since
// February 1, 2026): exactly the pairing of the rules, or none if none is legal. The players of
// its field are teams, their numbers the tournament pairing numbers (TPN).
//
// Articles: 1.4 bye (bye.go), 1.5 to 1.7 floaters and seats so far (team.go), 3.5 upfloaters
// (upfloaters.go), 3.6 pairs of a bracket (bracket.go), 4 seats (seats.go). First is White, and a
// team's seat is that of its first board.
//
// Where the text leaves room:
//   - A criterion that is to be minimised is complied with by whoever attains the minimum (2.3, 3.6.4).
//   - C5 is taken among the sets of the least size (C4) that are legal: the bracket can be paired, and
//     so can all others. The example at 3.5.4 follows when its three best cannot be paired.
//   - The following scoregroup (C6) is the next lower score of the round. Once all its teams are
//     paired it is empty, and nothing is asked of the one below.
//   - The parity of 4.3.1 is that of the number among the teams that have arrived; a team that is
//     absent keeps its number.
//   - In the last round a team of type B with the difference 0 still has a strong preference after
//     two matches on one seat; only the mild one ends.
//   - A match in which nobody played is no meeting, gives no seat and no float. One decided by
//     forfeit in which a game was played is a match that was played, and its winner gets no bye.
package teamswiss
