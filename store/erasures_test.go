package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// exportless are the tables about players that no export needs, and why.
var exportless = map[string]string{
	"sign_in_links":    "a secret's hash, for a day",
	"grant_codes":      "a secret's hash, for minutes",
	"erasures":         "has its section under another column",
	"match_presence":   "who looks at a match at this moment",
	"rated_members":    "follows from memberships and results",
	"tournament_mutes": "the staff's",
	"dry_runs":         "the tournament's",
}

// TestEveryTableAboutPlayersIsExportedOrErased asks the schema which tables refer
// to players: each is in a section of the export, and what goes with an account
// is among what is erased.
func TestEveryTableAboutPlayersIsExportedOrErased(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", strings.TrimPrefix(storetest.SQLiteDSN(t), "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT DISTINCT m.name, f.on_delete FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND f."table" = 'players'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	source, err := os.ReadFile(filepath.Join("erasures.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for rows.Next() {
		var table, onDelete string
		if err := rows.Scan(&table, &onDelete); err != nil {
			t.Fatal(err)
		}
		found++
		word := regexp.MustCompile(`\b` + table + `\b`)
		isExported := slices.ContainsFunc(store.ExportSections, func(s store.ExportSection) bool { return word.MatchString(s.Query) })
		if _, known := exportless[table]; !isExported && !known {
			t.Errorf("no section of store.ExportSections reads %s: what it holds about a player is not exported", table)
		}
		if onDelete == "CASCADE" && table != "erasures" && !strings.Contains(string(source), `"DELETE FROM `+table+` `) {
			t.Errorf("%s goes with its player, but erasing an account leaves it", table)
		}
	}
	if found < 20 {
		t.Fatalf("only %d tables refer to players", found)
	}
}

func TestEverySectionOfTheExportCanBeRead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "olena", "taras")
		write(t, s, func(tx *store.Tx) error { return tx.Block("olena", "taras", noon) })
		seen := map[string]int{}
		err := s.Read(t.Context(), func(tx *store.Tx) error {
			return tx.Export("olena", func(table store.ExportTable) error {
				if _, twice := seen[table.Name]; twice || len(table.Columns) == 0 {
					t.Errorf("section %s", table.Name)
				}
				seen[table.Name] = len(table.Rows)
				for _, column := range table.Columns {
					if strings.Contains(column, "digest") || strings.Contains(column, "credential") || strings.Contains(column, "secret") {
						t.Errorf("%s shows %s", table.Name, column)
					}
				}
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(seen) != len(store.ExportSections) || seen["account"] != 1 || seen["blocked"] != 1 {
			t.Errorf("%v", seen)
		}
	})
}
