// Package tables computes what is shown of a tournament: standings, the effect of a
// correction, the log and the final table, prizes, what the last round could change,
// reports. It neither reads nor writes anything.
package tables
