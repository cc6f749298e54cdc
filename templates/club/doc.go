// Package club draws clubs: their people, news and matches.
package club
