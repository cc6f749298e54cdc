// Package house names the bots that every site has: who they are, how far they
// think, and how strong that makes them. It refuses to play and to know where
// accounts are kept.
package house

import "chpok.org/chpok/player"

// Bot is one of them. Its handle is how people speak of it; a site on which that
// is taken does without it.
type Bot struct {
	Handle player.Handle
	Face   byte   // whose face it has: a piece's, or C, a chip's
	Level  int    // 1…Levels, each wins most of its matches against the one before
	Nodes  int    // positions it may look at for one move
	Error  int    // how far it misjudges a position, in hundredths of a pawn
	Elo    int    // strength on the board, the first bot's being 0; measured (docs/engine.md)
	Seed   uint64 // its taste in bidding
	Hints  bool   // whoever plays it is told what is possible
}

// NameKey is the key of what readers call it in their language.
func (b Bot) NameKey() string { return "house.name." + b.Handle.Key() }

// Levels is how strong a bot can be.
const Levels = 8

// bots are in the order of strength. The weak ones err by judgement: they see
// little, and what they see they weigh wrongly.
var bots = [...]Bot{
	{Handle: "Pishak", Face: 'P', Level: 1, Nodes: 30, Error: 600, Elo: 0, Seed: 1, Hints: true},
	{Handle: "Kin", Face: 'N', Level: 2, Nodes: 70, Error: 360, Elo: 370, Seed: 2},
	{Handle: "Slon", Face: 'B', Level: 3, Nodes: 150, Error: 270, Elo: 727, Seed: 3},
	{Handle: "Bashta", Face: 'R', Level: 4, Nodes: 350, Error: 180, Elo: 1086, Seed: 4},
	{Handle: "Ferz", Face: 'Q', Level: 5, Nodes: 900, Error: 100, Elo: 1439, Seed: 5},
	{Handle: "Torhash", Face: 'C', Level: 6, Nodes: 2_500, Error: 50, Elo: 1641, Seed: 6},
	{Handle: "Korol", Face: 'K', Level: 7, Nodes: 8_000, Error: 15, Elo: 1929, Seed: 7},
	{Handle: "Drakon", Face: 'D', Level: 8, Nodes: 25_000, Elo: 2224, Seed: 8},
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
