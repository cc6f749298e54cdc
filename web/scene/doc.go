// Package scene shows the state of a match: bids, board, points, clocks, log
// and what the viewer may do, ready for templates. It refuses to read requests
// or the store; what stands around a match is handed to it.
package scene
