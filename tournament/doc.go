// Package tournament decides how a tournament goes on: who may enter and leave,
// which round comes next, whom it brings together, what every result is worth
// and when all is over. It knows neither how a pairing is found (a Pairer
// does), nor how matches are played, nor where anything is kept; whatever the
// moment does not allow it refuses with an error of its own.
package tournament
