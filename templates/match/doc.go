// Package match draws a match: bidding, board, replay, and the calls from its seats. It knows no
// rule: what may be bid or moved is handed to it.
package match
