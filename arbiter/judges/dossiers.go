package judges

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// yearBack is how far back the concerns of other places are counted beside those of one.
const yearBack = 365 * 24 * time.Hour

// SweepDossiers makes the dossiers of the places that are over, once all moves in them have been looked at. Without a
// calibration it waits.
func (a *Office) SweepDossiers(ctx context.Context) error {
	var due []fairplay.Place
	var by store.Calibration
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if by, err = tx.LastCalibration(); err != nil || by.Body == "" {
			return err
		}
		due, err = tx.ToJudge()
		due = slices.DeleteFunc(due, func(p fairplay.Place) bool { return !isOver(p, a.Now()) })
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && len(due) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	k, err := screening.ReadCalibration([]byte(by.Body))
	if err != nil {
		return err
	}
	var failed []error
	for _, in := range due {
		if err := a.makeDossiers(ctx, in, by.ID, k); !errors.Is(err, store.ErrTaken) { // taken: another node was quicker
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// isOver reports whether no match begins in a place any more, as far as its name tells.
func isOver(p fairplay.Place, now time.Time) bool {
	_, _, season, _ := p.Parts()
	s, has := review.ParseSeason(season)
	return !has || s.IsOver(now)
}

// makeDossiers makes those of one place, all at once, and marks whose moves are a concern among them: SweepReviews opens
// their reviews.
func (a *Office) makeDossiers(ctx context.Context, in fairplay.Place, by string, k screening.Calibration) error {
	var sides []store.Choices
	var others []float64
	var names map[player.ID]player.Player
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if sides, err = tx.ChoicesIn(in); err != nil {
			return err
		}
		if others, err = tx.RaritiesSince(a.Now().Add(-yearBack)); err != nil {
			return err
		}
		var ids []player.ID
		for _, s := range sides {
			ids = append(ids, s.Player)
		}
		names, err = tx.Players(ids...)
		return err
	})
	if err != nil {
		return err
	}
	list, err := dossiersOf(sides, names, k)
	if err != nil {
		return fmt.Errorf("dossiers of %s: %w", in, err)
	}
	var told []*madeDossier
	var rarities []float64
	for _, d := range list {
		if d.looked.Rarity != nil {
			told, rarities = append(told, d), append(rarities, d.looked.Rarity.P)
		}
	}
	adjusted, concerns := screening.Adjust(rarities, false), screening.Concerns(rarities, others)
	for i, d := range told {
		d.P, d.Adjusted, d.IsTold, d.IsConcern = rarities[i], adjusted[i], true, concerns[i]
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		rows := make([]store.Dossier, len(list))
		for i, d := range list {
			var body bytes.Buffer
			if err := d.looked.Write(&body); err != nil {
				return err
			}
			d.Place, d.Calibration, d.At, d.Body = in, by, a.Now(), body.String()
			rows[i] = d.Dossier
		}
		if err := tx.AddDossiers(rows); err != nil {
			return err
		}
		return tx.Judged(in)
	})
}

// madeDossier is a dossier in the making.
type madeDossier struct {
	store.Dossier
	looked review.Dossier
}

// dossiersOf makes the dossiers of the players of some sides of matches, as anybody can from the records of those matches.
func dossiersOf(sides []store.Choices, names map[player.ID]player.Player, k screening.Calibration) (list []*madeDossier, err error) {
	by := map[player.ID]*madeDossier{}
	for _, s := range sides {
		if s.State == store.ChoicesFailed {
			continue
		}
		d := by[s.Player]
		if d == nil {
			d = &madeDossier{Dossier: store.Dossier{Player: s.Player, Matches: []match.ID{}},
				looked: review.Dossier{Player: string(names[s.Player].Handle), Rating: s.Rating, Engine: search.Version, Nodes: review.LookNodes}}
			by[s.Player], list = d, append(list, d)
		}
		var l review.Looked
		if err := json.Unmarshal([]byte(s.Body), &l); err != nil {
			return nil, err
		}
		d.Matches = append(d.Matches, s.Match)
		d.looked.Add(l)
	}
	for _, d := range list {
		d.looked.Weigh(k)
	}
	return list, nil
}

// MovesRecord is what the moves of a player in a place come to, beside what else is recorded there.
type MovesRecord struct {
	Dossier
	Made   store.Dossier
	Looked review.Dossier // what Made.Body holds
	People int            // of the place of whom something is said
}

// Moves reads it. It exists only where staff may act on it, and from then on: for arbiters while there is a review of the
// player in the place, for the player once they have been told of it. The look of an arbiter is noted as that at a Dossier.
func (a *Office) Moves(ctx context.Context, by player.Viewer, in fairplay.Place, of player.ID) (r MovesRecord, err error) {
	if r.Dossier, err = a.Dossier(ctx, by, in, of); err != nil {
		return r, err
	}
	if !r.ShowsMoves() {
		return r, store.ErrNotFound
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if r.Made, err = tx.Dossier(of, in); err != nil {
			return err
		}
		r.People, err = tx.ToldIn(in)
		return err
	})
	if err == nil {
		err = json.Unmarshal([]byte(r.Made.Body), &r.Looked)
	}
	return r, err
}

// ShowsMoves reports whether the viewer may read what the moves come to.
func (d Dossier) ShowsMoves() bool {
	return slices.ContainsFunc(d.Reviews, func(r store.Review) bool { return d.Keeps || r.Status != review.StatusOpen })
}
