// Package rating draws ratings, players and what they did. It works out nothing.
package rating
