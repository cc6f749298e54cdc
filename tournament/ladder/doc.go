// Package ladder decides challenge ladders: who stands on which rung, who may
// challenge whom and if not why, until when a challenge is answered, agreed and
// played, and what its end, an absence or a long silence does to the places. It
// refuses to play matches, to read a clock and to remember: everything that
// happens is an event of the ladder's log, and the log alone makes the ladder.
//
// Every method that changes a ladder takes the moment, judges, and adds events
// (Fresh). Settle must have been called for the same moment before: what was due
// by then comes first.
package ladder
