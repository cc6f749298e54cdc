package judges

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// yearBack is how far back the concerns of other places are counted beside those of one.
const yearBack = 365 * 24 * time.Hour

// What is said of moves outside of tournaments is said again of whoever has played meanwhile, every week until a month after the
// season.
const (
	judgeEvery = 7 * 24 * time.Hour
	judgeAfter = 31 * 24 * time.Hour
)

// SweepDossiers makes the dossiers of tournaments that are over, once all moves in them have been looked at, and every week those
// of whoever has played on a ladder or among challenges. Without a calibration it waits.
func (a *Office) SweepDossiers(ctx context.Context) error {
	var due []fairplay.Place
	var by store.Calibration
	now := a.Now()
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if by, err = tx.LastCalibration(); err != nil || by.Body == "" {
			return err
		}
		due, err = tx.ToJudge(now.Add(-judgeEvery))
		due = slices.DeleteFunc(due, func(p fairplay.Place) bool { return isPast(p, now) })
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
		err := a.makeDossiers(ctx, in, by.ID, k)
		if !errors.Is(err, store.ErrTaken) && !errors.Is(err, store.ErrConflict) { // otherwise another node was quicker
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// isPast reports whether a season is over for so long that nothing is said of it any more: its moves are only looked at because
// the engine is a new one.
func isPast(p fairplay.Place, now time.Time) bool {
	_, _, season, _ := p.Parts()
	s, has := review.ParseSeason(season)
	return has && s.IsOver(now.Add(-judgeAfter))
}

// judged is what dossiers of a place are made of.
type judged struct {
	sides  []store.Choices
	before map[player.ID]store.Dossier
	past   map[player.ID][]store.Choices // in order
	others []float64                     // p of the last year
	names  map[player.ID]player.Player
}

// makeDossiers makes those of everybody in a place who has played since theirs was made, all at once, and marks whose moves are a
// concern among them: SweepReviews opens their reviews.
func (a *Office) makeDossiers(ctx context.Context, in fairplay.Place, by string, k screening.Calibration) error {
	now := a.Now()
	of, err := a.readJudged(ctx, in, now, k.Own != nil)
	if err != nil {
		return err
	}
	list, err := of.dossiers(k)
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
	adjusted, concerns := screening.Adjust(rarities, false), screening.Concerns(rarities, of.others)
	for i, d := range told {
		d.P, d.Adjusted, d.IsTold, d.IsConcern = rarities[i], adjusted[i], true, concerns[i]
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		for _, d := range list {
			var body bytes.Buffer
			if err := d.looked.Write(&body); err != nil {
				return err
			}
			d.Place, d.Calibration, d.At, d.Body = in, by, now, body.String()
			if err := tx.SaveDossier(d.Dossier, of.before[d.Player].At); err != nil {
				return err
			}
		}
		return tx.Judged(of.sides)
	})
}

func (a *Office) readJudged(ctx context.Context, in fairplay.Place, now time.Time, byPast bool) (of judged, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if of.sides, err = tx.ChoicesIn(in); err != nil {
			return err
		}
		made, err := tx.DossiersIn(in)
		if err != nil {
			return err
		}
		reviews, err := tx.ReviewsIn(in)
		if err != nil {
			return err
		}
		of.before = map[player.ID]store.Dossier{}
		for _, d := range made {
			of.before[d.Player] = d
		}
		of.sides = of.due(reviews)
		if of.others, err = tx.RaritiesSince(now.Add(-yearBack)); err != nil {
			return err
		}
		of.past = map[player.ID][]store.Choices{}
		var ids []player.ID
		for _, s := range of.sides {
			if slices.Contains(ids, s.Player) {
				continue
			}
			if ids = append(ids, s.Player); byPast {
				if of.past[s.Player], err = pastOf(tx, s); err != nil {
					return err
				}
			}
		}
		of.names, err = tx.Players(ids...)
		return err
	})
	return of, err
}

