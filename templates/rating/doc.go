// Package rating draws ratings, players and what they did.
package rating
