// Package match is the one judge of a match: both phases as a clockless Game,
// and on top of it the live State with its ready gate, clocks, random draws and
// log. It decides what follows from a command, what an event changes, and how a
// match ends.
//
// It refuses every act the rules do not allow with a *Refusal, and reads
// neither time nor chance: now is an argument, and draws follow from a seed
// committed to before the bidding (Rules D8, seed.go).
//
// Decide answers a Command with events and changes nothing; State.Apply adds
// one recorded event and is the only change. States are values that share
// nothing that is ever written, so that an old one stays what it was.
package match
