// Package event draws what both the public pages of a tournament and its desk are made of: rounds, tables, entries, what is waited for.
package event
