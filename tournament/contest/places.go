package contest

// Due are the contests of which a match is to be played next: those of one wave, as
// nobody plays on before it is decided.
func (b Bracket) Due() (list []State) {
	for _, s := range b.States {
		if s.Status == Due && (len(list) == 0 || s.Wave == list[0].Wave) {
			list = append(list, s) // a graph has its waves in order
		}
	}
	return list
}

// Ready are all contests of which a match can be played, whatever others wait for:
// nobody is in two of them.
func (b Bracket) Ready() (list []State) {
	for _, s := range b.States {
		if s.Status == Due {
			list = append(list, s)
		}
	}
	return list
}

// Rounds is the number of the last round if every match is played in the round after
// the latest of its two players, no earlier than its wave: if no contest is level from
// now on, and if all are.
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
			if ends[i][k] = start[k]; left > 0 {
				ends[i][k] = max(start[k], s.Wave-1) + left
			}
		}
		least, most = max(least, ends[i][0]), max(most, ends[i][1])
	}
	return least, most
}

// Left is how many matches, one after the other, are still to come after those
// that are being played: if no contest is level from now on, and if all are.
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

// Boards is how many contests each wave that is still to come has, in their order.
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

// Places are the places of numbers: who is out shares the best place that was left,
// who is still in has the best place that can be reached.
func (b Bracket) Places() map[int]int {
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

// outOf is the place of who is out of a contest without having lost it: as if they
// had lost whatever its loser still plays.
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

// IsOut tells whether a number has no match left to play.
func (b Bracket) IsOut(number int) bool {
	for _, s := range b.States {
		if s.Status != Over && (s.Sides[0] == number || s.Sides[1] == number) {
			return false
		}
	}
	return true
}
