// Package club draws clubs: their people, news and matches. Who may change what there was decided
// before.
package club
