// Package match judges matches: a Game is both phases without clocks, and a State adds the
// wait for the players, clocks, random draws and the log. It decides what follows from a
// command, what an event changes, and how a match ends.
//
// It refuses acts that the rules do not allow with a *Refusal. It reads neither clock nor
// chance: the time is an argument, and draws follow from a seed that is committed to before
// the bidding (Rules D8, Seed).
//
// Decide answers a Command with events and changes nothing. State.Apply returns the state
// after one recorded event. States are immutable values.
package match
