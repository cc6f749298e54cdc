package assurance

import (
	"context"
	"encoding/json"
	"errors"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Record is a match as a record, as far as the asker sees it: who played whom where and
// when, and every act; once it is over, with its signed statement. site is where it is
// shown, but a signed match names the site that was signed.
func (a *Office) Record(ctx context.Context, state match.State, head store.Head, site string) (notation.Record, error) {
	var e notation.Event
	var with store.MatchPolicy
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if e, err = surroundings(tx, state, head); err != nil {
			return err
		}
		if with, err = tx.MatchPolicy(head.ID); errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return notation.Record{}, err
	}
	signed := with.Statement
	e.Site = site
	if head.Status != match.Over || signed != nil && isUnsigned(*signed, e) {
		signed = nil
	}
	if signed != nil {
		s := signed.Statement
		e.Site, e.Name, e.Round, e.Board = s.Site, s.Event, s.Round, s.Board
		signed.Superseded = with.Superseded
	}
	record, err := unsignedRecord(state, head, e)
	if err == nil && signed != nil {
		err = record.Add("assurance", signed)
	}
	return record, err
}

// isUnsigned reports whether a statement names somebody who has been erased: it is no
// longer given out.
func isUnsigned(s fairplay.SignedStatement, e notation.Event) bool {
	for _, name := range e.Arbiters {
		if player.Handle(name).IsGhost() {
			return true
		}
	}
	return s.Signature == ""
}

// unsignedRecord is the record that a statement signs.
func unsignedRecord(state match.State, head store.Head, e notation.Event) (notation.Record, error) {
	record, err := notation.Export(state, e)
	var bots []string
	for i, is := range head.Bots {
		if is {
			bots = append(bots, match.FirstIsA.Of(match.Seat(i+1)))
		}
	}
	if err == nil && len(bots) > 0 {
		err = record.Add("bots", bots)
	}
	return record, err
}

// surroundings are the players of a match, its arbiters, and where it was played. Which
// tournament it rehearses is for staff only.
func surroundings(tx *store.Tx, state match.State, head store.Head) (e notation.Event, err error) {
	accounts, err := tx.Players(head.Players[:]...)
	if err != nil {
		return e, err
	}
	e.First, e.Second = string(accounts[head.Players[0]].Handle), string(accounts[head.Players[1]].Handle)
	if e.Arbiters, err = ArbitersIn(tx, state); err != nil {
		return e, err
	}
	ref, err := tx.PairingOf(head.ID)
	if errors.Is(err, store.ErrNotFound) {
		return e, nil
	}
	if !ref.Rehearsal {
		e.Name, e.Round, e.Board = ref.Name, ref.Round, ref.Board
	}
	return e, err
}

// ArbitersIn are the handles of those who acted as arbiters in a match.
func ArbitersIn(tx *store.Tx, state match.State) (map[string]string, error) {
	var ids []player.ID
	for _, e := range state.History() {
		if word, ok := e.Event.(match.Ruling); ok && word.Word().By != "" {
			ids = append(ids, player.ID(word.Word().By))
		}
	}
	names := map[string]string{}
	if len(ids) == 0 {
		return names, nil
	}
	accounts, err := tx.Players(ids...)
	for id, account := range accounts {
		names[string(id)] = string(account.Handle)
	}
	return names, err
}

// Stated is the statement to sign about a match that ended so.
func (a *Office) Stated(ctx context.Context, head store.Head, state match.State, with Known) (s fairplay.Statement, err error) {
	e, err := store.Get(ctx, a.Store, func(tx *store.Tx) (notation.Event, error) { return surroundings(tx, state, head) })
	if err != nil {
		return s, err
	}
	e.Site = a.Site
	record, err := unsignedRecord(state, head, e)
	if err != nil {
		return s, err
	}
	raw, err := json.Marshal(record)
	if err != nil {
		return s, err
	}
	s = fairplay.Statement{
		Match: string(head.ID), Players: [2]string{e.First, e.Second}, Bots: head.Bots, Achieved: with.Achieved, At: a.Now(),
		Site: e.Site, Event: e.Name, Round: e.Round, Board: e.Board,
	}
	for _, before := range with.Superseded {
		hash, err := before.Statement.Hash()
		if err != nil {
			return s, err
		}
		s.Supersedes = append(s.Supersedes, hash)
	}
	s.Record, err = fairplay.RecordHash(raw)
	return s, err
}

// StandsForArbiter reports whether a match stands still until an arbiter resumes it.
func StandsForArbiter(s match.State) bool {
	still, stands := s.Standstill()
	return stands && !still.EndsByItself()
}

// Officials are a tournament's arbiters by name, the chief first: those whom its report names, else its arbiters in the
// order of their appointment, or its organizer without any, by the names that they tell everybody or by their handles.
func Officials(tx *store.Tx, t *tournament.Tournament) (names []string, err error) {
	if t.Report.Chief != "" {
		return append([]string{t.Report.Chief}, t.Report.Deputies...), nil
	}
	ids := []player.ID{}
	for _, m := range t.Staff {
		if m.Duty == tournament.Arbiter && !m.Invited {
			ids = append(ids, m.Player)
		}
	}
	if len(ids) == 0 {
		ids = append(ids, t.Organizer)
	}
	who, err := tx.Players(ids...)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		p, known := who[id]
		if !known {
			continue
		}
		told, err := tx.Profile(id)
		if err != nil {
			return nil, err
		}
		if told.Name == "" || told.Privacy.Profile != player.Everyone {
			told.Name = string(p.Handle)
		}
		names = append(names, told.Name)
	}
	if len(t.Report.Deputies) > 0 {
		names = append(names[:min(1, len(names))], t.Report.Deputies...)
	}
	return names, nil
}
