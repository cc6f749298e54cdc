// Package form describes each setting of tournaments, ladders, challenges and club matches once:
// a table of fields fills and reads the forms, writes, reads and describes the JSON, and names
// what is wrong. It also renders boards, fair-play policies and conditions of entry. It refuses to
// judge: the domain decides which settings are valid.
package form
