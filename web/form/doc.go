// Package form describes the settings of tournaments, ladders, challenges and club matches,
// each once: a table of fields fills and reads their forms, writes and reads their JSON,
// describes it to programs and names what is wrong. It also says what of a match or a
// player reads as what. It refuses to judge: what may be settled is the domain's to say.
package form
