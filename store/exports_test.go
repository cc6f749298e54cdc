package store_test

import (
	"strings"
	"testing"

	"chpok.org/chpok/store"
)

// TestAnExportNamesItsColumns: a node that runs does not notice what the next version
// adds to a table.
func TestAnExportNamesItsColumns(t *testing.T) {
	t.Parallel()
	for _, section := range store.ExportSections {
		if query := strings.ReplaceAll(section.Query, "COUNT(*)", ""); strings.Contains(query, "*") {
			t.Errorf("%s asks for all columns there are: %s", section.Name, section.Query)
		}
	}
}
