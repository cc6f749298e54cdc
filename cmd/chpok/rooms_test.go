package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// How large a room may become, and what one type may do.
const mostLines, mostMethods = 6000, 60

// halls are larger: one transaction spans all of store.
var halls = []string{"store"}

// room is a package by what somebody who works in it has to know.
type room struct {
	path         string
	lines, names int
	methods      map[string]int // by type
}

func (r *room) busiest() (name string, most int) {
	for t, n := range r.methods {
		if n > most || n == most && t < name {
			name, most = t, n
		}
	}
	return name, most
}

// TestNoRoomOutgrowsTheHouse also lists them, for `make rooms`.
func TestNoRoomOutgrowsTheHouse(t *testing.T) {
	t.Parallel()
	rooms := map[string]*room{}
	files := token.NewFileSet()
	err := fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		templates := path.Ext(name) == ".templ"
		isCode := path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_templ.go")
		if err != nil || d.IsDir() || !templates && !isCode {
			return err
		}
		source, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			return err
		}
		r := rooms[path.Dir(name)]
		if r == nil {
			r = &room{path: path.Dir(name), methods: map[string]int{}}
			rooms[r.path] = r
		}
		r.lines += bytes.Count(source, []byte("\n"))
		if templates {
			r.names += bytes.Count(source, []byte("\ntempl ")) + bytes.Count(source, []byte("\ntype ")) + bytes.Count(source, []byte("\nfunc "))
			return nil
		}
		file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
		if err == nil {
			r.count(file)
			fits(t, files, file, name, source)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []*room
	for _, r := range rooms {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *room) int { return cmp.Or(b.lines-a.lines, strings.Compare(a.path, b.path)) })
	var table strings.Builder
	fmt.Fprintf(&table, "%-28s %6s %6s  busiest type, methods\n", "room", "lines", "names")
	for _, r := range list {
		name, most := r.busiest()
		fmt.Fprintf(&table, "%-28s %6d %6d  %s %d\n", r.path, r.lines, r.names, name, most)
		if slices.Contains(halls, r.path) {
			continue
		}
		if r.lines > mostLines {
			t.Errorf("%s has %d lines, more than %d", r.path, r.lines, mostLines)
		}
		if most > mostMethods {
			t.Errorf("%s.%s has %d methods, more than %d", r.path, name, most, mostMethods)
		}
	}
	t.Log("\n" + table.String())
}

// How long a function and a line may be; tags of fields cannot be broken.
const longestFunc, longestLine = 80, 140

func fits(t *testing.T, files *token.FileSet, file *ast.File, name string, source []byte) {
	for _, d := range file.Decls {
		if f, is := d.(*ast.FuncDecl); is {
			if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > longestFunc {
				t.Errorf("%s: %s has %d lines, more than %d", name, f.Name.Name, n, longestFunc)
			}
		}
	}
	n := 0
	for line := range bytes.Lines(source) {
		n++
		isTag := bytes.HasSuffix(bytes.TrimRight(line, "\n"), []byte("\"`"))
		if !isTag && utf8.RuneCount(line) > longestLine+1 {
			t.Errorf("%s:%d has %d characters, more than %d", name, n, utf8.RuneCount(line)-1, longestLine)
		}
	}
}

func (r *room) count(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					r.names++
				case *ast.ValueSpec:
					r.names += len(s.Names)
				}
			}
		case *ast.FuncDecl:
			if d.Recv == nil {
				r.names++
				continue
			}
			of := d.Recv.List[0].Type
			if p, ok := of.(*ast.StarExpr); ok {
				of = p.X
			}
			if g, ok := of.(*ast.IndexExpr); ok {
				of = g.X
			}
			if name, ok := of.(*ast.Ident); ok {
				r.methods[name.Name]++
			}
		}
	}
}
