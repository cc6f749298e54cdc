package store

import (
	"fmt"
	"slices"

	"gorm.io/gorm"
)

// wrap adds the operation to an error ("store: add player: …"); nil stays nil.
func wrap(err error, operation string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store: "+operation+": %w", append(args, err)...)
}

// findOne reads one row, ErrNotFound without one.
func findOne[Row, T any](db *gorm.DB, value func(Row) T, operation string, args ...any) (T, error) {
	return parseOne(db, func(r Row) (T, error) { return value(r), nil }, operation, args...)
}

// parseOne is findOne for rows that can fail to become a value.
func parseOne[Row, T any](db *gorm.DB, parse func(Row) (T, error), operation string, args ...any) (value T, err error) {
	var row Row
	if err = db.Take(&row).Error; err == nil {
		value, err = parse(row)
	}
	return value, wrap(err, operation, args...)
}

// findAll reads all rows of a query.
func findAll[Row, T any](db *gorm.DB, value func(Row) T, operation string, args ...any) ([]T, error) {
	return parseAll(db, func(r Row) (T, error) { return value(r), nil }, operation, args...)
}

// parseAll is findAll for rows that can fail to become values.
func parseAll[Row, T any](db *gorm.DB, parse func(Row) (T, error), operation string, args ...any) ([]T, error) {
	var rows []Row
	if err := db.Find(&rows).Error; err != nil {
		return nil, wrap(err, operation, args...)
	}
	values := make([]T, len(rows))
	for i, r := range rows {
		var err error
		if values[i], err = parse(r); err != nil {
			return nil, wrap(err, operation, args...)
		}
	}
	return values, nil
}

// idsAtOnce is how many ids one query names.
const idsAtOnce = 500

// eachOf calls do with every row that query finds for some of the ids, idsAtOnce at a time.
func eachOf[ID ~string, Row any](ids []ID, query func(some []string) *gorm.DB, do func(Row)) error {
	for some := range slices.Chunk(texts(ids), idsAtOnce) {
		var rows []Row
		if err := query(some).Find(&rows).Error; err != nil {
			return err
		}
		for _, r := range rows {
			do(r)
		}
	}
	return nil
}

// byID reads a map with the entries of those ids that query finds something for.
func byID[ID ~string, Row, T any](
	ids []ID, query func(some []string) *gorm.DB, entry func(Row) (ID, T), operation string, args ...any,
) (map[ID]T, error) {
	found := make(map[ID]T, len(ids))
	err := eachOf(ids, query, func(r Row) {
		id, value := entry(r)
		found[id] = value
	})
	return found, wrap(err, operation, args...)
}

// scan reads everything a query finds: a number, or the values of one column.
func scan[T any](db *gorm.DB, operation string, args ...any) (T, error) {
	var found T
	err := db.Scan(&found).Error
	return found, wrap(err, operation, args...)
}

// pluck reads one column.
func pluck[T any](db *gorm.DB, column, operation string, args ...any) ([]T, error) {
	var found []T
	err := db.Pluck(column, &found).Error
	return found, wrap(err, operation, args...)
}

// count is the number of rows a query finds.
func count(db *gorm.DB, operation string, args ...any) (int, error) {
	var n int64
	err := db.Count(&n).Error
	return int(n), wrap(err, operation, args...)
}

// exists reports whether a query finds anything.
func exists(db *gorm.DB, operation string, args ...any) (bool, error) {
	n, err := count(db, operation, args...)
	return n > 0, err
}

// guarded is the error of a guarded update: ErrConflict when no row passed the guard.
func guarded(r *gorm.DB) error { return changed(r, ErrConflict) }

// existing is the error of a change to what should be there, ErrNotFound when it is not.
func existing(r *gorm.DB) error { return changed(r, ErrNotFound) }

func changed(r *gorm.DB, none error) error {
	if r.Error == nil && r.RowsAffected == 0 {
		return none
	}
	return r.Error
}

// counts reads numbers by id: query selects the columns id and n.
func (tx *Tx) counts(operation, query string, args ...any) (map[string]int, error) {
	var rows []struct {
		ID string
		N  int
	}
	err := tx.db.Raw(query, args...).Scan(&rows).Error
	found := make(map[string]int, len(rows))
	for _, r := range rows {
		found[r.ID] = r.N
	}
	return found, wrap(err, operation)
}
