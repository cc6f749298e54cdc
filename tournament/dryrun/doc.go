// Package dryrun plays a tournament beforehand, many times, from ratings and
// the envelope: when it would end, how many byes there are, whether its rounds
// tell the first players apart. It refuses to foresee anybody's play: results
// follow the ratings, and every run is the same for the same seed.
package dryrun
