package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"chpok.org/chpok/club"
	"chpok.org/chpok/fold"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// found is what can be searched for, as the index numbers it; never changed.
type found uint8

const (
	foundPlayer found = iota + 1
	foundTournament
	foundClub
	foundLadder
)

// searchRow is one word by which one thing is found. Words are folded before they
// come here, and compared byte by byte, so that both databases find the same.
type searchRow struct {
	Kind found  `gorm:"primaryKey;autoIncrement:false"`
	ID   string `gorm:"primaryKey"`
	Word string `gorm:"primaryKey"`
}

func (searchRow) TableName() string { return "search_words" }

// index makes something found by these words, and by nothing else.
func (tx *Tx) index(kind found, id string, words []string) error {
	if err := tx.db.Exec("DELETE FROM search_words WHERE kind = ? AND id = ?", uint8(kind), id).Error; err != nil {
		return fmt.Errorf("store: index: %w", err)
	}
	words = slices.Clone(words)
	slices.Sort(words)
	var rows []searchRow
	for _, w := range slices.Compact(words) {
		rows = append(rows, searchRow{kind, id, w})
	}
	if len(rows) == 0 {
		return nil
	}
	if err := tx.db.Create(&rows).Error; err != nil {
		return fmt.Errorf("store: index: %w", err)
	}
	return nil
}

// indexPlayer makes an account found by its handle, and by its name where everybody
// may read that. Guests and erased accounts are not found.
func (tx *Tx) indexPlayer(id player.ID) error {
	p, err := tx.Player(id)
	if err != nil {
		return err
	}
	var erased int64
	if err := tx.db.Table("erasures").Where("player_id = ? AND done_at > 0", string(id)).Count(&erased).Error; err != nil {
		return fmt.Errorf("store: index player: %w", err)
	}
	if p.Guest || erased > 0 {
		return tx.index(foundPlayer, string(id), nil)
	}
	profile, err := tx.Profile(id)
	if err != nil {
		return err
	}
	words := fold.Inside(string(p.Handle))
	if profile.Privacy.Profile == player.Everyone && !profile.Privacy.Hidden {
		words = append(words, fold.Words(profile.Name)...)
	}
	return tx.index(foundPlayer, string(id), words)
}

// fillIndex indexes everything where nothing is found yet: in data from before
// there was an index.
func (s *Store) fillIndex(ctx context.Context) error {
	var indexed int64
	count := func(tx *Tx) error {
		return tx.db.Table("(SELECT 1 FROM search_words LIMIT 1) AS found").Count(&indexed).Error
	}
	if err := s.Read(ctx, count); err != nil || indexed > 0 {
		return err
	}
	return s.Write(ctx, func(tx *Tx) error {
		if err := count(tx); err != nil || indexed > 0 {
			return err // another node was quicker
		}
		if err := each(tx, "players", tx.indexPlayer); err != nil {
			return err
		}
		if err := each(tx, "tournaments", func(id tournament.ID) error {
			t, err := tx.Tournament(id)
			if err != nil {
				return err
			}
			return tx.index(foundTournament, string(id), tournamentWords(t))
		}); err != nil {
			return err
		}
		for kind, table := range map[found]string{foundClub: "clubs", foundLadder: "ladders"} {
			var rows []struct{ ID, Name string }
			if err := tx.db.Table(table).Select("id", "name").Scan(&rows).Error; err != nil {
				return fmt.Errorf("store: index: %w", err)
			}
			for _, r := range rows {
				if err := tx.index(kind, r.ID, fold.Words(r.Name)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// each does something for every row of a table, by id.
func each[ID ~string](tx *Tx, table string, do func(ID) error) error {
	var ids []ID
	if err := tx.db.Table(table).Pluck("id", &ids).Error; err != nil {
		return fmt.Errorf("store: index: %w", err)
	}
	for _, id := range ids {
		if err := do(id); err != nil {
			return err
		}
	}
	return nil
}

// matching are those of a kind whose words begin with every one of the question's;
// column is where the query has their ids. A question without words finds nothing.
func matching(db *gorm.DB, kind found, column, question string) *gorm.DB {
	return matchingSome(db, kind, column, question, -1)
}

// lookedAt is how many of those are looked at that begin with a word, where a few are wanted.
const lookedAt = 60

// matchingSome is matching; of a question of one word only so many are looked at, those
// first whose own word is hardly longer. -1: all.
func matchingSome(db *gorm.DB, kind found, column, question string, most int) *gorm.DB {
	words := fold.Words(question)
	if len(words) == 0 {
		return db.Where("1 = 0")
	}
	// The longest first: it leaves the fewest.
	slices.SortFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	const ids = "SELECT s.id FROM search_words s WHERE s.kind = ? AND s.word >= ? AND s.word < ?"
	for _, w := range words {
		if args := []any{uint8(kind), w, w + "\U0010FFFF"}; most < 0 || len(words) > 1 {
			db = db.Where(column+" IN ("+ids+")", args...)
		} else {
			db = db.Where(column+" IN ("+ids+" ORDER BY s.word, s.id LIMIT ?)", append(args, most)...)
		}
	}
	return db
}

// PlanOnce has PostgreSQL keep one plan for each question of this transaction, as SQLite
// does. By itself it makes a new one for every word that is searched for in a long index,
// which takes longer than the search.
func (tx *Tx) PlanOnce() error {
	if tx.db.Name() != dialectPostgres {
		return nil
	}
	if err := tx.db.Exec("SET LOCAL plan_cache_mode = force_generic_plan").Error; err != nil {
		return fmt.Errorf("store: plan once: %w", err)
	}
	return nil
}

// FindClubs are clubs by name, at most so many, in the order of their names.
func (tx *Tx) FindClubs(question string, limit int) ([]club.Club, error) {
	var rows []clubRow
	if err := matching(tx.db.Model(&clubRow{}), foundClub, "id", question).Order("name_key").Limit(limit).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("store: find clubs: %w", err)
	}
	list := make([]club.Club, len(rows))
	for i, r := range rows {
		list[i] = r.club()
	}
	return list, nil
}

// PublicNames are the names of accounts that let everybody read them.
func (tx *Tx) PublicNames(ids ...player.ID) (map[player.ID]string, error) {
	var rows []profileRow
	err := tx.db.Select("player_id", "name").
		Where("player_id IN ? AND see_profile = ? AND NOT hidden AND name <> ''", texts(ids), string(player.Everyone)).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("store: public names: %w", err)
	}
	names := make(map[player.ID]string, len(rows))
	for _, r := range rows {
		names[player.ID(r.PlayerID)] = r.Name
	}
	return names, nil
}
