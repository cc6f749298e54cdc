package rating

import (
	"maps"
	"slices"
)

// Recompute rates events in their order from an empty list. The same events
// give the same changes, whenever that is done.
func Recompute(s Settings, profiles map[string]Profile, events []Event) (*List, []Change, error) {
	l, err := NewList(s, profiles)
	if err != nil {
		return nil, nil, err
	}
	games := 0
	for _, e := range events {
		games += len(e.Games)
	}
	changes := make([]Change, 0, 2*games) // at most two a game, and one for joining
	for _, e := range events {
		c, err := l.Rate(e)
		if err != nil {
			return nil, nil, err
		}
		changes = append(changes, c...)
	}
	return l, changes, nil
}

// Standing is a player's place on the list; not ok before their first event.
func (l *List) Standing(player string) (Standing, bool) {
	p, ok := l.players[player]
	return p, ok
}

// Players are all on the list, by identity.
func (l *List) Players() []string {
	return slices.Sorted(maps.Keys(l.players))
}
