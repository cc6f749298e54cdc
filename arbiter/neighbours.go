package arbiter

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Neighbours are two opponents who were seen at one browser or in one network
// lately.
type Neighbours struct {
	tournament.Pairing
	Players [2]player.ID // by seat
	Kind    review.SignalKind
}

// NeighboursAmong are those among boards of a tournament, in their order; none
// where nothing is remembered of its players.
func (a *Arbiter) NeighboursAmong(tx *store.Tx, t *tournament.Tournament, boards []tournament.Pairing) ([]Neighbours, error) {
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
	seen, err := tx.SeenSince(a.now().Add(-review.NeighboursWithin), ids...)
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

// NeighboursInDraft are those of the drafted round, if there is one.
func (a *Arbiter) NeighboursInDraft(tx *store.Tx, t *tournament.Tournament) ([]Neighbours, error) {
	if t.Draft == nil {
		return nil, nil
	}
	boards := make([]tournament.Pairing, len(t.Draft.Boards))
	for i, b := range t.Draft.Boards {
		boards[i] = tournament.Pairing{Board: i + 1, First: b.First, Second: b.Second}
	}
	return a.NeighboursAmong(tx, t, boards)
}

// noteNeighbours notes the neighbours of boards whose matches have just been
// opened, once for each match, and tells the arbiters.
func (a *Arbiter) noteNeighbours(tx *store.Tx, t *tournament.Tournament, boards []tournament.Pairing) error {
	played := slices.DeleteFunc(slices.Clone(boards), func(p tournament.Pairing) bool { return p.Match == "" })
	list, err := a.NeighboursAmong(tx, t, played)
	if err != nil {
		return err
	}
	for _, n := range list {
		for _, id := range n.Players {
			s := review.Signal{ID: store.NewID(), Player: id, Match: n.Match, Kind: n.Kind, At: a.now()}
			if err := tx.AddSignal(s); err != nil {
				return err
			}
		}
	}
	return a.tellOfNeighbours(tx, t, len(t.Rounds), list)
}

// tellOfNeighbours tells a tournament's arbiters, once for each round, that
// something stands on its fair-play page; nobody about their own.
func (a *Arbiter) tellOfNeighbours(tx *store.Tx, t *tournament.Tournament, round int, list []Neighbours) error {
	var out []notice.Notice
	for _, m := range t.Staff {
		if m.Invited || !t.May(player.Viewer{Player: player.Player{ID: m.Player}}, tournament.ActWatch) {
			continue
		}
		for _, n := range list {
			if n.Players[0] != m.Player && n.Players[1] != m.Player {
				out = append(out, notice.Notice{
					To: m.Player, Kind: notice.Neighbours, Key: fmt.Sprintf("%s/%d", t.ID, round), URL: tournamentPath(t.ID) + "/fair-play",
					Args: map[string]string{"Tournament": t.Name, "Round": strconv.Itoa(round)},
				})
				break
			}
		}
	}
	return a.Notify(tx, out...)
}

// ErrNoNetwork is the refusal to name a venue from where no network is seen.
var ErrNoNetwork = refusal.Invalid("fairplay.error.no-network", "arbiter: unknown network")

// maxVenues is how many networks an event may have.
const maxVenues = 20

// ErrVenues is the refusal of more.
var ErrVenues = refusal.Conflict("fairplay.error.venues", "arbiter: an event can have at most 20 venue networks")

// NameVenue notes that a tournament is played in a network, by its keyed hash:
// opponents who share it are not reported. The network is the one from which the
// arbiter asks.
func (a *Arbiter) NameVenue(ctx context.Context, by player.Viewer, id tournament.ID, network string) error {
	return a.ofVenues(ctx, by, id, func(tx *store.Tx) error {
		if network == "" {
			return ErrNoNetwork
		}
		known, err := tx.Venues(id)
		if err != nil {
			return err
		}
		if len(known) >= maxVenues && !slices.Contains(known, network) {
			return ErrVenues
		}
		return tx.AddVenue(id, network, a.now())
	})
}

// ForgetVenues forgets the networks of a tournament.
func (a *Arbiter) ForgetVenues(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.ofVenues(ctx, by, id, func(tx *store.Tx) error { return tx.DropVenues(id) })
}

func (a *Arbiter) ofVenues(ctx context.Context, by player.Viewer, id tournament.ID, f func(*store.Tx) error) error {
	err := a.ofTournament(ctx, id, func(tx *store.Tx, t *tournament.Tournament) (act, error) {
		if !t.May(by, tournament.ActVenue) {
			return act{}, tournament.ErrNotAllowed
		}
		return act{By: by, Act: tournament.ActVenue}, f(tx)
	})
	if err != nil {
		return err
	}
	return a.nudgeByID(ctx, id)
}
