package analyst

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
)

// weigh does a piece of the choices that are due; more is false if there was none.
func (a *Analyst) weigh(ctx context.Context) (more bool, err error) {
	before, err := store.Get(ctx, a.store, func(tx *store.Tx) (store.Choices, error) { return tx.DueChoices(a.now()) })
	if err == nil {
		err = a.store.Write(ctx, func(tx *store.Tx) error { return tx.LeaseChoices(before, a.now().Add(lease)) })
	}
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	after, err := a.choose(ctx, before)
	if ctx.Err() != nil && after.Done == before.Done {
		return false, nil // the lease runs out
	}
	if err != nil && ctx.Err() == nil {
		a.log.Error("choices failed", "match", before.Match, "err", err)
		after.State = store.ChoicesFailed
	}
	err = a.store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return tx.SaveChoices(before.Done, after) })
	if errors.Is(err, store.ErrConflict) {
		return true, nil
	}
	return err == nil, err
}

// choose looks at the next moves of a player for a while, at least at one.
func (a *Analyst) choose(ctx context.Context, kept store.Choices) (store.Choices, error) {
	state, _, err := a.live.State(ctx, kept.Match)
	if err != nil {
		return kept, err
	}
	record, err := notation.Export(state, notation.Event{First: "A", Second: "B"})
	if err != nil {
		return kept, err
	}
	moves, err := review.MovesOf(record, match.FirstIsA.Of(kept.Seat))
	if err != nil {
		return kept, err
	}
	looked, err := lookedOf(kept)
	if err != nil {
		return kept, err
	}
	e := a.engines.Get().(*search.Engine)
	defer a.engines.Put(e)
	more := true
	for began := time.Now(); more && err == nil && time.Since(began) <= piece; {
		start := time.Now()
		more, err = looked.Next(Polite(ctx), e, moves, review.LookNodes)
		a.share.Spend(time.Since(start))
	}
	if !more && err == nil {
		kept.State = store.ChoicesDone
	}
	kept.Done = looked.Done
	body, wrong := json.Marshal(looked)
	kept.Body = string(body)
	return kept, errors.Join(err, wrong)
}

func lookedOf(c store.Choices) (l review.Looked, err error) {
	if c.Body != "" {
		err = json.Unmarshal([]byte(c.Body), &l)
	}
	return l, err
}

// How a site calibrates.
const (
	draws      = 10_000
	ratingStep = 200                 // within which people are thought to choose alike, for the model
	calibrates = 10 * time.Minute    // at most
	refitAfter = 30 * 24 * time.Hour // whatever has changed
)

// strata are the numbers of choices at which people are drawn.
var strata = []int{screening.TestedMoves, 2 * screening.TestedMoves, 4 * screening.TestedMoves}

// Calibrate learns how the people beyond doubt of this site choose, when the engine or the house's bots have changed, the
// people have become a tenth more or fewer matches, or a month has passed. With too few people it notes only how many there
// are. The same people give the same calibration on every node, and one of them makes it.
func (a *Analyst) Calibrate(ctx context.Context) error {
	if !a.share.isFree() {
		return nil
	}
	if err := a.store.Write(ctx, func(tx *store.Tx) error { return tx.ReaskChoices() }); err != nil {
		return err
	}
	var last store.Calibration
	var sides []store.Choices
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if last, err = tx.LastCalibration(); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		sides, err = tx.Reference()
		return err
	})
	if err != nil {
		return err
	}
	next := basis(sides)
	if !isStale(last, next, a.now()) {
		return nil
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error { return tx.LeaseCalibration(next, a.now(), a.now().Add(calibrates)) })
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	if err != nil {
		return err
	}
	start := time.Now()
	err = calibrate(&next, sides)
	a.share.Spend(time.Since(start))
	if err != nil {
		return err
	}
	next.At = a.now()
	return a.store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return tx.SaveCalibration(next) })
}

// basis is a calibration before it is made: what it will be based on.
func basis(sides []store.Choices) store.Calibration {
	hash := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			panic(err) // numbers and texts always encode
		}
		sum := sha256.Sum256(raw)
		return hex.EncodeToString(sum[:16])
	}
	c := store.Calibration{Engine: search.Version, Bots: hash(house.Bots()), Sides: len(sides)}
	people := map[player.ID]bool{}
	var list []string
	for _, s := range sides {
		people[s.Player] = true
		list = append(list, fmt.Sprint(s.Match, s.Seat, s.Seq, s.Rating))
	}
	c.People = len(people)
	slices.Sort(list)
	c.ID = hash([]any{c.Engine, review.LookNodes, c.Bots, list})
	return c
}

// isStale reports whether a calibration has to be made anew.
func isStale(last, next store.Calibration, now time.Time) bool {
	change := next.Sides - last.Sides
	switch {
	case last.ID == next.ID:
		return false
	case last.ID == "", last.Bots != next.Bots, last.Body == "" && next.People != last.People:
		return true
	}
	return 10*max(change, -change) > last.Sides || now.Sub(last.At) > refitAfter
}

// calibrate makes a calibration by the sides that it is based on.
func calibrate(c *store.Calibration, sides []store.Choices) error {
	type person struct {
		rating  int
		matches [][]screening.Choice
	}
	people := map[player.ID]*person{}
	var order []player.ID
	for _, s := range slices.Backward(sides) { // the first first
		l, err := lookedOf(s)
		if err != nil {
			return fmt.Errorf("choices in %s: %w", s.Match, err)
		}
		p := people[s.Player]
		if p == nil {
			p = &person{rating: s.Rating}
			people[s.Player], order = p, append(order, s.Player)
		}
		if list := l.Choices(); len(list) > 0 {
			p.matches = append(p.matches, list)
		}
	}
	by := map[int]*screening.Group{}
	var groups []*screening.Group
	for _, id := range order {
		p := people[id]
		step := p.rating / ratingStep
		if by[step] == nil {
			by[step] = &screening.Group{Rating: step*ratingStep + ratingStep/2}
			groups = append(groups, by[step])
		}
		by[step].People = append(by[step].People, slices.Concat(p.matches...))
	}
	slices.SortFunc(groups, func(a, b *screening.Group) int { return cmp.Compare(a.Rating, b.Rating) })
	var list []screening.Group
	for _, g := range groups {
		list = append(list, *g)
	}
	c.People = 0
	model, err := screening.Fit(list)
	if errors.Is(err, screening.ErrFewPeople) {
		return nil
	}
	if err != nil {
		return err
	}
	var persons []screening.Person
	for _, id := range order {
		p := people[id]
		persons = append(persons, screening.Person{Rating: p.rating, Baseline: model.Baseline(p.rating), Matches: p.matches})
	}
	seed := sha256.Sum256([]byte(c.ID))
	k, power, err := model.Try(persons, strata, draws, draws/5, seed)
	c.People, c.Power = k.People, power
	if errors.Is(err, screening.ErrFewPeople) {
		return nil
	}
	if err != nil {
		return err
	}
	body, err := json.Marshal(k)
	c.Body = string(body)
	return err
}
