// Package notation writes and reads whole matches: the JSON record of Rules 11 with its replay,
// and a text form for people.
//
// It refuses what is not a record, and inconsistent texts. Package match judges actions: one
// that the rules refuse stays in the record, and is refused again at each replay.
//
// # Record
//
// In addition to the keys of Rules 11 the platform writes some that replay ignores. A record
// may have players, event, site, round, board, started (RFC 3339), envelope, draws (commitment,
// and the seed once the match is over), result and arbiter. An action may have at, the
// milliseconds since the bidding began, and clock, the milliseconds its player had left after
// it.
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
//	raw     = "! " JSON                     an action that the rules refuse or that has other keys
//	remark  = "; " anything                 for the reader only
//	times   = " (" CLOCK ")" | " (" CLOCK " @" TIME ")" | " (@" TIME ")"
//
// MOVE is as in Rules 9; who moved follows from the game. Each bid, draw and act may end with
// times as [H:]MM:SS.mmm: what its player had left ("clock" in the record), and the time since
// the bidding began ("at").
package notation
