package store

import (
	"errors"
	"strings"

	"gorm.io/gorm"
)

// changedKey is the context key under which a statement finds its transaction.
type changedKey struct{}

// untold are the tables no visitor's page shows; nodes and people change them many times
// a second.
var untold = map[string]bool{
	"heartbeats": true, "match_presence": true, "sessions": true, "tokens": true, "sign_in_links": true, "telemetry": true,
	"signals": true, "match_devices": true, "push_devices": true, "notices": true, "ceremonies": true, "dossier_views": true,
	"tries": true, "grant_codes": true, "telegram_chats": true, "leases": true, "group_codes": true,
}

// gateTables hold what players' commands are judged by.
var gateTables = map[string]bool{"match_policies": true, "match_facts": true, "check_ins": true, "watches": true, "match_devices": true}

// ratingTables decide how long a rating list is.
var ratingTables = map[string]bool{"ratings": true, "rating_pools": true, "": true}

// watchChanges makes every statement that changes a row tell its transaction.
func watchChanges(db *gorm.DB) error {
	note := func(db *gorm.DB) {
		tx, ok := db.Statement.Context.Value(changedKey{}).(*Tx)
		if !ok || db.RowsAffected == 0 && db.Error == nil {
			return
		}
		table := tableOf(db.Statement)
		tx.gates = tx.gates || gateTables[table]
		tx.rated = tx.rated || ratingTables[table]
		tx.told = tx.told || !untold[table]
	}
	on := db.Callback()
	return errors.Join(
		on.Create().After("gorm:create").Register("chpok:changes", note), on.Update().After("gorm:update").Register("chpok:changes", note),
		on.Delete().After("gorm:delete").Register("chpok:changes", note), on.Raw().After("gorm:raw").Register("chpok:changes", note),
	)
}

// tableOf is the table a statement changes; empty: unknown.
func tableOf(s *gorm.Statement) string {
	if s.Table != "" {
		return s.Table
	}
	words := strings.Fields(s.SQL.String())
	for i, word := range words[:min(len(words), 5)] {
		switch strings.ToUpper(word) {
		case "INTO", "UPDATE", "FROM":
			if i+1 < len(words) {
				name, _, _ := strings.Cut(words[i+1], "(")
				return strings.Trim(name, `"`)
			}
		}
	}
	return ""
}
