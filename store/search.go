package store

import (
	"cmp"
	"slices"

	"gorm.io/gorm"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/fold"
)

// found is a kind of thing to be found; the numbers stand in the index and never change.
type found uint8

const (
	foundPlayer found = iota + 1
	foundTournament
	foundClub
	foundLadder
	foundLeague
)

// searchRow is one word by which one thing is found. Words are folded before and compared
// byte by byte, so that both databases find the same.
type searchRow struct {
	Kind found  `gorm:"primaryKey;autoIncrement:false"`
	ID   string `gorm:"primaryKey"`
	Word string `gorm:"primaryKey"`
}

func (searchRow) TableName() string { return "search_words" }

// index makes a thing findable by these words and no others.
func (tx *Tx) index(kind found, id string, words []string) error {
	if err := tx.db.Exec("DELETE FROM search_words WHERE kind = ? AND id = ?", uint8(kind), id).Error; err != nil {
		return wrap(err, "index")
	}
	var rows []searchRow
	for _, w := range slices.Compact(slices.Sorted(slices.Values(words))) {
		rows = append(rows, searchRow{kind, id, w})
	}
	if len(rows) == 0 {
		return nil
	}
	return wrap(tx.db.Create(&rows).Error, "index")
}

// indexPlayer makes an account findable by its handle and, if everybody may see its
// profile, by its name. Guests and erased accounts are not found.
func (tx *Tx) indexPlayer(id player.ID) error {
	p, err := tx.Player(id)
	if err != nil {
		return err
	}
	erased, err := exists(tx.db.Table("erasures").Where("player_id = ? AND done_at > 0", string(id)), "index player")
	if err != nil {
		return err
	}
	if p.Guest || erased {
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

// matching limits a query to things of a kind that have, for each word of the question, a
// word that begins with it; column holds their ids. A question without words finds
// nothing.
func matching(db *gorm.DB, kind found, column, question string) *gorm.DB {
	return matchingSome(db, kind, column, question, -1)
}

// lookedAt is how many matches of one word are looked at where only a few are wanted.
const lookedAt = 60

// matchingSome is matching that looks at only so many matches for a question of one word,
// those first whose word is hardly longer; -1: all.
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

// PlanOnce makes PostgreSQL keep one plan per query in this transaction, as SQLite does.
// By itself it plans anew for each word searched for in a large index, which takes longer
// than the search.
func (tx *Tx) PlanOnce() error {
	if tx.db.Name() != dialectPostgres {
		return nil
	}
	return wrap(tx.db.Exec("SET LOCAL plan_cache_mode = force_generic_plan").Error, "plan once")
}

// FindClubs are at most limit clubs found by name, in order of name.
func (tx *Tx) FindClubs(question string, limit int) ([]club.Club, error) {
	return findAll(matching(tx.db.Model(&clubRow{}), foundClub, "id", question).Order("name_key").Limit(limit), tx.clubOf, "find clubs")
}

// PublicNames are the names of those accounts that let everybody see them.
func (tx *Tx) PublicNames(ids ...player.ID) (map[player.ID]string, error) {
	return byID(ids, func(some []string) *gorm.DB {
		return tx.db.Select("player_id", "name").
			Where("player_id IN ? AND see_profile = ? AND NOT hidden AND name <> ''", some, string(player.Everyone))
	}, func(r profileRow) (player.ID, string) { return player.ID(r.PlayerID), r.Name }, "public names")
}
