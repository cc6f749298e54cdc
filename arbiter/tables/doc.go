// Package tables works out what is shown of a tournament: standings, what a
// correction would change, the log and the final table, prizes, what the last round
// leaves open, reports. It refuses to read or write anything itself.
package tables
