// Package tournament decides how a tournament proceeds: who may enter and leave, which
// round comes next, who meets whom in it, what each result is worth, and when it is over.
// It does no I/O, and neither finds pairings (a Pairer does) nor plays matches. It refuses
// what the current state does not allow with an error of package refusal.
package tournament
