// Package bidding is the bidding phase of Chpok (Rules 5): who may bid what on which
// target, which random draws are due, when the phase ends, and the terms it ends with.
//
// It refuses every bid the rules or an event's envelope do not allow, with a code and, for
// an envelope, the bound broken. It knows nothing of clocks, players or chance: seats bid,
// and draws come from outside.
//
// # JSON of an envelope
//
//	{"chips":15, "minutes":[1,180], "increment":[0,60], "widths":[6,7,8,9,10],
//	 "moveLimit":[10,999], "undos":[0,5], "castlings":[0,5], "movePoints":[0,9],
//	 "forbidden":[], "rows":"any", "defaults":{…}, "presets":[{"minutes":5,"increment":3}]}
//
// Every key is optional and defaults to the widest the rules allow. forbidden lists the
// switches (7.6 to 7.16, by key) no bid may turn on; movePoints bounds the value of each
// type of piece; rows is "any", or a list of the home rows a raise may name, [] for none.
// The standard row of a width is always allowed, so that a bid on every target stays
// possible (Rules 5.3, D6). What defaults leaves out is section 7's value or the nearest
// one within the bounds. Without presets, the usual time controls within the bounds apply.
package bidding
