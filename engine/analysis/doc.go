// Package analysis judges a match that has been played: what each side could expect in each
// position, which moves and bids gave some of it away, and how exactly both played.
//
// It does not decide who may see this, where it is kept or how long it may take. Callers
// say how many positions to look at, and get the match judged place by place.
package analysis
