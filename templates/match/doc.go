// Package match draws a match: bidding, board, replay, and the calls from its seats.
package match
