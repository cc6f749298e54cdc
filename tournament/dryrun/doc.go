// Package dryrun simulates a tournament many times from ratings and the envelope: when it
// ends, how many byes there are, whether its rounds separate the leaders. Results follow
// the ratings, and a seed always gives the same run.
package dryrun
