package events

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/bundle"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/ledger"
)

// Bundle is a tournament with everything that belongs to it, for another site; site is
// this one's address. Matches still being played are left out.
func (a *Office) Bundle(ctx context.Context, by player.Viewer, id tournament.ID, site string) (bundle.Bundle, error) {
	b := bundle.Bundle{
		Site: site, ExportedAt: a.Now(), People: map[player.ID]bundle.Person{}, Inputs: map[int]string{}, Records: map[bundle.Board][]byte{},
		Extra: map[string][]byte{},
	}
	var t *tournament.Tournament
	var accounts map[player.ID]player.Player
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if t, err = tx.Tournament(id); err != nil {
			return err
		}
		if !t.May(by, tournament.ActExport) {
			return tournament.ErrNotAllowed
		}
		if b.Deeds, err = tx.Deeds(id); err != nil {
			return err
		}
		for _, r := range t.Rounds {
			input, err := tx.RoundInput(id, r.Number)
			if err != nil {
				return err
			}
			if input != "" {
				b.Inputs[r.Number] = input
			}
		}
		kept, err := tx.ImportedRecords(id)
		if err != nil {
			return err
		}
		for at, record := range kept {
			b.Records[bundle.Board(at)] = record
		}
		accounts, err = tx.Players(ledger.People(b.Deeds)...)
		return err
	})
	if err != nil {
		return b, err
	}
	names := map[player.ID]player.ID{}
	for id, p := range accounts {
		names[id] = bundle.Foreign(string(p.Handle), site)
		b.People[names[id]] = bundle.Person{Handle: string(p.Handle), Bot: p.Bot}
	}
	b.Deeds = ledger.Renamed(b.Deeds, names)
	if err := a.addRecords(ctx, t, &b); err != nil {
		return b, err
	}
	if t.Format.InRounds() { // a report cannot hold an arena
		if b.Extra["report.trf"], err = a.report(ctx, t); err != nil {
			return b, err
		}
	}
	if t.Prizes.IsZero() {
		return b, nil
	}
	allotted, err := tables.AllotPrizes(t)
	if err != nil {
		return b, err
	}
	b.Extra["prizes.csv"], err = intake.CSV(tables.PrizeRows(t, allotted))
	return b, err
}

// report is a tournament's report file.
func (a *Office) report(ctx context.Context, t *tournament.Tournament) ([]byte, error) {
	var heads map[match.ID]store.Head
	var officials []string
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if heads, err = tx.Matches(t.Matches()); err != nil {
			return err
		}
		officials, err = assurance.Officials(tx, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = tables.WriteReport(&out, t, heads, officials)
	return out.Bytes(), err
}

// addRecords adds the records of finished matches to a bundle.
func (a *Office) addRecords(ctx context.Context, t *tournament.Tournament, b *bundle.Bundle) error {
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Match == "" {
				continue
			}
			state, head, err := a.Live.State(ctx, p.Match)
			if err != nil {
				return err
			}
			if head.Status != match.Over {
				continue
			}
			record, err := a.assurance.Record(ctx, state, head, b.Site)
			if err != nil {
				return fmt.Errorf("record of match %s: %w", p.Match, err)
			}
			if b.Records[bundle.Board{Round: r.Number, Board: p.Board}], err = json.Marshal(record); err != nil {
				return err
			}
		}
	}
	return nil
}

// Arrival is what importing a bundle would make here.
type Arrival struct {
	Tournament *tournament.Tournament // as it would stand
	Linked     map[tournament.EntryID]player.Handle
	Open       int // boards without a result

	from *tournament.Tournament // as it stood there
}

// Preview is the tournament that importing a bundle would make. With link, entries become
// the accounts here with the same handles.
func (a *Office) Preview(ctx context.Context, by player.Viewer, b bundle.Bundle, link bool) (Arrival, error) {
	if !by.MayCreateTournament() {
		return Arrival{}, tournament.ErrNotAllowed
	}
	before, err := b.Tournament()
	if err != nil {
		return Arrival{}, err
	}
	here := map[player.ID]player.Player{}
	if link {
		if here, err = store.Get(ctx, a.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) {
			return tx.PlayersByHandles(b.People)
		}); err != nil {
			return Arrival{}, err
		}
	}
	t := before.Clone()
	t.Arrive(by.ID, func(id player.ID) player.ID { return here[id].ID }, a.Now())
	v := Arrival{from: before, Tournament: t, Linked: map[tournament.EntryID]player.Handle{}}
	for i, e := range t.Entries {
		if !e.IsGuest() {
			v.Linked[e.ID] = here[before.Entries[i].Player].Handle
		}
	}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Result.IsPending() {
				v.Open++
			}
		}
	}
	return v, CheckSettings(t.Settings)
}

// ImportBundle makes the tournament of a bundle here, with its log, and continues it from
// where it stood.
func (a *Office) ImportBundle(ctx context.Context, by player.Viewer, b bundle.Bundle, link bool) (tournament.ID, error) {
	v, err := a.Preview(ctx, by, b, link)
	if err != nil {
		return "", err
	}
	t := v.Tournament
	t.ID = tournament.ID(store.NewID())
	if err := a.Promise(ctx, t); err != nil {
		return "", err
	}
	d := kernel.Step{By: by, Act: tournament.ActImport, Reason: b.Site}.Deed(t, a.Now())
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.ImportTournament(b.Deeds, v.from, t, d); err != nil {
			return err
		}
		for round, input := range b.Inputs {
			if round >= 1 && round <= len(t.Rounds) {
				if err := tx.SetRoundInput(t.ID, round, input); err != nil {
					return err
				}
			}
		}
		for at, record := range b.Records {
			if err := tx.AddImportedRecord(t.ID, store.BoardRef(at), record); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	a.Nudge(t)
	return t.ID, nil
}

// Link gives a guest's entry its account.
func (a *Office) Link(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, handle string) error {
	account, err := a.Account(ctx, handle)
	if err != nil {
		return err
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActLink}, func(t *tournament.Tournament) error {
		return t.Link(by, e, account)
	})
}

// OpenBoard opens a match on a board of an open round that has none.
func (a *Office) OpenBoard(ctx context.Context, by player.Viewer, id tournament.ID, round, board int) (match.ID, error) {
	next := kernel.NewMatchID()
	var paired tournament.Pairing
	_, err := a.Apply(ctx, id, kernel.Change{Step: kernel.Step{By: by, Act: tournament.ActLink},
		Judge: func(t *tournament.Tournament) (err error) {
			paired, err = t.OpenBoard(by, round, board, next)
			return err
		}, Also: func(tx *store.Tx, t *tournament.Tournament) error {
			_, err := a.rounds.OpenBoards(tx, t, []tournament.Pairing{paired})
			return err
		}})
	if err != nil {
		return "", err
	}
	return next, a.Live.Opened(ctx, next)
}
