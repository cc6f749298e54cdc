// Package house names the bots that every site has: who they are, how far they
// think, and how strong that makes them. It refuses to play and to know where
// accounts are kept.
package house

import "chpok.org/chpok/player"

// Bot is one of them. Its handle is how people speak of it; a site on which that
// is taken does without it.
type Bot struct {
	Handle player.Handle
	Face   byte   // the piece whose face it has
	Level  int    // 1…Levels, each wins most of its matches against the one before
	Nodes  int    // positions it may look at for one move
	Seed   uint64 // its taste in bidding
	Hints  bool   // whoever plays it is told what is possible
}

// Levels is how strong a bot can be.
const Levels = 5

// bots are in the order of strength. TestEachBotBeatsTheOneBefore measures it.
var bots = [...]Bot{
	{Handle: "Pishak", Face: 'P', Level: 1, Nodes: 1, Seed: 1, Hints: true},
	{Handle: "Slon", Face: 'B', Level: 2, Nodes: 60, Seed: 2},
	{Handle: "Bashta", Face: 'R', Level: 3, Nodes: 400, Seed: 3},
	{Handle: "Torhash", Face: 'Q', Level: 4, Nodes: 4_000, Seed: 4},
	{Handle: "Drakon", Face: 'D', Level: 5, Nodes: 20_000, Seed: 5},
}

// Bots are all of them, the weakest first.
func Bots() []Bot { return bots[:] }

// Named is the bot of that handle; false: there is none.
func Named(h player.Handle) (Bot, bool) {
	for _, b := range bots {
		if b.Handle.Key() == h.Key() {
			return b, true
		}
	}
	return Bot{}, false
}