// due returns the sides of those who have played since their dossier was made: all that it would be made of. A dossier that has
// opened a review stays as it is; when the review is over, the next begins after it.
func (of judged) due(reviews []store.Review) (list []store.Choices) {
	plays := map[player.ID]bool{}
	for _, s := range of.sides {
		d := of.before[s.Player]
		if d.IsConcern {
			isOver := slices.ContainsFunc(reviews, func(r store.Review) bool {
				return r.Player == s.Player && r.Status == review.StatusClosed && !r.ClosedAt.Before(d.At)
			})
			if !isOver {
				continue
			}
			d.Since = d.At
			d.IsConcern = false
			of.before[s.Player] = d
		}
		if s.State == store.ChoicesDone && s.Ended.After(d.Since) {
			plays[s.Player] = true
		}
	}
	for _, s := range of.sides {
		if plays[s.Player] && s.Ended.After(of.before[s.Player].Since) && (s.State == store.ChoicesDone || s.State == store.ChoicesJudged) {
			list = append(list, s)
		}
	}
	return list
}

// morePast is among how many earlier matches of somebody those are looked for that have enough choices.
const morePast = 5 * screening.OwnPast

// pastOf returns the choices of somebody's own past before a match, in order; none if there are too few.
func pastOf(tx *store.Tx, before store.Choices) (list []store.Choices, err error) {
	earlier, err := tx.PastChoices(before.Player, before.Ended, morePast)
	for _, s := range earlier {
		l, wrong := lookedOf(s)
		if err = errors.Join(err, wrong); len(l.Counted) >= screening.PastMoves && len(list) < screening.OwnPast {
			list = append(list, s)
		}
	}
	if len(list) < screening.OwnPast {
		return nil, err
	}
	slices.Reverse(list)
	return list, err
}

func lookedOf(s store.Choices) (l review.Looked, err error) {
	err = json.Unmarshal([]byte(s.Body), &l)
	return l, err
}

// madeDossier is a dossier in the making.
type madeDossier struct {
	store.Dossier
	looked review.Dossier
}

// dossiers makes the dossiers, as anybody can from the records of those matches.
func (of judged) dossiers(k screening.Calibration) (list []*madeDossier, err error) {
	by := map[player.ID]*madeDossier{}
	for _, s := range of.sides {
		d := by[s.Player]
		if d == nil {
			d = of.begin(s)
			by[s.Player], list = d, append(list, d)
		}
		l, err := lookedOf(s)
		if err != nil {
			return nil, err
		}
		d.Matches = append(d.Matches, s.Match)
		d.looked.Add(l)
	}
	for _, d := range list {
		var past []review.Looked
		for _, earlier := range of.past[d.Player] {
			l, err := lookedOf(earlier)
			if err != nil {
				return nil, err
			}
			d.Past, past = append(d.Past, earlier.Match), append(past, l)
		}
		d.looked.Weigh(k, past...)
	}
	return list, nil
}

// begin begins the dossier of a player with the first of their matches.
func (of judged) begin(s store.Choices) *madeDossier {
	was := of.before[s.Player]
	d := &madeDossier{Dossier: store.Dossier{Player: s.Player, Since: was.Since, Earlier: was.Earlier},
		looked: review.Dossier{Player: string(of.names[s.Player].Handle), Rating: s.Rating, Engine: search.Version, Nodes: review.LookNodes}}
	if was.IsTold {
		d.Earlier = append(slices.Clone(d.Earlier), was.P)
	}
	return d
}

// MovesRecord is what the moves of a player in a place come to, beside what else is recorded there.
type MovesRecord struct {
	Dossier
	Made   store.Dossier
	Looked review.Dossier // what Made.Body holds
	By     store.Calibration
	People int // of the place of whom something is said
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
		if r.By, err = tx.Calibration(r.Made.Calibration); err != nil {
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
