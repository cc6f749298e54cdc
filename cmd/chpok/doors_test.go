package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// doors are all places of the program that bring a command into a match, and what
// judges whether it may come so: Admit, where it is a player's.
var doors = map[string]string{
	"arbiter/judges/calls.go Call":            "Admit",
	"arbiter/judges/calls.go WithdrawCall":    "Admit",
	"arbiter/challenges/challenges.go accept": "Admit",
	"web/page/match_commands.go Command":      "Admit", // forms, the API and the ready room
	"cmd/chpok/demo.go act":                   "Open only",
	"cmd/chpok-lab/year/node.go board":        "Open only",
	"cmd/chpok-lab/load/boards.go openBoards": "Open only",
	"cmd/chpok-lab/load/table.go bare":        "Open only",
	"live/bots.go runBot":                     "Open only",
	"live/sweeps.go judge":                    "the clock",
	"live/arbitrate.go Prepare":               "the clock",
	"live/arbitrate.go Arbitrate":             "an arbiter's office",
}

// TestEveryDoorToAMatchIsJudged: nothing reaches live.Runner.Do but by these doors,
// and a player's command comes with its judgement. That the runner does nothing above
// Open without one is tested in package live.
func TestEveryDoorToAMatchIsJudged(t *testing.T) {
	t.Parallel()
	found := map[string]string{}
	walk := func(path string, file *ast.File) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			admits, calls := false, false
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr: // Do(ctx, match, player, request)
					s, ok := n.Fun.(*ast.SelectorExpr)
					calls = calls || ok && s.Sel.Name == "Do" && len(n.Args) == 4
				case *ast.KeyValueExpr:
					key, ok := n.Key.(*ast.Ident)
					admits = admits || ok && key.Name == "Admit"
				case *ast.AssignStmt:
					s, ok := n.Lhs[0].(*ast.SelectorExpr)
					admits = admits || ok && s.Sel.Name == "Admit"
				}
				return true
			})
			if calls {
				where := path + " " + f.Name.Name
				if found[where] = doors[where]; admits != (doors[where] == "Admit") {
					t.Errorf("%s: gives a judgement: %v, and is to be judged by %q", where, admits, doors[where])
				}
			}
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			walk(filepath.ToSlash(strings.TrimPrefix(path, "../../")), file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(found, doors) {
		t.Errorf("doors: %q, want %q", slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(doors)))
	}
}
