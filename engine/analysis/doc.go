// Package analysis judges a match that was played: what either side could expect
// in each position, which moves and bids gave some of it away, and how exactly
// both played.
//
// It refuses to know who may see that, where it is kept and how long it may take:
// whoever asks says how many positions are looked at, and gets one place of the
// match at a time.
package analysis
