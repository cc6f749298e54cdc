// Package house lists the bots of every site: who they are, how far they think, and how
// strong that makes them.
package house

import "chpok.org/chpok/player"

// Bot is one of the bots. A site on which its handle is taken does without it.
type Bot struct {
	Handle player.Handle
	Face   byte   // letter of its avatar: a piece, or C for a chip
	Level  int    // 1…Levels; each wins most of its matches against the one before
	Nodes  int    // positions it may search per move
	Error  int    // how far it misjudges a position, in centipawns
	Elo    int    // measured strength on the board relative to the first bot (docs/engine.md)
	Seed   uint64 // varies its bidding
	Hints  bool   // its opponent is shown the possible moves
}

// NameKey returns the key of its translated name.
func (b Bot) NameKey() string { return "house.name." + b.Handle.Key() }

// Levels is the number of levels.
const Levels = 8

// bots is sorted by strength. The weak ones see little and misjudge what they see.
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

// Bots returns all bots, the weakest first.
func Bots() []Bot { return bots[:] }

// Beside returns the bot one level above or below, at either end the other one.
func (b Bot) Beside(above bool) Bot {
	if b.Level == 1 || above && b.Level < Levels {
		return bots[b.Level]
	}
	return bots[b.Level-2]
}

// Named returns the bot with that handle.
func Named(h player.Handle) (Bot, bool) {
	for _, b := range bots {
		if b.Handle.Key() == h.Key() {
			return b, true
		}
	}
	return Bot{}, false
}
