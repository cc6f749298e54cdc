package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// keptCopies is how many copies from before upgrades are kept, the latest.
const keptCopies = 3

// copyBefore copies a database whose schema is about to change, if it holds anything, to a
// file that is named after the schema it still has. A copy that fails stops the upgrade.
func (s *Store) copyBefore(ctx context.Context, u upgrade) error {
	if u.from == 0 || u.options.NoBackup {
		return nil
	}
	file := s.copyName(u.options.BackupDir, u.from)
	err := os.MkdirAll(filepath.Dir(file), 0o750)
	if err == nil && s.dialect == dialectSQLite {
		err = Backup(ctx, s.file, file, true)
	} else if err == nil {
		err = dump(ctx, u.dsn, file)
	}
	if err != nil {
		return fmt.Errorf("nothing has changed, for the copy that is made before could not be: %w "+
			"(chpok migrate --no-backup goes without it)", err)
	}
	s.log.Info("copied the database before its schema changes", "copy", file, "schema", u.from, "next", u.to)
	return s.dropCopies(u.options.BackupDir)
}

// copyName is the file of the copy from before a schema changed. PostgreSQL's lie in the
// folder where an SQLite file would.
func (s *Store) copyName(dir string, schema int64) string {
	if dir == "" && s.dialect == dialectSQLite {
		dir = filepath.Dir(s.file)
	}
	return filepath.Join(cmp.Or(dir, "data"), s.name+".schema-"+strconv.FormatInt(schema, 10))
}

// dropCopies removes all copies but the latest.
func (s *Store) dropCopies(dir string) error {
	one := s.copyName(dir, 0)
	prefix := strings.TrimSuffix(filepath.Base(one), "0")
	entries, err := os.ReadDir(filepath.Dir(one))
	if err != nil {
		return err
	}
	type dated struct {
		name string
		at   time.Time
	}
	var copies []dated
	for _, e := range entries {
		number, isOne := strings.CutPrefix(e.Name(), prefix)
		if _, err := strconv.ParseUint(number, 10, 63); !isOne || err != nil {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		copies = append(copies, dated{e.Name(), info.ModTime()})
	}
	slices.SortFunc(copies, func(a, b dated) int { return b.at.Compare(a.at) })
	for _, c := range copies[min(keptCopies, len(copies)):] {
		if err := os.Remove(filepath.Join(filepath.Dir(one), c.name)); err != nil {
			return err
		}
	}
	return nil
}

var errNoDump = errors.New("pg_dump is not on this machine; copy the database elsewhere (chpok backup tells how)")

// dump copies a PostgreSQL database by its own tool. The password goes by the
// environment: others on the machine see the command.
func dump(ctx context.Context, dsn, to string) error {
	tool, err := exec.LookPath("pg_dump")
	if err != nil {
		return errNoDump
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return err
	}
	bare, err := WithoutPassword(dsn)
	if err != nil {
		return err
	}
	part := to + ".part"
	if err := newFile(part); err != nil {
		return err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, tool, "--format=custom", "--no-password", "--file="+part, "--dbname="+bare)
	cmd.Stderr = &said
	if config.Password != "" {
		cmd.Env = append(os.Environ(), "PGPASSWORD="+config.Password)
	}
	if err := cmd.Run(); err != nil {
		return errors.Join(fmt.Errorf("pg_dump: %w: %s", err, bytes.TrimSpace(said.Bytes())), os.Remove(part))
	}
	return settle(part, to)
}

// WithoutPassword is the address of a PostgreSQL database without its password.
func WithoutPassword(dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return "", err
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	q.Del("password")
	u.RawQuery = q.Encode()
	return u.String(), nil
}
