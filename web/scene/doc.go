// Package scene turns the state of a match into views for templates: bids, board, points, clocks, log and what the
// viewer may do. It reads no requests.
package scene
