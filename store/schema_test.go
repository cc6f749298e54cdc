package store_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/store/storetest"
)

// TestBothDialectsHaveTheSameColumns: every table has the same columns of the
// same types, and the same of them may be NULL.
func TestBothDialectsHaveTheSameColumns(t *testing.T) {
	t.Parallel()
	lite := columns(t, "sqlite", strings.TrimPrefix(storetest.SQLiteDSN(t), "sqlite:"), `
		SELECT m.name, c.name, c.type, c."notnull" FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`)
	pg := columns(t, "pgx", storetest.PostgresDSN(t), `
		SELECT table_name, column_name, data_type, is_nullable = 'NO' FROM information_schema.columns WHERE table_schema = 'public'`)
	if len(lite) < 20 {
		t.Fatalf("only %d columns were found", len(lite))
	}
	if diff := cmp.Diff(lite, pg); diff != "" {
		t.Errorf("SQLite (-), PostgreSQL (+):\n%s", diff)
	}
}

func columns(t *testing.T, driver, address, query string) map[string]string {
	t.Helper()
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var table, column, kind string
		var notNull bool
		if err := rows.Scan(&table, &column, &kind, &notNull); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(table, "goose_") || strings.HasPrefix(table, "sqlite_") {
			continue
		}
		found[table+"."+column] = fmt.Sprintf("%s not null %v", strings.ToLower(kind), notNull)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestNoQueryAsksForEveryColumn: what is prepared on PostgreSQL fails as soon as the next
// version adds one, and then whoever asked reads of a fault. Only the copy of all that
// is known of somebody asks for whatever there is.
func TestNoQueryAsksForEveryColumn(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "exports.go" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`SELECT (\w+\.)?\*(,| FROM \w)|\.Select\("\w+\.\*`).FindAllString(string(text), -1) {
			t.Errorf("%s: %s", file, found)
		}
	}
}
