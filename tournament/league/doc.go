// Package league decides what becomes of the players of a league from season to season: who plays in which
// division, who rises and who goes down, which final places are still possible, how sanctions heal, and to whom a
// place that somebody has left is offered. A division is a tournament of the site; its table is frozen before
// anybody moves. The package reads no clock and plays nothing.
package league
