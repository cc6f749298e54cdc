// Package notation writes and reads whole matches: the JSON record of Rules 11
// with its replay, and a text form for people (text.go has its grammar).
//
// It refuses what is not a record, and a text that does not fit together. What
// the rules allow is engine/match's to say: an action of a record that they
// refuse stays in the record and is refused again whenever it is replayed.
package notation
