package kernel

import (
	"fmt"
	"strconv"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Neighbours are two opponents who were lately seen in one browser or one network.
type Neighbours struct {
	tournament.Pairing
	Players [2]player.ID // by seat
	Kind    review.SignalKind
}

// NeighboursAmong finds neighbours at boards of a tournament, in their order; none at
// Open.
func (a *Kernel) NeighboursAmong(tx *store.Tx, t *tournament.Tournament, boards []tournament.Pairing) ([]Neighbours, error) {
	if t.Policy.OrOpen().Level <= fairplay.Open {
		return nil, nil
	}
	of := func(id tournament.EntryID) player.ID {
		e, _ := t.Entry(id) // a board without a second player has none
		return e.Player
	}
	var ids []player.ID
	for _, b := range boards {
		ids = append(ids, of(b.First), of(b.Second))
	}
	seen, err := tx.SeenSince(a.Now().Add(-review.NeighboursWithin), ids...)
	if err != nil || len(seen) == 0 {
		return nil, err
	}
	venues, err := tx.Venues(t.ID)
	if err != nil {
		return nil, err
	}
	var out []Neighbours
	for i, b := range boards {
		pair := [2]player.ID{ids[2*i], ids[2*i+1]}
		if kind := review.Neighbours(seen[pair[0]], seen[pair[1]], venues); kind != "" {
			out = append(out, Neighbours{b, pair, kind})
		}
	}
	return out, nil
}

// NeighboursInDraft finds neighbours in the drafted round, if there is one.
func (a *Kernel) NeighboursInDraft(tx *store.Tx, t *tournament.Tournament) ([]Neighbours, error) {
	if t.Draft == nil {
		return nil, nil
	}
	boards := make([]tournament.Pairing, len(t.Draft.Boards))
	for i, b := range t.Draft.Boards {
		boards[i] = tournament.Pairing{Board: i + 1, First: b.First, Second: b.Second}
	}
	return a.NeighboursAmong(tx, t, boards)
}

// TellOfNeighbours tells a tournament's arbiters, once per round, to look at its
// fair-play page; nobody hears of their own match.
func (a *Kernel) TellOfNeighbours(tx *store.Tx, t *tournament.Tournament, round int, list []Neighbours) error {
	var out []notice.Notice
	for _, judge := range t.Judges("", tournament.ActWatch) {
		for _, n := range list {
			if n.Players[0] != judge && n.Players[1] != judge {
				out = append(out, notice.Notice{
					To: judge, Kind: notice.Neighbours, Key: fmt.Sprintf("%s/%d", t.ID, round), URL: TournamentPath(t.ID) + "/fair-play",
					Args: map[string]string{"Tournament": t.Name, "Round": strconv.Itoa(round)},
				})
				break
			}
		}
	}
	return a.Notify(tx, out...)
}
