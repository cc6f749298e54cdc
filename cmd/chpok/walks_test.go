package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// declared are the names there are: "rounds.OpenIfDue", "live.Runner.Do", and each also
// without what stands before it.
func declared(t *testing.T) map[string]bool {
	names := map[string]bool{}
	add := func(parts ...string) {
		for i := range parts {
			names[strings.Join(parts[i:], ".")] = true
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		in := file.Name.Name
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(in, d.Name.Name)
				if d.Recv != nil {
					of := d.Recv.List[0].Type
					if star, ok := of.(*ast.StarExpr); ok {
						of = star.X
					}
					if of, ok := of.(*ast.Ident); ok {
						add(in, of.Name, d.Name.Name)
					}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(in, s.Name.Name)
						if of, ok := s.Type.(*ast.StructType); ok {
							for _, f := range of.Fields.List {
								for _, name := range f.Names {
									add(in, s.Name.Name, name.Name)
								}
							}
						}
					case *ast.ValueSpec:
						for _, name := range s.Names {
							add(in, name.Name)
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestTheDocumentsNameWhatThereIs: the walks through one move, one round and one finished
// match, and whatever else the two documents call by its package, stands in the code. What
// was "before" is let go.
func TestTheDocumentsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	names := declared(t)
	quoted, qualified := regexp.MustCompile("`([^`]+)`"), regexp.MustCompile(`^[A-Za-z]+(\.[A-Za-z]+)+$`)
	identifier, before := regexp.MustCompile(`^[A-Za-z]+$`), regexp.MustCompile(`(?ms)^Before, .*?\n\n`)
	routes := ""
	for _, list := range []string{"match/matches.go", "desk/section.go", "desk/pairing_desk.go", "desk/tournament_desk.go"} {
		text, err := os.ReadFile("../../web/" + list)
		if err != nil {
			t.Fatal(err)
		}
		routes += string(text)
	}
	schema, err := os.ReadFile("../../migrations/0001_schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, doc := range []string{"rooms.md", "architecture.md"} {
		raw, err := os.ReadFile("../../docs/" + doc)
		if err != nil {
			t.Fatal(err)
		}
		text := before.ReplaceAllString(string(raw)+"\n\n", "\n")
		_, walks, _ := strings.Cut(text, "\n## One move")
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			word, inWalk := m[1], strings.Contains(walks, m[0])
			method, path, isRoute := strings.Cut(word, " /")
			var there bool
			switch {
			case strings.HasSuffix(word, ".go"), strings.HasSuffix(word, ".md"), strings.HasSuffix(word, ".sql"):
				continue
			case isRoute:
				there = strings.Contains(routes, "page."+method[:1]+strings.ToLower(method[1:])+`("/`+path+`"`)
			case qualified.MatchString(word):
				there = names[word]
			case !inWalk:
				continue
			case strings.Contains(word, "_"):
				there = strings.Contains(string(schema), "CREATE TABLE "+word+" ")
			case identifier.MatchString(word):
				_, isRoom := rooms[word]
				there = names[word] || isRoom
			default:
				_, there = rooms[word]
			}
			if checked++; !there {
				t.Errorf("%s: there is no %s", doc, word)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d names are looked up", checked)
	}
}
