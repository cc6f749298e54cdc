package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm/schema"
)

// TestNoQueryNumbersAStateByHand: a number in SQL that nobody has built from its enum says something
// else once the enum changes, and status = 3 is one thing of a match and another of a tournament.
// Columns of states are the fields of type uint8.
func TestNoQueryNumbersAStateByHand(t *testing.T) {
	t.Parallel()
	states, literals := map[string]bool{}, map[string][]string{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "uint8" {
					for _, name := range n.Names {
						states[schema.NamingStrategy{}.ColumnName("", name.Name)] = true
					}
				}
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					literals[file] = append(literals[file], n.Value)
				}
			}
			return true
		})
	}
	if !states["status"] || !states["outcome"] || !states["seat"] {
		t.Fatalf("the columns of states are %v", states)
	}
	columns := strings.Join(slices.Sorted(maps.Keys(states)), "|")
	bare := regexp.MustCompile(`\b(?:` + columns + `)\s*(?:=|<>|!=|<=|>=|<|>|\b(?:NOT )?IN\s*\(|\bBETWEEN\b|\bWHEN\b)\s*\d+`)
	if found := bare.FindAllString("WHERE m.status = 3 AND seat IN (1, 2) AND CASE result WHEN 2 THEN 1 END", -1); len(found) != 3 {
		t.Fatalf("of three numbers it finds %q", found)
	}
	none := regexp.MustCompile(`^(to_act|level|achieved|rated_as) [=>] 0$`) // zero is none
	for file, texts := range literals {
		for _, text := range texts {
			for _, found := range bare.FindAllString(text, -1) {
				if !none.MatchString(found) {
					t.Errorf("%s: %q", file, found)
				}
			}
		}
	}
}
