// Package notation writes and reads whole matches: the JSON record of Rules 11
// with its replay, and a text form for people.
//
// It refuses what is not a record, and a text that does not fit together. What
// the rules allow is engine/match's to say: an action of a record that they
// refuse stays in the record and is refused again whenever it is replayed.
//
// # Record
//
// Beside the keys of Rules 11 the platform writes, and replay ignores, for the
// record: players, event, site, round, board, started (RFC 3339), envelope,
// draws (commitment, and the seed once the match is over) and result; for an
// action: at, the milliseconds since the bidding began, and clock, those its
// player had left after it.
//
// # Text
//
// The text form is read line by line (UTF-8, LF or CRLF):
//
//	text    = { header | bid | draw | moves | act | raw | remark | blank }
//	header  = "[" KEY " " JSON "]"          a key of the record other than actions, in
//	                                        quotes unless it is a plain word; headers come first
//	bid     = LETTER " raises white with N" | LETTER " calls " TARGET " with N"
//	        | LETTER " raises time with N to M+I" | LETTER " raises homeRow with N to ROW"
//	        | LETTER " raises features with N to " JSON
//	draw    = "draw white: " LETTER | "draw time: " M "+" I
//	moves   = NUMBER ". " MOVE [ times ] [ " " MOVE [ times ] ] | NUMBER "... " MOVE [ times ]
//	act     = LETTER " undo" | LETTER " claims win" | LETTER " claims draw" | LETTER " resigns" | LETTER " flag"
//	raw     = "! " JSON                     an action the rules refuse, or with keys of its own
//	remark  = "; " anything                 for the reader only
//	times   = " (" CLOCK ")" | " (" CLOCK " @" TIME ")" | " (@" TIME ")"
//
// MOVE is as in Rules 9; who moved follows from the game. Every bid, draw and
// act may end with times: the clock its player had left after it ("clock" in
// the record), and the time since the bidding began ("at"), as [H:]MM:SS.mmm.
package notation
