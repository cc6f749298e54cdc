package contest

import "slices"

// Due returns the contests to play next: those that are ready in the earliest wave, as
// each wave is decided before the next one begins.
func (b Bracket) Due() []State {
	list := b.Ready() // waves are in order
	return slices.DeleteFunc(list, func(s State) bool { return s.Wave != list[0].Wave })
}

// Ready returns every contest that has a match to play, of any wave. No player is in two
// of them.
func (b Bracket) Ready() (list []State) {
	for _, s := range b.States {
		if s.Status == Due {
			list = append(list, s)
		}
	}
	return list
}

// Rounds returns the number of the last round when each match is played in the round after
// its players' latest, but not before its wave: if no further contest is level, and if all
// are.
func (b Bracket) Rounds() (least, most int) {
	ends := make([][2]int, len(b.States))
	for i, s := range b.States {
		start := [2]int{s.Round, s.Round}
		wait := func(at int) { start = [2]int{max(start[0], ends[at][0]), max(start[1], ends[at][1])} }
		for _, slot := range s.Slots {
			switch slot.Kind {
			case Winner, Loser, FirstLoser:
				wait(slot.Of)
			case Best:
				for at := range b.States[:i] {
					if b.States[at].Wave == s.Wave-1 {
						wait(at)
					}
				}
			}
		}
		for k, left := range s.left {
			ends[i][k] = start[k]
			if left > 0 {
				ends[i][k] = max(start[k], s.Wave-1) + left
			}
		}
		least, most = max(least, ends[i][0]), max(most, ends[i][1])
	}
	return least, most
}

// Left returns the number of matches still to come, one after another, once those in play
// are over: if no further contest is level, and if all are.
func (b Bracket) Left() (least, most int) {
	waves := map[int][2]int{}
	for _, s := range b.States {
		left := waves[s.Wave]
		waves[s.Wave] = [2]int{max(left[0], s.left[0]), max(left[1], s.left[1])}
	}
	for _, left := range waves {
		least, most = least+left[0], most+left[1]
	}
	return least, most
}

// Boards counts the contests of each wave that is still to come.
func (b Bracket) Boards() (list []int) {
	wave := 0
	for _, s := range b.States {
		switch {
		case s.left[1] == 0:
		case s.Wave == wave:
			list[len(list)-1]++
		default:
			list, wave = append(list, 1), s.Wave
		}
	}
	return list
}

// Places returns the place of each number: one more than there are players ahead. Those who
// are out stand behind all who came further; the others have the best place they can still
// reach. Nobody has the first while it has no champion: who came furthest share the second.
func (b Bracket) Places() map[int]int {
	came, first := b.reached(), 1
	if b.IsTitleOpen() {
		first = 2
	}
	places := make(map[int]int, len(came))
	for number, at := range came {
		ahead := 0
		for _, other := range came {
			if other < at {
				ahead++
			}
		}
		places[number] = max(first, ahead+1)
	}
	return places
}

// IsTitleOpen reports whether the bracket ended without a champion: nobody came to the final,
// or neither side of it.
func (b Bracket) IsTitleOpen() bool {
	open := false
	for _, s := range b.States { // a reset comes after the grand final
		if s.After == 2 && s.By != Needless {
			open = s.By == ByNobody
		}
	}
	return open
}

// reached returns the best place of the bracket that was left to each number, or that they can
// still reach. If nobody came to a contest, places between those of the graph stay empty.
func (b Bracket) reached() map[int]int {
	places := map[int]int{}
	for i, s := range b.States {
		if s.Places[0] == 0 {
			continue
		}
		for k, number := range s.Sides {
			switch {
			case !s.Known[k] || number == 0:
			case s.Status != Over || s.Winner == number:
				places[number] = s.Places[0]
			case s.By == ByNobody:
				places[number] = b.outOf(i)
			case s.After > 0:
				places[number] = s.After
			}
		}
	}
	return places
}

// outOf returns the place of players who left contest i without a loser: the one they
// would have if they had lost all that its loser still plays.
func (b Bracket) outOf(i int) int {
	for b.States[i].After == 0 {
		next := i
		for k, s := range b.States {
			if s.Places[0] > 0 && (s.Slots[0] == Slot{Loser, i} || s.Slots[1] == Slot{Loser, i}) {
				next = k
			}
		}
		i = next
	}
	return b.States[i].After
}

// IsOut reports whether a number has no match left to play.
func (b Bracket) IsOut(number int) bool {
	for _, s := range b.States {
		if s.Status != Over && (s.Sides[0] == number || s.Sides[1] == number) {
			return false
		}
	}
	return true
}
