package store

import (
	"database/sql"
	"io/fs"
)

// WithMigrations are options under which the schema is that of other migrations.
func (o Options) WithMigrations(files fs.FS) Options {
	o.migrations = files
	return o
}

// Raw lets a test look at what no method reads.
func (s *Store) Raw(look func(*sql.DB) error) error {
	db, err := s.write.DB()
	if err != nil {
		return err
	}
	return look(db)
}
