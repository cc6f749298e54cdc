package store

import (
	"context"
	"math/rand/v2"
	"time"

	"gorm.io/gorm/clause"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
)

// Growth is an invented past, to measure what years of use cost.
type Growth struct {
	Players  []player.Player
	Matches  int
	Log      []match.Recorded // of each of them
	Head     Head             // after it
	Policy   fairplay.Policy
	From, To time.Time // they ended in between
	Seed     uint64
	Told     func(matches int) // called after every transaction; nil: nobody
}

const (
	grownAtOnce = 5000 // matches in one transaction
	ratedFrom   = 1000 // points of the weakest
	ratedUpTo   = 2400
	hundredths  = 100
)

// Grow writes a Growth, past all rules: players with ratings and search words, and
// finished matches with their logs.
func (s *Store) Grow(ctx context.Context, g Growth) error {
	chance := rand.New(rand.NewPCG(g.Seed, 1))
	if s.dialect == dialectSQLite { // players come in random order, and their pages are read again and again
		if err := s.write.WithContext(ctx).Exec("PRAGMA cache_size = -400000").Error; err != nil {
			return wrap(err, "grow")
		}
	}
	if err := s.Write(ctx, func(tx *Tx) error { return tx.growPlayers(g, chance) }); err != nil {
		return wrap(err, "grow")
	}
	for done := 0; done < g.Matches; done += grownAtOnce {
		some := min(grownAtOnce, g.Matches-done)
		if err := s.Write(ctx, func(tx *Tx) error { return tx.growMatches(g, some, chance) }); err != nil {
			return wrap(err, "grow")
		}
		if g.Told != nil {
			g.Told(done + some)
		}
	}
	return nil
}

func (tx *Tx) growPlayers(g Growth, chance *rand.Rand) error {
	var fold int64
	if err := tx.db.Raw("SELECT fold_id FROM rating_pools WHERE id = ?", string(rating.Main)).Scan(&fold).Error; err != nil {
		return err
	}
	var ratings []ratingRow
	for _, p := range g.Players {
		if err := tx.AddPlayer(p, ""); err != nil {
			return err
		}
		points := int64(ratedFrom+chance.IntN(ratedUpTo-ratedFrom)) * hundredths
		ratings = append(ratings, ratingRow{FoldID: fold, PlayerID: string(p.ID), Rating: points, Peak: points, Games: 40, State: "{}",
			At: ms(g.To)})
	}
	return tx.db.CreateInBatches(ratings, rowsAtOnce).Error
}

func (tx *Tx) growMatches(g Growth, n int, chance *rand.Rand) error {
	var matches []matchRow
	var events []eventRow
	var policies []matchPolicyRow
	for range n {
		h := g.Head
		h.ID = match.ID(NewID())
		first := chance.IntN(len(g.Players))
		second := (first + 1 + chance.IntN(len(g.Players)-1)) % len(g.Players)
		h.Players = [2]player.ID{g.Players[first].ID, g.Players[second].ID}
		shift := g.From.Add(time.Duration(chance.Int64N(int64(g.To.Sub(g.From))))).Sub(h.LastAt)
		h.OpenedAt, h.LastAt = h.OpenedAt.Add(shift), h.LastAt.Add(shift)
		rows, err := eventRows(Append{Head: h, Events: g.Log})
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i].At += shift.Milliseconds()
		}
		matches, events = append(matches, rowOf(h)), append(events, rows...)
		policies = append(policies, matchPolicyRow{MatchID: string(h.ID), PolicyHash: g.Policy.Hash()})
	}
	policy, err := policyRowOf(g.Policy)
	if err != nil {
		return err
	}
	for _, rows := range []any{[]policyRow{policy}, matches, policies} {
		if err := tx.db.Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(rows, rowsAtOnce).Error; err != nil {
			return err
		}
	}
	for chunk := range chunksOf(events) {
		if _, err := tx.execute(insertEvents[len(chunk)], argsOf(chunk)); err != nil {
			return err
		}
	}
	return nil
}
