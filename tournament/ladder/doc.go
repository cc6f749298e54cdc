// Package ladder implements challenge ladders: who stands on which rung, who may
// challenge whom and why not, the deadlines for answering, arranging and playing a
// challenge, and the effect of its end, an absence or inactivity on the places.
// Everything that happens is an event of the ladder's log, and the log alone determines
// the ladder.
//
// Every method that changes a ladder takes the current time, decides, and adds events
// (Fresh). Settle must have been called for that time before, so that what was due comes
// first.
package ladder
