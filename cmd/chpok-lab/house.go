package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chpok.org/chpok/cmd/internal/cli"
)

// houseCmd prints the house in figures: this tree's, beside those of earlier commits. No figure is a limit;
// people judge them.
type houseCmd struct {
	Commits []string `arg:"" optional:"" help:"Commits to show beside the working tree."`
}

// Run measures the tree in the current directory.
func (c houseCmd) Run(ctx context.Context, std cli.IO) error {
	heads, all := append(slices.Clone(c.Commits), "now"), []*tally{}
	for _, commit := range c.Commits {
		dir, err := os.MkdirTemp("", "chpok-house-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		archive := exec.CommandContext(ctx, "git", "archive", "--format=tar", "--output="+filepath.Join(dir, "tree.tar"), commit)
		unpack := exec.CommandContext(ctx, "tar", "-xf", "tree.tar")
		unpack.Dir = dir
		for _, step := range []*exec.Cmd{archive, unpack} {
			if out, err := step.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w: %s", commit, err, out)
			}
		}
		h, err := measure(os.DirFS(dir))
		if err != nil {
			return err
		}
		all = append(all, h)
	}
	now, err := measure(os.DirFS("."))
	if err != nil {
		return err
	}
	all = append(all, now)
	out := bufio.NewWriter(std.Out)
	fmt.Fprintf(out, "| | %s |\n|---%s|\n", strings.Join(heads, " | "), strings.Repeat("|---:", len(heads)))
	row := func(what string, of func(*tally) string) {
		fmt.Fprintf(out, "| %s ", what)
		for _, h := range all {
			fmt.Fprintf(out, "| %s ", of(h))
		}
		fmt.Fprintln(out, "|")
	}
	for _, f := range houseFigures {
		row(f.what, f.of)
	}
	areas := map[string]bool{}
	for _, h := range all {
		for a := range h.areas {
			areas[a] = true
		}
	}
	for _, a := range slices.Sorted(maps.Keys(areas)) {
		row("lines in `"+a+"`", func(h *tally) string { return fmt.Sprint(h.areas[a]) })
	}
	return out.Flush()
}

// tally is what is counted of a tree. Tests and generated code are left out.
type tally struct {
	goLines, templLines, comments int
	packages                      map[string]*room
	areas                         map[string]int      // lines of Go and templates by top-level folder
	bodies                        []int               // lines of each function
	wide                          int                 // functions of more than five parameters
	methods                       map[string][]string // by package.Type
	embeds                        map[string][]string // the types embedded in a struct
	exported, bare                int                 // exported names; those without a comment
}

type room struct {
	lines, files int
	imports      map[string]bool // of the same module
}

var houseFigures = []struct {
	what string
	of   func(*tally) string
}{
	{"lines of Go", func(h *tally) string { return fmt.Sprint(h.goLines) }},
	{"lines of templates", func(h *tally) string { return fmt.Sprint(h.templLines) }},
	{"packages / under 150 lines / of one file", func(h *tally) string {
		small, single := 0, 0
		for _, r := range h.packages {
			if r.lines < 150 {
				small++
			}
			if r.files == 1 {
				single++
			}
		}
		return fmt.Sprintf("%d / %d / %d", len(h.packages), small, single)
	}},
	{"import depth / edges", func(h *tally) string {
		edges := 0
		for _, r := range h.packages {
			edges += len(r.imports)
		}
		return fmt.Sprintf("%d / %d", h.depth(), edges)
	}},
	{"top-level folders", func(h *tally) string { return fmt.Sprint(len(h.areas)) }},
	{"function lines, median / 90 % / longest", func(h *tally) string {
		slices.Sort(h.bodies)
		n := len(h.bodies)
		return fmt.Sprintf("%d / %d / %d", h.bodies[n/2], h.bodies[n*9/10], h.bodies[n-1])
	}},
	{"functions of more than five parameters", func(h *tally) string { return fmt.Sprint(h.wide) }},
	{"method sets over 60, embedding counted", func(h *tally) string {
		large, most, which := 0, 0, ""
		for t := range h.methods {
			n := len(h.methodSet(t))
			if n > 60 {
				large++
			}
			if n > most || n == most && t < which {
				most, which = n, t
			}
		}
		return fmt.Sprintf("%d (most: %s, %d)", large, which, most)
	}},
	{"comment lines", func(h *tally) string { return fmt.Sprintf("%.1f %%", 100*float64(h.comments)/float64(h.goLines)) }},
	{"exported names without a comment", func(h *tally) string { return fmt.Sprintf("%.1f %%", 100*float64(h.bare)/float64(h.exported)) }},
}

