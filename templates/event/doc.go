// Package event draws what both the public pages of a tournament and its desk are made of: rounds,
// tables, entries, what is waited for. It refuses to know on which of the two it stands.
package event
