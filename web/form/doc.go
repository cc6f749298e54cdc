// Package form reads the forms that settle how matches are played, and fills
// them again: the envelope of bidding, fair play, schedules, spans of time, and
// what was wrong with each field. It refuses to judge: what may be settled is
// the domain's to say.
package form