// measure counts a tree whose root holds go.mod.
func measure(tree fs.FS) (*tally, error) {
	h := &tally{packages: map[string]*room{}, areas: map[string]int{}, methods: map[string][]string{}, embeds: map[string][]string{}}
	return h, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		isGo := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_templ.go")
		if !isGo && !strings.HasSuffix(name, ".templ") {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		lines, area := bytes.Count(text, []byte("\n")), strings.Split(name, "/")[0]
		h.areas[area] += lines
		if !isGo {
			h.templLines += lines
			return nil
		}
		h.goLines += lines
		return h.read(name, text, lines)
	})
}

// read counts one file of Go.
func (h *tally) read(name string, text []byte, lines int) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
			h.comments++
		}
	}
	dir := path.Dir(name)
	r := h.packages[dir]
	if r == nil {
		r = &room{imports: map[string]bool{}}
		h.packages[dir] = r
	}
	r.lines, r.files = r.lines+lines, r.files+1
	known := map[string]string{} // imported packages of the module, by the name used in the file
	for _, i := range file.Imports {
		if of, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), modulePath); ours {
			r.imports[of] = true
			known[path.Base(of)] = of
			if i.Name != nil {
				known[i.Name.Name] = of
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			h.function(files, dir, d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				h.spec(dir, known, d, s)
			}
		}
	}
	return nil
}

const modulePath = "chpok.org/chpok/"

func (h *tally) function(files *token.FileSet, dir string, d *ast.FuncDecl) {
	h.bodies = append(h.bodies, files.Position(d.End()).Line-files.Position(d.Pos()).Line+1)
	if d.Type.Params.NumFields() > 5 {
		h.wide++
	}
	if d.Recv != nil {
		if of := embedded(dir, nil, d.Recv.List[0].Type); of != "" {
			h.methods[of] = append(h.methods[of], d.Name.Name)
		}
	}
	h.name(d.Name, d.Doc)
}

func (h *tally) spec(dir string, known map[string]string, d *ast.GenDecl, s ast.Spec) {
	doc := d.Doc
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Doc != nil {
			doc = s.Doc
		}
		h.name(s.Name, doc)
		of := dir + "." + s.Name.Name
		if body, is := s.Type.(*ast.StructType); is {
			for _, f := range body.Fields.List {
				if len(f.Names) == 0 {
					h.embeds[of] = append(h.embeds[of], embedded(dir, known, f.Type))
				}
			}
		}
		if len(h.embeds[of]) > 0 && h.methods[of] == nil {
			h.methods[of] = []string{}
		}
	case *ast.ValueSpec:
		if s.Doc != nil {
			doc = s.Doc
		} else if s.Comment != nil {
			doc = s.Comment
		}
		for _, n := range s.Names {
			h.name(n, doc)
		}
	}
}

func (h *tally) name(n *ast.Ident, doc *ast.CommentGroup) {
	if n.IsExported() {
		h.exported++
		if doc == nil {
			h.bare++
		}
	}
}

// embedded returns the type that an expression names, as package.Type; empty if it is of another module.
func embedded(dir string, known map[string]string, x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return embedded(dir, known, x.X)
	case *ast.IndexExpr:
		return embedded(dir, known, x.X)
	case *ast.Ident:
		return dir + "." + x.Name
	case *ast.SelectorExpr:
		if p, is := x.X.(*ast.Ident); is && known[p.Name] != "" {
			return known[p.Name] + "." + x.Sel.Name
		}
	}
	return ""
}

// methodSet returns the methods of a type and of everything it embeds.
func (h *tally) methodSet(of string) map[string]bool {
	set := map[string]bool{}
	for _, m := range h.methods[of] {
		set[m] = true
	}
	for _, e := range h.embeds[of] {
		maps.Copy(set, h.methodSet(e))
	}
	return set
}

// depth returns the packages on the longest chain of imports.
func (h *tally) depth() (most int) {
	known := map[string]int{}
	var of func(string) int
	of = func(p string) int {
		if n, is := known[p]; is {
			return n
		}
		n := 0
		if r := h.packages[p]; r != nil {
			for i := range r.imports {
				n = max(n, of(i))
			}
		}
		known[p] = n + 1
		return n + 1
	}
	for p := range h.packages {
		most = max(most, of(p))
	}
	return most
}
